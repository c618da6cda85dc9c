#include "radio/word_damage.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/rng.hpp"

namespace outrider {
namespace {

/// The sum, place by place, of the values of all words of these messages. It wraps around.
std::vector<std::int64_t> sum_of_words(const std::vector<Received>& inbox) {
    std::vector<std::uint64_t> sum;
    for (const Received& received : inbox)
        for (const Word& word : received.message->self().words) {
            if (word.values.size() > sum.size()) sum.resize(word.values.size());
            for (std::size_t k = 0; k < word.values.size(); ++k) sum[k] += static_cast<std::uint64_t>(word.values[k]);
        }
    return {sum.begin(), sum.end()};
}

std::int64_t scattered(std::int64_t value, double share) {
    constexpr double most = 9e18;  // fits into 64 bits
    const double out = static_cast<double>(value) * (1 + share);
    return std::llround(std::clamp(out, -most, most));
}

}  // namespace

void WordDamage::apply(RobotId receiver, int step, std::vector<Received>& inbox,
                       std::vector<std::shared_ptr<const Message>>& copies) const {
    if (!any()) return;
    copies.clear();
    const std::vector<std::int64_t> sum = sum_of_words(inbox);
    for (Received& received : inbox) {
        const Message& message = *received.message;
        if (message.self().words.empty()) continue;
        Rng rng(seed_, receiver, Purpose::message_loss, step, 1 + static_cast<std::uint32_t>(message.from));
        TeamRecord record = message.self();
        const bool jumbled = rng.uniform() < jumble_rate_;
        for (Word& word : record.words)
            for (std::size_t k = 0; k < word.values.size(); ++k) {
                if (jumbled) word.values[k] = sum[k];
                if (noise_ > 0) word.values[k] = scattered(word.values[k], noise_ * rng.normal());
            }
        if (record.words == message.self().words) continue;
        auto copy = std::make_shared<Message>(message);
        copy->records.set(static_cast<std::size_t>(message.from), std::move(record));
        received.message = copy.get();
        copies.push_back(std::move(copy));
    }
}

}  // namespace outrider
