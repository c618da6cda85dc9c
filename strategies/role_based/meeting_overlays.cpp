#include "role_based/meeting_overlays.hpp"

namespace outrider {

void show_meeting(std::vector<Overlay>& overlays, const Lattice& lattice, const Meeting& meeting,
                  const std::string& name) {
    if (!meeting.agreed()) return;
    const bool through = meeting.parent_point != meeting.child_point;
    Overlay overlay = Overlay::marks(through ? Overlay::Meaning::meeting_through_wall : Overlay::Meaning::meeting,
                                     (through ? "rendezvous through walls with " : "rendezvous with ") + name,
                                     "meets its " + name + " at step " + std::to_string(meeting.time),
                                     {lattice.centre(meeting.child_point)}, {double(meeting.time)});
    if (through) {
        overlay.points.push_back(lattice.centre(meeting.parent_point));
        overlay.values.push_back(meeting.time);
    }
    overlays.push_back(std::move(overlay));
}

void show_candidates(std::vector<Overlay>& overlays, const Lattice& lattice, std::span<const KeyPoint> candidates,
                     std::span<const Cell> linked) {
    if (!candidates.empty()) {
        Overlay overlay =
            Overlay::marks(Overlay::Meaning::meeting_candidate, "rendezvous candidates", "paths that lead away");
        for (const KeyPoint& k : candidates) {
            overlay.points.push_back(lattice.centre(k.cell));
            overlay.values.push_back(k.degree);
        }
        overlays.push_back(std::move(overlay));
    }
    if (!linked.empty()) {
        Overlay overlay =
            Overlay::marks(Overlay::Meaning::meeting_candidate_through_wall, "rendezvous candidates through walls",
                           "where the explorer's end should be received");
        for (const Cell c : linked) {
            overlay.points.push_back(lattice.centre(c));
            overlay.values.push_back(1);
        }
        overlays.push_back(std::move(overlay));
    }
}

}  // namespace outrider
