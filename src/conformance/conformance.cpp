#include "conformance/conformance.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include "maps/generate.hpp"
#include "metrics/metrics.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "run/run.hpp"
#include "simulation/simulation.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

/// A few rooms with doors; B: the base, 1: the first robot.
constexpr auto rooms = std::to_array<std::string_view>({"######################",  //
                                                        "#......#.............#",  //
                                                        "#......#.............#",  //
                                                        "#..B1..#....####.....#",  //
                                                        "#...........#........#",  //
                                                        "#......#....#........#",  //
                                                        "####.#######.........#",  //
                                                        "#......#.............#",  //
                                                        "#......#......###.####",  //
                                                        "#......#......#......#",  //
                                                        "######################"});
constexpr double cell_m = 1;

Scenario in_rooms(const std::string& strategy, int robots, const std::string& more) {
    const int height = static_cast<int>(rooms.size());
    Grid<std::uint8_t> walls(static_cast<int>(rooms[0].size()), height, 0, Lattice{cell_m});
    std::string places;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < walls.width(); ++x) {
            const char c = rooms[static_cast<std::size_t>(height - 1 - y)][static_cast<std::size_t>(x)];
            walls[{x, y}] = c == '#';
            if (c == 'B' || c == '1')
                places += fmt::format("[[{}]]\nx_m = {}\ny_m = {}\n", c == 'B' ? "base" : "robot", (x + 0.5) * cell_m,
                                      (y + 0.5) * cell_m);
        }
    ConfigTable config = parse_config(fmt::format("[team]\nrobots = {}\n{}{}", robots, more, places), "the check");
    config.set({"team.strategy", strategy, "the strategy"});
    Notes notes;
    return make_scenario(std::move(config), "rooms", std::move(walls), notes);
}

struct Ended {
    EndReason reason;
    int steps;
    Hash128 digest;
    double team_share, base_share;

    /// Empty when all was explored and everybody came home.
    std::string unless_explored() const {
        if (team_share == 1 && reason == EndReason::all_home) return {};
        return fmt::format("knows {:.2f} % after {} steps, ended by {}", 100 * team_share, steps,
                           end_reason_texts[static_cast<std::size_t>(reason)]);
    }
};

Ended run_to_end(const Scenario& scenario, int threads = 1, bool overlays = false) {
    SimulationOptions options;
    options.threads = threads;
    options.overlays = overlays;
    Simulation sim(scenario, options);
    const EndReason reason = sim.run();
    const StepMetrics& last = sim.metrics().steps().back();
    return {reason, sim.progress().steps, sim.progress().digest, last.team_share, last.base_share};
}

const Traits& traits_of(const std::string& strategy) {
    return find_strategy(strategy_name(strategy), "check-strategy").traits;
}

std::string says_what_it_is(const std::string& strategy) {
    const StrategyInfo& info = find_strategy(strategy_name(strategy), "check-strategy");
    if (info.summary.size() <= 10) return "its summary is shorter than ten letters";
    for (const FieldInfo& option : info.options)
        if (option.meaning.size() <= 3) return fmt::format("its option {} has no meaning", option.name);
    make_strategy(info.name + "()", "check-strategy");
    try {
        make_strategy(info.name + "(no_such_option=1)", "check-strategy");
    } catch (const Error&) {
        return {};
    }
    return "it takes an option that it does not have";
}

std::string explores_rooms(const std::string& strategy) {
    if (!traits_of(strategy).explores) return {};
    for (const int robots : {1, 2, 3, 8, 16}) {
        const Ended end = run_to_end(in_rooms(strategy, robots, ""));
        if (const std::string wrong = end.unless_explored(); !wrong.empty())
            return fmt::format("with {} robots: {}", robots, wrong);
        if (end.base_share < 1)
            return fmt::format("with {} robots: the base knows {:.2f} %", robots, 100 * end.base_share);
        if (end.steps >= 400) return fmt::format("with {} robots it takes {} steps", robots, end.steps);
    }
    return {};
}

std::string repeats(const std::string& strategy) {
    const Scenario s = in_rooms(strategy, 5, "[run]\nsteps = 60\n");
    const Hash128 first = run_to_end(s).digest;
    if (run_to_end(s).digest != first)
        return "a second run decides otherwise: does it keep state outside of the class?";
    if (run_to_end(s, 4).digest != first) return "with four threads it decides otherwise: do robots share state?";
    return {};
}

std::string shows_without_changing(const std::string& strategy) {
    const Scenario s = in_rooms(strategy, 3, "[run]\nsteps = 60\n");
    if (run_to_end(s, 1, true).digest != run_to_end(s).digest)
        return "it decides otherwise when somebody looks at its reasons";
    return {};
}

std::string gives_reasons(const std::string& strategy) {
    struct Watcher final : Observer {
        std::size_t shown = 0;
        void on_step(const StepView& view) override {
            for (const Decision& d : view.decisions) shown += d.overlays.size();
        }
    };
    if (!traits_of(strategy).explores) return {};
    SimulationOptions options;
    options.overlays = true;
    Simulation sim(in_rooms(strategy, 3, "[run]\nsteps = 60\n"), options);
    Watcher watcher;
    sim.add_observer(watcher);
    sim.run();
    return watcher.shown > 0 ? "" : "it shows no reasons: intent.overlays, if belief.overlays_wanted()";
}

