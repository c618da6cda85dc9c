#include "log/log_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/image.hpp"
#include "base/input.hpp"
#include "base/version.hpp"
#include "log/log_format.hpp"
#include "log/step_chunk.hpp"
#include "log/tile_codec.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/error.hpp"
#include "scenario/provenance.hpp"
#include "scenario/scenario.hpp"
#include "wire/packing.hpp"
#include "world/ground.hpp"

namespace outrider {
namespace {

constexpr int most_chunk_steps = 4096;  // a writer makes chunks of 64
constexpr double least_cell_m = 1e-4, most_cell_m = 1e4;

const std::string& existing(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) fail("{}", cannot_be_read(path, "the log of a run"));
    return path;
}

/// The bytes of a chunk, whose compressed form has this checksum.
std::string checked(std::string_view blob, std::int64_t crc) {
    if (std::int64_t{checksum(blob)} != crc) fail("its checksum is wrong");
    return unpack(blob);
}

/// What the chunks of a log hold.
struct ChunkLayout {
    std::size_t robots = 0;
    LogLevel level = LogLevel::none;
    Lattice lattice;
    double most_cells = 0;  ///< no robot is farther away than so many
    double sensable = 0;
};

/// The corners of a path that ends at `end`.
void read_path(ByteReader& in, const ChunkLayout& layout, Point end, std::vector<Point>& corners,
               MemoryBudget& budget) {
    const Lattice& lattice = layout.lattice;
    corners.resize(in.size(3));
    budget.take(corners.size() * sizeof(Point), "its paths");
    Cell at = lattice.cell_of(end);
    for (Point& p : corners) {
        if (in.integer() != 0) {
            const int dx = in.whole();
            at = moved(at, {dx, in.whole()});
            p = lattice.centre(at);
        } else {
            p.x = in.number();
            p.y = in.number();
        }
        expect_on_map(lattice, p, layout.most_cells);
    }
}

/// The steps from `first` on that a chunk holds.
LogSteps read_chunk(std::string_view bytes, int first, int last, const ChunkLayout& layout, MemoryBudget& budget) {
    const std::size_t robots = layout.robots;
    LogSteps out;
    ByteReader in(bytes);
    const auto steps = static_cast<std::size_t>(in.within(1, most_chunk_steps));
    if (first < 0 || std::int64_t{first} + static_cast<std::int64_t>(steps) - 1 != last)
        fail("it holds {} steps", steps);
    const auto take = [&](std::size_t of_robot, std::size_t of_step) {
        budget.take(2 * steps * (robots * of_robot + of_step), "its steps");  // twice: while lists grow
    };
    take(0, sizeof(int) + sizeof(Hash128));
    for (std::size_t i = 0; i < steps; ++i) out.steps.push_back(first + static_cast<int>(i));
    std::vector<std::string_view> sections;
    while (!in.at_end()) {
        const std::string_view section = in.text();
        if (std::find(sections.begin(), sections.end(), section) != sections.end())
            fail("it holds the section '{}' twice", section);
        sections.push_back(section);
        if (section == "hash") {
            for (std::size_t i = 0; i < steps; ++i) {
                const auto high = static_cast<std::uint64_t>(in.integer());
                out.hashes.push_back({high, static_cast<std::uint64_t>(in.integer())});
            }
        } else if (section == "robot_hash") {
            take(sizeof(std::uint32_t), sizeof(std::vector<std::uint32_t>));
            for (std::size_t i = 0; i < steps; ++i)
                for (auto& row = out.robot_hashes.emplace_back(robots); std::uint32_t & h : row)
                    h = static_cast<std::uint32_t>(in.integer());
        } else if (section == "metrics") {
            take(0, sizeof(StepMetrics));
            out.metrics.resize(steps);
            const auto column = [&](auto set) {
                std::uint64_t value = 0;  // sums of a damaged log wrap around
                for (std::size_t i = 0; i < steps; ++i) {
                    value += static_cast<std::uint64_t>(in.integer());
                    set(out.metrics[i], static_cast<std::int64_t>(value));
                }
            };
            column([](StepMetrics& r, std::int64_t v) { r.team_cells = v; });
            column([](StepMetrics& r, std::int64_t v) { r.base_cells = v; });
            column([](StepMetrics& r, std::int64_t v) { r.robot_cells_sum = v; });
            column([](StepMetrics& r, std::int64_t v) { r.messages = static_cast<std::uint64_t>(v); });
            column([](StepMetrics& r, std::int64_t v) { r.lost = static_cast<std::uint64_t>(v); });
            column([](StepMetrics& r, std::int64_t v) { r.bytes = static_cast<std::uint64_t>(v); });
            column([](StepMetrics& r, std::int64_t v) { r.components = static_cast<int>(v); });
            column([](StepMetrics& r, std::int64_t v) { r.connected = static_cast<int>(v); });
            column([](StepMetrics& r, std::int64_t v) { r.alive = static_cast<int>(v); });
            for (std::size_t i = 0; i < steps; ++i) {
                StepMetrics& r = out.metrics[i];
                r.distance_m = in.number();
                r.step = out.steps[i];
                if (layout.sensable > 0) {
                    r.team_share = static_cast<double>(r.team_cells) / layout.sensable;
                    r.base_share = static_cast<double>(r.base_cells) / layout.sensable;
                    r.mean_robot_share =
                        static_cast<double>(r.robot_cells_sum) / layout.sensable / static_cast<double>(robots);
                }
            }
        } else if (section == "poses") {
            take(sizeof(Pose), sizeof(std::vector<Pose>));
            for (std::size_t i = 0; i < steps; ++i) {
                auto& row = out.poses.emplace_back(robots);
                for (Pose& p : row) {
                    p.x = in.number();
                    p.y = in.number();
                    p.yaw = in.number();
                    expect_on_map(layout.lattice, p, layout.most_cells);
                }
            }
        } else if (section == "ways") {
            if (out.poses.size() != steps) fail("its paths come without poses");
            take(sizeof(std::vector<Point>), sizeof(std::vector<std::vector<Point>>));
            for (std::size_t i = 0; i < steps; ++i) {
                auto& row = out.paths.emplace_back(robots);
                for (std::size_t r = 0; r < robots; ++r)
                    read_path(in, layout, out.poses[i][r].position(), row[r], budget);
            }
        } else {
            fail("it holds an unknown section '{}'", section);
        }
    }
    const auto expect_section = [&](std::string_view name, bool there, bool expected) {
        if (there != expected) fail("its section '{}' {}", name, there ? "is none of its log's level" : "is missing");
    };
    expect_section("hash", !out.hashes.empty(), true);
    expect_section("metrics", !out.metrics.empty(), true);
    expect_section("poses", !out.poses.empty(), layout.level >= LogLevel::poses);
    expect_section("ways", !out.paths.empty(), layout.level >= LogLevel::full);
    return out;
}

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

LogReader::LogReader(const std::string& path) : db_(existing(path), Database::Mode::read) {
    try {
        Statement id = db_.prepare("PRAGMA application_id");
        id.step();
        if (id.integer(0) != log_application_id) fail("{}: not a log of outrider", path);
        Statement v = db_.prepare("PRAGMA user_version");
        v.step();
        if (v.integer(0) > log_version)
            fail("{}: written by a newer outrider (log version {}, this program reads up to {})", path, v.integer(0),
                 log_version);
        layout_version_ = static_cast<int>(v.integer(0));
        db_.expect_tables({{"meta", "key value"},
                           {"robot", "id name role parent child"},
                           {"event", "step kind robot json"},
                           {"summary", "name robot value"},
                           {"chunk", "first last codec crc blob"}},
                          "a log of outrider");
        Statement meta = db_.prepare(fmt::format("SELECT key, value FROM meta WHERE key NOT IN ({})", packed_keys));
        while (meta.step()) meta_[std::string(meta.bytes(0))] = std::string(meta.bytes(1));
        for (const char* key : {"level", "source", "version"})
            if (!meta_.contains(key)) fail("{}: the log has no '{}'", path, key);
        const auto level = std::find(log_level_names.begin(), log_level_names.end(), meta_["level"]);
        if (level == log_level_names.end()) fail("{}: the log's level '{}' is unknown", path, meta_["level"]);
        level_ = static_cast<LogLevel>(level - log_level_names.begin());
        Statement count = db_.prepare("SELECT count(*) FROM robot");
        count.step();
        robots_ = static_cast<std::size_t>(count.integer(0));
        if (level_ == LogLevel::full)
            db_.expect_tables({{"waist", "first last codec crc hash blob"}, {"tile", "id hash blob"}},
                              "a log of outrider");
    } catch (const RunFailure& failure) {
        fail("{}: not a log of outrider, or a damaged one ({})", path, failure.what());
    }
}

std::optional<double> LogReader::number(const std::string& key, double low, double high) const {
    const auto at = meta_.find(key);
    if (at == meta_.end()) return {};
    const std::string& text = at->second;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high))
        fail("{}: the log's '{}' is damaged: '{}'", db_.path(), key, text);
    return value;
}

