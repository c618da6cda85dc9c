#include "relay_network/network_plan.hpp"

#include <algorithm>
#include <cmath>

#include "shared/assignment.hpp"
#include "shared/chain.hpp"
#include "shared/sites.hpp"
#include "shared/topics.hpp"

namespace outrider {
namespace {

/// How far along a path a robot at a place is heard well, without a gap.
class Hearing {
  public:
    Hearing(const Belief& belief, const std::vector<Cell>& path, double margin_db)
        : belief_(belief),
          path_(path),
          margin_db_(margin_db),
          stride_(whole<std::size_t>(std::max(4.0, belief.speed_cells()))) {}

    bool well(RobotId robot, Cell at, Cell c) const {
        return should_hear_well(belief_, robot, at, belief_.self(), c, margin_db_);
    }
    /// The last index from `from` on; `from` itself where it is not heard there.
    std::size_t last(RobotId robot, Cell at, std::size_t from) const {
        std::size_t k = from;
        while (k + 1 < path_.size()) {
            const std::size_t next = std::min(k + stride_, path_.size() - 1);
            if (!well(robot, at, path_[next])) break;
            k = next;
        }
        return k;
    }

  private:
    const Belief& belief_;
    const std::vector<Cell>& path_;
    double margin_db_;
    std::size_t stride_;
};

}  // namespace

std::optional<Cell> NetworkPlan::station_of(RobotId robot) const {
    for (const Station& s : stations)
        if (s.robot == robot) return s.cell;
    return {};
}

Word word_of(const NetworkPlan& plan) {
    Word word{topic_network, to_all, {plan.id, plan.finished}};
    for (const Station& s : plan.stations) word.values.insert(word.values.end(), {s.robot, s.cell.x, s.cell.y});
    return word;
}

std::optional<NetworkPlan> network_plan_in(const TeamRecord& record) {
    for (const Word& word : record.words) {
        const auto& v = word.values;
        if (word.topic != topic_network || v.size() < 2 || v.size() % 3 != 2) continue;
        NetworkPlan plan{v[0], v[1] != 0, {}};
        for (std::size_t i = 2; i < v.size(); i += 3)
            plan.stations.push_back({received_number(v[i]), received_cell(v, i + 1)});
        return plan;
    }
    return {};
}

std::optional<Deployment> sent_state(const Belief& belief, RobotId robot) {
    for (const Word& word : belief.latest(robot).words)
        if (word.topic == topic_deployment && word.values.size() == 1 && word.values[0] >= 0 &&
            word.values[0] < static_cast<std::int64_t>(deployment_names.size()))
            return static_cast<Deployment>(word.values[0]);
    return {};
}

std::optional<std::vector<Cell>> stations_along(const Belief& belief, RobotId base, const std::vector<Cell>& path,
                                                const std::vector<Cell>& standing, std::size_t most, double margin_db) {
    constexpr double nearly = 0.7;
    const Hearing hearing(belief, path, margin_db);
    std::vector<Cell> stations;
    Cell at = path.front();
    RobotId robot = base;
    for (std::size_t from = 0;;) {
        const std::size_t covered = hearing.last(robot, at, from);
        if (covered + 1 == path.size()) return stations;
        if (stations.size() == most) return {};
        // On the path, or where a robot stands already.
        Cell best = path[covered];
        const std::size_t ahead = hearing.last(belief.self(), best, covered);
        auto enough =
            static_cast<std::size_t>(static_cast<double>(covered) + nearly * static_cast<double>(ahead - covered));
        for (const Cell c : standing) {
            if (c == at || std::find(stations.begin(), stations.end(), c) != stations.end()) continue;
            if (!hearing.well(robot, at, c) || !hearing.well(belief.self(), c, path[covered])) continue;
            const std::size_t there = hearing.last(belief.self(), c, covered);
            if (there <= enough) continue;
            enough = there;
            best = c;
        }
        if (best == path[covered] && (covered == from || ahead == covered)) return {};  // no way on
        stations.push_back(best);
        at = best;
        robot = belief.self();
        from = covered;
    }
}

std::vector<Station> staffed(const Belief& belief, const std::vector<RobotId>& team, const std::vector<Cell>& places) {
    CostMatrix costs(team.size(), places.size());
    for (std::size_t r = 0; r < team.size(); ++r)
        for (std::size_t p = 0; p < places.size(); ++p)
            costs(r, p) = std::sqrt(static_cast<double>(squared_distance(last_cell(belief, team[r]), places[p])));
    std::vector<Station> out;
    const std::vector<int> places_of = hungarian(costs);
    for (std::size_t r = 0; r < team.size(); ++r)
        if (places_of[r] >= 0) out.push_back({team[r], places[static_cast<std::size_t>(places_of[r])]});
    return out;
}

}  // namespace outrider
