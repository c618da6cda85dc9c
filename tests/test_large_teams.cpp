// What large teams do at once against what small ones do pair by pair.
#include <map>

#include "grid/morton_order.hpp"
#include "helpers.hpp"
#include "messages/inbox_merger.hpp"
#include "messages/joined_messages.hpp"
#include "messages/map_payload.hpp"
#include "radio/missing_tiles.hpp"

using namespace outrider;

namespace test_large_teams {
namespace {

/// A robot without a body: looks at random places, and says what it knows in every step.
struct Talker {
    KnownMap map{Lattice{}};
    TeamTable table;
    std::shared_ptr<RecordSeries> said;
    std::vector<std::uint32_t> merged;  // by sender: up to which message
};

struct Utterance {
    std::shared_ptr<const MapSnapshot> map;
    TeamTable table;
};

TileCoord random_tile(Rng& rng, int spread) {
    return {static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * spread))) - spread,
            static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * spread))) - spread};
}

CellTile random_claims(Rng& rng) {
    CellTile claims;
    for (int n = static_cast<int>(rng.below(6)); n >= 0; --n)
        claims.set({static_cast<int>(rng.below(64)), static_cast<int>(rng.below(64))},
                   static_cast<CellState>(1 + rng.below(4)));
    return claims;
}

std::vector<Talker> talkers(std::size_t n) {
    std::vector<Talker> team(n);
    for (Talker& t : team) {
        for (std::size_t i = 0; i < n; ++i) {
            TeamRecord record;
            record.robot = static_cast<RobotId>(i);
            t.table.push_back(record);
        }
        t.merged.resize(n);
    }
    return team;
}

Utterance say(Talker& talker, std::size_t self, std::uint32_t seq) {
    TeamRecord me;
    me.robot = static_cast<RobotId>(self);
    me.seq = seq;
    if (seq % 3 == 0) me.words = {{1, to_all, {static_cast<std::int64_t>(seq)}}};
    talker.table.say(self, std::move(me), talker.said);
    talker.table.share_equal();
    return {std::make_shared<const MapSnapshot>(talker.map.snapshot()), talker.table};
}

}  // namespace

TEST_CASE("messages taken in at once leave maps and records as one after the other does, on changing random graphs") {
    for (const std::size_t n : {12u, 90u}) {  // one block of records, and two
        CAPTURE(n);
        Rng rng(n, 0, Purpose::placement, 0);
        std::vector<Talker> together = talkers(n), apart = talkers(n);
        std::vector<Utterance> said_together(n), said_apart(n);
        std::vector<std::vector<std::uint32_t>> newest(n, std::vector<std::uint32_t>(n, 0)), newest_said = newest;
        for (int step = 0; step < 40; ++step) {
            CAPTURE(step);
            const double linked = rng.uniform() * rng.uniform();
            for (std::size_t i = 0; i < n; ++i) {
                std::vector<MapNews> news;
                std::vector<const TeamTable*> tables;
                ChangeCursor before[2];
                together[i].map.changes_since(before[0]);
                apart[i].map.changes_since(before[1]);
                for (std::size_t from = 0; step > 0 && from < n; ++from) {
                    if (from == i || rng.uniform() > linked) continue;
                    const std::uint32_t seq = said_together[from].table.seq(from);
                    news.push_back({said_together[from].map.get(), seq > 1 && together[i].merged[from] == seq - 1});
                    together[i].merged[from] = seq;
                    tables.push_back(&said_together[from].table);
                    apart[i].map.merge(*said_apart[from].map);
                    const TeamTable* const one = &said_apart[from].table;
                    apart[i].table.take_newer(std::span(&one, 1));
                    for (std::size_t k = 0; k < n; ++k) newest[i][k] = std::max(newest[i][k], newest_said[from][k]);
                }
                std::map<TileCoord, std::pair<std::uint64_t, std::uint64_t>> changed[2];
                const auto note = [&](int which, const KnownMap& map) {
                    const MapChanges changes = map.changes_since(before[which]);
                    REQUIRE_FALSE(changes.everything);
                    for (const TileChange& change : changes.list) {
                        changed[which][change.tile].first |= change.rows;
                        changed[which][change.tile].second |= change.columns;
                    }
                };
                together[i].map.merge(news);
                note(0, together[i].map);
                note(1, apart[i].map);
                CHECK(changed[0] == changed[1]);
                together[i].table.take_newer(tables);
                const TileCoord at = random_tile(rng, 5);
                const CellTile claims = random_claims(rng);
                together[i].map.observe(at, claims, 0);
                apart[i].map.observe(at, claims, 0);
            }
            for (std::size_t i = 0; i < n; ++i) {
                newest[i][i] = static_cast<std::uint32_t>(step) + 1;
                said_together[i] = say(together[i], i, static_cast<std::uint32_t>(step) + 1);
                said_apart[i] = say(apart[i], i, static_cast<std::uint32_t>(step) + 1);
                REQUIRE(said_together[i].map->name() == said_apart[i].map->name());
                CHECK(together[i].map.counters().tiles_merged == apart[i].map.counters().tiles_merged);
                std::size_t heard = 0, bytes = 0;
                for (std::size_t k = 0; k < n; ++k) {
                    const TeamRecord& record = *said_together[i].table[k];
                    REQUIRE(record.robot == static_cast<RobotId>(k));
                    REQUIRE(record.seq == newest[i][k]);
                    REQUIRE(record == *said_apart[i].table[k]);
                    heard += record.seq > 0;
                    bytes += words_bytes(record.words);
                }
                const TeamTable::Load load = said_together[i].table.load();
                CHECK(load.received == heard);
                CHECK(load.words_bytes == bytes);
            }
            newest_said = newest;
        }
    }
}

