// Orders for live robots: from a file, and as they are typed.
#include "live/live_orders.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "helpers.hpp"
#include "outrider/error.hpp"

using namespace outrider;

namespace test_live_orders {
namespace {

Scenario office() {
    const std::vector<std::string> rows{"##########", "#........#", "#........#", "##########"};
    return text_scenario(rows, "[team]\nrobots=2\n");
}

/// A hand that types.
struct Typist {
    Typist() { REQUIRE(pipe(ends) == 0); }
    ~Typist() {
        close(ends[0]);
        end();
    }
    Typist(const Typist&) = delete;
    Typist& operator=(const Typist&) = delete;
    void type(const std::string& text) {
        REQUIRE(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
    void end() {
        if (ends[1] >= 0) close(std::exchange(ends[1], -1));
    }
    int ends[2] = {-1, -1};
};

std::vector<std::string> said(const std::vector<OperatorOrder>& orders) {
    std::vector<std::string> out;
    for (const OperatorOrder& o : orders) out.push_back(fmt::format("{} {} {}", o.step, o.robot, o.command.behaviour));
    return out;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("typed orders are for the step that is about to begin, or for a later one") {
    const Scenario scenario = office();
    Typist typist;
    LiveOrders orders(typist.ends[0], "keys", scenario, {1, 2});
    CHECK(orders.due(0).empty());
    typist.type("# to begin with\n\n{\"robot\": \"r1\", \"do\": \"st");
    CHECK(orders.due(1).empty());
    typist.type("op\"}\n{\"step\": 5, \"do\": \"all_stop\"}\n");
    CHECK(said(orders.due(2)) == Lines{"2 1 stop"});
    CHECK(orders.due(4).empty());
    CHECK(said(orders.due(5)) == Lines{"5 1 stop", "5 2 stop"});
    typist.type("{\"robot\": 2, \"do\": \"drive\", \"forward\": 0.5, \"steps\": 4}\n");
    CHECK(said(orders.due(6)) == Lines{"6 2 drive"});
    typist.type("{\"robot\": 2, \"do\": \"stop\"}\n");  // ends the drive
    CHECK(said(orders.due(7)) == Lines{"7 2 drive", "7 2 stop"});
    CHECK(orders.due(8).empty());
    CHECK_FALSE(orders.over());
    CHECK(orders.last_step(100) == 100);
    typist.type("{\"step\": 12, \"robot\": 1, \"do\": \"stop\"}");  // no end of line
    typist.end();
    CHECK(orders.due(9).empty());
    CHECK_FALSE(orders.over());
    CHECK(orders.last_step(100) == 12);
    CHECK(said(orders.due(13)) == Lines{"12 1 stop"});  // a step was missed
    CHECK(orders.over());
    CHECK(orders.take_complaints().empty());
}

TEST_CASE("what is typed wrongly is named with its line, and the next one counts") {
    const Scenario scenario = office();
    Typist typist;
    LiveOrders orders(typist.ends[0], "keys", scenario, {1});
    typist.type(
        "{\"robot\": \"r9\", \"do\": \"stop\"}\nstop!\n{\"step\": 3, \"robot\": \"r1\", \"do\": \"stop\"}\n"
        "{\"robot\": \"r2\", \"do\": \"stop\"}\n{\"robot\": \"r1\", \"do\": \"way_points\", \"points\": [[0, 0]]}\n"
        "{\"robot\": \"r1\", \"do\": \"stop\"}\n");
    CHECK(said(orders.due(7)) == Lines{"7 1 stop"});
    const Lines complaints = orders.take_complaints();
    REQUIRE(complaints.size() == 5);
    CHECK(complaints[0] == "keys:1: robot \"r9\" is none of the mobile robots: r1, r2");
    CHECK(complaints[1].starts_with("keys:2: line 1, column 1"));
    CHECK(complaints[2] == "keys:3: step 3 is past: the next one is 7");
    CHECK(complaints[3] == "keys:4: another process decides for r2, which gets no orders from here");
    CHECK(complaints[4].find("keys:5: way-point (0, 0) lies in a wall") == 0);
    typist.type(std::string(60'000, 'x'));
    for (int k = 0; k < 20; ++k) {
        orders.due(8);
        typist.type(std::string(60'000, 'x'));
    }
    typist.type("\n");
    orders.due(8);
    CHECK(orders.take_complaints() == Lines{"keys:7: expected a line of at most 1048576 bytes"});
}

TEST_CASE("a file is read at once, and refused at once") {
    const Scenario scenario = office();
    const TemporaryFolder folder;
    write_text(folder / "orders", "{\"step\": 3, \"robot\": \"r2\", \"do\": \"stop\"}\n");
    LiveOrders orders(folder / "orders", scenario, {1, 2});
    CHECK(orders.last_step(100) == 3);
    CHECK(orders.due(2).empty());
    CHECK(said(orders.due(3)) == Lines{"3 2 stop"});
    CHECK(orders.over());
    CHECK_THROWS_WITH_AS(LiveOrders(folder / "orders", scenario, {1}),
                         doctest::Contains("another process decides for r2"), Error);
    write_text(folder / "orders", "{\"robot\": \"r2\", \"do\": \"stop\"}\n");
    CHECK_THROWS_WITH_AS(LiveOrders(folder / "orders", scenario, {1, 2}), doctest::Contains("\"step\": expected"),
                         Error);
    CHECK_THROWS_AS(LiveOrders(folder / "none", scenario, {1, 2}), Error);
}

}  // namespace test_live_orders
