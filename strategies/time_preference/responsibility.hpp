// Who answers for carrying what was sensed to the base. Each robot answers for the cells that its own scans told first
// until the base has them or another robot, closer to the base, took them over. (Spirin, Cameron & de Hoog, TAROS
// 2013.)
//
// Handing over is at least once: the giver answers for its cells until the taker said that it took them and that it
// knows all that the giver knew. The taker answers, from then on, for everything on its map that the base lacks.
#pragma once

#include <optional>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/message.hpp"

namespace outrider {

class Responsibility {
  public:
    /// Once a step, before anything else is asked.
    void update(const Belief& belief);

    /// Free cells that this robot answers for.
    std::int64_t owned() const { return counts_.owned; }
    /// Free cells that the base is known to have, or that were handed over.
    std::int64_t safe() const { return counts_.at_base + counts_.given; }
    /// safe / (safe + owned); 1 when there is nothing.
    double ratio() const;
    bool answers_for(Cell c) const;

    /// Hears what the others say of their duty and decides who hands over to whom: the one that is nearer to the base
    /// takes. steps_to_base: the own way home, in steps.
    struct Exchange {
        bool gave = false;  ///< all that was offered is another's now
        bool took = false;  ///< another's cells are this robot's now
        bool taken_from_returning = false;
    };
    Exchange exchange(const Belief& belief, int steps_to_base);
    /// What to say, after exchange(): values {steps to base, owned cells, returning, offered to, offer, took of,
    /// offer}.
    Word word(int steps_to_base, bool returning) const;

  private:
    struct Counts {
        std::int64_t owned = 0, at_base = 0, given = 0;
    };
    struct Offer {
        RobotId to;
        std::int64_t id;
        TileTable<BitTile> cells;
    };
    struct Tile {
        BitTile owned, given, seen;  // seen: discovered cells that were taken in
        Counts counts;
    };
    void count(const KnownMap& map, TileCoord t);
    void take_all(const Belief& belief);
    void give(const Belief& belief);

    TileTable<Tile> tiles_;
    Counts counts_;
    ChangeCursor map_seen_;
    std::optional<Offer> offer_;
    std::vector<std::pair<RobotId, std::int64_t>> took_;  // the newest offer taken of each robot, sorted
};

/// What a robot last said of its duty; empty: nothing.
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
