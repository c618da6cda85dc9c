// outrider sweep report, outrider figure
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "base/progress.hpp"
#include "batch/report/report.hpp"
#include "batch/sweep_merge.hpp"
#include "cli/batch/reference_flags.hpp"
#include "cli/batch/sweep_command.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// The file itself; of a folder the merge of its shards, beside them; where nothing can be written, among the temporary
/// files for now.
class MergedResults {
  public:
    explicit MergedResults(const std::string& path) : path_(path) {
        if (!fs::is_directory(path)) return;
        temporary_ = access(path.c_str(), W_OK) != 0;
        if (temporary_) {
            const auto name = [](int k) {
                return fmt::format("{}/outrider-{}-{}.sqlite", fs::temp_directory_path().string(), getpid(), k);
            };
            path_ = taken_.emplace(name).path();
        } else {
            path_ = path + "/results.sqlite";
        }
        merge_sweep(path, read_plan(path), path_, true);
    }
    ~MergedResults() {
        std::error_code ignored;
        if (temporary_) fs::remove(path_, ignored);
    }
    MergedResults(const MergedResults&) = delete;
    MergedResults& operator=(const MergedResults&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
    std::optional<TakenName> taken_;
    bool temporary_ = false;
};

/// A figure needs metrics that the sweep stored; a trend needs those that it tested.
void expect_one_of(const std::vector<std::string>& known, const std::string& metric, const std::string& kind) {
    if (std::find(known.begin(), known.end(), metric) == known.end())
        fail("--metric {}: the sweep has no such values for --kind {}; expected {}", metric, kind,
             fmt::join(known, ", "));
}

/// Runs rsvg-convert; false when it is not installed.
bool convert_to_pdf(const std::string& svg, const std::string& pdf) {
    const pid_t pid = fork();
    if (pid == 0) {
        execlp("rsvg-convert", "rsvg-convert", "--format", "pdf", "--output", pdf.c_str(), "--", svg.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) < 0) throw RunFailure("rsvg-convert cannot be started");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return false;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw RunFailure(fmt::format("{}: rsvg-convert failed", pdf));
    return true;
}

struct ReportFlags {
    std::optional<std::string> results, output;
    ReferenceFlags reference;
    bool pages = false, force = false;
    void fields(Flags& f) {
        f.positional("results", results);
        allow_external(f);
        f("o,output", output, "REPORT.html", "the report");
        reference.fields(f);
        f("pages", pages,
          "make every run again and write a page that plays it, into REPORT-runs; the report links to each");
        f("force", force, "overwrite files that exist");
    }
};

int report_on(const ReportFlags& flags) {
    if (!flags.results || !flags.output)
        fail("expected outrider sweep report DIR -o REPORT.html; DIR or the file of sweep merge");
    const std::string &path = *flags.results, &output = *flags.output;
    flags.reference.options();
    OutputFile(output, flags.force);  // refused before anything is done
    const MergedResults merged(path);
    Results results(merged.path());
    if (results.done() == 0) fail("{}: none of its {} runs is done", path, results.planned().runs());
    const std::string folder = fs::is_directory(path) ? shell_word(path) : std::string("DIR");
    const RunExtras extras{flags.pages ? pages_of(results, output, flags.force) : RunPages{},
                           references_of(results, flags.reference)};
    const std::vector<std::string> written =
        write_report(results, output,
                     {fmt::format("outrider sweep plan {}.toml -o {}   # the sweep, below",
                                  shell_word(file_name(results.plan().name)), folder),
                      fmt::format("outrider sweep run {}", folder),
                      fmt::format("outrider sweep report {} -o {}", folder, shell_word(output))},
                     flags.force, extras);
    print_plain("report {}\n", output);
    print_plain("tables {} and {} more\n", written[0], written.size() - 2);
    if (results.done() == results.planned().runs() && results.failed() == 0) return 0;
    print_aside("outrider: the report is about a part: {} of {} runs are done, {} failed\n", results.done(),
                results.planned().runs(), results.failed());
    return 1;
}

struct FigureFlags {
    std::optional<std::string> results, kind, output;
    std::vector<std::string> metric;
    Defaulted<int> width_mm{180};
    bool force = false;
    void fields(Flags& f) {
        f.positional("results", results);
        allow_external(f);
        f("kind", kind, "KIND", "coverage, time_to, box, profile, trend or tracks");
        f("metric", metric, "NAME", "of time_to, box, profile and trend; may be repeated");
        f("width", width_mm, 40, 400, "MM", "of the figure in millimetres: 88 is one column, 180 two");
        f("o,output", output, "F.svg", "an .svg, or a .pdf by rsvg-convert");
        f("force", force, "overwrite files that exist");
    }
};

/// Throws Error where something is missing or cannot be written, before anything is read.
void expect_figure(const FigureFlags& flags) {
    const std::array<std::string_view, 6> kinds{"coverage", "time_to", "box", "profile", "trend", "tracks"};
    const std::string kind = flags.kind.value_or("");
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
        fail("{}: expected coverage, time_to, box, profile, trend or tracks",
             flags.kind ? "--kind " + kind : "--kind KIND");
    if (!flags.results || !flags.output) fail("expected outrider figure RESULTS --kind {} -o F.svg", kind);
    if (!flags.output->ends_with(".pdf") && !flags.output->ends_with(".svg"))
        fail("{}: expected a name that ends in .svg or .pdf", *flags.output);
    for (const std::string& m : flags.metric) expect_team_metric(m, "--metric");
    OutputFile(*flags.output, flags.force);
}

/// The metrics asked for, or those of the sweep, as far as a figure of this kind can show them.
std::vector<std::string> metrics_of(const FigureFlags& flags, const Results& results) {
    const SweepPlan& plan = results.plan();
    for (const std::string& m : flags.metric)
        expect_one_of(flags.kind == "trend" ? plan.report.metrics : plan.metrics, m, *flags.kind);
    std::vector<std::string> metrics = flags.metric.empty() ? plan.report.metrics : flags.metric;
    if (flags.kind == "time_to") {
        std::erase_if(metrics, [](const std::string& m) { return !is_time_to(m); });
        if (metrics.empty()) fail("--kind time_to: needs a metric such as t90_base");
    }
    return metrics;
}

FigureSet draw_figure(const FigureFlags& flags, Results& results, const Analysis& analysis) {
    const std::string& kind = *flags.kind;
    const int width_mm = flags.width_mm.value;
    const double whole = width_mm / 25.4 * 96, width = width_mm < 120 ? whole : (whole - 8) / 2;
    const std::vector<std::string> metrics = metrics_of(flags, results);
    FigureSet figure = kind == "coverage"  ? coverage_figure(results, analysis, width)
                       : kind == "time_to" ? time_to_figure(results, analysis, metrics, width)
                       : kind == "box"     ? box_figure(results, analysis, metrics, width)
                       : kind == "profile" ? profile_figure(results, analysis, metrics[0], width)
                       : kind == "trend"   ? axis_figure(analysis, results.plan(), metrics, width)
                                           : tracks_figure(results, analysis, 2, width);
    if (figure.panels.empty())
        fail("--kind {}: there is nothing to draw: {}", kind,
             kind == "trend"      ? "no axis of three numbers or more"
             : kind == "coverage" ? "the sweep kept no curves"
             : kind == "tracks"   ? "the results are of another program, or one that --allow-external has to allow"
                                  : "no runs");
    return figure;
}

void write_text(const std::string& path, const std::string& text, bool force) {
    OutputFile file(path, force);
    file.write(text);
    file.commit();
}

void write_pdf(const std::string& path, const std::string& svg) {
    PartialFile pdf(path);
    const PartialFile between(path, ".svg");
    write_text(between.name(), svg, true);
    if (!convert_to_pdf(between.name(), pdf.name()))
        fail("{}: a PDF needs rsvg-convert (Debian: librsvg2-bin); an .svg does not", path);
    pdf.commit(true);
}

int make_figure(const FigureFlags& flags) {
    expect_figure(flags);
    const std::string& output = *flags.output;
    const std::string csv = fs::path(output).replace_extension(".csv").string();
    OutputFile(csv, flags.force);
    const MergedResults merged(*flags.results);
    Results results(merged.path());
    const Analysis analysis = analyse(results);
    const FigureSet figure = draw_figure(flags, results, analysis);
    const std::string svg = svg_file(figure, analysis, flags.width_mm.value);
    if (output.ends_with(".pdf"))
        write_pdf(output, svg);
    else
        write_text(output, svg, flags.force);
    write_text(csv, figure.csv, flags.force);
    print_plain("figure {}, numbers {}\n", output, csv);
    return 0;
}

}  // namespace

