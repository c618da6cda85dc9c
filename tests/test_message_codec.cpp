// Messages as bytes: what arrives is what was sent, whatever gets lost, and damaged bytes harm nobody.
#include "wire/message_codec.hpp"

#include <functional>

#include "helpers.hpp"
#include "messages/frame_news.hpp"

using namespace outrider;

namespace test_message_codec {
namespace {

/// The robots of a run as processes of their own: each message goes to each other robot as bytes, some get lost.
class Wires final : public Observer {
  public:
    Wires(const std::vector<Briefing>& briefings, double loss) : loss_(loss), briefings_(briefings) {
        for (const Briefing& b : briefings) {
            decoders_.emplace_back(b);
            merged_.emplace_back(b.lattice, b.frame, b.cells_change);
            whole_.emplace_back(b.lattice, b.frame, b.cells_change);
            auto& row = encoders_.emplace_back();
            for (std::size_t to = 0; to < briefings.size(); ++to) row.emplace_back(b, static_cast<RobotId>(to));
        }
    }
    void on_step(const StepView& view) override {
        ++step_;
        for (std::size_t from = 0; from < view.decisions.size(); ++from) {
            Message message = *view.decisions[from].outbox.at(0);
            if (change) change(message);
            for (std::size_t to = 0; to < decoders_.size(); ++to)
                if (to != from) send(message, from, to);
        }
    }
    /// A robot starts again: it knows nothing of the others' maps.
    void forget(std::size_t robot) {
        decoders_[robot] = MessageDecoder(briefings_[robot]);
        for (std::size_t to = 0; to < decoders_.size(); ++to)
            encoders_[robot][to] = MessageEncoder(briefings_[robot], static_cast<RobotId>(to));
    }

    std::function<void(Message&)> change;
    std::function<void(const Message& sent, const DecodedMessage& came)> look;
    std::string last;  ///< bytes of the last message
    int arrived = 0, without_map = 0;
    std::size_t bytes = 0, whole_bytes = 0, tiles = 0;

  private:
    void send(const Message& message, std::size_t from, std::size_t to) {
        const auto sender = static_cast<RobotId>(from), receiver = static_cast<RobotId>(to);
        last = encoders_[from][to].encode(message, decoders_[from].received(receiver));
        if (Rng(7, receiver, Purpose::message_loss, step_, static_cast<std::uint32_t>(from)).uniform() < loss_) return;
        const DecodedMessage came = decoders_[to].decode(last);
        ++arrived;
        bytes += last.size();
        compare(message, came);
        if (!came.message->payload) {
            without_map += message.payload != nullptr;
            return;
        }
        CHECK(decoders_[to].received(sender).from_other == message.self().seq);
        tiles += came.tiles.size();
        for (const TileCoord t : missing_tiles(*message.payload->map, nullptr))
            whole_bytes += tile_bytes(*message.payload->map, t);
        if (look) look(message, came);
        if (came.all_tiles || message.frame != whole_[to].frame() || message.share == Share::summary) return;
        merged_[to].merge(*came.message->payload->map, &came.tiles);
        whole_[to].merge(*message.payload->map);
        CHECK(merged_[to].snapshot().name() == whole_[to].snapshot().name());
    }
    static void compare(const Message& sent, const DecodedMessage& came) {
        const Message& m = *came.message;
        CHECK(m.from == sent.from);
        CHECK(m.to == sent.to);
        CHECK(m.frame == sent.frame);
        CHECK(m.share == sent.share);
        CHECK(m.summary_tiles == sent.summary_tiles);
        REQUIRE(m.records.size() == sent.records.size());
        for (std::size_t i = 0; i < m.records.size(); ++i) {
            CHECK(*m.records[i] == *sent.records[i]);
            CHECK(m.records.seq(i) == sent.records.seq(i));
        }
        REQUIRE((m.frames != nullptr) == (sent.frames != nullptr));
        if (m.frames) {
            CHECK(m.frames->own == sent.frames->own);
            CHECK(m.frames->relations == sent.frames->relations);
            CHECK(m.frames->bytes == sent.frames->bytes);
        }
        if (!m.payload) return;
        REQUIRE(sent.payload);
        CHECK(m.payload->map->frame == m.frame);
        CHECK(std::is_sorted(came.tiles.begin(), came.tiles.end()));
        REQUIRE((m.payload->submaps != nullptr) == (sent.payload->submaps != nullptr));
        CHECK(came.all_tiles == (m.payload->submaps != nullptr));
        if (!m.payload->submaps) {
            if (m.share == Share::all) CHECK(m.payload->map->name() == sent.payload->map->name());
            return;
        }
        for (std::size_t i = 0; i < m.records.size(); ++i) {
            const MapSnapshot* mine = m.payload->submaps->find(static_cast<RobotId>(i));
            const MapSnapshot* theirs = sent.payload->submaps->find(static_cast<RobotId>(i));
            REQUIRE((mine != nullptr) == (theirs != nullptr));
            if (mine) CHECK(mine->name() == theirs->name());
        }
        CHECK(m.payload->received_submaps.size() == m.records.size());
    }

