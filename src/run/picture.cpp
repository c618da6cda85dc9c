#include "run/picture.hpp"

#include <algorithm>
#include <cmath>

#include "run/placement.hpp"

namespace outrider {
namespace {

constexpr Colour wall{43, 48, 58}, known{255, 255, 255}, unknown{205, 212, 222}, unreachable{163, 172, 186},
    narrow{246, 190, 120}, paper{255, 255, 255}, ink{30, 33, 40}, faint{110, 118, 130};
constexpr int longest_side = 1400;  // pixels that a picture aims at

Colour robot_colour(std::size_t robot) { return robot == 0 ? ink : palette[(robot - 1) % palette.size()]; }

/// A canvas over a map: `scale` pixels per cell, the map above a strip for the legend.
class MapCanvas {
  public:
    MapCanvas(const Grid<std::uint8_t>& walls, int legend_rows)
        : walls_(walls),
          scale_(std::clamp(longest_side / std::max(walls.width(), walls.height()), 1, 16)),
          text_(walls.width() * scale_ >= 1000 ? 2 : 1),
          row_(14 * text_),
          canvas_(std::max(walls.width() * scale_, 320), walls.height() * scale_ + (legend_rows + 1) * row_, paper) {}

    void cell(Cell c, Colour colour) {  // of the grid's frame
        const Cell i = c - walls_.origin();
        canvas_.rectangle(i.x * scale_, (walls_.height() - 1 - i.y) * scale_, scale_, scale_, colour);
    }
    Point pixel(Point metres) const {
        const Point p = walls_.lattice().to_cells(metres);
        return {(p.x - walls_.origin().x) * scale_, (walls_.height() - (p.y - walls_.origin().y)) * scale_};
    }
    double mark() const { return std::max(4.0, canvas_.width() / 220.0); }
    void base(Point at) {
        const Point p = pixel(at);
        const int r = static_cast<int>(mark() * 1.3);
        canvas_.rectangle(static_cast<int>(p.x) - r - 2, static_cast<int>(p.y) - r - 2, 2 * r + 4, 2 * r + 4, paper);
        canvas_.rectangle(static_cast<int>(p.x) - r, static_cast<int>(p.y) - r, 2 * r, 2 * r, ink);
    }
    /// A label that stays inside of the picture.
    void label(Point at, const std::string& text, Colour colour) {
        const Point p = pixel(at);
        const int width = Canvas::text_width(text, text_);
        const int x = std::clamp(static_cast<int>(p.x + mark() + 3), 2, std::max(2, canvas_.width() - width - 4));
        const int y = std::clamp(static_cast<int>(p.y - 4 * text_), 2, walls_.height() * scale_ - row_);
        canvas_.rectangle(x - 2, y - 2, width + 4, 10 * text_, paper);
        canvas_.text(x, y, text, text_, colour);
    }
    /// One entry of the legend; entries flow from left to right, row by row.
    void entry(Colour colour, const std::string& text) {
        const int width = Canvas::text_width(text, text_) + 3 * row_;
        if (next_x_ + width > canvas_.width() && next_x_ > row_) next_line();
        const int y = walls_.height() * scale_ + row_ / 2 + line_ * row_;
        canvas_.rectangle(next_x_, y, row_, 8 * text_, faint);
        canvas_.rectangle(next_x_ + 1, y + 1, row_ - 2, 8 * text_ - 2, colour);
        canvas_.text(next_x_ + row_ + 4 * text_, y, text, text_, ink);
        next_x_ += width;
    }
    void next_line() {
        next_x_ = row_ / 2;
        ++line_;
    }
    void caption(const std::string& text) {
        canvas_.text(row_ / 2, walls_.height() * scale_ + row_ / 2 + line_ * row_, text, text_, ink);
        ++line_;
    }
    /// A bar of a round length, at the right end of the present line.
    void scale_bar() {
        double metres = 1;
        while (metres * 10 * scale_ / walls_.lattice().cell_m < canvas_.width()) metres *= 10;
        if (metres * 5 * scale_ / walls_.lattice().cell_m < canvas_.width() / 2.0) metres *= 2;
        const int length = static_cast<int>(std::lround(metres / walls_.lattice().cell_m * scale_));
        const std::string text = fmt::format("{} m", metres);
        const int x = canvas_.width() - length - row_ / 2, y = walls_.height() * scale_ + row_ / 2 + line_ * row_;
        canvas_.rectangle(x, y + 3 * text_, length, 2 * text_, ink);
        canvas_.text(x - Canvas::text_width(text, text_) - 4 * text_, y, text, text_, ink);
    }
    double line_width() const { return std::max(1.5, canvas_.width() / 700.0); }
    Canvas& canvas() { return canvas_; }

  private:
    const Grid<std::uint8_t>& walls_;
    int scale_, text_, row_;
    Canvas canvas_;
    int next_x_ = row_ / 2, line_ = 0;
};

}  // namespace

void TrackRecorder::on_step(const StepView&) {
    const std::vector<Body>& bodies = driver_.world().bodies();
    tracks_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) tracks_[i].push_back(bodies[i].pose.position());
}

