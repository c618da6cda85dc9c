// Bounds, and plans that know the map: against exhaustive search, and against what strategies do.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "bound/least_paths.hpp"
#include "bound/least_tour.hpp"
#include "bound/reference.hpp"
#include "helpers.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// The least total way of paths from place 0 that visit these places in some order, whoever visits what.
double best_tour(const Visits& v, std::vector<std::size_t> places, int robots) {
    std::sort(places.begin(), places.end());
    double best = places.empty() ? 0 : 1e9;
    do {
        // Cuts between the paths: bits of `cuts`.
        for (unsigned cuts = 0; !places.empty() && cuts < 1U << (places.size() - 1); ++cuts) {
            if (std::popcount(cuts) >= robots) continue;
            double length = v.length[0][places[0]];
            for (std::size_t k = 1; k < places.size(); ++k)
                length += v.length[cuts >> (k - 1) & 1 ? 0 : places[k - 1]][places[k]];
            best = std::min(best, length);
        }
    } while (std::next_permutation(places.begin(), places.end()));
    return best;
}

/// Rooms of cells of a metre with random walls: what a robot reaches in a step is one of the four cells beside it.
std::vector<std::string> small_rooms(std::uint64_t seed, int robots) {
    Rng rng(seed, -1, Purpose::map, 0);
    const int width = robots == 1 ? 9 : 7, height = robots == 1 ? 7 : 6;
    for (;;) {
        std::vector<std::string> rows(static_cast<std::size_t>(height),
                                      std::string(static_cast<std::size_t>(width), '#'));
        for (int y = 1; y < height - 1; ++y)
            for (int x = 1; x < width - 1; ++x)
                if (rng.uniform() < 0.72) rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = ' ';
        rows[1][1] = 'B';
        rows[1][2] = '1';
        if (robots > 1) rows[2][1] = '2';
        const auto free = connected_cells(text_map(rows, 1), {find_letter(rows, '1')});
        const auto cells = std::count(free.cells().begin(), free.cells().end(), 1);
        if (cells >= (robots == 1 ? 22 : 14) && cells <= (robots == 1 ? 36 : 20)) return rows;
    }
}

Scenario small_scenario(std::uint64_t seed, int robots) {
    return text_scenario(small_rooms(seed, robots),
                         "[sensor]\nrange_m = 2.6\nfov_deg = 360\nbeams = 721\n[run]\nsteps = 200\n", 1);
}

/// The first step at which so much is known, by exhaustive search over all that robots can do who stop in the middle of
/// cells. What is seen from a cell is what a robot that starts there knows after one step.
class Exhaustive {
  public:
    explicit Exhaustive(const Scenario& scenario) : sim_(scenario) {
        const Grid<std::uint8_t>& sensable = sim_.sensable();
        for (std::size_t i = 0; i < sensable.cells().size(); ++i)
            if (sensable.cells()[i]) cells_.push_back(sensable.cell(i));
        for (std::size_t r = 0; r < scenario.robots.size(); ++r)
            if (scenario.robots[r].role != Role::base)
                starts_.push_back(number(scenario.start_cell(r) - scenario.team_origin()));
        for (const Cell c : cells_) seen_.push_back(seen_from(scenario, c));
    }
    int steps_to(double share) const {
        const auto wanted = static_cast<int>(std::ceil(share * static_cast<double>(cells_.size()) - 1e-9));
        std::uint64_t known = 0;
        for (const int at : starts_) known |= seen_[static_cast<std::size_t>(at)];
        std::vector<State> layer{{starts_, known}};
        std::map<std::vector<int>, std::vector<std::uint64_t>> before;
        for (int step = 0;; ++step) {
            std::vector<State> next;
            for (const State& s : layer) {
                if (std::popcount(s.known) >= wanted) return step;
                move(s, 0, {}, s.known, before, next);
            }
            layer = std::move(next);
            REQUIRE(!layer.empty());
        }
    }

