#include "scenario/scenario.hpp"
#include "scene/stage.hpp"

namespace outrider::scene {
namespace {

class BatteryLayer final : public LayerSource {
  public:
    explicit BatteryLayer(const Scenario& s) {
        for (const RobotEntry& robot : s.robots) has_.push_back(robot.features.any("battery"));
    }
    Items team(const TeamMoment& moment) override {
        constexpr double low = 0.25;
        std::vector<Item> items;
        for (std::size_t i = 0; i < has_.size(); ++i) {
            const Percept& percept = moment.view.percepts[i];
            if (!has_[i] || !percept.alive) continue;
            items.push_back({.meaning = percept.battery < low,
                             .robot = static_cast<RobotId>(i),
                             .points = {moment.place(i)},
                             .text = fmt::format("{:.0f} %", 100 * percept.battery)});
        }
        return items_of(std::move(items));
    }

  private:
    std::vector<std::uint8_t> has_;  // by robot
};

}  // namespace

LayerKind battery_layer() {
    return {{"battery",
             "Battery",
             "what is left in its battery",
             Group::robots,
             true,
             {{"battery", Shape::text, Hue::green, 1, Knower::robot},
              {"battery below a quarter", Shape::text, Hue::red, 1, Knower::robot}}},
            [](const Scenario& s) -> std::unique_ptr<LayerSource> {
                const auto has_one = [](const RobotEntry& robot) { return robot.features.any("battery"); };
                if (std::none_of(s.robots.begin(), s.robots.end(), has_one)) return nullptr;
                return std::make_unique<BatteryLayer>(s);
            }};
}

}  // namespace outrider::scene
