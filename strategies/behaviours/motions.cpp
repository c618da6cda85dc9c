#include "behaviours/motions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace outrider {
namespace {

constexpr double near_m = 1, passed_m = 2;  // victims and team-mates: give way within, go on beyond
constexpr double steep_roll = 0.1, steep_pitch = 0.3;

constexpr double deg(double degrees) { return degrees * pi / 180; }

bool steep(const Surroundings& around) {
    return std::abs(around.roll) > steep_roll || std::abs(around.pitch) > steep_pitch;
}

/// The nearest one that goes first; nullptr: none within a metre.
const Surroundings::Mate* who_goes_first(const Surroundings& around, double within_m) {
    const Surroundings::Mate* best = nullptr;
    for (const auto& mate : around.mates) {
        const double away = norm(mate.at.position());
        if (mate.id >= around.self || away >= within_m) continue;
        if (!best || away < norm(best->at.position())) best = &mate;
    }
    return best;
}

double nearest_person(const Surroundings& around) {
    double least = INFINITY;
    for (const Point& p : around.people) least = std::min(least, norm(p));
    return least;
}

}  // namespace

MotionStep corridor_walk(const Surroundings& around) {
    constexpr int sectors = 7;
    constexpr double width = deg(22.5), blocked_m = 0.1, wide_m = 1;
    struct Steer {
        double forward, turn;
    };
    // From the right: east-north-east ... north ... west-north-west.
    constexpr std::array<Steer, sectors> steers{
        {{0.6, -0.3}, {0.6, -0.2}, {0.6, -0.1}, {0.8, 0}, {0.6, 0.1}, {0.6, 0.2}, {0.6, 0.3}}};
    std::array<double, sectors> free{};
    for (int k = 0; k < sectors; ++k) {
        const double middle = width * (k - 3);
        free[static_cast<std::size_t>(k)] = shortest(around.thin(), middle - width / 2, middle + width / 2);
    }
    if (std::all_of(free.begin(), free.end(), [&](double m) { return m <= blocked_m; }))
        return {{}, MotionKind::main, "no sector is free for more than 0.1 m"};
    if (std::all_of(free.begin(), free.end(), [&](double m) { return m >= wide_m; }))
        return {{}, MotionKind::random_walk, "all sectors are free for 1 m: this is no corridor"};
    // Of equally free ones the one that is nearest to straight ahead, then the left one.
    std::size_t best = 3;
    for (const std::size_t k : {4u, 2u, 5u, 1u, 6u, 0u})
        if (free[k] > free[best]) best = k;
    return {Speeds{steers[best].forward, steers[best].turn}, {}, "to the freest of seven sectors"};
}

MotionStep RandomWalk::step(const Surroundings& around) {
    constexpr double front_m = 0.55, side_m = 0.3, turn = 0.4;
    const auto& beams = around.thin();
    if (shortest(beams, -deg(60), deg(60)) > front_m) {
        turns_ = 0;
        return {Speeds{1, 0}, {}, "the front is free"};
    }
    const double left = mean(beams, deg(30), deg(90)), right = mean(beams, -deg(90), -deg(30));
    if (left <= side_m && right <= side_m) return {{}, MotionKind::obstacle_avoidance, "no side is free for 0.3 m"};
    if (turns_ == 0) turns_ = left >= right ? turn : -turn;
    return {Speeds{0, turns_}, {}, "the front is closed: to the freer side"};
}

MotionStep avoid_victim(const Surroundings& around) {
    constexpr double margin = deg(5), side = deg(60), side_m = 0.3, turn = 0.4;
    if (nearest_person(around) > passed_m) return {{}, MotionKind::main, "the victim is 2 m away"};
    // The sectors left and right of all who are near.
    double low = pi, high = -pi;
    for (const Point& p : around.people)
        if (norm(p) <= passed_m) {
            low = std::min(low, bearing({}, p));
            high = std::max(high, bearing({}, p));
        }
    const double left = mean(around.thin(), high + margin, high + margin + side),
                 right = mean(around.thin(), low - margin - side, low - margin);
    if (left <= side_m && right <= side_m) return {{}, MotionKind::obstacle_avoidance, "no path beside the victim"};
    const bool to_left = left == right ? high <= -low : left > right;
    // A victim beside or behind is passed straight on.
    if (low > deg(60) || high < -deg(60)) return {Speeds{1, 0}, {}, "the victim is not in the way"};
    return {Speeds{0, to_left ? turn : -turn}, {}, "away from the victim, to the freer side"};
}

