// The radio medium by itself: messages and links drawn by hand.
#include "helpers.hpp"
#include "messages/map_payload.hpp"
#include "radio/medium.hpp"

using namespace outrider;

namespace test_medium {
namespace {

constexpr std::size_t tile = 4 + 3 * 512;  // bytes of a tile of claims
constexpr std::size_t header = 64, digest_entry = 20;

/// What robot `from` says; its map: so many tiles side by side, the last one the most valuable.
std::shared_ptr<const Message> message(RobotId from, int tiles, RobotId to = to_all, RobotId robots = 0) {
    auto m = std::make_shared<Message>();
    m->from = from;
    m->to = to;
    for (RobotId i = 0; i < std::max(robots, from + 1); ++i) {
        TeamRecord record;
        record.robot = i;
        record.seq = i == from;
        m->records.push_back(record);
    }
    KnownMap map(Lattice{});
    CellTile claims;
    claims.set({from, 1}, CellState::free);
    auto payload = std::make_shared<MapPayload>();
    for (int x = 0; x < tiles; ++x) {
        map.observe({x, 0}, claims, 0);
        payload->order.insert(payload->order.begin(), {x, 0});
    }
    payload->map = std::make_shared<const MapSnapshot>(map.snapshot());
    payload->digest_bytes = digest_bytes(*payload->map, static_cast<std::size_t>(tiles));
    m->payload = std::move(payload);
    return m;
}

/// A team in a line: each hears the next one.
std::vector<Link> line(RobotId robots) {
    std::vector<Link> links;
    for (RobotId i = 0; i + 1 < robots; ++i) links.push_back({i, i + 1, -50});
    return links;
}

std::vector<RobotId> senders(const std::vector<Received>& inbox) {
    std::vector<RobotId> out;
    for (const Received& r : inbox) out.push_back(r.message->from);
    return out;
}

}  // namespace

TEST_CASE("a message reaches the component in one step, or only those one hop away; the others hear nothing") {
    for (const Delivery delivery : {Delivery::component, Delivery::hop}) {
        CommOptions options;
        options.delivery = delivery;
        Medium medium(options, 1);
        // 0 - 1 - 2, and 3 alone
        const Medium::Exchange& air =
            medium.exchange(line(3), {{message(0, 1)}, {message(1, 1)}, {message(2, 1)}, {message(3, 1)}});
        const bool hop = delivery == Delivery::hop;
        CHECK(senders(air.inboxes[0]) == (hop ? std::vector<RobotId>{1} : std::vector<RobotId>{1, 2}));
        CHECK(senders(air.inboxes[1]) == std::vector<RobotId>{0, 2});
        CHECK(senders(air.inboxes[2]) == (hop ? std::vector<RobotId>{1} : std::vector<RobotId>{0, 1}));
        CHECK(air.inboxes[3].empty());
        CHECK(air.traffic.messages == (hop ? 4 : 6));
        CHECK(air.traffic.component == std::vector<int>{0, 0, 0, 1});
        REQUIRE(air.traffic.neighbours[1].size() == 2);
        CHECK(air.traffic.neighbours[1][0] == LinkReport{0, -50});
        CHECK(air.traffic.neighbours[1][1] == LinkReport{2, -50});
        CHECK(air.traffic.neighbours[3].empty());
    }
}

TEST_CASE("what is said to one robot reaches that one only; an empty outbox reaches nobody") {
    Medium medium({}, 1);
    const Medium::Exchange& air = medium.exchange(line(3), {{message(0, 0, 2), message(0, 1, to_all)}, {}, {}});
    CHECK(air.inboxes[0].empty());
    CHECK(air.inboxes[1].size() == 1);
    REQUIRE(air.inboxes[2].size() == 2);
    CHECK(air.inboxes[2][0].message->to == 2);
    CHECK(air.traffic.bytes_received[2].size() == 2);
}

TEST_CASE("loss: of all messages, of none, and of a share that differs by receiver, step and seed but not by order") {
    const auto lost_of_ten = [](double rate, std::uint64_t seed) {
        CommOptions options;
        options.loss_rate = rate;
        Medium medium(options, seed);
        std::vector<std::uint64_t> lost;
        for (int step = 0; step < 10; ++step) {
            const Medium::Exchange& air = medium.exchange(line(3), {{message(0, 1)}, {message(1, 1)}, {message(2, 1)}});
            CHECK(air.traffic.lost + air.traffic.messages == 6);
            std::size_t arrived = 0;
            for (const auto& inbox : air.inboxes) arrived += inbox.size();
            CHECK(arrived == air.traffic.messages);
            if (rate == 1) CHECK(air.traffic.bytes == 0);
            lost.push_back(air.traffic.lost);
        }
        return lost;
    };
    CHECK(lost_of_ten(1, 1) == std::vector<std::uint64_t>(10, 6));
    CHECK(lost_of_ten(0, 1) == std::vector<std::uint64_t>(10, 0));
    const auto some = lost_of_ten(0.5, 1);
    CHECK(some == lost_of_ten(0.5, 1));
    CHECK(some != lost_of_ten(0.5, 2));
    CHECK(*std::min_element(some.begin(), some.end()) < *std::max_element(some.begin(), some.end()));
    const MessageLoss loss(0.5, 1);
    int to_one = 0, to_other = 0, differ = 0;
    for (int step = 0; step < 100; ++step) {
        const bool a = loss.lost(step, 3, 0, 0, 1), b = loss.lost(step, 3, 0, 0, 2);
        to_one += a;
        to_other += b;
        differ += a != b;
    }
    CHECK((to_one > 30 && to_one < 70 && to_other > 30 && to_other < 70 && differ > 30));
}

TEST_CASE("bytes of a known message: header, digest, and the tiles that the hearer lacks") {
    Medium medium({}, 1);
    const auto said = message(0, 3);
    const std::size_t fixed = header + 3 * digest_entry + digest_entry;  // a block, and three tiles that are new
    REQUIRE(fixed_bytes(*said) == fixed);
    const Medium::Exchange& air = medium.exchange(line(2), {{said}, {}});
    CHECK(air.traffic.bytes == fixed + 3 * tile);
    CHECK(air.traffic.bytes_received == std::vector<std::vector<std::uint64_t>>{{}, {fixed + 3 * tile}});
    REQUIRE(air.inboxes[1].size() == 1);
    CHECK(air.inboxes[1][0].all_tiles);
    // It heard of robot 1 that this holds all but one of the tiles, and says everything again.
    KnownMap theirs(Lattice{});
    CellTile claims;
    claims.set({0, 1}, CellState::free);
    for (int x = 0; x < 2; ++x) theirs.observe({x, 0}, claims, 0);
    auto payload = std::make_shared<MapPayload>(*said->payload);
    payload->received =
        std::make_shared<const ReceivedMaps>(ReceivedMaps{{1, std::make_shared<const MapSnapshot>(theirs.snapshot())}});
    auto again = std::make_shared<Message>(*said);
    again->payload = payload;
    CHECK(medium.exchange(line(2), {{again}, {}}).traffic.bytes == fixed + tile);
    auto mapless = std::make_shared<Message>(*said);
    mapless->payload = nullptr;
    CHECK(medium.exchange(line(2), {{mapless}, {}}).traffic.bytes == header);
}

TEST_CASE("a limited link carries the most valuable tiles that fit, saves what is left, and forgets it when idle") {
    const auto said = message(0, 3);
    const std::size_t fixed = fixed_bytes(*said);
    const std::size_t limit = fixed + tile + tile / 2;
    LinkBudget budget(true);
    budget.set_team(2);
    const std::vector<TileCoord> wanted{{2, 0}, {1, 0}, {0, 0}};
    CHECK(budget.fill(*said, 1, limit, fixed, wanted) == std::vector<TileCoord>{{2, 0}});
    CHECK(budget.fill(*said, 1, limit, fixed, wanted) ==
          std::vector<TileCoord>{{2, 0}, {1, 0}});  // with the half saved
    CHECK(budget.fill(*said, 1, limit, fixed, wanted) == std::vector<TileCoord>{{2, 0}});
    CHECK(budget.fill(*said, 1, limit, fixed, {}).empty());  // nothing waits: the half is forgotten
    CHECK(budget.fill(*said, 1, limit, fixed, wanted) == std::vector<TileCoord>{{2, 0}});
    CHECK(budget.fill(*said, 0, limit, fixed, wanted) == std::vector<TileCoord>{{2, 0}});  // another receiver: its own
    LinkBudget narrow(true);
    narrow.set_team(2);
    // Less than the message itself, which passes all the same.
    CHECK(narrow.fill(*said, 1, 100, fixed, wanted).empty());
    CHECK_FALSE(CommOptions{}.limited());

    CommOptions options;
    options.link_bytes = static_cast<int>(fixed + 2 * tile);
    Medium medium(options, 1);
    const Medium::Exchange& air = medium.exchange(line(2), {{said}, {}});
    REQUIRE(air.inboxes[1].size() == 1);
    CHECK_FALSE(air.inboxes[1][0].all_tiles);
    CHECK(air.inboxes[1][0].tiles == std::vector<TileCoord>{{1, 0}, {2, 0}});  // sorted
    CHECK(air.traffic.bytes == fixed + 2 * tile);
}

TEST_CASE("a large team's bytes are those of a small one's pairs") {
    for (const Delivery delivery : {Delivery::component, Delivery::hop}) {
        CommOptions options;
        options.delivery = delivery;
        Medium medium(options, 1);
        constexpr RobotId n = 70;  // enough to work out all pairs at once
        std::vector<Outbox> outboxes;
        for (RobotId i = 0; i < n; ++i) outboxes.push_back({message(i, 1 + i % 3, to_all, n)});
        outboxes[5].push_back(message(5, 2, to_all, n));
        outboxes[9].clear();
        const std::vector<Outbox> said = outboxes;
        const Medium::Exchange& air = medium.exchange(line(n), std::move(outboxes));
        std::size_t messages = 0;
        for (std::size_t to = 0; to < n; ++to)
            for (std::size_t k = 0; k < air.inboxes[to].size(); ++k, ++messages) {
                const Message& m = *air.inboxes[to][k].message;
                REQUIRE(air.traffic.bytes_received[to][k] ==
                        fixed_bytes(m) + missing_bytes(*m.payload, static_cast<RobotId>(to)));
            }
        CHECK(messages == (delivery == Delivery::hop ? 138 - 2 + 2 : 70 * 69));
        CHECK(air.traffic.messages == messages);
    }
}

}  // namespace test_medium
