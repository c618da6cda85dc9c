// outrider check
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/output.hpp"
#include "cli/arguments.hpp"
#include "run/picture.hpp"
#include "run/sheet.hpp"

namespace outrider {

namespace {

/// A picture sheet of several scenarios.
int check_sheet(const cxxopts::ParseResult& result) {
    const auto path = result["sheet"].as<std::string>();
    const bool force = result.count("force") > 0;
    OutputFile(path, force);
    if (!result.count("scenarios")) fail("--sheet: expected scenarios: outrider check --sheet OUT.png SCENARIO...");
    std::vector<SheetEntry> entries;
    for (const std::string& file : result["scenarios"].as<std::vector<std::string>>()) {
        Notes notes;
        const Scenario s = make_scenario(load_config(file), std::filesystem::path(file).stem().string(),
                                         std::filesystem::path(file).parent_path().string(), notes);
        SheetEntry entry{
            s.name,
            fmt::format("{:.0f} x {:.0f} m", s.walls.width() * s.map.cell_m, s.walls.height() * s.map.cell_m),
            s.walls,
            {}};
        for (std::size_t i = 0; i < s.robots.size(); ++i)
            if (s.robots[i].role == Role::base) entry.bases.push_back(s.start_cell(i));
        entries.push_back(std::move(entry));
    }
    OutputFile file(path, force);
    file.write(encode_png(draw_sheet(entries, std::min(4, static_cast<int>(entries.size())))));
    file.commit();
    fmt::print("sheet {}: {} scenarios\n", path, entries.size());
    return 0;
}

}  // namespace

int check_command(const Arguments& arguments) {
    cxxopts::Options options("outrider check", "Check a scenario or a map, and draw what its robots can reach.\n");
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
        OutputFile file(png, force);
        file.write(encode_png(report.picture));
        file.commit();
        fmt::print("picture {}\n", png);
    }
    return 0;
}

}  // namespace outrider
