// rosbag2 with SQLite storage.
#include "base/sqlite.hpp"
#include "outrider/error.hpp"
#include "sensor_log/ros_messages.hpp"

namespace outrider {

void read_rosbag2_into(const std::string& path, RosBag& bag) {
    try {
        Database db(path, Database::Mode::read);
        db.expect_tables({{"topics", "id name type"}, {"messages", "id topic_id timestamp data"}},
                         "a rosbag2, which has the tables topics and messages");
        Statement messages = db.prepare(
            "SELECT topics.name, topics.type, messages.data FROM messages JOIN topics ON topics.id = messages.topic_id "
            "ORDER BY messages.timestamp, messages.id");
        for (std::size_t number = 1; messages.step(); ++number)
            bag.take(messages.bytes(0), messages.bytes(1), messages.bytes(2), number);
    } catch (const RunFailure& e) {
        fail("{}; expected a rosbag2 with the tables topics and messages", e.what());
    }
}

SensorLog read_rosbag2(const std::string& path, std::string_view robot) {
    RosBag bag(path, robot);
    read_rosbag2_into(path, bag);
    return bag.finish();
}

}  // namespace outrider