TEST_CASE("what hearers lack is the same row by row and pair by pair") {
    constexpr std::size_t n = 24;
    Rng rng(7, 0, Purpose::placement, 0);
    std::vector<Talker> team = talkers(n);
    std::vector<std::shared_ptr<MapPayload>> now(n), before(n);
    int others = 0;
    for (int step = 0; step < 40; ++step) {
        CAPTURE(step);
        std::vector<std::shared_ptr<MapPayload>> next(n);
        for (std::size_t i = 0; i < n; ++i) {
            auto heard =
                std::make_shared<ReceivedMaps>(now[i] && now[i]->received ? *now[i]->received : ReceivedMaps());
            for (std::size_t from = 0; from < n; ++from) {
                if (from == i || !now[from] || rng.uniform() < 0.3) continue;
                team[i].map.merge(*now[from]->map);
                heard->set(static_cast<RobotId>(from), now[from]->map);
            }
            team[i].map.observe(random_tile(rng, 3 + step / 4), random_claims(rng), 0);
            if (step > 30 && i % 5 == 0) {  // marks make tiles of another size
                BitTile mark;
                mark.set({static_cast<int>(i), 3});
                team[i].map.mark(Mark::at_base, {0, 0}, mark);
            }
            if (rng.uniform() < 0.1) continue;  // says nothing
            next[i] = std::make_shared<MapPayload>();
            next[i]->map = std::make_shared<const MapSnapshot>(team[i].map.snapshot());
            next[i]->received = heard;
        }
        before = std::exchange(now, std::move(next));
        const auto pointers = [](const auto& payloads) {
            std::vector<const MapPayload*> out;
            for (const auto& payload : payloads) out.push_back(payload.get());
            return out;
        };
        const std::vector<const MapPayload*> present = pointers(now), past = pointers(before);
        const MissingTiles lacking(present, past);
        for (std::size_t from = 0; from < n; ++from) {
            std::vector<RobotId> hearers;
            for (std::size_t i = 0; i < n; ++i)
                if (i != from && rng.uniform() < 0.7) hearers.push_back(static_cast<RobotId>(i));
            const std::vector<std::size_t> bytes = lacking.bytes(static_cast<RobotId>(from), hearers);
            REQUIRE(bytes.size() == hearers.size());
            for (std::size_t k = 0; k < hearers.size(); ++k) {
                std::size_t expected = 0;
                if (now[from]) {
                    Message message;
                    message.payload = now[from];
                    for (const TileCoord t : tiles_for(message, hearers[k])) expected += tile_bytes(*now[from]->map, t);
                }
                CHECK(bytes[k] == expected);
                others += expected > 0 && expected < now[from]->map->tile_count() * plain_tile_bytes;
            }
        }
    }
    CHECK(others > 1000);
}

