#include "wire/frame_inbox.hpp"

#include <algorithm>

#include "outrider/error.hpp"

namespace outrider {

FrameInbox::FrameInbox(const Briefing& receiver)
    : self_(receiver.self), decoder_(receiver), ahead_(receiver.team().size()) {}

void FrameInbox::take(int step, std::span<const std::string> frames, std::vector<Received>& inbox,
                      const std::function<void(const std::string& what)>& complain) {
    inbox.clear();
    messages_.clear();
    for (const std::string& frame : frames) {
        try {
            DecodedMessage arrived = decoder_.decode(frame);
            if (arrived.message->from == self_) continue;
            messages_.push_back(in_own_steps(std::move(arrived.message), step));
            inbox.push_back({messages_.back().get(), arrived.all_tiles, std::move(arrived.tiles)});
        } catch (const Error& error) {
            if (complain) complain(error.what());
        }
    }
    std::stable_sort(inbox.begin(), inbox.end(),
                     [](const Received& a, const Received& b) { return a.message->from < b.message->from; });
}

std::shared_ptr<const Message> FrameInbox::in_own_steps(std::shared_ptr<const Message> message, int step) {
    std::optional<int>& ahead = ahead_[static_cast<std::size_t>(message->from)];
    ahead = std::min(ahead.value_or(INT32_MAX), step - 1 - message->self().step);
    if (*ahead == 0) return message;
    auto out = std::make_shared<Message>(*message);
    for (std::size_t i = 0; i < out->records.size(); ++i) {
        if (out->records.seq(i) == 0) continue;
        TeamRecord record = *out->records[i];
        record.step = std::max(0, record.step + *ahead);
        out->records.set(i, std::move(record));
    }
    return out;
}

}  // namespace outrider
