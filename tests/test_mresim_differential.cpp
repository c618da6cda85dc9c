// Scans, map updates, links and frontiers on positions of MRESim's kind, beside MRESim's rules restated pixel by pixel
// (docs/model.md). tests/mresim/ holds a small made-up map, a team and an agent log. With OUTRIDER_DATA also MRESim's
// own runs: what its robots knew at each of its positions.
#include <filesystem>
#include <set>

#include "helpers.hpp"
#include "plan/frontiers/regions.hpp"
#include "scenario/imports/mresim.hpp"
#include "sensing/ray_caster.hpp"
#include "sensing/sampled_rays.hpp"
#include "slam/mapping.hpp"

using namespace outrider;

namespace test_mresim_differential {
namespace {

const std::string folder = OUTRIDER_SOURCE_DIR "/tests/mresim/";

/// Pixels of an image, x to the right and y down, as in MRESim.
struct Pixel {
    int x = 0, y = 0;
    bool operator==(const Pixel&) const = default;
    bool operator<(const Pixel& o) const { return std::pair(x, y) < std::pair(o.x, o.y); }
};

/// The made-up run, with these options.
Scenario run_of(const std::string& toml) {
    Notes notes;
    const MresimPositions positions(folder + "positions", folder + "map.png", folder + "team");
    ConfigTable config = positions.scenario(notes);
    for (const auto& [name, table] : parse_config(toml, "test").tables)
        for (const Setting& setting : table.settings) {
            Setting of_section = setting;
            of_section.key = name + "." + setting.key;
            config.set(of_section);
        }
    Scenario s = make_scenario(std::move(config), "positions", "", notes);
    positions.apply(s, notes);
    return s;
}

/// Where pixels lie in the team's frame.
struct Image {
    explicit Image(const Scenario& s)
        : width(s.walls.width()), height(s.walls.height()), origin(s.team_origin()), walls(&s.walls) {}
    Cell cell(Pixel p) const { return Cell{p.x, height - 1 - p.y} - origin; }
    Pixel pixel(Cell c) const { return {c.x + origin.x, height - 1 - c.y - origin.y}; }
    bool obstacle(Pixel p) const {
        return p.x < 0 || p.y < 0 || p.x >= width || p.y >= height || (*walls)[Cell{p.x, height - 1 - p.y}] != 0;
    }
    int width, height;
    Cell origin;
    const Grid<std::uint8_t>* walls;
};

/// MRESim's reading along a direction of the image: the first whole length whose truncated point is an obstacle.
int reading(const Image& image, Pixel from, Point direction, int range) {
    for (int m = 1; m <= range; ++m) {
        const Pixel at{static_cast<int>(std::floor(from.x + m * direction.x)),
                       static_cast<int>(std::floor(from.y + m * direction.y))};
        if (image.obstacle(at)) return m;
    }
    return range;
}

/// Whether a point lies inside of a polygon (even-odd), and how far it is from its outline.
struct Place {
    bool inside = false;
    double from_outline = 1e9;
};
Place place_in(const std::vector<Point>& corners, Point p) {
    Place place;
    for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
        const Point a = corners[i], b = corners[j], path = b - a;
        if ((a.y > p.y) != (b.y > p.y) && p.x < path.x * (p.y - a.y) / path.y + a.x) place.inside = !place.inside;
        const Point off = p - a;
        const double t = std::clamp(
            (off.x * path.x + off.y * path.y) / std::max(1e-12, path.x * path.x + path.y * path.y), 0.0, 1.0);
        place.from_outline = std::min(place.from_outline, distance(p, a + path * t));
    }
    return place;
}

/// Runs of obstacles between two pixels: of the points of the straight line between them, or of the pixels whose middle
/// is within half a pixel of it.
int runs_by_points(const Image& image, Pixel a, Pixel b) {
    int runs = 0;
    bool before = false;
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    for (double t = 0; t <= length; t += 0.01) {
        const double share = length > 0 ? t / length : 0;
        const bool now = image.obstacle({static_cast<int>(std::floor(a.x + 0.5 + share * (b.x - a.x))),
                                         static_cast<int>(std::floor(a.y + 0.5 + share * (b.y - a.y)))});
        runs += now && !before;
        before = now;
    }
    return runs;
}
int runs_by_pixels(const Image& image, Pixel a, Pixel b) {
    std::vector<std::pair<double, Pixel>> along;
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    for (int y = std::min(a.y, b.y); y <= std::max(a.y, b.y); ++y)
        for (int x = std::min(a.x, b.x); x <= std::max(a.x, b.x); ++x) {
            const double across = std::abs((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / std::max(1e-9, length);
            if (across <= 0.5)
                along.emplace_back(((b.x - a.x) * (x - a.x) + (b.y - a.y) * (y - a.y)) / std::max(1e-9, length),
                                   Pixel{x, y});
        }
    std::sort(along.begin(), along.end());
    int runs = 0;
    bool before = false;
    for (const auto& [t, pixel] : along) {
        const bool now = image.obstacle(pixel);
        runs += now && !before;
        before = now;
    }
    return runs;
}

bool linked(double length, double range, int walls) {
    return -93 - 10 * 2.5 * std::log10(length / range) - 3.65 * std::min(125, walls) > -93;
}

/// What a robot knows, in pixels: 0 unknown, 1 occupied, 2 free, 3 sure to be free.
struct Known {
    Known(const Image& i, const KnownMap& map) : image(i), cells(static_cast<std::size_t>(i.width * i.height)) {
        for (int y = 0; y < i.height; ++y)
            for (int x = 0; x < i.width; ++x) {
                const CellState state = map.state(i.cell({x, y}));
                cells[static_cast<std::size_t>(y * i.width + x)] = state == CellState::unknown     ? 0
                                                                   : state == CellState::free      ? 2
                                                                   : state == CellState::safe_free ? 3
                                                                                                   : 1;
            }
    }
    int at(int x, int y) const {
        return x < 0 || y < 0 || x >= image.width || y >= image.height
                   ? 0
                   : cells[static_cast<std::size_t>(y * image.width + x)];
    }
    bool beside_unknown(int x, int y) const {
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if (at(x + dx, y + dy) == 0) return true;
        return false;
    }
    bool frontier(int x, int y) const { return at(x, y) == 2 || (at(x, y) == 3 && beside_unknown(x, y)); }
    Image image;
    std::vector<int> cells;
};

/// Contours of frontier pixels after Chang, from a start on: 0 east, 1 south-east, 2 south ... 7 north-east.
std::vector<Pixel> contour(const Known& known, Pixel start) {
    static constexpr int dx[]{1, 1, 0, -1, -1, -1, 0, 1}, dy[]{0, 1, 1, 1, 0, -1, -1, -1};
    const auto next = [&](Pixel at, int from) {
        for (int k = 0; k < 8; ++k) {
            const int d = (from + k) % 8;
            if (!known.frontier(at.x + dx[d], at.y + dy[d])) continue;
            if (d % 2 == 1 && (known.at(at.x + dx[d], at.y) < 2 || known.at(at.x, at.y + dy[d]) < 2)) continue;
            return d;
        }
        return -1;
    };
    std::vector<Pixel> found{start};
    int d = next(start, 7);
    if (d < 0) return found;
    const Pixel second{start.x + dx[d], start.y + dy[d]};
    Pixel at = second;
    for (int guard = 0; guard < 1'000'000; ++guard) {
        d = next(at, (d + 6) % 8);
        const Pixel then{at.x + dx[d], at.y + dy[d]};
        if (at == start && then == second) return found;
        found.push_back(at);
        at = then;
    }
    return {};
}

std::vector<std::vector<Pixel>> contours(const Known& known) {
    std::set<Pixel> traced;
    std::vector<std::vector<Pixel>> out;
    for (int y = 0; y < known.image.height; ++y)
        for (int x = 0; x < known.image.width; ++x) {
            if (!known.frontier(x, y) || known.frontier(x, y - 1) || traced.contains({x, y})) continue;
            std::vector<Pixel> found = contour(known, {x, y});
            traced.insert(found.begin(), found.end());
            bool open = false;
            for (const Pixel& p : found) open = open || known.beside_unknown(p.x, p.y);
            if (open) out.push_back(found);
        }
    return out;
}

/// Area and goal of a contour, as MRESim has them, in its world of 800 x 600 pixels.
struct Expected {
    double area = 0;
    bool inside = false;  // the goal is the centroid
    Pixel goal;
};
Expected expected_of(const Image& image, const std::vector<Pixel>& outline, std::uint32_t pick) {
    const int left = (800 - image.width) / 2, top = (600 - image.height) / 2;
    double twice = 0, x = 0, y = 0;
    std::vector<Point> corners;
    for (const Pixel& p : outline) corners.push_back({p.x + 1.0 * left, p.y + 1.0 * top});
    for (std::size_t c = 0; c < corners.size(); ++c) {
        const Point a = corners[c], b = corners[(c + 1) % corners.size()];
        const double cross = a.x * b.y - b.x * a.y;
        twice += cross;
        x += (a.x + b.x) * cross;
        y += (a.y + b.y) * cross;
    }
    Expected out;
    out.area = std::abs(twice) / 2 + (outline.size() > 1 ? static_cast<double>(outline.size()) : 0);
    if (out.area == 0) return out;
    const Point centre{std::floor(std::abs(x) / (6 * out.area)), std::floor(std::abs(y) / (6 * out.area))};
    out.inside = place_in(corners, centre).inside;
    out.goal = out.inside ? Pixel{static_cast<int>(centre.x) - left, static_cast<int>(centre.y) - top}
                          : outline[pick % outline.size()];
    return out;
}

/// Calls look(robot, its last scan, its pose) for the robots that move, before every third step of the run.
template <class Look>
void each_scan(const Scenario& s, Look&& look) {
    Simulation sim(s, {});
    for (int k = 0; !sim.done(); ++k) {
        sim.perceive();
        if (sim.done()) break;
        for (std::size_t i = 1; k % 3 == 0 && i < s.robots.size(); ++i) {
            const Belief& belief = sim.team()[i].belief();
            look(belief, belief.percept().scans.back());
        }
        sim.act();
    }
}

/// A run of MRESim as its accelerated copy wrote it: positions, and the cells known to the team and to the base.
struct TheirRun {
    std::string log;                                 // the agent log that it comes to
    std::map<int, std::pair<double, double>> known;  // by cycle: of the reachable cells, to the team and to the base
};
TheirRun their_run(const std::string& csv, const std::string& base) {
    TheirRun run;
    std::istringstream file(read_text(csv));
    std::string line;
    double reachable = 0;
    std::map<std::string, std::size_t> columns;
    while (std::getline(file, line)) {
        if (const std::size_t at = line.find("reachable "); line[0] == '#' && at != std::string::npos)
            reachable = std::stod(line.substr(at + 10));
        if (line[0] == '#') continue;
        std::vector<std::string> words;
        std::istringstream in(line);
        for (std::string word; std::getline(in, word, ',');) words.push_back(word);
        if (columns.empty()) {
            for (std::size_t i = 0; i < words.size(); ++i) columns[words[i]] = i;
            continue;
        }
        const auto word = [&](const std::string& column) { return words.at(columns.at(column)); };
        const int cycle = std::stoi(word("cycle"));
        run.log += word("cycle") + " " + base;
        for (const char* robot : {"1", "2", "3", "4"})
            run.log += " " + word(std::string("x") + robot) + " " + word(std::string("y") + robot);
        run.log += "\n";
        // What is known was counted in every other cycle.
        if (cycle % 2 == 1)
            run.known[cycle] = {std::stod(word("team_true")) / reachable, std::stod(word("base_true")) / reachable};
    }
    return run;
}

}  // namespace

TEST_CASE("differential, rays: sampled rays from a pixel's corner read what MRESim's rays read, for each of them") {
    const Scenario s = run_of("");
    const Image image(s);
    // The image as a map whose rows go down.
    Grid<std::uint8_t> flipped(image.width, image.height, std::uint8_t{0}, s.walls.lattice());
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) flipped[{x, y}] = image.obstacle({x, y});
    const WallField field(flipped);
    int rays = 0, slipped = 0;
    for (const auto& step : s.script->steps)
        for (const ScriptEntry& entry : step) {
            const Pixel at = Image(s).pixel(entry.cell - s.team_origin());
            std::vector<Point> directions;
            for (int i = 0; i < 181; ++i)
                directions.push_back({std::cos(radians(i - 90.0)), std::sin(radians(i - 90.0))});
            std::vector<double> lengths(directions.size());
            const Point corner{static_cast<double>(at.x), static_cast<double>(at.y)};
            cast_rays(field, corner, directions, 70, lengths);
            const std::vector<double> exact = lengths;
            sample_rays(field, corner, directions, 70, lengths);
            for (std::size_t i = 0; i < directions.size(); ++i) {
                // These meet edges of pixels at whole lengths: rounding says to which of two pixels a point belongs.
                if (i % 30 == 0) continue;
                const int expected = reading(image, at, directions[i], 70);
                CHECK((std::isfinite(lengths[i]) ? static_cast<int>(std::ceil(lengths[i] - 1e-6)) : 70) == expected);
                ++rays;
                slipped += lengths[i] != exact[i];
            }
        }
    CHECK(rays > 20'000);
    CHECK(slipped > 50);
}

TEST_CASE("differential, scans: readings differ by two cells at most from MRESim's of the pixel or one beside it") {
    // MRESim's rays begin at a corner of the pixel, not in its middle: near an edge they may pass it on the other side.
    for (const bool sampled : {false, true}) {
        const Scenario s = run_of(fmt::format("[mresim]\nsampled_rays={}\n", sampled));
        const Image image(s);
        int rays = 0, near = 0, outside = 0;
        each_scan(s, [&](const Belief& belief, const Scan& scan) {
            const SensorSpec& sensor = belief.briefing().sensors[0];
            const Pixel at = image.pixel(belief.cell());
            const int range = static_cast<int>(std::lround(belief.map().lattice().cells(sensor.max_range_m)));
            for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
                const double angle =
                    belief.pose().yaw + sensor.first_angle + static_cast<double>(i) * sensor.step_angle;
                const Point direction{std::cos(angle), -std::sin(angle)};
                const double here = scan.ranges[i] == Scan::nothing
                                        ? range
                                        : belief.map().lattice().cells(scan.ranges[i] * sensor.range_unit_m);
                int low = range, high = 0;
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) {
                        const int there = reading(image, {at.x + dx, at.y + dy}, direction, range);
                        low = std::min(low, there);
                        high = std::max(high, there);
                    }
                outside += here < low - 2 || here > high + 2;
                ++rays;
                near += std::abs(here - reading(image, at, direction, range)) <= 2;
            }
        });
        CHECK(rays > 5000);
        CHECK(outside * 200 < rays);  // at single pixels, which some rays pass and others do not
        CHECK(near > rays * 0.9);
    }
}

