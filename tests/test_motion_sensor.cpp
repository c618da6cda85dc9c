// What the simulator's instruments say of a motion.
#include <cmath>

#include "helpers.hpp"
#include "simulator/motion_sensor.hpp"

using namespace outrider;

namespace test_motion_sensor {
namespace {

constexpr Pose start{1, 2, 0.3};

/// Drives a square of 4 x 10 steps of a metre and says what is measured of it, step by step.
std::vector<Motion> measured_square(MotionSensor& sensor, std::vector<Pose>* truth = nullptr) {
    std::vector<Motion> out;
    Pose at = start;
    if (truth) truth->push_back(at);
    for (int step = 0; step < 40; ++step) {
        const Pose delta{1, 0, step % 10 == 9 ? std::numbers::pi / 2 : 0.0};
        at = compose(at, delta);
        out.push_back(sensor.measure(std::span(&delta, 1), at, step).front());
        if (truth) truth->push_back(at);
    }
    return out;
}

Pose add_up(Pose at, const std::vector<Motion>& motions) {
    for (const Motion& m : motions) at = compose(at, m.delta);
    return at;
}

double mean_square(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v * v;
    return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("instruments without errors measure the motion, whichever they are") {
    const NoiseOptions none{
        .odometry_share = 0, .range_m = 0, .ins_share = 0, .ins_deg = 0, .gps_m = 0, .compass_deg = 0};
    for (const Instrument instrument :
         {Instrument::wheels, Instrument::compass, Instrument::ins, Instrument::gps_ins}) {
        MotionSensor sensor(instrument, none, start, 1, 7, 0);
        std::vector<Pose> truth;
        const Pose end = add_up(start, measured_square(sensor, &truth));
        CHECK(end.x == doctest::Approx(truth.back().x));
        CHECK(end.y == doctest::Approx(truth.back().y));
        CHECK(wrap_angle(end.yaw - truth.back().yaw) == doctest::Approx(0));
    }
}

TEST_CASE("an inertial heading errs with time, whatever the turn, and says by how much") {
    const NoiseOptions noise{.odometry_share = 0, .range_m = 0, .ins_share = 0, .ins_deg = 2, .gps_m = 0};
    std::vector<double> off;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        MotionSensor sensor(Instrument::ins, noise, {}, 0.25, seed, 3);
        for (int step = 0; step < 40; ++step) {
            const Pose still;
            const Motion m = sensor.measure(std::span(&still, 1), {}, step).front();
            CHECK(m.covariance[8] == doctest::Approx(std::pow(radians(2) * 0.5, 2)));
            off.push_back(m.delta.yaw);
        }
    }
    CHECK(std::sqrt(mean_square(off)) == doctest::Approx(radians(1)).epsilon(0.05));
}

TEST_CASE("positions from satellites hold an inertial system that drifts, which says how good it is") {
    NoiseOptions noise{.odometry_share = 0, .range_m = 0, .ins_share = 0.1, .ins_deg = 1, .gps_m = 0.5};
    std::vector<double> alone, aided, step_error, said;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::vector<Pose> truth;
        MotionSensor inertial(Instrument::ins, noise, start, 1, seed, 0);
        const Pose drifted = add_up(start, measured_square(inertial, &truth));
        alone.push_back(distance(drifted.position(), truth.back().position()));
        truth.clear();
        MotionSensor held(Instrument::gps_ins, noise, start, 1, seed, 0);
        const std::vector<Motion> motions = measured_square(held, &truth);
        aided.push_back(distance(add_up(start, motions).position(), truth.back().position()));
        for (std::size_t k = 0; k < 3; ++k) {  // later the heading is off, too
            step_error.push_back(motions[k].delta.x - 1);
            said.push_back(std::sqrt(motions[k].covariance[0]));
        }
    }
    CHECK(mean_square(alone) > 2 * mean_square(aided));
    CHECK(mean_square(aided) < 2 * 0.5 * 0.5);
    CHECK(mean_square(step_error) == doctest::Approx(mean_square(said)).epsilon(0.2));
}

TEST_CASE("the errors of a step do not depend on how many parts it is measured in") {
    const std::vector<Pose> parts{{0.5, 0, 0.2}, {0.3, 0.1, 0}, {0, 0, -0.4}};
    for (const Instrument instrument : {Instrument::wheels, Instrument::ins}) {
        const NoiseOptions noise{.odometry_share = 0.1, .range_m = 0, .ins_share = 0.1, .ins_deg = 2, .gps_m = 0};
        MotionSensor sensor(instrument, noise, start, 1, 1, 0);
        double variance = 0, variance_yaw = 0, travelled = 0, turn = 0;
        for (const Motion& m : sensor.measure(parts, start, 0)) {
            variance += m.covariance[0];
            variance_yaw += m.covariance[8];
        }
        for (const Pose& part : parts) {
            travelled += norm(part.position());
            turn += std::abs(part.yaw) + 0.1 * norm(part.position());
        }
        CHECK(variance == doctest::Approx(std::pow(0.1 * travelled, 2)));
        CHECK(variance_yaw == doctest::Approx(std::pow(instrument == Instrument::wheels ? 0.1 * turn : radians(2), 2)));
    }
}

TEST_CASE("a compass holds the heading of wheels, and local fields turn it by place") {
    NoiseOptions noise{
        .odometry_share = 0.05, .range_m = 0, .ins_share = 0, .ins_deg = 0, .gps_m = 0, .compass_deg = 2};
    std::vector<double> wheels, held, turned;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        std::vector<Pose> truth;
        const auto off = [&](Instrument instrument) {
            truth.clear();
            MotionSensor sensor(instrument, noise, start, 1, seed, 0);
            const double yaw = add_up(start, measured_square(sensor, &truth)).yaw;
            return wrap_angle(yaw - truth.back().yaw);
        };
        noise.compass_field_deg = 0;
        wheels.push_back(off(Instrument::wheels));
        held.push_back(off(Instrument::compass));
        noise.compass_field_deg = 10;
        turned.push_back(off(Instrument::compass));
    }
    CHECK(mean_square(held) < std::pow(radians(2), 2));
    CHECK(mean_square(wheels) > 9 * mean_square(held));
    CHECK(mean_square(turned) > 2 * mean_square(held));
    CHECK(mean_square(turned) < mean_square(wheels));

