#include "features/hazards/scenario.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "features/ground/terrain.hpp"
#include "features/hazards/world.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "scenario/feature.hpp"
#include "scenario/number_lists.hpp"

namespace outrider {

namespace {

/// The runs of an entry in a map of this width. Throws Error.
std::vector<GivenHazard> given_cells(const HazardEntry& hazard, int width) {
    std::vector<GivenHazard> out;
    for (const std::vector<int>& run : read_lists<int>(hazard.cells, 5, hazard.where, "cells", "12 5 3 100 140")) {
        const auto [x, y, length, from, until] = std::array{run[0], run[1], run[2], run[3], run[4]};
        if (length < 1 || from < 0 || (until != -1 && until <= from))
            fail(
                "{}: cells: {} cells from ({}, {}), from step {} until {}; expected at least one cell, and later steps",
                hazard.where, length, x, y, from, until);
        const std::int64_t end = std::min(std::int64_t{width}, std::int64_t{x} + length);
        for (int column = std::max(x, 0); column < end; ++column)
            out.push_back({{column, y}, from, until < 0 ? HazardField::never : until});
    }
    return out;
}

const std::vector<HazardEntry>& hazards_of(const Scenario& s) { return s.lists.get<HazardEntry>(); }

void read_hazards(ConfigTable&, Scenario& s) {
    for (const HazardEntry& h : hazards_of(s)) {
        const bool x = !std::isnan(h.x_m), y = !std::isnan(h.y_m);
        const int given = (x || y) + !h.frames.empty() + !h.cells.empty();
        if (given == 1 && x != y) fail("{}: a hazard needs both x_m and y_m", h.where);
        if (given != 1)
            fail("{}: {} of a place (x_m, y_m), frames and cells; expected one", h.where,
                 given == 0 ? "none" : "several");
        given_cells(h, 0);  // can be read
    }
}

std::string runs_of_frames(const Scenario& s, const HazardEntry& hazard, const std::string& folder) {
    std::error_code error;
    std::vector<std::filesystem::path> images;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".png") images.push_back(entry.path());
    if (images.empty())
        fail("{}: frames: {}: {}; expected a folder of PNG images", hazard.where, folder,
             error ? error.message() : "no image ends in .png");
    std::sort(images.begin(), images.end());
    const auto read_frame = [&](const std::string& path) {
        try {
            return read_layer(s, path);
        } catch (const Error& refused) {
            fail("{}: frames: {}", hazard.where, refused.what());
        }
    };
    Grid<int> shown(s.walls.width(), s.walls.height(), -1, s.walls.lattice()), gone = shown;
    const int count = static_cast<int>(images.size());
    for (int k = 0; k < count; ++k) {
        const Grid<std::uint16_t> image = read_frame(images[static_cast<std::size_t>(k)]);
        for (std::size_t i = 0; i < image.cells().size(); ++i) {
            if (image.cells()[i] >= 32768) continue;
            if (shown.cells()[i] < 0) shown.cells()[i] = k;
            gone.cells()[i] = k;
        }
    }
    std::string runs;
    for (int y = 0; y < shown.height(); ++y)
        for (int x = 0, from = 0; x < shown.width(); x = from) {
            const auto same = [&](Cell c) {
                return shown.get(c, -2) == shown[{x, y}] && gone.get(c, -2) == gone[{x, y}];
            };
            for (from = x; same({from, y});) ++from;
            if (shown[{x, y}] < 0) continue;
            const auto step = [&](int k) { return hazard.at + k * hazard.frame_steps; };
            runs += fmt::format("{}{} {} {} {} {}", runs.empty() ? "" : ", ", x, y, from - x, step(shown[{x, y}]),
                                gone[{x, y}] + 1 < count ? step(gone[{x, y}] + 1) : -1);
        }
    if (runs.empty())
        fail("{}: frames: {}: no image has a dark pixel; dark are the cells that burn", hazard.where, folder);
    return runs;
}

void check_hazards(const Scenario& s) {
    for (const HazardEntry& hazard : hazards_of(s))
        if (!hazard.frames.empty())
            fail(
                "{}: frames = {}: images belong to the map of one scenario file; in sweeps and on generated maps "
                "expected a place",
                hazard.where, toml_quoted(hazard.frames));
        else if (hazard.cells.empty() && s.walls.get(s.walls.lattice().cell_of({hazard.x_m, hazard.y_m}), 1))
            fail("{}: it begins at ({}, {}) m, in a wall or outside of the map; expected a free place", hazard.where,
                 hazard.x_m, hazard.y_m);
}

void load_frames(Scenario& s, const ScenarioFiles& files) {
    for (HazardEntry& hazard : s.lists.edit<HazardEntry>())
        if (!hazard.frames.empty()) {
            hazard.cells = runs_of_frames(s, hazard, files.path(hazard.frames));
            hazard.frames.clear();
        }
}

std::string given_hazards(const Scenario& s) { return hazards_of(s).empty() ? "" : hazards_of(s).front().where; }

std::unique_ptr<WorldPart> make_fire_and_water(const Scenario& s, const World& world) {
    auto field = placed_hazards(s);
    return field ? std::make_unique<FireAndWater>(std::move(field), world.ground(), s.robots.size()) : nullptr;
}

/// How many times a step costs where it burns or is flooded, unless the scenario says so.
constexpr double hazard_cost = 10;

void go_around(const Scenario& s, RobotOptions& options) {
    if (!hazards_of(s).empty()) expect_rough(s, options, hazard_cost);
}

constexpr Exclusion hazard_excludes[] = {{"hazards", "recorded_positions", put_there}};

}  // namespace

