#include "slam/localise_slam.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace outrider {
namespace {

/// Of the places and headings that are tried everywhere.
constexpr double place_step_m = 0.25, turn_step_rad = radians(5), longest_m = 20;
constexpr int headings_tried = 72;
constexpr std::size_t ends_tried = 60;
/// So many of them are matched, and so many are followed.
constexpr std::size_t most_matched = 300, most_followed = 100;
/// Two guesses this close are one.
constexpr double same_m = 0.3, same_rad = 0.2;
/// The beams of a scan count as this many independent ones, each with this deviation.
constexpr double independent = 10, end_sigma_m = 0.15;
/// A guess so much less likely than the best is dropped (log).
constexpr double hopeless = 12;
/// A scan fits if so many of its ends lie at walls. After so many in a row that do not, the robot may be anywhere: all
/// of the map is searched, again after as many more.
constexpr double least_fit = 0.65;
constexpr int doubts_before_search = 5;

std::vector<Point> thinned(std::span<const Point> ends, std::size_t most) {
    std::vector<Point> near;
    for (const Point p : ends)
        if (norm(p) <= longest_m) near.push_back(p);
    if (near.size() <= most) return near;
    std::vector<Point> out;
    for (std::size_t i = 0; i < most; ++i) out.push_back(near[i * near.size() / most]);
    return out;
}

double guess_log_likelihood(const CountedMap& map, std::span<const Point> ends, const Pose& pose) {
    const auto [s, c] = sin_cos(pose.yaw);
    double sum = 0;
    for (const Point p : ends) {
        const double d = map.sample({pose.x + (c * p.x - s * p.y), pose.y + (s * p.x + c * p.y)}).distance_m;
        sum += d * d;
    }
    return -independent * sum / static_cast<double>(ends.size()) / (2 * end_sigma_m * end_sigma_m);
}

/// Of equal ones in a fixed order.
bool likelier(const PoseGuess& a, const PoseGuess& b) {
    if (a.log_weight != b.log_weight) return a.log_weight > b.log_weight;
    if (a.pose.y != b.pose.y) return a.pose.y < b.pose.y;
    if (a.pose.x != b.pose.x) return a.pose.x < b.pose.x;
    return a.pose.yaw < b.pose.yaw;
}

/// Sorts; drops those that are the same as a better one, hopeless, or too many.
void settle(std::vector<PoseGuess>& guesses) {
    std::sort(guesses.begin(), guesses.end(), likelier);
    std::vector<PoseGuess> kept;
    for (const PoseGuess& g : guesses) {
        if (kept.size() == most_followed || g.log_weight < guesses.front().log_weight - hopeless) break;
        const auto same = [&](const PoseGuess& k) {
            return distance(k.pose.position(), g.pose.position()) < same_m &&
                   std::abs(wrap_angle(k.pose.yaw - g.pose.yaw)) < same_rad;
        };
        if (std::none_of(kept.begin(), kept.end(), same)) kept.push_back(g);
    }
    guesses = std::move(kept);
}

CountedMap given_map(const SlamOptions& options, const Grid<std::uint8_t>& given) {
    CountedMapOptions m = map_options(options);
    m.cell_m = given.lattice().cell_m;
    m.horizon_m = std::max(0.5, 4 * m.cell_m);
    return CountedMap(m, given);
}

}  // namespace