LogSteps LogReader::steps() {
    LogSteps out;
    const auto side = [&](const char* key) { return number(key, 1, max_map_side).value_or(max_map_side); };
    const ChunkLayout layout{robots_, level_, Lattice{number("map_cell_m", least_cell_m, most_cell_m).value_or(1)},
                             cells_away(side("map_width"), side("map_height")), number("sensable_cells").value_or(0)};
    MemoryBudget budget(db_.path());
    Statement chunk = db_.prepare("SELECT first, last, crc, blob FROM chunk ORDER BY first");
    while (chunk.step()) try {
            if (!std::in_range<int>(chunk.integer(0)) || !std::in_range<int>(chunk.integer(1)))
                fail("its steps cannot be");
            LogSteps more = read_chunk(checked(chunk.bytes(3), chunk.integer(2)), static_cast<int>(chunk.integer(0)),
                                       static_cast<int>(chunk.integer(1)), layout, budget);
            if (!out.steps.empty() && more.steps.front() <= out.steps.back())
                fail("they begin before the steps before them end");
            if (!out.steps.empty() && more.robot_hashes.empty() != out.robot_hashes.empty())
                fail("its section 'robot_hash' is not as that of other steps");
            append(out.steps, std::move(more.steps));
            append(out.hashes, std::move(more.hashes));
            append(out.robot_hashes, std::move(more.robot_hashes));
            append(out.metrics, std::move(more.metrics));
            append(out.poses, std::move(more.poses));
            append(out.paths, std::move(more.paths));
        } catch (const TooMuchMemory&) {
            throw;
        } catch (const Error& error) {
            out.damaged.push_back(fmt::format("steps {}-{}: {}", chunk.integer(0), chunk.integer(1), error.what()));
        }
    return out;
}