TEST_CASE(
    "differential, map updates: what one scan tells differs from MRESim's update only beside the polygon's outline") {
    const Scenario s = run_of("[mapping]\nupdate='whole_polygon'\njoin_cells=0\n");
    const Lattice& lattice = s.walls.lattice();
    int free = 0, sure = 0, hits = 0, open = 0, differ = 0;
    each_scan(s, [&](const Belief& belief, const Scan& scan) {
        const SensorSpec& sensor = belief.briefing().sensors[0];
        const double range = lattice.cells(sensor.max_range_m);
        KnownMap map(lattice);
        ScanMapper(sensor, lattice, s.mapping).insert(map, belief.pose(), scan, 0);
        // MRESim's: the robot and the ends of the rays, rounded to pixels; whole pixels stand for their middles.
        const Point robot{belief.cell().x * 1.0, belief.cell().y * 1.0};
        std::vector<Point> polygon{robot}, safe{robot};
        std::vector<Cell> ends;
        for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
            const auto [sine, cosine] =
                sin_cos(belief.pose().yaw + sensor.first_angle + static_cast<double>(i) * sensor.step_angle);
            const double x = cosine, y = sine;
            const bool hit = scan.ranges[i] != Scan::nothing;
            const double length = hit ? lattice.cells(scan.ranges[i] * sensor.range_unit_m) : range;
            const auto end = [&](double l) { return Point{std::round(robot.x + l * x), std::round(robot.y + l * y)}; };
            polygon.push_back(end(length));
            safe.push_back(end(std::min(length, 0.1 * range)));
            if (hit && length < range - 2)
                ends.push_back({static_cast<int>(polygon.back().x), static_cast<int>(polygon.back().y)});
        }
        const auto occupied_near = [&](Cell c) {
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    if (map.is_occupied(c + Cell{dx, dy})) return true;
            return false;
        };
        for (const Cell end : ends) {
            open += !occupied_near(end);
            ++hits;
        }
        const int reach = static_cast<int>(range) + 3;
        for (int dy = -reach; dy <= reach; ++dy)
            for (int dx = -reach; dx <= reach; ++dx) {
                const Cell c = belief.cell() + Cell{dx, dy};
                if (map.is_occupied(c)) continue;
                const Point p{c.x * 1.0, c.y * 1.0};
                const Place here = place_in(polygon, p);
                if (map.is_free(c) != here.inside) {
                    CHECK(here.from_outline <= 1.5);
                    ++differ;
                }
                free += here.inside;
                // The rim of what is sure stays unsure in both, where it borders on the unknown.
                const Place close = place_in(safe, p);
                if ((map.state(c) == CellState::safe_free) != close.inside) CHECK(close.from_outline <= 2.5);
                sure += close.inside;
            }
    });
    CHECK(free > 20'000);
    CHECK(sure > 500);
    CHECK(hits > 2000);
    CHECK(open * 50 < hits);  // two cells may be the wall, and nothing is marked
    CHECK(differ < free / 5);
}

