// outrider robot
#include <algorithm>
#include <charconv>
#include <memory>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/live/members.hpp"
#include "cli/logged.hpp"
#include "cli/run_summary.hpp"
#include "live/live_run.hpp"
#include "live/rosbridge/rosbridge.hpp"
#include "live/usarsim/usarsim.hpp"
#include "messages/operator_options.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

struct RobotFlags {
    std::optional<std::string> config, connect, relay, key, robots, strategy, orders, log_file;
    std::optional<std::int64_t> seed;
    std::optional<int> steps;
    std::optional<double> room, give_up;
    std::vector<std::string> set;
    Defaulted<std::string> log{"full"};
    bool force = false, quiet = false;
    void fields(Flags& f) {
        f.positional("config", config);
        f("connect", connect, "URL",
          "the robot: ws://HOST:PORT speaks rosbridge, usarsim://HOST:PORT USARSim's lines; {} stands for the robot's "
          "name");
        f("relay", relay, "URL", "messages travel over this relay (outrider radio, or outrider serve --relay)")
            .only_once("one relay for the whole team and its operator");
        f("key", key, "FILE", "what the relay asks for: the same file as there");
        f("robots", robots, "NAME,...",
          "of the team, those that this process decides for; otherwise the only one that "
          "can drive");
        f("strategy", strategy, "\"name(option=value)\"", "what they do; otherwise what the file says");
        f("operator", orders, "FILE",
          "orders of an operator, a JSON line each (docs/live.md); -: from the standard input, as they are typed");
        f("seed", seed, std::int64_t{0}, INT64_MAX, "N", "seed of random choices");
        f("steps", steps, 1, 100'000'000, "N", "steps of the mission");
        f.number("room", room, 1, 10000, "m", "M",
                 "the log of a file without a map shows a square of so many metres, otherwise 60");
        f.number("give-up", give_up, 0, 86400, "s", "SECONDS",
                 "end when the robot was not reached for so long, otherwise 60; 0: never");
        f("set", set, "key=value", "an option of the file: live.scan=/scan, slam.method=scan_match; may be repeated");
        f("log", log, "LEVEL", "what the log holds: none, metrics, poses or full").choose(log_level_names);
        f("log-file", log_file, "FILE", "where the log goes; otherwise a new name in logs/");
        allow_external(f);
        f("force", force, "overwrite a log that exists");
        f("quiet", quiet, "no notes");
    }
};

/// The body of a robot at an address.
std::unique_ptr<Vehicle> vehicle_at(std::string url, const Briefing& briefing, const LiveSection& options) {
    if (const std::size_t at = url.find("{}"); at != std::string::npos) url.replace(at, 2, briefing.me().name);
    if (url.starts_with("ws://")) return make_ros_vehicle(url, briefing, options);
    constexpr std::string_view usarsim = "usarsim://";
    const std::size_t colon = url.rfind(':');
    int port = 0;
    if (!url.starts_with(usarsim) || colon < usarsim.size() ||
        std::from_chars(url.data() + colon + 1, url.data() + url.size(), port).ptr != url.data() + url.size() ||
        port < 1 || port > 65535)
        fail("--connect {}: expected ws://HOST:PORT or usarsim://HOST:PORT", url);
    return make_usar_vehicle(url.substr(usarsim.size(), colon - usarsim.size()), port, briefing, options);
}

Scenario mission_of(const RobotFlags& flags) {
    if (!flags.config) fail("expected a file: outrider robot CONFIG.toml --connect URL");
    std::vector<Setting> settings = settings_of(flags.set);
    const auto set = [&](const char* key, decltype(Setting::value) value, const char* where) {
        settings.push_back({key, std::move(value), where});
    };
    if (flags.seed) set("run.seed", *flags.seed, "--seed");
    if (flags.steps) set("run.steps", std::int64_t{*flags.steps}, "--steps");
    if (flags.strategy) {
        allow_typed(*flags.strategy, "--strategy");
        set("team.strategy", *flags.strategy, "--strategy");
    }
    Notes notes;
    Scenario scenario = live_scenario(*flags.config, settings, flags.room.value_or(60), notes);
    for (const std::string& note : notes)
        if (!flags.quiet) print_aside("note: {}\n", note);
    expect_programs_allowed(scenario);
    return scenario;
}

