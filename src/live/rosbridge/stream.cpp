#include "live/rosbridge/stream.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double longest_pause_ms = 3'600'000, longest_queue = 1000, least_fragment = 64, most_fragment = 1e9;

/// A number of a request; 0: it is not there.
double read_term(const Json& request, const char* key, double least, double most) {
    const Json* const json = request.find(key);
    if (!json || std::holds_alternative<std::nullptr_t>(json->value)) return 0;
    if (!json->number() || !(*json->number() >= least && *json->number() <= most))
        fail("{}: expected {:.0f} to {:.0f}", key, least, most);
    return *json->number();
}

RosCoding read_coding(const Json& request) {
    const Json* const json = request.find("compression");
    if (!json || std::holds_alternative<std::nullptr_t>(json->value)) return RosCoding::json;
    const std::string name = json->text() ? *json->text() : json_text(*json);
    if (name == "none" || name.empty()) return RosCoding::json;
    if (name == "cbor") return RosCoding::cbor;
    if (name == "cbor-raw") return RosCoding::raw;
    fail("compression {}: expected none, cbor or cbor-raw{}", shortened(name),
         name == "png" ? "; pictures take longer to make than they save" : "");
}

/// The smaller one that is not 0.
std::size_t smaller(std::size_t a, std::size_t b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

}  // namespace

StreamTerms read_terms(const Json& request, RosDialect dialect) {
    StreamTerms out{.dialect = dialect, .coding = read_coding(request)};
    out.pause = std::chrono::milliseconds(std::llround(read_term(request, "throttle_rate", 0, longest_pause_ms)));
    out.queue = static_cast<std::size_t>(read_term(request, "queue_length", 0, longest_queue));
    out.fragment = static_cast<std::size_t>(read_term(request, "fragment_size", least_fragment, most_fragment));
    return out;
}

StreamTerms common_terms(const StreamTerms& first, const StreamTerms& second) {
    StreamTerms out = first;  // and its dialect
    out.coding = std::max(first.coding, second.coding);
    out.pause = std::min(first.pause, second.pause);
    out.queue = std::min(first.queue, second.queue);
    out.fragment = smaller(first.fragment, second.fragment);
    return out;
}

void MessageStream::put(Message message, const StreamTerms& terms) {
    bytes_ += message->size();
    waiting_.push_back(std::move(message));
    while (waiting_.size() > std::max<std::size_t>(terms.queue, 1) || (bytes_ > most_bytes && waiting_.size() > 1)) {
        bytes_ -= waiting_.front()->size();
        waiting_.pop_front();
    }
}

MessageStream::Message MessageStream::take(const StreamTerms& terms, Clock::time_point now) {
    if (waiting_.empty() || now < next_) return nullptr;
    next_ = now + terms.pause;
    Message message = std::move(waiting_.front());
    waiting_.pop_front();
    bytes_ -= message->size();
    return message;
}

}  // namespace outrider