std::vector<PoseGuess> search_everywhere(const CountedMap& map, std::span<const Point> all) {
    const std::vector<Point> ends = thinned(all, ends_tried);
    if (ends.size() < least_ends) return {};
    const Lattice& lattice = map.lattice();
    const auto extent = map.extent();
    const Cell low = extent.first, high = extent.second;
    const int step = std::max(1, static_cast<int>(place_step_m / lattice.cell_m));
    std::vector<Cell> places;
    for (int y = low.y; y < high.y; y += step)
        for (int x = low.x; x < high.x; x += step)
            if (map.seen({x, y}) > 0 && !map.occupied({x, y})) places.push_back({x, y});
    std::vector<std::vector<Cell>> turned(headings_tried);
    for (int t = 0; t < headings_tried; ++t) {
        const auto [s, c] = sin_cos(t * turn_step_rad);
        for (const Point p : ends)
            turned[static_cast<std::size_t>(t)].push_back(lattice.cell_of({c * p.x - s * p.y, s * p.x + c * p.y}));
    }
    // How near to a wall: 0 at the horizon, 255 at it.
    const double horizon = map.horizon_m();
    const auto width = static_cast<std::size_t>(high.x - low.x);
    std::vector<std::uint8_t> near(width * static_cast<std::size_t>(high.y - low.y));
    for (std::size_t k = 0; k < near.size(); ++k) {
        const Cell c{low.x + static_cast<int>(k % width), low.y + static_cast<int>(k / width)};
        const double d = std::sqrt(static_cast<double>(map.squared_distance_at(c))) * lattice.cell_m;
        near[k] = static_cast<std::uint8_t>(255 * std::max(0.0, 1 - d / horizon));
    }
    struct Try {
        int score = 0, turn = 0;
        Cell at;
    };
    std::vector<std::array<Try, 4>> tries(places.size());  // the best headings of each place
    constexpr int block = 64;
    const int count = static_cast<int>(places.size());
    parallel_for((count + block - 1) / block, [&](int task) {
        const std::uint8_t* const cells = near.data();
        const auto wide = static_cast<std::uint32_t>(width), tall = static_cast<std::uint32_t>(high.y - low.y);
        for (int i = task * block; i < std::min(count, (task + 1) * block); ++i) {
            const Cell at = places[static_cast<std::size_t>(i)];
            auto& best = tries[static_cast<std::size_t>(i)];
            const Cell from = at - low;
            for (int t = 0; t < headings_tried; ++t) {
                int score = 0;
                for (const Cell end : turned[static_cast<std::size_t>(t)]) {
                    const auto x = static_cast<std::uint32_t>(from.x + end.x);  // what is off the map is large
                    const auto y = static_cast<std::uint32_t>(from.y + end.y);
                    if (x < wide && y < tall) score += cells[std::size_t{y} * wide + x];
                }
                const Try now{score, t, at};
                // Neighbouring headings count as one, the better of them.
                auto same = std::find_if(best.begin(), best.end(), [&](const Try& b) {
                    const int apart = std::abs(b.turn - t);
                    return b.score > 0 && std::min(apart, headings_tried - apart) <= 2;
                });
                if (same == best.end())
                    same = std::min_element(best.begin(), best.end(),
                                            [](const Try& a, const Try& b) { return a.score < b.score; });
                if (now.score > same->score) *same = now;
            }
        }
    });
    std::vector<Try> all_tries;
    for (const auto& four : tries)
        for (const Try& t : four)
            if (t.score > 0) all_tries.push_back(t);
    const auto before = [](const Try& a, const Try& b) {
        if (a.score != b.score) return a.score > b.score;
        return a.at != b.at ? a.at < b.at : a.turn < b.turn;
    };
    const std::size_t most = std::min(most_matched, all_tries.size());
    std::partial_sort(all_tries.begin(), all_tries.begin() + static_cast<std::ptrdiff_t>(most), all_tries.end(),
                      before);
    std::vector<PoseGuess> guesses(most);
    parallel_for(static_cast<int>(most), [&](int i) {
        const Try& t = all_tries[static_cast<std::size_t>(i)];
        const Point at = lattice.centre(t.at);
        const Match match = match_scan(map, all, {at.x, at.y, wrap_angle(t.turn * turn_step_rad)}, {}, {});
        PoseGuess& g = guesses[static_cast<std::size_t>(i)];
        g = {match.pose, match.covariance, guess_log_likelihood(map, all, match.pose), 0, 0};
        const Cell c = lattice.cell_of(match.pose.position());
        if (!believable(match) || map.seen(c) == 0 || map.occupied(c)) g.rejected_in_a_row = 1;
    });
    std::erase_if(guesses, [](const PoseGuess& g) { return g.rejected_in_a_row > 0; });
    settle(guesses);
    return guesses;
}

