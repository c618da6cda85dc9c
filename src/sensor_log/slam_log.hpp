// SLAM on the log of a real robot, and how good its poses are.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/image.hpp"
#include "sensor_log/sensor_log.hpp"
#include "slam/slam.hpp"

namespace outrider {

struct TimedPose {
    double time_s = 0;
    Pose pose;
};

/// How sure a method was of a pose when it reported it.
struct PoseDoubt {
    Matrix3
        covariance{};  ///< of x, y (m2) and yaw (rad2), in the frame of the map; without the odometry since the scan
    double fit = 0;    ///< share of the ends of the last scan at known places that fit; 0: none yet
    bool lost = false;
};

struct SlamRun {
    /// One for each record from the first scan on: the last estimate and the odometry since.
    std::vector<TimedPose> trajectory;
    std::vector<PoseDoubt> doubts;  ///< of each of these, as it was then
    std::unique_ptr<Slam> slam;
    double cpu_s = 0;  ///< of the process
    std::size_t scans = 0, ends = 0;
    double longest_update_s = 0;  ///< wall time
    bool whole = true;            ///< false: interrupted
    /// When it was lost, and when it was found again: infinity, if it never was.
    struct Spell {
        double lost_s = 0, found_s = 0;
    };
    std::vector<Spell> spells;
    /// Scans that belong into the map: their numbers in the log, and where they were taken by the last estimate.
    struct Kept {
        std::size_t entry = 0;  ///< of the log
        Pose pose;
    };
    std::vector<Kept> kept;
    /// What beams without echo crossed, where there are such: clear, whatever is behind. The poses do not depend on it.
    std::optional<CountedMap> swept;
    const CountedMap* swept_map() const { return swept ? &*swept : nullptr; }
    bool placed = true;  ///< false: where it began in the map of before was never found
};

/// From where a run begins.
struct SlamBegin {
    const Grid<std::uint8_t>* given = nullptr;  ///< for the method localise, as for make_slam
    Pose pose;
    const PatchGraph* before = nullptr;  ///< a map to go on in; nullptr: an empty one
    /// With `before`: whether the first pose is to be found. Until then its scans are not drawn.
    bool unknown = false;
};

/// The ends of the beams that hit something, in the frame of the body. Readings that are not numbers, not positive, or
/// not below the maximal range are left out.
void beam_ends(const RecordedScan& scan, std::vector<Point>& ends);

/// The method is not `known`. When interrupted it returns what it has. progress(done) is called for each entry.
SlamRun run_slam(const SensorLog& log, const SlamOptions& options, std::uint64_t seed, const SlamBegin& begin = {},
                 const std::atomic<bool>* interrupted = nullptr, const std::function<void(std::size_t)>& progress = {});

/// A map to localise in: .png (pixels of `cell_m`, the lower left corner is the origin), .yaml of ROS, whose origin is
/// rounded to whole cells, or .g2o (saved_map.hpp; cells of `cell_m`). 0 free, 1 wall, 2 unknown. Throws Error.
Grid<std::uint8_t> read_given_map(const std::string& path, double cell_m);

/// A relative pose that was checked by people: where the robot was at the second time, seen from the first.
struct Relation {
    double first_s = 0, second_s = 0;
    Pose first_from_second;
};
/// Lines "t1 t2 dx dy dz roll pitch yaw". Throws Error.
std::vector<Relation> read_relations(const std::string& path);
/// Lines "time x y yaw", or those of trajectory_text(). Throws Error.
std::vector<TimedPose> read_trajectory(const std::string& path);

/// Lines "time x y yaw xx xy yy yaw_yaw fit lost": a pose for each record, and its doubt.
std::string trajectory_text(const SlamRun& run);

/// Errors of the relations between the poses of a trajectory (Kuemmerle et al. 2009).
struct RelationErrors {
    std::vector<double> metres, degrees;  ///< of each relation that was used
    std::vector<std::size_t> used;        ///< its index
};
/// Relations whose stamps each belong to exactly one pose within 5.5 ms.
RelationErrors relation_errors(const std::vector<TimedPose>& trajectory, const std::vector<Relation>& relations);

struct MeanAndDeviation {
    double mean = 0, deviation = 0;
};
MeanAndDeviation mean_and_deviation(const std::vector<double>& values);

/// Mean of a - b, with its 95 % interval by 10,000 resamples of the pairs.
struct PairedDifference {
    double mean = 0, low = 0, high = 0;
};
PairedDifference paired_bootstrap(const std::vector<double>& a, const std::vector<double>& b);

/// The map, with the trajectory in it.
Raster slam_picture(const SlamRun& run, const std::string& caption);
/// Writes map.pgm and map.yaml as map_server of ROS reads them.
void write_slam_map(const std::string& folder, const SlamRun& run, bool overwrite);

}  // namespace outrider
