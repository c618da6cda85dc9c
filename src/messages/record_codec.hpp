// Poses and records of the team as bytes: what logs keep, and what robots that are processes of their own send.
#pragma once

#include "base/byte_stream.hpp"
#include "outrider/team.hpp"

namespace outrider {

void write_pose(ByteWriter& out, const Pose& pose);
/// Its numbers are not checked: any may stand there.
Pose read_pose(ByteReader& in);

/// All of a record: its words, too.
void write_record(ByteWriter& out, const TeamRecord& record);
/// Checked is what the types can hold; not, whether the team has such robots and the map such places.
TeamRecord read_record(ByteReader& in);
/// The fewest bytes of a record.
inline constexpr std::size_t least_record_bytes = 33;

}  // namespace outrider
