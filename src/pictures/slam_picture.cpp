// The map of SLAM as a picture and as a file.
#include <filesystem>

#include "pictures/map_canvas.hpp"
#include "sensor_log/ros_map.hpp"
#include "sensor_log/slam_log.hpp"
#include "slam/known_cells.hpp"

namespace outrider {
Raster slam_picture(const SlamRun& run, const std::string& caption) {
    const Grid<std::uint8_t> cells = known_cells(run.slam->map(), run.swept_map());
    MapCanvas picture(cells);
    for (std::size_t i = 0; i < cells.cells().size(); ++i)
        picture.cell(cells.cell(i), cells.cells()[i] == 1   ? ink::wall
                                    : cells.cells()[i] == 0 ? ink::known
                                                            : ink::unknown);
    std::vector<Point> path;
    for (const TimedPose& p : run.trajectory) path.push_back(picture.pixel(p.pose.position()));
    if (path.size() > 1) picture.canvas().line(path, picture.line_width(), palette[0], 0.7);
    if (!path.empty()) picture.canvas().disc(path.front(), picture.mark(), palette[1]);
    picture.caption(caption);
    picture.entry(ink::wall, "wall");
    picture.entry(ink::known, "free");
    picture.entry(ink::unknown, "unknown");
    picture.entry(palette[0], "path of the robot");
    picture.entry(palette[1], "start");
    picture.scale_bar();
    return picture.finish();
}

void write_slam_map(const std::string& folder, const SlamRun& run, bool overwrite) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    write_ros_map(folder, "map", known_cells(run.slam->map(), run.swept_map()), overwrite);
}

}  // namespace outrider
