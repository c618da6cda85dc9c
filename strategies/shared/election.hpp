// Leader election in every connected component of the team: Raft (Ongaro & Ousterhout, 2014) with a quorum of the
// robots present instead of a fixed membership, and votes by fitness instead of first come, first served (after the
// election that robot soccer teams use). A state machine: its input is the received messages, its output what to send.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/briefing.hpp"
#include "outrider/options.hpp"
#include "outrider/rng.hpp"

namespace outrider {

enum class Office : std::uint8_t { follower, candidate, leader };
inline constexpr std::array<std::string_view, 3> office_names{"follower", "candidate", "leader"};

/// Who would be the better leader: more direct links, then the fuller battery, then the lower number.
struct Fitness {
    int links = 0;
    double battery = 1;
};

class Election {
  public:
    struct Options {
        int timeout_low_steps = 10;
        int timeout_high_steps = 20;
        int member_steps = 30;
        void fields(Fields& f) {
            f("timeout_low_steps", timeout_low_steps, 2, 10000,
              "nobody calls an election sooner after a message of the leader");
            f("timeout_high_steps", timeout_high_steps, 2, 10000, "and nobody waits longer; drawn anew each time");
            f("member_steps", member_steps, 1, 10000, "a robot silent for so long does not count for the majority");
        }
    };
    /// The values of a word of topic_leader, and its sender.
    struct Received {
        RobotId from = 0;
        std::span<const std::int64_t> values;
    };

    Election(RobotId self, const Options& options);

    /// Once a step: what was received in this step from robots in the own component (not forwarded messages of robots
    /// that are far away), and the own fitness. Gives the values to send. Values of another length are ignored.
    std::vector<std::int64_t> step(int now, std::span<const Received> received, Fitness own, Rng& rng);

    Office office() const { return office_; }
    /// -1: none is known.
    RobotId leader() const { return leader_; }
    std::int64_t term() const { return term_; }

  private:
    /// What a robot sent last.
    struct State {
        Office office = Office::follower;
        std::int64_t term = 0;
        RobotId vote = -1, leader = -1;
        int size = 1;  ///< of its component, as far as it knows
        std::int64_t links = 0, battery = 0;
    };
    struct Member {
        RobotId robot = 0;
        int received = 0;
        State state;
    };
    static std::vector<std::int64_t> values(const State& state);
    static bool read(std::span<const std::int64_t> values, State& state);
    static bool fitter(RobotId a, const State& of_a, RobotId b, const State& of_b);

    void listen(int now, std::span<const Received> received);
    void follow_best_leader(int now, Rng& rng);
    void vote(int now, Rng& rng);
    void call(int now, Rng& rng);
    void count(int now);
    bool leader_is_fresh(int now) const;
    int draw_timeout(Rng& rng) const;
    int members(int now, int within) const;
    State own() const;

    RobotId self_;
    Options options_;
    Office office_ = Office::follower;
    std::int64_t term_ = 0;
    RobotId leader_ = -1, vote_ = -1;
    int leader_received_ = 0;  // step of its last message, or in which the last election began
    int timeout_ = 0;          // steps from then on
    bool begun_ = false;
    std::int64_t links_ = 0, battery_ = 0;
    int size_ = 1;
    std::vector<Member> members_;  // by number, without this robot
};

/// Without an election: whether a robot may take, or keep, a role that only one may hold: no robot with a lower number
/// reports that it holds it (CAMBADA, 2009).
bool may_hold(RobotId self, std::span<const RobotId> holders);

}  // namespace outrider