    int step_ = 0;
    double loss_;
    const std::vector<Briefing>& briefings_;
    std::vector<MessageDecoder> decoders_;
    std::vector<std::vector<MessageEncoder>> encoders_;  // by sender and receiver
    std::vector<KnownMap> merged_, whole_;               // by receiver: what came, and all of the messages that came
};

Scenario rooms(const std::string& toml, const std::string& strategy = "", int robots = 3, int steps = 60) {
    Notes notes;
    return make_scenario(
        parse_config(fmt::format("[run]\nsteps={}\n{}\n[team]\nrobots={}\n{}", steps, toml, robots, strategy), "s"),
        "s", rooms_map(200, 160, 3), notes);
}

/// Runs a scenario and sends its messages.
struct Traffic {
    explicit Traffic(const Scenario& scenario, double loss = 0) : run(scenario, {}), wires(run.briefings(), loss) {
        run.add_observer(wires);
    }
    Simulation run;
    Wires wires;
};

}  // namespace

TEST_CASE("what arrives is what was sent, whatever gets lost") {
    for (const auto& [toml, strategy] :
         {std::pair("[comm]\nrange_m=6\nbase_range_m=6\n", ""),
          std::pair("[comm]\nrange_m=60\n", "strategy='auction'\n"), std::pair("", "strategy='role_based'\n"),
          std::pair("[comm]\nrange_m=60\ndelivery='hop'\n", ""),
          std::pair("[comm]\nlink_bytes=4000\n[noise]\nodometry_share=0.02\nrange_m=0.01\n", "")})
        for (const double loss : {0.0, 0.3, 0.9}) {
            const std::string what = std::string(toml) + strategy;
            CAPTURE(what);
            CAPTURE(loss);
            Traffic traffic(rooms(toml, strategy), loss);
            traffic.run.run();
            CHECK(traffic.wires.arrived > (loss > 0.5 ? 20 : 200));
            CHECK(traffic.wires.without_map == 0);
            if (loss < 0.5) CHECK(traffic.wires.bytes < traffic.wires.whole_bytes / 5);
        }
}

TEST_CASE("what arrives is what was sent where walls change") {
    const std::string changes = "[[change]]\nx_m=5\ny_m=2\nwidth_m=0.5\nheight_m=5\nat=10\nevery=5\n";
    for (const double loss : {0.0, 0.4}) {
        Traffic traffic(rooms(changes), loss);
        REQUIRE(traffic.run.briefings()[0].cells_change);
        int stamped = 0;
        traffic.wires.look = [&](const Message&, const DecodedMessage& came) {
            stamped += !came.message->payload->map->stamps->blocks.empty();
        };
        traffic.run.run();
        CHECK(stamped > 100);
    }
}

TEST_CASE("what arrives is what was sent where each robot has a map of its own, that may be drawn anew") {
    for (const char* toml : {"[slam]\nmethod='manifold'\n", "[start]\nframe='unknown'\n",
                             "[slam]\nmethod='manifold'\n[start]\nframe='unknown'\n[noise]\nodometry_share=0.05\n"})
        for (const double loss : {0.0, 0.4}) {
            CAPTURE(toml);
            CAPTURE(loss);
            Traffic traffic(rooms(toml, "", 3, 40), loss);
            traffic.run.run();
            CHECK(traffic.wires.arrived > 100);
            CHECK(traffic.wires.without_map == 0);
        }
}

TEST_CASE("of a map that is shared in part, the best tiles come") {
    for (const double loss : {0.0, 0.4}) {
        Traffic traffic(rooms("[comm]\nlink_bytes=1000000000\n"), loss);
        traffic.wires.change = [](Message& message) {
            message.share = Share::summary;
            message.summary_tiles = 2;
        };
        std::size_t came_tiles = 0, left = 0;
        traffic.wires.look = [&](const Message& sent, const DecodedMessage& came) {
            const MapSnapshot &map = *sent.payload->map, &here = *came.message->payload->map;
            CHECK(came.tiles.size() <= 2);
            came_tiles += came.tiles.size();
            const std::vector<TileCoord> lacking = missing_tiles(map, &here);
            left += lacking.size();
            for (const TileCoord t : came.tiles) CHECK(std::find(lacking.begin(), lacking.end(), t) == lacking.end());
            // The best ones: whatever is still missing is worth no more than what came.
            for (const TileCoord t : came.tiles)
                for (const TileCoord other : lacking) {
                    const auto& order = sent.payload->order;
                    CHECK(std::find(order.begin(), order.end(), t) < std::find(order.begin(), order.end(), other));
                }
        };
        traffic.run.run();
        CHECK(came_tiles > 100);
        CHECK(left > 100);
    }
}

TEST_CASE("messages without a map arrive as well, between others") {
    Traffic traffic(rooms(""));
    int k = 0;
    traffic.wires.change = [&](Message& message) {
        if (++k % 3 == 0) message.payload = nullptr;
        if (k % 3 == 0) message.share = Share::none;
    };
    traffic.run.run();
    CHECK(traffic.wires.without_map == 0);
    CHECK(traffic.wires.arrived > 100);
}

TEST_CASE("a robot that starts again in the middle is soon told everything, and nobody is misled") {
    for (const char* toml : {"", "[start]\nframe='unknown'\n"})
        for (const double loss : {0.0, 0.3}) {
            CAPTURE(toml);
            Traffic traffic(rooms(toml, "", 3, 40), loss);
            int last_without = 0;
            for (int step = 0; !traffic.run.done(); ++step) {
                if (step == 15) traffic.wires.forget(1);
                const int before = traffic.wires.without_map;
                traffic.run.step();
                if (traffic.wires.without_map > before) last_without = step;
            }
            CHECK(traffic.wires.without_map > 0);  // they counted on what it had known
            CHECK(last_without >= 15);
            CHECK(last_without < (loss > 0 ? 30 : 18));
        }
}

}  // namespace test_message_codec
