// outrider why
#include <cstdio>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/logged.hpp"
#include "log/replay.hpp"
#include "messages/ranked_points.hpp"
#include "metrics/health.hpp"
#include "outrider/error.hpp"
#include "pictures/belief_picture.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

std::string shown(Point p) { return fmt::format("({:.2f}, {:.2f}) m", p.x, p.y); }

/// Prints what a robot knew and why it decided as it did, at one step.
class Witness final : public Observer {
  public:
    Witness(const Logged& logged, RobotId robot, int step, const std::string& png, bool force)
        : logged_(logged), robot_(robot), step_(step), png_(png), force_(force) {}
    void on_step(const StepView& view) override {
        health_.on_step(view);
        if (view.step == step_) tell(view);
    }
    /// Steps before it, of which nothing is told but how the robot did.
    void look_back(const StepView& view) { health_.on_step(view); }
    void begin_anew() { health_ = Health(); }

  private:
    void tell(const StepView& view) const {
        const auto i = static_cast<std::size_t>(robot_);
        const Belief& belief = view.team[i].belief();
        const Decision& decision = view.decisions[i];
        const RobotEntry& entry = logged_.scenario.robots[i];
        print_plain("{}: step {}, {} ({}, {})\n", logged_.scenario.name, step_, entry.name,
                    role_names[static_cast<std::size_t>(belief.latest(robot_).role)],
                    logged_.scenario.script ? "as imported" : entry.strategy);
        if (view.percepts[i].alive)
            print_robot(view.percepts[i], belief, decision);
        else
            print_plain("  out of service\n");
        if (!png_.empty()) {
            OutputFile file(png_, force_);
            file.write(
                encode_png(draw_belief(view.team[i], decision, logged_.walls(),
                                       fmt::format("{}: what {} {} at step {}", logged_.scenario.name, entry.name,
                                                   view.percepts[i].alive ? "knows" : "knew, out of service", step_))));
            file.commit();
            print_plain("  picture {}\n", png_);
        }
    }

    void print_robot(const Percept& percept, const Belief& belief, const Decision& decision) const {
        const KnownMap& map = belief.map();
        const double cell = map.lattice().cell_m;
        print_plain("  stands at {}, heading {:.0f} deg{}\n", shown(logged_.on_map(belief.pose().position())),
                    degrees(belief.pose().yaw), percept.bumped ? ", stopped by a wall" : "");
        print_plain("  knows {:.1f} m2 of free space; its own scan last showed something new {}\n",
                    static_cast<double>(map.count(false)) * cell * cell,
                    belief.last_discovery() < 0 ? "never" : fmt::format("at step {}", belief.last_discovery()));
        print_team(belief);
        print_reasons(decision, belief);
        print_decision(decision, belief);
        print_health();
    }
    void print_health() const {
        if (health_.robots().empty()) return;
        const std::string text = health_text(health_.robots()[static_cast<std::size_t>(robot_)]);
        if (!text.empty()) print_plain("  so far it {}\n", text);
    }
    void print_team(const Belief& belief) const {
        for (const auto& mate : belief.team()) {
            if (mate->robot == robot_) continue;
            const TeamMember& member = belief.briefing().team()[static_cast<std::size_t>(mate->robot)];
            if (mate->seq == 0)
                print_plain("  {:<10} never reported\n", member.name);
            else
                print_plain("  {:<10} {}; was at {}{}\n", member.name,
                            belief.in_contact(mate->robot) ? "in contact" : fmt::format("news of step {}", mate->step),
                            shown(logged_.on_map(mate->pose.position())),
                            mate->goal ? ", going to " + shown(logged_.on_map(*mate->goal)) : "");
        }
    }
    void print_reasons(const Decision& decision, const Belief& belief) const {
        const auto& goal = belief.latest(robot_).goal;
        for (const Overlay& o : decision.overlays) {
            if (o.kind == Overlay::Kind::text) {
                print_plain("  {}: {}\n", o.layer, o.text);
                continue;
            }
            print_plain("  {} ({}):\n", o.layer, o.text.empty() ? fmt::format("{} points", o.points.size()) : o.text);
            for (const std::size_t k : best_first(o, goal))
                print_plain("    {:<24}{}{}\n", shown(logged_.on_map(o.points[k])),
                            k < o.values.size() ? fmt::format("{:>14.6g}", o.values[k]) : "",
                            goal && distance(*goal, o.points[k]) < 1e-6 ? "   <- its goal" : "");
        }
        if (decision.overlays.empty()) print_plain("  its strategy shows no reasons\n");
    }
    void print_decision(const Decision& decision, const Belief& belief) const {
        const auto& goal = belief.latest(robot_).goal;
        const bool relay = belief.latest(robot_).role == Role::relay;
        if (decision.done)
            print_plain("  done: {}\n",
                        relay ? "it stays where it is, as a relay" : "nothing is left to do, as far as it knows");
        if (goal) {
            const Path& path = belief.path_to(belief.map().lattice().cell_of(*goal));
            print_plain("  goes to {}{}\n", shown(logged_.on_map(*goal)),
                        path ? fmt::format(", {:.2f} m away", path.length_cells() * belief.map().lattice().cell_m)
                             : std::string(", to which it knows no path"));
        }
        if (decision.command.path_body.empty()) {
            print_plain("  stays{}\n",
                        decision.command.final_heading
                            ? fmt::format(", turns by {:.0f} deg", degrees(*decision.command.final_heading))
                            : std::string());
            return;
        }
        const Point to = transform(belief.pose(), decision.command.path_body.back());
        print_plain("  drives towards {} at {:.2f} m/s\n", shown(logged_.on_map(to)), decision.command.speed_mps);
    }