std::optional<std::string> LogReader::unpacked(const std::string& key) {
    Statement row = db_.prepare("SELECT value FROM meta WHERE key = ?");
    if (!row.bind(1, key).step()) return {};
    try {
        // The walls of a map can be all alike; the grid that is made of them is eight times larger.
        return key == "map" ? unpack(row.bytes(0), memory_budget() / 8) : unpack(row.bytes(0));
    } catch (const Error& error) {
        fail("{}: the {} of the log is damaged: {}", db_.path(), key, error.what());
    }
}

std::vector<std::string> LogReader::damaged_parts() {
    std::vector<std::string> out;
    if (level_ != LogLevel::full) return out;
    Statement steps = db_.prepare("SELECT first, last, crc, blob FROM waist ORDER BY first");
    while (steps.step())
        if (std::int64_t{checksum(steps.bytes(3))} != steps.integer(2))
            out.push_back(fmt::format("steps {}-{}, what robots perceived and sent: its checksum is wrong",
                                      steps.integer(0), steps.integer(1)));
    Statement tile = db_.prepare("SELECT id, hash, blob FROM tile ORDER BY id");
    while (tile.step()) try {
            checked_tile(tile.integer(0), tile.bytes(1), tile.bytes(2));
        } catch (const Error& error) {
            out.emplace_back(error.what());
        }
    return out;
}