RunPages pages_of(Results& results, const std::string& report, bool force) {
    const fs::path path(report);
    const std::string folder = (path.parent_path() / path.stem()).string() + "-runs";
    std::optional<Work> work(std::in_place, terminal_text("writing"));
    const RunPages pages = write_run_pages(
        results, folder, force, [&](std::size_t done, std::size_t of) { work->at(done, of, "pages"); },
        &catch_interrupts());
    work.reset();
    if (pages.empty())
        print_aside("note: no pages: the results are of another program, or one that --allow-external has to allow\n");
    else
        print_plain("pages {} of the runs in {}\n", pages.size(), folder);
    for (const auto& [run, page] : pages)
        if (!page.differs.empty())
            print_aside("note: run {} made again is another one than the results say: {}\n", run, page.differs);
    return pages;
}

Subcommand report_command() {
    return subcommand<ReportFlags, report_on>(
        {"sweep report", "Write a report of a sweep: one HTML file, and its numbers as CSV beside it.\n",
         "[OPTION...] DIR|RESULTS.sqlite -o REPORT.html"},
        "DIR|RESULTS.sqlite -o REPORT.html: figures, tables, verdicts");
}

Subcommand figure_command() {
    return subcommand<FigureFlags, make_figure>(
        {"figure", "Draw one figure of a sweep's results for a paper, with its numbers as CSV beside it.\n",
         "[OPTION...] DIR|RESULTS.sqlite --kind KIND -o F.svg"},
        "a figure of a sweep's results, for a paper");
}

}  // namespace outrider
