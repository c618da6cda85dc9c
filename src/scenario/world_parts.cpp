#include "scenario/world_parts.hpp"

#include <algorithm>

#include "scenario/crowd.hpp"
#include "scenario/feature.hpp"
#include "scenario/glass.hpp"
#include "scenario/hazards.hpp"
#include "scenario/terrain.hpp"
#include "scenario/victims.hpp"
#include "simulator/parts/batteries.hpp"
#include "simulator/parts/damaged_words.hpp"
#include "simulator/parts/failing_robots.hpp"
#include "simulator/parts/fire_and_water.hpp"
#include "simulator/parts/glass_walls.hpp"
#include "simulator/parts/mresim.hpp"
#include "simulator/parts/people_and_bodies.hpp"
#include "simulator/parts/recognition.hpp"
#include "simulator/parts/rough_ground.hpp"
#include "simulator/parts/smoky_air.hpp"
#include "simulator/parts/speed_jitter.hpp"
#include "simulator/parts/uneven_floor.hpp"
#include "simulator/parts/victims.hpp"
#include "simulator/parts/wall_changes.hpp"

namespace outrider {
namespace {

/// What this says of each robot.
template <class Of>
auto by_robot(const Scenario& s, Of of) {
    std::vector<decltype(of(s.robots.front()))> out;
    for (const RobotEntry& r : s.robots) out.push_back(of(r));
    return out;
}

std::vector<Change> placed_changes(const Scenario& s) {
    std::vector<Change> changes = s.world_changes();
    for (Change& change : changes) {
        for (Cell& c : change.cells) c = c - s.team_origin();
        if (change.debris) change.debris->move(Cell{} - s.team_origin());
    }
    return changes;
}

std::vector<SmokeDisc> placed_smoke(const Scenario& s) {
    std::vector<SmokeDisc> smoke;
    for (const SmokeEntry& disc : s.smoke)
        smoke.push_back({Point{disc.x_m, disc.y_m} - s.team_origin_m(), disc.radius_m, disc.density});
    return smoke;
}

std::vector<Mounting> mountings(const RobotEntry& robot) {
    std::vector<Mounting> out;
    for (const SensorOptions& sensor : robot.sensors()) out.push_back({sensor.level, sensor.height_m, sensor.sweep_m});
    return out;
}

}  // namespace

std::vector<Failure> Scenario::failures() const {
    const auto fails = by_robot(*this, [](const RobotEntry& r) -> std::uint8_t { return r.role != Role::base; });
    std::vector<Failure> out = draw_failures(failure, fails, run.steps, run.step_s, run.seed);
    for (const EventEntry& e : events) {
        const auto who =
            std::find_if(robots.begin(), robots.end(), [&](const RobotEntry& r) { return r.name == e.robot; });
        out.push_back(
            {static_cast<RobotId>(who - robots.begin()), e.kind, e.step, e.until < 0 ? Failure::for_good : e.until});
    }
    return out;
}

std::shared_ptr<const HazardField> placed_hazards(const Scenario& s) {
    const auto field = hazard_field(s);
    return field ? std::make_shared<const HazardField>(field->placed(Cell{} - s.team_origin())) : nullptr;
}

WorldParts make_world_parts(const Scenario& s, const World& world) {
    WorldParts parts;
    const auto add = [&]<class Part>(Part part) { parts.push_back(std::make_unique<Part>(std::move(part))); };
    const auto any = [&](auto has) { return std::any_of(s.robots.begin(), s.robots.end(), has); };
    const std::size_t robots = s.robots.size();

    // Who moves, fails and dies; commands are limited in this order, too.
    if (auto changes = placed_changes(s); !changes.empty()) add(WallChanges(world.walls(), std::move(changes)));
    if (s.can_fail()) add(FailingRobots(s.failures(), robots));
    if (any([](const RobotEntry& r) { return r.dies_at_step >= 0; }))
        add(DyingRobots(by_robot(s, [](const RobotEntry& r) { return r.dies_at_step; })));
    if (any([](const RobotEntry& r) { return r.noise.speed_jitter > 0; })) add(SpeedJitter());
    const auto hazards = placed_hazards(s);
    if (hazards) add(FireAndWater(hazards, robots));
    if (any([](const RobotEntry& r) { return r.battery.any(); }))
        add(Batteries(by_robot(s, [](const RobotEntry& r) { return r.battery; })));

    // The air.
    if (s.mresim.links_before_move) add(LinksBeforeMove());
    if (s.comm.damages_words()) add(DamagedWords(s.comm, s.run.seed, robots));

    // Rays: what they meet, then what stands before it.
    if (const auto relief = relief_of(s)) add(UnevenFloor(relief, by_robot(s, mountings)));
    if (s.mresim.sampled_rays) add(SampledRays());
    if (const auto glass = glass_of(s)) add(GlassWalls(glass));
    if (s.crowded())
        add(PeopleAndBodies(draw_walkers(s), s.crowd.radius_m, by_robot(s, [](const RobotEntry& r) {
                                return Presence{r.body.seen, r.body.blocks};
                            })));
    if (!s.smoke.empty())
        add(SmokyAir(placed_smoke(s), by_robot(s, [](const RobotEntry& r) { return r.smoke_effects(); })));

    // What is sensed besides.
    const bool strangers = s.start.frame == StartFrame::unknown;
    if (s.sighting.range_m > 0 && (strangers || any([](const RobotEntry& r) { return r.body.seen; })))
        add(Recognition(s.sighting,
                        by_robot(s, [&](const RobotEntry& r) -> std::uint8_t { return strangers || r.body.seen; })));
    std::vector<Victim> victims = draw_victims(s);
    std::vector<Point> decoys = draw_decoys(s);
    if (!victims.empty()) add(Victims(std::move(victims), std::move(decoys), s.finding, robots));
    if (world.ground() || hazards) add(RoughGround(world.ground(), hazards, robots));
    for (const ScenarioFeature& feature : scenario_features())
        if (auto part = feature.world ? feature.world(s) : nullptr) parts.push_back(std::move(part));
    return parts;
}

}  // namespace outrider
