#include "run/picture.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "run/placement.hpp"

namespace outrider {
namespace {

constexpr Colour wall{43, 48, 58}, known{255, 255, 255}, unknown{205, 212, 222}, unreachable{163, 172, 186},
    narrow{246, 190, 120}, paper{255, 255, 255}, ink{30, 33, 40}, faint{110, 118, 130};
constexpr int longest_side = 1400;  // pixels that a picture aims at

Colour robot_colour(std::size_t robot) { return robot == 0 ? ink : palette[(robot - 1) % palette.size()]; }

/// A canvas over a map, `scale` pixels per cell, and a legend below it whose entries flow from left to right.
class MapCanvas {
  public:
    explicit MapCanvas(const Grid<std::uint8_t>& walls)
        : walls_(walls),
          scale_(std::clamp(longest_side / std::max(walls.width(), walls.height()), 1, 16)),
          text_(std::max(1, walls.width() * scale_ / 600)),
          row_(14 * text_),
          canvas_(std::max(walls.width() * scale_, 420), walls.height() * scale_, paper) {}

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
    double line_width() const { return std::max(1.5, canvas_.width() / 700.0); }
    Canvas& canvas() { return canvas_; }

    // The legend.
    void caption(const std::string& text) {
        const int fits = (canvas_.width() - row_) / std::max(1, Canvas::text_width("n", text_));
        std::string line;
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            if (!line.empty() && static_cast<int>(line.size() + 1 + word.size()) > fits) {
                add(line, {}, false, 0);
                next_line();
                line.clear();
            }
            line += (line.empty() ? "" : " ") + word;
        }
        add(line, {}, false, 0);
        next_line();
    }
    void entry(Colour colour, const std::string& text) { add(text, colour, true, 0); }
    void next_line() {
        if (next_x_ == row_ / 2) return;
        next_x_ = row_ / 2;
        ++line_;
    }
    /// A bar of a round length.
    void scale_bar() {
        const double per_metre = scale_ / walls_.lattice().cell_m;
        double metres = 0.001;
        for (double next = metres; next * per_metre <= canvas_.width() / 4.0; next *= 10)
            for (const double m : {next, 2 * next, 5 * next})
                if (m * per_metre <= canvas_.width() / 4.0) metres = m;
        add(fmt::format("{} m", metres), ink, false, static_cast<int>(std::lround(metres * per_metre)));
    }
    /// Map and legend.
    Raster finish() {
        next_line();
        Canvas whole(canvas_.width(), canvas_.height() + line_ * row_ + row_ / 2, paper);
        whole.paste(canvas_.raster(), 0, 0);
        for (const Item& i : legend_) {
            const int y = canvas_.height() + row_ / 2 + i.line * row_;
            int x = i.x;
            if (i.box) {
                whole.rectangle(x, y, row_, 8 * text_, faint);
                whole.rectangle(x + 1, y + 1, row_ - 2, 8 * text_ - 2, i.colour);
                x += row_ + 4 * text_;
            }
            whole.text(x, y, i.text, text_, ink);
            if (i.bar > 0)
                whole.rectangle(x + Canvas::text_width(i.text, text_) + 4 * text_, y + 3 * text_, i.bar, 2 * text_,
                                ink);
        }
        return whole.raster();
    }

  private:
    struct Item {
        std::string text;
        Colour colour;
        bool box;
        int bar, x, line;
    };
    void add(const std::string& text, Colour colour, bool box, int bar) {
        const int width =
            Canvas::text_width(text, text_) + (box ? row_ + 4 * text_ : 0) + (bar > 0 ? bar + 4 * text_ : 0);
        if (next_x_ + width > canvas_.width() - row_ / 2) next_line();
        legend_.push_back({text, colour, box, bar, next_x_, line_});
        next_x_ += width + row_;
    }

    const Grid<std::uint8_t>& walls_;
    int scale_, text_, row_;
    Canvas canvas_;
    std::vector<Item> legend_;
    int next_x_ = row_ / 2, line_ = 0;
};

constexpr std::size_t most_names = 24;  // of robots in a legend

void robot_entries(MapCanvas& picture, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size() && i < most_names; ++i) picture.entry(robot_colour(i), names[i]);
    if (names.size() > most_names) picture.entry(paper, fmt::format("and {} more", names.size() - most_names));
    picture.next_line();
}

