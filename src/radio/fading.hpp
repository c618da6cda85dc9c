// What robots do not know of the radio: how much better or worse a link is than the path loss says. Shadowing by what
// no map shows: a normal number for each pair of places, that changes little over a few metres and steps.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "outrider/geometry.hpp"
#include "outrider/radio.hpp"

namespace outrider {

/// mresim: the numbers of RadioOptions, unless they are set. wss: those of the radio server of USARSim.
enum class RadioPreset { mresim, wss };
inline constexpr std::array<std::string_view, 2> radio_preset_names{"mresim", "wss"};
/// How far the radio of USARSim reaches in free space: -49.67 dBm at 2 m, -93 dBm needed, 10 dB for ten times the way.
inline constexpr double wss_range_m = 43'055;

/// The section [radio]: what robots are told of it, and what they are not.
struct RadioSection : RadioOptions {
    RadioPreset preset = RadioPreset::mresim;
    double fading_db = 0;
    double fading_m = 2;
    int fading_steps = 10;
    double sensed_noise_db = 0;
    void fields(Fields& f) {
        f("preset", preset, radio_preset_names,
          "values of a known radio, which the other options of this section change; with wss (USARSim's server) "
          "comm.range_m and comm.base_range_m are 43055 m, whatever else is set");
        RadioOptions::fields(f);
        f("fading_db", fading_db, 0, 30,
          "path loss: standard deviation by which a link is better or worse than the formula says, at most three times "
          "that; robots do not know it");
        f("fading_m", fading_m, 0.1, 1000, "over how many metres the fading becomes another one");
        f("fading_steps", fading_steps, 0, 1'000'000, "over how many steps it becomes another one; 0: it stays");
        f("sensed_noise_db", sensed_noise_db, 0, 30,
          "path loss and ir2: standard deviation of the signal that robots measure");
    }
    /// Sets what the preset says of the formula.
    void apply_preset();
};

/// Normal, with the same standard deviation everywhere; a function of both places and the step alone, the same from a
/// to b and from b to a. Random numbers at the corners of a lattice, weighted by distance, of both places together.
class Fading {
  public:
    Fading() = default;
    Fading(const RadioSection& radio, std::uint64_t seed)
        : sigma_db_(radio.fading_db), over_m_(radio.fading_m), over_steps_(radio.fading_steps), seed_(seed) {}
    bool any() const { return sigma_db_ > 0; }
    /// By how much the link between two places in metres is better in that step.
    double db(Point a, Point b, int step) const;
    /// No link is better by more than this.
    double most_db() const { return most_sigmas * sigma_db_; }

  private:
    static constexpr double most_sigmas = 3;
    double sigma_db_ = 0, over_m_ = 1;
    int over_steps_ = 0;
    std::uint64_t seed_ = 0;
};

}  // namespace outrider
