// Logs in the formats of other programs, as text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "outrider/percept.hpp"

namespace outrider {

/// Where the lower left corner of a map lies on earth, and how far clockwise from north its y axis points.
struct Placement {
    double lat_deg = 0, lon_deg = 0, bearing_deg = 0;
    /// From "LAT,LON" or "LAT,LON,BEARING". Throws Error.
    static Placement parse(const std::string& text);
};

/// Latitude and longitude of a point of the map (metres from its lower left corner). On a sphere of 6,378,137 m, flat
/// around the corner: exact to a centimetre over a kilometre, away from the poles.
struct LatLon {
    double lat_deg = 0, lon_deg = 0;
};
LatLon on_earth(const Placement& placement, Point map_m);

/// The path of a robot: positions over time, in metres from the lower left corner of the map.
struct Track {
    std::string name, role;
    /// Seconds and places, in parts: where a log is damaged, the path between two parts is unknown.
    std::vector<std::vector<std::pair<double, Point>>> parts;
};

/// GPX 1.1: a track per robot with a time per point. Second 0 is 1970-01-01T00:00:00Z.
std::string gpx_of(std::span<const Track> tracks, const Placement& placement, const std::string& title);

/// Somebody who was confirmed: a way-point, and a route there, in metres from the lower left corner of the map.
struct FoundPlace {
    std::string name, about;
    Point at;
    std::vector<Point> route;  ///< from the base station; empty: no path is known
};
/// GPX 1.1: way-points and routes.
std::string places_gpx_of(std::span<const FoundPlace> places, const Placement& placement, const std::string& title);

/// MapInfo interchange: a poly-line per robot, in several sections where there are gaps (the .mif), and its name, role
/// and length in metres (the .mid). Without a placement in metres of a plane, with one in degrees (WGS 84).
std::string mif_of(std::span<const Track> tracks, const std::optional<Placement>& placement, double width_m,
                   double height_m);
std::string mid_of(std::span<const Track> tracks);

/// A CARMEN log of one robot: ODOM, TRUEPOS, and a FLASER per scan; host "outrider", seconds of simulated time. FLASER
/// has no angles: CARMEN takes the beams to go from right to left, evenly, over the field of view, which a comment
/// states. A beam that hit nothing has the maximal range. The odometry is raw; the laser of FLASER stands where the
/// robot believes it is.
class CarmenLog {
  public:
    /// `offset`: the team's frame in that of the map.
    CarmenLog(const Briefing& briefing, Point offset);
    /// A step: what was perceived, the believed pose and the true pose, in the team's frame.
    void add(const Percept& percept, const Pose& believed, const Pose& truth);
    const std::string& text() const { return text_; }

  private:
    const Briefing& briefing_;
    Point offset_;
    Pose odometry_;  // summed up
    std::string text_;
};

}  // namespace outrider
