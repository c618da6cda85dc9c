// A database of this program's own, some of its values other ones: what an untrusted file can hold behind all that
// SQLite and the checksums find.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace outrider::fuzz {

/// Makes the file a copy of `original`, with up to eight values changed by lines "TABLE.COLUMN ROW VALUE". A number may
/// stand for table and column: any of them, in their order; a row is counted from 0 on, and again from the beginning
/// after the last. What the tables themselves refuse is left as it was.
void write_changed(const ScratchFile& file, const std::string& original, std::string_view changes);

/// Gives a plan, or results, the hash of what it holds now, as who changed it on purpose would. Throws Error where it
/// is no plan any more.
void sign_plan(const std::string& path);

}  // namespace outrider::fuzz
