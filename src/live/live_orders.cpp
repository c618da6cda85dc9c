#include "live/live_orders.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/input.hpp"
#include "log/orders_file.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t longest_line = 1 << 20;

}  // namespace

LiveOrders::LiveOrders(const std::string& source, const Scenario& scenario, std::vector<RobotId> reached)
    : file_(source == "-" ? STDIN_FILENO : -1),
      name_(source == "-" ? "standard input" : source),
      scenario_(scenario),
      reached_(std::move(reached)) {
    if (file_ >= 0) return;
    pending_ = read_orders(read_text_file(source, "the orders of an operator"), source, scenario);
    expect_reached(pending_, source);
}

LiveOrders::LiveOrders(int file, std::string name, const Scenario& scenario, std::vector<RobotId> reached)
    : file_(file), name_(std::move(name)), scenario_(scenario), reached_(std::move(reached)) {}

void LiveOrders::expect_reached(const std::vector<OperatorOrder>& orders, const std::string& where) const {
    for (const OperatorOrder& order : orders)
        if (is_for_a_robot(order) && std::find(reached_.begin(), reached_.end(), order.robot) == reached_.end())
            fail("{}: another process decides for {}, which gets no orders from here", where,
                 scenario_.robots[static_cast<std::size_t>(order.robot)].name);
}

std::vector<OperatorOrder> LiveOrders::due(int step) {
    if (file_ >= 0) read(step);
    std::vector<OperatorOrder> out;
    std::erase_if(pending_, [&](const OperatorOrder& order) {
        if (order.step > step) return false;
        out.push_back(order);
        return true;
    });
    return out;
}

/// What is there already; waits for nothing.
void LiveOrders::read(int step) {
    pollfd ready{file_, POLLIN, 0};
    std::array<char, 65536> bytes{};
    while (file_ >= 0 && poll(&ready, 1, 0) > 0) {
        const ssize_t n = ::read(file_, bytes.data(), bytes.size());
        for (ssize_t k = 0; k < n; ++k) {
            const char c = bytes[static_cast<std::size_t>(k)];
            if (c == '\n')
                take_line(step);
            else if (text_.size() < longest_line)
                text_ += c;
            else
                too_long_ = true;
        }
        if (n > 0) continue;
        if (!text_.empty()) take_line(step);
        file_ = -1;
    }
}

void LiveOrders::take_line(int step) {
    ++line_;
    const std::string text = std::exchange(text_, {}), where = fmt::format("{}:{}", name_, line_);
    if (std::exchange(too_long_, false))
        complaints_.add(fmt::format("{}: expected a line of at most {} bytes", where, longest_line));
    else
        take_order(text, where, step);
}

void LiveOrders::take_order(const std::string& text, const std::string& where, int step) {
    try {
        std::vector<OperatorOrder> orders = read_order(text, where, scenario_, step);
        expect_reached(orders, where);
        add_orders(pending_, std::move(orders));
    } catch (const Error& error) {
        complaints_.add(error.what());
    }
}

void LiveOrders::add(const std::vector<Viewers::Order>& orders, int step) {
    constexpr double rounding_m = 1e-6;
    for (const Viewers::Order& order : orders)
        if (distance(order.origin, scenario_.team_origin_m()) < rounding_m)
            take_order(order.line, order.viewer, step);
        else
            complaints_.add(
                fmt::format("{}: its map is another one: expected the same file and --room as here", order.viewer));
}

}  // namespace outrider
