// The second radio: what reaches whom, what fits, what waits, and what robots make of it.
#include "features/second_radio/channel.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "messages/map_payload.hpp"
#include "shared/topics.hpp"

using namespace outrider;

namespace test_second_radio {
namespace {

std::shared_ptr<const Message> message(RobotId from, std::uint32_t seq, std::vector<Word> words, std::size_t team = 2) {
    auto out = std::make_shared<Message>();
    out->from = from;
    for (std::size_t i = 0; i < team; ++i) {
        TeamRecord record;
        record.robot = static_cast<RobotId>(i);
        if (record.robot == from) {
            record.seq = seq;
            record.words = std::move(words);
        }
        out->records.push_back(std::move(record));
    }
    return out;
}

Word word(std::uint32_t topic, std::vector<std::int64_t> values, RobotId to = to_all) {
    return {topic, to, std::move(values)};
}

/// Two radios in an open field.
struct Pair {
    explicit Pair(const SecondRadioOptions& options) : channel(options, 2) {}
    /// What the second one hears of the first one, which says these words; none: nothing.
    std::vector<TeamRecord> step(std::vector<Word> words, bool alive = true) {
        const Transceiver radios[2] = {{{1, 1}, 0, alive}, {{3, 1}, 0, true}};
        const std::shared_ptr<const Message> messages[2] = {message(0, ++seq, std::move(words)), nullptr};
        channel.exchange(field, walls.lattice(), radios, messages);
        return channel.received(1);
    }
    Grid<std::uint8_t> walls{60, 30, 0, Lattice{0.1}};
    WallField field{walls};
    SecondChannel channel;
    std::uint32_t seq = 0;
};

std::vector<std::uint32_t> topics(const std::vector<TeamRecord>& received) {
    std::vector<std::uint32_t> out;
    for (const TeamRecord& r : received)
        for (const Word& w : r.words) out.push_back(w.topic);
    return out;
}

}  // namespace

TEST_CASE("200 m become 63 m behind ten walls with the defaults, and with those of the first radio 71, 51 and 36 %") {
    SecondRadioOptions options;
    options.range_m = 200;
    const RadioOptions far = options.formula();
    const auto reach = [](const RadioOptions& radio, double range, int walls) {
        double low = 0, high = range;
        for (int k = 0; k < 60; ++k) {
            const double middle = (low + high) / 2;
            (path_loss_dbm(radio, range, middle, walls) > radio.cutoff_dbm ? low : high) = middle;
        }
        return low;
    };
    CHECK(reach(far, 200, 0) == doctest::Approx(200));
    CHECK(reach(far, 200, 10) == doctest::Approx(63.2).epsilon(0.002));
    const RadioOptions first;
    for (const auto& [walls, share] : {std::pair(1, 0.71), {2, 0.51}, {3, 0.36}})
        CHECK(reach(first, 20, walls) == doctest::Approx(20 * share).epsilon(0.015));
}

TEST_CASE("words that do not fit wait for their turn, the newest of each topic; what is too long is saved up for") {
    SecondRadioOptions options;
    options.range_m = 100;
    options.bytes_per_step = 24 + 24;  // two words of a value each: 12 bytes
    Pair pair(options);
    REQUIRE(pair.step({word(1, {10})}).size() == 1);
    CHECK(pair.channel.bytes() == 36);
    auto received = pair.step({word(1, {11}), word(2, {20}), word(3, {30}), word(4, {40})});
    CHECK(topics(received) == std::vector<std::uint32_t>{1, 2});
    received = pair.step({word(3, {31}), word(5, {50})});  // 3 and 4 waited; 3 is newer now
    CHECK(topics(received) == std::vector<std::uint32_t>{3, 4});
    CHECK(received[0].words[0].values == std::vector<std::int64_t>{31});
    received = pair.step({word(6, {1}, 1), word(6, {2}, 0)});  // the same topic to two robots are two words
    CHECK(topics(received) == std::vector<std::uint32_t>{5, 6});
    CHECK(topics(pair.step({})) == std::vector<std::uint32_t>{6});
    CHECK(topics(pair.step({})).empty());
    // 44 bytes at 24 a step: after the second step.
    CHECK(topics(pair.step({word(7, {1, 2, 3, 4, 5})})).empty());
    received = pair.step({word(8, {1})});
    CHECK(topics(received) == std::vector<std::uint32_t>{7});
    CHECK(topics(pair.step({})) == std::vector<std::uint32_t>{8});
    CHECK(pair.step({word(9, {1})}, false).empty());
}

TEST_CASE("latency: what was said arrives so many steps later") {
    SecondRadioOptions options;
    options.range_m = 100;
    options.latency_steps = 3;
    Pair pair(options);
    CHECK(pair.step({word(1, {1})}).empty());
    CHECK(pair.step({word(2, {2})}).empty());
    CHECK(topics(pair.step({word(3, {3})})) == std::vector<std::uint32_t>{1});
    const auto received = pair.step({});
    CHECK(topics(received) == std::vector<std::uint32_t>{2});
    CHECK(received[0].seq == 2);
}

TEST_CASE("robots know where the others are and want to go, and do not take that for contact or for maps") {
    // A wall between two halves: the first radio does not pass it.
    std::vector<std::string> rows(40, std::string(120, '.'));
    for (auto& row : rows) row[0] = row[119] = '#';
    rows.front() = rows.back() = std::string(120, '#');
    for (std::size_t y = 0; y < 36; ++y)
        for (std::size_t x = 40; x < 80; x += 2) rows[y][x] = '#';
    rows[20][20] = 'B';
    rows[22][20] = '1';
    rows[20][100] = '2';
    const auto run = [&](const std::string& toml) {
        auto sim = std::make_unique<Simulation>(
            text_scenario(rows, "[team]\nstrategy = \"stay\"\n[run]\nsteps = 12\n[comm]\nrange_m = 8\n" + toml),
            SimulationOptions{});
        sim->run();
        return sim;
    };
    const auto one = run(""), two = run("[radio2]\nrange_m = 200\n");
    for (const RobotId other : {0, 1}) {
        const Belief &without = one->team()[2].belief(), &with = two->team()[2].belief();
        CHECK(without.latest(other).seq == 0);
        CHECK_FALSE(without.received_far(other));
        CHECK(with.latest(other).seq > 0);
        CHECK(with.latest(other).step == with.step() - 1);
        CHECK(with.received_far(other));
        CHECK_FALSE(with.in_contact(other));
        CHECK(with.map().state(one->scenario().start_cell(1) - one->scenario().team_origin()) == CellState::unknown);
    }
    CHECK(two->team()[2].belief().latest(1).pose == two->team()[1].state().team[1]->pose);
    CHECK_FALSE(two->team()[2].belief().delivered());
    // The numbers that tell others what was received are those of the first radio.
    CHECK(two->team()[2].state().team.seq(0) == 0);
}

TEST_CASE("a base says over the second channel how many free cells it knows, and nothing where there is none") {
    const auto run = [&](const std::string& radio2, int steps) {
        Notes notes;
        auto sim = std::make_unique<Simulation>(
            make_scenario(parse_config("[team]\nrobots = 2\n[run]\nsteps = " + std::to_string(steps) +
                                           "\n[comm]\nrange_m = 5\nbase_range_m = 5\n" + radio2,
                                       "test"),
                          "test", rooms_map(300, 220, 5), notes),
            SimulationOptions{});
        sim->run();
        return sim;
    };
    const std::string far = "[radio2]\nrange_m = 500\n";
    const auto before = run(far, 39), received = run(far, 40), without = run("", 40);
    std::int64_t free = 0;
    const MapView map = before->team()[0].belief().map();
    map.for_each_block([&](Cell low) {
        for (int k = 0; k < 64 * 64; ++k) free += map.is_free(low + Cell{k % 64, k / 64});
    });
    CHECK(free > 100);
    const std::vector<Word>& messages = received->team()[1].belief().latest(0).words;
    REQUIRE(messages.size() == 1);
    CHECK(messages[0] == Word{topic_base, to_all, {free}});
    CHECK(without->team()[0].state().team[0]->words.empty());
}

TEST_CASE(
    "runs with a second channel are the same at any thread count and from their logs; news of the base are younger") {
    const TemporaryFolder folder;
    Notes notes;
    const auto made = [&](const std::string& more) {
        return make_scenario(parse_config("[team]\nrobots = 4\nstrategy = \"time_preference\"\n[run]\nsteps = 200\n"
                                          "[comm]\nrange_m = 5\nbase_range_m = 5\n" +
                                              more,
                                          "test"),
                             "test", rooms_map(300, 220, 5), notes);
    };
    const Scenario scenario = made("[radio2]\nrange_m = 60\nbytes_per_step = 60\nlatency_steps = 2\n");
    const Hash128 digest = run_scenario(scenario, 1).digest;
    CHECK(run_scenario(scenario, 3).digest == digest);
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    std::map<std::string, double> values;
    {
        Simulation sim(scenario, options);
        values = summary_of(sim, sim.run());
    }
    CHECK(values.at("bytes_far") > 1000);
    CHECK(run_scenario(LogReader(folder / "run.sqlite").scenario(), 1).digest == digest);
    Simulation alone(made(""), {});
    const auto without = summary_of(alone, alone.run());
    CHECK(without.find("bytes_far") == without.end());
    CHECK(values.at("responsiveness_mean") < 0.7 * without.at("responsiveness_mean"));
    CHECK_THROWS_WITH_AS(made("[radio2]\nbytes_per_step = 10\n"), doctest::Contains("radio2.bytes_per_step"), Error);
}

}  // namespace test_second_radio
