#include "cli/interrupt.hpp"

#include <time.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>

#include "base/child_process.hpp"
#include "base/output.hpp"

namespace outrider {
namespace {

std::atomic<bool> was_interrupted{false};
std::atomic<std::int64_t> first_ms{0};
const char* last_words = "";
const char* before_words = "";  // what takes a line of progress away

extern "C" void on_interrupt(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t now_ms = now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
    if (!was_interrupted.exchange(true)) {
        first_ms = now_ms;
    } else if (now_ms - first_ms > 300) {
        PartialFile::remove_all();
        std::signal(signal, SIG_DFL);
        raise(signal);
    }
}

extern "C" void on_last_interrupt(int) {
    PartialFile::remove_all();
    for (const char* text : {before_words, last_words})
        if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
    _exit(130);
}

void handle(void (*handler)(int)) {
    std::signal(SIGINT, handler);
    std::signal(SIGTERM, handler);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
    handle(on_interrupt);
    break_off_waits(&was_interrupted);  // otherwise a program that hangs would delay the end
    return was_interrupted;
}

void end_when_interrupted(const char* line) {
    last_words = line;
    if (isatty(STDERR_FILENO)) before_words = "\r\x1b[K";
    handle(on_last_interrupt);
}

void ignore_interrupts() { handle(SIG_IGN); }

}  // namespace outrider