TEST_CASE("a large team counts each message's bytes as a small one does, hop by hop and by component") {
    for (const char* delivery : {"hop", "component"}) {
        CAPTURE(delivery);
        Notes notes;
        const Scenario scenario = make_scenario(
            parse_config(fmt::format("[team]\nrobots=80\nstrategy='nearest'\n[comm]\nrange_m=3\nbase_range_m=3\n"
                                     "delivery='{}'\n[sensor]\nrange_m=6\n[run]\nsteps=30\n",
                                     delivery),
                         "s"),
            "s", rooms_map(240, 200, 3), notes);
        std::vector<Hash128> digests;
        for (const int threads : {1, 3}) {
            SimulationOptions options;
            options.threads = threads;
            Simulation sim(scenario, options);
            std::uint64_t messages = 0;
            struct Check final : Observer {
                std::function<void(const StepView&)> look;
                void on_step(const StepView& view) override { look(view); }
            } check;
            check.look = [&](const StepView& view) {
                for (std::size_t i = 0; i < view.percepts.size(); ++i) {
                    const auto& inbox = view.percepts[i].inbox;
                    const auto& bytes = sim.driver().traffic().bytes_received[i];
                    REQUIRE(bytes.size() == inbox.size());
                    for (std::size_t k = 0; k < inbox.size(); ++k) {
                        std::size_t expected = fixed_bytes(*inbox[k].message);
                        for (const TileCoord t : tiles_for(*inbox[k].message, static_cast<RobotId>(i)))
                            expected += tile_bytes(*inbox[k].message->payload->map, t);
                        REQUIRE(bytes[k] == expected);
                        ++messages;
                    }
                }
            };
            sim.add_observer(check);
            sim.run();
            CHECK(messages > 10000);
            digests.push_back(sim.progress().digest);
        }
        CHECK(digests[0] == digests[1]);
    }
}

TEST_CASE("messages joined for all who hear them leave maps and records as one after the other does") {
    constexpr std::size_t n = 66;
    for (const bool stamped : {false, true}) {
        CAPTURE(stamped);
        Rng rng(stamped ? 5 : 4, 0, Purpose::placement, 0);
        std::vector<Talker> together = talkers(n), apart = talkers(n);
        std::vector<InboxMerger> mergers;
        std::vector<ReceivedMaps> heard(n);
        std::vector<Point> places;
        for (std::size_t i = 0; i < n; ++i) {
            mergers.emplace_back(static_cast<RobotId>(i));
            places.push_back({rng.uniform(), rng.uniform()});
            const FrameId frame{i % 9 == 0 ? 1 : 0, 0};  // some are not joined with the others
            together[i].map = apart[i].map = KnownMap(Lattice{}, frame, stamped);
        }
        std::vector<std::shared_ptr<Message>> said(n);
        std::vector<TeamTable> said_apart(n);
        std::size_t as_one = 0, in_all = 0;
        for (int step = 0; step < 14; ++step) {
            CAPTURE(step);
            std::vector<const Message*> messages;
            for (const auto& message : said) messages.push_back(message.get());
            MessageTree tree;
            tree.begin(messages, morton_order(places, 0.01));
            std::vector<std::vector<Received>> inboxes(n);
            std::vector<std::vector<std::uint32_t>> covers(n);
            const double loss = step % 3 == 2 ? 0.1 : 0;
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t from = 0; from < n; ++from) {
                    if (from == i || !said[from] || rng.uniform() < loss) continue;
                    if (step > 6 && distance(places[i], places[from]) > 0.4) continue;
                    if (said[from]->to != to_all && said[from]->to != static_cast<RobotId>(i)) continue;
                    Received received{said[from].get(), true, {}};
                    if (rng.below(300) == 0) received = {said[from].get(), false, {{0, 0}, {1, 0}}};
                    inboxes[i].push_back(received);
                }
                covers[i] = tree.cover(static_cast<RobotId>(i), inboxes[i]);
            }
            tree.join(covers);
            for (std::size_t i = 0; i < n; ++i) {
                Percept percept;
                percept.inbox = inboxes[i];
                std::vector<bool> covered(n, false);
                for (const std::uint32_t node : covers[i]) {
                    percept.joined.push_back(&tree.node(node));
                    for (const JoinedMessages::Part& part : tree.node(node).messages) {
                        const auto from = static_cast<std::size_t>(part.from);
                        REQUIRE(!covered[from]);
                        covered[from] = true;
                        as_one += from != i && step > 1;  // until then, no claim has a stamp
                    }
                }
                in_all += inboxes[i].size();
                merge_records(percept, together[i].table);
                mergers[i].merge_maps(percept, together[i].map, heard[i]);
                for (const Received& received : inboxes[i]) {
                    const auto from = static_cast<std::size_t>(received.message->from);
                    const TeamTable* const one = &said_apart[from];
                    apart[i].table.take_newer(std::span(&one, 1));
                    if (!received.message->payload || received.message->frame != apart[i].map.frame()) continue;
                    const auto& map = received.message->payload->map;
                    apart[i].map.merge(*map, received.all_tiles ? nullptr : &received.tiles);
                    REQUIRE(heard[i].find(received.message->from) == map.get());
                }
            }
            for (std::size_t i = 0; i < n; ++i) {
                places[i] = {places[i].x + 0.05 * (rng.uniform() - 0.5), places[i].y + 0.05 * (rng.uniform() - 0.5)};
                const TileCoord at = random_tile(rng, 5);
                const CellTile claims = random_claims(rng);
                BitTile marks;
                marks.set({static_cast<int>(i % 64), 3});
                const bool redraw = rng.below(200) == 0, mark = step > 10 && i % 5 == 0;
                for (Talker* talker : {&together[i], &apart[i]}) {
                    if (redraw) talker->map.redraw(talker->map.frame());
                    talker->map.observe(at, claims, static_cast<std::uint32_t>(step));
                    if (mark) talker->map.mark(Mark::at_base, at, marks);
                }
                const auto seq = static_cast<std::uint32_t>(step) + 1;
                const Utterance now = say(together[i], i, seq), now_apart = say(apart[i], i, seq);
                REQUIRE(now.map->name() == now_apart.map->name());
                for (std::size_t k = 0; k < n; ++k) REQUIRE(*now.table[k] == *now_apart.table[k]);
                said_apart[i] = now_apart.table;
                said[i] = nullptr;
                if (rng.below(30) == 0) continue;
                said[i] = std::make_shared<Message>();
                said[i]->from = static_cast<RobotId>(i);
                said[i]->frame = together[i].map.frame();
                said[i]->records = now.table;
                if (rng.below(30) == 0) said[i]->to = static_cast<RobotId>(rng.below(n));
                if (rng.below(30) == 0) continue;
                auto payload = std::make_shared<MapPayload>();
                payload->map = now.map;
                said[i]->payload = std::move(payload);
            }
        }
        if (stamped)
            CHECK(as_one == 0);  // the newest claim counts: each map is merged by itself
        else
            CHECK(as_one > in_all / 10);
        CHECK(as_one < in_all);
    }
}