    const Logged& logged_;
    RobotId robot_;
    int step_;
    std::string png_;
    bool force_;
    Health health_;
};

struct WhyFlags {
    std::optional<std::string> file, robot, png;
    std::optional<int> step;
    bool force = false;
    void fields(Flags& f) {
        f("robot", robot, "R", "name or number");
        f("step", step, 0, INT32_MAX, "N", "step");
        allow_external(f);
        f("png", png, "FILE", "draw what it knew");
        f("force", force, "overwrite a picture that exists");
        f.positional("file", file);
    }
};

/// Runs the scenario again up to the step; the exit code.
int tell_again(const Logged& logged, Witness& witness, int step, const std::atomic<bool>& interrupted) {
    SimulationOptions options;
    options.orders = logged.orders;
    options.stop_after = step + 1;
    options.overlays = true;
    options.interrupted = &interrupted;
    Simulation sim(logged.scenario, options);
    HashCheck check(logged.steps);
    sim.add_observer(check);
    sim.add_observer(witness);
    sim.run();
    if (sim.progress().steps <= step) {
        print_plain("interrupted after {} steps of the run, before step {}\n", sim.progress().steps, step);
        return 130;
    }
    return check.divergence() ? report(check, logged) : 0;
}

int why(const WhyFlags& flags) {
    const std::string& file = expect_log(flags.file, "why");
    if (!flags.robot || !flags.step) fail("expected outrider why LOG --robot R --step N");
    const std::atomic<bool>& interrupted = catch_interrupts();
    Logged logged(file);
    const RobotId robot = logged.robot(*flags.robot);
    const int step = *flags.step;
    expect_within("step", step, 0, std::max(0, logged.length() - 1));
    expect_distinct(flags, {"png"}, {file});
    if (flags.png) OutputFile(*flags.png, flags.force);
    Witness witness(logged, robot, step, flags.png.value_or(""), flags.force);
    if (logged.full()) {
        Replay replay(logged.log);
        while (replay.step() < step - 1 && replay.next()) witness.look_back(replay.view());
        if (replay.seek(step)) {
            witness.on_step(replay.view());
            return 0;
        }
        logged.expect_closed_loop();
        witness.begin_anew();
        print_aside("note: the log cannot tell of step {}; it is run again\n", step);
    }
    return tell_again(logged, witness, step, interrupted);
}

}  // namespace

Subcommand why_command() {
    return subcommand<WhyFlags, why>(
        {"why",
         "Why a robot did what it did: what it knew at a step, its candidates with their values, the rule "
         "that fired, its path. A log of the level full tells at once; any other is run again up to there.\n",
         "[OPTION...] LOG"},
        "why a robot did what it did at a step of a log");
}

}  // namespace outrider
