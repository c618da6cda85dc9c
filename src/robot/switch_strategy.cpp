#include "robot/switch_strategy.hpp"

#include <algorithm>
#include <array>

#include "outrider/detail/settings.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

struct SwitchOptions {
    std::string first = "stay", then = "stay";
    int at = 0;
    void fields(Fields& f) {
        f("first", first, "a strategy with its options: decides before step `at`");
        f("then", then, "another one, which begins in step `at` without knowing what the first one did");
        f("at", at, 0, 10'000'000, "the step from which on the second one decides");
    }
};

class Switch final : public Strategy, public CopiesItself {
  public:
    explicit Switch(const SwitchOptions& options)
        : at_(options.at),
          first_(make_strategy(options.first, "switch")),
          then_(make_strategy(options.then, "switch")) {}
    Switch(const Switch& other)
        : at_(other.at_), first_(copy_strategy(*other.first_)), then_(copy_strategy(*other.then_)) {}
    std::unique_ptr<Strategy> copy() const override { return std::make_unique<Switch>(*this); }
    void expect_fits(double cell_m, const std::string& where) const override {
        first_->expect_fits(cell_m, where);
        then_->expect_fits(cell_m, where);
    }
    Intent choose(const Belief& belief, Rng& rng) override {
        return (belief.step() < at_ ? first_ : then_)->choose(belief, rng);
    }

  private:
    int at_;
    std::unique_ptr<Strategy> first_, then_;
};

void expect_switchable(const std::string& text) {
    constexpr std::array<std::string_view, 4> others{"external", "python", "remote", "switch"};
    if (const std::string name = strategy_name(text); std::find(others.begin(), others.end(), name) != others.end())
        fail("switch: '{}' cannot be one of its two strategies", name);
}

}  // namespace

StrategyInfo switch_strategy() {
    return {"switch",
            "one strategy until a step and another from then on (outrider branch)",
            Traits{},
            list_fields(SwitchOptions{}),
            [](std::vector<Setting>& settings, const std::string& prefix) -> std::unique_ptr<Strategy> {
                SwitchOptions options;
                SettingReader reader(settings, prefix);
                options.fields(reader);
                reader.expect_all_used();
                for (const std::string* text : {&options.first, &options.then}) expect_switchable(*text);
                return std::make_unique<Switch>(options);
            },
            nullptr,
            {}};
}

std::vector<std::string> switched_between(const std::string& text, const std::string& where) {
    if (strategy_name(text) != "switch") return {text};
    std::vector<std::string> out;
    const SwitchOptions defaults;
    for (const auto& [key, other] : {std::pair("first", defaults.first), std::pair("then", defaults.then)}) {
        const std::string given = strategy_option(text, key, where);
        out.push_back(given.empty() ? other : given);
        expect_switchable(out.back());
    }
    return out;
}

std::string switch_text(const std::string& first, const std::string& then, int at) {
    return fmt::format("switch(first={}, then={}, at={})", toml_quoted(first), toml_quoted(then), at);
}

Traits traits_of(const std::string& text, const std::string& where) {
    Traits all = find_strategy(strategy_name(text), where).traits;
    for (const std::string& one : switched_between(text, where)) {
        const Traits& traits = find_strategy(strategy_name(one), where).traits;
        all.explores = all.explores || traits.explores;
        all.needs_contact = all.needs_contact || traits.needs_contact;
        all.operator_driven = all.operator_driven || traits.operator_driven;
        all.needs_deliveries = all.needs_deliveries || traits.needs_deliveries;
        all.takes_orders = all.takes_orders || traits.takes_orders;
    }
    return all;
}

}  // namespace outrider
