#include "base/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace outrider {
namespace {

using Clock = std::chrono::steady_clock;

struct Shown {
    std::string what, state;
    Clock::time_point begun;
    std::size_t done = 0, of = 0;  // of 0: nobody counts
};

/// The last line of the terminal. A thread draws it as long as there is work.
struct LastLine {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<Shown> works;
    std::thread painter;
    std::atomic<bool> hidden{false};
    std::string shown;         // stands on the terminal
    bool within_line = false;  // what was printed last goes on
};

LastLine& last_line() {
    static LastLine line;
    return line;
}

double seconds_since(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }

void write_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

/// As much of a text as fits into the line.
std::string fitted(const std::string& text) {
    winsize size{};
    std::size_t left = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col - 1u : 79u;
    std::size_t end = 0;
    for (; end < text.size(); ++end)
        if ((text[end] & 0xc0) != 0x80 && left-- == 0) break;
    return text.substr(0, end);
}

std::string text_of(const Shown& work) {
    const double s = seconds_since(work.begun);
    std::string out = fmt::format("{}  {}", work.what, time_text(std::floor(s)));
    if (work.done > 0) {
        const double each = s / static_cast<double>(work.done);
        out += fmt::format(", {} left", time_text(each * static_cast<double>(work.of - std::min(work.done, work.of))));
    }
    return work.state.empty() ? out : out + "  " + work.state;
}

/// The cursor waits at the beginning of the line: what another program writes takes its place.
void draw(LastLine& line) {
    if (line.works.empty() || line.hidden || line.within_line) return;
    if (seconds_since(line.works.front().begun) < 0.5) return;
    std::string text = fitted(text_of(line.works.back()));
    if (text == line.shown) return;
    write_error(progress_text(terminal_text("{}", text)).text() + "\r");
    line.shown = std::move(text);
}

void clear(LastLine& line) {
    if (!line.shown.empty()) write_error(progress_text(terminal_text("")).text());
    line.shown.clear();
}

void paint(LastLine& line) {
    std::unique_lock lock(line.mutex);
    while (!line.works.empty()) {
        draw(line);
        line.changed.wait_for(lock, std::chrono::milliseconds(100), [&] { return line.works.empty(); });
    }
}

}  // namespace

Work::Work(const TerminalText& what) : place_(0) {
    if (!watched()) return;
    LastLine& line = last_line();
    std::unique_lock lock(line.mutex);
    line.works.push_back({what.text(), {}, Clock::now()});
    place_ = line.works.size();
    if (place_ == 1) line.painter = std::thread([&line] { paint(line); });
}

Work::~Work() {
    if (place_ == 0) return;
    LastLine& line = last_line();
    std::thread ended;
    {
        const std::unique_lock lock(line.mutex);
        line.works.resize(place_ - 1);
        clear(line);
        if (place_ == 1) ended = std::move(line.painter);
        line.changed.notify_all();
    }
    if (ended.joinable()) ended.join();
}

bool Work::watched() {
    static const bool terminal = isatty(STDERR_FILENO) != 0;
    return terminal && !last_line().hidden;
}

void Work::hide() {
    LastLine& line = last_line();
    const std::unique_lock lock(line.mutex);
    clear(line);
    line.hidden = true;
}

void Work::at(const TerminalText& state) {
    if (place_ == 0) return;
    const std::unique_lock lock(last_line().mutex);
    last_line().works[place_ - 1].state = state.text();
}

void Work::at(std::size_t done, std::size_t of, std::string_view parts) {
    if (place_ == 0) return;
    const std::unique_lock lock(last_line().mutex);
    Shown& work = last_line().works[place_ - 1];
    work.state = plain_line(fmt::format("{} of {} {}", done, of, parts));
    work.done = done;
    work.of = of;
}

std::string time_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::ceil(std::min(seconds, 1e9)));
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

void detail::print(std::FILE* file, std::string_view text) {
    LastLine& line = last_line();
    const std::unique_lock lock(line.mutex);
    clear(line);
    std::fwrite(text.data(), 1, text.size(), file);
    if (!text.empty()) line.within_line = text.back() != '\n';
}

}  // namespace outrider