std::string survives_trouble(const std::string& strategy) {
    constexpr std::array<std::array<const char*, 2>, 4> troubles{{
        {"without radio", "[comm]\nrange_m = 0\nbase_range_m = 0\n"},
        {"with a fifth of the messages lost", "[comm]\nloss_rate = 0.2\n"},
        {"with all messages lost", "[comm]\nloss_rate = 1\n"},
        {"with a robot that dies", "[[robot]]\ndies_at_step = 5\n"},
    }};
    for (const auto& [name, settings] : troubles) {
        const Ended end = run_to_end(in_rooms(strategy, 3, std::string("[run]\nsteps = 600\n") + settings));
        if (traits_of(strategy).explores && end.team_share < 1)
            return fmt::format("{}: {}", name, end.unless_explored());
    }
    return {};
}

Scenario in_offices(const std::string& strategy, const std::string& more) {
    const GeneratedMap map =
        generate("office", {{"width", std::int64_t{300}, "the check"}, {"height", std::int64_t{200}, "the check"}}, 7);
    ConfigTable config = parse_config("[team]\nrobots = 4\n" + more, "the check");
    config.set({"team.strategy", strategy, "the strategy"});
    Notes notes;
    return make_scenario(std::move(config), "office", map.walls, notes);
}

/// Whether any robot said a word.
struct WordWatcher final : Observer {
    bool sent = false;
    void on_step(const StepView& view) override {
        for (const Robot& robot : view.team) sent = sent || !robot.belief().latest(robot.belief().self()).words.empty();
    }
};

std::string survives_damaged_words(const std::string& strategy) {
    for (const int seed : {1, 2, 3}) {
        bool silent = false;
        for (const char* damage : {"word_noise = 0.3", "word_noise = 1", "jumble_rate = 0.3\nloss_rate = 0.3"}) {
            // Without a word there is nothing for the noise to damage: more of it gives the same run again.
            if (silent && std::string_view(damage).starts_with("word_noise")) continue;
            const std::string more =
                fmt::format("[run]\nsteps = 300\nseed = {}\n[comm]\nrange_m = 6\nbase_range_m = 6\n{}\n", seed, damage);
            try {
                Simulation sim(in_offices(strategy, more), {.threads = 1, .log_path = {}});
                WordWatcher words;
                sim.add_observer(words);
                sim.run();
                silent = !words.sent;
            } catch (const std::exception& error) {
                return fmt::format("words that arrive damaged ({}, seed {}): {}", damage, seed, error.what());
            }
        }
    }
    return {};
}

std::string keeps_off_walls(const std::string& strategy) {
    struct Watcher final : Observer {
        int bumps = 0;
        void on_step(const StepView& view) override {
            for (const Percept& p : view.percepts) bumps += p.bumped;
        }
    };
    Simulation sim(in_offices(strategy, "[run]\nsteps = 300\n"), {});
    Watcher watcher;
    sim.add_observer(watcher);
    sim.run();
    if (watcher.bumps > 0 && traits_of(strategy).explores)
        return fmt::format("walls stop its robots {} times", watcher.bumps);
    return {};
}

std::string explores_an_office(const std::string& strategy) {
    if (!traits_of(strategy).explores) return {};
    return run_to_end(in_offices(strategy, "[run]\nsteps = 3000\n")).unless_explored();
}

constexpr auto checks = std::to_array<ConformanceCheck>({
    {"says what it is, and refuses options that it does not have", says_what_it_is},
    {"explores a few rooms with 1 to 16 robots, and comes home", explores_rooms},
    {"explores an office with four robots", explores_an_office},
    {"decides the same again, at one and at four threads", repeats},
    {"shows its reasons", gives_reasons},
    {"decides the same whether somebody looks or not", shows_without_changing},
    {"goes on without radio, with lost messages, with a dead robot", survives_trouble},
    {"goes on when words arrive damaged", survives_damaged_words},
    {"does not drive into walls", keeps_off_walls},
});

double cpu_s() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double step_cost(const std::string& strategy) {
    const Scenario s = in_offices(strategy, "[comm]\nrange_m = 1000\nbase_range_m = 1000\n[run]\nsteps = 1000\n");
    const double begun = cpu_s();
    const int steps = run_to_end(s).steps;
    return (cpu_s() - begun) / steps;
}

}  // namespace

std::span<const ConformanceCheck> conformance_checks() { return checks; }

double cost_against(const std::string& strategy, const std::string& against) {
    double ratio = 0;
    for (int round = 0; round < 3; ++round) {  // the least of three: other load makes both slower
        const double one = step_cost(strategy) / step_cost(against);
        ratio = round == 0 ? one : std::min(ratio, one);
    }
    return ratio;
}

}  // namespace outrider
