#include "features/people/options.hpp"
#include "features/people/scenario.hpp"
#include "scene/stage.hpp"

namespace outrider::scene {
namespace {

class PeopleLayer final : public LayerSource {
  public:
    explicit PeopleLayer(const Scenario& s)
        : people_(draw_walkers(s)), radius_m_(s.features.get<CrowdOptions>().radius_m), step_s_(s.run.step_s) {}
    Items world(int step) override {
        Item item{.radius_m = radius_m_};
        for (const Walker& person : people_) item.points.push_back(person.at(step * step_s_));
        return items_of({std::move(item)});
    }

  private:
    std::vector<Walker> people_;  // in the team's frame
    double radius_m_, step_s_;
};

}  // namespace

LayerKind people_layer() {
    return {{"people",
             "People",
             "who walks about, and in whose way",
             Group::map,
             false,
             {{"people", Shape::disc, Hue::violet, 0.8}}},
            [](const Scenario& s) -> std::unique_ptr<LayerSource> {
                if (s.features.get<CrowdOptions>().people == 0) return nullptr;
                return std::make_unique<PeopleLayer>(s);
            }};
}

}  // namespace outrider::scene
