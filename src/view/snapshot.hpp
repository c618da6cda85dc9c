// A moment of a run as plain values, to be drawn by the window. It has no references into the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "messages/decision.hpp"
#include "messages/order_words.hpp"
#include "metrics/metrics.hpp"
#include "outrider/detail/known_map.hpp"
#include "run/run_event.hpp"
#include "scene/scene.hpp"

namespace outrider::view {

/// What a robot has last heard of another one.
struct MateNews {
    RobotId robot = 0;
    int step = -1;  ///< when that was sent; -1: never heard of
    bool in_contact = false;
    Pose pose;
    std::optional<Point> goal;
    std::optional<RobotReport> report{};  ///< how it said it was
};

/// A message that arrived in this step.
struct MessageRow {
    RobotId from = 0;
    int sent_at = 0;
    std::size_t words = 0;
    bool all_tiles = true;
    std::size_t tiles = 0;
    std::uint64_t bytes = 0;  ///< on the air; 0: not recorded
};

/// A robot after a step. Points and poses are in the team's frame.
struct RobotMoment {
    std::optional<Pose> truth;                    ///< true pose when it perceived, if known
    Pose pose;                                    ///< where it believes it is
    std::optional<std::array<double, 3>> spread;  ///< covariance of the position, xx, xy, yy in m2, where it localises
    bool alive = true, bumped = false, done = false, base_in_contact = false, reasons_shown = false;
    bool lost = false;  ///< its scans do not fit where it should be
    Role role = Role::explorer;
    RobotId parent = -1;  ///< the one that it reports to; -1: nobody
    double battery = 1;
    std::int64_t known_cells = 0;  ///< free cells on its map
    int last_discovery = -1;
    std::optional<Point> goal;
    std::vector<Point> path;   ///< path from the body to the goal, over its own map; only when asked for
    std::vector<Point> scan;   ///< where the beams of its last scans ended; only when asked for
    bool scan_tilted = false;  ///< whether a scanner that is fixed to the body took them while it was not level
    std::vector<Point>
        believed_path;  ///< its track as its localisation sees it now, if that revises it; only when asked for
    /// Poses that its localisation considers, with their weights relative to the largest; only when asked for.
    std::vector<std::pair<Point, double>> guesses;
    std::vector<Point> patches;                  ///< where the scans that it keeps were taken; only when asked for
    std::vector<std::pair<int, int>> relations;  ///< between these, by number: measured from one to the next
    std::vector<std::pair<int, int>> closures;   ///< and where a loop closed
    std::vector<Point> reach;                    ///< outline of where its radio is received; only when asked for
    std::vector<Point> expected;                 ///< the same outline as the robot expects it from its own map
    std::vector<Point> key_points;  ///< places on its skeleton that two robots could agree on; only when asked for
    std::vector<MateNews> mates;    ///< by number, without itself
    std::vector<RobotId> links;
    std::vector<MessageRow> received;
    std::vector<OperatorCommand> commands;
    std::vector<RobotId> orders_kept;  ///< of a base: to whom it sends orders that were not acknowledged yet
    std::vector<Overlay> overlays;
    std::string command;  ///< in words: "drives 0.8 m", "stays"
};

/// Marks over a map besides its claims.
enum class MarkKind : std::uint8_t { frontier, skeleton, cleared };
inline constexpr std::size_t mark_kinds = 3;

/// A tile of a robot's map that changed.
struct ClaimUpdate {
    RobotId robot = 0;
    TileCoord tile;
    CellTile cells;
};
struct MarkUpdate {
    RobotId robot = 0;
    MarkKind kind = MarkKind::frontier;
    TileCoord tile;
    BitTile cells;
};

struct Snapshot {
    int step = -1;
    /// The maps were built anew: tiles that are not among the updates are empty.
    bool claims_anew = false;
    bool marks_anew[mark_kinds] = {};
    std::vector<RobotMoment> robots;
    std::vector<ClaimUpdate> claims;  ///< what changed since the last snapshot that was taken; later ones win
    std::vector<MarkUpdate> marks;
    scene::Scene scene;  ///< what there is to see of the robots
};

/// What to compute for the next snapshots, by robot.
struct Wants {
    std::vector<std::uint8_t> frontier, skeleton, path, scan;
    std::vector<std::uint8_t> reach{}, expected{}, believed_path{}, guesses{}, patches{};
    bool history = false;  ///< since when each cell is known, for all steps of a log
    bool operator==(const Wants&) const = default;
};

/// A row of a run's history: kept for every step, however few of them are drawn.
struct StepRow {
    StepMetrics metrics;
    std::vector<Pose> poses;                ///< true ones at the end of the step, by robot; empty: not known
    std::vector<std::vector<Point>> paths;  ///< corners before each pose
};

}  // namespace outrider::view
