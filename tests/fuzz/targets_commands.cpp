// Commands that use what an untrusted log or results file holds: with tables of other values.
#include <cstdio>
#include <memory>
#include <utility>

#include "base/input.hpp"
#include "cli/commands.hpp"
#include "fuzz/changed_database.hpp"
#include "fuzz/samples.hpp"
#include "outrider/error.hpp"

namespace outrider::fuzz {
namespace {

/// What commands print goes nowhere meanwhile; sanitizers write to the descriptor, past it.
class Quiet {
  public:
    Quiet() : out_(std::exchange(stdout, nowhere())), error_(std::exchange(stderr, nowhere())) {}
    ~Quiet() {
        stdout = out_;
        stderr = error_;
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

  private:
    static std::FILE* nowhere() {
        static const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/dev/null", "w"), std::fclose);
        return file.get();
    }
    std::FILE *out_, *error_;
};

/// Where one command refuses the file, the next ones read it nevertheless.
void call(const Subcommand& command, const Arguments& words) {
    try {
        const Quiet quiet;
        command.run(command.page, words);
    } catch (const Error&) {
    } catch (const RunFailure&) {
    }
}

std::string scratch(const char* name) { return ScratchFile::folder() + "/" + name; }

void tell(std::string_view bytes) {
    static const ScratchFile file("told.sqlite");
    static const Subcommand log = log_command(), replay = replay_command(), rerun = rerun_command();
    write_changed(file, sample_log(), bytes);
    for (const char* what : {"info", "events", "digest"}) call(log, {what, file.path()});
    call(log, {"info", file.path(), "--json"});
    call(log, {"seek", file.path(), "--count", "3"});
    call(replay, {file.path()});
    call(rerun, {file.path()});
}

void export_as_files(std::string_view bytes) {
    static const ScratchFile file("exported.sqlite");
    static const Subcommand log = log_command(), replay = replay_command();
    write_changed(file, sample_log(), bytes);
    call(log, {"export", file.path(), "-o", scratch("exported"), "--geo", "51.5,-0.1,30", "--force"});
    call(replay, {file.path(), "--png", scratch("pictures"), "--from", "3", "--to", "4", "--force"});
}

void ask_why(std::string_view bytes) {
    static const ScratchFile file("why.sqlite");
    static const Subcommand why = why_command();
    write_changed(file, sample_log(), bytes);
    for (const char* robot : {"0", "1", "2"}) call(why, {file.path(), "--robot", robot, "--step", "5"});
    call(why, {file.path(), "--robot", "r1", "--step", "2", "--png", scratch("why.png"), "--force"});
}

void branch_off(std::string_view bytes) {
    static const ScratchFile file("branched.sqlite");
    static const Subcommand branch = branch_command();
    write_changed(file, sample_log(), bytes);
    const std::string out = scratch("branch.sqlite");
    call(branch, {file.path(), "--step", "2", "--strategy", "stay", "--set", "run.steps=8", "--threads", "1", "--log",
                  "metrics", "-o", out, "--force"});
    call(branch, {file.path(), "--step", "4", "--set", "run.steps=6", "--threads", "1", "-o", out, "--force"});
}

const std::string& sample_results() {
    static const std::string bytes = read_file(sample_sweep() + "/results.sqlite", "the sample results");
    return bytes;
}

void report_on(std::string_view bytes) {
    static const ScratchFile file("reported.sqlite");
    static const Subcommand report = report_command();
    write_changed(file, sample_results(), bytes);
    sign_plan(file.path());
    call(report, {file.path(), "-o", scratch("report.html"), "--force"});
}

void draw_figures(std::string_view bytes) {
    static const ScratchFile file("figures.sqlite");
    static const Subcommand figure = figure_command();
    write_changed(file, sample_results(), bytes);
    sign_plan(file.path());
    for (const char* kind : {"coverage", "time_to", "box", "profile", "trend", "tracks"})
        call(figure, {file.path(), "--kind", kind, "-o", scratch("figure.svg"), "--force"});
}

}  // namespace

std::vector<Target> command_targets() {
    return {{"log_told", "a log with other values: log info, events, digest, seek; replay, rerun", tell, 512},
            {"log_export", "a log with other values: log export, replay --png", export_as_files, 512},
            {"log_why", "a log with other values: why", ask_why, 512},
            {"log_branch", "a log with other values: branch", branch_off, 512},
            {"report", "results with other values: sweep report", report_on, 512},
            {"figures", "results with other values: figure", draw_figures, 512}};
}

}  // namespace outrider::fuzz
