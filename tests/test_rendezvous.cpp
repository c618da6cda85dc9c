// Where robots meet and when; what they expect of their radio; who answers for what was sensed.
#include <algorithm>
#include <map>
#include <set>

#include "helpers.hpp"
#include "outrider/map.hpp"
#include "role_based/expected.hpp"
#include "role_based/meeting_overlays.hpp"
#include "role_based/meeting_timer.hpp"
#include "role_based/rendezvous.hpp"
#include "shared/frontier_bidding.hpp"
#include "shared/topics.hpp"
#include "time_preference/responsibility.hpp"

using namespace outrider;

namespace test_rendezvous {
namespace {

struct Idle final : Strategy {
    Intent choose(const Belief&, Rng&) override { return {}; }
};

/// A robot that knows a drawn map and stands at 'R'.
Robot standing(const std::vector<std::string>& rows) {
    Briefing b;
    b.members = std::make_shared<const std::vector<TeamMember>>(
        std::vector<TeamMember>{{0, "r", Role::explorer, -1, -1, true, 1, 20}});
    const Point at = b.lattice.centre(find_letter(rows, 'R'));
    b.start = {at.x, at.y, 0};
    Robot robot(b, {}, std::make_unique<Idle>(), 1);
    show_all(robot, text_map(rows));
    robot.step({});
    return robot;
}

/// A corridor with a room behind a wall: the way round is long.
std::vector<std::string> detour() {
    std::vector<std::string> rows(60, std::string(160, '.'));
    for (std::size_t x = 0; x < 150; ++x) rows[29][x] = rows[30][x] = '#';
    rows[50][5] = 'R';
    return rows;
}

}  // namespace

TEST_CASE("the first points of the Sobol sequence, and any 2^k of them are spread evenly") {
    const std::vector<Point> first{{0.5, 0.5}, {0.75, 0.25}, {0.25, 0.75}, {0.375, 0.375}, {0.875, 0.875}};
    for (std::uint32_t k = 1; k <= first.size(); ++k) CHECK(sobol(k) == first[k - 1]);
    std::set<std::pair<int, int>> squares;  // 2^8 points: one in each of 16 x 16 squares
    for (std::uint32_t k = 0; k < 256; ++k) squares.emplace(int(sobol(k).x * 16), int(sobol(k).y * 16));
    CHECK(squares.size() == 256);
}

TEST_CASE("a meeting is when both can be there, and not too soon") {
    RendezvousOptions options;
    MeetingQuery query;
    query.child_speed = query.parent_speed = 10;
    query.child_stays = options.explore_steps;
    // The relay: 400 cells to the base, 300 to the point. The explorer: 100 to its frontier, 75 steps there, 50 on.
    CHECK(meeting_time(options, query, 1000, 400, 300, 100, 50) == 1090);
    CHECK(meeting_time(options, query, 1000, 4000, 3009, 100, 50) == 1700);
    query.child_stays = 0;
    CHECK(meeting_time(options, query, 1000, 4, 3, 1, 5) == 1060);
    query.parent_ready = 1500;  // the relay above is met first
    CHECK(meeting_time(options, query, 1000, 400, 300, 100, 50) == 1530);
    query.child_ready = 1800;  // the relay meets its own child first
    CHECK(meeting_time(options, query, 1000, 400, 300, 100, 50) == 1805);
}

TEST_CASE("a robot expects less of its radio than the formula says, and counts what it does not know as walls") {
    // R = 200 cells: MRESim's robots expect to reach 181.8, 125.6 and 86.8 cells behind 0, 1 and 2 walls.
    const RadioOptions radio;
    const std::vector<double> reach{181.8, 125.6, 86.8, 60.0, 28.6};
    const std::vector<int> walls{0, 1, 2, 3, 5};
    for (std::size_t i = 0; i < reach.size(); ++i) {
        std::string row(260, '.');
        for (int w = 0; w < walls[i]; ++w) row[static_cast<std::size_t>(10 + 2 * w)] = '#';
        const KnownMap map = known_all(text_map({row, row, row}));
        const int near = static_cast<int>(reach[i]) - 1, far = static_cast<int>(reach[i]) + 2;
        CHECK(believed_walls(map, {0, 1}, {near, 1}) == walls[i]);
        CHECK(believed_linked(map, radio, 20, {0, 1}, {near, 1}));
        CHECK_FALSE(believed_linked(map, radio, 20, {0, 1}, {far, 1}));
    }
    const KnownMap nothing;
    CHECK(believed_walls(nothing, {0, 0}, {13, 0}) == 1);
    CHECK(believed_walls(nothing, {0, 0}, {14, 0}) == 2);
    CHECK(believed_walls(nothing, {0, 0}, {28, 0}) == 3);
    RadioOptions circle;
    circle.model = RadioModel::circle;
    CHECK(believed_linked(nothing, circle, 20, {0, 0}, {181, 0}));
    CHECK_FALSE(believed_linked(nothing, circle, 20, {0, 0}, {182, 0}));
    circle.model = RadioModel::line_of_sight;
    CHECK_FALSE(believed_linked(nothing, circle, 20, {0, 0}, {9, 0}));
}

TEST_CASE("samples are reached cells, one for each so many, spread over the map") {
    std::vector<std::string> rows(100, std::string(100, '.'));
    rows[10][10] = 'R';
    const Robot robot = standing(rows);
    const std::vector<Cell> samples = sample_reached(robot.belief(), 100);
    CHECK(samples.size() == 100);
    int quarters[4]{};
    for (const Cell c : samples) {
        CHECK(robot.belief().nav().reached(c));
        ++quarters[(c.x >= 50) + 2 * (c.y >= 50)];
    }
    for (const int n : quarters) CHECK(n >= 20);
}

TEST_CASE("joint: of all pairs of points in good reach, the two ways that add up to the least") {
    const Robot robot = standing(detour());
    const Belief& belief = robot.belief();
    RendezvousOptions options;
    options.kind = RendezvousKind::joint;
    options.cells_per_sample = 100;
    MeetingQuery query;
    query.child = query.parent = query.report = belief.cell();
    query.focus = {20, 10};
    query.child_speed = query.parent_speed = 10;
    query.range_m = 8;
    const Meeting meeting = plan_meeting(belief, options, query).meeting;
    const auto sum = [&](Cell c, Cell p) {
        return path_cells(belief, query.focus, c) + path_cells(belief, query.report, p);
    };
    const auto good = [&](Cell a, Cell b) {
        const RadioOptions& radio = belief.briefing().radio;
        return a == b || believed_signal_dbm(belief.map(), radio, query.range_m, a, b) >= radio.cutoff_dbm + 3;
    };
    CHECK(good(meeting.child_point, meeting.parent_point));
    CHECK(meeting.child_point != meeting.parent_point);
    std::vector<Cell> cells = sample_reached(belief, options.cells_per_sample);
    for (const KeyPoint& k : find_key_points(belief.skeleton(), belief.map())) cells.push_back(k.cell);
    std::vector<double> from_focus, from_report;
    for (const Cell c : cells) {
        from_focus.push_back(path_cells(belief, query.focus, c));
        from_report.push_back(path_cells(belief, query.report, c));
    }
    double least = 1e9;
    for (std::size_t i = 0; i < cells.size(); ++i)
        for (std::size_t j = 0; j < cells.size(); ++j)
            if (from_focus[i] + from_report[j] < least && good(cells[i], cells[j]))
                least = from_focus[i] + from_report[j];
    CHECK(sum(meeting.child_point, meeting.parent_point) == doctest::Approx(least));
    CHECK(least < path_cells(belief, query.focus, query.report) / 2);  // not around the wall
    CHECK(meeting.backup == meeting.child_point);
}

TEST_CASE("explorer and relay meet at the junction nearest to the next frontier, each when it can be there") {
    // Three corridors from a junction in the middle; the frontier is at the end of one of them.
    std::vector<std::string> rows(121, std::string(241, '#'));
    for (std::size_t y = 56; y < 65; ++y)
        for (std::size_t x = 1; x < 240; ++x) rows[y][x] = '.';
    for (std::size_t y = 64; y < 120; ++y)
        for (std::size_t x = 116; x < 125; ++x) rows[y][x] = '.';
    rows[60][5] = 'R';
    const Robot robot = standing(rows);
    const Belief& belief = robot.belief();
    MeetingQuery query;
    query.child = query.parent = query.report = belief.cell();
    query.focus = {150, 60};
    query.child_stays = 75;
    query.child_speed = query.parent_speed = 10;
    query.range_m = 20;
    const MeetingPlan plan = plan_meeting(belief, {}, query);
    CHECK(squared_distance(plan.meeting.child_point, {120, 60}) <= 64);
    CHECK(plan.meeting.parent_point == plan.meeting.child_point);
    CHECK(plan.meeting.backup != plan.meeting.child_point);
    CHECK(plan.meeting.time == 1 + 75 + 17 - 1);  // explorer: 145 cells to the frontier, 75 steps, 30 cells on
    CHECK(plan.meeting.backup_time > plan.meeting.end());
    CHECK(plan.candidates.size() >= 4);
    // Simple: where the explorer goes next or, when that is beside it, where it turned back.
    RendezvousOptions simple;
    simple.kind = RendezvousKind::simple;
    query.turned_back = Cell{90, 60};
    CHECK(plan_meeting(belief, simple, query).meeting.child_point == query.focus);
    query.focus = belief.cell() + Cell{25, 0};
    CHECK(plan_meeting(belief, simple, query).meeting.child_point == Cell{90, 60});
    query.turned_back.reset();
    CHECK(plan_meeting(belief, simple, query).meeting.child_point == query.focus);
    // Two relays: in the middle of the way from the upper one's report to the lower one's meeting.
    query.between = true;
    query.focus = {235, 60};
    const Cell middle = plan_meeting(belief, {}, query).meeting.child_point;
    CHECK(std::abs(middle.x - 120) <= 12);
}

TEST_CASE("on two sides of a wall the relay is spared the way round, when the radio should carry through it") {
    const Robot robot = standing(detour());
    const Belief& belief = robot.belief();
    MeetingQuery query;
    query.child = {5, 50};
    query.parent = query.report = belief.cell();
    query.focus = {40, 45};
    query.child_speed = query.parent_speed = 10;
    query.range_m = 20;
    const Meeting face_to_face = plan_meeting(belief, {}, query).meeting;
    for (const RendezvousKind kind : {RendezvousKind::multi_point, RendezvousKind::through_walls}) {
        CAPTURE(static_cast<int>(kind));
        RendezvousOptions options;
        options.kind = kind;
        options.cells_per_sample = 50;
        const Meeting m = plan_meeting(belief, options, query).meeting;
        if (kind == RendezvousKind::through_walls && m.child_point == m.parent_point) continue;  // no wall in its way
        CHECK(believed_linked(belief.map(), belief.briefing().radio, 20, m.child_point, m.parent_point));
        const auto path = [&](Cell to) {
            PathSearch search = belief.search(query.report, {&to, 1});
            return search.find(0) == PathStatus::found ? search.cost(0) : no_bound;
        };
        CHECK(path(m.parent_point) <= path(face_to_face.parent_point));
        CHECK(m.backup == m.child_point);
    }
    for (const MultiPointMode mode : {MultiPointMode::frontier, MultiPointMode::utility}) {
        RendezvousOptions options;
        options.kind = RendezvousKind::multi_point;
        options.mode = mode;
        options.cells_per_sample = 50;
        query.frontiers = {{155, 30}, {20, 5}};
        query.child_stays = 200;  // time for the relay
        const Meeting m = plan_meeting(belief, options, query).meeting;
        CHECK(believed_linked(belief.map(), belief.briefing().radio, 20, m.child_point, m.parent_point));
        CHECK(m.backup == m.child_point);
        if (mode == MultiPointMode::utility) CHECK(squared_distance(m.child_point, query.focus) <= 100 * 100);
    }
    // Asked again on its way, the explorer finds an end that is nearer to it.
    const Cell end = nearer_end(belief, {.kind = RendezvousKind::multi_point}, {150, 10}, {140, 45}, 20);
    CHECK(believed_linked(belief.map(), belief.briefing().radio, 20, end, {140, 45}));
    PathSearch to_end = belief.search(belief.cell(), {&end, 1});
    const Cell old_end{150, 10};
    PathSearch to_old = belief.search(belief.cell(), {&old_end, 1});
    REQUIRE(to_end.find(0) == PathStatus::found);
    REQUIRE(to_old.find(0) == PathStatus::found);
    CHECK(to_end.cost(0) <= to_old.cost(0));
}

// --- responsibility -------------------------------------------------------------------------------------------------

namespace {

std::map<RobotId, const Responsibility*> duties;  // of the run in progress

/// Explores, and hands over when it can; which path home is shorter is drawn.
class DutyBound final : public Strategy {
  public:
    static constexpr Traits traits{.explores = false, .needs_deliveries = true};
    static constexpr const char* summary = "explores and hands over what it sensed; for tests";
    using Options = NoOptions;
    explicit DutyBound(const Options&) {}
    Intent choose(const Belief& belief, Rng& rng) override {
        duties[belief.self()] = &duty_;
        duty_.update(belief);
        const int path = static_cast<int>(rng.below(40));
        duty_.exchange(belief, path);
        if (belief.step() % 10 == 0) target_ = bidding_.choose(belief, {});
        Intent intent = target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
        intent.done = false;
        intent.words.push_back(duty_.word(path, false));
        return intent;
    }

