// outrider check
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "outrider/error.hpp"
#include "pictures/picture.hpp"
#include "pictures/sheet.hpp"
#include "scenario/suite.hpp"
#include "world/map_kinds.hpp"

namespace outrider {

namespace {

SheetEntry sheet_entry(const Scenario& s) {
    SheetEntry entry{s.name,
                     fmt::format("{:.0f} x {:.0f} m", s.walls.width() * s.map.cell_m, s.walls.height() * s.map.cell_m),
                     s.walls,
                     {}};
    for (std::size_t i = 0; i < s.robots.size(); ++i)
        if (s.robots[i].role == Role::base) entry.bases.push_back(s.start_cell(i));
    return entry;
}

void write_sheet(const std::string& path, bool force, const std::vector<SheetEntry>& entries) {
    const std::string bytes = encode_png(draw_sheet(entries, std::min(4, static_cast<int>(entries.size()))));
    ignore_interrupts();
    OutputFile file(path, force);
    file.write(bytes);
    file.commit();
    print_plain("sheet {}: {} maps\n", path, entries.size());
}

/// Checks that every map of a suite exists, is unchanged and fits the team.
std::vector<SheetEntry> check_suite(const Suite& suite) {
    print_plain("suite {}: {} maps\n", suite.name, suite.maps.size());
    std::vector<SheetEntry> entries;
    for (std::size_t i = 0; i < suite.maps.size(); ++i) {
        Notes notes;
        const Scenario s = suite.scenario(i, notes);
        const CheckReport report = check_scenario(s, false);
        print_plain("  {:<28} {:>5} x {:<5} cells {:>12.1f} m2 free, {:.1f} m2 of it cannot be sensed\n",
                    suite.maps[i].file, s.walls.width(), s.walls.height(),
                    static_cast<double>(report.free) * s.map.cell_m * s.map.cell_m,
                    static_cast<double>(report.unseen) * s.map.cell_m * s.map.cell_m);
        std::fflush(stdout);  // so that this line stays when the next map is interrupted
        entries.push_back(sheet_entry(s));
    }
    for (const auto& [name, version] : suite.metrics) print_plain("  metric {}@{}\n", name, version);
    return entries;
}

struct SheetFlags {
    std::optional<std::string> sheet;
    std::vector<std::string> scenarios;
    bool force = false;
    void fields(Flags& f) {
        f("sheet", sheet, "OUT.png", "picture to write");
        f.positional("scenarios", scenarios);
        f("force", force, "overwrite a picture that exists");
    }
};

/// Several scenarios or suites on one sheet.
int check_sheet(const SheetFlags& flags) {
    namespace fs = std::filesystem;
    OutputFile(*flags.sheet, flags.force);
    end_when_interrupted(nothing_written);
    if (flags.scenarios.empty()) fail("--sheet: expected scenarios: outrider check --sheet OUT.png SCENARIO...");
    std::vector<SheetEntry> entries;
    for (const std::string& name : flags.scenarios) {
        const std::string file = file_of(name);
        ConfigTable config = load_config(file);
        if (is_suite(config)) {
            for (SheetEntry& entry : check_suite(make_suite(std::move(config), file)))
                entries.push_back(std::move(entry));
            continue;
        }
        Notes notes;
        entries.push_back(sheet_entry(make_scenario(std::move(config), fs::path(file).stem().string(),
                                                    fs::path(file).parent_path().string(), notes)));
    }
    write_sheet(*flags.sheet, flags.force, entries);
    return 0;
}

struct CheckFlags {
    ScenarioFlags scenario;
    std::optional<std::string> png;
    bool force = false, sheet = false;
    void fields(Flags& f) {
        scenario.command = "check";
        scenario.fields(f);
        f("png", png, "FILE", "write the picture here");
        f("force", force, "overwrite a picture that exists");
        f("sheet", sheet, "instead, draw the maps of several scenarios on one sheet: --sheet OUT.png SCENARIO...");
    }
};

/// Prints the report of a suite; false when the arguments name something else.
bool check_as_suite(const ScenarioFlags& flags) {
    if (!flags.scenario) return false;
    const std::string file = file_of(*flags.scenario);
    if (!file.ends_with(".toml") && map_kind(file) != MapKind::none) return false;
    ConfigTable config = load_config(file);
    if (!is_suite(config)) return false;
    check_suite(make_suite(std::move(config), file));
    return true;
}

void print_check(const Scenario& s, const CheckReport& report, const Notes& notes) {
    const double cell_area = s.map.cell_m * s.map.cell_m;
    const auto line = [&](const char* what, std::size_t cells) {
        print_plain("{:<28}{:>10} cells {:>12.2f} m2\n", what, cells, static_cast<double>(cells) * cell_area);
    };
    print_plain("{}: {} x {} cells of {} m, map {}\n", s.name, s.walls.width(), s.walls.height(), s.map.cell_m,
                s.map_path);
    line("free", report.free);
    if (report.in_region) {
        line("  in the region of interest", *report.in_region);
        line("  not to be explored", report.free - *report.in_region);
    }
    line("walls", report.walls);
    line("  a robot gets there", report.reached);
    line("  can only be seen", report.only_seen);
    line("  cannot be sensed", report.unseen);
    line("too narrow for the robot", report.narrow);
    for (const RobotEntry& r : s.robots)
        print_plain("{:<12}{:<10}({:7.2f}, {:7.2f}) m {:7.1f} deg  {}\n", r.name,
                    role_names[static_cast<std::size_t>(r.role)], r.x_m, r.y_m, r.yaw_deg, r.strategy);
    for (const std::string& note : notes) print_plain("note: {}\n", note);
    print_plain("scenario hash {}\n", s.hash().hex());
}

int check(const CheckFlags& flags) {
    end_when_interrupted("outrider: interrupted; nothing else was checked, and nothing written\n");
    if (check_as_suite(flags.scenario)) return 0;
    Notes notes;
    const Scenario s = scenario_from(flags.scenario, notes);
    std::vector<std::string> inputs = flags.scenario.inputs();
    inputs.push_back(s.map_path);
    expect_distinct(flags, {"png"}, inputs);
    if (flags.png) OutputFile(*flags.png, flags.force);  // noticed before the work when it cannot be written
    const CheckReport report = check_scenario(s, flags.png.has_value());
    print_check(s, report, notes);
    if (!flags.png) return 0;
    const std::string bytes = encode_png(report.picture);
    ignore_interrupts();
    OutputFile file(*flags.png, flags.force);
    file.write(bytes);
    file.commit();
    print_plain("picture {}\n", *flags.png);
    return 0;
}

}  // namespace

Subcommand check_sheet_command() {
    return subcommand<SheetFlags, check_sheet>(
        {"check --sheet OUT.png", "Draw the maps of several scenarios on one sheet.\n", "[OPTION...] SCENARIO.toml..."},
        "draw the maps of several scenarios on one sheet");
}

Subcommand check_command() {
    Subcommand check_one = subcommand<CheckFlags, check>(
        {"check", "Check a scenario, a suite or a map, and draw what robots can reach.\n", "[OPTION...] SCENARIO.toml"},
        "check a scenario or a map and draw what a robot can reach");
    check_one.run = [](const HelpPage& page, const Arguments& arguments) {
        const Subcommand other = check_sheet_command();
        if (std::find(arguments.begin(), arguments.end(), "--sheet") != arguments.end())
            return other.run(other.page, arguments);
        CheckFlags flags;
        return parse(page, flags, arguments) ? check(flags) : 0;
    };
    return check_one;
}

}  // namespace outrider
