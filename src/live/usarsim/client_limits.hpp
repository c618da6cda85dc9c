// Bounds on what clients may say.
#pragma once

#include <cstddef>
#include <map>

#include <fmt/format.h>

#include "live/complaints.hpp"

namespace outrider {

/// How many lines of each client are heard between two calls of over().
class LineQuota {
  public:
    bool hears(int client) { return ++lines_[client] <= most; }
    /// Says whose lines were dropped, and begins anew.
    void over(Complaints& complaints, const char* whose) {
        for (const auto& [client, lines] : lines_)
            if (lines > most)
                complaints.add(fmt::format("{} {} sent {} lines at once: all after the first {} were dropped", whose,
                                           client, lines, most));
        lines_.clear();
    }

  private:
    static constexpr std::size_t most = 1000;
    std::map<int, std::size_t> lines_;
};

}  // namespace outrider
