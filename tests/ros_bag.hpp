// Bags of ROS 2 as other programs write them, for tests and seeds.
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
}  // namespace outrider