Scenario LogReader::scenario(const std::vector<Setting>& over) {
    const auto field = [&](const char* key) -> const std::string& {
        const auto at = meta_.find(key);
        if (at == meta_.end()) fail("{}: the log has no '{}'", db_.path(), key);
        return at->second;
    };
    const auto given = [&](const char* key, double low, double high) {
        field(key);
        return *number(key, low, high);
    };
    const int width = static_cast<int>(given("map_width", 1, max_map_side)),
              height = static_cast<int>(given("map_height", 1, max_map_side));
    if (std::int64_t{width} * height > max_map_cells) fail("{}: the map of the log is damaged", db_.path());
    const auto cells = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    expect_affordable(db_.path(), cells + cells / 8, fmt::format("its map of {} x {} cells", width, height));
    Grid<std::uint8_t> walls(width, height, 0, Lattice{given("map_cell_m", least_cell_m, most_cell_m)});
    const std::optional<std::string> bits = unpacked("map");
    if (!bits) fail("{}: the log has no map", db_.path());
    if (bits->size() != (walls.cells().size() + 7) / 8) fail("{}: the map of the log is damaged", db_.path());
    for (std::size_t i = 0; i < walls.cells().size(); ++i) walls.cells()[i] = (*bits)[i / 8] >> (i % 8) & 1;
    const auto layer = [&](const char* name, int least, int most) {
        std::shared_ptr<Grid<std::uint8_t>> out;
        const auto bytes = unpacked(name);
        if (!bytes) return out;
        out = std::make_shared<Grid<std::uint8_t>>(width, height, 0, walls.lattice());
        const auto fits = [&](char c) {
            return int{static_cast<std::uint8_t>(c)} >= least && int{static_cast<std::uint8_t>(c)} <= most;
        };
        if (bytes->size() != out->cells().size() || !std::all_of(bytes->begin(), bytes->end(), fits))
            fail("{}: the {} of the log is damaged", db_.path(), name);
        std::copy(bytes->begin(), bytes->end(), out->cells().begin());
        return out;
    };
    MapLayers layers{layer("plan", 0, static_cast<int>(PlanCell::wall)), layer("ground", Ground::least, Ground::level),
                     layer("glass", 0, 1), nullptr};
    if (const auto bytes = unpacked("height")) {
        auto levels = std::make_shared<Grid<std::uint16_t>>(width, height, 0, walls.lattice());
        if (bytes->size() != 2 * levels->cells().size()) fail("{}: the height of the log is damaged", db_.path());
        const auto byte = [&](std::size_t i) { return unsigned{static_cast<std::uint8_t>((*bytes)[i])}; };
        for (std::size_t i = 0; i < levels->cells().size(); ++i)
            levels->cells()[i] = static_cast<std::uint16_t>(byte(2 * i) | byte(2 * i + 1) << 8);
        layers.height = std::move(levels);
    }
    const auto make = [&](const std::vector<Setting>& laid_over) {
        Notes notes;
        ConfigTable config = parse_config(field("scenario"), db_.path() + " (scenario)");
        for (const Setting& setting : laid_over) config.set(setting);
        Scenario s = make_scenario(std::move(config), "log", walls, notes, layers);
        if (s.robots.size() != robots_)
            fail("{}: the log's table 'robot' has {} rows; its scenario has {} robots", db_.path(), robots_,
                 s.robots.size());
        if (const auto script = unpacked("script"))
            s.script = std::make_shared<const Script>(Script::read(*script, s.robots.size()));
        if (meta_.contains("map_origin_x"))
            s.map_origin = {given("map_origin_x", -1e300, 1e300), given("map_origin_y", -1e300, 1e300),
                            given("map_origin_yaw", -1e300, 1e300)};
        return s;
    };
    Scenario s = make({});
    if (s.hash().hex() != field("scenario_hash"))
        fail(
            "{}: this program ({}) reads another scenario from the log than the one that wrote it ({}); only that one "
            "can "
            "run it again",
            db_.path(), source_id(), field("source"));
    return over.empty() ? s : make(over);
}

Provenance LogReader::provenance() {
    const std::vector<Provenance> all = read_provenance(db_);
    return all.empty() ? Provenance{} : all.front();
}

/// The robot that a row of a table names; none where it stands for the team.
std::optional<Index<Robot>> LogReader::robot_of(const Statement& row, int column, std::string_view table) const {
    const std::int64_t number = row.integer(column);
    if (row.is_integer(column) && number == -1) return {};
    if (!row.is_integer(column)) fail("{}: table '{}': a robot is no whole number", db_.path(), table);
    return Index<Robot>::read(number, robots_, fmt::format("{}: table '{}'", db_.path(), table), "robot");
}

/// The step that a row of the table event names.
int LogReader::step_of(const Statement& row, int column) const {
    const std::int64_t step = row.integer(column);
    if (!row.is_integer(column) || step < 0 || step >= INT32_MAX)
        fail("{}: table 'event': '{}' is no step", db_.path(), row.bytes(column));
    return static_cast<int>(step);
}

std::vector<LogReader::Event> LogReader::events() {
    std::vector<Event> out;
    MemoryBudget budget(db_.path());
    Statement row = db_.prepare("SELECT step, kind, robot, json FROM event ORDER BY step, kind, robot, json");
    while (row.step()) {
        budget.take(2 * sizeof(Event) + row.bytes(1).size() + row.bytes(3).size(), "its events");
        out.push_back(
            {step_of(row, 0), std::string(row.bytes(1)), robot_of(row, 2, "event"), std::string(row.bytes(3))});
    }
    return out;
}