  private:
    struct State {
        std::vector<int> at;
        std::uint64_t known;
    };
    int number(Cell c) const {
        const auto at = std::find(cells_.begin(), cells_.end(), c);
        return at == cells_.end() ? -1 : static_cast<int>(at - cells_.begin());
    }
    std::uint64_t seen_from(Scenario s, Cell c) const {
        std::size_t robot = 0;
        while (s.robots[robot].role == Role::base) ++robot;
        const Cell at = c + s.team_origin();
        s.robots.erase(s.robots.begin() + static_cast<std::ptrdiff_t>(robot) + 1, s.robots.end());
        s.robots[robot].x_m = at.x + 0.5;
        s.robots[robot].y_m = at.y + 0.5;
        s.start.shared = SharedStart::allow;
        std::uint64_t seen = 0;
        for (const double yaw : {0.0, 45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0, 20.0, 65.0, 110.0, 155.0}) {
            s.robots[robot].yaw_deg = yaw;  // beams through corners end here or there
            Simulation sim(s);
            sim.step();
            for (std::size_t k = 0; k < cells_.size(); ++k)
                if (sim.team()[robot].belief().map().is_free(cells_[k])) seen |= std::uint64_t{1} << k;
        }
        return seen;
    }
    /// All that robot `i` and those after it can do.
    void move(const State& s, std::size_t i, std::vector<int> to, std::uint64_t known,
              std::map<std::vector<int>, std::vector<std::uint64_t>>& before, std::vector<State>& next) const {
        if (i < s.at.size()) {
            for (const Cell d : {Cell{0, 0}, Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}}) {
                const int at = number(cells_[static_cast<std::size_t>(s.at[i])] + d);
                if (at < 0) continue;
                to.push_back(at);
                move(s, i + 1, to, known | seen_[static_cast<std::size_t>(at)], before, next);
                to.pop_back();
            }
            return;
        }
        std::sort(to.begin(), to.end());  // robots are alike
        std::vector<std::uint64_t>& there = before[to];
        if (std::any_of(there.begin(), there.end(), [&](std::uint64_t b) { return (known & ~b) == 0; })) return;
        std::erase_if(there, [&](std::uint64_t b) { return (b & ~known) == 0; });
        there.push_back(known);
        next.push_back({std::move(to), known});
    }

    Simulation sim_;
    std::vector<Cell> cells_;
    std::vector<int> starts_;
    std::vector<std::uint64_t> seen_;  // by cell
};

}  // namespace

TEST_CASE("no tours are shorter than the least tour says, whatever they leave out") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Rng rng(seed, -1, Purpose::map, 1);
        const std::size_t n = 2 + rng.below(5);
        const int robots = 1 + static_cast<int>(rng.below(3));
        std::vector<Point> at;
        for (std::size_t i = 0; i < n; ++i) at.push_back({rng.uniform(0, 10), rng.uniform(0, 10)});
        Visits v{std::vector<std::vector<double>>(n, std::vector<double>(n)), std::vector<std::int64_t>(n)};
        for (std::size_t i = 0; i < n; ++i) {
            v.area[i] = 1 + rng.below(9);
            // Distances of regions: some are next to each other, and the triangle inequality does not hold.
            for (std::size_t j = 0; j < i; ++j)
                v.length[i][j] = v.length[j][i] = std::max(0.0, distance(at[i], at[j]) - 2);
        }
        const std::size_t units = 12;
        const std::vector<double> bounds = least_tours(v, 2, units, robots);
        REQUIRE(bounds.size() == units + 1);
        for (std::size_t u = 0; u <= units; ++u) {
            double best = 1e9;
            for (unsigned kept = 0; kept < 1U << (n - 1); ++kept) {
                std::int64_t left_out = 0;
                std::vector<std::size_t> places;
                for (std::size_t i = 1; i < n; ++i)
                    if (kept >> (i - 1) & 1)
                        places.push_back(i);
                    else
                        left_out += v.area[i];
                if (left_out <= static_cast<std::int64_t>(2 * u)) best = std::min(best, best_tour(v, places, robots));
            }
            CHECK(bounds[u] <= best + 1e-9);
            if (u == 0) CHECK(bounds[u] >= 0.5 * best);
        }
    }
    CHECK(least_tours({{{0}}, {0}}, 1, 3, 1) == std::vector<double>(4, 0));
}

