// outrider check
#include <cstdio>

#include "base/output.hpp"
#include "cli/arguments.hpp"
#include "run/picture.hpp"

namespace outrider {

int check_command(const Arguments& arguments) {
    cxxopts::Options options("outrider check", "Check a scenario or a map, and draw what its robots can reach.\n");
    add_scenario_options(options);
    options.add_options()("png", "write the picture here", cxxopts::value<std::string>(), "FILE")(
        "force", "overwrite a picture that exists");
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
