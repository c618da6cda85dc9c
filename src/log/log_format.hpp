// How a run is stored: one SQLite file (docs/log.md). Shared by the writer and the reader.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/byte_stream.hpp"
#include "outrider/briefing.hpp"
#include "outrider/cells.hpp"
#include "outrider/percept.hpp"
#include "outrider/team.hpp"

namespace outrider {

inline constexpr std::int32_t log_application_id = 0x4F555452;  // "OUTR"
inline constexpr int log_version = 7;                           ///< of the newest layout that this program knows
inline constexpr int log_version_plain = 1;                     ///< of a log below the full level
inline constexpr int log_version_full = 2;
inline constexpr int log_version_open_loop = 3;  ///< of a full log with the decisions of an open loop
inline constexpr int log_version_localised = 4;  ///< of a full log of robots that match scans, open loop or not
inline constexpr int log_version_lost = 5;       ///< the same, and it says when they were lost
inline constexpr int log_version_layers =
    6;  ///< of a full log, open loop or not, with ground that differs or a second channel
inline constexpr int log_version_live = 7;  ///< of a full log of robots that are not simulated

/// What the table meta holds packed, as SQL lists them: not to be read as text.
inline constexpr std::string_view packed_keys = "'map', 'briefings', 'script', 'plan', 'ground', 'glass', 'height'";

/// How many values an enumeration has that logs store as numbers.
template <class E>
inline constexpr std::size_t choices = 0;
template <>
inline constexpr std::size_t choices<Role> = role_names.size();
template <>
inline constexpr std::size_t choices<Share> = 3;
template <>
inline constexpr std::size_t choices<Sighting::Kind> = 3;
template <>
inline constexpr std::size_t choices<Kinematics> = kinematics_names.size();
template <>
inline constexpr std::size_t choices<RadioModel> = radio_model_names.size();
template <>
inline constexpr std::size_t choices<RangeRule> = range_rule_names.size();

template <class E>
E read_choice(ByteReader& in) {
    static_assert(choices<E> > 0);
    return in.choice<E>(choices<E>);
}

/// Of a scan.
inline constexpr int most_beams = 100'000;
/// Cells that are farther than this from the origin are on no map.
inline constexpr double most_cells_away = 1 << 27;
/// Robots can err in where they are, but hardly by more than the map is large.
inline double cells_away(double width, double height) { return 1000 + 4 * (width + height); }
/// Throws Error where a place is not a number, or so many cells from the origin.
inline void expect_on_map(const Lattice& lattice, Point p, double most_cells = most_cells_away) {
    const double most = most_cells * lattice.cell_m;
    if (!(std::abs(p.x) < most && std::abs(p.y) < most)) fail("the log holds a place off all maps, ({}, {})", p.x, p.y);
}
/// Likewise of a pose, whose heading has to be an angle.
inline void expect_on_map(const Lattice& lattice, const Pose& pose, double most_cells = most_cells_away) {
    expect_on_map(lattice, pose.position(), most_cells);
    if (!is_angle(pose.yaw)) fail("the log holds a heading of {} radians", pose.yaw);
}
/// `from` moved by `way`. Throws Error where that is off all maps.
inline Cell moved(Cell from, Cell offset) {
    const std::int64_t x = std::int64_t{from.x} + offset.x, y = std::int64_t{from.y} + offset.y;
    if (std::abs(static_cast<double>(x)) > most_cells_away || std::abs(static_cast<double>(y)) > most_cells_away)
        fail("the log holds a place off all maps");
    return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
}

}  // namespace outrider
