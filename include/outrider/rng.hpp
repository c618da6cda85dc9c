// Keyed random numbers: what is drawn depends on (seed, robot, purpose, step) alone, so that threads change nothing.
// Philox4x32-10 (Salmon et al. 2011).
#pragma once

#include <array>
#include <cstdint>

namespace outrider {

/// What the numbers are for; each purpose has a stream of its own.
enum class Purpose : std::uint32_t {
    strategy,
    odometry,
    range,
    message_loss,
    placement,
    map,
    bootstrap,
    particle,
    calibration,
    radio,
    sighting,
    failure,
    fading,
    motion,
    changes,
    prior,
    terrain
};

class Rng {
  public:
    /// Of step and robot the lower 32 bits are used; -1: there is none. `stream`: of several in a step; below 2^24.
    Rng(std::uint64_t seed, std::int64_t robot, Purpose purpose, std::int64_t step, std::uint32_t stream = 0);
    std::uint32_t next();
    /// Uniform in [0, 1), 53 bits.
    double uniform();
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform in [0, n), without bias; n > 0.
    std::uint32_t below(std::uint32_t n);
    /// Standard normal (Box & Muller).
    double normal();

    /// The bare block function, for its known-answer test.
    static std::array<std::uint32_t, 4> block(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

  private:
    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 4> counter_;
    std::array<std::uint32_t, 4> buffer_{};
    int left_ = 0;
};

}  // namespace outrider
