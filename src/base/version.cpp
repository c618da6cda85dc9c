#include <fstream>
#include <sstream>

#include "base/version.hpp"
#include "outrider/detail/hash.hpp"

namespace outrider {

SourceFingerprint strategy_fingerprint(std::string_view file) {
    for (const SourceFingerprint& source : strategy_fingerprints())
        if (file.ends_with(source.file) &&
            (file.size() == source.file.size() || file[file.size() - source.file.size() - 1] == '/'))
            return source;
    // Compiled from elsewhere, such as the strategies of tests: whatever it is, it is in this program.
    static const std::string program = [] {
        std::ostringstream bytes;
        bytes << std::ifstream("/proc/self/exe", std::ios::binary).rdbuf();
        return fingerprint_of(bytes.str());
    }();
    return {file, program, true};
}

bool is_fingerprint(std::string_view text) {
    return text.size() == 12 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string fingerprint_of(std::string_view bytes) {
    return hash_bytes(bytes.data(), bytes.size()).hex().substr(0, 12);
}

}  // namespace outrider
