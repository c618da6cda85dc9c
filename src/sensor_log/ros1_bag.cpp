// Bags of ROS 1 (version 2.0): records of a head, whose fields are NAME=VALUE, and data, each after its length.
// Messages lie in chunks, which may be compressed.
#include <map>

#include "base/input.hpp"
#include "outrider/error.hpp"
#include "sensor_log/ros_messages.hpp"

namespace outrider {
namespace {

constexpr std::string_view ros1_magic = "#ROSBAG V2.0\n";

std::uint32_t take_number(std::string_view& from) {
    if (from.size() < 4) fail("it ends too early");
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<std::uint8_t>(from[i])} << (8 * i);
    from.remove_prefix(4);
    return value;
}

std::string_view take_sized(std::string_view& from) {
    const std::uint32_t n = take_number(from);
    if (n > from.size()) fail("it ends too early");
    const std::string_view out = from.substr(0, n);
    from.remove_prefix(n);
    return out;
}

/// The value of a field of a head. Throws Error.
std::string_view field_of(std::string_view head, std::string_view name) {
    while (!head.empty()) {
        const std::string_view field = take_sized(head);
        if (field.size() > name.size() && field.starts_with(name) && field[name.size()] == '=')
            return field.substr(name.size() + 1);
    }
    fail("a record without the field {}", name);
}

std::uint32_t number_of(std::string_view head, std::string_view name) {
    std::string_view value = field_of(head, name);
    return take_number(value);
}

struct Ros1Bag {
    struct Connection {
        std::string topic, type;
    };
    RosBag& ros;
    std::string path;
    MemoryBudget budget;
    std::uint64_t most_in_chunks, in_chunks = 0;  // bytes, unpacked
    std::map<std::uint32_t, Connection> connections = {};
    std::size_t messages = 0, damaged = 0;
    std::string damage = {};  // of the first record that cannot be read

    void note_damage(const Error& e) {
        if (damaged++ == 0) damage = e.what();
    }
    void read(std::string_view records, bool in_chunk) {
        constexpr char message = 2, chunk = 5, connection = 7;
        while (!records.empty()) {
            const std::string_view head = take_sized(records), data = take_sized(records);
            const std::string_view op = field_of(head, "op");
            if (op.size() != 1) fail("a record of no kind");
            if (op[0] == connection) {
                Connection& of = connections[number_of(head, "conn")];
                budget.take(sizeof(of) + head.size() + data.size(), "its topics");
                of = {std::string(field_of(head, "topic")), std::string(field_of(data, "type"))};
            } else if (op[0] == message) {
                const auto of = connections.find(number_of(head, "conn"));
                ++messages;
                if (of == connections.end())
                    ros.ignored();
                else
                    ros.take(of->second.topic, of->second.type, data, messages);
            } else if (op[0] == chunk && !in_chunk) {
                try {
                    read_chunk(head, data);
                } catch (const TooMuchMemory&) {
                    throw;
                } catch (const Error& e) {  // the next chunk may be whole
                    note_damage(e);
                }
            }
        }
    }
    void read_chunk(std::string_view head, std::string_view data) {
        const std::string_view compression = field_of(head, "compression");
        if (compression == "none") return read(data, true);
        if (compression != "lz4")
            fail("its chunks are compressed by '{}'; expected lz4 or none (rosbag decompress rewrites it)",
                 compression);
        const std::uint32_t size = number_of(head, "size");
        if (size > most_unpacked(data.size())) fail("a chunk of {} bytes says that it holds {}", data.size(), size);
        if (size > most_in_chunks - in_chunks)
            throw TooMuchMemory(
                fmt::format("{}: refused: its chunks unpack to more than {} MiB", path, most_in_chunks / mebibyte));
        MemoryBudget(budget).take(size, "a chunk");
        in_chunks += size;
        read(unpack_lz4(data, size), true);
    }
};

}  // namespace

bool is_ros1_bag(std::string_view beginning) { return beginning.starts_with(ros1_magic); }

SensorLog read_ros1_bag(const std::string& path, std::string_view robot) {
    const std::string bytes = read_file(path, "a bag of ROS 1");
    if (!is_ros1_bag(bytes)) fail("{}: expected a bag of ROS 1 of version 2.0", path);
    RosBag ros(path, robot);
    Ros1Bag bag{ros, path, MemoryBudget(path), most_unpacked(bytes.size())};
    bag.budget.take(bytes.size(), "the bag");
    try {
        bag.read(std::string_view(bytes).substr(ros1_magic.size()), false);
    } catch (const TooMuchMemory&) {
        throw;
    } catch (const Error& e) {
        bag.note_damage(e);
    }
    if (bag.messages == 0 && bag.damaged > 0)
        fail("{}: a bag of ROS 1, of which nothing can be read: {}", path, bag.damage);
    if (bag.damaged > 0)
        ros.note(fmt::format("the bag is damaged in {} {}, what is there is left out: {}", bag.damaged,
                             bag.damaged == 1 ? "place" : "places", bag.damage));
    return ros.finish();
}

}  // namespace outrider
