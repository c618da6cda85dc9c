// Others in the way: people, and robots that scans see, or that wait for each other.
#pragma once

#include "features/people/discs.hpp"
#include "simulator/walker.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

/// What a robot is to others.
struct Presence {
    bool seen = false;    ///< by the scans of others
    bool blocks = false;  ///< others wait for it, and it waits for them and for people
};

class PeopleAndBodies final : public Copied<PeopleAndBodies, WorldPart> {
  public:
    /// people: in the team's frame; presence: by robot.
    PeopleAndBodies(std::vector<Walker> people, double person_radius_m, std::vector<Presence> presence)
        : walkers_(std::move(people)), person_radius_m_(person_radius_m), presence_(std::move(presence)) {}
    void begin(WorldState& state) override;
    void adjust(const WorldState& state, const Rays& rays, std::span<double> lengths) const override;
    /// It waits while somebody is in the way who goes first: people, and robots with a lower number that moved in this
    /// step.
    bool limit(const WorldState& state, RobotId robot, Command& command) const override;

    /// Where they are in this step.
    const std::vector<Disc>& people() const { return people_; }

  private:
    std::vector<Walker> walkers_;
    double person_radius_m_;
    std::vector<Presence> presence_;
    std::vector<Disc> people_;                      // in this step
    std::vector<std::pair<RobotId, Disc>> bodies_;  // of robots that scans see
};

}  // namespace outrider
