// The people whom a robot knows of: it looks for them in its scans, sends what it saw, and tracks them by what all saw.
#pragma once

#include <vector>

#include "features/people/people_tracker.hpp"
#include "robot/robot_part.hpp"

namespace outrider {

/// What a robot saw in the last steps, as a word for all.
struct StepSightings {
    int step = 0;
    std::vector<PersonSighting> people;
    bool operator==(const StepSightings&) const = default;
};
/// Places to the millimetre, covariances to the square millimetre.
Word sightings_word(const std::vector<StepSightings>& sightings);
/// Empty: another word, or damaged.
std::vector<StepSightings> read_sightings(const Word& word);

class PeopleTracks final : public Copied<PeopleTracks, RobotPart> {
  public:
    PeopleTracks(double step_s, double radius_m) : radius_m_(radius_m), step_s_(step_s), tracker_(step_s) {}

    /// Looks for people in the newest scan of each sensor.
    void before_drawing(Knowledge& known, StepScans& scans) override;
    /// Sends what it saw lately: what did not arrive comes again.
    void after_choice(Knowledge& known, Intent& intent) override;

    /// By id, also those that are not confirmed; in the frame of the map.
    const std::vector<PersonTrack>& tracks() const { return tracker_.tracks(); }

  private:
    void follow_frame(const Knowledge& known);
    void look(const Knowledge& known, const StepScans& scans);
    void hear(const Knowledge& known);
    void look_through(const Knowledge& known, const StepScans& scans);

    double radius_m_, step_s_;
    PeopleTracker tracker_;
    std::vector<StepSightings> own_;  // of the last steps, oldest first
    std::vector<int> received_;       // by robot: the step of the record whose words were taken
    RobotId frame_ = -1;
};

}  // namespace outrider
