#include "helpers.hpp"
#include "messages/map_payload.hpp"
#include "robot/registry.hpp"

using namespace outrider;

namespace test_messages {
namespace {

/// A base that has no sensor hears one robot through a lossy channel.
Scenario listener(const std::string& comm) {
    Notes notes;
    return make_scenario(parse_config("[team]\nrobots=1\nstrategy='nearest'\n[comm]\nrange_m=100\nbase_range_m=100\n" +
                                          comm + "[radio]\nmodel='circle'\n[run]\nsteps=400\n",
                                      "s"),
                         "s", rooms_map(200, 160, 3), notes);
}

struct Check final : Observer {
    explicit Check(std::function<void(const StepView&)> f) : look(std::move(f)) {}
    void on_step(const StepView& view) override { look(view); }
    std::function<void(const StepView&)> look;
};

}  // namespace

TEST_CASE("listed tiles and digests rebuild the sender's map under any loss") {
    for (const double loss : {0.0, 0.3, 0.8}) {
        CAPTURE(loss);
        // A limit that is never reached: only the tiles that the sender lists arrive.
        Simulation sim(listener(fmt::format("loss_rate={}\nlink_bytes=1000000000\n", loss)), {});
        int received = 0, lost = 0;
        std::size_t tiles = 0, held = 0;
        Check check([&](const StepView& view) {
            const auto& inbox = view.percepts[0].inbox;
            lost += inbox.empty();
            if (inbox.empty()) return;
            ++received;
            REQUIRE_FALSE(inbox[0].all_tiles);
            tiles += inbox[0].tiles.size();
            held += inbox[0].message->payload->map->tile_count();
            // The base heard nobody else and sees nothing: its map is the sender's, tile by tile, name by name.
            CHECK(view.decisions[0].outbox[0]->payload->map->name() == inbox[0].message->payload->map->name());
        });
        sim.add_observer(check);
        sim.run();
        CHECK(received > 15);
        if (loss > 0) CHECK(lost > 30);
        CHECK(tiles < held / 2);  // what the base has is not sent again
    }
}

TEST_CASE("robots in contact for long do not keep the messages of the past alive") {
    Simulation sim(listener(""), {});
    std::vector<std::weak_ptr<const Message>> messages;
    std::vector<std::weak_ptr<const MapPayload>> payloads;
    Check check([&](const StepView& view) {
        for (const Decision& decision : view.decisions) {
            messages.push_back(decision.outbox[0]);
            payloads.push_back(decision.outbox[0]->payload);
        }
        const auto kept = [](const auto& all) {
            return std::count_if(all.begin(), all.end(), [](const auto& m) { return !m.expired(); });
        };
        CHECK(kept(messages) <= 3 * std::ssize(view.decisions));
        CHECK(kept(payloads) <= 3 * std::ssize(view.decisions));
    });
    sim.add_observer(check);
    sim.run();
    CHECK(messages.size() > 50);
}

TEST_CASE("a limited link delivers a prefix by worth, and the rest follows") {
    Simulation sim(listener("link_bytes=8000\n"), {});
    std::size_t saved = 0;  // of the budget of the steps before, while tiles wait
    Check check([&](const StepView& view) {
        for (const Received& r : view.percepts[0].inbox) {
            std::size_t bytes = fixed_bytes(*r.message);
            for (const TileCoord t : r.tiles) bytes += tile_bytes(*r.message->payload->map, t);
            CHECK((bytes <= 8000 + saved || r.tiles.empty()));
            // Those that arrived are first in the sender's order.
            std::vector<TileCoord> wanted = tiles_for(*r.message, 0);
            REQUIRE(wanted.size() >= r.tiles.size());
            saved = wanted.size() > r.tiles.size() ? 8000 + saved - bytes : 0;
            CHECK(saved < 3 * sizeof(CellTile));  // less than the next tile takes
            wanted.resize(r.tiles.size());
            std::sort(wanted.begin(), wanted.end());
            CHECK(wanted == r.tiles);
        }
    });
    sim.add_observer(check);
    CHECK(sim.run() == EndReason::all_home);
    const StepMetrics& last = sim.metrics().steps().back();
    CHECK(last.team_share == 1);
    CHECK(last.base_share > 0.9);
}

TEST_CASE("a link that is narrower than a tile still brings the whole map in the end") {
    for (const int limit : {500, 1000, 3000}) {
        CAPTURE(limit);
        Simulation sim(listener(fmt::format("link_bytes={}\n", limit)), {});
        CHECK(sim.run() == EndReason::all_home);
        CHECK(sim.metrics().steps().back().base_share == 1);
    }
}

TEST_CASE("bytes on the air are header, records, words, digest and the tiles that the hearer lacks") {
    const auto record = [](RobotId id, std::vector<Word> words) {
        TeamRecord r;
        r.robot = id;
        r.seq = 1;
        r.words = std::move(words);
        return r;
    };
    Message m;
    m.records = {record(0, {})};
    CHECK(fixed_bytes(m) == 64);
    m.records = {record(0, {{1, to_all, {1, 2, 3}}, {2, 4, {}}})};
    CHECK(fixed_bytes(m) == 64 + 28 + 4);
    m.records.push_back(record(1, {{1, to_all, {7}}}));
    m.records.push_back(record(2, {}));
    m.records.push_back(TeamRecord{});  // never heard
    CHECK(fixed_bytes(m) == 64 + 32 + 2 * 48 + 12);
    KnownMap map(Lattice{});
    CellTile some;
    some.set({1, 1}, CellState::free);
    for (int x = 0; x < 3; ++x) map.observe({x, 0}, some, 0);
    MapPayload payload{std::make_shared<const MapSnapshot>(map.snapshot()), {}, {}, 0};
    payload.digest_bytes = digest_bytes(*payload.map, 2);  // three tiles of one block, two of them new
    const auto load = [&] { m.payload = std::make_shared<const MapPayload>(payload); };
    load();
    CHECK(fixed_bytes(m) == 64 + 32 + 2 * 48 + 12 + 3 * 20);
    CHECK(tile_bytes(*payload.map, {0, 0}) == 4 + 3 * 512);
    BitTile mark;
    mark.set({1, 1});
    map.mark(Mark::at_base, {0, 0}, mark);
    CHECK(tile_bytes(map.snapshot(), {0, 0}) == 4 + 3 * 512 + 512);
    CHECK(tiles_for(m, 5).size() == 3);
    payload.received = std::make_shared<const ReceivedMaps>(ReceivedMaps{{5, payload.map}});
    load();
    CHECK(tiles_for(m, 5).empty());
    CHECK(tiles_for(m, 4).size() == 3);
    m.share = Share::none;
    CHECK(tiles_for(m, 4).empty());
    m.share = Share::summary;
    m.summary_tiles = 2;
    payload.order = {{2, 0}, {0, 0}, {1, 0}};
    load();
    CHECK(tiles_for(m, 4) == std::vector<TileCoord>{{2, 0}, {0, 0}});
}

namespace {

/// Says a word to one robot until it hears that it arrived.
class Talker final : public Strategy {
  public:
    static constexpr Traits traits{};
    static constexpr const char* summary = "test";
    using Options = NoOptions;
    explicit Talker(const Options&) {}
    Intent choose(const Belief& belief, Rng&) override {
        Intent intent{.action = Stay{}};
        if (belief.self() == 0) intent.words = {{42, 2, {belief.step()}}};
        return intent;
    }
};
OUTRIDER_STRATEGY("test_talker", Talker)

}  // namespace

TEST_CASE("with hop delivery the newest record of a third party travels one hop a step, words and all") {
    const std::vector<std::string> rows{"....................", ".B........1........2", "...................."};
    const Scenario s = text_scenario(rows,
                                     "[team]\nstrategy='test_talker'\nbase_strategy='test_talker'\n[radio]\nmodel='"
                                     "circle'\n[comm]\nrange_m=1.0\nbase_range_m=1.0\n"
                                     "delivery='hop'\n[run]\nsteps=6\n");
    Simulation sim(s, {});
    Check check([&](const StepView& view) {
        CHECK(view.percepts[2].links.size() == 1);
        const TeamRecord& base = view.team[2].belief().latest(0);
        if (view.step < 2) {
            CHECK(base.seq == 0);
            return;
        }
        CHECK(base.step == view.step - 2);  // said two steps ago, two hops away
        REQUIRE(base.words.size() == 1);
        CHECK(base.words[0].values[0] == view.step - 2);
        CHECK(view.team[2].belief().in_contact(1));
        CHECK_FALSE(view.team[2].belief().in_contact(0));
        // Robot 2's record tells the base, two hops back, which of its messages was heard.
        const TeamRecord& far = view.team[0].belief().latest(2);
        if (view.step >= 2) CHECK(far.seq == static_cast<std::uint32_t>(view.step - 1));
    });
    sim.add_observer(check);
    sim.run();
    // In a component everything arrives in the next step.
    Scenario fast = s;
    fast.comm.delivery = Delivery::component;
    Simulation other(fast, {});
    Check next([&](const StepView& view) {
        if (view.step >= 1) CHECK(view.team[2].belief().latest(0).step == view.step - 1);
    });
    other.add_observer(next);
    other.run();
}

TEST_CASE("words and acknowledgements pass between frames that are not joined; maps do not") {
    Briefing briefing;
    briefing.members = std::make_shared<const std::vector<TeamMember>>(
        std::vector<TeamMember>{{0, "a", Role::explorer}, {1, "b", Role::explorer}});
    const auto robot = [&](RobotId id, FrameId frame) {
        Briefing mine = briefing;
        mine.self = id;
        mine.frame = frame;
        KnownMap map(mine.lattice, frame);
        CellTile some;
        some.set({id, 1}, CellState::free);
        map.observe({0, 0}, some, 0);
        Robot made(mine, {}, make_strategy("test_talker", "test"), 1);
        show(made, map.snapshot());
        return made;
    };
    for (const bool joined : {false, true}) {
        CAPTURE(joined);
        Robot a = robot(0, {0, 0}), b = robot(1, joined ? FrameId{0, 0} : FrameId{1, 0});
        const Decision sent = a.step(Percept{});
        Percept percept;
        percept.step = 1;
        percept.inbox.push_back({sent.outbox[0].get(), true, {}});
        const Decision answer = b.step(percept);
        REQUIRE(b.belief().latest(0).words.size() == 1);
        CHECK(answer.outbox[0]->records[0]->seq == 1);
        CHECK(b.belief().map().is_free({0, 1}) == joined);
        CHECK(b.belief().map().is_free({1, 1}));
        CHECK((b.belief().latest(0).frame == b.belief().map().frame()) == joined);
        CHECK(b.belief().percept().inbox.empty());  // the step is over
    }
}

TEST_CASE("a robot whose program begins again is listened to as soon as it hears from the others") {
    Briefing briefing;
    briefing.members = std::make_shared<const std::vector<TeamMember>>(
        std::vector<TeamMember>{{0, "a", Role::explorer}, {1, "b", Role::explorer}});
    const auto robot = [&](RobotId id) {
        Briefing mine = briefing;
        mine.self = id;
        return Robot(mine, {}, make_strategy("test_talker", "test"), 1);
    };
    Robot a = robot(0), b = robot(1);
    std::shared_ptr<const Message> from_a, from_b;
    int step = 0;
    const auto talk = [&](Robot& first, Robot& second) {
        ++step;
        const auto take = [&](Robot& who, const std::shared_ptr<const Message>& received) {
            Percept percept;
            percept.step = step;
            if (received) percept.inbox.push_back({received.get(), true, {}});
            return who.step(percept).outbox[0];
        };
        const auto next_a = take(first, from_b), next_b = take(second, from_a);
        from_a = next_a;
        from_b = next_b;
    };
    for (int k = 0; k < 5; ++k) talk(a, b);
    CHECK(b.belief().latest(0).seq == 4);

    Robot again = robot(0);
    KnownMap map(briefing.lattice);
    CellTile some;
    some.set({7, 7}, CellState::free);
    map.observe({0, 0}, some, 0);
    show(again, map.snapshot());
    from_a = nullptr;
    talk(again, b);
    CHECK(from_a->self().seq == 6);  // 4 was heard of, 5 is left out
    talk(again, b);
    talk(again, b);
    CHECK(b.belief().latest(0).seq == 7);
    CHECK(b.belief().map().is_free({7, 7}));
}

}  // namespace test_messages
