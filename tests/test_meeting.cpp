// Agreements on meetings and exchanges of roles under any loss of messages.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "helpers.hpp"
#include "outrider/rng.hpp"
#include "role_based/hierarchy.hpp"
#include "role_based/role_news.hpp"
#include "role_based/role_tree.hpp"
#include "shared/meeting.hpp"
#include "shared/topics.hpp"

using namespace outrider;

namespace test_meeting {
namespace {

Meeting meeting(std::int64_t id) { return {id, {1, 2}, {3, 4}, 100, 60, {5, 6}, 170}; }

Briefing team_of(std::vector<TeamMember> members) {
    Briefing briefing;
    briefing.members = std::make_shared<const std::vector<TeamMember>>(std::move(members));
    return briefing;
}

TeamMember member(RobotId id, Role role, RobotId parent = -1, RobotId child = -1) {
    return {id, "r" + std::to_string(id), role, parent, child, role != Role::base, 1, 20};
}

}  // namespace

TEST_CASE("a meeting travels as ten numbers") {
    std::vector<std::int64_t> values{9};
    append(values, meeting(7));
    CHECK(values.size() == 1 + meeting_values);
    CHECK(read_meeting(std::span(values).subspan(1)) == meeting(7));
    const Meeting backup = meeting(7).at_backup();
    CHECK(backup.child_point == Cell{5, 6});
    CHECK(backup.parent_point == Cell{5, 6});
    CHECK(backup.time == 170);
    CHECK(backup.backup_time == 0);
    CHECK(backup.id == 7);
}

TEST_CASE("who leaves an exchange having agreed knows that the other one holds the same meeting") {
    int agreements = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Rng rng(seed, 0, Purpose::strategy, 0);
        const double loss = rng.uniform() * 0.9;
        ParentSide child;
        ChildSide parent;
        child.propose(meeting(1));
        for (int step = 0, next = 2; step < 40; ++step) {
            if (rng.uniform() < 0.1) child.propose(meeting(next++));
            // What each says in this step, heard by the other in the next or not at all.
            const auto proposal = child.proposal();
            const Meeting agreed = child.agreed();
            const std::int64_t held = parent.held();
            if (rng.uniform() >= loss) {
                if (proposal) parent.hear_proposal(*proposal);
                if (parent.hear_agreed(agreed)) CHECK(parent.agreed().id == child.agreed().id);
            }
            if (rng.uniform() >= loss && child.hear(held)) {
                ++agreements;
                // Agreed for the child: the parent holds it, as pending or as agreed.
                CHECK(parent.held() == child.agreed().id);
            }
            CHECK(parent.agreed().id <= child.agreed().id);  // never ahead of the child
        }
        // Undisturbed, three messages settle it.
        if (const auto proposal = child.proposal()) parent.hear_proposal(*proposal);
        child.hear(parent.held());
        parent.hear_agreed(child.agreed());
        CHECK(parent.agreed() == child.agreed());
        CHECK_FALSE(child.proposal());
        CHECK_FALSE(parent.pending());
    }
    CHECK(agreements > 1000);
}

TEST_CASE("a hierarchy follows the briefing, or shares out relays among explorers in chains") {
    // Named parents: base 0 - relay 1 - explorer 2, and explorer 3 alone.
    auto places = make_hierarchy(team_of({member(0, Role::base), member(1, Role::relay, 0),
                                          member(2, Role::explorer, 1), member(3, Role::explorer)}),
                                 1);
    CHECK(places[1] == Place{Role::relay, 0, 2});
    CHECK(places[2] == Place{Role::explorer, 1, -1});
    CHECK(places[3] == Place{Role::explorer, 0, -1});
    // Six robots without roles, two relays each: base - 2 - 1 - 3 and base - 5 - 4 - 6, the nearest relay first.
    std::vector<TeamMember> all{member(0, Role::base)};
    for (RobotId i = 1; i <= 6; ++i) all.push_back(member(i, Role::explorer));
    places = make_hierarchy(team_of(all), 2);
    int explorers = 0;
    for (RobotId i = 1; i <= 6; ++i) {
        const Place& p = places[static_cast<std::size_t>(i)];
        if (p.role != Role::explorer) continue;
        ++explorers;
        const Place& r = places[static_cast<std::size_t>(p.parent)];
        CHECK(r.role == Role::relay);
        CHECK(r.child == i);
        const Place& upper = places[static_cast<std::size_t>(r.parent)];
        CHECK(upper.role == Role::relay);
        CHECK(upper.child == p.parent);
        CHECK(upper.parent == 0);
    }
    CHECK(explorers == 2);
    // One robot explores; two are a pair.
    all.resize(2);
    CHECK(make_hierarchy(team_of(all), 1)[1] == Place{Role::explorer, 0, -1});
    all.push_back(member(2, Role::explorer));
    places = make_hierarchy(team_of(all), 1);
    CHECK(places[1] == Place{Role::relay, 0, 2});
    CHECK(places[2] == Place{Role::explorer, 1, -1});
    // Relays without parents are shared out.
    places = make_hierarchy(team_of({member(0, Role::base), member(1, Role::explorer), member(2, Role::relay)}), 1);
    CHECK(places[2] == Place{Role::relay, 0, 1});
    CHECK(places[1] == Place{Role::explorer, 2, -1});
}