Raster draw_run(const Simulation& simulation, const std::vector<std::vector<Point>>& tracks,
                const std::string& caption) {
    const Grid<std::uint8_t>& walls = simulation.driver().world().walls();
    const std::vector<Robot>& team = simulation.team();
    MapCanvas picture(walls, 3 + static_cast<int>(std::min<std::size_t>(team.size(), 24)) / 8);
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        const bool seen =
            std::any_of(team.begin(), team.end(), [&](const Robot& r) { return r.belief().map().is_free(c); });
        picture.cell(c, walls[c] ? wall : seen ? known : simulation.sensable()[c] ? unknown : unreachable);
    }
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (!team[i].belief().briefing().me().mobile || tracks[i].empty()) continue;
        std::vector<Point> line{picture.pixel(team[i].belief().briefing().start.position())};
        for (const Point p : tracks[i]) line.push_back(picture.pixel(p));
        picture.canvas().line(line, picture.line_width(), robot_colour(i), 0.85);
    }
    for (std::size_t i = 0; i < team.size(); ++i) {
        const Briefing& briefing = team[i].belief().briefing();
        if (!briefing.me().mobile) continue;
        const Colour colour = robot_colour(i);
        picture.canvas().ring(picture.pixel(briefing.start.position()), picture.mark(), 2, colour);
        const Point end = simulation.driver().world().bodies()[i].pose.position();
        picture.canvas().disc(picture.pixel(end), picture.mark() + 1.5, paper);
        picture.canvas().disc(picture.pixel(end), picture.mark(), colour);
    }
    for (const auto& [id, pose] : team[0].belief().briefing().bases) picture.base(pose.position());

    picture.caption(caption);
    for (std::size_t i = 0; i < team.size() && i < 24; ++i)
        picture.entry(robot_colour(i), team[i].belief().briefing().me().name);
    picture.next_line();
    picture.entry(known, "known");
    picture.entry(unknown, "not known");
    picture.entry(unreachable, "cannot be sensed");
    picture.entry(wall, "wall");
    picture.scale_bar();
    return picture.canvas().raster();
}

CheckReport check_scenario(const Scenario& s) {
    const Grid<std::uint8_t>& walls = s.walls;
    Grid<std::uint8_t> sensable = sensable_cells(s);
    sensable.set_origin(walls.origin());
    std::vector<Cell> starts;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        if (s.robots[i].body.speed_mps == 0) continue;
        starts.push_back(s.start_cell(i));
        if (s.robots[widest].body.radius_m <= s.robots[i].body.radius_m) widest = i;
    }
    const Grid<std::uint8_t> reach = connected_cells(obstacles_of(s, widest), starts);
    // Too narrow: the body cannot stand there nor anywhere within its own radius.
    Grid<std::uint8_t> cannot(walls.width(), walls.height());
    for (std::size_t i = 0; i < reach.cells().size(); ++i) cannot.cells()[i] = !reach.cells()[i];
    const double radius = s.robots[widest].body.radius_m / s.map.cell_m;
    Grid<std::uint8_t> covered = reach;
    if (radius > 0) {
        const int r = static_cast<int>(std::ceil(radius));
        for (std::size_t i = 0; i < reach.cells().size(); ++i) {
            if (!reach.cells()[i]) continue;
            const Cell c = reach.cell(i);
            for (int dy = -r; dy <= r; ++dy)
                for (int dx = -r; dx <= r; ++dx)
                    if (const Cell n = c + Cell{dx, dy}; std::hypot(dx, dy) <= radius + 0.5 && covered.contains(n))
                        covered[n] = 1;
        }
    }

    CheckReport report;
    MapCanvas picture(walls, 3);
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        const bool free = !walls[c], open = sensable[c] != 0;
        const bool tight = free && open && radius > 0 && !covered[c];
        report.free += free;
        report.walls += !free;
        report.reachable += reach[c] != 0;
        report.unreachable += free && !open;
        report.narrow += tight;
        picture.cell(c, !free ? wall : tight ? narrow : open ? known : unreachable);
    }
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        const Point at = walls.lattice().centre(s.start_cell(i));
        if (s.robots[i].role == Role::base) {
            picture.base(at);
        } else {
            picture.canvas().disc(picture.pixel(at), picture.mark() + 1.5, paper);
            picture.canvas().disc(picture.pixel(at), picture.mark(), robot_colour(i));
        }
    }
    for (std::size_t i = 0; i < s.robots.size() && s.robots.size() <= 24; ++i)
        picture.entry(robot_colour(i), s.robots[i].name);
    picture.next_line();
    picture.entry(known, "can be sensed");
    picture.entry(narrow, "too narrow for the robot");
    picture.entry(unreachable, "cannot be sensed");
    picture.entry(wall, "wall");
    picture.scale_bar();
    report.picture = picture.canvas().raster();
    return report;
}

}  // namespace outrider
