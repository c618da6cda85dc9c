// Builds both sides, world and robots, from a scenario.
#include <algorithm>
#include <map>

#include "base/programs.hpp"
#include "messages/operator_options.hpp"
#include "outrider/rng.hpp"
#include "robot/knowledge.hpp"
#include "robot/registry.hpp"
#include "robot/robot.hpp"
#include "robot/switch_strategy.hpp"
#include "scenario/feature.hpp"
#include "scenario/imports/mresim.hpp"
#include "scenario/placement.hpp"
#include "scenario/scenario.hpp"
#include "scenario/world_parts.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

Instrument instrument_of(SlamSeed seed) {
    switch (seed) {
        case SlamSeed::compass:
            return Instrument::compass;
        case SlamSeed::ins:
            return Instrument::ins;
        case SlamSeed::gps_ins:
            return Instrument::gps_ins;
        case SlamSeed::odometry:
        case SlamSeed::encoder:
        case SlamSeed::none:
            break;
    }
    return Instrument::wheels;
}

/// Where MRESim's image lies in the team's frame, and the number by which its robots pick cells of outlines.
void place_image(const Scenario& s, FrontierOptions& frontier) {
    const MresimFrame image(s.walls.width(), s.walls.height());
    frontier.image_corner = Cell{-static_cast<int>(image.left), image.height - 1 + static_cast<int>(image.top)} -
                            (s.start.frame == StartFrame::known ? s.team_origin() : Cell{});
    frontier.pick = Rng(s.run.seed, 0, Purpose::strategy, -1).below(1u << 31);
}

}  // namespace

std::unique_ptr<SimDriver> make_driver(const Scenario& s) {
    std::vector<Body> bodies;
    std::vector<Equipment> equipment;
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        const RobotEntry& r = s.robots[i];
        bodies.push_back({s.start_pose(i), r.body.radius_m, r.body.speed_mps, r.body.kinematics,
                          radians(r.body.turn_deg_s), true, 0, r.body.accel_mps2});
        const std::vector<SensorSpec> sensors = r.sensor_specs();
        equipment.push_back({.sensors = {sensors.begin(), sensors.end()},
                             .radio_range_m = r.radio_range_m,
                             .noise = r.noise,
                             .base = r.role == Role::base});
    }
    ScanSpacing spacing;
    if (s.slam.scans_along_path())
        spacing = {s.slam.scan_m, radians(s.slam.scan_deg)};
    else if (s.mresim.scans_along_path)
        spacing = {s.map.cell_m, 0};
    World world(Terrain::of(s.walls, Cell{} - s.team_origin()), std::move(bodies), s.run.step_s);
    world.lay(ground_of(s));
    WorldParts parts = make_world_parts(s, world);
    auto driver = std::make_unique<SimDriver>(
        std::move(world), std::move(equipment),
        SimOptions{.radio = s.radio,
                   .comm = s.comm,
                   .instrument = instrument_of(s.slam.seed),
                   .scans = spacing,
                   .orders_by_radio = s.features.get<OperatorOptions>().through == OrdersThrough::radio,
                   .seed = s.run.seed},
        std::move(parts));
    if (s.script) {
        std::vector<double> yaws;
        for (std::size_t i = 0; i < s.robots.size(); ++i) yaws.push_back(s.start_pose(i).yaw);
        driver->follow(poses_of(*s.script, s.walls.lattice(), s.team_origin(), yaws));
    }
    return driver;
}

std::shared_ptr<const Grid<std::uint8_t>> given_map(const Scenario& s) {
    if (s.slam.method != SlamMethod::localise) return nullptr;
    auto map = std::make_shared<Grid<std::uint8_t>>(s.walls);
    for (std::uint8_t& cell : map->cells()) cell = cell != 0;
    map->set_origin(Cell{} - s.team_origin());
    return map;
}

std::vector<Briefing> make_briefings(const Scenario& s) {
    Briefing common;
    common.radio = s.radio;
    common.link_bytes = s.comm.link_bytes;
    if (s.comm.medium_bytes > 0 && (common.link_bytes == 0 || s.comm.medium_bytes < common.link_bytes))
        common.link_bytes = s.comm.medium_bytes;
    common.lattice = s.walls.lattice();
    common.step_s = s.run.step_s;
    // Where poses err, what was seen last fits the present pose best: it replaces what was drawn before. Likewise where
    // the world changes.
    common.cells_change = s.slam.method != SlamMethod::known || has_part(s, "changing_walls") || s.crowded();
    common.mission_steps = s.run.steps;
    std::vector<TeamMember> members;
    std::map<std::string, RobotId> number{{"", -1}};
    for (const RobotEntry& r : s.robots) number.emplace(r.name, static_cast<RobotId>(number.size()) - 1);
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        const RobotEntry& r = s.robots[i];
        members.push_back({static_cast<RobotId>(i), r.name, r.role, number.at(r.parent), number.at(r.child),
                           r.body.speed_mps > 0, r.body.speed_mps, r.radio_range_m});
        if (r.role == Role::base) common.bases.emplace_back(static_cast<RobotId>(i), s.start_pose(i));
        common.deliveries |= traits_of(r.strategy, r.name).needs_deliveries;
    }
    for (const ScenarioFeature& feature : scenario_features())
        if (feature.brief) feature.brief(s, common);
    common.members = std::make_shared<const std::vector<TeamMember>>(std::move(members));
    std::vector<Briefing> briefings(s.robots.size(), common);
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        const RobotEntry& r = s.robots[i];
        briefings[i].self = static_cast<RobotId>(i);
        briefings[i].radius_m = r.body.radius_m;
        briefings[i].kinematics = r.body.kinematics;
        briefings[i].turn_radps = radians(r.body.turn_deg_s);
        briefings[i].sensors = r.sensor_specs();
        briefings[i].start = s.start_pose(i);
        if (!r.has_plan) briefings[i].prior_map = nullptr;
        if (s.start.frame == StartFrame::unknown) {
            briefings[i].frame = {static_cast<RobotId>(i), 0};
            const Point middle = s.walls.lattice().centre({0, 0});
            briefings[i].start = {middle.x, middle.y, 0};
            briefings[i].bases.clear();
        }
    }
    return briefings;
}

