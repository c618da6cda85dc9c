// Another program that is talked to line by line.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "outrider/error.hpp"

namespace outrider {

/// Thrown by a wait for a program that is broken off.
struct WaitBrokenOff : RunFailure {
    using RunFailure::RunFailure;
};

/// From now on, in the whole program, all waits end a second after this flag is set; nullptr: they do not.
void break_off_waits(const std::atomic<bool>* when);

/// CPU time, user and system, of all programs that this thread saw end, including the children that they waited for.
double ended_programs_cpu_s();

/// A shell command with its standard input and output connected to this program; its standard error goes where ours
/// goes. Every failure throws RunFailure: it cannot be started, has ended, or does not read or write in time.
class ChildProcess {
  public:
    explicit ChildProcess(const std::string& command);
    /// Closes its input, gives it a moment to end by itself, then ends it.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Throws when output has arrived that was not read.
    void expect_silence();
    /// Adds the end of the line.
    void write_line(std::string line, double timeout_s);
    /// Without the end of the line; at most 16 MB.
    std::string read_line(double timeout_s);

  private:
    [[noreturn]] void ended();
    bool reap(int milliseconds);
    bool wait(int options);

    std::string command_;
    int pid_ = -1, socket_ = -1, status_ = 0;
    std::string buffer_;
};

}  // namespace outrider
