#include "pictures/belief_picture.hpp"

#include "pictures/map_canvas.hpp"

namespace outrider {
namespace {

const Colour frontier_colour = theme(false).frontier, candidate_colour = theme(false).candidate,
             path_colour = theme(false).goal;

}  // namespace

Raster draw_belief(const Robot& robot, const Decision& decision, const Grid<std::uint8_t>& walls,
                   const std::string& caption) {
    const Belief& belief = robot.belief();
    const KnownMap& map = belief.map();
    MapCanvas picture(walls);
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        const bool edge = belief.nav().frontier(c) && belief.nav().reached(c);
        picture.cell(c, map.is_occupied(c) ? ink::wall
                        : edge             ? frontier_colour
                        : map.is_free(c)   ? ink::known
                                           : ink::unknown);
    }
    for (const Overlay& overlay : decision.overlays)
        if (overlay.kind == Overlay::Kind::points)
            for (const Point& p : overlay.points)
                picture.canvas().ring(picture.pixel(p), picture.mark(), 2, candidate_colour);
    const auto& goal = belief.latest(belief.self()).goal;
    if (goal) {
        std::vector<Point> line{picture.pixel(belief.pose().position())};
        const Path path = belief.path_to(map.lattice().cell_of(*goal));
        for (const Cell c : path.cells) line.push_back(picture.pixel(map.lattice().centre(c)));
        picture.canvas().line(line, picture.line_width(), path_colour);
        picture.canvas().ring(picture.pixel(*goal), picture.mark() * 1.4, 3, path_colour);
    }
    for (const auto& [id, pose] : belief.briefing().bases) picture.base(pose.position());
    for (const auto& mate : belief.team()) {
        const auto i = static_cast<std::size_t>(mate->robot);
        if (mate->robot == belief.self() || mate->seq == 0 || belief.briefing().team()[i].role == Role::base) continue;
        picture.canvas().ring(picture.pixel(mate->pose.position()), picture.mark(), 2, robot_colour(i));
    }
    picture.canvas().disc(picture.pixel(belief.pose().position()), picture.mark() + 1.5, ink::paper);
    picture.canvas().disc(picture.pixel(belief.pose().position()), picture.mark(),
                          robot_colour(static_cast<std::size_t>(belief.self())));
    picture.caption(caption);
    picture.entry(ink::known, "known to be free");
    picture.entry(ink::wall, "known wall");
    picture.entry(ink::unknown, "unknown");
    picture.entry(frontier_colour, "frontier");
    picture.entry(candidate_colour, "candidate");
    picture.entry(path_colour, "path and goal");
    picture.scale_bar();
    picture.next_line();
    picture.caption("A dot is the robot, thin rings are team-mates where they last reported.");
    return picture.finish();
}

}  // namespace outrider
