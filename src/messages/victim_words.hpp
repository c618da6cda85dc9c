// Reports of people who were found, as words between robots and the first base station.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "outrider/team.hpp"

namespace outrider {

enum class VictimState : std::uint8_t { reported, confirmed, declined };
inline constexpr std::array<std::string_view, 3> victim_state_names{"reported", "confirmed", "declined"};

/// Somebody who was found, as this robot knows it.
struct FoundVictim {
    Point at;                  ///< mean of all sightings, in the team's frame
    int looks = 0;             ///< sightings
    int id = -1, status = -1;  ///< -1: not known
    int first_step = 0;        ///< when this robot learned of it
    VictimState state = VictimState::reported;
};

/// What a robot reports of somebody whom it found.
struct VictimNews {
    int number = 0;            ///< of the robot's reports, from 1
    int version = 0;           ///< of this report, from 1
    Point at;                  ///< in the team's frame, to the millimetre
    int looks = 0;             ///< sightings of which `at` is the mean
    int id = -1, status = -1;  ///< -1: not known
    bool operator==(const VictimNews&) const = default;
};
Word victim_word(const VictimNews& news, RobotId base);
/// nothing: not a whole report.
std::optional<VictimNews> read_victim(const Word& word);

/// That these versions of a robot's reports came to the base station: number and version.
using VictimsReceived = std::vector<std::pair<int, int>>;
Word victims_received_word(const VictimsReceived& received, RobotId to);
VictimsReceived read_victims_received(const Word& word, RobotId self);

/// What was decided about places, for all.
struct VictimDecision {
    Point at;
    bool confirmed = false;
    bool operator==(const VictimDecision&) const = default;
};
Word victim_decisions_word(const std::vector<VictimDecision>& decisions);
std::vector<VictimDecision> read_victim_decisions(const Word& word);

}  // namespace outrider