    // It says how good it is: the steps while it drives straight on, of which the errors are those of the filter.
    noise.compass_field_deg = 0;
    std::vector<double> off, said;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        MotionSensor sensor(Instrument::compass, noise, start, 1, seed, 0);
        Pose at = start;
        const Pose ahead{1, 0, 0};
        for (int step = 0; step < 5; ++step) {
            at = compose(at, ahead);
            const Motion m = sensor.measure(std::span(&ahead, 1), at, step).front();
            off.push_back(m.delta.yaw);
            said.push_back(std::sqrt(m.covariance[8]));
        }
    }
    CHECK(mean_square(off) == doctest::Approx(mean_square(said)).epsilon(0.3));
}

TEST_CASE("without satellites an inertial system drifts, and a position holds it again") {
    NoiseOptions noise{.odometry_share = 0, .range_m = 0, .ins_share = 0.1, .ins_deg = 1, .gps_m = 0.1};
    const auto off = [&](double lost) {
        std::vector<double> ends;
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            noise.gps_lost_share = lost;
            std::vector<Pose> truth;
            MotionSensor sensor(Instrument::gps_ins, noise, start, 1, seed, 0);
            const Pose end = add_up(start, measured_square(sensor, &truth));
            ends.push_back(distance(end.position(), truth.back().position()));
        }
        return mean_square(ends);
    };
    const double held = off(0), half = off(0.5), alone = off(1);
    CHECK(held < half);
    CHECK(half < alone);
    CHECK(alone > 10 * held);
}

}  // namespace test_motion_sensor
