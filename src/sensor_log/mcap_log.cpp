// MCAP, which rosbag2 and Foxglove write: each record is a byte, a length and content, little-endian. Messages lie in
// chunks, which may be compressed, or outside of chunks.
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "base/input.hpp"
#include "mcap/container.hpp"
#include "outrider/error.hpp"
#include "sensor_log/ros_messages.hpp"

namespace outrider {
namespace {

/// Reads values in order; throws Error past the end.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}
    std::string_view take(std::uint64_t n) {
        if (n > rest_.size()) fail("it ends too early");
        const std::string_view out = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return out;
    }
    template <class T>
    T number() {
        T value = 0;
        const std::string_view raw = take(sizeof(T));
        for (std::size_t i = 0; i < sizeof(T); ++i)
            value =
                static_cast<T>(value | static_cast<T>(static_cast<T>(static_cast<std::uint8_t>(raw[i])) << (8 * i)));
        return value;
    }
    std::string_view text() { return take(number<std::uint32_t>()); }
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
};

std::string unpack_zstd(std::string_view packed, std::size_t size) {
    std::string out(size, '\0');
    const std::size_t got = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
    if (ZSTD_isError(got) || got != size) fail("a chunk is damaged");
    return out;
}

}  // namespace

std::string unpack_lz4(std::string_view packed, std::size_t size) {
    LZ4F_dctx* context = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) throw std::bad_alloc();
    const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> owner(context,
                                                                                     &LZ4F_freeDecompressionContext);
    std::string out(size, '\0');
    for (std::size_t written = 0;;) {
        std::size_t more = size - written, used = packed.size();
        const std::size_t left = LZ4F_decompress(context, out.data() + written, &more, packed.data(), &used, nullptr);
        written += more;
        packed.remove_prefix(used);
        if (LZ4F_isError(left) || (left > 0 && more == 0 && used == 0)) fail("a chunk is damaged");
        if (left > 0) continue;
        if (written != size) fail("a chunk is damaged");
        return out;
    }
}

namespace {

/// Records of a chunk, decompressed.
std::string unpack_chunk(std::string_view packed, std::string_view compression, std::uint64_t size) {
    if (compression == "zstd") return unpack_zstd(packed, size);
    if (compression == "lz4") return unpack_lz4(packed, size);
    fail("its chunks are compressed by '{}'; expected zstd, lz4 or none (ros2 bag convert rewrites it)", compression);
}

struct BagMessage {
    std::uint64_t time = 0;
    const std::string *topic = nullptr, *type = nullptr;
    std::string bytes;
};

struct BagChannel {
    std::uint16_t schema = 0;
    const std::string *topic = nullptr, *encoding = nullptr;
};

struct Bag {
    Bag(const std::string& path_, std::uint64_t file_bytes, RosBag& ros_)
        : ros(ros_), path(path_), budget(path_), most_in_chunks(most_unpacked(file_bytes)) {
        budget.take(file_bytes, "the bag");
    }
    RosBag& ros;
    std::string path;
    MemoryBudget budget;
    std::uint64_t most_in_chunks, in_chunks = 0;          // bytes, unpacked
    std::set<std::string, std::less<>> names;             // of topics, types and encodings
    std::map<std::uint16_t, const std::string*> schemas;  // names of types by number
    std::map<std::uint16_t, BagChannel> channels;
    std::vector<BagMessage> messages;  // that are understood
    std::string other_encoding;        // of a channel whose messages are not
    std::string damage;                // of the first chunk that cannot be read
    std::size_t damaged = 0;

