// What the codec of messages refuses, and that damaged bytes harm nobody.
#include <cmath>
#include <functional>
#include <limits>

#include "message_helpers.hpp"
#include "messages/frame_news.hpp"

using namespace outrider;

namespace test_damaged_messages {

using namespace outrider::hand_made;
namespace {

/// With all that a message can hold.
Message full_message(const std::vector<Briefing>& briefings) {
    KnownMap map(briefings[0].lattice, {0, 0}, briefings[0].cells_change);
    for (const TileCoord t : {TileCoord{0, 0}, TileCoord{-3, 2}, TileCoord{1, 2}}) {
        map.observe(t, some_tile(0xf0f0), 7);
        map.mark(Mark::rough, t, some_tile(0x10).known);
    }
    Message m = message_of(briefings, 5, map.snapshot());
    TeamRecord other = *m.records[2];
    other.seq = 9;
    other.goal = Point{1.5, -2};
    m.records.set(2, other);
    auto news = std::make_shared<FrameNews>();
    news->relations = {{1, 2, {1, 2, 0.5}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, true, 4}};
    m.frames = news;
    return m;
}

/// Whether the decoder takes it; nothing but an Error may come of it otherwise.
bool taken(MessageDecoder& decoder, const std::string& bytes) {
    try {
        return decoder.decode(bytes).message != nullptr;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

TEST_CASE("damaged bytes are refused or say something that a robot can say; what came before stays") {
    for (const bool cells_change : {false, true}) {
        const std::vector<Briefing> briefings = team(cells_change);
        const Message m = full_message(briefings);
        const std::string good = encoded(briefings, m), content = unpacked(good);
        MessageDecoder decoder(briefings[0]);
        REQUIRE(taken(decoder, good));
        for (std::size_t i = 0; i < good.size(); ++i) {
            std::string bad = good;
            bad[i] = static_cast<char>(bad[i] ^ 0x11);
            // Checksums find it, unless it is only another way to say the same.
            if (taken(decoder, bad)) CHECK(unpacked(bad) == content);
            CHECK_FALSE(taken(decoder, good.substr(0, i)));
        }
        int refused = 0;
        for (std::size_t i = 0; i < content.size(); i += i < 1000 ? 1 : 29) {
            for (const int flip : {0x01, 0x80, 0xff}) {
                std::string bad = content;
                bad[i] = static_cast<char>(bad[i] ^ flip);
                MessageDecoder fresh(briefings[0]);
                refused += !taken(fresh, packed(bad));
            }
            MessageDecoder fresh(briefings[0]);
            CHECK_FALSE(taken(fresh, packed(content.substr(0, i))));
        }
        CHECK(refused > 300);
        CHECK_FALSE(taken(decoder, packed(content + "x")));
        Rng rng(3, 0, Purpose::placement, 0);
        for (int k = 0; k < 300; ++k) {
            std::string bad(1 + rng.below(200), '\0');
            for (char& c : bad) c = static_cast<char>(rng.below(256));
            CHECK_FALSE(taken(decoder, bad));
            taken(decoder, packed(bad));
        }
        // Nothing of all that is left.
        CHECK(decoder.received(1).from_other == 5);
        CHECK(decoder.received(2).from_other == 0);
        KnownMap more(briefings[0].lattice, {0, 0}, cells_change);
        more.merge(*m.payload->map);
        more.observe({4, 4}, some_tile(0xff), 8);
        MessageEncoder encoder(briefings[1], 0);
        encoder.encode(m, {});
        const DecodedMessage next = decoder.decode(encoder.encode(message_of(briefings, 6, more.snapshot()), {0, 5}));
        CHECK(next.tiles == std::vector<TileCoord>{{4, 4}});
        CHECK(next.message->payload->map->name() == more.snapshot().name());
    }
}

TEST_CASE("what no member of the team can say is refused, with the reason") {
    const std::vector<Briefing> briefings = team();
    const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
    const auto refused = [&](const char* why, const std::function<void(Message&)>& change) {
        CAPTURE(why);
        Message m = full_message(briefings);
        change(m);
        MessageDecoder decoder(briefings[0]);
        CHECK_THROWS_WITH_AS(decoder.decode(encoded(briefings, m)), doctest::Contains(why), Error);
    };
    const auto record = [&](const char* why, std::size_t robot, const std::function<void(TeamRecord&)>& change) {
        refused(why, [&](Message& m) {
            TeamRecord r = *m.records[robot];
            change(r);
            m.records.set(robot, r);
        });
    };
    const auto relation = [&](const char* why, const std::function<void(FrameRelation&)>& change) {
        refused(why, [&](Message& m) {
            auto news = std::make_shared<FrameNews>(*m.frames);
            change(news->relations[0]);
            m.frames = news;
        });
    };
    record("in the place of", 0, [](TeamRecord& r) { r.robot = 2; });
    record("has no number", 1, [](TeamRecord& r) { r.seq = 0; });
    record("of step -1", 0, [](TeamRecord& r) { r.step = -1; });
    record("names robot 3 of a team of 3", 0, [](TeamRecord& r) { r.frame.robot = 3; });
    record("epoch -1", 0, [](TeamRecord& r) { r.frame.epoch = -1; });
    record("off all maps", 0, [&](TeamRecord& r) { r.pose.x = nan; });
    record("off all maps", 0, [&](TeamRecord& r) { r.pose.y = 1e7; });
    record("a heading of", 0, [&](TeamRecord& r) { r.pose.yaw = infinite; });
    record("off all maps", 2, [&](TeamRecord& r) { r.goal = Point{0, -infinite}; });
    record("names robot 3", 2, [](TeamRecord& r) { r.words = {{1, 3, {}}}; });
    record("names robot -2", 2, [](TeamRecord& r) { r.words = {{1, -2, {}}}; });
    record("the number 77", 2, [](TeamRecord& r) { r.role = static_cast<Role>(77); });
    refused("the number 3", [](Message& m) { m.share = static_cast<Share>(3); });
    refused("came to 0", [](Message& m) { m.to = 2; });
    refused("where 0 to 2 can be", [](Message& m) { m.frame.robot = -1; });
    relation("to itself", [](FrameRelation& r) { r.to = 1; });
    relation("where 0 to 2 can be", [](FrameRelation& r) { r.to = 3; });
    relation("off all maps", [&](FrameRelation& r) { r.measured.x = nan; });
    relation("a covariance of", [&](FrameRelation& r) { r.covariance[4] = infinite; });
    refused("off all maps", [&](Message& m) {
        auto news = std::make_shared<FrameNews>();
        news->own.x = infinite;
        m.frames = news;
    });
    refused("and not known", [&](Message& m) {
        KnownMap map(briefings[0].lattice);
        CellTile tile = some_tile(1);
        tile.safe.rows[3] = 2;
        map.observe({0, 0}, tile, 0);
        m.payload = message_of(briefings, 5, map.snapshot()).payload;
    });
    refused("stamps", [&](Message& m) { m = full_message(team(true)); });

    const std::string good = encoded(briefings, full_message(briefings));
    MessageDecoder other_team(team(false, 2)[0]), sender(briefings[1]);
    CHECK_THROWS_AS(other_team.decode(good), Error);
    CHECK_THROWS_WITH_AS(sender.decode(good), doctest::Contains("came to itself"), Error);
    MessageDecoder decoder(briefings[0]);
    CHECK_THROWS_WITH_AS(decoder.decode(""), doctest::Contains("another version"), Error);
    CHECK_THROWS_WITH_AS(decoder.decode('\x02' + good.substr(1)), doctest::Contains("another version"), Error);
    CHECK_THROWS_WITH_AS(decoder.decode(packed(std::string(9 << 20, '\0'))), doctest::Contains("unpack to more"),
                         Error);
    CHECK(taken(decoder, good));
}

TEST_CASE("tiles that are too far away are not sent, and not taken") {
    const std::vector<Briefing> briefings = team();
    KnownMap map(briefings[0].lattice);
    for (const TileCoord t : {TileCoord{-2048, 2048}, TileCoord{2049, 0}, TileCoord{0, -2049}, TileCoord{2, 0}})
        map.observe(t, some_tile(6), 0);
    const std::string bytes = encoded(briefings, message_of(briefings, 1, map.snapshot()));
    MessageDecoder decoder(briefings[0]);
    CHECK(decoder.decode(bytes).tiles == std::vector<TileCoord>{{2, 0}, {-2048, 2048}});
    // The first tile, (2, 0), further and further away.
    std::string content = unpacked(bytes);
    std::string near, far, at;
    append_integer(at, 2);
    append_integer(at, 0);
    append_integer(near, 30);
    append_integer(near, -1000);
    append_integer(far, 30);
    append_integer(far, -2049);
    const std::size_t place = content.rfind(at, content.size() - 2 * sizeof(CellTile));
    REQUIRE(place != std::string::npos);
    const auto moved = [&](const std::string& to) {
        return packed(std::string(content).replace(place, at.size(), to));
    };
    MessageDecoder fresh(briefings[0]);
    CHECK_THROWS_WITH_AS(fresh.decode(moved(far)), doctest::Contains("too far away"), Error);
}

TEST_CASE("words that are longer than a message can be are an error of the sender's") {
    const std::vector<Briefing> briefings = team();
    Message m = message_of(briefings, 1, KnownMap(briefings[0].lattice).snapshot());
    TeamRecord r = m.self();
    r.words = {{1, to_all, std::vector<std::int64_t>(1 << 20, std::numeric_limits<std::int64_t>::max())}};
    m.records.set(1, r);
    CHECK_THROWS_WITH_AS(encoded(briefings, m), doctest::Contains("to robot 0"), Error);
}

}  // namespace test_damaged_messages
