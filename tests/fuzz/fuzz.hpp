// Fuzz targets: every reader of the program, fed with any bytes. tests/fuzz/README.md says how to run them.
//
// The same functions serve two programs: outrider-fuzz (clang's libFuzzer, tools/fuzz) and outrider-tests, which runs
// the seeds and all that once crashed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace outrider::fuzz {

struct Target {
    std::string_view name;  ///< a folder of seeds/ and of crashes/
    std::string_view what;  ///< the reader, and the function that is called
    /// May throw Error and RunFailure: the input was refused. Anything else that it throws is a finding.
    void (*read)(std::string_view bytes);
    std::size_t most_bytes = 4096;
    /// Makes checksums of a changed input right again, so that it gets past them; nullptr: the format has none.
    std::string (*repair)(std::string_view bytes) = nullptr;
};

/// All of them.
const std::vector<Target>& targets();
/// nullptr: no such target.
const Target* find_target(std::string_view name);
/// Calls the reader and takes a refusal for an answer.
void run(const Target& target, std::string_view bytes);

// Each in a file of its own.
std::vector<Target> map_targets();
std::vector<Target> text_targets();
std::vector<Target> sensor_log_targets();
std::vector<Target> log_targets();
std::vector<Target> consumer_targets();
std::vector<Target> command_targets();
std::vector<Target> log_join_targets();
std::vector<Target> view_targets();
std::vector<Target> strategy_targets();
std::vector<Target> sweep_targets();
std::vector<Target> wire_targets();
std::vector<Target> usarsim_targets();

/// A finding: throws std::logic_error unless `right`.
void expect(bool right, const char* what);

/// A file for readers that take nothing else, in a folder of this process that goes with it. With TMPDIR=/dev/shm it
/// never reaches a disk.
class ScratchFile {
  public:
    /// name: may have folders.
    explicit ScratchFile(const std::string& name);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    /// Replaces the content.
    void write(std::string_view bytes) const;
    const std::string& path() const { return path_; }
    /// The folder that all of them are in.
    static const std::string& folder();

  private:
    std::string path_;
    int file_;
};

/// Parts of an input, between separators; missing ones are empty. For readers of several strings.
inline constexpr std::string_view separator = "<||>";
std::vector<std::string_view> parts_of(std::string_view bytes, std::size_t count);
std::string join_parts(const std::vector<std::string>& parts);

}  // namespace outrider::fuzz
