#include "messages/order_words.hpp"

#include <algorithm>
#include <cmath>

#include "messages/checked_words.hpp"
#include "outrider/detail/hash.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t order_topic = 0x6f726472, obeyed_topic = 0x6f726f62, report_topic = 0x6f727270;
constexpr std::int64_t greatest = 1'000'000'000;  // of what a whole word holds

}  // namespace

RobotId first_base(const Briefing& briefing) {
    for (const TeamMember& member : briefing.team())
        if (member.role == Role::base) return member.id;
    return -1;
}

bool is_order(std::string_view behaviour) {
    return std::find(order_names.begin(), order_names.end(), behaviour) != order_names.end();
}

bool is_behaviour(std::string_view name) {
    return std::find(behaviour_names.begin(), behaviour_names.end(), name) != behaviour_names.end();
}

Word order_word(const NumberedOrder& order, RobotId to) {
    const auto kind = std::find(order_names.begin(), order_names.end(), order.command.behaviour) - order_names.begin();
    OUTRIDER_CHECK(static_cast<std::size_t>(kind), <, order_names.size());
    std::vector<std::int64_t> values{order.number, kind, thousandths(order.command.forward),
                                     thousandths(order.command.turn)};
    for (const Point& p : order.command.waypoints) {
        values.push_back(thousandths(p.x));
        values.push_back(thousandths(p.y));
    }
    return checked_word(order_topic, to, std::move(values));
}

std::optional<NumberedOrder> read_order(const Word& word, RobotId self) {
    const auto v = checked_values(word, order_topic, 4);
    if (v.empty() || word.to != self || v.size() % 2 || v[0] < 1 || v[0] > greatest || v[1] < 0 ||
        v[1] >= static_cast<std::int64_t>(order_names.size()))
        return {};
    NumberedOrder order{
        static_cast<int>(v[0]),
        {std::string(order_names[static_cast<std::size_t>(v[1])]), {}, from_thousandths(v[2]), from_thousandths(v[3])}};
    for (std::size_t i = 4; i < v.size(); i += 2)
        order.command.waypoints.push_back({from_thousandths(v[i]), from_thousandths(v[i + 1])});
    return order;
}

Word obeyed_word(int number, RobotId base) { return checked_word(obeyed_topic, base, {number}); }

std::optional<int> read_obeyed(const Word& word) {
    const auto v = checked_values(word, obeyed_topic, 1);
    if (v.empty() || v[0] < 1 || v[0] > greatest) return {};
    return static_cast<int>(v[0]);
}

Word report_word(const RobotReport& report, RobotId base) {
    std::vector<std::int64_t> values{std::llround(100 * report.battery), report.bumped, report.lost};
    for (const LinkReport& link : report.links) {
        values.push_back(link.robot);
        values.push_back(std::llround(link.signal_dbm));
    }
    return checked_word(report_topic, base, std::move(values));
}

std::optional<RobotReport> read_report(const Word& word) {
    const auto v = checked_values(word, report_topic, 3);
    if (v.empty() || v.size() % 2 == 0) return {};
    RobotReport report{static_cast<double>(v[0]) / 100, v[1] != 0, v[2] != 0, {}};
    for (std::size_t i = 3; i < v.size(); i += 2)
        report.links.push_back({static_cast<RobotId>(v[i]), static_cast<double>(v[i + 1])});
    return report;
}

}  // namespace outrider
