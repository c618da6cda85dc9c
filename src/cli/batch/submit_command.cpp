// outrider submit, outrider leaderboard
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "arguments/arguments.hpp"
#include "arguments/own_strategies.hpp"
#include "base/output.hpp"
#include "batch/leaderboard/leaderboard.hpp"
#include "batch/sweep_merge.hpp"
#include "batch/sweep_worker.hpp"
#include "cli/batch/reference_flags.hpp"
#include "cli/batch/sweep_command.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

std::string known_protocols() {
    std::string out;
    for (const Protocol& p : protocols()) out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", p.name, p.about);
    return out;
}

struct SubmitFlags {
    std::optional<std::string> strategy, output, title;
    Defaulted<std::string> protocol{"explore@1"};
    Defaulted<int> jobs{0};
    bool force = false, quiet = false;
    void fields(Flags& f) {
        f.positional("strategy", strategy);
        f("protocol", protocol, "NAME@VERSION", known_protocols());
        f("title", title, "TEXT", "the name on the leaderboard; otherwise the strategy");
        f("o,output", output, "FILE.json",
          "the submission; otherwise STRATEGY.json; its runs are kept in FILE-runs: interrupted, the same command goes "
          "on");
        f("jobs", jobs, 0, 256, "N", "runs at a time; 0: one per core");
        allow_external(f);
        f("force", force, "overwrite a submission that exists");
        f("quiet", quiet, "no progress");
    }
};

int submit(const SubmitFlags& flags) {
    if (!flags.strategy) fail("expected outrider submit STRATEGY");
    const std::string strategy = typed_strategy(*flags.strategy, "submit");
    const std::string output = flags.output.value_or(file_name(strategy) + ".json");
    if (fs::path(output).extension() != ".json") fail("{}: expected a name that ends in .json", output);
    const Protocol& protocol = find_protocol(flags.protocol.value);
    make_strategy(strategy, "submit");
    allow_typed(strategy, "submit");
    OutputFile file(output, flags.force);
    const SweepPlan plan = protocol_plan(protocol, strategy);
    const std::string folder = (fs::path(output).parent_path() / fs::path(output).stem()).string() + "-runs";
    if (fs::exists(folder + "/plan.sqlite") && read_plan(folder).hash != plan.hash)
        fail(
            "{}: holds the runs of another strategy, protocol or program; remove it, or give the submission another "
            "name",
            folder);
    write_plan(plan, folder);
    SweepWork work;
    work.jobs = flags.jobs.value;
    if (const int code = run_sweep_here(folder, plan, work, flags.quiet); code != 0) return code;
    const std::string merged = folder + "/results.sqlite";
    merge_sweep(folder, plan, merged, true);
    Results results(merged);
    const Submission submission = make_submission(protocol, strategy, flags.title.value_or(strategy), results);
    file.write(to_json(submission));
    file.commit();
    print_plain("submission {}: {} runs of {}, decided by {}\n", output, submission.runs.size(), protocol.name,
                submission.decided_by);
    return 0;
}

struct LeaderboardFlags {
    std::optional<std::string> folder, output;
    Defaulted<std::string> protocol{"explore@1"};
    std::optional<int> verify;
    ReferenceFlags reference;
    bool force = false;
    void fields(Flags& f) {
        f.positional("folder", folder);
        f("protocol", protocol, "NAME@VERSION", "which submissions count");
        f("o,output", output, "F.html", "the page; otherwise leaderboard.html in that folder");
        f("verify", verify, 1, 100'000, "N",
          "make N runs of each submission again and say whether they are as submitted");
        reference.fields(f);
        allow_external(f);
        f("force", force, "overwrite a page that exists");
    }
};

ReferenceTimes protocol_references(const LeaderboardFlags& flags) {
    if (!flags.reference.folder) return {};
    const SweepPlan plan = protocol_plan(find_protocol(flags.protocol.value), "stay");
    std::vector<std::int64_t> runs(static_cast<std::size_t>(plan.runs()));
    std::iota(runs.begin(), runs.end(), 0);
    return references_of(plan, runs, flags.reference);
}

int leaderboard(const LeaderboardFlags& flags) {
    if (!flags.folder) fail("expected outrider leaderboard DIR");
    flags.reference.options();
    OutputFile file(flags.output.value_or(*flags.folder + "/leaderboard.html"), flags.force);
    const std::atomic<bool>& interrupted = catch_interrupts();
    const auto check = [&](const Submission& s) {
        return flags.verify ? verify(s, *flags.verify, &interrupted) : Verdict{};
    };
    const Leaderboard board =
        make_leaderboard(*flags.folder, flags.protocol.value, check, [&] { return protocol_references(flags); });
    for (const std::string& why : board.left_out) print_aside("note: left out: {}\n", why);
    int place = 0;
    for (std::size_t k = 0; k < board.standings.size(); ++k) {
        const Standing& s = board.standings[k];
        if (!s.tied) place = static_cast<int>(k) + 1;
        const Verdict& verdict = board.verdict_of(*s.submission);
        print_plain("{:>3}{} {:.3f}  {}{}{}\n", place, s.tied ? "=" : " ", s.score.value, s.submission->title,
                    std::isnan(s.over_plan) ? "" : fmt::format(", {:.2f} x plan", s.over_plan),
                    !flags.verify                              ? ""
                    : verdict.kind == Verdict::Kind::confirmed ? "; as submitted"
                                                               : "; " + verdict.why);
    }
    bool wrong = false;
    for (const Submission& s : board.submissions)
        if (const Verdict& verdict = board.verdict_of(s); verdict.kind == Verdict::Kind::disproved) {
            print_plain("  - no score  {}; {}\n", s.title, verdict.why);
            wrong = true;
        }
    file.write(to_html(board));
    file.commit();
    print_plain("leaderboard {}\n", file.path());
    return wrong ? 1 : 0;
}

}  // namespace

Subcommand submit_command() {
    return subcommand<SubmitFlags, submit>(
        {"submit", "Run a strategy under a frozen protocol and write one file that others can rank and check.\n",
         "[OPTION...] STRATEGY|./FILE.so"},
        "run a strategy under a frozen protocol, for a leaderboard");
}

Subcommand leaderboard_command() {
    return subcommand<LeaderboardFlags, leaderboard>(
        {"leaderboard", "Rank the submissions in a folder on a page; files that are none are named and left out.\n",
         "[OPTION...] DIR"},
        "rank submissions on a page");
}

}  // namespace outrider
