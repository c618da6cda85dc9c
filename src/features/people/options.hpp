// The section [crowd] of a scenario: people who walk about.
#pragma once

#include <array>
#include <string_view>

#include "messages/feature_options.hpp"

namespace outrider {

enum class Walk { path, random };
inline constexpr std::array<std::string_view, 2> walk_names{"path", "random"};

struct CrowdOptions final : FeatureOptionsOf<CrowdOptions> {
    int people = 0;
    Walk walk = Walk::path;
    double speed_mps = 1.2;
    double radius_m = 0.25;
    int doubt_steps = 5;
    bool tracks = false;
    void fields(Fields& f) override {
        f("people", people, 0, 10'000, "people who walk to and fro, whatever robots, doors and rubble do");
        f("walk", walk, walk_names,
          "path: the shortest paths between four places drawn at random; random: straight on until something is in the "
          "way, then in another direction");
        f("speed_mps", speed_mps, 0, 20, "of each of them");
        f("radius_m", radius_m, 0.05, 2, "of the disc that scans see");
        f("doubt_steps", doubt_steps, 0, 1000,
          "with people, or robots that are seen (body.seen): a wall where free space was known counts when it is still "
          "seen so many steps later; 0: at once");
        f("tracks", tracks, "whether robots track the people whom their scans show, and send each other what they saw");
    }
    bool any() const override { return people > 0 || tracks; }
    bool in_every_scenario() const override { return true; }
};

}  // namespace outrider