/// Cells that a disc overlaps when its centre is in one of `cells`; radius in cells.
Grid<std::uint8_t> covered_by(const Grid<std::uint8_t>& cells, double radius) {
    if (radius == 0) return cells;
    Grid<std::uint8_t> free = cells;
    for (std::uint8_t& cell : free.cells()) cell = cell != 0;
    Grid<std::uint8_t> out = grow_walls(free, radius);
    // grow_walls takes the outside for a wall, too; the border of the map is none of our cells.
    const int r = static_cast<int>(std::ceil(radius + 0.5));
    for (std::size_t i = 0; i < out.cells().size(); ++i) {
        const Cell c = out.cell(i) - out.origin();
        const int edge = std::min({c.x, c.y, out.width() - 1 - c.x, out.height() - 1 - c.y});
        if (edge > r || !out.cells()[i]) continue;
        bool near = false;
        for (int dy = -r; dy <= r && !near; ++dy)
            for (int dx = -r; dx <= r && !near; ++dx)
                near = std::hypot(std::max(0.0, std::abs(dx) - 0.5), std::max(0.0, std::abs(dy) - 0.5)) < radius &&
                       cells.get(out.cell(i) + Cell{dx, dy}, 0);
        out.cells()[i] = near || cells.cells()[i];
    }
    return out;
}

}  // namespace

void TrackRecorder::on_step(const StepView&) {
    const std::vector<Body>& bodies = driver_.world().bodies();
    tracks_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::vector<Point>& way = driver_.last_move(static_cast<RobotId>(i)).way;
        tracks_[i].insert(tracks_[i].end(), way.begin(), way.end());
        tracks_[i].push_back(bodies[i].pose.position());
    }
}

Raster draw_run(const Simulation& simulation, const std::vector<std::vector<Point>>& tracks,
                const std::string& caption) {
    const Grid<std::uint8_t>& walls = simulation.driver().world().walls();
    const std::vector<Robot>& team = simulation.team();
    MapCanvas picture(walls);
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
    std::vector<std::string> names;
    for (const TeamMember& m : team[0].belief().briefing().team()) names.push_back(m.name);
    robot_entries(picture, names);
    picture.entry(known, "known");
    picture.entry(unknown, "not known");
    picture.entry(unreachable, "cannot be sensed");
    picture.entry(wall, "wall");
    picture.scale_bar();
    picture.next_line();
    picture.caption("A ring is where a robot started, a dot where it ended; black squares are base stations.");
    return picture.finish();
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
    const Grid<std::uint8_t> blocked = obstacles_of(s, widest);
    const double radius = s.robots[widest].body.radius_m / s.map.cell_m;
    const Grid<std::uint8_t> reached = covered_by(connected_cells(blocked, starts), radius);
    Grid<std::uint8_t> standing = blocked;
    for (std::uint8_t& cell : standing.cells()) cell = !cell;
    const Grid<std::uint8_t> wide = covered_by(standing, radius);

    CheckReport report;
    MapCanvas picture(walls);
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        const bool free = !walls[c], open = sensable[c] != 0;
        const bool here = free && reached[c], tight = free && !wide[c];
        report.free += free;
        report.walls += !free;
        report.reached += here;
        report.only_seen += free && !here && open;
        report.unseen += free && !here && !open;
        report.narrow += tight;
        picture.cell(c, !free ? wall : tight ? narrow : here ? known : open ? unknown : unreachable);
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
    std::vector<std::string> names;
    for (const RobotEntry& r : s.robots) names.push_back(r.name);
    robot_entries(picture, names);
    picture.entry(known, "a robot gets there");
    if (report.only_seen > 0) picture.entry(unknown, "can only be seen");
    if (report.unseen > 0) picture.entry(unreachable, "cannot be sensed");
    if (report.narrow > 0) picture.entry(narrow, "too narrow for the robot");
    picture.entry(wall, "wall");
    picture.scale_bar();
    report.picture = picture.finish();
    return report;
}

}  // namespace outrider
