// outrider serve
#include <fmt/ranges.h>

#include <memory>
#include <numeric>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/live/members.hpp"
#include "cli/logged.hpp"
#include "cli/run_summary.hpp"
#include "live/operator_desk.hpp"
#include "live/rosbridge/rosbridge.hpp"
#include "live/served_world.hpp"
#include "live/usarsim/usarsim.hpp"
#include "net/visitors.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

struct ServeFlags {
    ScenarioFlags scenario;
    std::optional<std::string> robots, listen, key, orders, log_file;
    std::vector<std::string> allow_origin;
    std::optional<int> rosbridge, usarsim, usar_radio, usar_old_radio, relay, threads;
    std::optional<double> speed, patience, left;
    Defaulted<std::string> log{"poses"};
    bool lockstep = false, begin = false, json = false, force = false, quiet = false;
    void fields(Flags& f) {
        scenario.command = "serve";
        scenario.fields(f);
        f("served", robots, "NAME,...", "robots that other programs drive; otherwise all that can drive");
        f("rosbridge", rosbridge, 0, 65535, "PORT", "speak rosbridge there; 0: any free port");
        f("usarsim", usarsim, 0, 65535, "PORT", "speak USARSim there");
        f("usar-radio", usar_radio, 0, 65535, "PORT", "with --usarsim: its wireless simulation server");
        f("usar-old-radio", usar_old_radio, 0, 65535, "PORT", "with --usarsim: the older one");
        f("relay", relay, 0, 65535, "PORT",
          "carry messages of outrider robot there, as far as the scenario's radio reaches");
        f("listen", listen, "ADDRESS", "where to listen, otherwise 127.0.0.1; 0.0.0.0: for other machines, too");
        f("key", key, "FILE",
          "with --relay: let in who knows the key in this file; needed where other machines reach it");
        f("allow-origin", allow_origin, "ORIGIN",
          "let web pages of this origin take part: http://localhost:8000; may be repeated");
        f.number("speed", speed, 0.01, 1000, "", "X", "times simulated time, otherwise 1");
        f("lockstep", lockstep, "a step ends as soon as all controllers have answered");
        f.number("patience", patience, 0.01, 3600, "s", "SECONDS",
                 "begin when who listens to scans has not sent a drive command for so long, otherwise 10; with "
                 "--lockstep also wait so long for a controller that does not answer");
        f("operator", orders, "FILE",
          "orders of an operator, a JSON line each (docs/live.md); -: from the standard input, as they are typed");
        f("begin", begin, "begin at once, not when every served robot has a controller");
        f.number("left", left, 0, 86400, "s", "SECONDS",
                 "end when all controllers have been gone for so long, otherwise 10; 0: never");
        f("threads", threads, 0, 256, "N", "threads; the result is the same");
        f("log", log, "LEVEL", "what the log holds: none, metrics, poses or full").choose(log_level_names);
        f("log-file", log_file, "FILE", "where the log goes; otherwise a new name in logs/");
        f("force", force, "overwrite a log that exists");
        f("json", json, "the summary as JSON");
        f("quiet", quiet, "no notes");
    }
};

