#include "live/join/joined_log.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "live/join/joined_run.hpp"
#include "live/join/live_log.hpp"
#include "live/join/step_alignment.hpp"
#include "outrider/error.hpp"
#include "scenario/provenance.hpp"

namespace outrider {
namespace {

using LiveLogs = std::vector<std::unique_ptr<LiveLog>>;

/// The first line in which a text differs from another one.
std::string first_difference(const std::string& text, const std::string& other) {
    std::istringstream lines(text), others(other);
    for (std::string line, there; std::getline(lines, line);)
        if (!std::getline(others, there) || line != there) return fmt::format("'{}' and '{}'", line, there);
    return "one is longer";
}

/// Throws Error unless all are of the same map and team.
void expect_one_team(const LiveLogs& logs) {
    LiveLog& first = *logs.front();
    for (const auto& log : logs) {
        const auto differs = [&](const std::string& key) {
            const auto here = log->log().meta().find(key), there = first.log().meta().find(key);
            return here == log->log().meta().end() || there == first.log().meta().end() ||
                   here->second != there->second;
        };
        if (differs("map_hash") || differs("map_cell_m"))
            fail("{} and {}: are of different maps", first.path(), log->path());
        if (first.team() != log->team())
            fail("{} and {}: are of different teams: {}; and {}", first.path(), log->path(), first.team(), log->team());
    }
}

/// The log that holds each robot; -1: none. Throws Error where two hold the same.
std::vector<int> owners(const LiveLogs& logs) {
    std::vector<int> out(logs.front()->briefings().size(), -1);
    for (std::size_t k = 0; k < logs.size(); ++k)
        for (const RobotId robot : logs[k]->members()) {
            int& owner = out[static_cast<std::size_t>(robot)];
            if (owner >= 0)
                fail("{} and {}: both are logs of {}", logs[static_cast<std::size_t>(owner)]->path(), logs[k]->path(),
                     logs[k]->name(robot));
            owner = static_cast<int>(k);
        }
    return out;
}

/// The scenario of all, in which strategies and the limit of steps are those of each process. Throws Error where they
/// differ in anything else.
Scenario common_scenario(const LiveLogs& logs) {
    Scenario out = logs.front()->scenario();
    for (const auto& log : logs) {
        for (const RobotId robot : log->members()) {
            const auto i = static_cast<std::size_t>(robot);
            out.robots[i].strategy = log->scenario().robots[i].strategy;
        }
        out.run.steps = std::max(out.run.steps, log->scenario().run.steps);
    }
    for (const auto& log : logs) {
        Scenario own = log->scenario();
        own.name = out.name;
        own.run.steps = out.run.steps;
        own.team = out.team;
        for (std::size_t i = 0; i < own.robots.size(); ++i) own.robots[i].strategy = out.robots[i].strategy;
        if (own.resolved() != out.resolved())
            fail("{} and {}: their scenarios differ: {}", logs.front()->path(), log->path(),
                 first_difference(out.resolved(), own.resolved()));
    }
    return out;
}

/// What one log received of a robot of another one. Throws Error where most of it was sent in another mission.
void add_receipts(const LiveLogs& logs, std::size_t receiver, RobotId robot, std::size_t sender,
                  std::vector<Receipt>& out) {
    const LiveLog &from = *logs[sender], &to = *logs[receiver];
    int all = 0, sent = 0;
    for (const Arrival& a : to.arrivals()) {
        if (a.from != robot || a.sent >= from.steps()) continue;  // a log may have been cut off
        ++all;
        if (!from.sent(robot, a.sent, a.mark)) continue;
        ++sent;
        out.push_back({sender, receiver, a.sent, a.received});
    }
    if (2 * sent < all)
        fail(
            "{} and {}: of {} messages of {} in the one, {} are in the other: they are of different missions, or {} "
            "was started again",
            to.path(), from.path(), all, to.name(robot), sent, to.name(robot));
}

std::vector<Receipt> receipts_of(const LiveLogs& logs) {
    const std::vector<int> owner = owners(logs);
    std::vector<Receipt> out;
    for (std::size_t k = 0; k < logs.size(); ++k)
        for (std::size_t i = 0; i < owner.size(); ++i)
            if (owner[i] >= 0 && owner[i] != static_cast<int>(k))
                add_receipts(logs, k, static_cast<RobotId>(i), static_cast<std::size_t>(owner[i]), out);
    std::stable_sort(out.begin(), out.end(),
                     [](const Receipt& a, const Receipt& b) { return a.received < b.received; });
    return out;
}

}  // namespace

LogJoin::LogJoin(const std::vector<std::string>& paths) {
    if (paths.size() < 2) fail("expected the logs of two processes or more");
    for (const std::string& path : paths) logs_.push_back(std::make_unique<LiveLog>(path));
    expect_one_team(logs_);
    for (const auto& log : logs_) log->read();
    std::stable_sort(logs_.begin(), logs_.end(),
                     [](const auto& a, const auto& b) { return a->members().front() < b->members().front(); });
    common_scenario(logs_);
    std::vector<int> steps;
    std::vector<std::string> names;
    for (const auto& log : logs_) {
        steps.push_back(log->steps());
        names.push_back(log->path());
    }
    std::vector<std::vector<int>> at = align_steps(steps, receipts_of(logs_), names);
    for (std::size_t k = 0; k < logs_.size(); ++k)
        parts_.push_back({names[k], logs_[k]->member_names(), std::move(at[k])});
}
LogJoin::~LogJoin() = default;

int LogJoin::steps() const {
    int last = 0;
    for (const Part& part : parts_) last = std::max(last, part.at.back());
    return last + 1;
}

/// What the log says of where it is from.
std::string LogJoin::origin() {
    std::string out;
    for (std::size_t k = 0; k < logs_.size(); ++k)
        out += fmt::format("{}{}: {} steps from step {} on, of the log with the digest {}", k ? "; " : "",
                           parts_[k].robots, parts_[k].steps(), parts_[k].at.front(), logs_[k]->log().digest().hex());
    return out;
}

bool LogJoin::write(const std::string& path, const std::atomic<bool>& interrupted) {
    std::vector<RobotId> logged;
    std::multimap<int, std::string> notes;  // by step of the timeline
    Provenance decided_by;
    EndReason reason = EndReason::interrupted;
    for (std::size_t k = 0; k < logs_.size(); ++k) {
        const std::vector<int>& at = parts_[k].at;
        logged.insert(logged.end(), logs_[k]->members().begin(), logs_[k]->members().end());
        for (auto& [step, text] : logs_[k]->notes())
            notes.emplace(step < std::ssize(at) ? at[static_cast<std::size_t>(step)] : at.back() + 1, text);
        decided_by.add(logs_[k]->log().provenance());
        if (at.back() + 1 == steps()) reason = logs_[k]->end_reason();
        logs_[k]->rewind();
    }
    JoinedRun run(common_scenario(logs_), logs_.front()->briefings(), logged);
    const std::unique_ptr<LogWriter> log = run.make_log(path);
    log->describe("joined", origin());
    std::vector<std::size_t> done(logs_.size());
    for (auto note = notes.begin(); run.steps() < steps() && !interrupted;) {
        for (; note != notes.end() && note->first <= run.steps(); ++note) log->note(note->second);
        run.begin_step();
        for (std::size_t k = 0; k < logs_.size(); ++k) {
            const std::vector<int>& at = parts_[k].at;
            if (done[k] == at.size() || at[done[k]] != run.steps()) continue;
            ++done[k];
            const std::vector<RobotStep>* recorded = logs_[k]->next();
            OUTRIDER_CHECK(recorded != nullptr, ==, true);
            for (const RobotId robot : logs_[k]->members())
                run.take(robot, (*recorded)[static_cast<std::size_t>(robot)]);
        }
        run.end_step(*log);
    }
    const bool whole = run.steps() == steps();
    run.finish(*log, whole ? reason : EndReason::interrupted);
    Database db(path, Database::Mode::create);  // what decided then, not what is here now
    db.run("DELETE FROM provenance");
    write_provenance(db, decided_by);
    return whole;
}

}  // namespace outrider
