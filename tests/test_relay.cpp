// The relay of messages between robots that are processes of their own.
#include <set>

#include <fmt/format.h>

#include "relay_helpers.hpp"
#include "tcp_peer.hpp"

using namespace outrider;

namespace test_relay {
namespace {

using namespace outrider::relayed;

/// The numbers of the messages of robot 0 that reach robot 1; 400 are sent, and then one to know when all have come.
std::set<int> heard(double loss, std::uint64_t seed, bool other_first = false) {
    Team team({.loss = loss, .seed = seed}, {"r1", "r2", "r3"});
    if (other_first)
        for (int k = 0; k < 100; ++k) team.clients[2]->send("r2", "x");
    std::set<int> out;
    for (int k = 0; k < 400; ++k) {
        team.clients[0]->send("r2", fmt::format("{}", k));
        if (k % 7 == 0 && other_first) team.clients[2]->send("r2", "x");
    }
    if (loss == 1) {  // no last one comes: when the relay has read all of robot 0, robot 1 is told of a step after them
        team.clients[0]->send("r1", "x");
        CHECK(team.complains("r1 writes to itself"));
        team.server.deliver(1);
        CHECK(team.clients[1]->wait_for(1, patience));
        for (const Arrived& a : team.clients[1]->take(0ms)) out.insert(std::stoi(a.bytes));
        return out;
    }
    // Messages keep their order: after the last one of robot 0 that comes, no more of it do.
    bool last = false;
    CHECK(team.happens([&] {
        team.clients[0]->send("r2", "last");
        for (const Arrived& a : team.clients[1]->take(5ms)) {
            if (a.from != "r1") continue;
            if (a.bytes == "last")
                last = true;
            else
                out.insert(std::stoi(a.bytes));
        }
        return last;
    }));
    return out;
}

}  // namespace

TEST_CASE("a robot knows before the first step whether its relay is in lock-step") {
    for (const bool lockstep : {false, true}) {
        Team team({.lockstep = lockstep});
        for (const auto& client : team.clients) {
            CHECK(client->wait_for_welcome(patience));
            CHECK(client->in_lockstep() == lockstep);
        }
    }
}

TEST_CASE("a thousand connections that say nothing keep no robot's messages from another") {
    Team team({}, {"r1", "r2"});
    const std::string url = team.server.url();
    const int port = std::stoi(url.substr(url.rfind(':') + 1));
    SilentPeers silent(1000);
    for (int k = 0; k < 1000; ++k) {
        REQUIRE(silent.add(port));
        if (k % 50 > 0) continue;
        team.clients[0]->send("r2", fmt::format("{}", k));
        const std::vector<Arrived> came = team.arrive(1, 1);
        REQUIRE(came.size() == 1);
        CHECK(came[0].bytes == fmt::format("{}", k));
    }
    CHECK(team.server.connected(0));
    team.clients[1].reset();  // one that comes anew is let in, too
    REQUIRE(team.goes(1));
    team.clients[1] = std::make_unique<RelayClient>(url, "r2");
    CHECK(team.comes(1));
}

TEST_CASE("messages reach whom they are for, in the order in which they were sent") {
    Team team;
    const std::string long_one(300'000, 'x');
    for (int k = 0; k < 50; ++k) {
        team.clients[0]->send("r2", fmt::format("{}", k));
        team.clients[2]->send("r2", fmt::format("{}", 100 + k));
    }
    team.clients[0]->send("r3", long_one);
    std::map<std::string, std::vector<std::string>> by_sender;
    for (const Arrived& a : team.arrive(1, 100)) by_sender[a.from].push_back(a.bytes);
    CHECK(by_sender.size() == 2);
    REQUIRE(by_sender["r1"].size() == 50);
    REQUIRE(by_sender["r3"].size() == 50);
    for (std::size_t k = 0; k < 50; ++k) {
        CHECK(by_sender["r1"][k] == fmt::format("{}", k));
        CHECK(by_sender["r3"][k] == fmt::format("{}", 100 + k));
    }
    const std::vector<Arrived> at_third = team.arrive(2, 1);
    REQUIRE(at_third.size() == 1);
    CHECK(at_third[0].from == "r1");
    CHECK(at_third[0].bytes == long_one);
    CHECK(team.clients[0]->take(0ms).empty());
    CHECK(team.complains("r3 connected"));
}

TEST_CASE("none, all or a share of the messages get lost, the same for the same seed, whoever comes first") {
    CHECK(heard(0, 1).size() == 400);
    CHECK(heard(1, 1).empty());
    const std::set<int> some = heard(0.3, 1);
    CHECK(some.size() > 240);
    CHECK(some.size() < 320);
    CHECK(heard(0.3, 1) == some);
    CHECK(heard(0.3, 1, true) == some);
    CHECK(heard(0.3, 2) != some);
}

TEST_CASE("where there is no link, nothing passes, in this direction") {
    Team team;
    team.server.set_links([](RobotId from, RobotId to) { return !(from == 0 && to == 1); });
    team.clients[0]->send("r2", "no");
    team.clients[0]->send("r3", "yes");
    team.clients[1]->send("r1", "yes");
    CHECK(team.arrive(2, 1).size() == 1);
    CHECK(team.arrive(0, 1).size() == 1);
    team.server.set_links({});
    team.clients[0]->send("r2", "again");
    const std::vector<Arrived> at_second = team.arrive(1, 1);
    REQUIRE(at_second.size() == 1);
    CHECK(at_second[0].bytes == "again");
}

TEST_CASE("messages come later by the delay, in their order") {
    Team team({.delay = 300ms});
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 20; ++k) team.clients[0]->send("r2", fmt::format("{}", k));
    const std::vector<Arrived> came = team.arrive(1, 20);
    CHECK(std::chrono::steady_clock::now() - start >= 300ms);
    REQUIRE(came.size() == 20);
    for (std::size_t k = 0; k < 20; ++k) CHECK(came[k].bytes == fmt::format("{}", k));
}

TEST_CASE("in lock-step, messages come with their step, by sender, and nobody is ahead") {
    Team team;
    const std::vector<RobotId> all{0, 1, 2};
    for (int step = 0; step < 30; ++step) {
        for (const std::size_t robot : {2u, 0u, 1u}) {
            for (std::size_t to = 0; to < 3; ++to)
                if (to != robot) team.clients[robot]->send(fmt::format("r{}", to + 1), fmt::format("{}a", step));
            team.clients[robot]->send(robot == 0 ? "r2" : "r1", fmt::format("{}b", step));
            team.clients[robot]->end_step(step);
        }
        REQUIRE(team.server.collect(step, all, patience));
        CHECK(team.clients[0]->take(0ms).empty());
        CHECK_FALSE(team.clients[0]->wait_for(step, 0ms));
        team.server.deliver(step);
        for (const auto& client : team.clients) REQUIRE(client->wait_for(step, patience));
        const std::vector<Arrived> came = team.clients[0]->take(0ms);
        REQUIRE(came.size() == 4);
        std::string order;
        for (const Arrived& a : came) order += a.from + a.bytes + ' ';
        CHECK(order == fmt::format("r2{0}a r2{0}b r3{0}a r3{0}b ", step));
    }
}

TEST_CASE("a robot is connected when the relay knows it; from then on it is told which step has come") {
    RelayServer server({}, {"r1"});
    RelayClient client(server.url(), "r1");
    int step = 0;
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!client.connected() && std::chrono::steady_clock::now() < end) {
        client.take(1ms);
        server.deliver(++step);  // takes in who has come
    }
    REQUIRE(server.connected(0));
    CHECK(client.wait_for(step, patience));
    CHECK_FALSE(client.wait_for(step + 1, 1ms));
    server.deliver(++step);
    CHECK(client.wait_for(step, patience));
}

