// Bounds on what clients and servers may say: how many complaints are kept of them, and how many lines are heard.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace outrider {

/// For people: what went wrong. Of what is said again and again in a row, only the first is kept. Others' words may be
/// in it: what is no plain letter becomes '?'.
class Complaints {
  public:
    void add(std::string what) {
        for (char& c : what)
            if (c < ' ' || c > '~') c = '?';
        if (what == last_) return;
        last_ = what;
        if (kept_.size() < most) kept_.push_back(std::move(what));
    }
    std::vector<std::string> take() { return std::exchange(kept_, {}); }

  private:
    static constexpr std::size_t most = 100;
    std::vector<std::string> kept_;
    std::string last_;
};

/// How many lines of each client are heard between two calls of over().
class LineQuota {
  public:
    bool hears(int client) { return ++lines_[client] <= most; }
    /// Says whose lines were dropped, and begins anew.
    void over(Complaints& complaints, const char* whose) {
        for (const auto& [client, lines] : lines_)
            if (lines > most)
                complaints.add(fmt::format("{} {} said {} lines at once: all after the first {} were dropped", whose,
                                           client, lines, most));
        lines_.clear();
    }

  private:
    static constexpr std::size_t most = 1000;
    std::map<int, std::size_t> lines_;
};

}  // namespace outrider