TEST_CASE("a large team decides the same with messages joined and one by one: loss, limits, lateness, marks, frames") {
    /// The simulator without what it joined.
    struct OneByOne final : Driver {
        Driver& sim;
        explicit OneByOne(Driver& driver) : sim(driver) {}
        bool sense(std::span<Percept> percepts) override {
            const bool more = sim.sense(percepts);
            for (Percept& percept : percepts) percept.joined.clear();
            return more;
        }
        void act(std::span<const Decision> decisions) override { sim.act(decisions); }
    };
    struct Case {
        const char* more;
        bool joins;
        int steps = 8;
    };
    for (const Case& c : {Case{"delivery='hop'\n", true}, Case{"delivery='component'\n", true},
                          Case{"delivery='hop'\nloss_rate=0.2\n", true}, Case{"latency_steps=2\n", true},
                          Case{"[victims]\ncount=10\n", false}, Case{"link_bytes=9000\n", false},
                          Case{"jumble_rate=0.2\n", false}, Case{"[start]\nframe='unknown'\n", false, 2},
                          Case{"[[change]]\nx_m=5\ny_m=5\nwidth_m=1\nheight_m=1\nto='wall'\nat=4\n", false}}) {
        CAPTURE(c.more);
        Notes notes;
        const Scenario scenario =
            make_scenario(parse_config(fmt::format("[team]\nrobots=64\nstrategy='nearest'\n[sensor]\nrange_m=6\n[run]\n"
                                                   "steps={}\n[comm]\nrange_m=4\nbase_range_m=4\n{}",
                                                   c.steps, c.more),
                                       "s"),
                          "s", rooms_map(240, 200, 3), notes);
        std::vector<Hash128> digests;
        std::size_t joined = 0;
        for (const bool as_sent : {true, false}) {
            const std::unique_ptr<SimDriver> sim = make_driver(scenario);
            OneByOne apart(*sim);
            std::vector<Robot> team = make_team(scenario, false);
            Run run{as_sent ? static_cast<Driver&>(*sim) : apart, team, {}, {c.steps, -1, {}, nullptr}};
            while (!step(run))
                for (const Percept& percept : run.percepts)
                    if (percept.step > 1) joined += percept.joined.size();  // no map has marks or stamps before
            digests.push_back(run.digest);
        }
        CHECK(digests[0] == digests[1]);
        CHECK((joined > 0) == c.joins);
    }
}

}  // namespace test_large_teams
