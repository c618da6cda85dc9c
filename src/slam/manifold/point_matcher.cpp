#include "slam/manifold/point_matcher.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "outrider/error.hpp"

namespace outrider {
namespace {

/// It ends after so many iterations whose error is, but for this share, one of the last errors; and gives up after so
/// many.
constexpr double small_change = 0.01;
constexpr int remembered = 10, enough_small = 8, most_iterations = 80;
/// What a turn of one radian counts in metres, for the distance of mbicp.
constexpr double turn_m = 3;
/// idc looks for points of the same range within such an angle, which shrinks with the iterations.
constexpr double window_rad = 0.35, window_shrinks = 0.15, least_window_rad = 0.02;
/// and neighbouring points of the cloud are one surface up to such gaps.
constexpr double surface_gap_rad = 0.05, surface_gap_m = 0.3;
/// multi believes wsm up to this variance along an axis.
constexpr double believed_m2 = 0.001;
constexpr int least_pairs = 5;
/// Errors are five times as large as the covariance says (measured on intel); up to these they are accepted.
constexpr double pairs_caution = 25, most_m = 0.1, most_rad = radians(5);

/// A pair of points in the frame of the cloud, about the seed: of the cloud, and of the scan.
struct Pair {
    Point first, second;
    Spread weight;
};

/// A step of the scan's pose: a turn about `centre` after a shift, as a motion of points about the seed.
struct Step {
    Point shift;
    double turn = 0;
    Point centre;
};

class Matching {
  public:
    Matching(const PointCloud& cloud, const PointCloud& scan, const Pose& seed, SlamMatcher matcher, double reach_m)
        : cloud_(cloud), scan_(scan), centre_(seed.position()), matcher_(matcher), reach_m_(reach_m) {
        double farthest = 0;
        for (int k = 0; k < static_cast<int>(scan.size()); ++k) farthest = std::max(farthest, norm(scan.point(k)));
        share_ = turn_m * turn_m / ((farthest + reach_m) * (farthest + reach_m) + turn_m * turn_m);
        match_.pose = seed;
    }

    PointMatch run() {
        std::array<double, remembered> errors{};
        int known = 0, small = 0;
        for (match_.iterations = 0; match_.iterations < most_iterations; ++match_.iterations) {
            find_pairs();
            if (match_.pairs < least_pairs) break;
            const double error = total_error();
            const auto last = errors.begin() + std::min(known, remembered);
            small += std::any_of(errors.begin(), last,
                                 [&](double e) { return std::abs(e - error) <= small_change * error; });
            errors[static_cast<std::size_t>(known++ % remembered)] = error;
            if (small >= enough_small) {
                match_.converged = true;
                break;
            }
            apply(step());
        }
        if (match_.pairs >= least_pairs) find_covariance();
        return match_;
    }

  private:
    void find_pairs();
    int nearest_to(Point second) const;
    double total_error() const;
    Step step() const;
    Step weighted_step() const;
    Step metric_step() const;
    double turn_by_ranges() const;
    void apply(const Step& step);
    void find_covariance();
    Point moved(Point p) const { return transform(match_.pose, p) - centre_; }