/// The orders that this process gives: by radio those of the base station to all, otherwise those to its own robots.
std::optional<LiveOrders> orders_of(const RobotFlags& flags, const Scenario& scenario,
                                    const std::vector<RobotId>& members) {
    if (!flags.orders) return {};
    const bool by_radio = scenario.features.get<OperatorOptions>().through == OrdersThrough::radio &&
                          scenario.robots.front().role == Role::base;
    if (by_radio && std::find(members.begin(), members.end(), 0) == members.end())
        fail("--operator: orders are given at the base station {}; this process decides for {}",
             scenario.robots.front().name, names_of(scenario, members));
    std::vector<RobotId> reached = members;
    for (RobotId robot = 0; by_radio && robot < static_cast<RobotId>(scenario.robots.size()); ++robot)
        reached.push_back(robot);
    return LiveOrders(*flags.orders, scenario, std::move(reached));
}

int drive_robots(const RobotFlags& flags) {
    const Scenario scenario = mission_of(flags);
    const std::vector<RobotId> robots = robots_named(scenario, flags.robots, true);
    if (robots.size() > 1 && !flags.robots)
        fail("{}: has several robots; expected --robots with those of this process ({})", *flags.config,
             names_of(scenario, robots));
    if (flags.log.value == "none" && flags.log_file)
        fail("--log none: no log is written, so that --log-file has nothing to name");
    const std::vector<Briefing> briefings = make_briefings(scenario);
    const std::atomic<bool>& interrupted = catch_interrupts();
    std::vector<LiveMember> members;
    for (const RobotId robot : robots) {
        const Briefing& briefing = briefings[static_cast<std::size_t>(robot)];
        LiveMember member;
        member.robot = robot;
        member.odometry_share = scenario.robots[static_cast<std::size_t>(robot)].noise.odometry_share;
        if (briefing.drives()) {
            if (!flags.connect) fail("expected --connect URL, the address of the robot");
            member.vehicle = vehicle_at(*flags.connect, briefing, scenario.live);
        }
        members.push_back(std::move(member));
    }
    if (flags.relay && !flags.relay->starts_with("ws://")) fail("--relay {}: expected ws://HOST:PORT", *flags.relay);
    if (flags.key && !flags.relay) fail("--key: expected --relay URL, too");
    const RelayAccess relay{flags.relay.value_or(""), flags.key ? read_relay_key(*flags.key) : std::string()};
    std::optional<LiveOrders> orders = orders_of(flags, scenario, robots);
    std::optional<TakenName> log_name;
    if (flags.log.value != "none") {
        if (flags.log_file) expect_distinct(flags, {"log-file"}, {*flags.config, flags.orders.value_or("")});
        log_name.emplace(take_log_name(flags.log_file, flags.force, scenario));
    }
    const std::string log_path = log_name ? log_name->path() : "";
    const double give_up_s = flags.give_up.value_or(60);
    LiveRun run(scenario, briefings, std::move(members), relay, std::chrono::duration<double>(give_up_s), log_path,
                log_level(flags.log.value), interrupted);
    if (orders) run.obey(*orders);
    std::optional<EndReason> end;
    while (!end) {
        end = run.step();
        for (const std::string& what : run.take_complaints())
            if (!flags.quiet) print_aside("step {}: {}\n", run.progress().steps, what);
    }
    if (run.gave_up()) print_aside("gave up: no robot was reached for {} s\n", give_up_s);
    if (*end == EndReason::log_ended) end = EndReason::interrupted;  // nothing was left to sense
    run.finish(*end);
    print_plain("{}: {} steps, {}\n", names_of(scenario, robots), run.progress().steps,
                end_reason_texts[static_cast<std::size_t>(*end)]);
    for (const RobotId robot : robots) {
        std::int64_t known = 0;
        const KnownMap& map = run.team()[static_cast<std::size_t>(robot)].map();
        map.cells().for_each([&](TileCoord, const CellTile& tile) { known += tile.known.count(); });
        const double cell_m = map.lattice().cell_m;
        print_plain("{} knows {:.1f} m2\n", scenario.robots[static_cast<std::size_t>(robot)].name,
                    static_cast<double>(known) * cell_m * cell_m);
    }
    if (!log_path.empty()) print_plain("log {}\n", log_path);
    return interrupted ? 130 : run.gave_up() ? 1 : 0;
}

}  // namespace

Subcommand robot_command() {
    Subcommand command = subcommand<RobotFlags, drive_robots>(
        {"robot",
         "Decide for a robot that is not simulated here: it is reached by rosbridge or by USARSim's lines. The file\n"
         "describes the team as a scenario does; it needs no map.\n",
         "CONFIG.toml --connect URL [OPTION...]"},
        "decide for a real robot, or one of another simulator");
    command.waits = true;
    return command;
}

}  // namespace outrider
