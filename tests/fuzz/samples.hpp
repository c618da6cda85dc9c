// A small run and a small sweep, made by the program's own writers: the seeds come from them, and targets that change a
// part of a file start with them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "batch/sweep_plan.hpp"
#include "log/keyframe.hpp"
#include "log/step_columns.hpp"
#include "outrider/briefing.hpp"

namespace outrider::fuzz {

/// The bytes of the full log of a base station and two robots over eight steps: chunks begin at steps 0 and 1.
const std::string& sample_log();
std::vector<Briefing> sample_briefings();

/// The folder of a sweep of a few runs, worked on, in the scratch folder: plan.sqlite, shards/0001.sqlite,
/// results.sqlite; the maps and scenarios of its runs lie above it.
const std::string& sample_sweep();

/// Seeds of all targets: target, name, bytes.
struct Seed {
    std::string target, name, bytes;
};
std::vector<Seed> make_seeds();

}  // namespace outrider::fuzz
