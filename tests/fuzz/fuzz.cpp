#include "fuzz/fuzz.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "outrider/error.hpp"

namespace outrider::fuzz {
namespace {

namespace fs = std::filesystem;

struct ScratchFolder {
    std::string path;
    ScratchFolder() {
        path = (fs::temp_directory_path() / "outrider-fuzz-XXXXXX").string();
        if (!mkdtemp(path.data())) throw std::runtime_error("no temporary folder can be made");
    }
    ~ScratchFolder() {
        std::error_code error;
        fs::remove_all(path, error);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
};

}  // namespace

const std::vector<Target>& targets() {
    static const std::vector<Target> all = [] {
        std::vector<Target> list;
        for (const auto& part : {map_targets(), text_targets(), sensor_log_targets(), log_targets(), consumer_targets(),
                                 log_join_targets(), command_targets(), view_targets(), strategy_targets(),
                                 sweep_targets(), wire_targets(), usarsim_targets()})
            list.insert(list.end(), part.begin(), part.end());
        return list;
    }();
    return all;
}

const Target* find_target(std::string_view name) {
    const auto at = std::find_if(targets().begin(), targets().end(), [&](const Target& t) { return t.name == name; });
    return at == targets().end() ? nullptr : &*at;
}

void run(const Target& target, std::string_view bytes) {
    try {
        target.read(bytes);
    } catch (const Error&) {
    } catch (const RunFailure&) {
    }
}

void expect(bool right, const char* what) {
    if (!right) throw std::logic_error(what);
}

const std::string& ScratchFile::folder() {
    static const ScratchFolder folder;
    return folder.path;
}

ScratchFile::ScratchFile(const std::string& name) : path_(folder() + "/" + name) {
    fs::create_directories(fs::path(path_).parent_path());
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) throw std::runtime_error(path_ + " cannot be written");
}

ScratchFile::~ScratchFile() { close(file_); }

void ScratchFile::write(std::string_view bytes) const {
    const bool written =
        ftruncate(file_, 0) == 0 && pwrite(file_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    if (!written) throw std::runtime_error(path_ + " cannot be written");
}

std::vector<std::string_view> parts_of(std::string_view bytes, std::size_t count) {
    std::vector<std::string_view> parts(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t end = i + 1 < count ? std::min(bytes.find(separator), bytes.size()) : bytes.size();
        parts[i] = bytes.substr(0, end);
        bytes.remove_prefix(std::min(end + separator.size(), bytes.size()));
    }
    return parts;
}

std::string join_parts(const std::vector<std::string>& parts) {
    std::string bytes;
    for (const std::string& part : parts) {
        if (!bytes.empty() || &part != parts.data()) bytes += separator;
        bytes += part;
    }
    return bytes;
}

}  // namespace outrider::fuzz
