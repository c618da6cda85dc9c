#include "batch/report/run_pages.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "batch/report/figures.hpp"
#include "batch/report/svg.hpp"
#include "batch/table.hpp"
#include "outrider/error.hpp"
#include "player/page.hpp"
#include "player/page_observer.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

bool can_run_again(const Scenario& scenario, const Provenance* then) {
    try {
        expect_programs_allowed(scenario);
    } catch (const Error&) {
        return false;
    }
    return then && changes_since(*then, provenance_of(scenario, then)).empty();
}

namespace {

/// A run that can be made again.
struct Repeatable {
    SweepRun run;
    std::size_t cell, pair;
};

std::vector<Repeatable> repeatable_runs(Results& results) {
    std::vector<Repeatable> out;
    const SweepRuns runs(results.planned());
    for (std::size_t c = 0; c < results.plan().cells.size(); ++c)
        for (std::size_t pair = 0; pair < results.pairs(); ++pair) {
            if (!results.there(c, pair)) continue;
            const SweepRun run = runs.at(results.run_of(c, pair));
            if (can_run_again(sweep_scenario(results.planned(), run.map, run.cell).scenario, results.decided_by(c)))
                out.push_back({run, c, pair});
        }
    return out;
}

/// The page, and the values of the run; none when interrupted.
std::optional<std::pair<std::string, std::vector<SummaryValue>>> page_of(const SweepPlan& plan, const SweepRun& run,
                                                                         const std::atomic<bool>* interrupted) {
    SimulationOptions options;
    options.threads = 1;
    options.overlays = true;
    options.interrupted = interrupted;
    Simulation sim(seeded(sweep_scenario(plan, run.map, run.cell), run.seed), options);
    PlayerRecorder recorder(sim.scenario(), sim.driver().world().walls());
    PageObserver observer(sim, recorder, true);
    sim.add_observer(observer);
    const EndReason end = sim.run();
    if (end == EndReason::interrupted) return {};
    recorder.settle(sim.team());
    const PlayedRun played{recorder, page_caption(sim, end, fmt::format("run {} of the sweep {}", run.id, plan.name))};
    return std::pair(player_page(std::span(&played, 1)), sim.metrics().summary(end, sim.scenario().run.steps));
}

/// The first value that is another one than that of the results.
std::string difference_of(const std::map<std::string, double>& then, const std::vector<SummaryValue>& now) {
    for (const auto& [name, value] : then) {
        const auto at = std::find_if(now.begin(), now.end(),
                                     [&](const SummaryValue& v) { return v.robot < 0 && v.metric->name == name; });
        const double here = at == now.end() ? std::nan("") : at->value;
        if (here == value || (std::isnan(here) && std::isnan(value))) continue;
        const auto text = [](double v) { return std::isnan(v) ? std::string("never reached") : fmt::format("{}", v); };
        return fmt::format("{} is {}, not {}", name, text(here), text(value));
    }
    return {};
}

}  // namespace

RunPages write_run_pages(Results& results, const std::string& folder, bool overwrite,
                         const std::function<void(std::size_t, std::size_t)>& progress,
                         const std::atomic<bool>* interrupted) {
    const std::vector<Repeatable> runs = repeatable_runs(results);
    const std::string link = std::filesystem::path(folder).filename().string();
    std::map<std::string, std::vector<std::vector<double>>> values;
    for (const std::string& name : results.planned().metrics) values[name] = results.metric(name);
    RunPages pages;
    std::mutex mutex;
    const ThreadLimit threads(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
    parallel_for(static_cast<int>(runs.size()), [&](int i) {
        if (interrupted && *interrupted) return;
        const SweepRun& run = runs[static_cast<std::size_t>(i)].run;
        const std::string name = fmt::format("run_{}.html", run.id);
        OutputFile file(folder + "/" + name, overwrite);
        const auto page = page_of(results.planned(), run, interrupted);
        if (!page) return;
        file.write(page->first);
        file.commit();
        std::map<std::string, double> then;
        for (const auto& [metric, table] : values)
            then[metric] = table[runs[static_cast<std::size_t>(i)].cell][runs[static_cast<std::size_t>(i)].pair];
        const std::lock_guard lock(mutex);
        pages[run.id] = {link + "/" + name, difference_of(then, page->second)};
        progress(pages.size(), runs.size());
    });
    return pages;
}

std::string run_link(const RunPages& pages, std::int64_t run) {
    const auto page = pages.find(run);
    return page == pages.end() ? fmt::format("#run{}", run) : page->second.link;
}

namespace {

/// A run's value: a link to its page, or how to make its log.
std::string run_cell(const RunPages& pages, std::int64_t run, const std::string& value) {
    const auto page = pages.find(run);
    if (page == pages.end())
        return fmt::format(
            "<td id='run{0}' title='outrider sweep rerun DIR --run {0} --log-file run_{0}.sqlite'>{1} "
            "<small>{0}</small></td>",
            run, value);
    return fmt::format("<td><a href='{}'>{}</a>{}</td>", escaped(page->second.link), value,
                       page->second.differs.empty() ? "" : " made again: " + escaped(page->second.differs));
}

constexpr std::int64_t most_listed = 2000;

}  // namespace

std::string runs_section(Results& results, const RunPages& pages) {
    const SweepPlan& plan = results.plan();
    if (pages.empty() && results.planned().runs() > most_listed) return "";
    const std::string& metric = plan.report.metrics[0];
    const std::vector<std::vector<double>> values = results.metric(metric);
    std::string out = fmt::format(
        "<h2 id='runs'>Runs</h2>\n<p>{} ({}) of each run{}</p>\n<details{}><summary>{} runs</summary><div "
        "class='wide'><table><tr><th class='l'>map</th><th>start</th>",
        escaped(metric_words(metric)), escaped(metric),
        pages.empty() ? ", with its number N. <code>--pages</code> makes a page of each that plays it; <code>outrider "
                        "sweep rerun DIR --run N --log-file run.sqlite</code>, then <code>outrider view "
                        "run.sqlite</code>, shows one of a sweep."
                      : "; a number opens a page that plays the run.",
        pages.empty() && results.planned().runs() > 60 ? "" : " open", results.done() - results.failed());
    for (const SweepCell& cell : plan.cells) out += "<th>" + escaped(cell.label) + "</th>";
    out += "</tr>\n";
    for (std::size_t pair = 0; pair < results.pairs(); ++pair) {
        std::string row;
        bool any = false;
        for (std::size_t c = 0; c < plan.cells.size(); ++c) {
            any = any || results.there(c, pair);
            const std::string value = std::isnan(values[c][pair]) ? "never" : short_number(values[c][pair]);
            row += results.there(c, pair) ? run_cell(pages, results.run_of(c, pair), value) : "<td></td>";
        }
        if (any)
            out += fmt::format("<tr><td class='l'>{}</td><td>{}</td>{}</tr>\n",
                               escaped(plan.maps[static_cast<std::size_t>(results.map_of(pair))].name), pair + 1, row);
    }
    return out + "</table></div></details>\n";
}

}  // namespace outrider
