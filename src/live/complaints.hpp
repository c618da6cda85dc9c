// What went wrong with a connection, for people: few lines in a second, whatever the other side does.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace outrider {

/// Keeps so many different texts in a second; what is more, and what was said in it before, is only counted. Others'
/// words may be in it: what is no plain letter becomes '?'.
class Complaints {
  public:
    explicit Complaints(std::size_t most = 10) : most_(most) {}

    void add(std::string text) {
        for (char& c : text)
            if (c < ' ' || c > '~') c = '?';
        begin_second();
        if (reported_.size() >= most_ || kept_.size() >= most_kept ||
            std::find(reported_.begin(), reported_.end(), text) != reported_.end()) {
            ++left_out_;
            return;
        }
        reported_.push_back(text);
        kept_.push_back(std::move(text));
    }
    std::vector<std::string> take() {
        begin_second();
        return std::exchange(kept_, {});
    }

  private:
    static constexpr std::size_t most_kept = 1000;
    using Clock = std::chrono::steady_clock;

    void begin_second() {
        const auto now = Clock::now();
        if (now - second_ < std::chrono::seconds(1)) return;
        second_ = now;
        reported_.clear();
        if (left_out_ > 0 && kept_.size() < most_kept) {
            kept_.push_back(fmt::format("and {} more", left_out_));
            left_out_ = 0;
        }
    }

    std::size_t most_, left_out_ = 0;
    Clock::time_point second_{};
    std::vector<std::string> reported_, kept_;
};

}  // namespace outrider