void expect_rough(const Scenario& s, RobotOptions& options, double cost) {
    if (s.plan.rough_cost == 0) options.plan.rough_cost = std::max(options.plan.rough_cost, cost);
}

RobotOptions robot_options(const Scenario& s) {
    RobotOptions options;
    options.mapping = s.mapping;
    if (s.slam.method != SlamMethod::known) options.mapping.error_cells = pose_error_cells(s.map.cell_m);
    options.frontier = s.frontier;
    options.plan = s.plan;
    if (s.plan.rough_cost == 0) options.plan.rough_cost = 1;
    for (const ScenarioFeature& feature : scenario_features())
        if (feature.robots) feature.robots(s, options);
    if (s.frontier.kind == FrontierKind::regions) place_image(s, options.frontier);
    options.mresim.replan_on_message = s.mresim.replan_on_message;
    options.mresim.no_stall_guard = s.mresim.regions;
    if (s.mresim.goal_area)
        options.mresim.goal_cells = std::count(s.walls.cells().begin(), s.walls.cells().end(), std::uint8_t{0});
    options.unknown_frames = s.start.frame == StartFrame::unknown;
    options.sighting = s.sighting;
    options.features = s.features;
    for (const ScenarioPart& part : scenario_parts())
        if (!part.given(s).empty()) options.parts.push_back(part.name);
    options.cut_mates = std::any_of(s.robots.begin(), s.robots.end(), [](const RobotEntry& r) { return r.body.seen; });
    return options;
}

namespace {

/// Whether who sets its intent sees to an operator's orders.
bool orders_pass_by(const RobotEntry& robot) {
    return strategy_name(robot.strategy) == "remote" && strategy_option(robot.strategy, "obeys", robot.name) == "false";
}

}  // namespace

std::vector<Robot> make_team(const Scenario& s, const std::vector<Briefing>& briefings, bool overlays,
                             const StrategyFactory& factory) {
    RobotOptions options = robot_options(s);
    options.overlays = overlays;
    options.slam = s.slam;
    options.given_map = given_map(s);
    options.submaps = s.keeps_submaps();
    const Briefing& first = briefings.at(0);
    if (std::all_of(briefings.begin(), briefings.end(),
                    [&](const Briefing& b) { return b.frame == first.frame && b.members == first.members; }))
        options.initial_team_table = std::make_shared<const TeamTable>(initial_team_table(first));
    const auto strategy_of = [&](std::size_t i) {
        if (s.script) return make_narrator(s.script, i, s.team_origin());
        const RobotEntry& robot = s.robots[i];
        std::unique_ptr<Strategy> own = factory ? factory(briefings[i], robot.strategy) : nullptr;
        return own ? std::move(own) : make_strategy(robot.strategy, robot.name, s.map.cell_m);
    };
    std::vector<Robot> team;
    for (std::size_t i = 0; i < briefings.size(); ++i) {
        options.features = s.features.with(s.robots[i].features);
        options.think_steps = s.robots[i].think_steps;
        options.takes_orders = takes_orders(s.robots[i]);
        if (orders_pass_by(s.robots[i]))  // so that it hears of none
            options.features.edit<OperatorOptions>().through = OrdersThrough::direct;
        team.emplace_back(briefings[i], options, strategy_of(i), s.run.seed);
    }
    return team;
}

bool takes_orders(const RobotEntry& robot) { return traits_of(robot.strategy, robot.name).takes_orders; }

void expect_programs_allowed(const Scenario& s) {
    if (s.script) return;
    for (const RobotEntry& robot : s.robots)
        if (const std::string program = program_of(robot.strategy, robot.name); !program.empty())
            expect_allowed(program,
                           fmt::format("{}: robot '{}'", robot.where.empty() ? s.name : robot.where, robot.name));
}

std::vector<Robot> make_team(const Scenario& s, bool overlays) { return make_team(s, make_briefings(s), overlays); }

}  // namespace outrider