    const PointCloud& cloud_;
    const PointCloud& scan_;
    Point centre_;
    SlamMatcher matcher_;
    double reach_m_;
    double share_;  // of the squared distance that the distance of mbicp has at least
    std::vector<Pair> pairs_;
    PointMatch match_;
};

/// The point of the cloud that is nearest to one of the scan, by the distance of the matcher; -1: none.
int Matching::nearest_to(Point second) const {
    const Point at = second + centre_;
    if (matcher_ != SlamMatcher::mbicp) return cloud_.tree().nearest(at, reach_m_);
    return cloud_.tree().nearest(at, reach_m_ * reach_m_, share_, [&](Point p) {
        const Point d = p - at, from = p - centre_;
        const double c = cross(d, from);
        return dot(d, d) - c * c / (dot(from, from) + turn_m * turn_m);
    });
}

/// Pairs of points that are each other's nearest one.
void Matching::find_pairs() {
    pairs_.clear();
    const Pose back = outrider::inverse(match_.pose);
    double sum = 0;
    for (int k = 0; k < static_cast<int>(scan_.size()); ++k) {
        const Point second = moved(scan_.point(k));
        const int other = nearest_to(second);
        if (other < 0) continue;
        const Point first = cloud_.point(other);
        if (scan_.tree().nearest(transform(back, first), reach_m_) != k) continue;
        Spread weight{1, 0, 1};
        if (matcher_ == SlamMatcher::wsm)
            weight = inverse(cloud_.spread(other) + rotated(scan_.spread(k), match_.pose.yaw));
        pairs_.push_back({first - centre_, second, weight});
        const Point d = pairs_.back().first - second;
        sum += dot(d, d);
    }
    match_.pairs = static_cast<int>(pairs_.size());
    match_.paired = scan_.size() > 0 ? match_.pairs / static_cast<double>(scan_.size()) : 0;
    match_.rms_m = match_.pairs > 0 ? std::sqrt(sum / match_.pairs) : 0;
}

double Matching::total_error() const {
    double sum = 0;
    for (const Pair& p : pairs_) {
        const Point d = p.first - p.second;
        sum += dot(d, p.weight * d);
    }
    return sum;
}

Step Matching::step() const {
    if (matcher_ == SlamMatcher::mbicp) return metric_step();
    Step step = weighted_step();
    // The shift from nearest points, the turn from points of the same range (Lu and Milios).
    if (matcher_ == SlamMatcher::idc) {
        step.turn = turn_by_ranges();
        step.centre = match_.pose.position() - centre_;
    }
    return step;
}

/// The shift and the turn that minimise the weighted distances, about the centre where they do not depend on each
/// other.
Step Matching::weighted_step() const {
    Spread weights, quarters;
    Point centres, shifts;
    for (const Pair& p : pairs_) {
        const Spread q = quarter(p.weight);
        weights = weights + p.weight;
        quarters = quarters + Spread{2 * q.xx, 2 * q.xy, 2 * q.yy};
        centres = centres + q * (p.first + p.second);
        shifts = shifts + p.weight * (p.first - p.second);
    }
    Step out;
    out.centre = inverse(quarters) * centres;
    out.shift = inverse(weights) * shifts;
    double above = 0, below = 0;
    for (const Pair& p : pairs_) {
        const Point first = p.first - out.centre, second = p.second + out.shift - out.centre, off = first - second;
        const Point turned_second = left(second);
        above += dot(off, p.weight * turned_second);
        below += dot(turned_second, p.weight * turned_second) + dot(off, p.weight * second);
    }
    out.turn = below != 0 ? above / below : 0;
    return out;
}

/// The motion that minimises the distances of mbicp, linear in the turn about the seed.
Step Matching::metric_step() const {
    Matrix3 a{};
    Vector3 b{};
    for (const Pair& pair : pairs_) {
        // The second point moves by (x - yaw c.y, y + yaw c.x).
        const Point p = pair.first, c = pair.second;
        const double k = dot(p, p) + turn_m * turn_m, cp = dot(c, p), turn = cross(c, p);
        a[0] += 1 - p.y * p.y / k;
        a[3] += p.x * p.y / k;
        a[4] += 1 - p.x * p.x / k;
        a[6] += -c.y + p.y / k * cp;
        a[7] += c.x - p.x / k * cp;
        a[8] += dot(c, c) - cp * cp / k;
        b[0] += c.x - p.x - p.y / k * turn;
        b[1] += c.y - p.y + p.x / k * turn;
        b[2] += (cp / k - 1) * turn;
    }
    Vector3 q;
    if (!solve3(a, b, q)) return {};
    return {{-q[0], -q[1]}, -q[2], {}};
}

/// For each end the place on the surface of the cloud, within a window of directions, that has the same range from
/// here: between neighbouring points, one nearer and one farther. The turn that brings them together best.
double Matching::turn_by_ranges() const {
    const double window = std::max(least_window_rad, window_rad * exp(-window_shrinks * match_.iterations));
    const Point here = match_.pose.position() - centre_;
    struct Polar {
        double angle, range;
    };
    std::vector<Polar> polar;
    for (int k = 0; k < static_cast<int>(cloud_.size()); ++k) {
        const Point d = cloud_.point(k) - centre_ - here;
        polar.push_back({atan2(d.y, d.x), norm(d)});
    }
    std::sort(polar.begin(), polar.end(), [](const Polar& a, const Polar& b) {
        return a.angle != b.angle ? a.angle < b.angle : a.range < b.range;
    });
    double sum = 0, weights = 0;
    for (int k = 0; k < static_cast<int>(scan_.size()); ++k) {
        const Point d = moved(scan_.point(k)) - here;
        const double angle = atan2(d.y, d.x), range = norm(d);
        double best = window;
        bool found = false;
        const auto look = [&](double low, double high, double own) {
            auto p = std::lower_bound(polar.begin(), polar.end(), low,
                                      [](const Polar& a, double value) { return a.angle < value; });
            for (; p != polar.end() && std::next(p) != polar.end() && p->angle <= high; ++p) {
                const Polar &a = *p, &b = *std::next(p);
                if ((a.range - range) * (b.range - range) > 0 || b.angle - a.angle > surface_gap_rad ||
                    std::abs(a.range - b.range) > surface_gap_m)
                    continue;
                const double t = a.range == b.range ? 0.5 : (range - a.range) / (b.range - a.range);
                const double off = a.angle + t * (b.angle - a.angle) - own;
                if (std::abs(off) > std::abs(best)) continue;
                best = off;
                found = true;
            }
        };
        look(angle - window, angle + window, angle);
        if (angle - window < -pi) look(angle - window + 2 * pi, pi, angle + 2 * pi);
        if (angle + window > pi) look(-pi, angle + window - 2 * pi, angle - 2 * pi);
        if (!found) continue;
        sum += range * range * best;
        weights += range * range;
    }
    return weights > 0 ? sum / weights : 0;
}

void Matching::apply(const Step& step) {
    const auto [s, c] = sin_cos(step.turn);
    const Point p = match_.pose.position() - centre_ + step.shift - step.centre;
    const Point at = Point{c * p.x - s * p.y, s * p.x + c * p.y} + step.centre + centre_;
    match_.pose = {at.x, at.y, wrap_angle(match_.pose.yaw + step.turn)};
}

/// Of the least weighted distances, with the weights of points that are known alike: their error, where none are given.
void Matching::find_covariance() {
    Spread weights;
    Point lever;
    double turns = 0;
    const double variance = matcher_ == SlamMatcher::wsm
                                ? 1
                                : std::max(1e-6, match_.rms_m * match_.rms_m * match_.pairs / (2 * match_.pairs - 3));
    const Point here = match_.pose.position() - centre_;
    for (const Pair& p : pairs_) {
        const Point l = left(p.second - here);
        weights = weights + p.weight;
        lever = lever + p.weight * l;
        turns += dot(l, p.weight * l);
    }
    const double scale = 1 / variance;
    const Matrix3 information{weights.xx * scale, weights.xy * scale, lever.x * scale,
                              weights.xy * scale, weights.yy * scale, lever.y * scale,
                              lever.x * scale,    lever.y * scale,    turns * scale};
    invert3(information, match_.covariance);
}

}  // namespace

PointMatch match_points(const PointCloud& cloud, const PointCloud& scan, const Pose& seed, SlamMatcher matcher,
                        double reach_m) {
    OUTRIDER_CHECK(matcher == SlamMatcher::field, ==, false);
    if (matcher != SlamMatcher::multi) return Matching(cloud, scan, seed, matcher, reach_m).run();
    const PointMatch first = Matching(cloud, scan, seed, SlamMatcher::wsm, reach_m).run();
    if (believable(first) && first.covariance[0] <= believed_m2 && first.covariance[4] <= believed_m2) return first;
    return Matching(cloud, scan, seed, SlamMatcher::idc, reach_m).run();
}

bool believable(const PointMatch& m) {
    const auto within = [](double variance, double most) {
        return variance > 0 && pairs_caution * variance <= most * most;
    };
    return m.converged && m.pairs >= least_pairs && within(m.covariance[0], most_m) &&
           within(m.covariance[4], most_m) && within(m.covariance[8], most_rad);
}

}  // namespace outrider
