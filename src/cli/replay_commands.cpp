// rerun, why, replay: what a log can tell by running it again.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include <fmt/ranges.h>

#include "base/output.hpp"
#include "base/version.hpp"
#include "cli/arguments.hpp"
#include "run/belief_picture.hpp"
#include "run/picture.hpp"
#include "run/rerun.hpp"

namespace outrider {
namespace {

/// A log that is run again, as far as it goes.
struct Again {
    LogReader log;
    LogSteps steps;
    Scenario scenario;

    explicit Again(const std::string& file) : log(file), steps(log.steps()), scenario(log.scenario()) {
        for (const std::string& damaged : steps.damaged) fmt::print(stderr, "note: damaged: {}\n", damaged);
        if (!finished())
            fmt::print(stderr, "note: the run was cut off; the log ends with step {}\n",
                       steps.steps.empty() ? -1 : steps.steps.back());
    }
    bool finished() const { return log.meta().contains("end_reason"); }
    int length() const { return steps.steps.empty() ? 0 : steps.steps.back() + 1; }
    /// In the frame of the map: metres from its lower left corner.
    Point on_map(Point team) const {
        const Cell origin = scenario.team_origin();
        const double cell = scenario.walls.lattice().cell_m;
        return team + Point{origin.x * cell, origin.y * cell};
    }
    RobotId robot(const std::string& name) const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < scenario.robots.size(); ++i) {
            if (scenario.robots[i].name == name || std::to_string(i) == name) return static_cast<RobotId>(i);
            names.push_back(scenario.robots[i].name);
        }
        fail("--robot {}: nobody is called so; the team: {}", name, fmt::join(names, ", "));
    }
};

std::string shown(Point p) { return fmt::format("({:.2f}, {:.2f}) m", p.x, p.y); }

/// Says whether the run was the same; the exit code.
int report(const HashCheck& check, const Again& again) {
    if (!check.divergence()) {
        fmt::print("the same in all {} steps that the log holds\n", check.compared());
        return 0;
    }
    const Divergence& d = *check.divergence();
    fmt::print(
        "DIVERGED at step {}, {}: this program ({}) decides otherwise than the one that wrote the log ({})\n", d.step,
        d.robot < 0 ? "some robot" : "robot '" + again.scenario.robots[static_cast<std::size_t>(d.robot)].name + "'",
        std::string(source_id()), again.log.meta().at("source"));
    return 1;
}

std::optional<cxxopts::ParseResult> parse(cxxopts::Options& options, const Arguments& arguments) {
    options.add_options()("log", "", cxxopts::value<std::string>());
    options.parse_positional({"log"});
    options.positional_help("LOG");
    auto result = parse_arguments(options, arguments);
    if (result && !result->count("log")) fail("expected {} LOG", options.program());
    return result;
}

/// Tells what a robot knew and why it decided as it did, at one step.
class Witness final : public Observer {
  public:
    Witness(const Again& again, const Simulation& sim, RobotId robot, int step, const std::string& png, bool force)
        : again_(again), sim_(sim), robot_(robot), step_(step), png_(png), force_(force) {}
    void on_step(const StepView& view) override {
        if (view.step != step_) return;
        seen_ = true;
        const auto i = static_cast<std::size_t>(robot_);
        const Belief& belief = view.team[i].belief();
        const Decision& decision = view.decisions[i];
        const RobotEntry& entry = again_.scenario.robots[i];
        const double cell = belief.map().lattice().cell_m;
        fmt::print("{}: step {}, {} ({}, {})\n", again_.scenario.name, step_, entry.name,
                   role_names[static_cast<std::size_t>(belief.latest(robot_).role)], entry.strategy);
        if (!view.percepts[i].alive) {
            fmt::print("  out of service\n");
            return;
        }
        fmt::print("  stands at {}, heading {:.0f} deg{}\n", shown(again_.on_map(belief.pose().position())),
                   degrees(belief.pose().yaw), view.percepts[i].bumped ? ", stopped by a wall" : "");
        fmt::print("  knows {:.1f} m2 of free space; its own scan last told it something new {}\n",
                   static_cast<double>(belief.map().count(false)) * cell * cell,
                   belief.last_discovery() < 0 ? "never" : fmt::format("at step {}", belief.last_discovery()));
        print_team(belief);
        print_reasons(decision, belief);
        print_decision(decision, belief);
        if (!png_.empty()) {
            OutputFile file(png_, force_);
            file.write(encode_png(
                draw_belief(view.team[i], decision, sim_.driver().world().walls(),
                            fmt::format("{}: what {} knows at step {}", again_.scenario.name, entry.name, step_))));
            file.commit();
            fmt::print("  picture {}\n", png_);
        }
    }
    bool seen() const { return seen_; }

