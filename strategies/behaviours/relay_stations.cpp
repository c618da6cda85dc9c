#include "behaviours/relay_stations.hpp"

#include <algorithm>
#include <utility>

#include "shared/topics.hpp"

namespace outrider {
namespace {

constexpr double range_share = 0.9;  // of the radio's range

/// Where a robot that has taken a station stands; nothing: it has taken none.
std::optional<Cell> station_of(const TeamRecord& record) {
    for (const Word& word : record.words)
        if (word.topic == topic_station && word.values.size() == 2) return received_cell(word.values, 0);
    return {};
}

}  // namespace

RelayStations::Task RelayStations::next(const Belief& belief, const GoalOptions& along,
                                        const std::function<bool(const Frontier&)>& barred) {
    const Lattice& lattice = belief.map().lattice();
    const Briefing& me = belief.briefing();
    if (station_) {
        const bool cut_off = !me.bases.empty() && !belief.base_in_contact();
        if (cut_off && (stands_ || backs_up_)) {
            backs_up_ = true;
            stands_ = false;
            return {{}, belief.home(), false, "backs up until it hears the base station"};
        }
        if (std::exchange(backs_up_, false)) station_ = belief.cell();
        stands_ = stands_ || belief.cell() == *station_ || belief.goal_unreachable();
        if (stands_) return {{}, {}, true, "keeps its station"};
        return {{}, lattice.centre(*station_), false, "to its station"};
    }
    const double range_m = range_share * me.me().radio_range_m;
    std::vector<Cell> network;
    for (const auto& [base, pose] : me.bases) network.push_back(lattice.cell_of(pose.position()));
    bool my_turn = true;
    for (const TeamMember& member : me.team()) {
        if (member.id == belief.self() || member.role == Role::base || !member.mobile) continue;
        const auto stands = station_of(belief.latest(member.id));
        if (stands) network.push_back(*stands);
        my_turn = my_turn && (stands || member.id > belief.self());
    }
    const auto in_reach = [&](Cell at) {
        return std::any_of(network.begin(), network.end(),
                           [&](Cell node) { return believed_linked(belief.map(), me.radio, range_m, node, at); });
    };
    std::vector<Frontier> frontiers = frontier_goals(belief, along);
    std::erase_if(frontiers, barred);
    std::vector<Cell> goals;
    for (const Frontier& f : frontiers) goals.push_back(f.goal);
    PathSearch search = belief.search(belief.cell(), goals);
    std::optional<int> nearest;  // beyond the network
    for (int k = search.find_next(); k >= 0; k = search.find_next()) {
        if (in_reach(goals[static_cast<std::size_t>(k)]))
            return {
                frontiers[static_cast<std::size_t>(k)], {}, false, "to the nearest frontier in reach of the network"};
        if (!nearest) nearest = k;
    }
    if (!my_turn) return {{}, {}, false, "waits: others with lower numbers take stations first"};
    station_ = belief.cell();
    if (nearest)
        for (const Cell c : search.path(static_cast<std::size_t>(*nearest)).cells)
            if (in_reach(c)) station_ = c;
    return {{}, lattice.centre(*station_), false, "takes a station, as near to the next frontier as it is in reach"};
}

void RelayStations::add_words(std::vector<Word>& words) const {
    if (stands_) words.push_back({topic_station, to_all, {station_->x, station_->y}});
}

}  // namespace outrider
