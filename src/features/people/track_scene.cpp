#include "features/people/options.hpp"
#include "features/people/people_tracks.hpp"
#include "scenario/scenario.hpp"
#include "scene/stage.hpp"

namespace outrider::scene {
namespace {

/// "r2@42", or "r2@42b" for the second whom it saw first in that step.
std::string name_of(const TrackId& id, const std::vector<TeamMember>& team) {
    std::string name = fmt::format("{}@{}", team[static_cast<std::size_t>(id.robot)].name, id.step);
    if (id.index > 0) name += id.index < 26 ? std::string(1, static_cast<char>('a' + id.index)) : "+";
    return name;
}

class PeopleTracksLayer final : public LayerSource {
  public:
    Items team(const TeamMoment& moment) override {
        std::vector<Item> items;
        for (const Robot& robot : moment.view.team) {
            const auto* people = robot.part<PeopleTracks>();
            if (!people) continue;
            const Briefing& briefing = robot.belief().briefing();
            for (const PersonTrack& track : people->tracks()) {
                if (!track.confirmed()) continue;
                const Point at = moment.truth.point(robot, track.filter.place()),
                            later = moment.truth.point(robot, track.filter.place() + track.filter.velocity());
                items.push_back({.meaning = 0, .robot = briefing.self, .points = {at}});
                items.push_back({.meaning = 1, .robot = briefing.self, .points = {at, later}});
                items.push_back(
                    {.meaning = 2, .robot = briefing.self, .points = {at}, .text = name_of(track.id, briefing.team())});
            }
        }
        return items_of(std::move(items));
    }
};

}  // namespace

LayerKind people_tracks_layer() {
    return {{"people_tracks",
             "Tracks of people",
             "whom a robot tracks, where they walk in the next second, and who first saw them when",
             Group::robots,
             true,
             {{"tracked", Shape::ring, Hue::green, 1, Knower::robot},
              {"where they walk", Shape::segments, Hue::green, 1, Knower::robot},
              {"who saw them first, at which step", Shape::text, Hue::green, 1, Knower::robot}}},
            [](const Scenario& s) -> std::unique_ptr<LayerSource> {
                if (!s.features.get<CrowdOptions>().tracks) return nullptr;
                return std::make_unique<PeopleTracksLayer>();
            }};
}

}  // namespace outrider::scene
