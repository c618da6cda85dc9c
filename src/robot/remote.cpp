#include "robot/remote.hpp"

#include "outrider/behaviours.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {

Intent RemoteStrategy::choose(const Belief&, Rng&) {
    if (!slot_->intent) return {.overlays = {Overlay::rule("stays: nobody has set its intent")}};
    Intent intent = *slot_->intent;
    slot_->intent->strategy_events.clear();
    return intent;
}

std::unique_ptr<Strategy> RemoteStrategy::copy() const {
    auto out = std::make_unique<RemoteStrategy>(options_);
    out->slot_ = WholeCopy::now()->of(slot_);
    return out;
}

StrategyInfo remote_strategy() {
    return {"remote", RemoteStrategy::summary, RemoteStrategy::traits, list_fields(RemoteStrategy::Options{}),
            [](std::vector<Setting>& settings, const std::string& prefix) -> std::unique_ptr<Strategy> {
                RemoteStrategy::Options options;
                SettingReader reader(settings, prefix);
                options.fields(reader);
                reader.expect_all_used();
                return std::make_unique<RemoteStrategy>(options);
            }};
}

}  // namespace outrider