std::chrono::milliseconds milliseconds_of(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

/// Says what clients did wrong, and who came and left.
void say_complaints(ServedWorld& world, const Simulation& sim, bool quiet) {
    for (const std::string& what : world.take_complaints())
        if (!quiet) print_aside("step {}: {}\n", sim.progress().steps, what);
}

std::vector<RobotId> all_robots(const Scenario& scenario) {
    std::vector<RobotId> out(scenario.robots.size());
    std::iota(out.begin(), out.end(), 0);
    return out;
}

/// Gives the orders of the next step.
void give_orders(OperatorDesk& desk, ServedWorld& world, Simulation& sim) {
    for (OperatorOrder& order : desk.due(sim.progress().steps, world.viewers()))
        sim.command(order.robot, std::move(order.command));
}

/// Says which lines are no orders, who obeyed, and with whom there is no contact.
void say_news(OperatorDesk& desk, ServedWorld& world, Simulation& sim, bool quiet) {
    for (const std::string& what : desk.take_news(sim.progress().steps, world.viewers())) {
        sim.note(what);
        if (!quiet) print_aside("step {}: {}\n", sim.progress().steps, what);
    }
}

int serve(const ServeFlags& flags) {
    if (!flags.rosbridge && !flags.usarsim) fail("expected --rosbridge PORT or --usarsim PORT");
    for (const char* flag : {"usar-radio", "usar-old-radio"})
        if (given(flags, flag) && !flags.usarsim) fail("--{}: expected --usarsim PORT, too", flag);
    if (flags.key && !flags.relay) fail("--key: expected --relay PORT, too");
    if (flags.lockstep && flags.speed) fail("--lockstep: has no --speed");
    if (flags.patience && !flags.lockstep && flags.begin) fail("--patience: with --begin, expected --lockstep, too");
    if (flags.log.value == "none" && flags.log_file)
        fail("--log none: no log is written, so that --log-file has nothing to name");
    Notes notes;
    Scenario scenario = scenario_from(flags.scenario, notes);
    if (scenario.script) fail("{}: robots that follow a script cannot be driven", scenario.name);
    for (const std::string& note : notes)
        if (!flags.quiet) print_aside("note: {}\n", note);
    ServedOptions options;
    options.served = robots_named(scenario, flags.robots, false);
    // On the relay, programs that decide for robots hear orders themselves.
    const char* const served = flags.relay ? "remote(obeys=false)" : "remote";
    for (const RobotId robot : options.served) scenario.robots[static_cast<std::size_t>(robot)].strategy = served;
    expect_programs_allowed(scenario);
    std::optional<LiveOrders> orders;
    if (flags.orders) orders.emplace(*flags.orders, scenario, all_robots(scenario));
    options.speed = flags.lockstep ? 0 : flags.speed.value_or(1);
    options.patience = milliseconds_of(flags.patience.value_or(10));
    options.left = milliseconds_of(flags.left.value_or(10));

    const std::atomic<bool>& interrupted = catch_interrupts();
    const std::string address = flags.listen.value_or("127.0.0.1");
    const std::vector<std::string> origins = checked_origins(flags.allow_origin);
    const std::vector<Briefing> briefings = make_briefings(scenario);
    std::vector<std::unique_ptr<Gateway>> gateways;
    if (flags.rosbridge)
        gateways.push_back(
            make_ros_gateway(address, *flags.rosbridge, briefings, options.served, scenario.live, origins));
    if (flags.usarsim) {
        const UsarPorts ports{*flags.usarsim, flags.usar_radio.value_or(-1), flags.usar_old_radio.value_or(-1)};
        gateways.push_back(make_usar_gateway(address, ports, briefings, options.served, scenario.live));
    }
    std::unique_ptr<RelayServer> relay;
    if (flags.relay) {
        std::vector<std::string> names;
        for (const RobotEntry& robot : scenario.robots) names.push_back(robot.name);
        relay =
            std::make_unique<RelayServer>(RelayOptions{.address = address,
                                                       .port = *flags.relay,
                                                       .lockstep = flags.lockstep,
                                                       .key = flags.key ? read_relay_key(*flags.key) : std::string(),
                                                       .origins = origins},
                                          names);
    }

    SimulationOptions run;
    run.threads = flags.threads.value_or(0);
    run.log_level = log_level(flags.log.value);
    run.interrupted = &interrupted;
    std::optional<TakenName> log_name;
    if (flags.log.value != "none") {
        std::vector<std::string> inputs = flags.scenario.inputs();
        if (flags.orders) inputs.push_back(*flags.orders);
        if (flags.log_file) expect_distinct(flags, {"log-file"}, inputs);
        log_name.emplace(take_log_name(flags.log_file, flags.force, scenario));
        run.log_path = log_name->path();
    }
    Simulation sim(scenario, run);
    if (orders) sim.expect_orders(orders->last_step(scenario.run.steps));
    Health health(std::vector<StopWhen>{});
    sim.add_observer(health);
    std::vector<Gateway*> doors;
    for (const auto& gateway : gateways) doors.push_back(gateway.get());
    ServedWorld world(sim, doors, relay.get(), options);
    for (const Gateway* door : doors) print_aside("serving {}\n", door->place());
    if (relay) print_aside("serving {} (relay)\n", relay->url());
    if (!flags.begin) {
        print_aside(
            "waiting for a controller of each of {}: one that advertises or publishes its cmd_vel, or takes\n"
            "its place in USARSim\n",
            names_of(scenario, options.served));
        while (!interrupted && !world.without_controller().empty())
            world.wait_for_controllers(interrupted, [&] { say_complaints(world, sim, flags.quiet); });
    }
    OperatorDesk desk(scenario, all_robots(scenario));
    if (orders) desk.obey(*orders);
    sim.add_observer(desk.watch());
    for (bool goes_on = true; goes_on;) {
        give_orders(desk, world, sim);
        goes_on = world.step(interrupted);
        say_complaints(world, sim, flags.quiet);
        say_news(desk, world, sim, flags.quiet);
    }
    say_complaints(world, sim, flags.quiet);
    const EndReason reason = sim.finish();
    if (sim.progress().steps == 0) {
        print_aside("no step was done\n");
        return 130;
    }
    const auto summary = sim.metrics().summary(reason, scenario.run.steps);
    if (flags.json) {
        print_plain("{}", Lines{summary_json(sim, reason, summary, health, run.log_path)});
    } else {
        print_summary(sim, reason, summary);
        if (!run.log_path.empty()) print_plain("log                  {}\n", run.log_path);
    }
    return interrupted ? 130 : 0;
}

}  // namespace

Subcommand serve_command() {
    Subcommand command = subcommand<ServeFlags, serve>(
        {"serve",
         "A simulated world that looks like real robots: programs of others get their scans, odometry and clock, and\n"
         "drive them, by rosbridge or by the text lines of USARSim.\n",
         "[OPTION...] SCENARIO.toml"},
        "let other programs drive the robots of a scenario");
    command.waits = true;
    return command;
}

}  // namespace outrider
