// The air that senders share.
#include <algorithm>

#include "helpers.hpp"
#include "messages/map_payload.hpp"
#include "outrider/error.hpp"
#include "radio/shared_air.hpp"

using namespace outrider;

namespace test_shared_air {
namespace {

std::vector<Link> pairs(std::initializer_list<std::pair<RobotId, RobotId>> list) {
    std::vector<Link> links;
    for (const auto& [a, b] : list) links.push_back({a, b, 0});
    return links;
}

TEST_CASE("senders who hear each other share the air in proportion, who are apart do not") {
    SharedAir air(1000, Access::free, 4);
    const auto shares = [&](std::initializer_list<std::pair<RobotId, RobotId>> heard, std::vector<std::size_t> wanted) {
        return air.shares(0, pairs(heard), wanted);
    };
    using Bytes = std::vector<std::size_t>;
    CHECK(shares({}, {500, 700, 900, 1500}) == Bytes{500, 700, 900, 1000});
    CHECK(shares({{0, 1}}, {500, 1500, 0, 0}) == Bytes{250, 750, 0, 0});
    CHECK(shares({{0, 1}}, {300, 700, 0, 0}) == Bytes{300, 700, 0, 0});
    // 0 and 2 do not hear each other, but 1 hears both: there the air is full.
    CHECK(shares({{0, 1}, {1, 2}}, {1000, 0, 1000, 200}) == Bytes{500, 0, 500, 200});
}

TEST_CASE("the shares at a place never add up to more than the air carries, and nobody gets more than he wants") {
    Rng rng(3, 0, Purpose::placement, 0);
    for (int k = 0; k < 200; ++k) {
        constexpr std::size_t n = 8;
        SharedAir air(1000, Access::free, n);
        std::vector<std::size_t> wanted;
        std::vector<Link> heard;
        for (std::size_t a = 0; a < n; ++a) {
            wanted.push_back(rng.below(2000));
            for (std::size_t b = a + 1; b < n; ++b)
                if (rng.uniform() < 0.3) heard.push_back({static_cast<RobotId>(a), static_cast<RobotId>(b), 0});
        }
        const std::vector<std::size_t> shares = air.shares(0, heard, wanted);
        for (std::size_t place = 0; place < n; ++place) {
            std::size_t sum = shares[place], all = wanted[place];
            CHECK(shares[place] <= wanted[place]);
            for (const Link& link : heard) {
                const auto a = static_cast<std::size_t>(link.a), b = static_cast<std::size_t>(link.b);
                if (a != place && b != place) continue;
                sum += shares[a == place ? b : a];
                all += wanted[a == place ? b : a];
            }
            CHECK(sum <= 1000);
            if (all <= 1000 && heard.empty()) CHECK(sum == all);
        }
    }
}

TEST_CASE("slots are for those that were heard in the last ten steps") {
    SharedAir air(1200, Access::tdma, 3);
    const std::vector<std::size_t> wanted{0, 100, 5000};
    using Bytes = std::vector<std::size_t>;
    CHECK(air.shares(0, {}, wanted) == Bytes{1200, 1200, 1200});
    CHECK(air.shares(1, pairs({{0, 1}, {1, 2}}), wanted) == Bytes{600, 400, 600});
    for (int step = 2; step < 11; ++step) CHECK(air.shares(step, pairs({{0, 1}}), wanted) == Bytes{600, 400, 600});
    CHECK(air.shares(11, pairs({{0, 1}}), wanted) == Bytes{600, 600, 1200});
}

TEST_CASE("a team that shares the air sends less at a time, the same at any thread count, and all of it in the end") {
    Notes notes;
    const auto made = [&](const std::string& comm) {
        return make_scenario(parse_config("[team]\nrobots = 4\n[run]\nsteps = 200\n[comm]\n" + comm, "test"), "test",
                             rooms_map(220, 160, 5), notes);
    };
    const auto most_bytes = [](Simulation& sim) {
        sim.run();
        std::uint64_t most = 0;
        for (const StepMetrics& step : sim.metrics().steps()) most = std::max(most, step.bytes);
        return most;
    };
    Simulation open(made(""), {});
    const std::uint64_t unlimited = most_bytes(open);
    for (const std::string access : {"free", "tdma"}) {
        CAPTURE(access);
        const Scenario narrow = made("medium_bytes = 6000\naccess = \"" + access + "\"\n");
        Simulation sim(narrow, {});
        CHECK(most_bytes(sim) < unlimited);
        CHECK(sim.metrics().steps().back().base_share > 0.9);
        const Hash128 digest = run_scenario(narrow, 1).digest;
        CHECK(run_scenario(narrow, 2).digest == digest);
        CHECK(run_scenario(narrow, 3).digest == digest);
    }
    CHECK(run_scenario(made("medium_bytes = 2000000000\n")).team_share == run_scenario(made("")).team_share);
    CHECK_THROWS_WITH_AS(made("access = \"csma\"\n"), doctest::Contains("comm.access"), Error);
    CHECK_THROWS_WITH_AS(made("medium_bytes = 5000\n[slam]\nmethod = \"manifold\"\n"),
                         doctest::Contains("comm.medium_bytes = 5000: with slam.method = manifold maps are sent whole"),
                         Error);
}

}  // namespace
}  // namespace test_shared_air
