#include "features/second_radio/options.hpp"
#include "scenario/scenario.hpp"
#include "scene/stage.hpp"

namespace outrider::scene {
namespace {

class SecondRadioLayer final : public LayerSource {
  public:
    Items team(const TeamMoment& moment) override {
        std::vector<Item> items;
        for (std::size_t i = 0; i < moment.view.team.size(); ++i) {
            Item item{.robot = static_cast<RobotId>(i)};
            for (const TeamRecord& received : moment.view.percepts[i].received_far)
                for (const std::size_t end : {static_cast<std::size_t>(received.robot), i})
                    item.points.push_back(moment.place(end));
            if (!item.points.empty()) items.push_back(std::move(item));
        }
        return items_of(std::move(items));
    }
};

}  // namespace
}  // namespace outrider::scene

namespace outrider {

scene::LayerKind second_radio_layer() {
    using namespace scene;
    return {{"radio2",
             "Second radio",
             "whom a robot hears by its second radio",
             Group::radio,
             true,
             {{"received by second radio", Shape::segments, Hue::violet, 0.5, Knower::robot}}},
            [](const Scenario& s) -> std::unique_ptr<LayerSource> {
                if (!s.features.get<SecondRadioOptions>().any()) return nullptr;
                return std::make_unique<SecondRadioLayer>();
            }};
}

}  // namespace outrider