TEST_CASE("differential, links: the path-loss rule of MRESim, and messages over the links of before the move") {
    for (const bool before : {false, true}) {
        const Scenario s = run_of(fmt::format("[mresim]\nlinks_before_move={}\n", before));
        const Image image(s);
        Simulation sim(s, {});
        int pairs = 0, unclear = 0, links = 0;
        for (std::size_t k = 0; !sim.done(); ++k) {
            sim.perceive();
            if (sim.done()) break;
            const auto& entries = s.script->steps[before && k > 0 ? k - 1 : k];
            const std::size_t n = s.robots.size();
            std::vector<std::vector<bool>> joined(n, std::vector<bool>(n, false)), direct = joined;
            for (const Link& link : sim.driver().traffic().links)
                direct[static_cast<std::size_t>(link.a)][static_cast<std::size_t>(link.b)] = true;
            for (std::size_t a = 0; a < n; ++a)
                for (std::size_t b = a + 1; b < n; ++b) {
                    const Pixel pa = image.pixel(entries[a].cell - s.team_origin()),
                                pb = image.pixel(entries[b].cell - s.team_origin());
                    const double length = std::hypot(pa.x - pb.x, pa.y - pb.y), range = 90;  // that of the first one
                    const bool by_points = linked(length, range, runs_by_points(image, pa, pb)),
                               by_pixels = linked(length, range, runs_by_pixels(image, pa, pb));
                    ++pairs;
                    links += direct[a][b];
                    joined[a][b] = joined[b][a] = direct[a][b];
                    if (by_points == by_pixels)
                        CHECK(direct[a][b] == by_points);
                    else
                        ++unclear;
                }
            // Over several hops, as by Warshall: all whom a path of links joins hear each other.
            for (std::size_t m = 0; m < n; ++m)
                for (std::size_t a = 0; a < n; ++a)
                    for (std::size_t b = 0; b < n; ++b)
                        if (joined[a][m] && joined[m][b]) joined[a][b] = true;
            for (std::size_t a = 0; k > 0 && a < n; ++a)
                for (std::size_t b = 0; b < n; ++b)
                    if (a != b) CHECK(sim.team()[a].belief().in_contact(static_cast<RobotId>(b)) == joined[a][b]);
            sim.act();
        }
        CHECK(pairs > 200);
        CHECK(links > 50);
        CHECK(links < pairs - 50);
        CHECK(unclear * 50 < pairs);
    }
}

