#include "features/victims/operator.hpp"

#include <algorithm>

#include "features/victims/victim_log.hpp"
#include "features/victims/world.hpp"
#include "outrider/rng.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t operator_stream = 1 << 22;  // of Purpose::sighting

class VictimOperator final : public OrderSource {
  public:
    VictimOperator(const Scenario& scenario, const std::vector<Victim>& truth)
        : options_(scenario.finding), seed_(scenario.run.seed), truth_(truth) {}
    std::vector<OperatorCommand> orders(const StepView& last) override;
    bool gives(const OperatorCommand& command) const override {
        return command.behaviour == "confirm" || command.behaviour == "decline";
    }

  private:
    VictimOptions options_;
    std::uint64_t seed_;
    const std::vector<Victim>& truth_;
    std::vector<int> learned_at_;  // by number of the base station's list
};

std::vector<OperatorCommand> VictimOperator::orders(const StepView& last) {
    std::vector<OperatorCommand> out;
    const Robot& base = last.team.front();
    const auto* log = base.part<VictimLog>();
    if (!log || !base.belief().briefing().is_base()) return out;
    const std::vector<FoundVictim>& found = log->found();
    learned_at_.resize(found.size(), last.step);
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (found[k].state != VictimState::reported || last.step != learned_at_[k] + options_.reply_steps) continue;
        const bool there = std::any_of(truth_.begin(), truth_.end(),
                                       [&](const Victim& v) { return v.away_m(found[k].at) <= VictimLog::join_m; });
        Rng rng(seed_, -1, Purpose::sighting, static_cast<int>(k), operator_stream);
        const bool right = rng.uniform() < options_.accuracy;
        out.push_back({there == right ? "confirm" : "decline", {found[k].at}});
    }
    return out;
}

}  // namespace

std::unique_ptr<OrderSource> make_victim_operator(const Scenario& s, const SimDriver& driver) {
    const auto* victims = driver.part<Victims>();
    if (!victims || s.finding.replies != VictimReplies::model) return nullptr;
    return std::make_unique<VictimOperator>(s, victims->victims());
}

}  // namespace outrider
