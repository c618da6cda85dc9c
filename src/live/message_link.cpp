#include "live/message_link.hpp"

#include <fmt/format.h>

#include <utility>

#include "messages/order_words.hpp"

namespace outrider {

MessageLink::MessageLink(const Briefing& briefing, std::unique_ptr<RelayClient> relay)
    : briefing_(briefing), relay_(std::move(relay)), inbox_(briefing), encoders_(briefing.team().size()) {
    if (first_base(briefing) == briefing.self) viewers_.emplace(briefing);
}

void MessageLink::greet() { relay_->connected(); }

void MessageLink::wait_for_welcome(std::chrono::milliseconds patience) { relay_->wait_for_welcome(patience); }

std::vector<std::string> MessageLink::hear(int step, std::optional<int> shared_step, std::chrono::milliseconds patience,
                                           std::vector<Received>& inbox, const Complain& complain) {
    if (shared_step && relay_->in_lockstep() && !relay_->wait_for(*shared_step, patience))
        complain(fmt::format("the messages of step {} did not come", *shared_step));
    std::vector<std::string> frames;
    for (RelayClient::Arrived& arrived : relay_->take(std::chrono::milliseconds(0)))
        frames.push_back(std::move(arrived.bytes));
    take_requests();
    for (const std::string& what : relay_->take_complaints()) complain(what);
    inbox_.take(step, frames, inbox, complain);
    return frames;
}

void MessageLink::say(const std::vector<std::shared_ptr<const Message>>& outbox, std::span<const RobotId> receivers,
                      std::optional<int> shared_step) {
    for (const auto& message : outbox)
        for (const RobotId to : receivers) {
            if (to == briefing_.self || (message->to != to_all && message->to != to)) continue;
            const auto i = static_cast<std::size_t>(to);
            if (!encoders_[i]) encoders_[i].emplace(briefing_, to);
            relay_->send(briefing_.team()[i].name, encoders_[i]->encode(*message, inbox_.received(to)));
        }
    take_requests();
    if (viewers_)
        viewers_->answer(
            outbox, [this](const std::string& viewer, const std::string& report) { relay_->report(viewer, report); });
    if (shared_step) relay_->end_step(*shared_step);
}

void MessageLink::take_requests() {
    for (const RelayClient::Arrived& request : relay_->take_requests())
        if (viewers_) viewers_->take(request.from, request.bytes);
}

}  // namespace outrider
