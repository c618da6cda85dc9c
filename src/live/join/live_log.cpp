#include "live/join/live_log.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "outrider/error.hpp"
#include "wire/message_codec.hpp"

namespace outrider {

LiveLog::LiveLog(const std::string& path) : log_(path) {
    if (log_.meta().contains("joined"))
        fail("{}: is joined already; expected the logs that it was made of, and the others", path);
    if (!log_.meta().contains("live"))
        fail("{}: the log of a simulated world, which holds its whole team; expected logs of outrider robot", path);
}

std::string LiveLog::team() {
    std::string out;
    Statement row = log_.database().prepare("SELECT name FROM robot ORDER BY id");
    while (row.step()) out += (out.empty() ? "" : ", ") + std::string(row.bytes(0));
    return out;
}

void LiveLog::read() {
    rewind();
    sent_.resize(briefings().size());
    std::vector<MessageDecoder> decoders;
    for (const Briefing& briefing : briefings()) decoders.emplace_back(briefing);
    for (; replay_->next(); ++steps_)
        for (std::size_t i = 0; i < briefings().size(); ++i) {
            if (!replay_->percepts()[i].alive) continue;
            if (sent_[i].empty()) members_.push_back(briefings()[i].self);
            sent_[i].resize(static_cast<std::size_t>(steps_) + 1);
            for (const auto& message : replay_->decisions()[i].outbox) sent_[i].back() = MessageMark(message->self());
            for (const std::string& frame : replay_->recorded()[i].frames) note_arrival(decoders[i], frame);
        }
    if (!replay_->damaged().empty()) fail("{}: damaged: {}", path(), replay_->damaged().front());
    if (members_.empty()) fail("{}: holds no step of a robot", path());
    std::sort(members_.begin(), members_.end());
}

void LiveLog::note_arrival(MessageDecoder& decoder, const std::string& frame) try {
    const auto message = decoder.decode(frame).message;
    arrivals_.push_back({message->from, message->self().step, steps_, MessageMark(message->self())});
} catch (const Error&) {  // damaged on its way: the robot left it out, too
}

const std::string& LiveLog::name(RobotId robot) const {
    return briefings().front().team()[static_cast<std::size_t>(robot)].name;
}

std::string LiveLog::member_names() const {
    std::string out;
    for (const RobotId robot : members_) out += (out.empty() ? "" : ", ") + name(robot);
    return out;
}

bool LiveLog::sent(RobotId member, int step, const MessageMark& mark) const {
    const auto& marks = sent_[static_cast<std::size_t>(member)];
    return step < std::ssize(marks) && marks[static_cast<std::size_t>(step)] == mark;
}

std::vector<std::pair<int, std::string>> LiveLog::notes() {
    std::vector<std::pair<int, std::string>> out;
    for (const LogReader::Event& event : log_.events()) {
        if (event.kind != "note") continue;
        const Json json = parse_json(event.json);
        const Json* text = json.find("text");
        if (text && text->text()) out.emplace_back(event.step, *text->text());
    }
    return out;
}

EndReason LiveLog::end_reason() const {
    const auto reason = log_.meta().find("end_reason");
    if (reason == log_.meta().end()) return EndReason::interrupted;
    const auto at = std::find(end_reason_names.begin(), end_reason_names.end(), reason->second);
    return at == end_reason_names.end() ? EndReason::interrupted
                                        : static_cast<EndReason>(at - end_reason_names.begin());
}

}  // namespace outrider
