#include "live/team_viewer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "live/complaints.hpp"
#include "live/relay_frames.hpp"
#include "messages/order_words.hpp"
#include "net/web_socket_client.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

using ViewClock = std::chrono::steady_clock;
constexpr std::chrono::seconds ask_again{1};  // nobody may have been there to answer

/// Messages of a base station are read as one of its robots reads them.
const Briefing& some_robot(const std::vector<Briefing>& team) {
    const auto robot = std::find_if(team.begin(), team.end(), [](const Briefing& b) { return !b.is_base(); });
    if (robot == team.end()) fail("there is no robot in this team");
    return *robot;
}

RobotId base_of(const std::vector<Briefing>& team) {
    const RobotId base = first_base(team.front());
    if (base < 0) fail("this team has no base station, whose knowledge could be shown");
    return base;
}

}  // namespace

struct TeamViewer::Parts {
    Parts(const RelayAccess& relay, const std::vector<Briefing>& team, Point map_origin)
        : key(relay.key),
          origin(map_origin),
          base(base_of(team)),
          base_name(team[static_cast<std::size_t>(base)].me().name),
          decoder(some_robot(team)),
          client({.url = relay.url,
                  .protocol = relay_protocol,
                  .most_message_bytes = most_relayed_bytes + 1024,
                  .most_waiting_bytes = 2 * most_relayed_bytes}) {}

    void take(const NetEvent& event) {
        if (event.kind == NetEvent::Kind::joined) {
            client.send(relay_greeting(base_name, key, true), false);
        } else if (event.kind == NetEvent::Kind::left) {
            welcome = false;
            complaints.add("the relay: " + (event.data.empty() ? "it said good-bye" : event.data));
        } else if (event.kind == NetEvent::Kind::text) {
            welcome = true;  // it says nothing else
            ask({});
        } else {
            hear(event.data);
        }
    }
    void hear(const std::string& data) try {
        const RelayFrame frame = read_relay_frame(data);
        if (frame.kind != RelayFrame::Kind::report) return;
        ViewReport report = read_view_report(frame.bytes);
        TeamView view{nullptr, std::move(report.news)};
        if (!report.message.empty()) {
            view.message = decoder.decode(report.message).message;
            if (view.message->from != base) fail("a report is not of {}", base_name);
        }
        arrived.push_back(std::move(view));
        ask({});
    } catch (const Error& error) {
        complaints.add(fmt::format("{}: {}", base_name, error.what()));
    }
    bool ask(std::vector<std::string> orders) {
        asked_at = ViewClock::now();
        const ViewRequest request{decoder.received(base).from_other, std::move(orders), origin};
        return client.send(write_relay_frame({RelayFrame::Kind::request, base_name, write_view_request(request)}),
                           true);
    }

    const std::string key;
    const Point origin;
    const RobotId base;
    const std::string base_name;
    MessageDecoder decoder;
    WebSocketClient client;
    bool welcome = false;  // the relay has let it in
    ViewClock::time_point asked_at{};
    std::vector<TeamView> arrived;
    Complaints complaints{50};
};

TeamViewer::TeamViewer(const RelayAccess& relay, const std::vector<Briefing>& team, Point origin)
    : parts_(std::make_unique<Parts>(relay, team, origin)) {}
TeamViewer::~TeamViewer() = default;

std::optional<TeamView> TeamViewer::take(std::chrono::milliseconds wait) {
    Parts& p = *parts_;
    if (p.arrived.empty())
        for (const NetEvent& event : p.client.take(wait)) p.take(event);
    if (p.welcome && ViewClock::now() - p.asked_at > ask_again) p.ask({});
    if (p.arrived.empty()) return {};
    TeamView view = std::move(p.arrived.front());
    p.arrived.erase(p.arrived.begin());
    return view;
}

bool TeamViewer::order(const std::string& line) { return connected() && parts_->ask({line}); }
bool TeamViewer::connected() const { return parts_->welcome && parts_->client.connected(); }
std::vector<std::string> TeamViewer::take_complaints() { return parts_->complaints.take(); }

}  // namespace outrider
