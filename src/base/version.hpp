// Which program this is: its version, the commit, and hashes of the sources that decide. The build writes them
// (tools/version.cmake, tools/fingerprints.cmake).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace outrider {

std::string_view version();
/// Commit from which the program was built, with "+" when sources or other files were changed or sources are not in it;
/// "unknown" without git.
std::string_view source_id();

/// Twelve hexadecimal digits: of all sources but strategies that decide what happens in a run.
std::string_view library_fingerprint();

/// Of the headers that strategies are built with: one built with others is not loaded.
std::string_view api_fingerprint();

/// Of a source of strategies/: with all that it includes from there.
struct SourceFingerprint {
    std::string_view file;         ///< "strategies/nearest.cpp"
    std::string_view fingerprint;  ///< twelve hexadecimal digits
    bool own = false;              ///< not as committed: changed, or known to nobody else
};
std::span<const SourceFingerprint> strategy_fingerprints();
/// That of a source as the compiler names it; of another one that of this whole program, which is then `own`.
SourceFingerprint strategy_fingerprint(std::string_view file);

/// Whether a text from a file can be a fingerprint: twelve hexadecimal digits.
bool is_fingerprint(std::string_view text);
/// Of these bytes.
std::string fingerprint_of(std::string_view bytes);

}  // namespace outrider
