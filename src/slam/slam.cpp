#include "slam/slam.hpp"

#include <algorithm>
#include <cmath>

#include "slam/find_pose.hpp"
#include "slam/hyper_slam.hpp"
#include "slam/localise_slam.hpp"
#include "slam/manifold/manifold_slam.hpp"
#include "slam/online_slam.hpp"
#include "slam/particle_slam.hpp"

namespace outrider {
namespace {

/// A motion between two percepts beyond this is an error of the record.
constexpr double jump_m = 100;
constexpr double longest_beam_m = 200;
/// A scan is odd when so much less of it fits than usual, at places of which this share is known; so many odd ones make
/// a robot lost, and so many good ones found. What is usual follows by this share of each good scan.
constexpr double odd_fit = 0.25, enough_known = 0.3, usual_follows = 0.05;
/// A scan of a robot that stands, by its odometry, fits so much less than usual: it moves. Then it may have gone so far
/// since the last scan. A robot that goes on in a map of before may stand as far from where it should.
constexpr double moved_fit = 0.1, slip_m = 1, slip_rad = 1;
constexpr int lost_after = 5, found_after = 3;

}  // namespace

bool Slam::move(const Motion& motion) {
    if (!(norm(motion.delta.position()) <= jump_m) || !std::isfinite(motion.delta.yaw)) {
        ++counters_.impossible;
        return false;
    }
    Motion measured = motion;
    if (options_.seed == SlamSeed::encoder) measured.delta.y = 0;
    if (options_.seed == SlamSeed::none) measured = {};
    since_update_ = compose(since_update_, measured.delta);
    travelled_.add(measured);
    return true;
}

bool Slam::update(const Motion& motion, Point sensor, std::span<const Point> ends, std::size_t scanner) {
    if (!move(motion)) return false;
    const std::span<const Point> usable = usable_ends(ends, usable_);
    const bool due = counters_.updates == 0 || match_due(since_update_, travelled_, options_);
    if (!due && std::find(looked_.begin(), looked_.end(), scanner) != looked_.end()) {
        if (usable.size() >= least_ends) between_updates(usable);
        return false;
    }
    if (usable.size() < least_ends) {
        if (due) note_bare_scan();
        return due;
    }
    if (due) looked_.clear();
    looked_.push_back(scanner);
    ++counters_.updates;
    const bool drawn = take(sensor, usable);
    since_update_ = {};
    travelled_ = followed_ = {};
    return drawn;
}

void Slam::note_fit(const Match& match, bool believed) {
    const bool odd = !believed || (match.known >= enough_known && match.inliers < usual_fit_ - odd_fit);
    fit_ = match.inliers;
    odd_ = odd ? odd_ + 1 : 0;
    good_ = odd ? 0 : good_ + 1;
    if (!odd && match.known >= enough_known) usual_fit_ += usual_follows * (match.inliers - usual_fit_);
    if (!lost_ && odd_ >= lost_after) ++counters_.lost;
    lost_ = lost_ ? good_ < found_after : odd_ >= lost_after;
}

void Slam::note_found() {
    lost_ = false;
    odd_ = good_ = 0;
}

void Slam::begin_nearby() { travelled_ = {slip_m, slip_rad}; }

void Slam::follow(const CountedMap& map, const Pose& last, std::span<const Point> ends) {
    constexpr double least_m = 0.02, least_rad = 0.02;
    if (travelled_.variance_yaw > 0) return;
    Travelled since{travelled_.travelled_m - followed_.travelled_m, travelled_.turn_rad - followed_.turn_rad};
    const bool stands = since.travelled_m < least_m && since.turn_rad < least_rad;
    if (stands) {
        // Does it stand, or does its odometry?
        Match here;
        here.pose = compose(last, since_update_);
        judge(map, ends, {}, here);
        if (here.known < enough_known || here.inliers > usual_fit_ - moved_fit) return;
        since = {slip_m, slip_rad};
    }
    followed_ = travelled_;
    const ExpectedPose expected = expect(compose(last, since_update_), since, options_);
    MatchOptions how;
    how.across_walls = true;
    const Match match = match_scan(map, ends, expected.pose, expected, how);
    if (stands && match.inliers <= usual_fit_ - moved_fit) return;  // no motion explains it
    if (trustworthy(expected, match)) since_update_ = compose(inverse(last), match.pose);
}

bool moved_enough(const Pose& since_update, const SlamOptions& options) {
    return options.seed == SlamSeed::none || norm(since_update.position()) >= options.update_m ||
           std::abs(since_update.yaw) >= radians(options.update_deg);
}

std::span<const Point> usable_ends(std::span<const Point> ends, std::vector<Point>& memory) {
    const auto usable = [](Point p) { return std::abs(p.x) <= longest_beam_m && std::abs(p.y) <= longest_beam_m; };
    if (std::all_of(ends.begin(), ends.end(), usable)) return ends;
    memory.clear();
    std::copy_if(ends.begin(), ends.end(), std::back_inserter(memory), usable);
    return memory;
}

std::unique_ptr<Slam> make_slam(const SlamOptions& options, const Pose& start, std::uint64_t seed,
                                const Grid<std::uint8_t>* given, const PatchGraph* before) {
    switch (options.method) {
        case SlamMethod::known:
            return nullptr;
        case SlamMethod::scan_match:
            return std::make_unique<OnlineSlam>(options, start, before);
        case SlamMethod::particle:
            return std::make_unique<ParticleSlam>(options, start, seed, before);
        case SlamMethod::particle_shared:
            return std::make_unique<SharedSlam>(options, start, seed, before);
        case SlamMethod::hyper:
            return std::make_unique<HyperSlam>(options, start, seed, before);
        case SlamMethod::localise:
            if (!given) fail("slam.method = localise: expected a map to localise in");
            return std::make_unique<LocaliseSlam>(options, start, *given);
        case SlamMethod::manifold:
            return std::make_unique<ManifoldSlam>(options, start, before);
    }
    return nullptr;
}

}  // namespace outrider
