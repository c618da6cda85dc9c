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

/// The bytes of a file of the scratch folder.
std::string scratch_bytes(const std::string& name);

class SeedList {
  public:
    void add(const std::string& target, const std::string& name, std::string bytes) {
        seeds_.push_back({target, name, std::move(bytes)});
    }
    /// A file of the scratch folder.
    void add_file(const std::string& target, const std::string& name) { add(target, name, scratch_bytes(name)); }
    std::vector<Seed> take() { return std::move(seeds_); }

  private:
    std::vector<Seed> seeds_;
};
/// Of logs of real robots.
void add_sensor_logs(SeedList& out);
/// Of messages between robots.
void add_wire(SeedList& out);

}  // namespace outrider::fuzz
