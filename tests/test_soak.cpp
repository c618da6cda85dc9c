// The random scenarios of tools/soak, and its judgements.
#include <atomic>
#include <set>

#include "helpers.hpp"
#include "maps/family.hpp"
#include "robot/registry.hpp"
#include "scenario/exclusions.hpp"
#include "soak/judge.hpp"
#include "soak/options.hpp"
#include "soak/scenarios.hpp"

using namespace outrider;

namespace test_soak {
namespace {

/// Stands, or drives at random, whatever happens; gives a reason if it has one.
class Idle final : public Strategy {
  public:
    explicit Idle(std::string reason, bool restless = false) : reason_(std::move(reason)), restless_(restless) {}
    Intent choose(const Belief&, Rng&) override {
        static std::atomic<unsigned> calls = 0;
        Intent intent;
        if (restless_ && ++calls % 7 == 0) intent.action = RandomStep{};
        if (!reason_.empty()) intent.overlays.push_back(Overlay::rule(reason_));
        return intent;
    }

  private:
    std::string reason_;
    bool restless_;
};

std::vector<std::string> judged(const std::string& reason, bool restless = false, const std::string& toml = "") {
    const Scenario scenario =
        text_scenario({"##########", "#  B 1   #", "#        #", "##########"}, toml + "run.steps = 320\n");
    return soak::judge(scenario, {}, [&](const Briefing& briefing, const std::string&) -> std::unique_ptr<Strategy> {
        if (briefing.is_base()) return nullptr;
        return std::make_unique<Idle>(reason, restless);
    });
}

}  // namespace

TEST_CASE("a number gives the same scenario again, and many of them all families, strategies and parts") {
    std::set<std::string> texts;
    std::set<std::string_view> parts;
    std::string all;
    int misfits = 0, orders = 0;
    constexpr int count = 300;
    for (int k = 0; k < count; ++k) try {
            const soak::Draw drawn = soak::draw_scenario(5, static_cast<std::uint64_t>(k));
            texts.insert(drawn.toml);
            all += drawn.toml;
            orders += static_cast<int>(drawn.orders.size());
            for (const ScenarioPart& part : scenario_parts())
                if (!part.given(drawn.scenario).empty()) parts.insert(part.name);
        } catch (const Error&) {
            ++misfits;  // a place that does not fit its size
        }
    CHECK(misfits < count / 5);
    CHECK(texts.size() == static_cast<std::size_t>(count - misfits));
    for (const FamilyInfo& family : families()) {
        CAPTURE(family.name);
        CHECK(all.find("outrider generate " + family.name + " ") != std::string::npos);
    }
    for (const ScenarioPart& part : scenario_parts()) {
        CAPTURE(part.name);
        CHECK((part.example.empty() || parts.count(part.name) > 0));
    }
    CHECK(orders > 0);
    for (const StrategyInfo& strategy : strategies()) {
        if (!strategy.traits.explores || strategy.traits.operator_driven || !strategy.source) continue;
        CAPTURE(strategy.name);
        CHECK(all.find('"' + strategy.name) != std::string::npos);
    }
    const soak::Draw once = soak::draw_scenario(5, 3), again = soak::draw_scenario(5, 3);
    CHECK(once.toml == again.toml);
    CHECK(once.scenario.hash() == again.scenario.hash());
}

TEST_CASE("an option's other value lies in its range, also when it is off by default, and a text has none") {
    const auto info = [](const char* value, const char* range) { return FieldInfo{"x", "", value, range, "", ""}; };
    soak::Dice dice(1, 1);
    for (int k = 0; k < 200; ++k) {
        const double share = std::stod(soak::other_value(info("0.0", "0 to 1"), dice));
        CHECK((share > 0 && share < 0.5));
        const std::string steps = soak::other_value(info("0", "0 to 1000"), dice);
        CHECK((std::stoi(steps) >= 1 && std::stoi(steps) <= 20 && steps.find('.') == std::string::npos));
        const double range = std::stod(soak::other_value(info("10.0", "9 to 12"), dice));
        CHECK((range >= 9 && range <= 12));
        const std::string kind = soak::other_value(info("\"a\"", "a | b"), dice);
        CHECK((kind == "'a'" || kind == "'b'"));
    }
    CHECK(soak::other_value(info("true", ""), dice) == "false");
    CHECK(soak::other_value(info("\"\"", ""), dice).empty());
}

TEST_CASE("a robot that stands without a reason, and a strategy that decides otherwise each time, are found") {
    const auto still = judged("");
    REQUIRE(still.size() == 1);
    CHECK(still[0].starts_with("stall: robot 1 "));
    CHECK(judged("waits for nobody").empty());
    CHECK(judged("", false, "event = [{robot = 'r1', kind = 'stuck', step = 10}]\n").empty());  // it cannot
    const auto restless = judged("waits", true);
    REQUIRE(restless.size() == 1);
    CHECK(restless[0].starts_with("digest: "));
}

}  // namespace test_soak
