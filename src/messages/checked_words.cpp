#include "messages/checked_words.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/detail/hash.hpp"

namespace outrider {
namespace {

std::int64_t check_of(std::span<const std::int64_t> values) {
    Hasher hasher;
    for (const std::int64_t v : values) hasher(v);
    return static_cast<std::int64_t>(hasher.result().low >> 33);
}

}  // namespace

std::int64_t thousandths(double v) { return std::llround(1000 * std::clamp(v, -1e6, 1e6)); }

Word checked_word(std::uint32_t topic, RobotId to, std::vector<std::int64_t> values) {
    values.push_back(check_of(values));
    return {topic, to, std::move(values)};
}

std::span<const std::int64_t> checked_values(const Word& word, std::uint32_t topic, std::size_t least) {
    if (word.topic != topic || word.values.size() < least + 1) return {};
    const auto values = std::span(word.values).first(word.values.size() - 1);
    return check_of(values) == word.values.back() ? values : std::span<const std::int64_t>();
}

}  // namespace outrider
