// outrider check
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "cli/interrupt.hpp"
#include "pictures/picture.hpp"
#include "pictures/sheet.hpp"
#include "scenario/suite.hpp"

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
    fmt::print("sheet {}: {} maps\n", path, entries.size());
}

/// Every map of a suite: there, unchanged, fit for the team.
std::vector<SheetEntry> check_suite(const Suite& suite) {
    fmt::print("suite {}: {} maps\n", suite.name, suite.maps.size());
    std::vector<SheetEntry> entries;
    for (std::size_t i = 0; i < suite.maps.size(); ++i) {
        Notes notes;
        const Scenario s = suite.scenario(i, notes);
        const CheckReport report = check_scenario(s);
        fmt::print("  {:<28} {:>5} x {:<5} cells {:>12.1f} m2 free, {:.1f} m2 of it cannot be sensed\n",
                   suite.maps[i].file, s.walls.width(), s.walls.height(),
                   static_cast<double>(report.free) * s.map.cell_m * s.map.cell_m,
                   static_cast<double>(report.unseen) * s.map.cell_m * s.map.cell_m);
        std::fflush(stdout);  // stays when the next one is interrupted
        entries.push_back(sheet_entry(s));
    }
    for (const auto& [name, version] : suite.metrics) fmt::print("  metric {}@{}\n", name, version);
    return entries;
}

/// Several scenarios or suites on one sheet.
int check_sheet(const cxxopts::ParseResult& result) {
    namespace fs = std::filesystem;
    const auto path = result["sheet"].as<std::string>();
    const bool force = result.count("force") > 0;
    OutputFile(path, force);
    end_when_interrupted(nothing_written);
    if (!result.count("scenarios")) fail("--sheet: expected scenarios: outrider check --sheet OUT.png SCENARIO...");
    std::vector<SheetEntry> entries;
    for (const std::string& name : result["scenarios"].as<std::vector<std::string>>()) {
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
    write_sheet(path, force, entries);
    return 0;
}

}  // namespace

int check_command(const Arguments& arguments) {
    cxxopts::Options options("outrider check", "Check a scenario, a suite or a map, and draw what robots can reach.\n");
    add_scenario_options(options);
    options.add_options()("png", "write the picture here", cxxopts::value<std::string>(), "FILE")(
        "force", "overwrite a picture that exists");
    if (std::find(arguments.begin(), arguments.end(), "--sheet") != arguments.end()) {
        cxxopts::Options sheet("outrider check --sheet OUT.png", "Draw the maps of several scenarios on one sheet.\n");
        sheet.add_options()("sheet", "picture to write", cxxopts::value<std::string>(), "OUT.png")(
            "scenarios", "", cxxopts::value<std::vector<std::string>>())("force", "overwrite a picture that exists");
        sheet.parse_positional({"scenarios"});
        sheet.positional_help("SCENARIO.toml...");
        const auto result = parse_arguments(sheet, arguments);
        return result ? check_sheet(*result) : 0;
    }
    options.add_options()("sheet",
                          "instead, draw the maps of several scenarios on one sheet: --sheet OUT.png SCENARIO...");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    const bool force = result->count("force") > 0;
    end_when_interrupted("outrider: interrupted; nothing else was checked, and nothing written\n");
    if (result->count("scenario")) {
        const std::string file = file_of((*result)["scenario"].as<std::string>());
        if (ConfigTable config = load_config(file); is_suite(config)) {
            check_suite(make_suite(std::move(config), file));
            return 0;
        }
    }
    Notes notes;
    const Scenario s = scenario_from(*result, notes);
    expect_distinct(*result, {"png"}, {s.map_path});
    const std::string png = result->count("png") ? (*result)["png"].as<std::string>() : std::string();
    if (!png.empty()) OutputFile(png, force);  // noticed before the work when it cannot be written
    const CheckReport report = check_scenario(s);
    const double cell_area = s.map.cell_m * s.map.cell_m;
    const auto line = [&](const char* what, std::size_t cells) {
        fmt::print("{:<28}{:>10} cells {:>12.2f} m2\n", what, cells, static_cast<double>(cells) * cell_area);
    };
    fmt::print("{}: {} x {} cells of {} m, map {}\n", s.name, s.walls.width(), s.walls.height(), s.map.cell_m,
               s.map_path);
    line("free", report.free);
    line("walls", report.walls);
    line("  a robot gets there", report.reached);
    line("  can only be seen", report.only_seen);
    line("  cannot be sensed", report.unseen);
    line("too narrow for the robot", report.narrow);
    for (const RobotEntry& r : s.robots)
        fmt::print("{:<12}{:<10}({:7.2f}, {:7.2f}) m {:7.1f} deg  {}\n", r.name,
                   role_names[static_cast<std::size_t>(r.role)], r.x_m, r.y_m, r.yaw_deg, r.strategy);
    for (const std::string& note : notes) fmt::print("note: {}\n", note);
    fmt::print("scenario hash {}\n", s.hash().hex());
    if (!png.empty()) {
        const std::string bytes = encode_png(report.picture);
        ignore_interrupts();
        OutputFile file(png, force);
        file.write(bytes);
        file.commit();
        fmt::print("picture {}\n", png);
    }
    return 0;
}

}  // namespace outrider
