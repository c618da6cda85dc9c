// What all methods of simultaneous localisation and mapping have in common: odometry and the ends of beams in, a pose
// and a map out. The frame of the map is that of the pose given at the start.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "outrider/detail/boxed.hpp"
#include "outrider/percept.hpp"
#include "slam/counted_map.hpp"
#include "slam/scan_matcher.hpp"
#include "slam/slam_options.hpp"

namespace outrider {

/// What became of the scans so far.
struct SlamCounters {
    std::uint64_t updates = 0;     ///< scans that were matched
    std::uint64_t searches = 0;    ///< wide searches, because the match was doubtful
    std::uint64_t recovered = 0;   ///< and so many found a better pose
    std::uint64_t rejected = 0;    ///< updates after which odometry was believed
    std::uint64_t impossible = 0;  ///< motions that were not numbers, or jumps, and were left out
    std::uint64_t lost = 0;        ///< how often it began to be lost
    // Of the method manifold:
    std::uint64_t patches = 0, relations = 0;  ///< scans kept, and what is known between them
    std::uint64_t closures_tried = 0;          ///< places that a loop might have come back to
    std::uint64_t closures_accepted = 0, closures_undone = 0;
    std::uint64_t corrections = 0;  ///< how often all that went before moved, since a loop was closed
};

class PatchGraph;

/// A pose that the robot may be at. The weights of all guesses add up to 1.
struct WeighedPose {
    Pose pose;
    double weight = 1;
};

/// How far the body went since the last match: the farther, the less certain odometry is.
struct Travelled {
    double travelled_m = 0, turn_rad = 0;
    double variance = 0, variance_yaw = 0;  ///< as the sensor reports, m2 and rad2; 0: not reported
    void add(const Motion& motion);
};

class Slam {
  public:
    explicit Slam(const SlamOptions& options) : options_(options) {}
    virtual ~Slam() = default;
    /// For a copy of the run; see Copied. nullptr: there can be none.
    virtual std::unique_ptr<Slam> clone() const { return nullptr; }
    /// Takes in odometry since the last call, in the frame of the body (without a covariance the options say how good
    /// it is). False when it is impossible, and left out.
    bool move(const Motion& motion);
    /// The same, and then a scan: the ends of beams seen then, in the frame of the body, as seen from `sensor` there.
    /// Returns whether the scan belongs into a map: it adds something new, and its place is known. Of several scanners
    /// each is used after the motion that makes a scan due.
    bool update(const Motion& motion, Point sensor, std::span<const Point> ends, std::size_t scanner = 0);
    virtual Pose pose() const = 0;
    virtual Matrix3 covariance() const = 0;
    virtual const CountedMap& map() const = 0;
    /// The poses of all updates by the present estimate; empty: as they were reported then.
    virtual std::vector<Pose> path() const { return {}; }
    /// The poses of all scans that belong into a map, that is for which update() returned true, by the present
    /// estimate; empty: as they were then. They change when counters().corrections grows.
    virtual std::vector<Pose> drawn_at() const { return {}; }
    /// All poses that the method considers, in no order; empty: only pose().
    virtual std::vector<WeighedPose> guesses() const { return {}; }
    /// Scans that it keeps and what it measured between them; nullptr: it keeps none.
    virtual const PatchGraph* graph() const { return nullptr; }
    const SlamCounters& counters() const { return counters_; }
    /// The share of the last scan's ends at known places that fit there; 0 before the first match.
    double fit() const { return fit_; }
    /// Whether scan after scan did not fit where the robot should be: its pose is a guess, until scans fit again.
    bool lost() const { return lost_; }

  protected:
    /// A scan that is due, with enough ends to fix a pose; counters_.updates counts it already. What update() returns.
    virtual bool take(Point sensor, std::span<const Point> ends) = 0;

    /// A scan that is due and drawn, though it has too few ends to fix a pose.
    virtual void note_bare_scan() {}

    /// A scan that is not due: it may correct odometry, by follow().
    virtual void between_updates(std::span<const Point> ends) { static_cast<void>(ends); }
    /// Matches a scan of now with a map in which the last scan taken was at `last`, and corrects since_update_ when the
    /// match is to be trusted. Nothing where odometry says how good it is, or when the body hardly moved since.
    void follow(const CountedMap& map, const Pose& last, std::span<const Point> ends);

    /// Before the first scan, where there is a map already: the robot may stand a little beside its pose.
    void begin_nearby();

    /// Each method says of each scan how it fitted, with `believed`: whether the match was taken. A scan is odd when it
    /// was not, or when far fewer of its ends fit than usual. Some odd ones in a row: lost; some good ones: found.
    void note_fit(const Match& match, bool believed);
    /// So many odd scans in a row; and that its place was found after all.
    int odd_in_a_row() const { return odd_; }
    void note_found();

    const SlamOptions options_;
    SlamCounters counters_;
    Pose since_update_;  // the motion since the last scan taken
    Travelled travelled_;

  private:
    bool lost_ = false;
    int odd_ = 0, good_ = 0;  // scans in a row
    double fit_ = 0;
    double usual_fit_ = 0.9;  // share of the ends at known places that fit, of late
    std::vector<Point> usable_;
    Travelled followed_;               // of the motion since the last scan taken, the part that was followed
    std::vector<std::size_t> looked_;  // scanners that had their turn
};

/// Whether the body moved far enough since the last update for another one; always, when its motion is not known.
bool moved_enough(const Pose& since_update, const SlamOptions& options);

/// The ends that are numbers and not farther than 200 m, the only ones that are used.
std::span<const Point> usable_ends(std::span<const Point> ends, std::vector<Point>& memory);

/// Nothing for the method `known`. `given`: for the method `localise`, the map in the frame of `start`; 0 free, 1 wall,
/// anything else unknown. Throws Error when that method has none. `before`: for all other methods, scans of an earlier
/// run in the same frame; the map begins with them.
std::unique_ptr<Slam> make_slam(const SlamOptions& options, const Pose& start, std::uint64_t seed,
                                const Grid<std::uint8_t>* given = nullptr, const PatchGraph* before = nullptr);

}  // namespace outrider
