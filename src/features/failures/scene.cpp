#include "features/failures/world.hpp"
#include "scenario/scenario.hpp"
#include "scene/stage.hpp"

namespace outrider::scene {
namespace {

class FailureLayer final : public LayerSource {
  public:
    explicit FailureLayer(const Scenario& s) : failures_(failures_of(s)) {}
    Items team(const TeamMoment& moment) override {
        std::vector<Item> items;
        for (const Failure& f : failures_) {
            if (moment.view.step < f.from || moment.view.step >= f.until) continue;
            const Point at = moment.place(static_cast<std::size_t>(f.robot));
            items.push_back({.meaning = 0, .robot = f.robot, .points = {at}});
            items.push_back({.meaning = 1,
                             .robot = f.robot,
                             .points = {at},
                             .text = std::string(failure_kind_names[static_cast<std::size_t>(f.kind)])});
        }
        return items_of(std::move(items));
    }

  private:
    std::vector<Failure> failures_;
};

}  // namespace

LayerKind failure_layer() {
    return {{"failures",
             "Failures",
             "what is wrong with it: dead, stuck, deaf, blind, slow",
             Group::robots,
             true,
             {{"failure", Shape::ring, Hue::red}, {"what is wrong", Shape::text, Hue::red}}},
            [](const Scenario& s) -> std::unique_ptr<LayerSource> {
                if (!can_fail(s)) return nullptr;
                return std::make_unique<FailureLayer>(s);
            }};
}

}  // namespace outrider::scene