LocaliseSlam::LocaliseSlam(const SlamOptions& options, const Pose& start, const Grid<std::uint8_t>& given)
    : Slam(options),
      map_(given_map(options, given)),
      guesses_{{start, {}, 0, 0, 0}},
      known_(options.start == SlamStart::known),
      searching_(!known_) {}

double LocaliseSlam::certainty() const {
    double sum = 0;
    for (const PoseGuess& g : guesses_) sum += exp(g.log_weight - guesses_.front().log_weight);
    return known_ ? 1 / sum : 0;
}

bool LocaliseSlam::sure() const {
    constexpr double no_doubt = 0.99;
    constexpr int scans = 10;
    return fitted_ >= scans && certainty() >= no_doubt;
}

std::vector<WeighedPose> LocaliseSlam::guesses() const {
    std::vector<WeighedPose> out;
    double sum = 0;
    for (const PoseGuess& g : guesses_) {
        out.push_back({compose(g.pose, since_update_), exp(g.log_weight - guesses_.front().log_weight)});
        sum += out.back().weight;
    }
    for (WeighedPose& g : out) g.weight /= sum;
    return out;
}

bool LocaliseSlam::take(Point, std::span<const Point> ends) {
    follow(ends);
    if (searching_) search(ends);
    Match fit;  // the likeliest pose
    fit.known = fit.inliers = 1;
    const bool fits = known_ && guesses_.front().doubtful_in_a_row == 0;
    fitted_ = fits ? fitted_ + 1 : 0;
    note_fit(fit, fits);
    return known_ && guesses_.front().rejected_in_a_row == 0;
}

/// Moves each guess by odometry, then matches it.
void LocaliseSlam::follow(std::span<const Point> ends) {
    parallel_for(static_cast<int>(guesses_.size()), [&](int i) {
        PoseGuess& g = guesses_[static_cast<std::size_t>(i)];
        const ExpectedPose expected = expect(compose(g.pose, since_update_), travelled_, options_);
        // A lone pose may be searched for around; of several the right one needs no search.
        const Match match = guesses_.size() == 1 && !searching_
                                ? find_pose(map_, ends, expected, g.rejected_in_a_row).match
                                : match_scan(map_, ends, expected.pose, expected, {});
        const bool usable = match.known > 0.5 && believable(match);
        g.doubtful_in_a_row = match.inliers * match.known >= least_fit ? 0 : g.doubtful_in_a_row + 1;
        g.rejected_in_a_row = usable ? 0 : g.rejected_in_a_row + 1;
        g.pose = usable ? match.pose : expected.pose;
        if (usable) g.covariance = match.covariance;
        g.log_weight += guess_log_likelihood(map_, ends, g.pose);
    });
    settle(guesses_);
    counters_.rejected += guesses_.front().rejected_in_a_row > 0;
    const int doubtful = guesses_.front().doubtful_in_a_row;
    searching_ |= doubtful > 0 && doubtful % doubts_before_search == 0;
}

/// Searches all of the map; what was believed so far is a guess as well.
void LocaliseSlam::search(std::span<const Point> ends) {
    ++counters_.searches;
    std::vector<PoseGuess> found = search_everywhere(map_, ends);
    const bool any = !found.empty();
    if (known_) {
        PoseGuess before = guesses_.front();
        before.log_weight = guess_log_likelihood(map_, ends, before.pose);
        counters_.recovered += any && found.front().log_weight > before.log_weight;
        found.push_back(before);
        settle(found);
    } else {
        if (!any) return;
        ++counters_.recovered;
        known_ = true;
    }
    guesses_ = std::move(found);
    searching_ = false;
}

}  // namespace outrider