  private:
    void print_team(const Belief& belief) const {
        for (const auto& mate : belief.team()) {
            if (mate->robot == robot_) continue;
            const TeamMember& member = belief.briefing().team()[static_cast<std::size_t>(mate->robot)];
            if (mate->seq == 0)
                fmt::print("  {:<10} never heard of\n", member.name);
            else
                fmt::print("  {:<10} {}; was at {}{}\n", member.name,
                           belief.in_contact(mate->robot) ? "in contact" : fmt::format("news of step {}", mate->step),
                           shown(again_.on_map(mate->pose.position())),
                           mate->goal ? ", going to " + shown(again_.on_map(*mate->goal)) : "");
        }
    }
    void print_reasons(const Decision& decision, const Belief& belief) const {
        const auto& goal = belief.latest(robot_).goal;
        for (const Overlay& o : decision.overlays) {
            if (o.kind == Overlay::Kind::text) {
                fmt::print("  {}: {}\n", o.layer, o.text);
                continue;
            }
            fmt::print("  {} ({}):\n", o.layer, o.text.empty() ? fmt::format("{} points", o.points.size()) : o.text);
            for (std::size_t k = 0; k < o.points.size(); ++k)
                fmt::print("    {:<24}{}{}\n", shown(again_.on_map(o.points[k])),
                           k < o.values.size() ? fmt::format("{:>14.6g}", o.values[k]) : "",
                           goal && distance(*goal, o.points[k]) < 1e-6 ? "   <- its goal" : "");
        }
        if (decision.overlays.empty()) fmt::print("  its strategy shows no reasons\n");
    }
    void print_decision(const Decision& decision, const Belief& belief) const {
        const auto& goal = belief.latest(robot_).goal;
        if (decision.done) fmt::print("  done: nothing is left to do, as far as it knows\n");
        if (goal) {
            const Path& path = belief.path_to(belief.map().lattice().cell_of(*goal));
            fmt::print("  goes to {}{}\n", shown(again_.on_map(*goal)),
                       path ? fmt::format(", {:.2f} m away", path.length_cells() * belief.map().lattice().cell_m)
                            : std::string(", to which it knows no way"));
        }
        if (decision.command.path_body.empty()) {
            fmt::print("  stays{}\n",
                       decision.command.final_heading
                           ? fmt::format(", turns by {:.0f} deg", degrees(*decision.command.final_heading))
                           : std::string());
            return;
        }
        const Point to = transform(belief.pose(), decision.command.path_body.back());
        fmt::print("  drives towards {} at {:.2f} m/s\n", shown(again_.on_map(to)), decision.command.speed_mps);
    }

    const Again& again_;
    const Simulation& sim_;
    RobotId robot_;
    int step_;
    std::string png_;
    bool force_, seen_ = false;
};

/// A picture of every so many steps.
class Frames final : public Observer {
  public:
    Frames(const Simulation& sim, const TrackRecorder& tracks, std::string folder, int from, int to, int every,
           bool force)
        : sim_(sim), tracks_(tracks), folder_(std::move(folder)), from_(from), to_(to), every_(every), force_(force) {}
    void on_step(const StepView& view) override {
        if (view.step < from_ || view.step > to_ || (view.step - from_) % every_ != 0) return;
        const StepMetrics& row = sim_.metrics().steps().back();
        OutputFile file(fmt::format("{}/{:06}.png", folder_, view.step), force_);
        file.write(
            encode_png(draw_run(sim_, tracks_.tracks(),
                                fmt::format("{}: step {}, team knows {:.1f} %, base {:.1f} %", sim_.scenario().name,
                                            view.step, 100 * row.team_share, 100 * row.base_share))));
        file.commit();
        ++count_;
    }
    int count() const { return count_; }

  private:
    const Simulation& sim_;
    const TrackRecorder& tracks_;
    std::string folder_;
    int from_, to_, every_;
    bool force_;
    int count_ = 0;
};

}  // namespace

