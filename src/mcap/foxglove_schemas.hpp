// The schemas by which Foxglove knows its messages.
#pragma once

#include "mcap/coding.hpp"

namespace outrider {

/// Name and JSON Schema.
SchemaText foxglove_schema(MessageKind kind);

}  // namespace outrider
