#include "role_based/meeting_overlays.hpp"

namespace outrider {

void show_meeting(std::vector<Overlay>& overlays, const Lattice& lattice, const Meeting& meeting,
                  const std::string& name) {
    if (!meeting.agreed()) return;
    Overlay overlay{Overlay::Kind::points,
                    "rendezvous with " + name,
                    {lattice.centre(meeting.child_point)},
                    {double(meeting.time)},
                    "meets its " + name + " at step " + std::to_string(meeting.time)};
    if (meeting.parent_point != meeting.child_point) {
        overlay.layer = "rendezvous through walls with " + name;
        overlay.points.push_back(lattice.centre(meeting.parent_point));
        overlay.values.push_back(meeting.time);
    }
    overlays.push_back(std::move(overlay));
}

void show_candidates(std::vector<Overlay>& overlays, const Lattice& lattice, std::span<const KeyPoint> candidates,
                     std::span<const Cell> linked) {
    if (!candidates.empty()) {
        Overlay overlay{Overlay::Kind::points, "rendezvous candidates", {}, {}, "ways that lead away"};
        for (const KeyPoint& k : candidates) {
            overlay.points.push_back(lattice.centre(k.cell));
            overlay.values.push_back(k.degree);
        }
        overlays.push_back(std::move(overlay));
    }
    if (!linked.empty()) {
        Overlay overlay{Overlay::Kind::points,
                        "rendezvous candidates through walls",
                        {},
                        {},
                        "where the explorer's end should be heard"};
        for (const Cell c : linked) {
            overlay.points.push_back(lattice.centre(c));
            overlay.values.push_back(1);
        }
        overlays.push_back(std::move(overlay));
    }
}

}  // namespace outrider
