#include "features/victims/scenario.hpp"
#include "features/victims/victim_log.hpp"
#include "scenario/exclusions.hpp"
#include "scene/stage.hpp"
#include "scene/victim_events.hpp"

namespace outrider::scene {
namespace {

enum VictimMeaning : std::uint8_t { victim_is_there, victim_is_reported, victim_is_confirmed, victim_is_declined };

/// Rings where they are, crosses where the base station knows of them.
class VictimLayer final : public LayerSource {
  public:
    explicit VictimLayer(const Scenario& s) : victims_(draw_victims(s)), step_s_(s.run.step_s) {}
    Items world(int step) override {
        Item item{.meaning = victim_is_there};
        for (const Victim& v : victims_) item.points.push_back(v.place(step * step_s_));
        return items_of({std::move(item)});
    }
    Items team(const TeamMoment& moment) override {
        std::vector<Item> items;
        const auto show = [&](Point at, VictimState state) {
            const int meaning = victim_is_reported + static_cast<int>(state);
            items.push_back({.meaning = static_cast<std::uint8_t>(meaning), .points = {at}});
        };
        for (const ListedVictim& v : listed_victims(moment.events, moment.view.step)) show(v.found.at, v.found.state);
        // A run in progress whose events nobody finds.
        for (const Robot& robot : moment.view.team) {
            const auto* log = moment.events.empty() ? robot.part<VictimLog>() : nullptr;
            if (!log || !robot.belief().briefing().is_base()) continue;
            for (const FoundVictim& v : log->found()) show(moment.truth.point(robot, v.at), v.state);
        }
        return items_of(std::move(items));
    }

  private:
    std::vector<Victim> victims_;  // in the team's frame
    double step_s_;
};

}  // namespace

LayerKind victim_layer() {
    return {{"victims",
             "People to be found",
             "where they are (rings), and what the base station learned: reported, confirmed, declined",
             Group::map,
             false,
             {{"to be found", Shape::ring, Hue::red, 0.9},
              {"reported", Shape::cross, Hue::amber, 1, Knower::base},
              {"confirmed", Shape::cross, Hue::red, 1, Knower::base},
              {"declined", Shape::cross, Hue::faint, 1, Knower::base}}},
            [](const Scenario& s) -> std::unique_ptr<LayerSource> {
                if (!has_part(s, "victims")) return nullptr;
                return std::make_unique<VictimLayer>(s);
            }};
}

}  // namespace outrider::scene
