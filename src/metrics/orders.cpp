#include "metrics/orders.hpp"

#include "messages/order_words.hpp"

namespace outrider {

void OrderCounts::on_step(const StepView& view) {
    tracks_.resize(view.percepts.size());
    for (std::size_t i = 0; i < view.percepts.size(); ++i)
        for (const OperatorCommand& command : view.percepts[i].commands) {
            const bool by_radio = command.to >= 0;
            if (!is_order(command.behaviour) || (!by_radio && !view.team[i].belief().briefing().me().mobile)) continue;
            const bool autonomous = command.behaviour == "autonomous";
            ++given_;
            if (by_radio) {
                sent_.push_back({view.step, autonomous});
            } else {
                ++obeyed_;
                tracks_[i].under_order = !autonomous;
            }
        }
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        Track& track = tracks_[i];
        if (!view.percepts[i].alive) continue;
        for (const auto& message : view.decisions[i].outbox)
            for (const Word& word : message->self().words) {
                const auto number = read_obeyed(word);
                if (!number || *number <= track.obeyed || static_cast<std::size_t>(*number) > sent_.size()) continue;
                const Sent& order = sent_[static_cast<std::size_t>(*number) - 1];
                track = {*number, !order.autonomous};
                ++obeyed_;
                latency_ += view.step - order.step;
            }
        operated_ += track.under_order;
        waited_ += track.under_order && view.decisions[i].command.path_body.empty();
    }
}

}  // namespace outrider
