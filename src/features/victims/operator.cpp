#include "features/victims/operator.hpp"

#include <algorithm>

#include "features/victims/victim_log.hpp"
#include "features/victims/world.hpp"
#include "metrics/true_view.hpp"
#include "outrider/rng.hpp"
#include "robot/team_frames.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t operator_stream = 1 << 22;  // of Purpose::sighting

class VictimOperator final : public OrderSource {
  public:
    /// To be made before step 0.
    VictimOperator(const Scenario& scenario, const SimDriver& driver)
        : options_(scenario.features.get<VictimOptions>()),
          seed_(scenario.run.seed),
          truth_(driver.part<Victims>()->victims()),
          starts_(driver.world().poses()) {}
    std::vector<OperatorCommand> orders(const StepView& last) override;
    bool gives(const OperatorCommand& command) const override {
        return command.behaviour == "confirm" || command.behaviour == "decline";
    }

  private:
    VictimOptions options_;
    std::uint64_t seed_;
    const std::vector<Victim>& truth_;
    std::vector<Pose> starts_;
    std::vector<int> learned_at_;  // by number of the base station's list
};

std::vector<OperatorCommand> VictimOperator::orders(const StepView& last) {
    std::vector<OperatorCommand> out;
    const Robot& base = last.team.front();
    const auto* log = base.part<VictimLog>();
    if (!log || !base.belief().briefing().is_base()) return out;
    const std::vector<FoundVictim>& found = log->found();
    const Pose team_from_map = TrueView::team_from_map(starts_, base);
    learned_at_.resize(found.size(), last.step);
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (found[k].state != VictimState::reported || last.step != learned_at_[k] + options_.reply_steps) continue;
        const Point at = found[k].at, true_at = base.frames() ? transform(team_from_map, at) : at;
        const bool there = std::any_of(truth_.begin(), truth_.end(),
                                       [&](const Victim& v) { return v.away_m(true_at) <= VictimLog::join_m; });
        Rng rng(seed_, -1, Purpose::sighting, static_cast<int>(k), operator_stream);
        const bool right = rng.uniform() < options_.accuracy;
        // A base station gets orders in its own frame.
        const Point own = base.frames() ? transform(inverse(*base.frames()->place(0)), at) : at;
        out.push_back({there == right ? "confirm" : "decline", {own}});
    }
    return out;
}

}  // namespace

std::unique_ptr<OrderSource> make_victim_operator(const Scenario& s, const SimDriver& driver) {
    if (!driver.part<Victims>() || s.features.get<VictimOptions>().replies != VictimReplies::model) return nullptr;
    return std::make_unique<VictimOperator>(s, driver);
}

}  // namespace outrider
