// Parts of the world: when the simulator calls them, and what they can do.
#include <algorithm>

#include "helpers.hpp"
#include "scenario/world_parts.hpp"
#include "simulator/parts/mresim.hpp"
#include "simulator/parts/speed_jitter.hpp"

using namespace outrider;

namespace test_world_parts {
namespace {

/// Writes down its calls; shortens every ray to two cells, loses the first beam, and lets robots wait in step 1.
class Recorder final : public WorldPart {
  public:
    explicit Recorder(std::vector<std::string>& calls) : calls_(calls) {}
    void begin(WorldState&) override { calls_.emplace_back("begin"); }
    void on_air(const WorldState&, std::span<Transceiver> radios, std::span<const Outbox> sent) override {
        calls_.emplace_back("on_air");
        CHECK(radios.size() == sent.size());
    }
    void delivered(const WorldState&, const Medium::Exchange&) override { calls_.emplace_back("delivered"); }
    void adjust(const WorldState&, const Rays&, std::span<double> lengths) const override {
        calls_.emplace_back("adjust");
        std::fill(lengths.begin(), lengths.end(), 2);
    }
    void dim(const WorldState&, const Rays&, std::span<const double>, std::span<double>,
             std::span<std::uint8_t> lost) const override {
        calls_.emplace_back("dim");
        lost[0] = 1;
    }
    void sense(const WorldState&, RobotId, Percept&) override { calls_.emplace_back("sense"); }
    bool limit(const WorldState& state, RobotId, Command&) const override {
        calls_.emplace_back("limit");
        return state.step == 1;
    }

  private:
    std::vector<std::string>& calls_;
};

SimDriver driver_with(WorldParts parts) {
    World world(text_map({"##########", "#........#", "#........#", "##########"}), {{.pose = {0.25, 0.15, 0}}}, 1);
    SensorSpec sensor;
    sensor.step_angle = 0.1;
    sensor.beams = 5;
    sensor.max_range_m = 3;
    std::vector<Equipment> equipment(1);
    equipment[0].sensors.emplace_back(sensor);
    return {std::move(world), std::move(equipment), {}, std::move(parts)};
}

TEST_CASE("a part of the world is called phase by phase, shortens beams and holds robots up") {
    std::vector<std::string> calls;
    WorldParts parts;
    parts.push_back(std::make_unique<Recorder>(calls));
    SimDriver driver = driver_with(std::move(parts));
    std::vector<Percept> percepts(1);
    std::vector<Decision> decisions(1);
    decisions[0].command = {{{0.3, 0}}, {}, 0.1};
    REQUIRE(driver.sense(percepts));
    driver.act(decisions);
    CHECK(calls == std::vector<std::string>{"begin", "on_air", "delivered", "adjust", "dim", "sense", "limit"});
    const std::vector<std::uint16_t>& ranges = percepts[0].scans.at(0).ranges;
    CHECK(ranges[0] == Scan::no_information);
    CHECK(std::all_of(ranges.begin() + 1, ranges.end(), [&](std::uint16_t r) { return r == ranges[1]; }));
    CHECK(ranges[1] == 200);
    CHECK(driver.last_move(0).delta.x == doctest::Approx(0.1));
    CHECK_FALSE(driver.last_move(0).bumped);
    REQUIRE(driver.sense(percepts));
    driver.act(decisions);
    CHECK(driver.last_move(0).delta == Pose{});
    CHECK(driver.last_move(0).bumped);
}

TEST_CASE("a part is found by its type, and a world without parts has none") {
    std::vector<std::string> calls;
    WorldParts parts;
    parts.push_back(std::make_unique<SpeedJitter>());
    parts.push_back(std::make_unique<Recorder>(calls));
    const auto* second = parts.back().get();
    const SimDriver driver = driver_with(std::move(parts));
    CHECK(driver.part<Recorder>() == second);
    CHECK(driver.part<SpeedJitter>());
    CHECK_FALSE(driver.part<SampledRays>());
    CHECK_FALSE(driver_with({}).part<Recorder>());
}

TEST_CASE("a scenario has only the parts that it asks for") {
    const std::vector<std::string> rows{"##########", "#B.1.....#", "#........#", "##########"};
    const auto parts = [&](const std::string& toml) {
        const Scenario s = text_scenario(rows, toml);
        const World world(s.walls, {}, 1);
        return make_world_parts(s, world).size();
    };
    CHECK(parts("") == 0);
    CHECK(parts("[battery]\nwh = 1") == 1);
    CHECK(parts("[failure]\nrate_per_hour = 1\n[comm]\nword_noise = 0.1\n[noise]\nspeed_jitter = 0.1") == 3);
}

}  // namespace
}  // namespace test_world_parts
