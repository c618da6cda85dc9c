#include "live/viewers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include "base/byte_stream.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr int view_version = 1;
constexpr std::size_t kept_news = 100;
constexpr std::size_t most_orders = 100, most_complaints = 100;  // that nobody took yet
constexpr std::chrono::seconds silence{10};                      // of a viewer that counts as gone

void expect_version(ByteReader& in, const char* what) {
    if (in.integer() != view_version) fail("{} is of another version of Outrider", what);
}

/// With the whole map in the frame of the base station, whatever its robots merge.
std::shared_ptr<const Message> as_seen(const std::vector<std::shared_ptr<const Message>>& outbox) {
    const auto to_all_robots =
        std::find_if(outbox.begin(), outbox.end(), [](const auto& m) { return m->to == to_all; });
    if (to_all_robots == outbox.end()) return nullptr;
    auto message = std::make_shared<Message>(**to_all_robots);
    message->share = Share::none;
    if (!message->payload) return message;
    auto payload = std::make_shared<MapPayload>();
    payload->map = message->payload->map;
    message->payload = std::move(payload);
    message->share = Share::all;
    return message;
}

}  // namespace

std::string write_view_request(const ViewRequest& request) {
    ByteWriter out;
    out.integer(view_version);
    out.integer(request.has);
    out.number(request.origin.x);
    out.number(request.origin.y);
    out.integer(static_cast<std::int64_t>(request.orders.size()));
    for (const std::string& line : request.orders) out.text(line);
    return std::move(out.bytes);
}

ViewRequest read_view_request(std::string_view bytes) {
    ByteReader in(bytes, "a request of a viewer");
    expect_version(in, "a request of a viewer");
    ViewRequest request;
    request.has = static_cast<std::uint32_t>(in.within(0, UINT32_MAX));
    request.origin.x = in.number();
    request.origin.y = in.number();
    for (std::size_t k = in.size(); k > 0; --k) request.orders.emplace_back(in.text());
    if (!in.at_end()) fail("a request of a viewer goes on behind its end");
    return request;
}

std::string write_view_report(const ViewReport& report) {
    ByteWriter out;
    out.integer(view_version);
    out.integer(static_cast<std::int64_t>(report.news.size()));
    for (const TeamNews& news : report.news) {
        out.integer(news.step);
        out.text(news.text);
    }
    out.bytes += report.message;
    return std::move(out.bytes);
}

ViewReport read_view_report(std::string_view bytes) {
    ByteReader in(bytes, "a report to a viewer");
    expect_version(in, "a report to a viewer");
    ViewReport report;
    for (std::size_t k = in.size(2); k > 0; --k) {
        const int step = static_cast<int>(in.within(0, INT_MAX));
        report.news.push_back({step, std::string(in.text())});
    }
    report.message = in.rest();
    return report;
}

void Viewers::take(const std::string& name, std::string_view bytes) {
    try {
        const ViewRequest request = read_view_request(bytes);
        accept(name, viewers_[name], request);
    } catch (const Error& error) {
        if (complaints_.size() < most_complaints) complaints_.push_back(fmt::format("{}: {}", name, error.what()));
    }
}

void Viewers::accept(const std::string& name, Viewer& viewer, const ViewRequest& request) {
    forget_silent();
    viewer.seen = Clock::now();
    viewer.asked = true;
    viewer.has = request.has;
    if (request.orders.empty()) return;
    const std::string why = !taken_.empty()                          ? taken_
                            : operator_.empty() || operator_ == name ? ""
                                                                     : operator_ + " gives the orders here";
    if (!why.empty()) {
        viewer.own.push_back({step_, fmt::format("{} is no operator: {}", name, why)});
        if (complaints_.size() < most_complaints) complaints_.push_back(viewer.own.back().text);
        return;
    }
    operator_ = name;
    for (const std::string& line : request.orders)
        if (orders_.size() < most_orders) orders_.push_back({name, line, request.origin});
}

/// Forgets who is gone; the viewer that has just asked was entered a moment ago, with no time yet.
void Viewers::forget_silent() {
    const auto now = Clock::now();
    std::erase_if(viewers_,
                  [&](const auto& v) { return v.second.seen != Clock::time_point{} && now - v.second.seen > silence; });
    if (!viewers_.contains(operator_)) operator_.clear();
}

std::vector<Viewers::Order> Viewers::take_orders() { return std::exchange(orders_, {}); }

void Viewers::say(TeamNews news) {
    news_.push_back(std::move(news));
    ++news_count_;
    if (news_.size() > kept_news) news_.pop_front();
}

void Viewers::answer(const std::vector<std::shared_ptr<const Message>>& outbox,
                     const std::function<void(const std::string&, const std::string&)>& send) {
    if (viewers_.empty()) return;
    forget_silent();
    const std::shared_ptr<const Message> message = as_seen(outbox);
    if (message) step_ = message->self().step;
    for (auto& [name, viewer] : viewers_) {
        if (!std::exchange(viewer.asked, false)) continue;
        ViewReport report;
        const std::size_t first = news_count_ - news_.size();  // that is kept
        for (std::size_t k = std::max(viewer.told, first); k < news_count_; ++k)
            report.news.push_back(news_[k - first]);
        viewer.told = news_count_;
        for (TeamNews& own : std::exchange(viewer.own, {})) report.news.push_back(std::move(own));
        if (message) {
            if (!viewer.encoder) viewer.encoder.emplace(base_, to_all);
            report.message = viewer.encoder->encode(*message, {0, viewer.has});
        }
        send(name, write_view_report(report));
    }
}

}  // namespace outrider