TEST_CASE("in lock-step, what gets lost follows from seed, step and robots alone") {
    const auto came = [](const std::vector<std::size_t>& order, std::uint64_t seed) {
        Team team({.loss = 0.5, .seed = seed});
        std::string out;
        for (int step = 0; step < 40; ++step) {
            for (const std::size_t robot : order) {
                for (std::size_t to = 0; to < 3; ++to)
                    if (to != robot) team.clients[robot]->send(fmt::format("r{}", to + 1), fmt::format("{}", step));
                team.clients[robot]->end_step(step);
                // It arrives before the next robot says something.
                const RobotId one = static_cast<RobotId>(robot);
                REQUIRE(team.server.collect(step, std::span(&one, 1), patience));
            }
            team.server.deliver(step);
            for (const auto& client : team.clients) {
                REQUIRE(client->wait_for(step, patience));
                for (const Arrived& a : client->take(0ms)) out += a.from + a.bytes + ' ';
                out += '\n';
            }
        }
        return out;
    };
    const std::string once = came({0, 1, 2}, 1);
    CHECK(came({2, 0, 1}, 1) == once);
    CHECK(came({0, 1, 2}, 2) != once);
    const auto messages = std::count(once.begin(), once.end(), ' ');
    CHECK(messages > 80);
    CHECK(messages < 160);
}

