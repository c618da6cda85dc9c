// What goes together in a scenario: every pair of parts is tried.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "helpers.hpp"
#include "outrider/error.hpp"
#include "scenario/exclusions.hpp"
#include "simulation/simulation.hpp"

namespace outrider::test_exclusions {
namespace {

/// Two rooms with a door, in which two robots and a base station stand.
Scenario office(const std::string& toml) {
    std::vector<std::string> rows(24, "#......................#..................#");
    rows.front() = rows.back() = std::string(rows.front().size(), '#');
    for (std::size_t k : {11u, 12u, 13u}) rows[k][23] = '.';
    rows[5][4] = 'B';
    rows[5][7] = '1';
    rows[8][4] = '2';
    return text_scenario(rows, "run.steps = 15\n" + toml + "\n");
}

/// The option that an example sets first: "slam.method".
std::string_view option_of(const ScenarioPart& part) { return part.example.substr(0, part.example.find(' ')); }

}  // namespace

TEST_CASE("a part's example brings that part, and a plain scenario has none") {
    const Scenario plain = office("");
    for (const ScenarioPart& part : scenario_parts()) {
        CAPTURE(part.name);
        CHECK(part.given(plain).empty());
        if (!part.example.empty()) CHECK_FALSE(part.given(office(std::string(part.example))).empty());
    }
    CHECK(std::is_sorted(scenario_parts().begin(), scenario_parts().end(),
                         [](const ScenarioPart& a, const ScenarioPart& b) { return a.name < b.name; }));
}

TEST_CASE("every two parts of a scenario run together, or are refused with both options and the reason") {
    int refused = 0, ran = 0;
    for (const ScenarioPart& a : scenario_parts())
        for (const ScenarioPart& b : scenario_parts()) {
            if (a.name >= b.name || a.example.empty() || b.example.empty() || option_of(a) == option_of(b)) continue;
            CAPTURE(a.name);
            CAPTURE(b.name);
            const std::string_view why = why_not(a.name, b.name);
            CHECK(why == why_not(b.name, a.name));
            try {
                Simulation sim(office(std::string(a.example) + "\n" + std::string(b.example)), {});
                sim.run();
                CHECK(why.empty());
                ++ran;
            } catch (const Error& e) {
                const std::string said = e.what();
                CAPTURE(said);
                REQUIRE_FALSE(why.empty());
                CHECK(said.find(why) != std::string::npos);
                CHECK(said.find(": with ") != std::string::npos);
                ++refused;
            }
        }
    CHECK(refused >= 8);
    CHECK(ran > 100);
}

TEST_CASE("a part that there is not is an error that names the nearest") {
    CHECK(expect_part("people", "here").name == "people");
    CHECK_THROWS_WITH_AS(expect_part("poeple", "here"), "here: unknown part 'poeple'; did you mean 'people'?", Error);
}

}  // namespace outrider::test_exclusions
