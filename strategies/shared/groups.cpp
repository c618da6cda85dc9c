#include "shared/groups.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "shared/topics.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t state_topic = 0x67727073, split_topic = 0x67727078, call_topic = 0x67727063;

const Word* find_word(const TeamRecord& record, std::uint32_t topic) {
    for (const Word& w : record.words)
        if (w.topic == topic && !w.values.empty()) return &w;
    return nullptr;
}

}  // namespace

bool GroupMember::apart(const Belief& belief, Cell a, Cell b) const {
    const double d = belief.map().lattice().cells(options_.apart_m);
    return static_cast<double>(squared_distance(a, b)) > d * d;
}

/// Groups by number among the explorers.
void GroupMember::begin(const Belief& belief) {
    begun_ = true;
    std::vector<RobotId> explorers;
    for (const TeamMember& m : belief.briefing().team())
        if (m.role == Role::explorer && m.mobile) explorers.push_back(m.id);
    const auto size = group_size_ == 0 ? explorers.size() : static_cast<std::size_t>(group_size_);
    for (std::size_t first = 0; first < explorers.size(); first += size) {
        const std::size_t end = std::min(explorers.size(), first + size);
        const auto mine = std::find(explorers.begin() + static_cast<std::ptrdiff_t>(first),
                                    explorers.begin() + static_cast<std::ptrdiff_t>(end), belief.self());
        if (mine == explorers.begin() + static_cast<std::ptrdiff_t>(end)) continue;
        leader_ = explorers[first];
        if (leader_ != belief.self()) {
            state_ = following;
        } else {
            state_ = first == 0 ? leading : waiting;
            followers_.assign(explorers.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                              explorers.begin() + static_cast<std::ptrdiff_t>(end));
        }
        return;
    }
    state_ = leading;
}

/// Robots named in their leader's message of a split lead, or follow another leader, from now on.
void GroupMember::hear(const Belief& belief) {
    for (const auto& record : belief.team()) {
        if (record->robot == belief.self() || record->seq == 0 || record->frame != belief.map().frame()) continue;
        const Word* state = find_word(*record, state_topic);
        if (state_ == following ? record->robot == leader_ : state && state->values[0] == leading)
            received_ = std::max(received_, record->step);
        if (state_ != following || record->robot != leader_) continue;
        for (const Word& w : record->words) {
            if (w.topic != split_topic || w.values.size() < 3) continue;
            const auto team = static_cast<std::int64_t>(belief.team().size());
            if (std::any_of(w.values.begin() + 2, w.values.end(), [&](auto v) { return v < 0 || v >= team; })) continue;
            const auto me = std::find(w.values.begin() + 2, w.values.end(), belief.self());
            if (me == w.values.end()) continue;
            received_ = belief.step();
            if (me != w.values.begin() + 2) {
                leader_ = received_number(w.values[2]);
                return;
            }
            state_ = leading;
            sent_to_ = received_cell(w.values, 0);
            followers_.clear();
            for (std::size_t k = 3; k < w.values.size(); ++k) followers_.push_back(received_number(w.values[k]));
            return;
        }
    }
}

/// Whether some explorer calls for a frontier that no leader goes to and no other waiting group is nearer to.
bool GroupMember::called(const Belief& belief) const {
    const std::vector<Cell> taken = leaders_goals(belief);
    const Lattice& lattice = belief.map().lattice();
    for (const auto& record : belief.team()) {
        const Word* calls = record->frame == belief.map().frame() ? find_word(*record, call_topic) : nullptr;
        for (std::size_t k = 0; calls && k + 2 <= calls->values.size(); k += 2) {
            const Cell goal = received_cell(calls->values, k);
            if (std::any_of(taken.begin(), taken.end(), [&](Cell t) { return !apart(belief, t, goal); })) continue;
            const auto mine = squared_distance(belief.cell(), goal);
            bool nearest = true;
            for (const auto& other : belief.team()) {
                if (other->robot == belief.self() || belief.step() - other->step > options_.mates.remember_steps)
                    continue;
                const Word* state = find_word(*other, state_topic);
                if (!state || state->values[0] != waiting || other->done) continue;
                const auto theirs = squared_distance(lattice.cell_of(other->pose.position()), goal);
                nearest = nearest && (mine < theirs || (mine == theirs && belief.self() < other->robot));
            }
            if (nearest) return true;
        }
    }
    return false;
}

std::vector<Cell> GroupMember::leaders_goals(const Belief& belief) const {
    std::vector<Cell> goals;
    for (const Participant& p : participants(belief, options_.mates)) {
        const Word* state = p.robot == belief.self() ? nullptr : find_word(belief.latest(p.robot), state_topic);
        if (state && state->values[0] == leading && p.goal) goals.push_back(*p.goal);
    }
    for (const Split& s : splits_) goals.push_back(s.goal);
    return goals;
}

