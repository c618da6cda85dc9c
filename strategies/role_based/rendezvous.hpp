// Where and when two robots of a hierarchy meet next.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/options.hpp"
#include "outrider/skeleton.hpp"
#include "shared/meeting.hpp"

namespace outrider {

enum class RendezvousKind { improved, simple, through_walls, multi_point, joint };
inline constexpr std::array<std::string_view, 5> rendezvous_kind_names{"improved", "simple", "through_walls",
                                                                       "multi_point", "joint"};

/// What multi_point looks for.
enum class MultiPointMode { near_base, frontier, utility };
inline constexpr std::array<std::string_view, 3> multi_point_mode_names{"near_base", "frontier", "utility"};

struct RendezvousOptions {
    RendezvousKind kind = RendezvousKind::improved;
    MultiPointMode mode = MultiPointMode::near_base;
    double cells_per_sample = 400;
    int least_steps = 60;
    int explore_steps = 75;
    int wait_steps = 60;

    void fields(Fields& f) {
        f("rendezvous", kind, rendezvous_kind_names,
          "where to meet: junctions of the skeleton near the next frontier; at that frontier or, when it is near, "
          "where the explorer turned back; on two sides of a wall; at any two sampled points within radio range that "
          "save the relay most of its path; or at the two that save both of them most");
        f("points", mode, multi_point_mode_names,
          "multi_point: the relay's end nearest to the base; the one that leaves it most time at another frontier; or "
          "both ends, by the paths to the frontier and to the base");
        f("cells_per_sample", cells_per_sample, 10, 1e6, "multi_point, joint: free cells for each sampled point");
        f("least_steps", least_steps, 1, 100000, "no meeting is sooner than that");
        f("explore_steps", explore_steps, 0, 100000, "time that an explorer gets at its frontier before a meeting");
        f("wait_steps", wait_steps, 0, 100000, "who came to a meeting waits so long for the other");
    }
};

/// What the two will do before they meet again. Cells of the own map.
struct MeetingQuery {
    Cell child, parent;               ///< where they are
    Cell focus;                       ///< where the child goes next: its frontier, or its own meeting with its child
    int child_ready = 0;              ///< not before this step at the focus; 0: when it gets there
    int child_stays = 0;              ///< steps that it spends at the focus
    Cell report;                      ///< where the parent goes first: the base, or its own meeting
    int parent_ready = 0;             ///< not before this step at the report point
    std::optional<Cell> turned_back;  ///< where the child turned back to its parent last (kind simple)
    std::vector<Cell> frontiers;      ///< other ones, at which the parent could explore (mode frontier)
    bool between = false;             ///< of two relays: at the middle of the path from the report point to the focus
    double child_speed = 0, parent_speed = 0;  ///< cells per step
    double range_m = 0;                        ///< of the radio between the two
};

struct MeetingPlan {
    Meeting meeting;  ///< without id
    std::vector<KeyPoint> candidates;
    std::vector<Cell> linked;       ///< multi_point: points in radio reach of the child's end, itself the first
    std::vector<double> utilities;  ///< of the candidates that were looked at: the first ones
};

/// J.3 (de Hoog, Cameron & Visser, AAMAS 2010), K.2 and K.3 (Spirin & Cameron, SSRR 2014) of the project's list. Always
/// gives a meeting; where nothing better is found, at the focus.
MeetingPlan plan_meeting(const Belief& belief, const RendezvousOptions& options, const MeetingQuery& query);

/// When they meet: max(now + least, when the parent can be there, when the child can be there). Path lengths in cells.
int meeting_time(const RendezvousOptions& options, const MeetingQuery& query, int now, double parent_to_report,
                 double report_to_point, double child_to_focus, double focus_to_point);

/// The length of the shortest known path between two cells, in cells; where none is known, the straight distance.
double path_cells(const Belief& belief, Cell from, Cell to);
/// For kind multi_point, a new own end of a meeting: the sampled point with the shortest path from here from which the
/// partner's end should be within radio reach; the present end when none is nearer.
Cell nearer_end(const Belief& belief, const RendezvousOptions& options, Cell own_end, Cell partner_end, double range_m);
/// Where to wait: the cell within a step's way, in a straight line, with the best signal to the partner's end.
Cell best_signal_near(const Belief& belief, Cell partner_end, double range_m);

/// Index k >= 1 of the 2-D Sobol sequence, in [0, 1) x [0, 1): (0.5, 0.5), (0.75, 0.25), (0.25, 0.75), ...
Point sobol(std::uint32_t k);
/// Reached cells spread evenly over the map: one for each so many, from the Sobol sequence over its bounding box.
std::vector<Cell> sample_reached(const Belief& belief, double cells_per_sample);

}  // namespace outrider
