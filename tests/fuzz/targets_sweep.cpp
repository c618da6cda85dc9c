// Sweeps: their files, plans, shards and results.
#include <atomic>
#include <filesystem>

#include "base/input.hpp"
#include "batch/leaderboard/submission.hpp"
#include "batch/results.hpp"
#include "batch/sweep_file.hpp"
#include "batch/sweep_merge.hpp"
#include "batch/sweep_worker.hpp"
#include "fuzz/changed_database.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"
#include "outrider/error.hpp"

namespace outrider::fuzz {
namespace {

void read_sweep_file(std::string_view bytes) {
    sample_sweep();  // its maps
    if (bytes.find("family") != std::string_view::npos)
        return;  // drawing maps takes long; `generate` has its own tests
    static const ScratchFile file("any_sweep.toml");
    file.write(bytes);
    const SweepPlan plan = read_sweep(file.path());
    plan_hash(plan);
    SweepRuns(plan).at(0);
}

void read_plan_file(std::string_view bytes) {
    static const ScratchFile file("plan/plan.sqlite");
    file.write(bytes);
    const std::string folder = std::filesystem::path(file.path()).parent_path().string();
    const SweepPlan plan = read_plan(folder);
    plan_hash(plan);
    sweep_status(folder, plan);
    if (plan.runs() > 0) SweepRuns(plan).at(plan.runs() - 1);
}

/// A plan with other values and a hash that fits, worked on.
void work_on_plan(std::string_view bytes) {
    static const ScratchFile file("changed_plan/plan.sqlite");
    static const std::string original = [] {  // that of the sample names another program
        const std::string at = ScratchFile::folder() + "/fresh_plan";
        write_plan(read_sweep(sample_sweep() + "/../sample.toml"), at);
        return read_file(at + "/plan.sqlite", "the sample plan");
    }();
    const std::string folder = std::filesystem::path(file.path()).parent_path().string();
    write_changed(file, original, bytes);
    sign_plan(file.path());
    std::filesystem::remove_all(folder + "/shards");
    const SweepPlan plan = read_plan(folder);
    sweep_status(folder, plan);
    std::atomic<bool> enough{false};
    SweepWork work;
    work.mix = true;
    work.stop = &enough;
    run_sweep(folder, plan, work, [&](const SweepProgress& now) { enough = now.done >= 2; });
    merge_sweep(folder, plan, folder + "/results.sqlite", true);
}

void read_shard(std::string_view bytes) {
    static const SweepPlan plan = read_plan(sample_sweep());
    static const ScratchFile file("shard/shards/0001.sqlite");
    file.write(bytes);
    static const std::string folder = [] {
        const std::string at = ScratchFile::folder() + "/shard";
        std::filesystem::copy_file(sample_sweep() + "/plan.sqlite", at + "/plan.sqlite");
        return at;
    }();
    sweep_status(folder, plan);
    done_run(folder, plan, 1);
    merge_sweep(folder, plan, folder + "/results.sqlite", true);
}

void read_results(std::string_view bytes) {
    static const ScratchFile file("results.sqlite");
    file.write(bytes);
    Results results(file.path());
    for (const std::string& metric : results.plan().metrics) results.metric(metric);
    results.coverage();
    results.failures(20);
    results.repeated();
    if (results.pairs() > 0) results.map_of(results.pairs() - 1);
    results.longest_limit();
}

void read_submitted(std::string_view bytes) {
    const std::string text = to_json(parse_submission(bytes, "any.json"));
    expect(to_json(parse_submission(text, "again.json")) == text,
           "a submission that is written and read again differs");
}

void read_curves(std::string_view bytes) { read_curve(bytes); }

}  // namespace

std::vector<Target> sweep_targets() {
    return {{"sweep", "sweep files (read_sweep)", read_sweep_file, 1024},
            {"plan", "plans of sweeps (read_plan)", read_plan_file, 1 << 15},
            {"plan_tables", "plans with other values, worked on (run_sweep, merge_sweep)", work_on_plan, 512},
            {"shard", "shards (sweep_status, merge_sweep)", read_shard, 1 << 15},
            {"results", "results (Results)", read_results, 1 << 15},
            {"submission", "submissions to leaderboards (parse_submission)", read_submitted, 1024},
            {"curve", "curves of coverage (read_curve)", read_curves, 128}};
}

}  // namespace outrider::fuzz
