// How a run is stored: one SQLite file (docs/log.md). Shared by the writer and the reader.
#pragma once

#include <cstdint>

#include "base/byte_stream.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

inline constexpr std::int32_t log_application_id = 0x4F555452;  // "OUTR"
inline constexpr int log_version = 4;                           ///< of the newest layout that this program knows
inline constexpr int log_version_plain = 1;                     ///< of a log below the full level
inline constexpr int log_version_full = 2;
inline constexpr int log_version_open_loop = 3;  ///< of a full log with the decisions of an open loop
inline constexpr int log_version_localised = 4;  ///< of a full log of robots that match scans, open loop or not

inline void write_pose(ByteWriter& out, const Pose& pose) {
    out.number(pose.x);
    out.number(pose.y);
    out.number(pose.yaw);
}
inline Pose read_pose(ByteReader& in) {
    const double x = in.number(), y = in.number();
    return {x, y, in.number()};
}

}  // namespace outrider
