#include "robot/remote.hpp"

#include "outrider/behaviours.hpp"

namespace outrider {

Intent RemoteStrategy::choose(const Belief&, Rng&) {
    if (!slot_->intent) return {.overlays = {Overlay::rule("stays: nobody has set its intent")}};
    Intent intent = *slot_->intent;
    slot_->intent->strategy_events.clear();
    return intent;
}

StrategyInfo remote_strategy() {
    return {"remote", RemoteStrategy::summary, RemoteStrategy::traits, list_fields(NoOptions{}),
            [](std::vector<Setting>& settings, const std::string& prefix) -> std::unique_ptr<Strategy> {
                NoOptions none;
                SettingReader reader(settings, prefix);
                none.fields(reader);
                reader.expect_all_used();
                return std::make_unique<RemoteStrategy>(none);
            }};
}

}  // namespace outrider