namespace {

/// A team that exchanges roles at random over a radio that loses messages; some die.
struct Swappers {
    std::vector<RoleClaims> robots;
    std::vector<bool> alive;
    std::vector<RoleClaims::Received> said;
    explicit Swappers(int n) {
        for (int i = 0; i < n; ++i) robots.emplace_back(i);
        alive.assign(static_cast<std::size_t>(n), true);
        said.resize(static_cast<std::size_t>(n));
        speak(0);
    }
    void speak(int step) {
        for (std::size_t i = 0; i < robots.size(); ++i) {
            if (!alive[i]) continue;
            said[i] = {static_cast<RobotId>(i), step, robots[i].claims(), {}};
            if (robots[i].offer() && step <= robots[i].offer()->until) said[i].offer = robots[i].offer();
        }
    }
    void step(int now, Rng& rng, double loss, double offers) {
        const auto heard = said;
        for (std::size_t i = 0; i < robots.size(); ++i) {
            if (!alive[i]) continue;
            for (std::size_t j = 0; j < robots.size(); ++j)
                if (i != j && alive[j] && rng.uniform() >= loss) {
                    robots[i].hear(heard[j], now, rng.uniform() < 0.7);
                    if (robots[i].free() && rng.uniform() < offers && heard[j].claims.size() == 1)
                        robots[i].propose(static_cast<RobotId>(j), heard[j].claims[0], now + 5);
                }
        }
        speak(now);
    }
    /// Place -> claims by living robots.
    std::map<RobotId, std::vector<std::pair<std::int64_t, std::size_t>>> claims() const {
        std::map<RobotId, std::vector<std::pair<std::int64_t, std::size_t>>> out;
        for (std::size_t i = 0; i < robots.size(); ++i)
            if (alive[i])
                for (const auto& c : robots[i].claims()) out[c.place].emplace_back(c.epoch, i);
        return out;
    }
};

}  // namespace

TEST_CASE("whatever gets lost, every place has a holder, and an undisturbed exchange leaves exactly one") {
    int swaps = 0, doubts = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        Rng rng(seed, 1, Purpose::strategy, 0);
        const int n = 2 + static_cast<int>(rng.below(4));
        const double loss = rng.uniform() * 0.8;
        Swappers team(n);
        for (int now = 1; now < 60; ++now) {
            team.step(now, rng, loss, 0.05);
            CHECK(team.claims().size() == static_cast<std::size_t>(n));  // never none
            for (const RoleClaims& r : team.robots) doubts += r.in_doubt(now);
        }
        for (int now = 60; now < 72; ++now) team.step(now, rng, 0, 0);
        for (const auto& [place, holders] : team.claims()) CHECK(holders.size() == 1);
        for (std::size_t i = 0; i < team.robots.size(); ++i) {
            CHECK_FALSE(team.robots[i].in_doubt(72));
            swaps += team.robots[i].place() != static_cast<RobotId>(i);
        }
    }
    CHECK(swaps > 300);
    CHECK(doubts > 300);
}

TEST_CASE("a death between the phases of an exchange leaves no place of a living robot without a holder") {
    int deaths_between = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Rng rng(seed, 2, Purpose::strategy, 0);
        Swappers team(4);
        const int dies_at = 2 + static_cast<int>(rng.below(30));
        std::set<RobotId> lost;
        for (int now = 1; now < 60; ++now) {
            if (now == dies_at) {
                const std::size_t victim = rng.below(4);
                for (const auto& c : team.robots[victim].claims()) lost.insert(c.place);
                // What it had been offered and might have been on its way to hold goes with it.
                deaths_between += !team.robots[victim].free();
                for (std::size_t i = 0; i < 4; ++i)
                    if (team.robots[i].offer() && team.robots[i].offer()->to == static_cast<RobotId>(victim))
                        lost.insert(team.robots[i].offer()->give);
                if (team.robots[victim].offer()) lost.insert(team.robots[victim].offer()->take);
                team.alive[victim] = false;
            }
            team.step(now, rng, 0.3, 0.1);
        }
        for (int now = 60; now < 72; ++now) team.step(now, rng, 0, 0);
        const auto claims = team.claims();
        int without = 0;
        for (RobotId place = 0; place < 4; ++place) {
            if (claims.contains(place)) continue;
            ++without;
            CHECK(lost.contains(place));
        }
        CHECK(without <= 1);  // three robots live, and each holds one
        for (std::size_t i = 0; i < 4; ++i)
            if (team.alive[i]) CHECK(team.robots[i].claims().size() >= 1);
    }
    CHECK(deaths_between > 100);
}

