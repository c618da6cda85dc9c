#include "base/video.hpp"

#include <filesystem>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/output.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

bool in_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access(((folder.empty() ? "." : folder) + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

}  // namespace

Video::Video(const std::string& path, int frames_per_second, bool overwrite) : path_(path), overwrite_(overwrite) {
    if (!in_path("ffmpeg"))
        fail(
            "{}: a video needs ffmpeg, which is not installed (Debian: apt-get install ffmpeg); --png DIR writes the "
            "pictures without it",
            path);
    prepare_output(path, overwrite);
    partial_.emplace(path, std::filesystem::path(path).extension().string());
    std::array<int, 2> ends;
    if (pipe(ends.data()) != 0) fail("{}: no pipe to ffmpeg", path);
    // Encoders want even sizes.
    std::vector<std::string> words{"ffmpeg",
                                   "-nostdin",
                                   "-loglevel",
                                   "error",
                                   "-y",
                                   "-f",
                                   "image2pipe",
                                   "-framerate",
                                   std::to_string(frames_per_second),
                                   "-i",
                                   "-",
                                   "-vf",
                                   "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                   "-pix_fmt",
                                   "yuv420p",
                                   "file:" + partial_->name()};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    signal(SIGPIPE, SIG_IGN);  // when ffmpeg ends early, write() reports it
    process_ = fork();
    if (process_ < 0) fail("{}: ffmpeg cannot be started", path);
    if (process_ == 0) {
        setpgid(0, 0);  // Ctrl-C ends the pictures, not the video of them
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp("ffmpeg", arguments.data());
        _exit(127);
    }
    close(ends[0]);
    pipe_ = ends[1];
}

Video::~Video() {
    if (process_ > 0) wait();
}

int Video::wait() {
    if (pipe_ >= 0) close(pipe_);
    pipe_ = -1;
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void Video::add(std::string_view png) {
    while (!png.empty()) {
        const ssize_t n = ::write(pipe_, png.data(), png.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return finish();
        png.remove_prefix(static_cast<std::size_t>(n));
    }
}

void Video::finish() {
    if (const int code = wait(); code != 0) fail("{}: ffmpeg failed (exit code {})", path_, code);
    partial_->commit(overwrite_);
}

}  // namespace outrider