TEST_CASE("least ways are no longer than straight lines, and hardly shorter") {
    const Grid<std::uint8_t> open(60, 40, 1);
    const Cell from{5, 7};
    const LeastPaths paths(open, std::span(&from, 1));
    for (const Cell c : {Cell{5, 7}, Cell{6, 7}, Cell{59, 39}, Cell{0, 0}, Cell{30, 7}, Cell{40, 21}, Cell{17, 36}}) {
        const double line = std::hypot(c.x - from.x, c.y - from.y);
        CHECK(paths.to(c) <= line);
        CHECK(paths.to(c) >= 0.92 * line - 3);
    }
    // Around walls: no longer than steps from cell to cell.
    const Grid<std::uint8_t> walls = rooms_map(80, 60, 3);
    Grid<std::uint8_t> free = walls;
    for (std::uint8_t& cell : free.cells()) cell = !cell;
    const auto start =
        static_cast<std::size_t>(std::find(free.cells().begin(), free.cells().end(), 1) - free.cells().begin());
    const Cell first = free.cell(start);
    const LeastPaths around(free, std::span(&first, 1));
    std::vector<int> steps(free.cells().size(), -1);
    std::vector<Cell> queue{first};
    steps[start] = 0;
    for (std::size_t k = 0; k < queue.size(); ++k)
        for (const Cell d : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}})
            if (const Cell c = queue[k] + d; free.get(c, 0) && steps[free.index(c)] < 0) {
                steps[free.index(c)] = steps[free.index(queue[k])] + 1;
                queue.push_back(c);
            }
    for (const Cell c : queue) {
        CHECK(around.to(c) <= steps[free.index(c)]);
        CHECK(around.to(c) >= 0.6 * steps[free.index(c)] - 3);
    }
}

TEST_CASE("a plan survives its file, and mistakes in a file are named") {
    TourPlan plan;
    plan.cell_m = 0.2;
    plan.robots = {{}, {{{3, -4}, false, {}}, {{5, 6}, true, radians(90)}, {{5, 7}, true, {}}}};
    CHECK(TourPlan::parse(plan.json(), "plan") == plan);
    plan.times = TourPlan::Times{{12, 40}, {3, 7}, {30, 0, 1.5, 0, 2.5, 6}};
    CHECK(TourPlan::parse(plan.json(), "plan") == plan);
    plan.times->plan[1] = std::nan("");
    CHECK(std::isnan(TourPlan::parse(plan.json(), "plan").times->plan[1]));
    for (const auto& [text, wrong] : std::vector<std::pair<const char*, const char*>>{
             {"[]", "'outrider_plan' is missing"},
             {R"({"outrider_plan": 2})", "expected 1, the version"},
             {R"({"outrider_plan": 1, "cell_m": 0, "robots": []})", "cell_m: expected"},
             {R"({"outrider_plan": 1, "cell_m": 0.1, "robots": [[[1]]]})", "robots[0][0]: expected [column, row]"},
             {R"({"outrider_plan": 1, "cell_m": 0.1, "robots": [[[1, 2.5, 0]]]})", "expected a whole number"},
             {R"({"outrider_plan": 1, "cell_m": 0.1, "robots": [[[1, 2, 1e3]]]})", "expected a heading"},
             {R"({"outrider_plan": 1, "cell_m": 0.1, "robots": [[[1, 2]]]})", "the last stop"}}) {
        std::string said;
        try {
            TourPlan::parse(text, "p.json");
        } catch (const Error& error) {
            said = error.what();
        }
        CHECK(said.find("p.json: ") == 0);
        CHECK(said.find(wrong) != std::string::npos);
    }
}

