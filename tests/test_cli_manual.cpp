// What the program says of itself, for other programs: manual page, completion, schema, lists in JSON.
#include <doctest/doctest.h>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/json.hpp"
#include "cli/run_page.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_manual {
namespace {

/// CPU time that a command takes, which has to succeed.
double cpu_s_of(const TemporaryFolder& folder, const std::string& command) {
    const auto used_s = [] {
        rusage u{};
        getrusage(RUSAGE_CHILDREN, &u);
        return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
               1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    };
    const double before_s = used_s();
    REQUIRE(shell_in(folder, command).code == 0);
    return used_s() - before_s;
}

}  // namespace

TEST_CASE("the manual page names each command and flag, and man reads it without a word") {
    const TemporaryFolder folder;
    const std::string page = outrider_in(folder, "help --man").out;
    for (const char* text :
         {".SS outrider run", ".SS outrider sweep plan", "\\fB\\-\\-stop\\-when\\fR", "idle=30", ".SH EXIT STATUS"})
        CHECK(page.find(text) != std::string::npos);
    if (shell_in(folder, "command -v man").code != 0) return;  // says nothing where there is no man
    write_text(folder / "outrider.1", page);
    const ProgramResult read =
        shell_in(folder, "LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z outrider.1 >/dev/null");
    CHECK(read.err == "");
}

TEST_CASE("bash completes commands, parts, flags, choices and strategies") {
    const TemporaryFolder folder;
    write_text(folder / "complete.bash", outrider_in(folder, "help --bash").out);
    const auto completed = [&](const std::string& line) {
        // The words of the line; the last one is to be completed.
        const ProgramResult f = shell_in(
            folder,
            fmt::format(
                "bash -c '. ./complete.bash; COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _outrider; "
                "printf \"%s\\n\" \"${{COMPREPLY[@]}}\"'",
                line));
        CHECK(f.err == "");
        return "\n" + f.out;
    };
    CHECK(completed("outrider comp").find("\ncompare\n") != std::string::npos);
    CHECK(completed("outrider sweep me").find("\nmerge\n") != std::string::npos);
    CHECK(completed("outrider run --stop").find("\n--stop-when\n") != std::string::npos);
    CHECK(completed("outrider run --log me").find("\nmetrics\n") != std::string::npos);
    CHECK(completed("outrider run --strategy min").find("\nminpos\n") != std::string::npos);
    CHECK(completed("outrider sweep run --jo").find("\n--jobs\n") != std::string::npos);
}

TEST_CASE("lists and the schema of scenarios are JSON") {
    const TemporaryFolder folder;
    const Json strategies = parse_json(outrider_in(folder, "strategies nearest minpos --json").out);
    REQUIRE(strategies.array());
    CHECK(strategies.array()->size() == 2);
    CHECK(*strategies.array()->at(0).find("name")->text() == "nearest");
    CHECK(strategies.array()->at(0).find("options")->array()->size() > 1);
    const std::string company = outrider_in(folder, "options --goes-with unknown_starts").out;
    const std::size_t not_with = company.find("does not go with\n");
    CHECK(company.find("  people ") < not_with);
    CHECK(company.find("  plan                nobody knows where on the plan it is\n") > not_with);
    const Json options = parse_json(outrider_in(folder, "options comm --json").out);
    CHECK(*options.array()->at(0).find("section")->text() == "comm");
    const Json metrics = parse_json(outrider_in(folder, "metrics --json").out);
    CHECK(metrics.array()->size() > 50);

    const Json schema = parse_json(outrider_in(folder, "options --schema").out);
    const Json* sections = schema.find("properties");
    REQUIRE(sections);
    const Json* range = sections->find("comm")->find("properties")->find("range_m");
    REQUIRE(range);
    CHECK(*range->find("type")->text() == "number");
    CHECK(sections->find("frontier")->find("properties")->find("kind")->find("enum")->array()->size() == 5);
    REQUIRE(sections->find("robot"));
    CHECK(sections->find("robot")->find("items")->find("properties")->find("strategy"));
    CHECK(sections->find("robot")->find("items")->find("properties")->find("battery"));
    for (const auto& [list, option] : {std::pair("smoke", "density"), {"hazard", "spread"}, {"victim", "path"}})
        CHECK(sections->find(list)->find("items")->find("properties")->find(option));
}

