#include "batch/leaderboard/submission.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/input.hpp"
#include "base/json.hpp"
#include "base/version.hpp"
#include "batch/compare_sweep.hpp"
#include "batch/sweep_shard.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr int version_of_file = 1;
constexpr std::size_t most_text = 4096;

const std::vector<Protocol>& all_protocols() {
    static const std::vector<Protocol> all{
        {"explore@1",
         "all suites of environments/suites, three starts a map: four robots, walls between radios",
         {"campus-4@1", "cave-6@1", "city-4@1", "fingers-6@1", "forest-6@1", "grid-3@1", "home-6@1", "hospital-6@1",
          "loop-6@1", "maze-6@1", "office-12@1", "open-6@1", "rooms-6@1", "ruin-6@1", "school-6@1", "warehouse-6@1",
          "wrap-6@1"},
         3,
         {},
         {"t99_base", "t90_base", "t99_team", "t90_team", "distance_m"}},
        {"quick@1",
         "two suites, one start a map: to try it out",
         {"home-6@1", "maze-6@1"},
         1,
         {},
         {"t99_base", "t90_base", "t99_team", "t90_team", "distance_m"}},
    };
    return all;
}

/// The value of a key; throws when it is not there or of another kind.
template <class T>
const T& expect(const Json& json, const std::string& key, const std::string& file) {
    const Json* found = json.find(key);
    const T* value = found ? std::get_if<T>(&found->value) : nullptr;
    if (!value) fail("{}: \"{}\" is missing, or of another kind; expected a file of outrider submit", file, key);
    return *value;
}

std::string expect_text(const Json& json, const std::string& key, const std::string& file) {
    const std::string& text = expect<std::string>(json, key, file);
    if (text.size() > most_text) fail("{}: \"{}\" is longer than {} letters", file, key, most_text);
    return text;
}

SubmittedRun read_run(const Json& json, const std::vector<std::string>& names, const std::string& file,
                      std::size_t number) {
    const std::size_t metrics = names.size();
    const Json::Array* cells = json.array();
    const auto wrong = [&](const char* what) { fail("{}: run {}: {}", file, number, what); };
    if (!cells || cells->size() != 3 + metrics) wrong("expected a map, a start, a hash and a value for each metric");
    SubmittedRun run;
    const std::string *map = (*cells)[0].text(), *hash = (*cells)[2].text();
    const double* start = (*cells)[1].number();
    if (!map || !start || !hash || *start != std::floor(*start) || std::abs(*start) > 1e9)
        wrong("its map, start or hash is none");
    run.map = *map;
    run.start = static_cast<std::int64_t>(*start);
    run.steps_hash = *hash;
    for (std::size_t m = 0; m < metrics; ++m) {
        const Json& cell = (*cells)[3 + m];
        const double* value = cell.number();
        if (!value && !std::holds_alternative<std::nullptr_t>(cell.value))
            wrong("a value is neither a number nor null");
        if (value && !(*value >= 0 && can_be(expect_metric(names[m], file), *value)))
            fail("{}: run {}: {} = {}, which no run can have", file, number, names[m], *value);
        run.values.push_back(value ? *value : std::nan(""));
    }
    return run;
}

}  // namespace

std::span<const Protocol> protocols() { return all_protocols(); }

const Protocol& find_protocol(const std::string& name) {
    std::vector<std::string> names;
    for (const Protocol& p : protocols()) {
        if (p.name == name) return p;
        names.push_back(p.name);
    }
    fail("protocol '{}': this program knows {}", name, fmt::join(names, ", "));
}

SweepPlan protocol_plan(const Protocol& protocol, const std::string& strategy) {
    return comparison_plan({strategy}, protocol.suites, protocol.seeds, protocol.metrics, protocol.over,
                           "protocol " + protocol.name);
}

std::string protocol_fingerprint(const Protocol& protocol, const SweepPlan& plan) {
    std::string all = fmt::format("{} {} {}\n", protocol.name, protocol.seeds, fmt::join(protocol.metrics, " "));
    for (const SweepMap& map : plan.maps) all += map.name + " " + map.hash + "\n";
    return fingerprint_of(all);
}

