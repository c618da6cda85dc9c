// Those who look on at what a base station knows, from windows elsewhere, and may order robots something: its side of
// it. A viewer asks, and is answered once after the next step: so a slow one gets few reports and one that is gone gets
// none. A report is the message that the base station sends its robots, with what of the map this viewer is missing.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/message_codec.hpp"

namespace outrider {

/// What was said of the team in a step: who obeyed, with whom there is no contact.
struct TeamNews {
    int step = 0;
    std::string text;
};

/// What a viewer asks.
struct ViewRequest {
    std::uint32_t has = 0;            ///< the newest message whose map it has; 0: none
    std::vector<std::string> orders;  ///< a JSON line each (docs/operator.md)
    Point origin;                     ///< where the team's frame lies in the viewer's map: orders name places of that
};
std::string write_view_request(const ViewRequest& request);
/// Throws Error when it is none.
ViewRequest read_view_request(std::string_view bytes);

struct ViewReport {
    std::vector<TeamNews> news;
    std::string message;  ///< MessageEncoder::encode(); empty: the base station said nothing to all
};
std::string write_view_report(const ViewReport& report);
/// Throws Error when it is none.
ViewReport read_view_report(std::string_view bytes);

class Viewers {
  public:
    /// The briefing outlives this.
    explicit Viewers(const Briefing& base) : base_(base) {}

    /// A request of the viewer of that name; what is none is named among the complaints.
    void take(const std::string& viewer, std::string_view request);
    /// Orders that came since the last call. One viewer gives them: the first one, until nothing was heard of it for
    /// ten seconds. Others are refused, and told why.
    struct Order {
        std::string viewer, line;
        Point origin;
    };
    std::vector<Order> take_orders();
    /// From now on no viewer gives orders, since somebody else does; empty: they may again.
    void refuse_orders(std::string why) { taken_ = std::move(why); }
    /// Whether a viewer gives orders.
    bool operated() const { return !operator_.empty(); }
    /// All viewers are told; those that come later, too, if it is among the newest.
    void say(TeamNews news);
    /// Answers those who asked; `outbox`: of the base station in this step.
    void answer(const std::vector<std::shared_ptr<const Message>>& outbox,
                const std::function<void(const std::string& viewer, const std::string& report)>& send);
    std::vector<std::string> take_complaints() { return std::exchange(complaints_, {}); }

  private:
    using Clock = std::chrono::steady_clock;
    struct Viewer {
        std::optional<MessageEncoder> encoder{};
        Clock::time_point seen{};
        bool asked = false;
        std::uint32_t has = 0;
        std::size_t told = 0;  ///< so much of all news
        std::vector<TeamNews> own{};
    };
    void accept(const std::string& name, Viewer& viewer, const ViewRequest& request);
    void forget_silent();

    const Briefing& base_;
    std::map<std::string, Viewer> viewers_;
    std::string operator_, taken_;
    std::vector<Order> orders_;
    std::deque<TeamNews> news_;
    std::size_t news_count_ = 0;  // of all steps
    int step_ = 0;
    std::vector<std::string> complaints_;
};

}  // namespace outrider