bool fire_leaves_walls(const Scenario& s) {
    return std::any_of(hazards_of(s).begin(), hazards_of(s).end(),
                       [](const HazardEntry& h) { return h.kind == HazardKind::fire && h.debris_share > 0; });
}

std::shared_ptr<const HazardField> hazard_field(const Scenario& s) {
    const std::vector<HazardEntry>& entries = hazards_of(s);
    if (entries.empty()) return nullptr;
    std::vector<Hazard> hazards;
    int tolerance = entries.front().tolerance_steps;
    for (const HazardEntry& h : entries) {
        // One of images begins at no single place.
        const Cell from = h.cells.empty() ? s.walls.lattice().cell_of({h.x_m, h.y_m}) : Cell{};
        hazards.push_back({h.kind, from, h.at, h.spread, h.burn_steps, h.debris_share,
                           s.walls.lattice().cell_m / (h.speed_mps * s.run.step_s), h.rise_mps * s.run.step_s,
                           given_cells(h, s.walls.width())});
        tolerance = std::min(tolerance, h.tolerance_steps);
    }
    std::optional<Relief> relief;
    if (s.layers.height) relief.emplace(*s.layers.height, terrain_of(s).top_m());
    return std::make_shared<const HazardField>(s.walls, hazards, s.run.steps, tolerance, s.run.seed,
                                               relief ? &*relief : nullptr);
}

std::shared_ptr<const HazardField> placed_hazards(const Scenario& s) {
    const auto field = hazard_field(s);
    return field ? std::make_shared<const HazardField>(field->placed(Cell{} - s.team_origin())) : nullptr;
}

ScenarioFeature hazards_scenario() {
    return {.list = {"hazard", "each fire and flood", make_list<HazardEntry>},
            .parts = {{"hazards", "hazard = [{kind = 'flood', x_m = 1.05, y_m = 1.05}]", given_hazards}},
            .excludes = hazard_excludes,
            .read = read_hazards,
            .load = load_frames,
            .check = check_hazards,
            .robots = go_around,
            .world = {{Turn::hazards, make_fire_and_water}}};
}

}  // namespace outrider