int rerun_command(const Arguments& arguments) {
    cxxopts::Options options(
        "outrider rerun", "Run a log's scenario again and compare every step with the log: 0 the same, 1 diverged.\n");
    options.add_options()("threads", "threads; the result is the same", cxxopts::value<std::string>(), "N")(
        "log-file", "write a log of the new run", cxxopts::value<std::string>(), "FILE")("force",
                                                                                         "overwrite a log that exists");
    const auto result = parse(options, arguments);
    if (!result) return 0;
    const Again again((*result)["log"].as<std::string>());
    SimulationOptions sim_options;
    sim_options.threads = static_cast<int>(whole_number(*result, "threads", 0, 256).value_or(0));
    sim_options.stop_after = again.length();
    expect_distinct(*result, {"log-file"}, {(*result)["log"].as<std::string>()});
    if (result->count("log-file")) {
        sim_options.log_path = (*result)["log-file"].as<std::string>();
        prepare_database(sim_options.log_path, result->count("force") > 0);
    }
    Simulation sim(again.scenario, sim_options);
    HashCheck check(again.steps);
    sim.add_observer(check);
    sim.run();
    return report(check, again);
}

int why_command(const Arguments& arguments) {
    cxxopts::Options options(
        "outrider why",
        "Why a robot did what it did: what it knew at a step, its candidates with their values, the rule "
        "that fired, its way. Runs the log again up to there.\n");
    options.add_options()("robot", "name or number", cxxopts::value<std::string>(), "R")(
        "step", "step", cxxopts::value<std::string>(), "N")("png", "draw what it knew", cxxopts::value<std::string>(),
                                                            "FILE")("force", "overwrite a picture that exists");
    const auto result = parse(options, arguments);
    if (!result) return 0;
    if (!result->count("robot") || !result->count("step")) fail("expected outrider why LOG --robot R --step N");
    Again again((*result)["log"].as<std::string>());
    const RobotId robot = again.robot((*result)["robot"].as<std::string>());
    const auto step = static_cast<int>(*whole_number(*result, "step", 0, std::max(0, again.length() - 1)));
    expect_distinct(*result, {"png"}, {(*result)["log"].as<std::string>()});
    const std::string png = result->count("png") ? (*result)["png"].as<std::string>() : std::string();
    if (!png.empty()) OutputFile(png, result->count("force") > 0);

    SimulationOptions sim_options;
    sim_options.stop_after = step + 1;
    sim_options.overlays = true;
    Simulation sim(again.scenario, sim_options);
    HashCheck check(again.steps);
    Witness witness(again, sim, robot, step, png, result->count("force") > 0);
    sim.add_observer(check);
    sim.add_observer(witness);
    sim.run();
    return check.divergence() ? report(check, again) : 0;
}

int replay_command(const Arguments& arguments) {
    cxxopts::Options options(
        "outrider replay",
        "Replay a log: its events in order, or pictures of its steps. Runs it again and says where it "
        "diverges, if it does.\n");
    options.add_options()("from", "first step", cxxopts::value<std::string>(), "N")(
        "to", "last step", cxxopts::value<std::string>(), "N")("every", "a picture of every so many steps",
                                                               cxxopts::value<std::string>(), "N")(
        "png", "write pictures 000000.png, ... into this folder", cxxopts::value<std::string>(), "DIR")(
        "force", "overwrite pictures that exist");
    const auto result = parse(options, arguments);
    if (!result) return 0;
    Again again((*result)["log"].as<std::string>());
    const auto number = [&](const char* option, int otherwise, int low) {
        return static_cast<int>(whole_number(*result, option, low, INT32_MAX).value_or(otherwise));
    };
    const int from = number("from", 0, 0), to = number("to", std::max(0, again.length() - 1), 0),
              every = number("every", 10, 1);
    if (from > to) fail("--from {} is behind --to {}", from, to);
    SimulationOptions sim_options;
    sim_options.stop_after = std::min(again.length(), to + 1);
    Simulation sim(again.scenario, sim_options);
    HashCheck check(again.steps);
    TrackRecorder tracks(sim.driver());
    std::optional<Frames> frames;
    sim.add_observer(check);
    if (result->count("png")) {
        const auto folder = (*result)["png"].as<std::string>();
        sim.add_observer(tracks);
        sim.add_observer(frames.emplace(sim, tracks, folder, from, to, every, result->count("force") > 0));
        prepare_output(folder + "/000000.png", true);
    }
    sim.run();
    if (frames)
        fmt::print("{} pictures in {}\n", frames->count(), (*result)["png"].as<std::string>());
    else
        for (const LogReader::Event& e : again.log.events())
            if (e.step >= from && e.step <= to)
                fmt::print("step {:>6}  {:<12}{:<10}{}\n", e.step, e.kind,
                           e.robot < 0 ? "" : again.scenario.robots[static_cast<std::size_t>(e.robot)].name,
                           e.json == "{}" ? "" : e.json);
    return report(check, again);
}

}  // namespace outrider