std::vector<OperatorOrder> LogReader::orders() {
    std::vector<OperatorOrder> out;
    MemoryBudget budget(db_.path());
    const Lattice lattice{number("map_cell_m", least_cell_m, most_cell_m).value_or(1)};
    Statement row = db_.prepare("SELECT step, robot, json FROM event WHERE kind = 'operator' ORDER BY rowid");
    while (row.step()) {
        budget.take(2 * sizeof(OperatorOrder) + 2 * row.bytes(2).size(), "its orders");
        OperatorCommand command = read_command(std::string(row.bytes(2)));
        const std::optional<Index<Robot>> robot = robot_of(row, 1, "event");
        if (!robot) fail("{}: table 'event': an order for nobody", db_.path());
        if (command.to >= 0) Index<Robot>::read(command.to, robots_, db_.path() + ": an order", "robot");
        for (const Point& p : command.waypoints) expect_on_map(lattice, p);
        out.push_back({step_of(row, 0), robot->number(), std::move(command)});
    }
    return out;
}

std::vector<LogReader::SummaryRow> LogReader::summary() {
    std::vector<SummaryRow> out;
    MemoryBudget budget(db_.path());
    Statement row = db_.prepare("SELECT name, robot, value FROM summary ORDER BY rowid");
    while (row.step()) {
        budget.take(2 * sizeof(SummaryRow) + row.bytes(0).size(), "its summary");
        const std::string name(row.bytes(0));
        const MetricInfo* metric = find_metric(name);
        if (!row.is_null(2) && !(metric ? can_be(*metric, row.number(2)) : std::isfinite(row.number(2))))
            fail("{}: table 'summary': {} = {}, which no run can have", db_.path(), name, row.number(2));
        out.push_back(
            {name, robot_of(row, 1, "summary"), row.is_null(2) ? std::nullopt : std::optional(row.number(2))});
    }
    return out;
}

Hash128 LogReader::digest() {
    Hasher hasher;
    const auto add_table = [&](std::string_view name, const std::string& query) {
        hasher(name);
        Statement rows = db_.prepare(query);
        while (rows.step())
            for (int c = 0; c < rows.columns(); ++c) {
                if (rows.is_null(c))
                    hasher(std::string_view("null"));
                else if (rows.is_integer(c))
                    hasher(rows.integer(c));
                else if (rows.is_real(c))
                    hasher(rows.number(c));
                else
                    hasher(rows.bytes(c));
            }
    };
    add_table("meta",
              fmt::format("SELECT key, value FROM meta WHERE key NOT IN ('source', {}) ORDER BY key", packed_keys));
    for (const char* part : {"script", "plan", "ground", "glass", "height"})
        if (const auto bytes = unpacked(part)) hasher(std::string_view(*bytes));
    unpacked("map");  // the hash of the scenario says what it was; here it counts that it is whole
    add_table("robot", "SELECT * FROM robot ORDER BY id");
    add_table("event", "SELECT step, kind, robot, json FROM event ORDER BY step, kind, robot, json");
    add_table("summary", "SELECT name, robot, value FROM summary ORDER BY name, robot");
    Statement chunk = db_.prepare("SELECT first, last, crc, blob FROM chunk ORDER BY first");
    while (chunk.step()) try {  // what was stored, not how it was compressed
            hasher(chunk.integer(0))(chunk.integer(1))(std::string_view(checked(chunk.bytes(3), chunk.integer(2))));
        } catch (const Error& error) {
            fail("{}: damaged: steps {}-{}: {}", db_.path(), chunk.integer(0), chunk.integer(1), error.what());
        }
    if (level_ == LogLevel::full) {
        if (const auto damaged = damaged_parts(); !damaged.empty())
            fail("{}: damaged: {}", db_.path(), damaged.front());
        Statement steps = db_.prepare("SELECT first, last, hash FROM waist ORDER BY first");
        while (steps.step()) hasher(steps.integer(0))(steps.integer(1))(steps.bytes(2));
        add_table("tile", "SELECT id, hash FROM tile ORDER BY id");
        if (const auto briefings = unpacked("briefings")) hasher(std::string_view(*briefings));
    }
    return hasher.result();
}

}  // namespace outrider
