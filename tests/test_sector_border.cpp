// Neighbours that meet at the border of their sectors, under any loss of messages.
#include <doctest/doctest.h>

#include "outrider/rng.hpp"
#include "sector_rendezvous/sector_border.hpp"

using namespace outrider;

namespace test_sector_border {
namespace {

Meeting at(int time) { return {0, {1, 2}, {1, 2}, time, 60, {5, 6}, time + 100}; }

/// The lower one proposes.
struct Pair {
    SectorBorder lower{1, true, 3}, upper{0, false, 3};
    void tell(bool up, bool down) {
        const std::vector<Word> sent_up = lower.words(), sent_down = upper.words();
        for (const Word& word : sent_up)
            if (up) upper.hear(word.values);
        for (const Word& word : sent_down)
            if (down) lower.hear(word.values);
    }
};

}  // namespace

TEST_CASE("neighbours agree on a meeting within a few words, and on the next one when it is over") {
    Pair pair;
    CHECK_FALSE(pair.lower.open());
    CHECK(pair.lower.may_propose());
    CHECK_FALSE(pair.upper.may_propose());
    pair.lower.propose(at(100));
    CHECK_FALSE(pair.lower.may_propose());
    for (int i = 0; i < 4; ++i) pair.tell(true, true);
    CHECK(pair.lower.settled());
    CHECK(pair.upper.settled());
    CHECK(pair.lower.agreed() == pair.upper.agreed());
    CHECK(pair.lower.agreed().time == 100);
    CHECK_FALSE(pair.lower.may_propose());
    pair.upper.close();  // it was kept; the other one hears so
    pair.tell(true, true);
    CHECK_FALSE(pair.lower.open());
    CHECK(pair.lower.may_propose());
    pair.lower.propose(at(300));
    for (int i = 0; i < 4; ++i) pair.tell(true, true);
    CHECK(pair.upper.settled());
    CHECK(pair.upper.agreed().time == 300);
    CHECK(pair.upper.agreed().id > 1);
}

TEST_CASE("who is settled may rely on the other one holding the same meeting, whatever was lost") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 0, Purpose::placement, 0);
        Pair pair;
        pair.lower.propose(at(100));
        for (int i = 0; i < 12; ++i) {
            pair.tell(rng.below(3) == 0, rng.below(3) == 0);
            if (pair.lower.settled()) CHECK(pair.upper.agreed() == pair.lower.agreed());
            if (pair.upper.settled()) CHECK(pair.lower.agreed() == pair.upper.agreed());
        }
        for (int i = 0; i < 4; ++i) pair.tell(true, true);
        CHECK(pair.lower.settled());
        CHECK(pair.upper.settled());
    }
}

TEST_CASE("a meeting that was missed is held once more at its backup, and then given up") {
    Pair pair;
    pair.lower.propose(at(100));
    for (int i = 0; i < 4; ++i) pair.tell(true, true);
    for (SectorBorder* border : {&pair.lower, &pair.upper}) {
        border->miss();
        CHECK(border->open());
        CHECK(border->agreed().time == 200);
        CHECK(border->agreed().child_point == Cell{5, 6});
        border->miss();
        CHECK_FALSE(border->open());
    }
    CHECK(pair.lower.may_propose());
}

TEST_CASE("words that are none of a border change nothing") {
    Pair pair;
    for (SectorBorder* border : {&pair.lower, &pair.upper})
        for (const std::vector<std::int64_t>& values :
             {std::vector<std::int64_t>{}, std::vector<std::int64_t>{2, 9}, std::vector<std::int64_t>(5, 0)})
            border->hear(values);
    CHECK_FALSE(pair.lower.open());
    CHECK_FALSE(pair.upper.open());
    CHECK(pair.lower.may_propose());
}

}  // namespace test_sector_border
