// The maps of a team in which the past moves. Each robot draws a submap from its own scans alone, and passes on those
// of the others as it got them; the map that it plans on is put together from all of them. When a loop closes, a robot
// draws its submap anew, and the others take the new one in place of the old one. Cells that were merged into one map
// could not be taken back.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "grid/carried_map.hpp"
#include "messages/map_payload.hpp"
#include "outrider/percept.hpp"
#include "robot/team_frames.hpp"
#include "slam/mapping.hpp"

namespace outrider {

struct Knowledge;

class TeamMaps {
  public:
    TeamMaps(const Briefing& briefing, const MappingOptions& mapping);

    /// Draws a scan of this robot into its submap; the body stood at `body`.
    void draw(const Scan& scan, const Pose& body, int step);
    /// How many were drawn.
    std::size_t drawn() const { return scans_.size(); }
    /// Whether, by this estimate of where they were taken, the first of them lie elsewhere than where they were drawn.
    bool misplaced(std::span<const Pose> poses) const;
    /// Draws the own submap anew, in a new epoch. One pose for each scan drawn.
    void redraw(std::span<const Pose> poses);
    /// Takes over what is new in the submaps that another robot holds: those of a newer epoch replace older ones.
    void merge(const Submaps& theirs);
    /// Marks cells of the map in the own submap; they were seen from where the last scan was taken, and move with it.
    /// `own_from_map`: where the frame of the map lies in the own one.
    void mark(Mark mark, const TileTable<BitTile>& cells, const Pose& own_from_map);
    /// Where the scan with this number, from 1, was taken, in the own frame; 0: where the robot began.
    Pose taken_at(std::size_t scan) const { return scan > 0 ? scans_.at(scan - 1).body : Pose{}; }
    /// Marks all that is known in the submaps.
    void mark_all(Mark mark);
    /// Adds to `map` what is new in the submaps; all anew when one was drawn anew since, or frames `moved`. Returns
    /// whether that was so. `frames`: where they lie; nullptr: all in that of the map.
    bool put_together(KnownMap& map, const TeamFrames* frames, bool moved);
    /// The same for the map that the robot plans on. When all of it is new, what was noted of places counts no more.
    void put_together(Knowledge& known, bool moved);
    /// The submaps as they are now.
    std::shared_ptr<const Submaps> snapshot();
    std::size_t robots() const { return submaps_.size(); }
    const KnownMap& submap(RobotId robot) const { return submaps_[static_cast<std::size_t>(robot)]; }
    /// Where the last scans of this robot, taken along a way of `way_m`, ended at walls, seen from `own`; one for each
    /// cell.
    std::vector<Point> recent_ends(const Pose& own, double travelled_m) const;

  private:
    struct Drawn {
        Scan scan;
        Pose body;
        int step;
    };
    struct Marked {
        Mark mark;
        std::size_t scan;           // as in taken_at()
        std::vector<Point> places;  // middles of cells, from the body
    };
    KnownMap& own() { return submaps_[static_cast<std::size_t>(self_)]; }
    void insert(const Drawn& drawn, const Pose& frame, KnownMap& into);
    void insert(const Marked& marked);

    RobotId self_;
    Lattice lattice_;
    std::vector<ScanMapper> mappers_;  // of the own sensors
    std::vector<KnownMap> submaps_;    // by robot
    std::vector<DrawnFrom> drawn_from_;
    std::vector<CarriedMap> carried_;  // the same in the frame of the map
    std::vector<Drawn> scans_;
    std::vector<Marked> marked_;
    bool anew_ = false;  // since put_together() was called, a submap was drawn anew
};

}  // namespace outrider
