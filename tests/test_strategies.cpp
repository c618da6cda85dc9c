// What every strategy must do, judged by its traits. A new file in strategies/ is tested by being there.
#include <map>
#include <set>
#include <sstream>

#include "helpers.hpp"
#include "log/step_recorder.hpp"
#include "messages/hashes.hpp"
#include "messages/overlay_names.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/ray.hpp"
#include "robot/registry.hpp"

using namespace outrider;

namespace test_strategies {
namespace {

const std::vector<std::string> tiny{"######################",  //
                                    "#......#.............#",  //
                                    "#......#.............#",  //
                                    "#..B1..#....####.....#",  //
                                    "#...........#........#",  //
                                    "#......#....#........#",  //
                                    "####.#######.........#",  //
                                    "#......#.............#",  //
                                    "#......#......###.####",  //
                                    "#......#......#......#",  //
                                    "######################"};

/// Says again what it heard from others, with numbers in it that nobody means.
class Garbler final : public Strategy {
  public:
    static constexpr Traits traits{};
    static constexpr const char* summary = "says again what others say, with wrong numbers";
    using Options = NoOptions;
    explicit Garbler(const Options&) {}

    Intent choose(const Belief& belief, Rng& rng) override {
        constexpr std::int64_t most = 9'000'000'000'000'000;
        const std::vector<std::int64_t> odd{-1, 4, 5, 900'000, 1LL << 31, -(1LL << 31), 1LL << 40, most, -most};
        Intent intent{.action = RandomStep{}};
        for (const auto& record : belief.team()) {
            if (record->robot == belief.self()) continue;
            for (const Word& said : record->words) {
                Word& word = intent.words.emplace_back(said);
                for (std::int64_t& value : word.values)
                    if (rng.below(4) == 0) value = odd[rng.below(static_cast<std::uint32_t>(odd.size()))];
                if (rng.below(8) == 0) word.values.resize(rng.below(12));
            }
        }
        return intent;
    }
};
OUTRIDER_STRATEGY("test_garbler", Garbler)

/// The map of a team of n: robots without a letter are placed by themselves.
Scenario tiny_scenario(const std::string& strategy, int robots, const std::string& more = "") {
    return text_scenario(tiny, fmt::format("[team]\nstrategy='{}'\nrobots={}\n{}", strategy, robots, more));
}

std::vector<const StrategyInfo*> all_strategies() {
    std::vector<const StrategyInfo*> out;
    for (const StrategyInfo& info : strategies())
        if (!info.name.starts_with("test_") && info.name != "external" &&
            info.name != "python")  // those: test_external
            out.push_back(&info);
    return out;
}

}  // namespace

TEST_CASE("docs/strategies.md has a section for each strategy") {
    const std::string page = read_text(std::string(OUTRIDER_SOURCE_DIR) + "/docs/strategies.md");
    for (const StrategyInfo& info : strategies()) {
        CAPTURE(info.name);
        if (!info.name.starts_with("test_")) CHECK(page.find("\n## " + info.name + "\n") != page.npos);
    }
}

TEST_CASE("docs/strategies.md says which goals along frontiers each strategy has by default") {
    std::istringstream page(read_text(std::string(OUTRIDER_SOURCE_DIR) + "/docs/strategies.md"));
    std::map<std::string, std::string> said;
    std::string line, value;
    while (std::getline(page, line) && line != "| default | strategies | why: what the source goes to |") {
    }
    while (std::getline(page, line) && line.starts_with("|")) {
        const std::string first = line.substr(2, line.find(" |", 1) - 2);
        if (line[2] != '|') value = first;  // an empty cell: that of the row above
        const std::size_t from = line.find('|', 2), to = line.find('|', from + 1);
        for (std::size_t at = line.find('`', from); at < to; at = line.find('`', at + 1)) {
            const std::size_t end = line.find('`', at + 1);
            CHECK(said.emplace(line.substr(at + 1, end - at - 1), value).second);
            at = end;
        }
    }
    CHECK(said.size() > 20);
    for (const StrategyInfo& info : strategies()) {
        const auto has = [](const FieldInfo& f) { return f.name == "goal_spacing"; };
        const auto field = std::find_if(info.options.begin(), info.options.end(), has);
        CAPTURE(info.name);
        if (field == info.options.end()) {
            CHECK((!said.contains(info.name) || said.at(info.name) == "none"));
        } else if (!info.name.starts_with("test_")) {
            REQUIRE(said.contains(info.name));
            CHECK(std::stod(said.at(info.name)) == std::stod(field->value));
        }
    }
}

TEST_CASE("a strategy that explores brings home what a robot that dies on the way left, with radios that reach little" *
          slow()) {
    for (const StrategyInfo* info : all_strategies()) {
        CAPTURE(info->name);
        Notes notes;
        const Scenario s = make_scenario(
            parse_config(fmt::format("[team]\nstrategy='{}'\nrobots=4\n[sensor]\nrange_m=4\n[comm]\nrange_m=5\n"
                                     "base_range_m=5\nloss_rate=0.2\n[run]\nsteps=3000\n[[robot]]\ndies_at_step=100\n",
                                     info->name),
                         "s"),
            "s", rooms_map(200, 150, 7), notes);
        const Outcome o = run_scenario(s);
        if (!info->traits.explores) continue;
        CHECK(o.reason == EndReason::all_home);
        CHECK(o.team_share > 0.99);
        CHECK(o.base_share > 0.99);
    }
}

TEST_CASE("whatever a team-mate says, a strategy goes on") {
    std::vector<std::string> names{"burgard(planner=leader)", "goal_candidates(planner=leader)"};
    for (const StrategyInfo* info : all_strategies()) names.push_back(info->name);
    for (const std::string& name : names)
        for (int seed = 1; seed <= 4; ++seed) {
            CAPTURE(name);
            CAPTURE(seed);
            const std::string more = fmt::format("[run]\nsteps=150\nseed={}\n", seed);
            run_scenario(tiny_scenario(name, 5, more + "[[robot]]\nstrategy='test_garbler'\n"));
        }
}

TEST_CASE("a run replays from its own log without a world") {
    for (const StrategyInfo* info : all_strategies()) {
        CAPTURE(info->name);
        const Scenario s = tiny_scenario(info->name, 3, "[run]\nsteps=80\n");
        Simulation sim(s, {});
        StepRecorder recorder(sim.briefings());
        sim.add_observer(recorder);
        sim.run();
        LogDriver driver(recorder.log());
        std::vector<Robot> team = make_team(s, recorder.log().briefings, false);
        Run run{driver, team, {}, {}};
        run.limits.steps = 1 << 30;
        run_to_end(run);
        CHECK_FALSE(driver.divergence());
        CHECK(run.digest == sim.progress().digest);
    }
}

TEST_CASE("what strategies of this project show means what the names of its layers say: logs store nothing more") {
    struct Watcher final : Observer {
        std::set<std::string> wrong;
        std::size_t shown = 0;
        void on_step(const StepView& view) override {
            for (const Decision& d : view.decisions)
                for (const Overlay& o : d.overlays) {
                    ++shown;
                    if (o.meaning != named_meaning(o.kind, o.layer)) wrong.insert(o.layer);
                }
        }
    };
    for (const StrategyInfo* info : all_strategies()) {
        CAPTURE(info->name);
        const Scenario s = tiny_scenario(info->name, 3, "[run]\nsteps=60\n");
        SimulationOptions watched;
        watched.overlays = true;
        Simulation sim(s, watched);
        Watcher watcher;
        sim.add_observer(watcher);
        sim.run();
        CHECK(watcher.wrong == std::set<std::string>{});
        if (info->traits.explores) CHECK(watcher.shown > 0);
    }
}

TEST_CASE("no strategy drives into a wall that its robot knows") {
    for (const StrategyInfo* info : all_strategies())
        for (const std::string more : {"", "[plan]\nany_angle=true\n", "[body]\nradius_m=0.15\n"}) {
            CAPTURE(info->name);
            CAPTURE(more);
            Notes notes;
            const Scenario s = make_scenario(
                parse_config(fmt::format("[team]\nstrategy='{}'\nrobots=3\n[run]\nsteps=150\n{}", info->name, more),
                             "s"),
                "s", rooms_map(150, 120, 2), notes);
            Simulation sim(s, {});
            struct Watcher final : Observer {
                int driven = 0, bumps = 0;
                void on_step(const StepView& view) override {
                    for (std::size_t i = 0; i < view.team.size(); ++i) {
                        const Belief& belief = view.team[i].belief();
                        const Lattice& lattice = belief.map().lattice();
                        bumps += view.percepts[i].bumped;
                        double left = belief.speed_cells();
                        Point last = lattice.to_cells(belief.pose().position());
                        for (const Point& p : view.decisions[i].command.path_body) {
                            const Point next = lattice.to_cells(transform(belief.pose(), p));
                            walk_segment(last, next, [&](Cell c, double t) {
                                if (t > left) return false;
                                CHECK_FALSE(belief.map().is_occupied(c));
                                ++driven;
                                return true;
                            });
                            left -= distance(last, next);
                            last = next;
                            if (left <= 0) break;
                        }
                    }
                }
            } watcher;
            sim.add_observer(watcher);
            sim.run();
            const bool stands = info->name == "stay" || info->name == "switch" || info->name == "tour";
            CHECK((watcher.driven > 0 || stands || info->traits.operator_driven));
            // A disc may touch a wall that was not known yet, beside the frontier that it drives to.
            if (info->traits.explores && more.find("radius") == std::string::npos) CHECK(watcher.bumps == 0);
        }
}

TEST_CASE("twin worlds: as long as all that was sensed is equal, so are all decisions") {
    // The twin has other walls, another extent and other free space beyond the first robots' room, and lies elsewhere
    // in its map. Both teams run interleaved in one process.
    const Grid<std::uint8_t> walls = rooms_map(200, 160, 4);
    Grid<std::uint8_t> twin(333, 290, 1, walls.lattice());
    const Cell shift{71, 55};
    for (std::size_t i = 0; i < walls.cells().size(); ++i) twin[walls.cell(i) + shift] = walls.cells()[i];
    const Cell start{20, 20};
    for (int y = 100; y < 290; ++y)
        for (int x = 0; x < 333; ++x) {
            const Cell c{x, y};
            if (x > shift.x + 110 || y > shift.y + 110) twin[c] = (x / 9 + y / 13) % 4 == 0;
        }
    for (const StrategyInfo* info : all_strategies()) {
        CAPTURE(info->name);
        const auto scenario = [&](const Grid<std::uint8_t>& map, Cell at) {
            const Point base = map.lattice().centre(at);
            Notes notes;
            return make_scenario(parse_config(fmt::format("[team]\nstrategy='{}'\nrobots=3\n[sensor]\nrange_m=5\n[run]"
                                                          "\nsteps=200\n[[base]]\nx_m={}\ny_m={}\n",
                                                          info->name, to_text(base.x), to_text(base.y)),
                                              "s"),
                                 "s", map, notes);
        };
        Simulation a(scenario(walls, start), {}), b(scenario(twin, start + shift), {});
        const Run &one = a.progress(), &two = b.progress();
        bool sensed = false;
        int equal_steps = 0;
        while (!a.done() && !b.done() && !sensed) {
            a.step();
            b.step();
            for (std::size_t i = 0; i < one.percepts.size() && !sensed; ++i)
                sensed = hash_of(one.percepts[i]) != hash_of(two.percepts[i]);
            if (sensed) break;
            ++equal_steps;
            for (std::size_t i = 0; i < one.decisions.size(); ++i)
                CHECK(hash_of(one.decisions[i]) == hash_of(two.decisions[i]));
        }
        CHECK((equal_steps >= 5 || a.done()));  // who has nothing to do is done at once
        if (info->traits.explores) CHECK(sensed);
    }
}

TEST_CASE("a base station or a robot fixed to its place may have any strategy, and keeps nobody from exploring") {
    for (const StrategyInfo* info : all_strategies()) {
        CAPTURE(info->name);
        const Outcome base = run_scenario(tiny_scenario("nearest", 2, fmt::format("base_strategy='{}'", info->name)));
        CHECK(base.team_share == 1);
        const Outcome fixed =
            run_scenario(tiny_scenario(info->name, 3, "[run]\nsteps=400\n[[robot]]\nbody={speed_mps=0}\n[[robot]]\n"));
        if (info->traits.explores) CHECK(fixed.team_share == 1);
    }
}

TEST_CASE("robots whose strategies know nothing of each other explore all the same") {
    const std::vector<std::string> names{"leader_follower", "relay_network", "recurrent", "role_based"};
    for (const std::string& a : names)
        for (const std::string& b : names) {
            CAPTURE(a);
            CAPTURE(b);
            const Outcome o =
                run_scenario(tiny_scenario(a, 3, fmt::format("[run]\nsteps=1500\n[[robot]]\nstrategy='{}'\n", b)));
            CHECK(o.team_share == 1);
        }
}

TEST_CASE("a team-mate in a closed room, whatever it says, keeps no strategy from exploring all that it can reach") {
    const std::vector<std::string> rows{"##############################",  //
                                        "#......#...........#.........#",  //
                                        "#......#...........#.........#",  //
                                        "#......#...........#.........#",  //
                                        "#......#############.........#",  //
                                        "#............................#",  //
                                        "#............................#",  //
                                        "##############################"};
    for (const StrategyInfo* info : all_strategies()) {
        if (!info->traits.explores) continue;
        for (const char* mate : {"stay", "random_walk"}) {
            CAPTURE(info->name);
            CAPTURE(mate);
            Notes notes;
            const Scenario s = make_scenario(
                parse_config(fmt::format("[team]\nstrategy='{}'\n[sensor]\nrange_m=0.6\n[comm]\nrange_m=100\n"
                                         "base_range_m=100\n[run]\nsteps=1500\n[[base]]\nx_m=0.15\ny_m=0.25\n"
                                         "[[robot]]\nx_m=0.25\ny_m=0.25\n[[robot]]\nx_m=1.25\ny_m=0.55\n"
                                         "strategy='{}'\nbody={{speed_mps=0.01}}\n",
                                         info->name, mate),
                             "s"),
                "s", text_map(rows), notes);
            Simulation sim(s, {});
            sim.run();
            const KnownMap& known = sim.team()[1].belief().map();
            const Cell start = s.team_origin();
            for (std::size_t row = 0; row < rows.size(); ++row)
                for (std::size_t x = 0; x < rows[row].size(); ++x)
                    if (rows[row][x] != '#' && (row > 3 || x < 7 || x > 19))
                        CHECK(
                            known.is_free(Cell{static_cast<int>(x), static_cast<int>(rows.size() - 1 - row)} - start));
        }
    }
}

}  // namespace test_strategies
