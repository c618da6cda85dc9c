// Robots that fail: by chance, or at a step that the scenario names.
#include <cmath>

#include "features/failures/world.hpp"
#include "helpers.hpp"
#include "scenario/scenario.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;

namespace test_failures {
namespace {

const std::vector<std::string> corridor{"##############################", "#B12.........................#",
                                        "#............................#", "##############################"};

/// What each robot did and perceived in a run.
struct Watch final : Observer {
    struct Row {
        bool alive, moved, saw, linked;
        double travelled_m;
    };
    std::vector<std::vector<Row>> rows;  // by step, then robot
    void on_step(const StepView& view) override {
        auto& now = rows.emplace_back();
        for (const Percept& p : view.percepts) {
            bool saw = false;
            for (const Scan& scan : p.scans)
                saw |= std::any_of(scan.ranges.begin(), scan.ranges.end(),
                                   [](std::uint16_t r) { return r != Scan::no_information; });
            const double travelled = norm(p.motion.delta.position());
            now.push_back({p.alive, travelled > 0, saw, !p.links.empty(), travelled});
        }
    }
};

/// Robots that see half a metre and drive a cell in a step.
constexpr const char* short_sighted =
    "[run]\nsteps=24\n[team]\nstrategy='nearest'\n[body]\nspeed_mps=0.1\n[sensor]\nrange_m=0.5\n";

Watch watch(const std::string& more, std::map<std::string, double>* summary = nullptr,
            const std::vector<std::string>& map = corridor) {
    Watch out;
    Simulation simulation(text_scenario(map, short_sighted + more), {});
    simulation.add_observer(out);
    const EndReason reason = simulation.run();
    if (summary) *summary = summary_of(simulation, reason);
    return out;
}

std::string event(const char* kind, int step, int until) {
    return fmt::format("[[event]]\nrobot='r1'\nkind='{}'\nstep={}\nuntil={}\n", kind, step, until);
}

}  // namespace

TEST_CASE("times between failures and repairs are exponential, kinds come by their weights, seeds and robots differ") {
    FailureOptions options;
    options.rate_per_hour = 36;  // once in 100 steps of a second
    options.repair_steps = 50;
    options.weights = {0, 1, 3, 0, 0};
    const std::vector<std::uint8_t> fails{0, 1, 1};
    const int steps = 3'000'000;
    const std::vector<Failure> all = draw_failures(options, fails, steps, 1, 7);
    CHECK(all == draw_failures(options, fails, steps, 1, 7));
    CHECK(all != draw_failures(options, fails, steps, 1, 8));
    double between = 0, repairs = 0, long_ones = 0;
    std::size_t deaf = 0, first = 0;
    int last_end = 0;
    for (const Failure& f : all) {
        REQUIRE((f.robot == 1 || f.robot == 2));
        REQUIRE((f.kind == FailureKind::stuck || f.kind == FailureKind::deaf));
        deaf += f.kind == FailureKind::deaf;
        if (f.robot == 2) continue;
        ++first;
        CHECK(f.from > last_end);
        between += f.from - last_end;
        long_ones += f.from - last_end > 200;
        last_end = std::min(f.until, steps);
        repairs += last_end - f.from;
    }
    const auto n = static_cast<double>(first);
    CHECK(between / n == doctest::Approx(100).epsilon(0.03));
    CHECK(repairs / n == doctest::Approx(50).epsilon(0.03));
    CHECK(long_ones / n == doctest::Approx(std::exp(-2.0)).epsilon(0.06));
    CHECK(static_cast<double>(deaf) / static_cast<double>(all.size()) == doctest::Approx(0.75).epsilon(0.03));
    options.weights = {1, 0, 0, 0, 0};
    for (const Failure& f : draw_failures(options, fails, steps, 1, 7)) CHECK(f.until == Failure::for_good);
    CHECK(draw_failures(options, fails, steps, 1, 7).size() == 2);  // nobody dies twice
    options.rate_per_hour = 0;
    CHECK(draw_failures(options, fails, steps, 1, 7).empty());
}

TEST_CASE("each kind of failure does what its name says, from its step on and until it is over") {
    const Watch sound = watch("");
    for (std::size_t k = 4; k < 15; ++k) {
        REQUIRE(sound.rows[k][1].moved);
        REQUIRE(sound.rows[k][1].saw);
        REQUIRE(sound.rows[k][1].linked);
    }
    const Watch stuck = watch(event("stuck", 6, 11));
    for (std::size_t k = 4; k < 15; ++k)  // a motion is perceived a step later
        CHECK(stuck.rows[k][1].moved == !(k >= 7 && k <= 11));
    const Watch blind = watch(event("blind", 6, 11));
    for (std::size_t k = 0; k < 15; ++k) CHECK(blind.rows[k][1].saw == !(k >= 6 && k < 11));
    const Watch deaf = watch(event("deaf", 6, 11));
    for (std::size_t k = 0; k < 15; ++k) CHECK(deaf.rows[k][1].linked == !(k >= 6 && k < 11));
    const Watch slow = watch(event("slow", 6, -1));
    CHECK(slow.rows[8][1].travelled_m == doctest::Approx(0.3 * sound.rows[6][1].travelled_m));
    const Watch dead = watch("[[event]]\nrobot='r1'\nstep=6\n");
    for (std::size_t k = 0; k < 12; ++k) CHECK(dead.rows[k][1].alive == (k < 6));
    for (std::size_t k = 0; k < 12; ++k) CHECK(dead.rows[k][2].alive);
}

TEST_CASE("metrics of failures count them, and are absent where nobody can fail") {
    std::map<std::string, double> none, two, dead;
    watch("", &none);
    CHECK_FALSE(none.contains("failures"));
    CHECK_FALSE(none.contains("lost_knowledge_m2"));
    watch(event("stuck", 6, 11) + event("blind", 14, 17), &two);
    CHECK(two.at("failures") == 2);
    CHECK(two.at("failed_steps") == 5 + 3);
    CHECK(two.at("lost_knowledge_m2") == 0);
    // Far out of contact, the one that dies takes what only it knew with it.
    std::vector<std::string> alone = corridor;
    alone[1][3] = '.';
    watch("[comm]\nrange_m=0.2\nbase_range_m=0.2\n[[event]]\nrobot='r1'\nstep=18\n", &dead, alone);
    CHECK(dead.at("failures") == 1);
    CHECK(dead.at("failed_steps") == 0);
    CHECK(dead.at("deaths") == 1);
    CHECK(dead.at("lost_knowledge_m2") > 0);
    CHECK(std::isnan(two.at("recovery_steps")));  // nobody died

    // By brute force: until the team knows as much as before.
    Simulation sim(text_scenario(alone, std::string(short_sighted) +
                                            "[comm]\nrange_m=0.2\nbase_range_m=0.2\n[[event]]\nrobot='r1'\nstep=18\n"),
                   {});
    const double recovery = summary_of(sim, sim.run()).at("recovery_steps");
    const auto& steps = sim.metrics().steps();
    REQUIRE(steps.size() > 18);
    CHECK(steps[18].alive == steps[17].alive - 1);
    std::size_t k = 18;
    while (k < steps.size() && steps[k].team_share < steps[17].team_share) ++k;
    CHECK(k > 18);
    CHECK(recovery == static_cast<double>(k - 18));
}

TEST_CASE("a scenario with failures reads back as itself, and mistakes in events are named") {
    const Scenario s = text_scenario(corridor, "[failure]\nrate_per_hour=2\n" + event("blind", 3, 9));
    Notes notes;
    const Scenario again = make_scenario(parse_config(s.resolved(), "again"), "test", text_map(corridor), notes);
    CHECK(again.resolved() == s.resolved());
    CHECK(failures_of(again) == failures_of(s));
    const auto error_of = [&](const std::string& text) -> std::string {
        try {
            text_scenario(corridor, text);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    };
    CHECK(error_of("[[event]]\nrobot='r7'\nstep=3\n").find("robot = \"r7\": nobody is called so") != std::string::npos);
    CHECK(error_of("[[event]]\nrobot='r1'\nstep=-3\n").find("step = -3") != std::string::npos);
    CHECK(error_of("[[event]]\nrobot='r1'\nstep=3\nkind='slow'\nuntil=3\n").find("expected a step after 3") !=
          std::string::npos);
    CHECK(error_of("[[event]]\nrobot='r1'\nstep=3\nuntil=9\n").find("a dead robot stays dead") != std::string::npos);
    CHECK(error_of("[[event]]\nrobot='r1'\nkind='tired'\n").find("dead, stuck, deaf, blind") != std::string::npos);
    CHECK(error_of("[event]\nrobot='r1'\n").find("expected [[event]]") != std::string::npos);
    CHECK(error_of("[failure]\ndead=-1\n").find("dead = -1") != std::string::npos);
}

TEST_CASE("the robots of a soccer team stand still a fifth of the time, a minute at a time") {
    Notes notes;
    const Scenario s = make_scenario(
        parse_config("[team]\nrobots = 5\n[run]\nsteps = 200000\n[failure]\npreset = \"soccer_2008\"\n", "test"),
        "test", rooms_map(200, 150, 1), notes);
    CHECK(s.features.get<FailureOptions>().rate_per_hour == 15.3);
    std::array<double, 6> running{};
    const std::vector<Failure> failures = failures_of(s);
    std::vector<std::vector<Failure>> of(s.robots.size());
    for (const Failure& f : failures) {
        REQUIRE(f.kind == FailureKind::stuck);
        of[static_cast<std::size_t>(f.robot)].push_back(f);
    }
    std::vector<std::size_t> next(of.size());
    for (int step = 1000; step < 200'000; ++step) {
        std::size_t up = 0;
        for (std::size_t i = 1; i < of.size(); ++i) {  // 0 is the base
            while (next[i] < of[i].size() && of[i][next[i]].until <= step) ++next[i];
            up += next[i] == of[i].size() || of[i][next[i]].from > step;
        }
        running[up] += 1.0 / 199'000;
    }
    const std::array published{0.003, 0.045, 0.035, 0.161, 0.393, 0.363};
    for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(running[k] - published[k]) < 0.06);
    double mean = 0;
    for (std::size_t k = 0; k < 6; ++k) mean += static_cast<double>(k) * running[k] / 5;
    CHECK(mean == doctest::Approx(0.797).epsilon(0.02));
    // What is said besides changes it.
    const Scenario other =
        make_scenario(parse_config("[failure]\npreset = \"soccer_2008\"\nrepair_steps = 10\n", "test"), "test",
                      rooms_map(200, 150, 1), notes);
    CHECK(other.features.get<FailureOptions>().repair_steps == 10);
    CHECK(other.features.get<FailureOptions>().rate_per_hour == 15.3);
}

}  // namespace test_failures
