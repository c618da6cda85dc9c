// How an operator's orders get to the robots, and what robots do without contact to a base station: the section
// [operator].
#pragma once

#include <array>
#include <string_view>

#include "messages/feature_options.hpp"

namespace outrider {

enum class OrdersThrough { radio, direct };
inline constexpr std::array<std::string_view, 2> orders_through_names{"radio", "direct"};
enum class WithoutContact { go_on, retreat, stop };
inline constexpr std::array<std::string_view, 3> without_contact_names{"continue", "retreat", "stop"};

struct OperatorOptions final : FeatureOptionsOf<OperatorOptions> {
    OrdersThrough through = OrdersThrough::radio;
    WithoutContact lost = WithoutContact::go_on;
    int lost_steps = 10;
    bool reports = false;
    void fields(Fields& f) override {
        f("through", through, orders_through_names,
          "how orders get to a robot: as words of the first base station, which repeats them until they are "
          "acknowledged, or at once, whatever the radio says (so without a base station)");
        f("lost", lost, without_contact_names,
          "what a robot does that carries out an order and hears nothing new of the base station: go on with it, drive "
          "home until it hears of it again and wait there for another order, or stop until it does");
        f("lost_steps", lost_steps, 1, 100'000, "after so many steps");
        f("reports", reports, "robots tell the base station their batteries, bumps and strengths of links, as words");
    }
    bool any() const override { return false; }  ///< people ask for it, along a run
    bool in_every_scenario() const override { return true; }
};

}  // namespace outrider
