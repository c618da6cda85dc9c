// outrider sweep report, outrider figure
#include "cli/report_command.hpp"

#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/output.hpp"
#include "batch/sweep_merge.hpp"
#include "cli/arguments.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// Merged results: the file itself, or what a sweep's folder has so far, merged to DIR/results.sqlite.
std::string results_of(const std::string& path) {
    if (!fs::is_directory(path)) return path;
    const std::string merged = path + "/results.sqlite";
    merge_sweep(path, read_plan(path), merged, true);
    return merged;
}

/// A figure is drawn of metrics that the sweep kept; a trend of those that it tested.
void expect_one_of(const std::vector<std::string>& known, const std::string& metric, const std::string& kind) {
    if (std::find(known.begin(), known.end(), metric) == known.end())
        fail("--metric {}: the sweep has no such values for --kind {}; expected {}", metric, kind,
             fmt::join(known, ", "));
}

/// Runs rsvg-convert; false when it is not installed.
bool convert_to_pdf(const std::string& svg, const std::string& pdf) {
    const pid_t pid = fork();
    if (pid == 0) {
        execlp("rsvg-convert", "rsvg-convert", "--format", "pdf", "--output", pdf.c_str(), svg.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) < 0) throw RunFailure("rsvg-convert cannot be started");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return false;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw RunFailure(fmt::format("{}: rsvg-convert failed", pdf));
    return true;
}

}  // namespace

std::vector<std::string> write_report(Results& results, const std::string& path,
                                      const std::vector<std::string>& commands, bool overwrite) {
    const std::string stem = (fs::path(path).parent_path() / fs::path(path).stem()).string();
    const Report report = make_report(results, commands);
    std::vector<std::string> written;
    const auto write = [&](const std::string& file, const std::string& text) {
        OutputFile out(file, overwrite);
        out.write(text);
        out.commit();
        written.push_back(file);
    };
    for (const auto& [name, csv] : report.tables) write(fmt::format("{}_{}.csv", stem, name), csv);
    write_runs_csv(results, stem + "_runs.csv", overwrite);
    written.push_back(stem + "_runs.csv");
    write(path, report.html);
    return written;
}

int report_command(const Arguments& arguments) {
    cxxopts::Options options("outrider sweep report",
                             "Write a report of a sweep: one HTML file, and its numbers as CSV beside it.\n");
    options.add_options()("results", "", cxxopts::value<std::string>())(
        "o,output", "the report", cxxopts::value<std::string>(), "REPORT.html")("force", "overwrite files that exist");
    options.parse_positional({"results"});
    options.positional_help("DIR|RESULTS.sqlite -o REPORT.html");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("results") || !result->count("output"))
        fail("expected outrider sweep report DIR -o REPORT.html; DIR or the file of sweep merge");
    const auto path = (*result)["results"].as<std::string>(), output = (*result)["output"].as<std::string>();
    OutputFile(output, result->count("force") > 0);  // refused before anything is done
    Results results(results_of(path));
    if (results.done() == 0) fail("{}: none of its {} runs is done", path, results.plan().runs());
    const std::string folder = fs::is_directory(path) ? path : std::string("DIR");
    const std::vector<std::string> written = write_report(
        results, output,
        {fmt::format("outrider sweep plan {}.toml -o {}   # the sweep, below", results.plan().name, folder),
         fmt::format("outrider sweep run {}", folder), fmt::format("outrider sweep report {} -o {}", folder, output)},
        result->count("force") > 0);
    fmt::print("report {}\n", output);
    fmt::print("tables {} and {} more\n", written[0], written.size() - 2);
    if (results.done() == results.plan().runs() && results.failed() == 0) return 0;
    print_aside("outrider: the report is about a part: {} of {} runs are done, {} failed\n", results.done(),
                results.plan().runs(), results.failed());
    return 1;
}

