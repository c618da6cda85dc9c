// What a message says besides maps, as bytes.
#pragma once

#include <memory>

#include "base/byte_stream.hpp"
#include "outrider/team.hpp"

namespace outrider {

/// All of a message but its payload.
void write_head(ByteWriter& out, const Message& message);
/// Throws Error where it says what no member of this team can say to the receiver: robots and frames that are not
/// there, places off all maps, numbers that are none.
std::shared_ptr<Message> read_head(ByteReader& in, const Briefing& receiver);

}  // namespace outrider