Intent GroupMember::choose(const Belief& belief) {
    if (!begun_) begin(belief);
    hear(belief);
    const bool lonely = belief.step() - received_ > options_.patience_steps;
    const bool leader_done = state_ == following && belief.latest(leader_).done;
    if (state_ == following && (lonely || leader_done)) state_ = leading;
    if (state_ == waiting && (lonely || called(belief))) state_ = leading;
    Intent intent;
    if (state_ == leading) {
        intent = lead(belief);
    } else if (candidate_frontiers(belief).empty()) {
        intent = go_home(belief);
    } else if (const TeamRecord& leader = belief.latest(leader_); state_ == following && leader.seq > 0) {
        const Word* state = find_word(leader, state_topic);
        if (state && state->values[0] != waiting) {
            const Lattice& lattice = belief.map().lattice();
            intent.action = Goto{leader.pose.position(), 3 * lattice.cell_m, {}};
        }
    }
    intent.words = words(belief);
    if (belief.overlays_wanted() && state_ != leading)
        intent.overlays = {
            Overlay::rule(state_ == waiting ? "waits to be called" : fmt::format("goes with robot {}", leader_))};
    return intent;
}

Intent GroupMember::lead(const Belief& belief) {
    const auto candidates = [&](const Belief& b) {
        calls_.clear();
        return frontier_goals(b, options_.goals);
    };
    return pursuit_.step(belief, candidates,
                         [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
}

/// The nearest frontier that no other leader goes to. The others are for the second half of the group when they are far
/// apart, or are called. When all are taken: the nearest one.
int GroupMember::select(const Belief& belief, const std::vector<Frontier>& frontiers) {
    std::vector<Cell> taken = leaders_goals(belief);
    const auto is_free = [&](Cell goal) {
        return std::all_of(taken.begin(), taken.end(), [&](Cell t) { return apart(belief, t, goal); });
    };
    int chosen = -1, nearest = -1;
    PathSearch paths = belief.search(belief.cell(), goals_of(frontiers));
    if (sent_to_) {  // the frontier that this group was split off for, or what is left of it
        for (std::size_t f = 0; f < frontiers.size(); ++f)
            if (!apart(belief, frontiers[f].goal, *sent_to_) && paths.find(f) == PathStatus::found &&
                (chosen < 0 || squared_distance(frontiers[f].goal, *sent_to_) <
                                   squared_distance(frontiers[static_cast<std::size_t>(chosen)].goal, *sent_to_)))
                chosen = static_cast<int>(f);
        sent_to_.reset();
    }
    if (chosen < 0)
        for (std::size_t left = frontiers.size(); left > 0 && chosen < 0; --left) {
            const int f = paths.find_next();
            if (f < 0) break;
            if (nearest < 0) nearest = f;
            if (is_free(frontiers[static_cast<std::size_t>(f)].goal)) chosen = f;
        }
    if (chosen < 0) chosen = nearest;
    if (chosen < 0) return -1;
    taken.push_back(frontiers[static_cast<std::size_t>(chosen)].goal);
    for (const Frontier& f : frontiers) {
        if (!is_free(f.goal)) continue;
        if (followers_.empty()) {
            calls_.push_back(f.goal);
        } else {
            const auto keep = static_cast<std::ptrdiff_t>(followers_.size() / 2);
            splits_.push_back(
                {{followers_.begin() + keep, followers_.end()}, f.goal, belief.step() + options_.split_steps});
            followers_.resize(static_cast<std::size_t>(keep));
        }
        taken.push_back(f.goal);
    }
    if (belief.overlays_wanted()) {
        std::vector<double> free;
        for (const Frontier& f : frontiers) free.push_back(is_free(f.goal));
        pursuit_.explain({candidates_overlay(belief, frontiers, std::move(free), "1: left for others"),
                          Overlay::rule(fmt::format("leads {} others to the nearest frontier that is free; {} called",
                                                    followers_.size(), calls_.size()))});
    }
    return chosen;
}

std::vector<Word> GroupMember::words(const Belief& belief) {
    std::vector<Word> out{{state_topic, to_all, {state_}}};
    std::erase_if(splits_, [&](const Split& s) {
        const Word* state = find_word(belief.latest(s.members[0]), state_topic);
        return belief.step() > s.until || (state && state->values[0] == leading && s.members.size() == 1);
    });
    for (const Split& s : splits_) {
        Word word{split_topic, to_all, {s.goal.x, s.goal.y}};
        word.values.insert(word.values.end(), s.members.begin(), s.members.end());
        out.push_back(std::move(word));
    }
    if (state_ == leading && !calls_.empty()) {
        Word word{call_topic, to_all, {}};
        for (const Cell c : calls_) word.values.insert(word.values.end(), {c.x, c.y});
        out.push_back(std::move(word));
    }
    return out;
}

}  // namespace outrider
