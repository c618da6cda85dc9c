// Every strategy of this project does what every strategy has to do, and the checks find those that do not.
#include "conformance/conformance.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "beside.hpp"
#include "helpers.hpp"
#include "outrider/behaviours.hpp"
#include "robot/registry.hpp"

using namespace outrider;

namespace test_conformance {
namespace {

/// All but those of tests, and those that ask programs (test_external).
std::vector<std::string> strategies_to_check() {
    std::vector<std::string> out;
    for (const StrategyInfo& info : strategies())
        if (!info.name.starts_with("test_") && info.name != "external" && info.name != "python")
            out.push_back(info.name);
    return out;
}

void expect_passed(std::size_t first, std::size_t last) {
    const std::span<const ConformanceCheck> checks = conformance_checks();
    REQUIRE(last <= checks.size());
    std::vector<std::string> names = strategies_to_check();
    // The one that takes by far the longest begins, so that nobody waits for it alone at the end.
    std::partition(names.begin(), names.end(), [](const std::string& name) { return name == "rrt"; });
    const std::size_t each = last - first;
    beside_each_other(names.size() * each, [&](std::size_t k) {
        const std::string& strategy = names[k / each];
        const ConformanceCheck& check = checks[first + k % each];
        CAPTURE(strategy);
        CAPTURE(check.name);
        CHECK(check.run(strategy) == "");
    });
}

/// What a strategy does wrong.
enum class Fault { none, idle, shared_state, looks_at_watchers, silent, trusts_words, rams };

struct FaultyOptions {
    Fault fault = Fault::none;
    void fields(Fields& f) {
        static constexpr std::array<std::string_view, 7> names{
            "none", "idle", "shared_state", "looks_at_watchers", "silent", "trusts_words", "rams"};
        f("fault", fault, names, "what it does wrong");
    }
};

int shared_steps = 0;  // state that a strategy must not have

class Faulty final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "explores, and does one thing wrong";
    using Options = FaultyOptions;
    explicit Faulty(const Options& options) : fault_(options.fault) {}

    Intent choose(const Belief& belief, Rng&) override {
        if (fault_ == Fault::idle) return {};
        if (fault_ == Fault::rams) return {.action = Drive{100, 0}};
        const std::vector<Frontier> frontiers = candidate_frontiers(belief);
        if (frontiers.empty()) return go_home(belief);
        std::size_t chosen = 0;
        if (fault_ == Fault::shared_state) chosen = static_cast<std::size_t>(++shared_steps / 7) % frontiers.size();
        if (fault_ == Fault::looks_at_watchers && belief.overlays_wanted()) chosen = frontiers.size() - 1;
        Intent intent{.action = go_to_frontier(belief, frontiers[chosen])};
        if (fault_ != Fault::silent && belief.overlays_wanted()) intent.overlays.push_back(Overlay::rule("the first"));
        if (fault_ == Fault::trusts_words) {
            for (const auto& mate : belief.team())
                for (const Word& word : mate->words)
                    if (word.values.at(0) != mate->robot) throw std::runtime_error("what a strange word");
            intent.words.push_back({77, to_all, {belief.self()}});
        }
        return intent;
    }

  private:
    Fault fault_;
};
OUTRIDER_STRATEGY("test_faulty", Faulty)

/// The check of that name finds the fault.
void expect_found(const std::string& fault, const std::string& name) {
    CAPTURE(fault);
    bool there = false;
    for (const ConformanceCheck& check : conformance_checks()) {
        if (std::string(check.name).find(name) == std::string::npos) continue;
        there = true;
        std::string wrong;
        try {
            wrong = check.run(fmt::format("test_faulty(fault='{}')", fault));
        } catch (const std::exception& error) {
            wrong = error.what();
        }
        CHECK(wrong != "");
        CHECK(check.run("nearest") == "");
    }
    CHECK(there);
}

}  // namespace

TEST_CASE("every strategy explores and comes home") { expect_passed(0, 3); }
TEST_CASE("every strategy decides the same again, shows its reasons, and does not care who looks") {
    expect_passed(3, 6);
}
TEST_CASE("every strategy survives trouble and keeps off walls") { expect_passed(6, conformance_checks().size()); }

TEST_CASE("the checks find what they are for") {
    expect_found("idle", "explores a few rooms");
    expect_found("idle", "explores an office");
    expect_found("shared_state", "decides the same again");
    expect_found("looks_at_watchers", "whether somebody looks");
    expect_found("silent", "shows its reasons");
    expect_found("trusts_words", "words arrive damaged");
    expect_found("rams", "drive into walls");
    expect_found("idle", "goes on without radio");
}

TEST_CASE("a strategy costs as much as itself") { CHECK(cost_against("nearest", "nearest") < 3); }

}  // namespace test_conformance
