// Bags of ROS 1 and ROS 2 as other programs write them, for tests and seeds.
#pragma once

#include <lz4frame.h>
#include <zstd.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace outrider {

/// A message in CDR, little endian.
class CdrText {
  public:
    CdrText() : bytes_("\0\1\0\0", 4) {}
    template <class T>
    CdrText& add(T v) {
        while ((bytes_.size() - 4) % sizeof(T) != 0) bytes_ += '\0';
        char raw[sizeof(T)];
        std::memcpy(raw, &v, sizeof(T));
        bytes_.append(raw, sizeof(T));
        return *this;
    }
    CdrText& text(const std::string& s) {
        add(static_cast<std::uint32_t>(s.size() + 1));
        bytes_ += s;
        bytes_ += '\0';
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

inline std::string scan_message(int sec, std::vector<float> ranges) {
    CdrText m;
    m.add(std::int32_t{sec}).add(std::uint32_t{500'000'000}).text("laser");
    for (const float v : {-1.0f, 1.0f, 0.5f, 0.0f, 0.1f, 0.1f, 10.0f}) m.add(v);
    m.add(static_cast<std::uint32_t>(ranges.size()));
    for (const float r : ranges) m.add(r);
    m.add(std::uint32_t{0});
    return m.bytes();
}
inline std::string odometry_message(int sec, double x, double yaw) {
    CdrText m;
    m.add(std::int32_t{sec}).add(std::uint32_t{0}).text("odom").text("base");
    for (const double v : {x, 2.0, 0.0, 0.0, 0.0, std::sin(yaw / 2), std::cos(yaw / 2)}) m.add(v);
    for (int i = 0; i < 36; ++i) m.add(0.0);
    return m.bytes();
}

/// Records of MCAP.
namespace mcap {

inline std::string number(std::uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i, value >>= 8) out += static_cast<char>(value & 255);
    return out;
}
inline std::string text(const std::string& t) { return number(t.size(), 4) + t; }
inline std::string record(int opcode, const std::string& content) {
    return number(static_cast<std::uint64_t>(opcode), 1) + number(content.size(), 8) + content;
}
/// `facts`: keys and values, one text after the other.
inline std::string channel(int id, const std::string& type, const std::string& encoding = "cdr",
                           const std::string& facts = "") {
    const auto n = number(static_cast<std::uint64_t>(id), 2);
    return record(3, n + text(type) + text("ros2msg") + text("...")) +
           record(4, n + n + text("/topic" + std::to_string(id)) + text(encoding) + text(facts));
}
inline std::string message(int id, std::uint64_t t, const std::string& data) {
    return record(5, number(static_cast<std::uint64_t>(id), 2) + number(0, 4) + number(t, 8) + number(t, 8) + data);
}
inline std::string packed(const std::string& records, const std::string& compression) {
    std::string out(std::max(ZSTD_compressBound(records.size()), LZ4F_compressFrameBound(records.size(), nullptr)), 0);
    if (compression == "zstd")
        out.resize(ZSTD_compress(out.data(), out.size(), records.data(), records.size(), 3));
    else if (compression == "lz4")
        out.resize(LZ4F_compressFrame(out.data(), out.size(), records.data(), records.size(), nullptr));
    else
        return records;
    return out;
}
/// `more`: how much larger it says to be than it is.
inline std::string chunk(const std::string& records, const std::string& compression, std::size_t more = 0,
                         std::uint64_t checksum = 0) {
    const std::string bytes = packed(records, compression);
    return record(6, number(0, 8) + number(9, 8) + number(records.size() + more, 8) + number(checksum, 4) +
                         text(compression) + number(bytes.size(), 8) + bytes);
}

}  // namespace mcap

/// Records of bags of ROS 1, and messages in its coding.
namespace ros1 {

using mcap::number;
using mcap::text;

/// The bytes of the values, one after the other.
inline std::string raw(auto... values) {
    std::string out;
    (out.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    return out;
}
inline std::string record(char op, const std::vector<std::string>& fields, const std::string& data) {
    std::string head = text(std::string("op=") + op);
    for (const std::string& field : fields) head += text(field);
    return text(head) + text(data);
}
inline const std::string begin = "#ROSBAG V2.0\n" + record(3, {"index_pos=" + number(0, 8)}, std::string(100, ' '));
inline std::string connection(int id, const std::string& topic, const std::string& type) {
    return record(7, {"conn=" + number(static_cast<std::uint64_t>(id), 4), "topic=" + topic},
                  text("topic=" + topic) + text("type=" + type));
}
inline std::string message(int id, const std::string& data) {
    return record(2, {"conn=" + number(static_cast<std::uint64_t>(id), 4), "time=" + number(0, 8)}, data);
}
inline std::string chunk(const std::string& records, const std::string& compression) {
    return record(5, {"compression=" + compression, "size=" + number(records.size(), 4)},
                  mcap::packed(records, compression));
}
inline std::string head(int sec, const std::string& frame) { return raw(7, sec, 500'000'000) + text(frame); }
inline std::string pose(double x) { return raw(x, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0); }

}  // namespace ros1
}  // namespace outrider
