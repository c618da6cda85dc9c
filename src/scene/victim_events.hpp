// Whom a base station learned of, in the events of a log.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/victim_words.hpp"
#include "run/run_event.hpp"

namespace outrider {

/// As JSON: {"victim": 3, "x": ..., "y": ..., "id": ..., "status": ...}, in the team's frame.
std::string victim_json(int number, const FoundVictim& victim);

/// Somebody on the base station's list.
struct ListedVictim {
    FoundVictim found;      ///< first_step: when the base station learned of it
    int decided_step = -1;  ///< -1: not yet
};

/// The list as events tell it, one after the other.
class VictimList {
  public:
    /// Takes note of an event if it is about victims. Throws Error where it is not as victim_json() writes it.
    void add(int step, std::string_view kind, const std::string& json);
    const std::vector<ListedVictim>& list() const { return list_; }

  private:
    std::vector<ListedVictim> list_;
};

/// The list at the end of a step. Events that are not as victim_json() writes them, of a damaged log, are left out.
std::vector<ListedVictim> listed_victims(std::span<const RunEvent> events, int step);

inline constexpr std::string_view victim_reported = "victim_reported", victim_confirmed = "victim_confirmed",
                                  victim_declined = "victim_declined";

}  // namespace outrider
