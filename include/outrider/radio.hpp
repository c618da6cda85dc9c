// The radio formulas: mathematics that both sides share.
//
//     link_range_m(radio.range_rule, 20, 15);        // reach of a link, by the rule
//     path_loss_dbm(radio, 20, 12.5, 2) > radio.cutoff_dbm   // linked over 12.5 m and two walls?
//
// The world decides from the true walls who is really linked; a robot estimates signals from its own map.
#pragma once

#include <array>
#include <string_view>

#include "outrider/options.hpp"

namespace outrider {

enum class RadioModel { circle, line_of_sight, path_loss, ir2 };
inline constexpr std::array<std::string_view, 4> radio_model_names{"circle", "los", "path_loss", "ir2"};
/// Which range counts between two radios of different range.
enum class RangeRule { min, sum, first };
inline constexpr std::array<std::string_view, 3> range_rule_names{"min", "sum", "first"};

/// Log-distance path loss with wall attenuation (Bahl & Padmanabhan 2000, as MRESim's code has it):
///   S = S0 - 10 N log10(d / R) - min(walls, C) WAF   [dBm],   linked iff S > S_cut
/// with R the reach in free space when S0 = S_cut.
struct RadioOptions {
    RadioModel model = RadioModel::path_loss;
    RangeRule range_rule = RangeRule::min;
    double reference_dbm = -93;  ///< S0, the signal at the distance R
    double cutoff_dbm = -93;     ///< S_cut
    double exponent = 2.5;       ///< N
    double wall_db = 3.65;       ///< WAF
    int max_walls = 125;         ///< C
    double ir2_loss_db = 0;      ///< ir2: most that K and X are drawn to be

    void fields(Fields& f) {
        f("model", model, radio_model_names, "who hears whom: a circle, that with line of sight, path loss, or IR2's");
        f("range_rule", range_rule, range_rule_names,
          "reach between two radios: the smaller, the sum, or that of the robot with the lower number");
        f("reference_dbm", reference_dbm, -200, 100, "path loss: signal at the distance of the radio's range");
        f("cutoff_dbm", cutoff_dbm, -200, 100, "path loss: weakest signal that is still received");
        f("exponent", exponent, 1, 10, "path loss: exponent of the distance (2 in free space)");
        f("wall_db", wall_db, 0, 100, "path loss: attenuation by each wall crossed (a contiguous run of wall cells)");
        f("max_walls", max_walls, 0, 10000, "path loss: further walls attenuate no more");
        f("ir2_loss_db", ir2_loss_db, 0, 100, "ir2: most dB that walls, and long paths, cost more; drawn for each run");
    }
};

/// The reach of a link, in metres, between a (lower number) and b.
double link_range_m(RangeRule rule, double range_a_m, double range_b_m);
/// Path-loss signal in dBm at distance_m > 0 through so many walls; +infinity at distance 0.
double path_loss_dbm(const RadioOptions& radio, double range_m, double distance_m, int walls);
/// The largest number of walls through which a link of this length still holds; -1 when not even through free space.
int walls_allowed(const RadioOptions& radio, double range_m, double distance_m);
/// No two radios are linked beyond this distance under any circumstances.
double max_link_m(const RadioOptions& radio, double range_m);

}  // namespace outrider
