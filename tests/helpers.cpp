#include "helpers.hpp"

#include "grid/known_grid.hpp"
#include "outrider/detail/settings.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace outrider {

Grid<std::uint8_t> text_map(const std::vector<std::string>& rows, double cell_m) {
    const auto height = static_cast<int>(rows.size());
    Grid<std::uint8_t> walls(static_cast<int>(rows.at(0).size()), height, 0, Lattice{cell_m});
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < walls.width(); ++x)
            walls[{x, y}] = rows[static_cast<std::size_t>(height - 1 - y)].at(static_cast<std::size_t>(x)) == '#';
    return walls;
}

Cell find_letter(const std::vector<std::string>& rows, char letter) {
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (const std::size_t x = rows[r].find(letter); x != std::string::npos)
            return {static_cast<int>(x), static_cast<int>(rows.size() - 1 - r)};
    return {-1, -1};
}

Scenario text_scenario(const std::vector<std::string>& rows, const std::string& toml, double cell_m) {
    const Lattice lattice{cell_m};
    std::string text = toml;
    const auto entry = [&](const char* kind, char letter) {
        const Cell c = find_letter(rows, letter);
        if (c.x < 0) return;
        const Point p = lattice.centre(c);
        text += fmt::format("\n[[{}]]\nx_m = {}\ny_m = {}\n", kind, to_text(p.x), to_text(p.y));
    };
    entry("base", 'B');
    for (char letter = '1'; letter <= '9'; ++letter) entry("robot", letter);
    Notes notes;
    return make_scenario(parse_config(text, "test"), "test", text_map(rows, cell_m), notes);
}

Grid<std::uint8_t> random_map(int width, int height, std::uint64_t seed, double density) {
    Grid<std::uint8_t> walls(width, height, 0, Lattice{0.1});
    Rng rng(seed, 0, Purpose::placement, 0);
    for (std::uint8_t& cell : walls.cells()) cell = rng.uniform() < density / 2;
    const int lines = static_cast<int>(width * height * density / 2 / 10);
    for (int i = 0; i < lines; ++i) {
        Cell c{static_cast<int>(rng.below(static_cast<std::uint32_t>(width))),
               static_cast<int>(rng.below(static_cast<std::uint32_t>(height)))};
        const Cell d{static_cast<int>(rng.below(3)) - 1, static_cast<int>(rng.below(3)) - 1};
        for (int k = 0; k < 10 && walls.contains(c); ++k, c = c + d) walls[c] = 1;
    }
    return walls;
}

Grid<std::uint8_t> rooms_map(int width, int height, std::uint64_t seed) {
    Grid<std::uint8_t> walls(width, height, 0, Lattice{0.1});
    Rng rng(seed, 1, Purpose::placement, 0);
    const auto between = [&](int low, int high) {
        return low + static_cast<int>(rng.below(static_cast<std::uint32_t>(high - low + 1)));
    };
    const std::function<void(int, int, int, int)> split = [&](int x0, int y0, int x1, int y1) {
        const bool wide = x1 - x0 > y1 - y0;
        const int length = wide ? x1 - x0 : y1 - y0;
        if (length < 70) return;
        const int thick = between(2, 5), at = (wide ? x0 : y0) + between(30, length - 35), door = between(8, 12);
        const int first = wide ? y0 : x0, last = wide ? y1 : x1, gap = between(first + 3, last - door - 3);
        for (int k = first; k < last; ++k)
            for (int t = 0; t < thick; ++t)
                if (k < gap || k >= gap + door) walls[wide ? Cell{at + t, k} : Cell{k, at + t}] = 1;
        split(x0, y0, wide ? at : x1, wide ? y1 : at);
        split(wide ? at + thick : x0, wide ? y0 : at + thick, x1, y1);
    };
    split(0, 0, width, height);
    return walls;
}

KnownMap known_all(const Grid<std::uint8_t>& walls) { return known_grid(walls); }

Outcome run_scenario(const Scenario& scenario, int threads) {
    SimulationOptions options;
    options.threads = threads;
    Simulation sim(scenario, options);
    const EndReason reason = sim.run();
    const StepMetrics& last = sim.metrics().steps().back();
    return {reason, sim.progress().steps, sim.progress().digest, last.team_share, last.base_share};
}

void show(Robot& robot, const MapSnapshot& map) {
    RobotState state = robot.state();
    state.map = map;
    robot.restore(state);
}

void show_all(Robot& robot, const Grid<std::uint8_t>& walls) { show(robot, known_all(walls).snapshot()); }

std::map<std::string, double> summary_of(const Simulation& sim, EndReason end) {
    std::map<std::string, double> out;
    for (const SummaryValue& v : sim.metrics().summary(end, sim.scenario().run.steps))
        if (v.robot < 0) out[std::string(v.metric->name)] = v.value;
    return out;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "outrider-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
}
TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::vector<RayPath> ray_paths() {
    std::vector<RayPath> paths;
    for (const RayPath path : {RayPath::portable, RayPath::avx2, RayPath::avx512})
        if (has_path(path)) paths.push_back(path);
    return paths;
}

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}
std::uintmax_t partial_bytes(const std::string& folder, const std::string& name) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        const std::string file = entry.path().filename().string();
        if (!file.starts_with(name + ".") || !file.ends_with(".partial")) continue;
        const auto bytes = std::filesystem::file_size(entry.path(), none);
        return none ? 0 : bytes;
    }
    return 0;
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace outrider
