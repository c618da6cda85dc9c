// The random scenarios of tools/soak, and its judgements.
#include <atomic>
#include <set>

#include "helpers.hpp"
#include "maps/family.hpp"
#include "robot/registry.hpp"
#include "soak/judge.hpp"
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

std::vector<std::string> judged(const std::string& reason, bool restless = false) {
    const Scenario scenario =
        text_scenario({"##########", "#  B 1   #", "#        #", "##########"}, "[run]\nsteps = 320\n");
    return soak::judge(scenario, [&](const Briefing& briefing, const std::string&) -> std::unique_ptr<Strategy> {
        if (briefing.is_base()) return nullptr;
        return std::make_unique<Idle>(reason, restless);
    });
}

}  // namespace

TEST_CASE("a number gives the same scenario again, and many of them all families and strategies") {
    std::set<std::string> families_drawn, texts;
    std::string all;
    int misfits = 0;
    constexpr int count = 300;
    for (int k = 0; k < count; ++k) try {
            const soak::Draw drawn = soak::draw_scenario(5, static_cast<std::uint64_t>(k));
            texts.insert(drawn.toml);
            all += drawn.toml;
        } catch (const Error&) {
            ++misfits;  // a place that does not fit its size
        }
    CHECK(misfits < count / 5);
    CHECK(texts.size() == static_cast<std::size_t>(count - misfits));
    for (const FamilyInfo& family : families()) {
        CAPTURE(family.name);
        CHECK(all.find("outrider generate " + family.name + " ") != std::string::npos);
    }
    for (const StrategyInfo& strategy : strategies()) {
        if (!strategy.traits.explores || strategy.traits.operator_driven || !strategy.source) continue;
        CAPTURE(strategy.name);
        CHECK(all.find('"' + strategy.name) != std::string::npos);
    }
    const soak::Draw once = soak::draw_scenario(5, 3), again = soak::draw_scenario(5, 3);
    CHECK(once.toml == again.toml);
    CHECK(once.scenario.hash() == again.scenario.hash());
}

TEST_CASE("a robot that stands without a reason, and a strategy that decides otherwise each time, are found") {
    const auto still = judged("");
    REQUIRE(still.size() == 1);
    CHECK(still[0].starts_with("stall: robot 1 "));
    CHECK(judged("waits for nobody").empty());
    const auto restless = judged("waits", true);
    REQUIRE(restless.size() == 1);
    CHECK(restless[0].starts_with("digest: "));
}

}  // namespace test_soak
