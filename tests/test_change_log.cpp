// Logs of changes and those who follow them.
#include <optional>

#include "helpers.hpp"
#include "outrider/detail/change_log.hpp"

using namespace outrider;

namespace test_change_log {
namespace {

/// What a log says, worked out by brute force: it never forgets anything by itself.
struct Truth {
    std::vector<int> all;  // since the last reset
    int resets = 0;
};
struct Follower {
    ChangeCursor cursor;
    std::optional<std::size_t> seen;  // of Truth::all; none: it has not read yet
    int resets = 0;

    /// Reads, and says whether it had to begin anew although nobody reset the log and it had read it before.
    bool read(const ChangeLog<int>& log, const Truth& truth) {
        const Changes<int> changes = log.since(cursor);
        const bool due = !seen || resets != truth.resets;
        const std::vector<int> told(changes.list.begin(), changes.list.end());
        if (due) {
            CHECK(changes.everything);
        } else if (!changes.everything) {
            CHECK(told == std::vector<int>(truth.all.begin() + static_cast<std::ptrdiff_t>(*seen), truth.all.end()));
        }
        if (changes.everything) CHECK(told.empty());
        seen = truth.all.size();
        resets = truth.resets;
        return changes.everything && !due;
    }
    std::size_t behind(const Truth& truth) const {
        return seen && resets == truth.resets ? truth.all.size() - *seen : 0;
    }
};

}  // namespace

TEST_CASE("each follower hears of every change once, and begins anew only when it was far behind or all was reset") {
    constexpr std::size_t cap = 600, most_at_once = 80;
    int lost = 0, in_full = 0;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 0, Purpose::placement, 0);
        ChangeLog<int> log(cap);
        Truth truth;
        std::vector<Follower> followers;
        for (int step = 0; step < 400; ++step) {
            log.cut();
            if (rng.below(100) == 0) {
                log.reset();
                truth.all.clear();
                ++truth.resets;
            }
            const std::uint64_t before = log.version();
            const auto count = static_cast<std::size_t>(rng.below(most_at_once));
            for (std::size_t i = 0; i < count; ++i) {
                const int change = static_cast<int>(rng.below(1'000'000));
                log.add(change);
                truth.all.push_back(change);
            }
            CHECK(log.version() == before + count);
            switch (rng.below(40)) {
                case 0:
                    followers.emplace_back();
                    break;
                case 1:
                    if (!followers.empty()) followers.pop_back();
                    break;
                case 2:
                    if (!followers.empty()) followers.push_back(followers[0]);  // follows on its own from there
                    break;
                case 3: {  // the log moves; nobody notices
                    ChangeLog<int> moved = std::move(log);
                    log = std::move(moved);
                    break;
                }
                default:
                    break;
            }
            for (std::size_t k = 0; k < followers.size(); ++k) {
                if (rng.below(static_cast<std::uint32_t>(1 + 6 * k)) != 0) continue;  // some read seldom
                const std::size_t behind = followers[k].behind(truth);
                const bool anew = followers[k].read(log, truth);
                if (anew) CHECK(behind > cap / 2);
                if (!anew && behind > 0) ++in_full;
                lost += anew;
            }
            CHECK(log.kept() < cap + most_at_once);
        }
    }
    CHECK(lost > 20);
    CHECK(in_full > 1000);
}

TEST_CASE("a log keeps what the slowest follower has to read, and nothing when nobody follows") {
    ChangeLog<int> log(10'000);
    const auto add = [&](int count) {
        log.cut();
        for (int i = 0; i < count; ++i) log.add(i);
    };
    add(5000);
    CHECK(log.kept() == 0);
    CHECK(log.version() == 5000);
    {
        ChangeCursor fast, slow;
        log.since(fast);
        log.since(slow);
        for (int k = 0; k < 4; ++k) {
            add(1000);
            CHECK(log.since(fast).list.size() == 1000);
        }
        CHECK(log.kept() == 4000);  // for the slow one
        CHECK(log.since(slow).list.size() == 4000);
        add(1);
        CHECK(log.kept() == 1);
        CHECK(log.since(slow).list.size() == 1);
        for (int k = 0; k < 30; ++k) {
            add(1000);
            log.since(fast);
            CHECK(log.kept() <= 10'000);
        }
        CHECK(log.since(slow).everything);
        add(1000);
        CHECK(log.since(slow).list.size() == 1000);
    }
    add(1000);
    add(1000);  // they are gone
    CHECK(log.kept() == 0);
}

TEST_CASE("whoever is beyond the cap no longer holds up the log") {
    ChangeLog<int> log(1000);
    ChangeCursor asleep, awake;
    log.since(asleep);
    log.since(awake);
    for (int i = 0; i < 3000; ++i) {
        log.cut();
        log.add(i);
        CHECK(log.since(awake).list.size() == 1);
    }
    CHECK(log.kept() <= 300);  // and not the half of the cap
    CHECK(log.since(asleep).everything);
    CHECK(log.since(asleep).none());
}

TEST_CASE("a cursor that is read with another log, or with a copy, begins anew there") {
    ChangeLog<int> one(100), two(100);
    ChangeCursor cursor;
    CHECK(one.since(cursor).everything);
    one.add(1);
    CHECK(two.since(cursor).everything);
    two.add(2);
    CHECK(two.since(cursor).list.size() == 1);
    CHECK(one.since(cursor).everything);

    ChangeLog<int> copy = one;
    CHECK(copy.version() == one.version());
    CHECK(copy.since(cursor).everything);
    copy.add(3);
    one.add(4);
    ChangeCursor other = cursor;
    CHECK(copy.since(cursor).list.size() == 1);
    CHECK(copy.since(other).list[0] == 3);
    CHECK(one.version() == copy.version());

    ChangeCursor outlives;
    {
        ChangeLog<int> gone(100);
        gone.since(outlives);
    }
    CHECK(one.since(outlives).everything);
    outlives = {};
    CHECK(one.since(outlives).everything);
}

}  // namespace test_change_log
