// A video out of pictures, through ffmpeg when it is installed.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "base/output.hpp"

namespace outrider {

class Video {
  public:
    /// Starts ffmpeg, which writes to `path` (its extension sets the format). Throws Error when there is no ffmpeg, or
    /// the file exists and may not be overwritten.
    Video(const std::string& path, int frames_per_second, bool overwrite);
    /// Without finish() the video is given up.
    ~Video();
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;

    /// Appends a picture, as PNG; all have the same size. Throws Error when ffmpeg has ended.
    void add(std::string_view png);
    /// Throws Error when ffmpeg failed.
    void finish();

  private:
    int wait();
    std::string path_;
    bool overwrite_;
    std::optional<PartialFile> partial_;
    int pipe_ = -1;
    pid_t process_ = -1;
};

}  // namespace outrider