Submission make_submission(const Protocol& protocol, const std::string& strategy, const std::string& title,
                           Results& results) {
    const SweepPlan& plan = results.planned();
    if (results.done() < plan.runs() || results.failed() > 0)
        fail("{} of {} runs are done, {} failed: a submission needs all of them", results.done(), plan.runs(),
             results.failed());
    if (results.mixed()) fail("not all runs were decided by the same program: remove them and begin anew");
    Submission out;
    out.protocol = protocol.name;
    out.protocol_fingerprint = protocol_fingerprint(protocol, plan);
    out.title = title;
    out.strategy = strategy;
    out.program = plan.program;
    Provenance decided;
    for (const Provenance& p : results.provenance()) decided.add(p);
    if (const ProvenancePart* library = decided.find("library", "")) out.library = library->fingerprint;
    out.decided_by = decided.fingerprint();
    out.parts = decided.text();
    out.own = std::any_of(decided.parts.begin(), decided.parts.end(), [](const ProvenancePart& p) { return p.own; });
    std::string columns;
    for (const std::string& m : protocol.metrics) columns += ", " + sql_name(m);
    Statement rows = results.database().prepare(fmt::format("SELECT map, start, {}{} FROM run ORDER BY id",
                                                            steps_hash_column(results.database(), "run"), columns));
    while (rows.step()) {
        SubmittedRun run{plan.maps.at(static_cast<std::size_t>(rows.integer(0))).name,
                         rows.integer(1),
                         std::string(rows.bytes(2)),
                         {}};
        for (std::size_t m = 0; m < protocol.metrics.size(); ++m) {
            const int column = 3 + static_cast<int>(m);
            run.values.push_back(rows.is_null(column) ? std::nan("") : rows.number(column));
        }
        out.runs.push_back(std::move(run));
    }
    return out;
}

std::string to_json(const Submission& s) {
    const Protocol& protocol = find_protocol(s.protocol);
    std::string out = fmt::format(
        "{{\n\"outrider_submission\": {},\n\"protocol\": {},\n\"protocol_fingerprint\": {},\n\"title\": "
        "{},\n\"strategy\": {},\n"
        "\"program\": {},\n\"library\": {},\n\"decided_by\": {},\n\"parts\": {},\n\"own\": {},\n\"columns\": [\"map\", "
        "\"start\", "
        "\"steps_hash\"",
        version_of_file, json_quoted(s.protocol), json_quoted(s.protocol_fingerprint), json_quoted(s.title),
        json_quoted(s.strategy), json_quoted(s.program), json_quoted(s.library), json_quoted(s.decided_by),
        json_quoted(s.parts), s.own);
    for (const std::string& m : protocol.metrics) out += ", " + json_quoted(m);
    out += "],\n\"runs\": [";
    for (const SubmittedRun& run : s.runs) {
        out += fmt::format("{}\n[{}, {}, {}", &run == &s.runs.front() ? "" : ",", json_quoted(run.map), run.start,
                           json_quoted(run.steps_hash));
        for (const double v : run.values) out += std::isnan(v) ? std::string(", null") : fmt::format(", {}", v);
        out += "]";
    }
    return out + "\n]\n}\n";
}

Submission read_submission(const std::string& file) {
    return parse_submission(read_text_file(file, "a submission"), file);
}

Submission parse_submission(std::string_view text, const std::string& file) {
    Json json;
    try {
        json = parse_json(text);
    } catch (const Error& error) {
        fail("{}: {}", file, error.what());
    }
    if (expect<double>(json, "outrider_submission", file) != version_of_file)
        fail("{}: a submission of another version than {}", file, version_of_file);
    Submission s;
    s.file = file;
    s.protocol = expect_text(json, "protocol", file);
    const auto known =
        std::find_if(protocols().begin(), protocols().end(), [&](const Protocol& p) { return p.name == s.protocol; });
    if (known == protocols().end()) fail("{}: the protocol {} is not known to this program", file, s.protocol);
    s.protocol_fingerprint = expect_text(json, "protocol_fingerprint", file);
    s.title = expect_text(json, "title", file);
    s.strategy = expect_text(json, "strategy", file);
    s.program = expect_text(json, "program", file);
    s.library = expect_text(json, "library", file);
    s.decided_by = expect_text(json, "decided_by", file);
    s.parts = expect_text(json, "parts", file);
    s.own = expect<bool>(json, "own", file);
    const auto& runs = expect<Json::Array>(json, "runs", file);
    for (const Json& run : runs) s.runs.push_back(read_run(run, known->metrics, file, s.runs.size()));
    if (s.runs.empty()) fail("{}: it holds no runs", file);
    return s;
}

}  // namespace outrider
