#include "messages/victim_words.hpp"

#include "messages/checked_words.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t victim_topic = 0x76696374, received_topic = 0x76696861, decisions_topic = 0x76696465;
constexpr std::int64_t largest = 1'000'000;  // of numbers, looks and ids

}  // namespace

Word victim_word(const VictimNews& n, RobotId base) {
    return checked_word(victim_topic, base,
                        {n.number, n.version, thousandths(n.at.x), thousandths(n.at.y), n.looks, n.id, n.status});
}

std::optional<VictimNews> read_victim(const Word& word) {
    const auto v = checked_values(word, victim_topic, 7);
    if (v.size() != 7) return {};
    for (const std::size_t i : {0u, 1u, 4u})
        if (v[i] < 1 || v[i] > largest) return {};
    for (const std::size_t i : {5u, 6u})
        if (v[i] < -1 || v[i] > largest) return {};
    const auto whole = [&](std::size_t i) { return static_cast<int>(v[i]); };
    return VictimNews{whole(0), whole(1), {from_thousandths(v[2]), from_thousandths(v[3])},
                      whole(4), whole(5), whole(6)};
}

Word victims_received_word(const VictimsReceived& received, RobotId to) {
    std::vector<std::int64_t> values;
    for (const auto& [number, version] : received) {
        values.push_back(number);
        values.push_back(version);
    }
    return checked_word(received_topic, to, std::move(values));
}

VictimsReceived read_victims_received(const Word& word, RobotId self) {
    VictimsReceived out;
    const auto v = word.to == self ? checked_values(word, received_topic, 2) : std::span<const std::int64_t>();
    for (std::size_t i = 0; i + 1 < v.size(); i += 2)
        out.emplace_back(static_cast<int>(v[i]), static_cast<int>(v[i + 1]));
    return out;
}

Word victim_decisions_word(const std::vector<VictimDecision>& decisions) {
    std::vector<std::int64_t> values;
    for (const VictimDecision& d : decisions)
        for (const std::int64_t value : {thousandths(d.at.x), thousandths(d.at.y), std::int64_t{d.confirmed}})
            values.push_back(value);
    return checked_word(decisions_topic, to_all, std::move(values));
}

std::vector<VictimDecision> read_victim_decisions(const Word& word) {
    std::vector<VictimDecision> out;
    const auto v = checked_values(word, decisions_topic, 3);
    for (std::size_t i = 0; i + 2 < v.size(); i += 3)
        out.push_back({{from_thousandths(v[i]), from_thousandths(v[i + 1])}, v[i + 2] != 0});
    return out;
}

}  // namespace outrider
