// A map as it is seen in another frame: turned and shifted, cell by cell. A cell that is free there is free here when
// its centre says so; a wall there is a wall here, so that no wall gets a hole.
#pragma once

#include "outrider/detail/known_map.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

class CarriedMap {
  public:
    /// Into a frame with the same lattice as that of the map that it follows; `stamped` likewise.
    CarriedMap(const Lattice& lattice, FrameId frame, bool stamped)
        : map_(lattice, frame, stamped), stamped_(stamped) {}

    /// Takes over what is new in `from`, whose frame lies at `place` in this one (metres, radians); all anew when
    /// `from` was drawn anew, or lies elsewhere than before. What was carried is sure of nothing.
    void follow(const KnownMap& from, const Pose& place);
    const KnownMap& map() const { return map_; }
    KnownMap& map() { return map_; }

  private:
    void carry(const KnownMap& from, TileCoord t);

    KnownMap map_;
    bool stamped_;
    Pose place_;
    ChangeCursor seen_;
};

}  // namespace outrider