TEST_CASE("the best of all teams on small maps lies between the bound and the plan" * slow()) {
    const TemporaryFolder folder;
    const bool print = std::getenv("OUTRIDER_PRINT") != nullptr;
    if (print)
        fmt::print(
            "| map | robots | bound | optimum | plan | optimum / bound | plan / optimum "
            "|\n|---|---|---|---|---|---|---|\n");
    std::array<int, bound_shares.size()> reached{};
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const int robots = seed % 3 == 0 ? 2 : 1;
        const Scenario s = small_scenario(seed, robots);
        const LowerBounds bounds = lower_bounds(bound_task(s));
        ReferenceOptions options;
        options.evaluations = 3000;
        const TourPlan plan = make_plan(s, lower_bounds(bound_task(s)), folder / "plan.json", options);
        const Exhaustive all(s);
        for (std::size_t k = 0; k < bound_shares.size(); ++k) {
            const int optimum = all.steps_to(bound_shares[k]);
            CAPTURE(seed);
            CAPTURE(bound_shares[k]);
            for (const LowerBound& b : bounds.all) CHECK(b.steps[k] <= optimum);
            if (!std::isnan(plan.times->plan[k])) CHECK(optimum <= plan.times->plan[k]);
            reached[k] += !std::isnan(plan.times->plan[k]);
            if (print && k == 1)
                fmt::print("| {} | {} | {} | {} | {} | {:.2f} | {:.2f} |\n", seed, robots, bounds.best(k).steps[k],
                           optimum, plan.times->plan[k],
                           static_cast<double>(optimum) / std::max(1, bounds.best(k).steps[k]),
                           plan.times->plan[k] / std::max(1, optimum));
        }
    }
    // Cells as large as a step leave the quick model little to go by: some plans miss the last cell.
    CHECK(reached[0] >= 28);
    CHECK(reached[1] >= 25);
}

TEST_CASE("a plan is faster than strategies, the bound than both, and the same effort gives the same plan again") {
    const TemporaryFolder folder;
    const Grid<std::uint8_t> walls = rooms_map(160, 120, 5);
    std::vector<std::string> rows;
    for (int y = 119; y >= 0; --y) {
        std::string& row = rows.emplace_back();
        for (int x = 0; x < 160; ++x) row += walls[{x, y}] ? '#' : ' ';
    }
    const auto place = [&](char letter, std::size_t from) {
        for (std::size_t y = from; y < rows.size(); ++y)
            if (const auto x = rows[y].find("     "); x != std::string::npos) {
                rows[y][x + 2] = letter;
                return;
            }
    };
    place('B', 20);
    place('1', 22);
    place('2', 24);
    Scenario s = text_scenario(rows, "[sensor]\nrange_m = 5\n[run]\nsteps = 600\n");
    const LowerBounds bounds = lower_bounds(bound_task(s));
    ReferenceOptions options;
    options.evaluations = 4000;
    const TourPlan plan = make_plan(s, lower_bounds(bound_task(s)), folder / "plan.json", options);
    const std::string text = read_text(folder / "plan.json");
    CHECK(make_plan(s, lower_bounds(bound_task(s)), folder / "again.json", options).times == plan.times);
    CHECK(read_text(folder / "again.json") == text);
    options.seed = 2;
    make_plan(s, lower_bounds(bound_task(s)), folder / "other.json", options);
    CHECK(read_text(folder / "other.json") != text);

    for (const char* strategy : {"nearest", "mresim_greedy", "burgard"}) {
        for (RobotEntry& r : s.robots)
            if (r.role != Role::base) r.strategy = strategy;
        Simulation sim(s);
        sim.run();
        for (std::size_t k = 0; k < bound_shares.size(); ++k) {
            const double t = time_to(sim.metrics().steps(), &StepMetrics::team_share, bound_shares[k]);
            CHECK(bounds.best(k).steps[k] <= plan.times->plan[k]);
            CHECK(bounds.best(k).steps[k] <= t);
            if (k == 1) CHECK(plan.times->plan[k] <= t);
        }
    }
}