  private:
    Responsibility duty_;
    FrontierBidding bidding_{FrontierBidding::Options{}};
    std::optional<Frontier> target_;
};

OUTRIDER_STRATEGY("test_duty", DutyBound)

}  // namespace

TEST_CASE("every cell that was sensed and that the base lacks has a robot that answers for it, while its owners live") {
    for (const char* radio : {"range_m=6\nbase_range_m=4\nloss_rate=0.3", "range_m=100\nbase_range_m=3",
                              "range_m=6\nbase_range_m=4\nloss_rate=0.6"}) {
        CAPTURE(radio);
        Notes notes;
        const Scenario s = make_scenario(
            parse_config(fmt::format("[team]\nstrategy='test_duty'\nrobots=4\n[sensor]\nrange_m=4\n[run]\nsteps=150\n"
                                     "[[robot]]\ndies_at_step=60\n[comm]\n{}\n",
                                     radio),
                         "s"),
            "s", rooms_map(150, 120, 3), notes);
        duties.clear();
        Simulation sim(s, {});
        struct Watcher final : Observer {
            std::map<Cell, std::set<RobotId>> owners;  // in the step before
            std::int64_t handed_over = 0, checked = 0;
            void on_step(const StepView& view) override {
                std::set<RobotId> living;
                const KnownMap* base = nullptr;
                for (std::size_t i = 0; i < view.team.size(); ++i) {
                    const Belief& belief = view.team[i].belief();
                    if (belief.briefing().is_base())
                        base = &view.team[i].map();
                    else if (view.percepts[i].alive)
                        living.insert(static_cast<RobotId>(i));
                }
                std::map<Cell, std::set<RobotId>> now;
                for (const RobotId id : living) {
                    const KnownMap& map = view.team[static_cast<std::size_t>(id)].belief().map();
                    map.cells().for_each([&](TileCoord t, const CellTile& tile) {
                        for (int y = 0; y < tile_size; ++y)
                            for (std::uint64_t row = tile.free_row(y); row; row &= row - 1) {
                                const Cell c = cell_of(t, std::countr_zero(row), y);
                                if (base->is_free(c)) continue;
                                std::set<RobotId>& who = now[c];
                                if (duties.at(id)->answers_for(c)) who.insert(id);
                            }
                    });
                }
                for (const auto& [c, who] : now) {
                    ++checked;
                    const auto before = owners.find(c);
                    bool owner_died = false;
                    if (before != owners.end()) {
                        owner_died = std::none_of(before->second.begin(), before->second.end(),
                                                  [&](RobotId id) { return living.contains(id); });
                        handed_over += !owner_died && !who.empty() && before->second != who;
                    }
                    if (!owner_died) CHECK_FALSE(who.empty());
                }
                owners = std::move(now);
            }
        } watcher;
        sim.add_observer(watcher);
        sim.run();
        CHECK(watcher.checked > 10000);
        CHECK(watcher.handed_over > 100);
    }
}

TEST_CASE("a robot leaves for a meeting when the way takes all the time that is left") {
    Robot robot = standing(detour());
    const Cell here = robot.belief().cell();
    const RendezvousOptions options;
    const auto leaves_at = [&](int cells, int time, int late = 0) {
        Meeting m;
        m.id = 7;
        m.child_point = m.parent_point = here + Cell{cells, 0};
        m.time = time;
        ParentSide side;
        side.propose(m);
        side.hear(m.id);
        MeetingTimer meeting_timer;
        for (int step = 0; step <= time + late; ++step) {
            Percept percept;
            percept.step = step;
            robot.step(percept);
            if (meeting_timer.due(robot.belief(), options, side, 20, late)) return step;
        }
        return -1;
    };
    REQUIRE(robot.belief().speed_cells() == doctest::Approx(10));
    CHECK(leaves_at(100, 40) == 30);
    CHECK(leaves_at(91, 40) == 32);  // asked every second step
    CHECK(leaves_at(0, 40) == 40);
    CHECK(leaves_at(140, 10) == 0);       // late already
    CHECK(leaves_at(100, 40, 12) == 42);  // the other one will be late
    ParentSide none;
    MeetingTimer meeting_timer;
    CHECK_FALSE(meeting_timer.due(robot.belief(), options, none, 20, 0));
}

TEST_CASE("a partner is expected by its way from where the second channel last brought it, for 20 steps") {
    std::vector<std::string> rows = detour();
    Briefing b;
    const TeamMember member{0, "r", Role::explorer, -1, -1, true, 1, 20};
    b.members = std::make_shared<const std::vector<TeamMember>>(std::vector<TeamMember>{member, member});
    const Point at = b.lattice.centre(find_letter(rows, 'R'));
    b.start = {at.x, at.y, 0};
    Robot robot(b, {}, std::make_unique<Idle>(), 1);
    show_all(robot, text_map(rows));
    const Cell here = robot.belief().cell();
    ExpectedPartner partner;
    const auto step = [&](int now, std::optional<Cell> heard_at, std::optional<Cell> via = {}) {
        Percept percept;
        percept.step = now;
        if (heard_at) {
            const Point there = b.lattice.centre(*heard_at);
            TeamRecord record;
            record.robot = 1;
            record.seq = static_cast<std::uint32_t>(now);
            record.step = now - 1;
            record.frame = b.frame;
            record.pose = {there.x, there.y, 0};
            percept.received_far.push_back(record);
        }
        robot.step(percept);
        return partner.arrival(robot.belief(), 1, via, here, 10);
    };
    CHECK_FALSE(step(1, {}));
    CHECK(step(2, here + Cell{50, 0}) == 1 + 5);
    CHECK(step(5, here + Cell{100, 0}) == 1 + 5);  // measured every 10 steps
    CHECK(step(12, here + Cell{100, 0}) == 11 + 10);
    CHECK(step(32, {}) == 11 + 10);
    CHECK_FALSE(step(33, {}));
    CHECK(step(50, here + Cell{50, 0}, here + Cell{100, 0}) == 49 + 15);
}

TEST_CASE("with meetings at two points, another own end is looked for once before leaving") {
    Robot robot = standing(detour());
    RendezvousOptions options;
    options.kind = RendezvousKind::multi_point;
    Meeting m;
    m.id = 7;
    m.child_point = {150, 10};
    m.parent_point = {140, 45};
    m.time = 30;
    ParentSide side;
    side.propose(m);
    side.hear(m.id);
    MeetingTimer meeting_timer;
    int chosen = -1, left = -1;
    for (int step = 0; step <= m.time && left < 0; ++step) {
        Percept percept;
        percept.step = step;
        robot.step(percept);
        const bool due = meeting_timer.due(robot.belief(), options, side, 20, 0);
        if (chosen < 0 && side.agreed().child_point != m.child_point) chosen = step;
        if (due) left = step;
    }
    CHECK(chosen >= 0);
    CHECK(left > chosen);
    CHECK(side.agreed().child_point == nearer_end(robot.belief(), options, m.child_point, m.parent_point, 20));
    CHECK(side.agreed().parent_point == m.parent_point);
}

TEST_CASE("the way between two cells is the known one, and the straight one where none is known") {
    const Robot robot = standing(detour());
    const Belief& belief = robot.belief();
    const Cell here = belief.cell();
    CHECK(path_cells(belief, here, here) == 0);
    CHECK(path_cells(belief, here, here + Cell{30, 0}) == doctest::Approx(30));
    const Cell across{here.x, 50};  // beyond the wall, which ends at column 150
    CHECK(path_cells(belief, here, across) > 2 * (150 - here.x));
    CHECK(path_cells(belief, here, {-40, here.y}) == doctest::Approx(here.x + 40));
}

TEST_CASE("people see both ends of a meeting, its time, and what was thought of") {
    const Lattice lattice;
    std::vector<Overlay> overlays;
    Meeting m;
    show_meeting(overlays, lattice, m, "parent");
    show_candidates(overlays, lattice, {}, {});
    CHECK(overlays.empty());
    m.id = 1;
    m.time = 90;
    m.child_point = m.parent_point = {3, 4};
    show_meeting(overlays, lattice, m, "parent");
    m.parent_point = {5, 4};
    show_meeting(overlays, lattice, m, "child");
    const std::vector<KeyPoint> candidates{{{1, 1}, 3}};
    const std::vector<Cell> linked{{2, 2}, {3, 3}};
    show_candidates(overlays, lattice, candidates, linked);
    REQUIRE(overlays.size() == 4);
    CHECK(overlays[0].layer == "rendezvous with parent");
    CHECK(overlays[0].points == std::vector<Point>{lattice.centre({3, 4})});
    CHECK(overlays[0].values == std::vector<double>{90});
    CHECK(overlays[0].text == "meets its parent at step 90");
    CHECK(overlays[1].layer == "rendezvous through walls with child");
    CHECK(overlays[1].points.size() == 2);
    CHECK(overlays[2].values == std::vector<double>{3});
    CHECK(overlays[3].points.size() == 2);
}

}  // namespace test_rendezvous