MotionStep avoid_team_mate(const Surroundings& around) {
    constexpr double forward = 1.2, turn = 0.8;
    const auto* mate = who_goes_first(around, passed_m);
    if (!mate || norm(mate->at.position()) >= near_m) return {{}, MotionKind::main, "no team-mate within 1 m"};
    const bool ahead = mate->at.x >= 0, left = mate->at.y >= 0;
    // Of the quarter of the circle in which the other is.
    const double from = ahead ? (left ? 0 : -deg(90)) : (left ? deg(90) : -pi), to = from + deg(90);
    const double room = shortest(around.wide(), from, to);
    if (room > passed_m) return {{}, MotionKind::main, "the team-mate's side is free for 2 m"};
    const Point me = into_body(mate->at, {});  // where this robot is, as the other one sees it
    const bool in_its_front = me.x >= 0;
    const double away = left ? -turn : turn;
    if (ahead && in_its_front) return {Speeds{-forward, away}, {}, "face to face: backs away"};
    if (ahead) return {Speeds{0, 0}, {}, "behind a team-mate: halts"};
    if (in_its_front) return {Speeds{forward, away}, {}, "a team-mate comes from behind: drives on"};
    return {{}, MotionKind::main, "back to back with a team-mate"};
}

MotionStep retreat(const Surroundings& around) {
    if (!steep(around)) return {{}, MotionKind::random_walk, "the floor is level again"};
    return {Speeds{-1, 0}, {}, "backs off: the floor is steep"};
}

MotionStep ObstacleAvoidance::step(const Surroundings& around) {
    constexpr double limit_m = 2, turn = 0.5;
    const auto& beams = around.wide();
    if (to_turn_) {
        const double turned = wrap_angle(around.pose.yaw - yaw_);
        const double left = *to_turn_ - turned;
        const bool complete = *to_turn_ > 0 ? left <= 1e-6 : left >= -1e-6;
        to_turn_ = left;
        if (complete) {
            to_turn_.reset();
            return {{}, MotionKind::random_walk, "turned away from the obstacle"};
        }
    } else {
        const bool left = shortest(beams, 1e-9, 0.3) < limit_m, right = shortest(beams, -0.3, -1e-9) < limit_m;
        if (!left && !right) return {Speeds{2, 0}, MotionKind::random_walk, "nothing is close ahead"};
        to_turn_ = left && right ? deg(90) : left ? -deg(45) : deg(45);
    }
    yaw_ = around.pose.yaw;
    return {Speeds{0, *to_turn_ > 0 ? turn : -turn}, {}, *to_turn_ > 0 ? "turns left" : "turns right"};
}

std::optional<MotionStep> interrupted(MotionKind motion, const Surroundings& around) {
    const bool walks = motion == MotionKind::random_walk;
    if (motion == MotionKind::retreat) return {};
    if (steep(around)) {
        if (walks) return MotionStep{{}, MotionKind::retreat, "the floor is steep"};
        const MotionKind next =
            motion == MotionKind::obstacle_avoidance ? MotionKind::random_walk : MotionKind::corridor_walk;
        return MotionStep{Speeds{-0.5, 0}, next, "the floor is steep: backs off"};
    }
    if (motion == MotionKind::obstacle_avoidance || motion == MotionKind::avoid_victim ||
        motion == MotionKind::avoid_team_mate)
        return {};
    if (nearest_person(around) < near_m) return MotionStep{{}, MotionKind::avoid_victim, "a victim within 1 m"};
    if (const auto* mate = around.homeward ? nullptr : who_goes_first(around, near_m)) {
        if (!mate->base)
            return MotionStep{{}, MotionKind::avoid_team_mate, "a team-mate with a lower number within 1 m"};
        return MotionStep{{},
                          walks ? MotionKind::obstacle_avoidance : MotionKind::random_walk,
                          "the operator's station within 1 m",
                          true};
    }
    return {};
}

std::string ConservativeGuard::refuse(const Surroundings& around, double forward_mps) {
    constexpr double laser_m = 2, pause_s = 2;
    const bool passes = last_order_s_ && around.time_s - *last_order_s_ <= pause_s;
    last_order_s_ = around.time_s;
    if (forward_mps <= 0 || passes) return {};
    const auto least_of = [&](const std::vector<Surroundings::Beam>& beams, double half) {
        return beams.empty() ? INFINITY : shortest(beams, -half, half);
    };
    const double laser = least_of(around.laser, deg(10)), sonar = least_of(around.sonar, deg(30));
    if (laser < laser_m) return fmt::format("LSR - OBS - {:.2f}", laser);
    if (sonar < forward_mps) return fmt::format("SNR - OBS - {:.2f}", sonar);
    return {};
}

}  // namespace outrider
