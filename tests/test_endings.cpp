// No live-lock: every strategy comes to an end on every shipped map. Takes hours; tools/test --all runs it, and with
// OUTRIDER_MAPS="office rooms" or OUTRIDER_STRATEGIES="nearest" only these.
#include <tbb/parallel_for.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "helpers.hpp"
#include "robot/registry.hpp"
#include "standing_watch.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_endings {
namespace {

struct Ending {
    std::string map, strategy;
    EndReason reason{};
    int steps = 0, stood = 0, waited = 0;
    double base_share = 0;
};

/// The scenarios that are named after a map, the small ones first: the others vary one of these.
std::vector<fs::path> shipped_maps() {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(OUTRIDER_SOURCE_DIR "/environments"))
        if (entry.path().extension() == ".toml" && fs::exists(fs::path(entry.path()).replace_extension(".png")))
            out.push_back(entry.path());
    std::sort(out.begin(), out.end(), [](const fs::path& a, const fs::path& b) {
        const auto size = [](fs::path p) { return fs::file_size(p.replace_extension(".png")); };
        return std::pair(size(a), a) < std::pair(size(b), b);
    });
    return out;
}

Ending run_to_the_end(const fs::path& scenario, const std::string& strategy) {
    Notes notes;
    ConfigTable config = load_config(scenario.string());
    config.set({"team.strategy", strategy, "test"});
    config.set({"run.steps", std::int64_t{40000}, "test"});
    const Scenario s =
        make_scenario(std::move(config), scenario.stem().string(), scenario.parent_path().string(), notes);
    SimulationOptions options;
    options.overlays = true;
    Simulation sim(s, options);
    StandingWatch watch;
    sim.add_observer(watch);
    const EndReason reason = sim.run();
    return {scenario.stem().string(),
            strategy,
            reason,
            sim.progress().steps,
            watch.longest,
            watch.longest_wait,
            sim.metrics().steps().back().base_share};
}

/// Whether the list in this environment variable names it, or there is no list.
bool asked_for(const char* variable, const std::string& name) {
    const char* list = std::getenv(variable);
    return !list || fmt::format(" {} ", list).find(" " + name + " ") != std::string::npos;
}

}  // namespace

TEST_CASE("every strategy that explores comes to an end on every shipped map, and nobody stands for 300 steps" *
          doctest::skip(!std::getenv("OUTRIDER_LONG"))) {
    std::vector<std::pair<fs::path, std::string>> runs;
    for (const fs::path& map : shipped_maps())
        for (const StrategyInfo& info : strategies())
            if (asked_for("OUTRIDER_MAPS", map.stem().string()) && asked_for("OUTRIDER_STRATEGIES", info.name) &&
                info.traits.explores && info.name != "external" && !info.name.starts_with("test_"))
                runs.emplace_back(map, info.name);
    std::mutex mutex;
    tbb::parallel_for(std::size_t{0}, runs.size(), [&](std::size_t i) {
        const Ending e = run_to_the_end(runs[i].first, runs[i].second);
        const std::lock_guard lock(mutex);
        CAPTURE(e.map);
        CAPTURE(e.strategy);
        CAPTURE(e.steps);
        MESSAGE(fmt::format("{} {}: {} after {} steps, the base knows {:.2f} %, stood {} steps, waited {}", e.map,
                            e.strategy, end_reason_names[static_cast<std::size_t>(e.reason)], e.steps,
                            100 * e.base_share, e.stood, e.waited));
        const bool ended = e.reason == EndReason::all_home || e.reason == EndReason::nothing_left;
        CHECK(ended);
        CHECK(e.base_share > 0.99);
        CHECK(e.stood < 300);
    });
}

}  // namespace test_endings
