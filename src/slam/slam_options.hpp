// How a robot finds out where it is: options of localisation and mapping.
#pragma once

#include <array>
#include <climits>
#include <string>
#include <string_view>

#include "outrider/options.hpp"

namespace outrider {

enum class SlamMethod { known, scan_match, particle, particle_shared, hyper, localise, manifold };
inline constexpr std::array<std::string_view, 7> slam_method_names{"known", "scan_match", "particle", "particle_shared",
                                                                   "hyper", "localise",   "manifold"};

/// What a scan is matched with: the field of distances of a map, or the points of scans before it.
enum class SlamMatcher { field, icp, mbicp, idc, wsm, multi };
inline constexpr std::array<std::string_view, 6> slam_matcher_names{"field", "icp", "mbicp", "idc", "wsm", "multi"};
/// Of which scans the points are.
enum class MatchedWith { patch, local, quad };
inline constexpr std::array<std::string_view, 3> matched_with_names{"patch", "local", "quad"};

/// When a scan is kept.
enum class PatchBy { distance, confidence };
inline constexpr std::array<std::string_view, 2> patch_by_names{"distance", "confidence"};

/// The source of the robot's pose between two scans.
enum class SlamSeed { odometry, encoder, compass, ins, gps_ins, none };
inline constexpr std::array<std::string_view, 6> slam_seed_names{"odometry", "encoder", "compass",
                                                                 "ins",      "gps_ins", "none"};

/// Whether the first pose is known.
enum class SlamStart { known, unknown };
inline constexpr std::array<std::string_view, 2> slam_start_names{"known", "unknown"};

/// After so many refused matches in a row the surroundings are taken to be new, and drawn.
inline constexpr int rejected_before_new = 10;

struct SlamOptions {
    SlamMethod method = SlamMethod::known;
    double cell_m = 0.05;
    double update_m = 0.1, update_deg = 6;
    double odometry_travel = 0.1, odometry_turn = 0.1;
    int memory = 100;
    int particles = 30;
    int shared_particles = 1000;
    int filters = 30;
    int pack_after = 0;
    PatchBy patch_by = PatchBy::distance;
    double patch_m = 0.2, patch_deg = 5;
    SlamMatcher matcher = SlamMatcher::field;
    MatchedWith matched_with = MatchedWith::local;
    bool closures = true;
    SlamSeed seed = SlamSeed::odometry;
    SlamStart start = SlamStart::known;
    std::string map;
    double scan_m = 0.5, scan_deg = 20;

    void fields(Fields& f) {
        f("method", method, slam_method_names,
          "known: odometry is believed; scan_match: scans are matched with the map drawn so far; particle: many paths "
          "with a map each; particle_shared: many poses on one map; hyper: many such filters, of which those with "
          "tidy maps stay; localise: in a given map that is not changed; manifold: scans and what was measured between "
          "them, loops are closed");
        f("cell_m", cell_m, 0.01, 1, "side of a cell of the matcher's map");
        f("update_m", update_m, 0, 10, "a scan is matched after a path of this");
        f("update_deg", update_deg, 0, 180, "or a turn of this");
        f("odometry_way", odometry_travel, 0, 10, "expected standard deviation of odometry, as a share of the path");
        f("odometry_turn", odometry_turn, 0, 10, "and of the turn");
        f("memory", memory, 2, 127, "scans after which what a cell was seen to be weighs half");
        f("particles", particles, 1, 10'000, "of the method particle");
        f("shared_particles", shared_particles, 20, 100'000,
          "of the method particle_shared; each filter of hyper has a fifth of them");
        f("filters", filters, 1, 1000, "of the method hyper");
        f("pack_after", pack_after, 0, INT_MAX,
          "scan_match and particle: patches of the map that so many scans did not touch are kept compressed; 0: never");
        f("patch_by", patch_by, patch_by_names,
          "of the method manifold, when a scan is kept: distance: after some path or turn; confidence: when little of "
          "it fits what was kept before, at the latest after 1.5 m");
        f("patch_m", patch_m, 0.05, 10, "distance: after a path of this");
        f("patch_deg", patch_deg, 1, 180, "distance: or a turn of this");
        f("matcher", matcher, slam_matcher_names,
          "of the method manifold: field: a scan is matched with the distances to the walls of a map; icp, mbicp, idc, "
          "wsm: with points of scans before it (nearest points; the same by a distance that knows of turns; turns "
          "from ranges; weighted by how well each point is known); multi: wsm, then idc where that fails");
        f("matched_with", matched_with, matched_with_names,
          "of matchers of points: patch: with the last scan kept; local: with the last three; quad: with all points, "
          "in a tree of squares");
        f("closures", closures, "of the method manifold: places that are seen again close loops");
        f("seed", seed, slam_seed_names,
          "what says where the robot is between scans: odometry: all that it reports; encoder: its wheels, that is "
          "path "
          "and turn, but nothing sideways; compass: all, with the heading of a compass; ins: an inertial system "
          "instead; gps_ins: the same, held by positions from "
          "satellites; none: it is taken to stand still");
        f("start", start, slam_start_names,
          "localise: whether the first pose is known, or to be found in all of the map");
        f("map", map,
          "localise with the log of a real robot: the map, .png (a pixel is cell_m wide, the lower left corner is the "
          "origin), .yaml of ROS, or .g2o of outrider slam --save; in a scenario robots have that of the scenario");
        f("scan_m", scan_m, 0, 1000,
          "the simulator takes scans along the path of a step, one after so many metres, for robots that match scans; "
          "0: "
          "whatever the path");
        f("scan_deg", scan_deg, 0, 360, "and one after a turn of this; 0: whatever the turn");
    }
    /// Whether the estimate of where earlier scans were taken changes: their map is then drawn anew.
    bool past_moves() const { return method == SlamMethod::manifold; }
    bool scans_along_path() const { return method != SlamMethod::known && (scan_m > 0 || scan_deg > 0); }
};

}  // namespace outrider