TEST_CASE("in lock-step, who does not end a step is named, and holds up the others no longer than the patience") {
    Team team;
    const std::vector<RobotId> all{0, 1, 2};
    team.clients[0]->send("r3", "hello");
    team.clients[0]->end_step(0);
    team.clients[2]->end_step(0);
    REQUIRE(team.server.collect(0, std::vector<RobotId>{0, 2}, patience));
    CHECK_FALSE(team.server.collect(0, all, 200ms));
    team.server.deliver(0);
    CHECK(team.complains("r2 did not end step 0 within 200 ms"));
    CHECK(team.said.find("r1 did not") == std::string::npos);
    CHECK(team.clients[2]->wait_for(0, patience));
    CHECK(team.clients[2]->take(0ms).size() == 1);
    // Who is not there is not waited for.
    team.clients[1].reset();
    REQUIRE(team.goes(1));
    team.clients[0]->end_step(1);
    team.clients[2]->end_step(1);
    CHECK(team.server.collect(1, all, patience));
    CHECK(team.server.collect(7, std::vector<RobotId>{}, 0ms));
}

TEST_CASE(
    "without a key, who came first under a name keeps it; with one, a robot that connects again replaces itself") {
    Team team;
    team.clients[1].reset();
    REQUIRE(team.goes(1));
    CHECK(team.complains("r2 left"));
    team.clients[0]->send("r2", "nobody hears this");
    team.clients[0]->send("r3", "the relay has taken in what came before this");
    REQUIRE(team.arrive(2, 1).size() == 1);
    team.clients[1] = std::make_unique<RelayClient>(team.server.url(), "r2");
    REQUIRE(team.comes(1));
    team.clients[0]->send("r2", "hello");
    std::vector<Arrived> came = team.arrive(1, 1);
    REQUIRE(came.size() == 1);
    CHECK(came[0].bytes == "hello");

    // While the old connection stands.
    UnknownClient thief(team.server);
    REQUIRE(thief.say(team, relay_greeting("r1"), false));
    CHECK(thief.good_bye(team) == "r1 is connected already");
    team.clients[0]->send("r3", "from the real one");
    came = team.arrive(2, 1);
    REQUIRE(came.size() == 1);
    CHECK(came[0].bytes == "from the real one");

    const std::string key = "0123456789abcdef";
    Team closed({.key = key}, {"r1", "r2"}, key);
    for (const std::string wrong : {"", "0123456789abcdeX", "0123456789abcde"}) {
        UnknownClient unknown(closed.server);
        REQUIRE(unknown.say(closed, relay_greeting("r1", wrong), false));
        CHECK(unknown.good_bye(closed).find("key") != std::string::npos);
    }
    UnknownClient again(closed.server);
    REQUIRE(again.say(closed, relay_greeting("r1", key), false));
    CHECK(closed.complains("r1 is sent away: it has connected again"));
    REQUIRE(again.say(closed, message_frame("r2", "from the new one"), true));
    came = closed.arrive(1, 1);
    REQUIRE(came.size() == 1);
    CHECK(came[0].from == "r1");
}

TEST_CASE("a relay that other machines reach asks for a key, which is a line of a file") {
    CHECK_THROWS_WITH_AS(RelayServer({.address = "0.0.0.0"}, {}), doctest::Contains("--key FILE"), Error);
    CHECK_NOTHROW(RelayServer({.address = "0.0.0.0", .key = "0123456789abcdef"}, {}));
    const TemporaryFolder folder;
    write_text(folder / "key", "abcdefghijklmnop\r\n");
    CHECK(read_relay_key(folder / "key") == "abcdefghijklmnop");
    for (const std::string bad :
         {"", "short", "abcdefghijklmnop\nqrst", "abcdefgh ijklmnop", "abcdefghijklmn\x01\x02"}) {
        write_text(folder / "key", bad);
        CHECK_THROWS_AS(read_relay_key(folder / "key"), Error);
    }
}

TEST_CASE("a robot that comes back in lock-step neither waits for a step that has come, nor is waited for in vain") {
    const std::string key = "0123456789abcdef";
    Team team({.key = key}, {"r1", "r2"}, key);
    const std::vector<RobotId> all{0, 1};
    for (const auto& client : team.clients) client->end_step(0);
    REQUIRE(team.server.collect(0, all, patience));
    team.server.deliver(0);
    // A new process in the place of a robot learns the step.
    team.clients[1].reset();
    REQUIRE(team.goes(1));
    team.clients[1] = std::make_unique<RelayClient>(team.server.url(), "r2", key);
    REQUIRE(team.comes(1));
    CHECK(team.clients[1]->wait_for(0, patience));
    // A link that breaks after the end of a step was said: it is said again.
    team.clients[0]->end_step(1);
    team.clients[1]->end_step(1);
    REQUIRE(team.server.collect(1, all, patience));
    {
        UnknownClient other(team.server);
        REQUIRE(other.say(team, relay_greeting("r2", key), false));
        REQUIRE(team.complains("r2 is sent away"));
    }
    REQUIRE(team.comes(1));
    CHECK(team.server.collect(1, all, patience));
}

}  // namespace test_relay
