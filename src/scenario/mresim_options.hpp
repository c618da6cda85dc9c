// Section [mresim]: parts of MRESim 2.2's model that differ from this one's, each with a switch of its own. What they
// do and how much each of them matters: docs/model.md.
#pragma once

#include <array>
#include <string_view>

#include "outrider/options.hpp"

namespace outrider {

enum class MresimPreset { none, all };
inline constexpr std::array<std::string_view, 2> mresim_preset_names{"none", "all"};

struct MresimOptions {
    MresimPreset preset = MresimPreset::none;
    bool goal_area = false, regions = false, whole_polygon = false, scans_along_path = false, sampled_rays = false,
         replan_on_message = false, links_before_move = false, topological_paths = false;

    void fields(Fields& f) {
        f("preset", preset, mresim_preset_names, "all: every part of the model of MRESim, which the other keys change");
        f("goal_area", goal_area,
          "robots know how many free cells there are, and are done when they know 95 % of them, from step 101 on; "
          "the run ends when the base does (stop)");
        f("regions", regions, "frontier.kind = regions, with MRESim's goals, and no guard against standing still");
        f("whole_polygon", whole_polygon, "mapping.update = whole_polygon");
        f("scans_along_way", scans_along_path, "a scan after each cell of the path of a step");
        f("sampled_rays", sampled_rays, "rays look for walls only at points a cell's length apart");
        f("replan_on_message", replan_on_message,
          "robots choose anew in each step in which a message came, and otherwise a period after the last choice");
        f("links_before_move", links_before_move,
          "messages go over the links of where robots were when they sent them, not of where they are then");
        f("topological_paths", topological_paths, "plan.planner = topological and plan.wall_cost = 0");
    }
    /// Sets all other fields to those of the preset.
    void apply_preset() {
        const bool on = preset == MresimPreset::all;
        goal_area = regions = whole_polygon = scans_along_path = sampled_rays = replan_on_message = links_before_move =
            topological_paths = on;
    }
    bool any() const {
        return goal_area || regions || whole_polygon || scans_along_path || sampled_rays || replan_on_message ||
               links_before_move || topological_paths;
    }
};

}  // namespace outrider
