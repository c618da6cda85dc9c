#include "view/remarks.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace outrider::view {
namespace {

constexpr std::size_t most_values = 16;  // of a word, in its text

std::string values_text(const std::vector<std::int64_t>& values) {
    const auto shown = std::span(values).first(std::min(values.size(), most_values));
    return fmt::format("{}{}", fmt::join(shown, " "), shown.size() < values.size() ? " ..." : "");
}

}  // namespace

void Remarks::note(int step, RobotId robot, std::string label, const std::string& text) {
    std::string& last = last_[{robot, label}];
    if (last == text || all_.size() == most) return;
    last = text;
    all_.push_back({step, robot, std::move(label), text});
}

void Remarks::note(const StepView& view) {
    const std::lock_guard lock(mutex_);
    if (view.step <= noted_) return;
    noted_ = view.step;
    for (std::size_t i = 0; i < view.decisions.size(); ++i) {
        const Decision& decision = view.decisions[i];
        const auto robot = static_cast<RobotId>(i);
        for (const Overlay& o : decision.overlays)
            if (o.kind == Overlay::Kind::text && o.meaning != Overlay::Meaning::curve)
                note(view.step, robot, o.layer, o.text);
        if (decision.outbox.empty()) continue;
        // Several words of a topic are one text.
        std::map<std::string, std::string> sent;
        for (const Word& word : decision.outbox.front()->self().words) {
            const std::string& name =
                word.to < 0 ? "" : view.team[static_cast<std::size_t>(word.to)].belief().briefing().me().name;
            std::string& text = sent[fmt::format("sends topic {}{}{}", word.topic, name.empty() ? "" : " to ", name)];
            text += (text.empty() ? "" : "; ") + values_text(word.values);
        }
        for (const auto& [label, text] : sent) note(view.step, robot, label, text);
    }
}

std::vector<Remark> Remarks::from(std::size_t first) const {
    const std::lock_guard lock(mutex_);
    return {all_.begin() + static_cast<std::ptrdiff_t>(std::min(first, all_.size())), all_.end()};
}

void Remarks::clear() {
    const std::lock_guard lock(mutex_);
    all_.clear();
    last_.clear();
    noted_ = -1;
}

}  // namespace outrider::view