TEST_CASE("summaries and comparisons as JSON hold what the tables say, and nothing else is printed") {
    const TemporaryFolder folder;
    const ProgramResult f = outrider_in(folder, "run small_office --quiet --steps 60 --json --log none --csv rows.csv");
    REQUIRE(f.code == 0);
    const Json run = parse_json(f.out);
    CHECK(*run.find("end")->text() == "step_limit");
    CHECK(*run.find("metrics")->find("steps")->number() == 60);
    CHECK(std::holds_alternative<std::nullptr_t>(run.find("metrics")->find("return_steps")->value));
    CHECK(run.find("robots")->array()->size() > 2);
    const std::string text = outrider_in(folder, "run small_office --quiet --steps 60 --log none").out;
    CHECK(text.find(fmt::format("hash of all steps    {}", *run.find("hash_of_all_steps")->text())) !=
          std::string::npos);

    const ProgramResult compared =
        outrider_in(folder, "compare nearest random_walk --map small_office --seeds 2 --set run.steps=50 --json");
    REQUIRE(compared.code == 0);
    const Json json = parse_json(compared.out);
    REQUIRE(json.find("runs")->array()->size() == 4);
    CHECK(*json.find("runs")->array()->at(3).find("strategy")->text() == "random_walk");
    CHECK(json.find("runs")->array()->at(0).find("distance_m")->number());
}