TEST_CASE("an offer that ended may still have been accepted: its maker takes part in no other until it knows") {
    RoleClaims a(0), b(1);
    a.propose(1, {1, 0}, 5);
    const RoleClaims::Received offered{0, 4, a.claims(), a.offer()};
    CHECK(b.hear(offered, 5, true) == std::optional<RobotId>(0));  // accepted; the acceptance gets lost
    CHECK(b.place() == 0);
    CHECK(b.claims().size() == 2);
    CHECK(a.in_doubt(6));
    CHECK_FALSE(a.free());
    // Heard much later, it completes the exchange.
    CHECK(a.hear({1, 40, b.claims(), {}}, 41, true) == std::optional<RobotId>(1));
    CHECK(a.place() == 1);
    CHECK(a.free());
    b.hear({0, 41, a.claims(), {}}, 42, true);
    CHECK(b.free());
    CHECK(b.place() == 0);
    // Not accepted: the other one speaks after the end of the offer, and did not take it.
    a.propose(1, b.claims()[0], 50);
    CHECK_FALSE(a.hear({1, 50, b.claims(), {}}, 51, true));
    CHECK_FALSE(a.free());
    a.hear({1, 51, b.claims(), {}}, 52, true);
    CHECK(a.free());
    CHECK(a.place() == 1);
}

TEST_CASE("a damaged offer does not make a robot the base, or nobody; a sound one is accepted") {
    struct Idle final : Strategy {
        Intent choose(const Belief&, Rng&) override { return {}; }
    };
    const auto place_after = [](RobotId given) {
        Briefing b;
        b.self = 1;
        b.members = std::make_shared<const std::vector<TeamMember>>(
            std::vector<TeamMember>{{0, "base", Role::base, -1, -1, false, 0, 20},
                                    {1, "a", Role::explorer, 0, -1, true, 1, 20},
                                    {2, "b", Role::explorer, 0, -1, true, 1, 20}});
        Robot robot(b, {}, std::make_unique<Idle>(), 1);
        RoleTree tree;
        tree.begin(robot.belief(), 1);
        const auto message = std::make_shared<Message>();
        message->from = 2;
        for (RobotId i = 0; i < 3; ++i) {
            TeamRecord record;
            record.robot = i;
            record.frame = b.frame;
            if (i == 2) {
                record.seq = 1;
                record.words = {word_of(RoleNews{{2, 0}, RoleState::explore, {}, 0, 0, {}, {}}),
                                word_of(RoleClaims::Offer{1, given, 1, 5, 100})};
            }
            message->records.push_back(std::move(record));
        }
        Percept percept;
        percept.inbox.push_back({message.get(), true, {}});
        robot.step(percept);
        tree.hear(robot.belief(), {}, true);
        return tree.number();
    };
    CHECK(place_after(2) == 2);
    CHECK(place_after(0) == 1);  // the base's place
    CHECK(place_after(3) == 1);
    CHECK(place_after(-7) == 1);
}

TEST_CASE("what robots say of their places arrives as it was said") {
    const RoleNews news{{3, 8}, RoleState::go_to_child, {-5, 70}, 120, 9, meeting(1), meeting(2)};
    const RoleClaims::Offer offer{2, 3, 4, 9, 77};
    TeamRecord record;
    record.words = {word_of(news), proposal_word(meeting(5)), word_of(offer), Word{topic("odd!"), to_all, {1}}};
    CHECK(role_news(record) == std::vector<RoleNews>{news});
    CHECK(proposal_in(record) == std::optional(meeting(5)));
    CHECK(offer_in(record) == std::optional(offer));
    record.words[0].values.pop_back();
    record.words[1].values.clear();
    record.words[2].values.clear();
    CHECK(role_news(record).empty());
    CHECK_FALSE(proposal_in(record));
    CHECK_FALSE(offer_in(record));
}

TEST_CASE("the strict rule lets explorers exchange only when one of them then tells sooner than the later does now") {
    // The first meets its parent in 40 cells' time, 10 from the base, the second in 100, 30 from the base: 130 at the
    // latest. Exchanged, the first is 90 from the second's meeting (120), the second 125 from the first's (135).
    CHECK(tells_sooner_exchanged({40, 90, 10}, {100, 125, 30}));
    CHECK(tells_sooner_exchanged({100, 125, 30}, {40, 90, 10}));  // whoever is named first
    CHECK_FALSE(tells_sooner_exchanged({40, 100, 10}, {100, 125, 30}));
    CHECK(tells_sooner_exchanged({40, 100, 10}, {100, 119, 30}));
}

}  // namespace test_meeting
