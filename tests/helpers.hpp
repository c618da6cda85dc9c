// Small worlds drawn as text, random worlds, and truths to compare with.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "grid/ray_kernel.hpp"
#include "metrics/metrics.hpp"
#include "metrics/standstill.hpp"
#include "outrider/detail/nav_map.hpp"
#include "outrider/rng.hpp"
#include "robot/robot.hpp"
#include "run/run.hpp"
#include "simulation/simulation.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {

/// TEST_CASE("..." * slow()): many whole runs; sanitizers leave it out unless with tools/test --all.
inline doctest::test_suite slow() { return {"slow"}; }

/// '#' is a wall, everything else is free; the last row is the lowest one (row 0).
Grid<std::uint8_t> text_map(const std::vector<std::string>& rows, double cell_m = 0.1);
/// Cell of the first such letter in the rows.
Cell find_letter(const std::vector<std::string>& rows, char letter);

/// A scenario on a drawn map. 'B' is where the base starts, '1' ... '9' the robots; `toml` sets anything else.
Scenario text_scenario(const std::vector<std::string>& rows, const std::string& toml = "", double cell_m = 0.1);

/// Random walls: single cells, and straight and diagonal lines. Reproducible by `seed`.
Grid<std::uint8_t> random_map(int width, int height, std::uint64_t seed, double density = 0.05);

/// Rooms of random sizes between walls two to five cells thick, with doors of 8 to 12 cells; all free cells connected.
Grid<std::uint8_t> rooms_map(int width, int height, std::uint64_t seed);

/// A map that knows everything about the walls.
KnownMap known_all(const Grid<std::uint8_t>& walls);

/// A robot that has done nothing yet knows this map, or all of these walls.
void show(Robot& robot, const MapSnapshot& map);
void show_all(Robot& robot, const Grid<std::uint8_t>& walls);

/// Runs a scenario and returns how it ended; looks at every step if asked.
struct Outcome {
    EndReason reason;
    int steps;
    Hash128 digest;
    double team_share, base_share;
};
Outcome run_scenario(const Scenario& scenario, int threads = 1);

/// The metrics of the team by name, of a run that ended so.
std::map<std::string, double> summary_of(const Simulation& sim, EndReason end);

/// A folder for the files of a test; removed with everything in it.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// The paths of the ray kernels that this CPU has.
std::vector<RayPath> ray_paths();

std::string read_text(const std::string& path);
/// The size of a file that is not in place yet (PartialFile); 0: there is none.
std::uintmax_t partial_bytes(const std::string& folder, const std::string& name);
void write_text(const std::string& path, const std::string& text);

}  // namespace outrider
