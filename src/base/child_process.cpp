#include "base/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

extern char** environ;

namespace outrider {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<const std::atomic<bool>*> break_off{nullptr};
std::atomic<Clock::rep> break_off_seen{0};  // when a wait first saw it set
thread_local double programs_cpu_s = 0;

/// After a request to stop, the step is still finished if the programs answer: it can then be run again.
void break_off_if_asked() {
    const std::atomic<bool>* const asked = break_off.load();
    if (!asked || !asked->load()) return;
    const Clock::rep now = Clock::now().time_since_epoch().count();
    Clock::rep seen = 0;
    if (break_off_seen.compare_exchange_strong(seen, now)) return;
    if (Clock::duration(now - seen) > std::chrono::seconds(1)) throw WaitBrokenOff("the wait was broken off");
}

/// Waits until the socket is ready for `events` or the time is over.
bool wait_for(int socket, short events, Clock::time_point until) {
    constexpr long look_ms = 50;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
        pollfd entry{socket, events, 0};
        const int ready = poll(&entry, 1, static_cast<int>(std::max<long>(0, std::min<long>(left + 1, look_ms))));
        if (ready > 0) return true;
        if (ready == 0 && left <= 0) return false;
        if (ready < 0 && errno != EINTR) return false;
        break_off_if_asked();
    }
}

Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6));
}

}  // namespace

void break_off_waits(const std::atomic<bool>* when) {
    break_off_seen = 0;
    break_off = when;
}

double ended_programs_cpu_s() { return programs_cpu_s; }

// A pair of sockets instead of two pipes: writing to a program that has ended is then an error and not a signal.
ChildProcess::ChildProcess(const std::string& command) : command_(command) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw RunFailure(fmt::format("'{}' cannot be started: {}", command, std::strerror(errno)));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // its own group: ended together with its children
    std::string shell = "sh", option = "-c", text = command;
    std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
    const int error = posix_spawn(&pid_, "/bin/sh", &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    socket_ = ends[0];
    if (error == 0) return;
    close(socket_);
    throw RunFailure(fmt::format("'{}' cannot be started: {}", command, std::strerror(error)));
}

ChildProcess::~ChildProcess() {
    close(socket_);
    if (pid_ < 0 || reap(200)) return;
    kill(-pid_, SIGKILL);
    wait(0);
}

/// Whether it has ended; records how, and the CPU time that it took.
bool ChildProcess::wait(int options) {
    rusage usage{};
    pid_t ended = 0;
    while ((ended = wait4(pid_, &status_, options, &usage)) < 0 && errno == EINTR) {
    }
    if (ended != pid_) return false;
    pid_ = -1;
    for (const timeval& t : {usage.ru_utime, usage.ru_stime})
        programs_cpu_s += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    return true;
}

/// Whether it has ended by then.
bool ChildProcess::reap(int milliseconds) {
    for (int waited = 0;; waited += 5) {
        if (wait(WNOHANG)) return true;
        if (waited >= milliseconds) return false;
        usleep(5000);
    }
}

void ChildProcess::ended() {
    if (pid_ >= 0 && !reap(200)) throw RunFailure(fmt::format("'{}' closed its output", command_));
    if (WIFSIGNALED(status_)) throw RunFailure(fmt::format("'{}' was ended by signal {}", command_, WTERMSIG(status_)));
    throw RunFailure(fmt::format("'{}' ended with exit code {}", command_, WEXITSTATUS(status_)));
}

void ChildProcess::expect_silence() {
    char byte = 0;
    if (buffer_.empty() && recv(socket_, &byte, 1, MSG_DONTWAIT | MSG_PEEK) <= 0) return;
    throw RunFailure(fmt::format("'{}' wrote more than it was asked for; expected one line for each", command_));
}

void ChildProcess::write_line(std::string line, double timeout_s) {
    line += '\n';
    const auto until = after(timeout_s);
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t n = send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            sent += static_cast<std::size_t>(n);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!wait_for(socket_, POLLOUT, until))
                throw RunFailure(fmt::format("'{}' has not read its input for {} s", command_, timeout_s));
        } else if (errno != EINTR) {
            ended();
        }
    }
}

std::string ChildProcess::read_line(double timeout_s) {
    const auto until = after(timeout_s);
    std::size_t looked = 0;
    for (;;) {
        if (const std::size_t end = buffer_.find('\n', looked); end != buffer_.npos) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        looked = buffer_.size();
        if (looked > (1u << 24)) throw RunFailure(fmt::format("'{}' wrote 16 MB without an end of line", command_));
        if (!wait_for(socket_, POLLIN, until))
            throw RunFailure(fmt::format("'{}' has not answered for {} s", command_, timeout_s));
        std::array<char, 65536> bytes;
        const ssize_t n = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (n > 0)
            buffer_.append(bytes.data(), static_cast<std::size_t>(n));
        else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            ended();
    }
}

}  // namespace outrider
