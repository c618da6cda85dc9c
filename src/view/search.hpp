// A search over a whole run: what happened, and what robots gave as their reasons or sent.
#pragma once

#include "view/view_model.hpp"

namespace outrider::view {

/// Where to look: the run's events, or its remarks (remarks.hpp).
enum class Among { events, remarks };

struct Finding {
    int step = 0;
    std::optional<RobotId> robot;  ///< none: the run's
    std::string kind, text;
};

std::size_t count_of(const ViewModel& model, Among among);
/// The entry of a number below count_of().
Finding entry_of(const ViewModel& model, Among among, std::size_t number);
/// Numbers of the entries whose robot, kind and text hold all of these words, in any case; with `robot` only its own.
std::vector<std::size_t> find_entries(const ViewModel& model, Among among, const std::string& words,
                                      std::optional<RobotId> robot);
/// These as CSV: step, kind, robot, words.
std::string entries_csv(const ViewModel& model, Among among, const std::vector<std::size_t>& entries);

}  // namespace outrider::view
