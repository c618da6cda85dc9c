#include "messages/order_words.hpp"
#include "scene/stage.hpp"

namespace outrider::scene {
namespace {

/// Read from messages and from what robots show of their reasons, which logs keep.
class OperatorLayer final : public LayerSource {
  public:
    Items team(const TeamMoment& moment) override {
        std::vector<Item> items;
        for (std::size_t i = 0; i < moment.view.team.size(); ++i) {
            const Decision& decision = moment.view.decisions[i];
            for (const auto& message : decision.outbox)
                for (const Word& word : message->self().words)
                    if (read_order(word, word.to))
                        items.push_back({.meaning = 0,
                                         .robot = word.to,
                                         .points = {moment.place(i), moment.place(static_cast<std::size_t>(word.to))}});
            for (const Overlay& overlay : decision.overlays)
                if (overlay.layer == "operator" && overlay.kind == Overlay::Kind::text)
                    items.push_back({.meaning = 1,
                                     .robot = static_cast<RobotId>(i),
                                     .points = {moment.place(i)},
                                     .text = overlay.text});
        }
        return items_of(std::move(items));
    }
};

}  // namespace

LayerKind operator_layer() {
    return {{"orders",
             "Operator's orders",
             "orders on their way from the base station, and what robots do that carry one out",
             Group::radio,
             true,
             {{"order on its way", Shape::segments, Hue::amber, 0.9, Knower::base},
              {"carries out an order", Shape::text, Hue::amber, 1, Knower::robot}}},
            [](const Scenario&) -> std::unique_ptr<LayerSource> { return std::make_unique<OperatorLayer>(); }};
}

}  // namespace outrider::scene