TEST_CASE("a comparison and a run stand beside plans of a team that knows the map") {
    const TemporaryFolder folder;
    const std::string reference = " --reference plans --seconds 1";
    const ProgramResult compared =
        outrider_in(folder, "compare nearest mresim_greedy --map small_office --seeds 1 --json" + reference);
    REQUIRE(compared.code == 0);
    const Json json = parse_json(compared.out);
    const Json::Array& runs = *json.find("runs")->array();
    REQUIRE(runs.size() == 2);
    for (const Json& run : runs) {
        const double bound = *run.find("t99_team_bound")->number(), plan = *run.find("t99_team_plan")->number();
        CHECK(bound > 0);
        CHECK(bound <= plan);
        CHECK(plan <= *run.find("t99_team")->number());
        CHECK(plan == *runs[0].find("t99_team_plan")->number());
    }
    const std::string text =
        outrider_in(folder, "compare nearest mresim_greedy --map small_office --seeds 1" + reference).out;
    CHECK(text.find(fmt::format("{:.2f} x plan", *runs[1].find("t99_team")->number() /
                                                     *runs[1].find("t99_team_plan")->number())) != std::string::npos);
    const auto files = [&] {
        return std::distance(std::filesystem::directory_iterator(folder / "plans"),
                             std::filesystem::directory_iterator{});
    };
    CHECK(files() == 1);
    const std::string run = outrider_in(folder, "run small_office --quiet --log none" + reference).out;
    CHECK(run.find(" x plan (") != std::string::npos);
    CHECK(run.find(" x the best possible (") != std::string::npos);
    CHECK(files() == 2);  // starts of a comparison are moved
    CHECK(run.find("?") == std::string::npos);
    // So does the page of its log.
    CHECK(outrider_in(folder, "run small_office --quiet --log-file l.sqlite").code == 0);
    LoggedPage page(folder / "l.sqlite");
    page.add_reference(ReferenceFlags{folder / "plans", 1});
    const auto& rows = page.played().caption.summary;
    const auto t99 = std::find_if(rows.begin(), rows.end(), [](const auto& r) { return r.first == "t99_team"; });
    REQUIRE(t99 != rows.end());
    CHECK(t99->second.find(" x plan (") != std::string::npos);
    CHECK(run.find(t99->second) != std::string::npos);
    CHECK(outrider_in(folder, "replay l.sqlite --html log.html" + reference).code == 0);
    CHECK(files() == 2);

    // A report has them, too, and who ranks submissions.
    const ProgramResult reported = outrider_in(
        folder,
        "compare nearest mresim_greedy --map small_office --seeds 1 --metric t99_team --report r.html" + reference);
    REQUIRE(reported.code == 0);
    CHECK(files() == 2);  // the comparison's own
    const std::string html = read_text(folder / "r.html");
    CHECK(html.find("How far from the best possible") != std::string::npos);
    CHECK(html.find(fmt::format(">plan {}<", *runs[0].find("t99_team_plan")->number())) != std::string::npos);
    CHECK(read_text(folder / "r_runs.csv").find(",t90_team_plan,t90_team_bound,t99_team_plan,t99_team_bound\n") !=
          std::string::npos);
    std::istringstream ratios(read_text(folder / "r_reference.csv"));
    std::string row;
    std::getline(ratios, row);
    for (const Json& of : runs) {
        std::getline(ratios, row);
        const double ratio = *of.find("t99_team")->number() / *of.find("t99_team_plan")->number();
        CHECK(row.starts_with(fmt::format("t99_team,,{},1,{},", *of.find("strategy")->text(), ratio)));
    }
    CHECK(outrider_in(folder, "sweep report r-sweep -o s.html" + reference).code == 0);
    CHECK(read_text(folder / "s_reference.csv") == read_text(folder / "r_reference.csv"));

    write_text(folder / "file", "");
    const std::string both = "compare nearest burgard --map small_office ";
    for (const auto& [line, why] : std::vector<std::pair<std::string, std::string>>{
             {both + "--seconds 1", "--seconds: it is the effort for plans"},
             {both + "--reference p --metric distance_m", "expected --metric t99_team or t90_team"},
             {both + "--reference file", "expected a folder for plans"},
             {both + "--reference p --set noise.odometry_share=0.1", "--reference: "},
             {"replay l.sqlite --reference p", "expected --html FILE, too"},
             {"replay l.sqlite --html p.html --seconds 1", "expected --reference FOLDER, too"},
             {"run small_office --reference p --json", "--reference does not go with --json"},
             {"run small_office --reference p --set noise.odometry_share=0.1", "--reference: "}}) {
        CAPTURE(line);
        const ProgramResult refused = outrider_in(folder, line);
        CHECK(refused.code == 2);
        CHECK(refused.err.find(why) != std::string::npos);
    }
    CHECK(!std::filesystem::exists(folder / "p"));
}

