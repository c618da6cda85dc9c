// Messages that come late, and words that arrive damaged.
#include <algorithm>

#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "outrider/error.hpp"
#include "radio/word_damage.hpp"

using namespace outrider;

namespace test_late_words {
namespace {

std::shared_ptr<const Message> message_with(RobotId from, std::vector<std::int64_t> values) {
    auto message = std::make_shared<Message>();
    message->from = from;
    for (RobotId i = 0; i < 3; ++i) {
        TeamRecord record;
        record.robot = i;
        record.seq = 1;
        if (i == from) record.words = {{7, to_all, values}};
        message->records.push_back(std::move(record));
    }
    return message;
}

std::vector<std::int64_t> values_of(const Received& received) { return received.message->self().words.at(0).values; }

TEST_CASE("jumbled words are the sum of all words of the step, and the sender's own are as they were") {
    const auto first = message_with(0, {1, 20, 300}), second = message_with(1, {5, 6});
    CommOptions options;
    options.jumble_rate = 1;
    std::vector<Received> inbox{{first.get(), true, {}}, {second.get(), true, {}}};
    std::vector<std::shared_ptr<const Message>> copies;
    WordDamage(options, 1).apply(2, 0, inbox, copies);
    CHECK(values_of(inbox[0]) == std::vector<std::int64_t>{6, 26, 300});
    CHECK(values_of(inbox[1]) == std::vector<std::int64_t>{6, 26});
    CHECK(first->self().words[0].values == std::vector<std::int64_t>{1, 20, 300});
}

TEST_CASE("words are damaged at the given rate, and scatter by the given share") {
    const auto first = message_with(0, {1000}), second = message_with(1, {7000});
    const auto heard = [&](const CommOptions& options, int step) {
        std::vector<Received> inbox{{first.get(), true, {}}, {second.get(), true, {}}};
        std::vector<std::shared_ptr<const Message>> copies;
        WordDamage(options, 3).apply(2, step, inbox, copies);
        return static_cast<double>(values_of(inbox[0])[0]);
    };
    CommOptions jumbled, noisy;
    jumbled.jumble_rate = 0.3;
    noisy.word_noise = 0.1;
    int damaged = 0;
    double sum = 0, squares = 0;
    constexpr int steps = 4000;
    for (int step = 0; step < steps; ++step) {
        damaged += heard(jumbled, step) == 8000;
        const double off = heard(noisy, step) - 1000;
        sum += off;
        squares += off * off;
    }
    CHECK(damaged / double{steps} == doctest::Approx(0.3).epsilon(0.1));
    CHECK(std::abs(sum / steps) < 6);
    CHECK(std::sqrt(squares / steps) == doctest::Approx(100).epsilon(0.1));
    CHECK(heard({}, 0) == 1000);
}

TEST_CASE("messages come as many steps later as they are late") {
    const std::vector<std::string> rows{"##########", "#B.1.....#", "##########"};
    for (const int late : {0, 1, 4}) {
        CAPTURE(late);
        Simulation sim(text_scenario(rows, fmt::format("[comm]\nlatency_steps = {}\n[run]\nsteps = 12\n", late)), {});
        int first = -1;
        for (int step = 0; step < 10 && first < 0; ++step) {
            sim.step();
            if (sim.team()[0].belief().latest(1).seq > 0) first = step;
        }
        CHECK(first == 1 + late);
        CHECK(sim.team()[0].belief().latest(1).step == 0);
    }
}

TEST_CASE("runs with late and damaged messages go on from their logs, the same at any number of threads") {
    const TemporaryFolder folder;
    for (const std::string strategy : {"role_based", "market", "leader_follower"}) {
        CAPTURE(strategy);
        Notes notes;
        const Scenario scenario = make_scenario(
            parse_config("[team]\nrobots = 4\nstrategy = \"" + strategy +
                             "\"\n[run]\nsteps = 100\n[comm]\nlatency_steps = 3\njumble_rate = 0.3\nword_noise = 0.1\n",
                         "test"),
            "test", rooms_map(200, 160, 7), notes);
        const Hash128 digest = run_scenario(scenario, 1).digest;
        CHECK(run_scenario(scenario, 3).digest == digest);
        SimulationOptions options;
        options.log_path = folder / (strategy + ".sqlite");
        options.log_level = LogLevel::full;
        Simulation sim(scenario, options);
        sim.run();
        LogReader log(options.log_path);
        Replay replay(log);
        REQUIRE(replay.seek(99));
        for (std::size_t i = 0; i < sim.team().size(); ++i)
            CHECK(replay.team()[i].map_name() == sim.team()[i].map_name());
        REQUIRE(replay.seek(70));
        REQUIRE(replay.seek(20));
        CHECK(replay.step() == 20);
    }
}

TEST_CASE("damaged words alone: a log can be entered anywhere, with each robot's own version of what was said") {
    const TemporaryFolder folder;
    Notes notes;
    const Scenario scenario =
        make_scenario(parse_config("[team]\nrobots = 4\nstrategy = \"role_based\"\n[run]\nsteps = 150\n[comm]\n"
                                   "jumble_rate = 0.5\n",
                                   "test"),
                      "test", rooms_map(200, 160, 7), notes);
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    Simulation sim(scenario, options);
    sim.run();
    LogReader log(options.log_path);
    Replay whole(log), entered(log);
    for (int step = 0; step <= 140; ++step) REQUIRE(whole.next());
    REQUIRE(entered.seek(140));
    for (std::size_t i = 0; i < sim.team().size(); ++i)
        for (std::size_t k = 0; k < sim.team().size(); ++k)
            CHECK(*whole.team()[i].state().team[k] == *entered.team()[i].state().team[k]);
}

TEST_CASE("bad options of messages") {
    const std::vector<std::string> rows{"##########", "#B.1.....#", "##########"};
    const std::pair<const char*, const char*> refused[] = {
        {"[comm]\nlatency_steps = -1\n", "comm.latency_steps"},
        {"[comm]\njumble_rate = 2\n", "comm.jumble_rate"},
        {"[comm]\nword_noise = -0.1\n", "comm.word_noise"},
    };
    for (const auto& entry : refused) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(text_scenario(rows, entry.first), doctest::Contains(entry.second), Error);
    }
}

}  // namespace
}  // namespace test_late_words
