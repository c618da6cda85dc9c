// What two robots remember of each other's maps: parts, late answers, maps drawn anew, robots that start again.
#include "message_helpers.hpp"

using namespace outrider;

namespace test_message_progress {

using namespace outrider::hand_made;

TEST_CASE("a map with very much that is new comes in parts, none of which is long") {
    const std::vector<Briefing> briefings = team();
    KnownMap map(briefings[0].lattice);
    Rng rng(4, 0, Purpose::placement, 0);
    for (int k = 0; k < 7000; ++k) {
        CellTile tile;
        for (std::size_t row = 0; row < tile_size; ++row) {
            tile.known.rows[row] = std::uint64_t{rng.below(1u << 31)} << 32 | rng.below(1u << 31);
            tile.occupied.rows[row] = tile.known.rows[row] & rng.below(1u << 31);
        }
        map.observe({k % 100 - 50, k / 100}, tile, 0);
    }
    MessageEncoder encoder(briefings[1], 0);
    MessageDecoder decoder(briefings[0]);
    std::uint32_t known = 0, seq = 0;
    std::size_t came = 0;
    for (const bool answered : {false, true, true, true, true}) {
        const Message m = message_of(briefings, ++seq, map.snapshot());
        const std::string bytes = encoder.encode(m, {0, known});
        CHECK(bytes.size() < (16 << 20));
        const DecodedMessage part = decoder.decode(bytes);
        if (answered) known = seq;
        came = part.message->payload->map->tile_count();
        CHECK(came == std::min<std::size_t>(7000, (seq == 1 ? 1 : seq - 1) * ((4 << 20) / plain_tile_bytes)));
        CHECK(missing_tiles(*part.message->payload->map, m.payload->map.get()).empty());
    }
    CHECK(came == 7000);
}

TEST_CASE("a map that is drawn anew begins empty, with the new epoch of its frame") {
    const std::vector<Briefing> briefings = team();
    KnownMap own(briefings[0].lattice, {1, 0}), other(briefings[0].lattice, {2, 3});
    own.observe({0, 0}, some_tile(0xff), 0);
    own.observe({1, 0}, some_tile(0xff), 0);
    other.observe({7, 7}, some_tile(0xf0), 0);
    MessageEncoder encoder(briefings[1], 0);
    MessageDecoder decoder(briefings[0]);
    std::uint32_t seq = 0;
    const auto told = [&](std::size_t& bytes) {
        Message m = message_of(briefings, ++seq, KnownMap(briefings[0].lattice).snapshot());
        auto payload = std::make_shared<MapPayload>(*m.payload);
        payload->submaps =
            std::make_shared<const Submaps>(Submaps{{1, std::make_shared<const MapSnapshot>(own.snapshot())},
                                                    {2, std::make_shared<const MapSnapshot>(other.snapshot())}});
        m.payload = payload;
        const std::string frame = encoder.encode(m, {0, seq - 1});
        bytes = unpacked(frame).size();
        const DecodedMessage came = decoder.decode(frame);
        CHECK(came.all_tiles);
        const Submaps& submaps = *came.message->payload->submaps;
        CHECK(submaps.find(0) == nullptr);
        REQUIRE(submaps.find(1));
        REQUIRE(submaps.find(2));
        CHECK(submaps.find(1)->name() == own.snapshot().name());  // the epoch is part of it
        CHECK(submaps.find(2)->name() == other.snapshot().name());
    };
    std::size_t first = 0, same = 0, anew = 0, again = 0;
    told(first);
    told(same);
    own.redraw({1, 4});
    own.observe({1, 0}, some_tile(0x0f), 0);
    told(anew);
    told(again);
    CHECK(first > same + 3 * sizeof(CellTile));
    CHECK(anew > same + sizeof(CellTile));
    CHECK(anew < same + 2 * sizeof(CellTile));
    CHECK(again <= same);
}

TEST_CASE("answers may take long: what is acknowledged late is still known, what is too old is sent again") {
    const std::vector<Briefing> briefings = team();
    KnownMap map(briefings[0].lattice);
    MessageEncoder encoder(briefings[1], 0);
    MessageDecoder decoder(briefings[0]);
    std::uint32_t seq = 0;
    const auto tiles = [&](std::uint32_t known) {
        map.observe({static_cast<std::int32_t>(seq), 1}, some_tile(3), 0);
        const Message m = message_of(briefings, ++seq, map.snapshot());
        const DecodedMessage came = decoder.decode(encoder.encode(m, {0, known}));
        CHECK(came.message->payload->map->name() == map.snapshot().name());
        return came.tiles.size();
    };
    CHECK(tiles(0) == 1);
    for (std::size_t k = 2; k <= 100; ++k) CHECK(tiles(1) == k - 1);  // the first is kept as long as it is needed
    CHECK(tiles(45) == 56);
    CHECK(tiles(20) == 102);  // forgotten meanwhile
    CHECK(tiles(102) == 1);
    CHECK(tiles(45) == 104);    // older than what was acknowledged
    CHECK(tiles(4000) == 105);  // nobody ever said that
}

TEST_CASE("a sender that starts again with the same numbers is not taken for the one before") {
    const std::vector<Briefing> briefings = team();
    KnownMap before(briefings[0].lattice), after(briefings[0].lattice);
    before.observe({0, 0}, some_tile(3), 0);
    after.observe({5, 0}, some_tile(9), 0);
    MessageDecoder decoder(briefings[0]);
    MessageEncoder old(briefings[1], 0), anew(briefings[1], 0);
    decoder.decode(old.encode(message_of(briefings, 1, before.snapshot()), {}));
    anew.encode(message_of(briefings, 1, after.snapshot()), {});  // lost; the answer to the old one comes late
    after.observe({6, 0}, some_tile(9), 0);
    const DecodedMessage second = decoder.decode(anew.encode(message_of(briefings, 2, after.snapshot()), {0, 1}));
    CHECK(second.message->payload == nullptr);
    CHECK(second.tiles.empty());
    CHECK(decoder.received(1).from_other == 1);
    const DecodedMessage third = decoder.decode(anew.encode(message_of(briefings, 3, after.snapshot()), {}));
    CHECK(third.message->payload->map->name() == after.snapshot().name());
    CHECK(third.tiles.size() == 2);
}

TEST_CASE("each says up to where it has what the other one said") {
    const std::vector<Briefing> briefings = team();
    MessageDecoder decoder(briefings[0]);
    MessageEncoder encoder(briefings[1], 0);
    const MapSnapshot map = KnownMap(briefings[0].lattice).snapshot();
    CHECK(decoder.received(1).from_other == 0);
    CHECK(decoder.received(1).by_other == 0);
    decoder.decode(encoder.encode(message_of(briefings, 4, map), {17, 0}));
    CHECK(decoder.received(1).from_other == 4);
    CHECK(decoder.received(1).by_other == 17);
    CHECK(decoder.received(2).by_other == 0);
    Message none = message_of(briefings, 5, map);
    none.share = Share::none;
    none.payload = nullptr;
    CHECK(decoder.decode(encoder.encode(none, {18, 4})).message->payload == nullptr);
    CHECK(decoder.received(1).from_other == 4);
    CHECK(decoder.received(1).by_other == 18);
}

}  // namespace test_message_progress
