// A few letters of a scenario can stand for more than any memory: they are counted before a run begins.
#include "base/budget.hpp"
#include "helpers.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

using namespace outrider;

namespace test_cost {
namespace {

/// Why no run of it begins; empty: one does.
std::string refusal(const std::string& toml) {
    try {
        Simulation sim(text_scenario({"############", "#B1........#", "#..........#", "############"}, toml), {});
        sim.step();
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("rates times steps, robots times robots and particles are refused with the option that says so") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"[run]\nsteps = 10000000\n[failure]\nrate_per_hour = 1e6\nrepair_steps = 1\n[team]\nrobots = 8\n",
         "failure.rate_per_hour = 1000000"},
        {"[team]\nrobots = 100000\n", "team.robots = 100000"},
        {"[slam]\nmethod = 'particle'\nparticles = 10000\n[team]\nrobots = 8\n", "slam.particles = 10000"}};
    for (const auto& [toml, option] : cases) {
        CAPTURE(toml);
        const std::string why = refusal(toml);
        CAPTURE(why);
        CHECK(why.find(option) != std::string::npos);
        CHECK(why.find("OUTRIDER_MEMORY_MB") != std::string::npos);
    }
}

TEST_CASE("what honest scenarios ask for is not refused, nor changes, which are drawn as they fall due") {
    for (const std::string toml : {"", "[run]\nsteps = 10000000\n",
                                   "[run]\nsteps = 10000000\n[changes]\ndebris_per_hour = 1e6\ndoors_per_hour = 1e5\n",
                                   "[run]\nsteps = 100000\n[failure]\nrate_per_hour = 100\nrepair_steps = 10\n",
                                   "[slam]\nmethod = 'particle'\nparticles = 300\n"})
        CHECK(refusal(toml) == "");
}

TEST_CASE("numbers between 0 and the least that means something are refused, whatever option it is") {
    for (const std::string key : {"body.speed_mps", "body.accel_mps2", "sensor.sweep_m", "comm.range_m"})
        for (const std::string value : {"1e-20", "1e-320", "4.9e-324"}) {
            CAPTURE(key);
            const std::string section = key.substr(0, key.find('.')), name = key.substr(key.find('.') + 1);
            const std::string why = refusal("[" + section + "]\n" + name + " = " + value + "\n");
            CAPTURE(why);
            CHECK(why.find("expected a number") != std::string::npos);
        }
    for (const std::string strategy :
         {"nearest", "mresim_greedy", "kmeans", "market", "auction", "next_best_view", "exploration_transform"})
        for (const std::string value : {"1e-20", "-1e-300"})
            CHECK_THROWS_WITH_AS(make_strategy(strategy + "(goal_spacing=" + value + ")", "t"),
                                 doctest::Contains("goal_spacing"), Error);
}

TEST_CASE("strategies run with the least goal spacing that may be") {
    for (const std::string strategy :
         {"nearest", "mresim_greedy", "kmeans", "market", "auction", "next_best_view", "exploration_transform"})
        CHECK(refusal("[team]\nstrategy = '" + strategy + "(goal_spacing=1e-9)'\n") == "");
}

TEST_CASE("doubles become whole numbers that fit, whatever they are") {
    CHECK(whole(2.9) == 2);
    CHECK(whole(-2.9) == -2);
    CHECK(whole(1e300) == INT32_MAX);
    CHECK(whole(-1e300) == INT32_MIN);
    CHECK(whole(std::nan("")) == INT32_MIN);
    CHECK(whole<std::size_t>(-1) == 0);
    CHECK(whole<std::size_t>(1e300) == SIZE_MAX);
    CHECK(whole<std::int64_t>(9.3e18) == INT64_MAX);
    CHECK(whole_below(-0.5) == -1);
    CHECK(std::int64_t{whole_below(1e300)} - whole_below(-1e300) <= INT32_MAX);
}

}  // namespace test_cost