int figure_command(const Arguments& arguments) {
    cxxopts::Options options("outrider figure",
                             "Draw one figure of a sweep's results for a paper, with its numbers as CSV beside it.\n");
    options.add_options()("results", "", cxxopts::value<std::string>())(
        "kind", "coverage, time_to, box, profile, trend or tracks", cxxopts::value<std::string>(), "KIND")(
        "metric", "of time_to, box, profile and trend; may be repeated", cxxopts::value<std::vector<std::string>>(),
        "NAME")("width", "of the figure in millimetres: 88 is one column, 180 two",
                cxxopts::value<std::string>()->default_value("180"),
                "MM")("o,output", "an .svg, or a .pdf by rsvg-convert", cxxopts::value<std::string>(), "F.svg")(
        "force", "overwrite files that exist");
    options.parse_positional({"results"});
    options.positional_help("DIR|RESULTS.sqlite --kind KIND -o F.svg");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    const std::array<std::string, 6> kinds{"coverage", "time_to", "box", "profile", "trend", "tracks"};
    const std::string kind = result->count("kind") ? (*result)["kind"].as<std::string>() : std::string();
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
        fail("--kind {}: expected coverage, time_to, box, profile, trend or tracks", kind);
    if (!result->count("results") || !result->count("output"))
        fail("expected outrider figure RESULTS --kind {} -o F.svg", kind);
    const auto output = (*result)["output"].as<std::string>();
    const bool force = result->count("force") > 0, pdf = output.ends_with(".pdf");
    if (!pdf && !output.ends_with(".svg")) fail("{}: expected a name that ends in .svg or .pdf", output);
    const auto width_mm = static_cast<double>(whole_number(*result, "width", 40, 400).value_or(180));
    OutputFile(output, force);
    const std::string csv = fs::path(output).replace_extension(".csv").string();
    OutputFile(csv, force);

    std::vector<std::string> metrics;
    if (result->count("metric")) metrics = (*result)["metric"].as<std::vector<std::string>>();
    for (const std::string& m : metrics) expect_team_metric(m, "--metric");
    Results results(results_of((*result)["results"].as<std::string>()));
    const SweepPlan& plan = results.plan();
    for (const std::string& m : metrics) expect_one_of(kind == "trend" ? plan.report.metrics : plan.metrics, m, kind);
    const Analysis analysis = analyse(results);
    const double whole = width_mm / 25.4 * 96, width = width_mm < 120 ? whole : (whole - 8) / 2;
    if (metrics.empty()) metrics = plan.report.metrics;
    if (kind == "time_to") {
        std::erase_if(metrics, [](const std::string& m) { return !is_time_to(m); });
        if (metrics.empty()) fail("--kind time_to: needs a metric such as t90_base");
    }
    const FigureSet figure = kind == "coverage"  ? coverage_figure(results, analysis, width)
                             : kind == "time_to" ? time_to_figure(results, analysis, metrics, width)
                             : kind == "box"     ? box_figure(results, analysis, metrics, width)
                             : kind == "profile" ? profile_figure(results, analysis, metrics[0], width)
                             : kind == "trend"   ? axis_figure(analysis, plan, metrics, width)
                                                 : tracks_figure(results, analysis, 2, width);
    if (figure.panels.empty())
        fail("--kind {}: there is nothing to draw: {}", kind,
             kind == "trend"      ? "no axis of three numbers or more"
             : kind == "coverage" ? "the sweep kept no curves"
             : kind == "tracks"   ? "the results are of another program, whose runs this one cannot do again"
                                  : "no runs");
    const std::string svg = svg_file(figure, analysis, width_mm);
    if (pdf) {
        const std::string between = output + ".svg.partial";
        {
            OutputFile file(between, true);
            file.write(svg);
            file.commit();
        }
        const bool there = convert_to_pdf(between, output + ".partial");
        fs::remove(between);
        if (!there) fail("{}: a PDF needs rsvg-convert (Debian: librsvg2-bin); an .svg does not", output);
        fs::rename(output + ".partial", output);
    } else {
        OutputFile file(output, force);
        file.write(svg);
        file.commit();
    }
    OutputFile numbers(csv, force);
    numbers.write(figure.csv);
    numbers.commit();
    fmt::print("figure {}, numbers {}\n", output, csv);
    return 0;
}

}  // namespace outrider