TEST_CASE("the autograder gives points for what works, and is not held up by what does not") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "class");
    REQUIRE(outrider_in(folder, "new-strategy anna -o class/anna.cpp").code == 0);
    std::string endless = read_text(folder / "class/anna.cpp");
    const auto replace = [&](const std::string& what, const std::string& with) {
        const std::size_t at = endless.find(what);
        REQUIRE(at != std::string::npos);
        endless.replace(at, what.size(), with);
    };
    replace("OUTRIDER_STRATEGY(\"anna\"", "OUTRIDER_STRATEGY(\"carl\"");
    replace("Rng&) override {", "Rng&) override { for (volatile int i = 0; i < 1;) {}");
    write_text(folder / "class/carl.cpp", endless);
    write_text(folder / "class/bert.cpp", "int x = \"no\";\n");
    const auto link = [&](const std::string& student, const std::string& chosen) {
        write_text(folder / ("class/" + student + ".link"),
                   "file:///page/index.html#place=office&" + chosen + "&seed=3\n");
    };
    link("dora", "strategy=sight_greedy&options=period_steps%3D5");
    link("emil", "strategy=external&options=command%3D%22touch%20here%22");
    link("fred", "strategy=nearest&options=speed%3D9");
    link("gina", "team=4");
    // Who never ends uses up the CPU time of two parts. So it is little here, though enough for who ends, however slow
    // the machine or the build: several times what the longest part takes. What the clock says on a busy machine does
    // not matter: that limit is an hour.
    const double build_s = cpu_s_of(folder, fmt::format("'{}' build-strategy class/carl.cpp", OUTRIDER_PROGRAM));
    const double runs_s = cpu_s_of(
        folder, fmt::format("'{}' submit nearest --title n --protocol quick@1 --quiet -o n.json", OUTRIDER_PROGRAM));
    const int seconds = 1 + static_cast<int>(std::ceil(2 * std::max(build_s, runs_s)));
    const ProgramResult f =
        shell_in(folder, fmt::format("/usr/bin/python3 '{}/tools/grade' class --seconds {} --wall 3600 --outrider '{}'",
                                     OUTRIDER_SOURCE_DIR, seconds, OUTRIDER_PROGRAM));
    CAPTURE(seconds);
    CAPTURE(f.err);
    REQUIRE(f.code == 0);
    const std::string grades = read_text(folder / "class/grades.csv");
    CAPTURE(grades);
    CHECK(grades.find("anna,9.1,") != std::string::npos);
    CHECK(grades.find("bert,0.0,build: ") != std::string::npos);
    // Neither of its parts came to an end of its own.
    const std::size_t carl = grades.find("carl,0.0,");
    REQUIRE(carl != std::string::npos);
    for (const std::string part : {"check", "runs"})
        CHECK(grades.find(part + ": ended by signal", carl) != std::string::npos);
    CHECK(read_text(folder / "class/board.html").find("anna") != std::string::npos);
    const std::size_t dora = grades.find("dora,");
    REQUIRE(dora != std::string::npos);
    CHECK(std::stod(grades.substr(dora + 5)) > 6);
    CHECK(grades.find("% sooner than nearest", dora) < grades.find("emil"));
    CHECK(grades.find("emil,0.0,\"link: expected the address of a page with one of its strategies, not 'external'") !=
          std::string::npos);
    CHECK(grades.find("fred,0.0,\"runs: ") != std::string::npos);
    CHECK(grades.find("gina,0.0,\"link: ") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "here"));
    CHECK(shell_in(folder, "/usr/bin/python3 '" OUTRIDER_SOURCE_DIR "/tools/grade' .").code != 0);
}

TEST_CASE("every scenario of environments/ fits the schema") {
    const TemporaryFolder folder;
    REQUIRE(shell_in(folder, fmt::format("'{}' options --schema > schema.json", OUTRIDER_PROGRAM)).code == 0);
    if (shell_in(folder, "/usr/bin/python3 -c 'import tomllib'").code != 0) return;
    write_text(folder / "fits.py", R"(
import json, pathlib, sys, tomllib

def fits(value, schema, path):
    if "anyOf" in schema:
        return min((fits(value, s, path) for s in schema["anyOf"]), key=len)
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{path}: {value!r} is none of {schema['enum']}"]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
    kind = schema.get("type", "object")
    if not isinstance(value, kinds[kind]) or (isinstance(value, bool) and kind != "boolean"):
        return [f"{path}: {value!r} is no {kind}"]
    wrong = []
    if kind == "array":
        for i, item in enumerate(value):
            wrong += fits(item, schema["items"], f"{path}[{i}]")
    if kind == "object" and "properties" in schema:
        for key, item in value.items():
            if key in schema["properties"]:
                wrong += fits(item, schema["properties"][key], f"{path}.{key}")
            elif schema.get("additionalProperties") is False:
                wrong.append(f"{path}.{key} is not in the schema")
    return wrong

schema = json.load(open("schema.json"))
files = sorted(pathlib.Path(sys.argv[1]).glob("*.toml"))
for file in files:
    for wrong in fits(tomllib.loads(file.read_text()), schema, file.name):
        print(wrong)
print("files", len(files))
)");
    const ProgramResult f = shell_in(folder, "/usr/bin/python3 fits.py '" OUTRIDER_SOURCE_DIR "/environments'");
    CAPTURE(f.err);
    CHECK(f.out.starts_with("files "));
    CHECK(f.out != "files 0\n");
}

}  // namespace test_cli_manual
