// Responsibility for carrying sensed data to the base. Each robot is responsible for the cells that its own scans
// discovered first until the base has them or another robot, closer to the base, took them over. (Spirin, Cameron & de
// Hoog, TAROS 2013.)
//
// Handover is at least once: the giver stays responsible for its cells until the taker reports that it took them and
// that it knows all that the giver knew. From then on the taker is responsible for everything on its map that the base
// is missing.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/team.hpp"

namespace outrider {

class Responsibility {
  public:
    /// Once a step, before anything else is asked.
    void update(const Belief& belief);

    /// Free cells that this robot is responsible for.
    std::int64_t owned() const { return counts_.owned; }
    /// Free cells that the base is known to have, or that were handed over.
    std::int64_t safe() const { return counts_.at_base + counts_.given; }
    /// safe / (safe + owned); 1 when there is nothing. Where the base says over the second channel that it has more,
    /// that counts.
    double ratio() const;
    bool answers_for(Cell c) const;

    /// Processes the others' reports of their duty and decides who hands over to whom: the robot nearer to the base
    /// takes. steps_to_base: the own path home, in steps.
    struct Exchange {
        bool gave = false;  ///< all that was offered is another's now
        bool took = false;  ///< another's cells are this robot's now
        bool taken_from_returning = false;
    };
    Exchange exchange(const Belief& belief, int steps_to_base);
    /// What to send, after exchange(): values {steps to base, owned cells, returning, offered to, offer, took of,
    /// offer}.
    Word word(int steps_to_base, bool returning) const;

  private:
    struct Counts {
        std::int64_t owned = 0, at_base = 0, given = 0;
    };
    using Rows = std::array<std::uint64_t, 64>;  // of a block: see outrider/map.hpp
    struct Offer {
        RobotId to;
        std::int64_t id;
        std::map<Cell, Rows> cells;  // by block
    };
    struct Block {
        Rows owned{}, given{}, seen{};  // seen: discovered cells that were taken in
        Counts counts;
    };
    void count(const MapView& map, Cell low);
    void take_all(const Belief& belief);
    void give(const Belief& belief);

    std::map<Cell, Block> blocks_;  // by their lower left cells
    Counts counts_;
    std::int64_t base_reported_ = 0;  // how many free cells it has
    ChangeCursor map_seen_;
    std::optional<Offer> offer_;
    std::vector<std::pair<RobotId, std::int64_t>> took_;  // the newest offer taken of each robot, sorted
};

/// What a robot last reported of its duty; empty: nothing.
struct DutyNews {
    int steps_to_base = 0;
    std::int64_t owned = 0;
    bool returning = false;
    RobotId offered_to = -1;
    std::int64_t offer = 0;
    std::vector<std::pair<RobotId, std::int64_t>> took;
};
std::optional<DutyNews> duty_of(const TeamRecord& record);

}  // namespace outrider
