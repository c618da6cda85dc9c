// Looks on, over a relay, at what the first base station of a live team knows, and gives orders: the viewer's side of
// viewers.hpp. It disturbs nobody, however slow it is: it is sent a report when it has asked for one.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/relay.hpp"
#include "live/viewers.hpp"

namespace outrider {

/// What the base station knew after one of its steps.
struct TeamView {
    std::shared_ptr<const Message>
        message;                 ///< all records, and its map; no payload: the map as before. May be nullptr
    std::vector<TeamNews> news;  ///< since the last one
};

class TeamViewer {
  public:
    /// `team`: briefings of all, the first base station and a robot among them; they outlive this. `origin`: where the
    /// team's frame lies in the map of this scenario. Throws Error when the URL is none.
    TeamViewer(const RelayAccess& relay, const std::vector<Briefing>& team, Point origin);
    ~TeamViewer();
    TeamViewer(const TeamViewer&) = delete;
    TeamViewer& operator=(const TeamViewer&) = delete;

    /// The next report, for which it waits up to `wait`; it connects, and connects again, by itself.
    std::optional<TeamView> take(std::chrono::milliseconds wait);
    /// Sends an order, a JSON line (docs/operator.md). False: there is no link, so that nobody gets it.
    bool order(const std::string& line);
    /// Whether the link stands and the relay has let it in.
    bool connected() const;
    /// Why there is no link, and what was wrong with reports.
    std::vector<std::string> take_complaints();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace outrider