TEST_CASE("with a region of interest bound and plan are those of getting to know it") {
    const TemporaryFolder folder;
    std::vector<std::string> rows(12, "#              #                          #");
    rows.front() = rows.back() = std::string(rows.front().size(), '#');
    rows[5][15] = rows[6][15] = ' ';
    rows[2][2] = 'B';
    rows[3][3] = '1';
    const std::string options = "[sensor]\nrange_m = 4\n[team]\nstrategy = 'nearest'\n[run]\nsteps = 300\n";
    const auto times = [&](const std::string& more) {
        const Scenario s = text_scenario(rows, options + more, 1);
        const LowerBounds bounds = lower_bounds(bound_task(s));
        ReferenceOptions effort;
        effort.evaluations = 1500;
        const TourPlan plan = make_plan(s, bounds, folder / "plan.json", effort);
        Simulation sim(s);
        sim.run();
        for (std::size_t k = 0; k < bound_shares.size(); ++k) {
            const double t = time_to(sim.metrics().steps(), &StepMetrics::team_share, bound_shares[k]);
            CHECK(bounds.best(k).steps[k] <= t);
            CHECK(bounds.best(k).steps[k] <= plan.times->plan[k]);
        }
        return std::pair(bounds.best(1).steps[1], plan.times->plan[1]);
    };
    const auto all = times(""), near = times("[region]\npolygon = '0 0, 16 0, 16 12, 0 12'\n"),
               far = times("[region]\npolygon = '34 0, 42 0, 42 12, 34 12'\n");
    CHECK(near.second < far.second);
    CHECK(near.second < all.second);
    CHECK(far.first > 20);  // straight on, at a metre a step, until most of it is in sight
    CHECK(far.second <= all.second);
}

TEST_CASE("a folder keeps a plan for each map, starts and effort, whatever the strategy") {
    const TemporaryFolder folder;
    const std::string plans = folder / "plans";
    Scenario s = text_scenario({"########", "#B1    #", "#   #  #", "########"}, "[sensor]\nrange_m = 2\n", 1);
    ReferenceOptions options;
    options.evaluations = 200;
    const auto files = [&] {
        return std::distance(std::filesystem::directory_iterator(plans), std::filesystem::directory_iterator{});
    };
    const TourPlan plan = kept_plan(s, plans, options);
    REQUIRE(plan.times);
    CHECK(plan.times->bound[1] == lower_bounds(bound_task(s)).best(1).steps[1]);
    s.name = "renamed";
    for (RobotEntry& r : s.robots)
        if (r.role != Role::base) r.strategy = "burgard";
    CHECK(kept_plan(s, plans, options) == plan);
    CHECK(files() == 1);
    s.robots.back().x_m += 1;
    kept_plan(s, plans, options);
    options.evaluations = 201;
    kept_plan(s, plans, options);
    CHECK(files() == 3);

    std::atomic<bool> stop = true;
    options.interrupted = &stop;
    options.seed = 5;
    kept_plan(s, plans, options);  // not kept: it could be a better one
    CHECK(files() == 3);
}

TEST_CASE("there is no bound where robots can know more than they saw") {
    const std::vector<std::string> room{"#######", "#B1   #", "#     #", "#######"};
    CHECK(lower_bounds(bound_task(text_scenario(room))).best(1).steps[1] >= 0);
    for (const char* more : {"[noise]\nodometry_share = 0.1\n", "[slam]\nmethod = \"scan_match\"\n",
                             "[mapping]\nupdate = \"whole_polygon\"\n", "[sensor]\npreset = \"none\"\n"})
        CHECK_THROWS_AS(bound_task(text_scenario(room, more)), Error);
}

}  // namespace outrider
