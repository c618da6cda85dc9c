#include "live/join/step_alignment.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "outrider/error.hpp"

namespace outrider {
namespace {

/// A process that falls behind later says nothing about when it began.
constexpr int first_messages = 32;

/// By sender and receiver: how many steps the receiver's log begins at least after the sender's.
using Bounds = std::map<std::pair<std::size_t, std::size_t>, int>;

Bounds bounds_of(const std::vector<Receipt>& receipts) {
    Bounds out;
    std::map<std::pair<std::size_t, std::size_t>, int> counts;
    for (const Receipt& r : receipts) {
        const std::pair route(r.sender, r.receiver);
        if (counts[route]++ >= first_messages) continue;
        const auto [bound, fresh] = out.try_emplace(route, r.sent - r.received);
        if (!fresh) bound->second = std::max(bound->second, r.sent - r.received);
    }
    return out;
}

/// How many steps a log begins after another one, and how far that may be wrong.
struct Estimate {
    int later = 0, doubt = std::numeric_limits<int>::max();
};

std::optional<Estimate> estimate(const Bounds& bounds, std::size_t from, std::size_t to) {
    const auto there = bounds.find({from, to}), back = bounds.find({to, from});
    if (there == bounds.end() && back == bounds.end()) return {};
    if (back == bounds.end()) return Estimate{there->second + 1};
    if (there == bounds.end()) return Estimate{-back->second - 1};
    const int least = there->second, most = -back->second;
    return Estimate{(least + most) >> 1, std::abs(most - least)};  // rounded down
}

/// When each log begins after the first one, from the best estimates on.
std::vector<int> begins(const Bounds& bounds, const std::vector<std::string>& names) {
    std::vector<std::optional<int>> begin(names.size());
    begin[0] = 0;
    for (std::size_t known = 1; known < names.size(); ++known) {
        std::optional<Estimate> best;
        std::size_t next = 0;
        int at = 0;
        for (std::size_t i = 0; i < names.size(); ++i)
            for (std::size_t k = 0; k < names.size(); ++k) {
                if (!begin[i] || begin[k]) continue;
                const auto one = estimate(bounds, i, k);
                if (!one || (best && best->doubt <= one->doubt)) continue;
                best = one;
                next = k;
                at = *begin[i] + one->later;
            }
        if (!best) {
            const auto alone =
                static_cast<std::size_t>(std::find(begin.begin(), begin.end(), std::nullopt) - begin.begin());
            fail(
                "{} holds no message of the robots of {}, nor the other way round: nothing says which of their steps "
                "were at the same time",
                names[alone], known == 1 ? names[0] : "the other logs");
        }
        begin[next] = at;
    }
    std::vector<int> out;
    for (const std::optional<int>& b : begin) out.push_back(*b);
    for (std::size_t round = 0; round < names.size(); ++round)  // what the other bounds add
        for (const auto& [route, later] : bounds)
            out[route.second] = std::max(out[route.second], out[route.first] + later);
    return out;
}

}  // namespace

std::vector<std::vector<int>> align_steps(const std::vector<int>& steps, const std::vector<Receipt>& receipts,
                                          const std::vector<std::string>& names) {
    const std::vector<int> begin = begins(bounds_of(receipts), names);
    std::vector<std::vector<const Receipt*>> of(steps.size());
    for (const Receipt& r : receipts) of[r.receiver].push_back(&r);
    std::vector<std::vector<int>> out(steps.size());
    std::vector<std::size_t> taken(steps.size());
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < steps.size(); ++i)
            for (bool ready = true; ready && std::ssize(out[i]) < steps[i];) {
                const auto step = static_cast<int>(out[i].size());
                int at = out[i].empty() ? begin[i] : out[i].back() + 1;
                std::size_t k = taken[i];
                for (; ready && k < of[i].size() && of[i][k]->received <= step; ++k) {
                    const std::vector<int>& sender = out[of[i][k]->sender];
                    const auto sent = static_cast<std::size_t>(of[i][k]->sent);
                    ready = sent < sender.size();
                    if (ready) at = std::max(at, sender[sent]);
                }
                if (!ready) break;
                taken[i] = k;
                out[i].push_back(at);
                more = true;
            }
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (std::ssize(out[i]) < steps[i])
            fail("{}: step {} holds a message that was sent later: the logs are of different missions", names[i],
                 out[i].size());
    int first = std::numeric_limits<int>::max();
    for (const std::vector<int>& at : out)
        if (!at.empty()) first = std::min(first, at.front());
    for (std::vector<int>& of_log : out)
        for (int& at : of_log) at -= first;
    return out;
}

}  // namespace outrider