TEST_CASE("differential, frontiers: regions are MRESim's, pixel by pixel, with its outlines, areas and goals") {
    const Scenario s = run_of("[mresim]\npreset='all'\n");
    const Image image(s);
    Simulation sim(s, {});
    const std::uint32_t pick = robot_options(s).frontier.pick;
    int regions = 0, goals = 0, centroids = 0;
    for (int k = 0; !sim.done(); ++k) {
        sim.perceive();
        if (sim.done()) break;
        for (std::size_t i = 0; k % 4 == 0 && i < s.robots.size(); ++i) {
            const Belief& belief = sim.team()[i].belief();
            const KnownMap& map = belief.map();
            const NavMap& nav = belief.nav();
            const Known known(image, map);
            for (int y = 0; y < image.height; ++y)
                for (int x = 0; x < image.width; ++x) {
                    const bool in = in_region(map, image.cell({x, y}));
                    if (in != known.frontier(x, y)) CHECK(in == known.frontier(x, y));
                    regions += in;
                }
            const std::vector<Frontier>& frontiers = belief.frontiers();
            std::size_t found = 0;
            for (const std::vector<Pixel>& outline : contours(known)) {
                const Expected expected = expected_of(image, outline, pick);
                if (expected.area < 3) continue;
                Cell goal = image.cell(expected.goal);
                const int state = known.at(expected.goal.x, expected.goal.y);
                if (state == 0) {  // through the unknown to the nearest place that can be reached
                    std::vector<Cell> reached;
                    for (const Pixel& p : outline)
                        if (nav.reached(image.cell(p))) reached.push_back(image.cell(p));
                    if (reached.empty()) continue;
                    goal = *std::min_element(reached.begin(), reached.end(), [&](Cell u, Cell v) {
                        return squared_distance(u, goal) < squared_distance(v, goal);
                    });
                } else if (!nav.reached(goal)) {
                    continue;
                }
                REQUIRE(found < frontiers.size());
                CHECK(frontiers[found].goal == goal);
                CHECK(frontiers[found].area == expected.area);
                CHECK(frontiers[found].size == static_cast<int>(outline.size()));
                centroids += expected.inside;
                ++found;
            }
            CHECK(found == frontiers.size());
            goals += static_cast<int>(found);
        }
        sim.act();
    }
    CHECK(regions > 10'000);
    CHECK(goals > 50);
    CHECK(centroids > 5);
    CHECK(centroids < goals);
}

TEST_CASE("differential, MRESim's own runs: what its robots and its base knew at each position, with all parts on" *
          doctest::skip(std::getenv("OUTRIDER_DATA") == nullptr ||
                        !std::filesystem::exists(std::string(std::getenv("OUTRIDER_DATA")) + "/mresim/runs"))) {
    const std::string data = std::string(std::getenv("OUTRIDER_DATA")) + "/mresim/";
    struct Case {
        std::string run, team, map, base;
    };
    int cycles = 0;
    double earliest = 0;  // by how much the base knows too much where messages go over the links of after the move
    for (const Case& c : {Case{"rooms4.greedy.11", "4robots_rooms", "rooms", "370 520"},
                          Case{"rooms4.greedy.2", "4robots_rooms", "rooms", "370 520"},
                          Case{"rooms4.ratio.2", "4robots_rooms", "rooms", "370 520"},
                          Case{"intel4.greedy.11", "intel_4", "intel-map", "200 512"}})
        for (const bool before : {true, false}) {
            CAPTURE(c.run);
            const TheirRun theirs = their_run(data + "runs/" + c.run + ".csv", c.base);
            TemporaryFolder temporary;
            write_text(temporary / "log", theirs.log);
            Notes notes;
            const MresimPositions positions(temporary / "log", data + "environments/" + c.map + ".png",
                                            data + "teams/" + c.team);
            ConfigTable config = positions.scenario(notes);
            config.set({"mresim.preset", std::string("all"), "test"});
            config.set({"mresim.links_before_move", before, "test"});
            config.set({"mresim.goal_area", false, "test"});
            Scenario s = make_scenario(std::move(config), c.run, "", notes);
            positions.apply(s, notes);
            Simulation sim(s, {});
            sim.run();
            for (const StepMetrics& now : sim.metrics().steps()) {
                const auto then = theirs.known.find(now.step);
                if (then == theirs.known.end()) continue;
                CAPTURE(now.step);
                // Seen 0.3 to 1.6 % apart: MRESim's hits are three pixels thick, its rays begin at a corner.
                CHECK(std::abs(now.team_share - then->second.first) < 0.02);
                if (before) {
                    // The links are those of the same cycle, what comes over them is older by one.
                    CHECK(now.base_share - then->second.second < 0.015);
                    CHECK(now.base_share - then->second.second > -0.03);
                } else {
                    earliest = std::max(earliest, now.base_share - then->second.second);
                }
                ++cycles;
            }
        }
    CHECK(cycles > 1000);
    CHECK(earliest > 0.1);
}

}  // namespace test_mresim_differential
