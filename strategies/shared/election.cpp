#include "shared/election.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "shared/topics.hpp"

namespace outrider {

Election::Election(RobotId self, const Options& options) : self_(self), options_(options) {}

std::vector<std::int64_t> Election::values(const State& s) {
    return {static_cast<std::int64_t>(s.office), s.term, s.vote, s.leader, s.size, s.links, s.battery};
}

bool Election::read(std::span<const std::int64_t> v, State& s) {
    if (v.size() != 7 || v[0] < 0 || v[0] > 2) return false;
    s = {static_cast<Office>(v[0]),
         v[1],
         received_number(v[2]),
         received_number(v[3]),
         received_number(v[4]),
         v[5],
         v[6]};
    return true;
}

/// A total order: two robots are never equally fit.
bool Election::fitter(RobotId a, const State& of_a, RobotId b, const State& of_b) {
    return std::tuple(of_a.links, of_a.battery, -a) > std::tuple(of_b.links, of_b.battery, -b);
}

Election::State Election::own() const { return {office_, term_, vote_, leader_, size_, links_, battery_}; }

bool Election::leader_is_fresh(int now) const {
    return office_ == Office::leader || (leader_ >= 0 && now - leader_received_ < options_.timeout_low_steps);
}

int Election::draw_timeout(Rng& rng) const {
    const int low = options_.timeout_low_steps, more = std::max(0, options_.timeout_high_steps - low);
    return low + static_cast<int>(rng.below(static_cast<std::uint32_t>(more + 1)));
}

int Election::members(int now, int within) const {
    return 1 + static_cast<int>(std::count_if(members_.begin(), members_.end(),
                                              [&](const Member& m) { return now - m.received <= within; }));
}

std::vector<std::int64_t> Election::step(int now, std::span<const Received> received, Fitness fitness, Rng& rng) {
    if (!begun_ || leader_is_fresh(now)) {  // fitness is fixed during an election: otherwise nobody would win
        links_ = fitness.links;
        battery_ = static_cast<std::int64_t>(std::floor(fitness.battery * 1000));
    }
    listen(now, received);
    size_ = members(now, options_.timeout_low_steps);
    follow_best_leader(now, rng);
    if (office_ != Office::leader) {
        vote(now, rng);
        if (now - leader_received_ >= timeout_) call(now, rng);
        count(now);
    }
    return values(own());
}

void Election::listen(int now, std::span<const Received> received) {
    for (const Received& h : received) {
        State state;
        if (h.from == self_ || !read(h.values, state)) continue;
        const auto at = std::lower_bound(members_.begin(), members_.end(), h.from,
                                         [](const Member& m, RobotId id) { return m.robot < id; });
        if (at != members_.end() && at->robot == h.from)
            *at = {h.from, now, state};
        else
            members_.insert(at, {h.from, now, state});
    }
    std::erase_if(members_, [&](const Member& m) { return now - m.received > options_.member_steps; });
}

/// Of the leaders heard in this step, this one included, the one with the higher term stays, then that of the larger
/// component, then that with the lower number. A leader that receives a higher term from others takes a still higher
/// one: the robot that called the election missed the leader's messages, and that is no reason to change the leader.
void Election::follow_best_leader(int now, Rng& rng) {
    RobotId best = office_ == Office::leader ? self_ : -1;
    State of_best = own();
    std::int64_t highest = term_;
    for (const Member& m : members_) {
        if (m.received != now) continue;
        if (m.state.office != Office::leader) {
            highest = std::max(highest, m.state.term);
            continue;
        }
        const auto rank = [](RobotId robot, const State& s) { return std::tuple(s.term, s.size, -robot); };
        if (best >= 0 && rank(m.robot, m.state) <= rank(best, of_best)) continue;
        best = m.robot;
        of_best = m.state;
    }
    if (best == self_) {
        leader_ = self_;
        leader_received_ = now;
        if (highest > term_) {
            term_ = highest + 1;
            vote_ = self_;
        }
        return;
    }
    if (best < 0) return;
    office_ = Office::follower;
    leader_ = best;
    leader_received_ = now;
    timeout_ = draw_timeout(rng);
    if (of_best.term > term_) {
        term_ = of_best.term;
        vote_ = best;
    }
    begun_ = true;
}

/// Votes for the fittest candidate unless a fitter robot is around; if that is this robot, it becomes a candidate.
void Election::vote(int now, Rng& rng) {
    if (leader_is_fresh(now)) return;
    const Member* best = nullptr;
    for (const Member& m : members_)
        if (m.received == now && m.state.office == Office::candidate &&
            (!best || fitter(m.robot, m.state, best->robot, best->state)))
            best = &m;
    if (!best) return;
    if (fitter(self_, own(), best->robot, best->state)) {
        if (office_ == Office::follower || best->state.term > term_) {
            term_ = std::max(term_, best->state.term);
            call(now, rng);
        }
        return;
    }
    const bool somebody_fitter = std::any_of(members_.begin(), members_.end(), [&](const Member& m) {
        return now - m.received < options_.timeout_low_steps && fitter(m.robot, m.state, best->robot, best->state);
    });
    if (somebody_fitter || best->state.term < term_) return;
    if (best->state.term == term_ && vote_ >= 0 && vote_ != best->robot && office_ == Office::follower) return;
    office_ = Office::follower;
    term_ = best->state.term;
    vote_ = best->robot;
}

/// Stands for election.
void Election::call(int now, Rng& rng) {
    if (!begun_) {  // the first step: wait a time-out for a leader to be heard
        begun_ = true;
    } else {
        office_ = Office::candidate;
        leader_ = -1;
        ++term_;
        vote_ = self_;
    }
    leader_received_ = now;
    timeout_ = draw_timeout(rng);
}

/// A majority of the robots present makes a leader.
void Election::count(int now) {
    if (office_ != Office::candidate) return;
    const auto votes = 1 + std::count_if(members_.begin(), members_.end(), [&](const Member& m) {
                           return m.state.term == term_ && m.state.vote == self_;
                       });
    if (2 * votes <= members(now, options_.member_steps)) return;
    office_ = Office::leader;
    leader_ = self_;
    leader_received_ = now;
}

bool may_hold(RobotId self, std::span<const RobotId> holders) {
    return std::none_of(holders.begin(), holders.end(), [&](RobotId other) { return other < self; });
}

}  // namespace outrider
