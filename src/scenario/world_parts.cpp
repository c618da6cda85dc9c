#include "scenario/world_parts.hpp"

#include <algorithm>

#include "scenario/feature.hpp"
#include "simulator/parts/damaged_words.hpp"
#include "simulator/parts/mresim.hpp"
#include "simulator/parts/recognition.hpp"
#include "simulator/parts/speed_jitter.hpp"

namespace outrider {
namespace {

using Made = std::unique_ptr<WorldPart>;

Made make_speed_jitter(const Scenario& s, const World&) {
    if (!any_robot(s, [](const RobotEntry& r) { return r.noise.speed_jitter > 0; })) return nullptr;
    return std::make_unique<SpeedJitter>();
}

Made make_links_before_move(const Scenario& s, const World&) {
    return s.mresim.links_before_move ? std::make_unique<LinksBeforeMove>() : nullptr;
}

Made make_damaged_words(const Scenario& s, const World&) {
    if (!s.comm.damages_words()) return nullptr;
    return std::make_unique<DamagedWords>(s.comm, s.run.seed, s.robots.size());
}

Made make_sampled_rays(const Scenario& s, const World&) {
    return s.mresim.sampled_rays ? std::make_unique<SampledRays>() : nullptr;
}

Made make_recognition(const Scenario& s, const World&) {
    const bool unknown = s.start.frame == StartFrame::unknown;
    const auto recognised = [&](const RobotEntry& r) -> std::uint8_t { return unknown || r.body.seen; };
    if (s.sighting.range_m <= 0 || !any_robot(s, recognised)) return nullptr;
    return std::make_unique<Recognition>(s.sighting, by_robot(s, recognised));
}

}  // namespace

WorldParts make_world_parts(const Scenario& s, const World& world) {
    std::vector<WorldPartKind> kinds{
        {Turn::motion, make_speed_jitter}, {Turn::air, make_links_before_move}, {Turn::air, make_damaged_words},
        {Turn::rays, make_sampled_rays},   {Turn::sightings, make_recognition},
    };
    for (const ScenarioFeature& feature : scenario_features())
        kinds.insert(kinds.end(), feature.world.begin(), feature.world.end());
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const WorldPartKind& a, const WorldPartKind& b) { return a.turn < b.turn; });
    WorldParts parts;
    for (const WorldPartKind& kind : kinds)
        if (auto part = kind.make(s, world)) parts.push_back(std::move(part));
    return parts;
}

}  // namespace outrider