    const std::string* name(std::string_view text) { return &*names.emplace(text).first; }
    void keep(std::uint64_t time, const BagChannel& channel, std::string_view bytes) {
        const auto schema = schemas.find(channel.schema);
        const std::string* type = schema == schemas.end() ? name("") : schema->second;
        if (!RosBag::understands(*type, *channel.encoding)) return ros.pass_over(*channel.topic, *type);
        if (!ros.wants(*channel.topic, *type)) return ros.ignored();
        budget.take(2 * sizeof(BagMessage) + bytes.size(), "its messages");  // twice: while the list grows
        messages.push_back({time, channel.topic, type, std::string(bytes)});
    }
    void read_channel(Reader content) {
        const auto id = content.number<std::uint16_t>(), type = content.number<std::uint16_t>();
        const std::string_view topic = content.text(), encoding = content.text();
        if (encoding != "cdr" && encoding != "json") other_encoding = encoding;
        channels[id] = {type, name(topic), name(encoding)};
        if (content.rest().empty()) return;
        for (Reader facts(content.text()); !facts.rest().empty();) {
            const std::string_view key = facts.text(), value = facts.text();
            double range = 0;
            if (key != "max_range_m") continue;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), range);
            if (error == std::errc() && end == value.data() + value.size() && range > 0) ros.scans_reach(topic, range);
        }
    }
    void read(std::string_view records, bool in_chunk = false) {
        for (Reader in(records); !in.rest().empty();) {
            const auto opcode = static_cast<McapOpcode>(in.number<std::uint8_t>());
            Reader content(in.take(in.number<std::uint64_t>()));
            if (opcode == McapOpcode::schema) {
                const auto id = content.number<std::uint16_t>();
                schemas[id] = name(content.text());
            } else if (opcode == McapOpcode::channel) {
                read_channel(content);
            } else if (opcode == McapOpcode::message) {
                const auto of = channels.find(content.number<std::uint16_t>());
                content.number<std::uint32_t>();  // sequence
                const auto time = content.number<std::uint64_t>();
                content.number<std::uint64_t>();  // when it was published
                if (of == channels.end())
                    ros.ignored();
                else
                    keep(time, of->second, content.rest());
            } else if (opcode == McapOpcode::chunk && !in_chunk) {
                try {
                    read_chunk(content);
                } catch (const TooMuchMemory&) {
                    throw;
                } catch (const Error& e) {  // the next chunk may be whole
                    if (damaged++ == 0) damage = e.what();
                }
            }
        }
    }
    void read_chunk(Reader content) {
        content.take(8 + 8);  // times
        const auto size = content.number<std::uint64_t>();
        const auto checksum = content.number<std::uint32_t>();
        const std::string_view compression = content.text();
        std::string_view inside = content.take(content.number<std::uint64_t>());
        std::string unpacked;
        if (!compression.empty()) {
            if (size > most_unpacked(inside.size()))
                fail("a chunk of {} bytes says that it holds {}; expected {} at most", inside.size(), size,
                     most_unpacked(inside.size()));
            if (size > most_in_chunks - in_chunks)
                throw TooMuchMemory(
                    fmt::format("{}: refused: its chunks unpack to more than {} MiB, 256 times its size", path,
                                most_in_chunks / mebibyte));
            MemoryBudget(budget).take(size, "a chunk");
            inside = unpacked = unpack_chunk(inside, compression, size);
            in_chunks += size;
        }
        const auto bytes = reinterpret_cast<const Bytef*>(inside.data());
        if (checksum != 0 && crc32_z(0, bytes, inside.size()) != checksum) fail("a chunk is damaged");
        read(inside, true);
    }
};

}  // namespace

void read_mcap_into(const std::string& path, RosBag& ros) {
    constexpr std::size_t magic = mcap_magic.size();
    const std::string bytes = read_file(path, "a bag of ROS");
    Bag bag(path, bytes.size(), ros);
    try {
        if (bytes.size() < 2 * magic) fail("it ends too early");
        // A truncated bag has no second magic: reading its last record then reports the early end.
        const bool whole = bytes.ends_with(mcap_magic);
        bag.read(std::string_view(bytes).substr(magic, bytes.size() - (whole ? 2 : 1) * magic));
    } catch (const TooMuchMemory&) {
        throw;
    } catch (const Error& e) {
        if (bag.damaged++ == 0) bag.damage = e.what();
    }
    if (bag.messages.empty() && bag.damaged > 0) fail("{}: {}", path, bag.damage);
    if (bag.messages.empty() && !bag.other_encoding.empty())
        fail(
            "{}: its messages are encoded as '{}'; expected cdr, as ROS 2 writes them, or json with Foxglove's schemas",
            path, bag.other_encoding);
    std::stable_sort(bag.messages.begin(), bag.messages.end(),
                     [](const BagMessage& a, const BagMessage& b) { return a.time < b.time; });
    if (bag.damaged > 0)
        ros.note(fmt::format("the bag is damaged in {} {}, what is there is left out: {}", bag.damaged,
                             bag.damaged == 1 ? "place" : "places", bag.damage));
    for (std::size_t i = 0; i < bag.messages.size(); ++i)
        ros.take(*bag.messages[i].topic, *bag.messages[i].type, bag.messages[i].bytes, i + 1);
}

SensorLog read_mcap(const std::string& path, std::string_view robot) {
    RosBag ros(path, robot);
    read_mcap_into(path, ros);
    return ros.finish();
}

}  // namespace outrider
