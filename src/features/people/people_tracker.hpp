// Tracks of people, from the sightings of a whole team. What travels between robots are sightings, each of which counts
// once, whoever passed it on; so a track is as sure as its sightings make it, and no surer.
#pragma once

#include <compare>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "features/people/person_filter.hpp"
#include "outrider/briefing.hpp"

namespace outrider {

/// Somebody was seen.
struct PersonSighting {
    Point at;
    Spread spread;
    bool operator==(const PersonSighting&) const = default;
};

/// The first sighting of a track: its step, the robot, and which it was of those of that robot in that step.
struct TrackId {
    int step = 0;
    RobotId robot = 0;
    int index = 0;
    auto operator<=>(const TrackId&) const = default;
};

struct PersonTrack {
    TrackId id;
    PersonFilter filter;
    int steps_seen = 1;
    int last_seen = 0;     ///< step
    int seen_through = 0;  ///< steps since, in which a robot looked there and saw nobody
    bool confirmed() const { return steps_seen >= 3; }
};

/// Sightings that come late are put in where they belong: what was concluded before the last steps is kept, and these
/// are gone through again with all that is known by now.
class PeopleTracker {
  public:
    /// The oldest step, back from now, whose sightings still count.
    static constexpr int window_steps = 6;

    explicit PeopleTracker(double step_s) : step_s_(step_s) {}

    /// What a robot saw in a step; empty, late beyond the window, or there already: nothing changes.
    void add(int step, RobotId robot, std::vector<PersonSighting> sightings);
    /// To be called for each step, after what is known of it was added. Steps that were left out count, too.
    void update(int step);
    /// In this step nobody stands where this track is, as the robot itself saw.
    void saw_nobody(const TrackId& id);
    /// By id; those of the step last updated.
    const std::vector<PersonTrack>& tracks() const { return now_; }

  private:
    void go_through(std::vector<PersonTrack>& tracks, int step) const;
    void take(std::vector<PersonTrack>& tracks, int step, RobotId robot,
              const std::vector<PersonSighting>& sightings) const;

    double step_s_;
    int settled_step_ = -1, step_ = -1;
    std::vector<PersonTrack> settled_, now_;
    std::map<std::pair<int, RobotId>, std::vector<PersonSighting>> sightings_;  // after the settled step
    std::multimap<int, TrackId> nobody_;                                        // by step; likewise
};

}  // namespace outrider
