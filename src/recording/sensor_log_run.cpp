#include "recording/sensor_log_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <filesystem>

#include "base/image.hpp"
#include "base/progress.hpp"
#include "metrics/metrics.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "scenario/scenario.hpp"
#include "sensor_log/slam_log.hpp"

namespace outrider {
namespace {

/// Where odometry alone puts the robot, as a line of at most so many points.
class OdometryTrack {
  public:
    void add(Point p) {
        if (!points_.empty() && distance(points_.back(), p) < spacing_m_) return;
        points_.push_back(p);
        if (points_.size() < most_points) return;
        for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
        points_.resize((points_.size() + 1) / 2);
        spacing_m_ *= 2;
    }
    const std::vector<Point>& points() const { return points_; }

  private:
    static constexpr std::size_t most_points = 256;
    std::vector<Point> points_;
    double spacing_m_ = 0.2;
};

/// A strategy that shows the track by odometry beside its own reasons.
class WithOdometry final : public Strategy {
  public:
    WithOdometry(std::unique_ptr<Strategy> inner, const SensorLogDriver& driver)
        : inner_(std::move(inner)), driver_(driver) {}
    Intent choose(const Belief& belief, Rng& rng) override {
        Intent intent = inner_->choose(belief, rng);
        const Point here = compose(belief.briefing().start, driver_.odometry()).position();
        track_.add(here);
        std::vector<Point> points = track_.points();
        points.push_back(here);
        intent.overlays.push_back(Overlay::polyline(Overlay::Meaning::other, "odometry", std::move(points)));
        return intent;
    }

  private:
    std::unique_ptr<Strategy> inner_;
    const SensorLogDriver& driver_;
    OdometryTrack track_;
};

/// Cells of the robot's frame, corners included.
struct Surroundings {
    Cell low{0, 0}, high{0, 0};
    std::vector<Cell> free{};  ///< what is known to be so in the end
    void add(Cell c) {
        low = {std::min(low.x, c.x), std::min(low.y, c.y)};
        high = {std::max(high.x, c.x), std::max(high.y, c.y)};
    }
};

std::vector<Robot> robots_of(const SensorLogDriver& driver, RobotOptions options, const std::string& strategy,
                             std::uint64_t seed, bool logged) {
    Briefing briefing = driver.briefing(recorded_cell_m);
    if (logged) briefing.start = {recorded_cell_m / 2, recorded_cell_m / 2, 0};  // as robots of scenarios start
    std::unique_ptr<Strategy> decides = make_strategy(strategy, "--strategy", recorded_cell_m);
    if (logged) {  // what reads the log takes these from its scenario
        if (options.slam.method != SlamMethod::known) options.mapping.error_cells = pose_error_cells(recorded_cell_m);
        options.submaps = options.slam.past_moves();
    }
    if (logged) decides = std::make_unique<WithOdometry>(std::move(decides), driver);
    std::vector<Robot> team;
    team.emplace_back(briefing, options, std::move(decides), seed);
    team[0].want_overlays(logged);
    return team;
}

/// All that the robot knows or crosses: what matching scans draws does not depend on the strategy.
Surroundings surroundings(const SensorLog& recording, const RobotOptions& options,
                          const std::atomic<bool>& interrupted) {
    SensorLogDriver driver(recording);
    std::vector<Robot> team = robots_of(driver, options, "stay", 1, true);
    Run run{driver, team, {}, {}};
    run.limits.steps = INT_MAX;
    const Lattice lattice{recorded_cell_m};
    Surroundings out;
    Work work(terminal_text("{}: how large it is", recording.path));
    while (!interrupted && step(run) != EndReason::log_ended) {
        out.add(lattice.cell_of(team[0].belief().pose().position()));
        work.at(static_cast<std::size_t>(run.steps), recording.scans.size(), "scans");
    }
    team[0].map().cells().for_each([&](TileCoord t, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (int column = 0; column < tile_size; ++column) {
                const Cell c = cell_of(t, column, row);
                if (!tile.known.test(c)) continue;
                out.add(c);
                if (!tile.occupied.test(c)) out.free.push_back(c);
            }
    });
    return out;
}

/// One robot in an empty rectangle of that size.
Scenario scenario_of(const SensorLog& recording, const RecordedOptions& options, const Surroundings& box,
                     double step_s) {
    constexpr int margin = 10;
    const std::int64_t width = std::int64_t{box.high.x} - box.low.x + 1 + 2 * margin,
                       height = std::int64_t{box.high.y} - box.low.y + 1 + 2 * margin;
    if (width > max_map_side || height > max_map_side || width * height > max_map_cells)
        fail(
            "{}: the robot comes to know {:.0f} x {:.0f} m, too much for a log; slam.method = none takes odometry as "
            "it is, --range M shortens the scans",
            recording.path, static_cast<double>(width) * recorded_cell_m,
            static_cast<double>(height) * recorded_cell_m);
    ConfigTable config;
    const auto set = [&](const char* key, decltype(Setting::value) value) {
        config.set({key, std::move(value), recording.path});
    };
    set("team.robots", std::int64_t{1});
    set("team.bases", std::int64_t{0});
    set("team.strategy", options.strategy);
    set("run.seed", static_cast<std::int64_t>(options.seed));
    set("run.step_s", std::clamp(step_s, 0.001, 3600.0));
    set("run.steps", std::clamp<std::int64_t>(std::ssize(recording.scans), 1, 10'000'000));
    set("body.kinematics", std::string("diff_drive"));
    set("slam.method", std::string("scan_match"));
    for (const Setting& setting : options.slam) config.set(setting);
    ConfigTable robot;
    robot.where = recording.path;
    robot.set({"name", std::string("robot"), recording.path});
    robot.set({"x_m", (margin - box.low.x + 0.5) * recorded_cell_m, recording.path});
    robot.set({"y_m", (margin - box.low.y + 0.5) * recorded_cell_m, recording.path});
    config.arrays.emplace_back("robot", std::vector<ConfigTable>{robot});
    Notes notes;
    const Grid<std::uint8_t> empty(static_cast<int>(width), static_cast<int>(height), 0, Lattice{recorded_cell_m});
    return make_scenario(std::move(config), std::filesystem::path(recording.path).filename().string(), empty, notes);
}

/// What the robot knows to be free in the end, by cell of the team's frame: its shares in the log are of that.
Grid<std::uint8_t> free_cells(const Scenario& scenario, const Surroundings& box) {
    Grid<std::uint8_t> cells(scenario.walls.width(), scenario.walls.height(), 0, scenario.walls.lattice(),
                             Cell{} - scenario.team_origin());
    for (const Cell c : box.free) cells[c] = 1;
    return cells;
}

/// Puts the robot of the world where it believes to be.
class Shown final : public Observer {
  public:
    explicit Shown(SimDriver& world) : world_(world) {}
    void on_step(const StepView& view) override {
        const std::optional<Pose> pose = view.team[0].belief().pose();
        world_.show({&pose, 1}, {});
    }

  private:
    SimDriver& world_;
};

/// The log and what it is written from.
struct Logging {
    Logging(Scenario s, const Surroundings& box, const SensorLog& recording, std::span<const Robot> team,
            const std::string& path)
        : scenario(std::move(s)),
          briefings{team[0].belief().briefing()},
          world(make_driver(scenario)),
          shown(*world),
          sensable(free_cells(scenario, box)),
          metrics(*world, team, sensable),
          log(path, LogLevel::full, scenario, briefings, *world, metrics) {
        log.describe("recording", fmt::format("{}; the poses are where its scans put the robot", recording.path));
        for (std::size_t k = 0; k < recording.notes.size(); ++k) log.note(recording.notes[k]);
    }
    const Scenario scenario;
    const std::vector<Briefing> briefings;
    const std::unique_ptr<SimDriver> world;
    Shown shown;
    const Grid<std::uint8_t> sensable;
    Metrics metrics;
    LogWriter log;
};

}  // namespace

RobotOptions robot_options(const RecordedOptions& options) {
    RobotOptions out;
    out.slam.method = SlamMethod::scan_match;
    std::vector<Setting> settings = options.slam;
    for (Setting& s : settings) {
        if (!s.key.starts_with("slam."))
            fail("--set {}: with the log of a real robot, expected an option of [slam]", s.key);
        s.key.erase(0, 5);
    }
    SettingReader reader(settings, "slam.");
    out.slam.fields(reader);
    reader.expect_all_used();
    if (out.slam.method != SlamMethod::localise) return out;
    if (out.slam.map.empty()) fail("--set slam.method=localise: expected slam.map = FILE, too");
    out.given_map = std::make_shared<const Grid<std::uint8_t>>(read_given_map(out.slam.map, out.slam.cell_m));
    return out;
}

struct SensorLogRun::Parts {
    Parts(const SensorLog& recording, const RecordedOptions& options, const std::string& log_path,
          const std::atomic<bool>& interrupted)
        : driver(recording),
          team(robots_of(driver, robot_options(options), options.strategy, options.seed, !log_path.empty())),
          run{driver, team, {}, {}} {
        run.limits.steps = INT_MAX;
        if (log_path.empty()) return;
        const Surroundings box = surroundings(recording, robot_options(options), interrupted);
        logging = std::make_unique<Logging>(scenario_of(recording, options, box, team[0].belief().briefing().step_s),
                                            box, recording, team, log_path);
        run.observers = {&logging->shown, &logging->metrics, &logging->log};
    }
    SensorLogDriver driver;
    std::vector<Robot> team;
    Run run;
    bool whole = false;
    std::unique_ptr<Logging> logging;  // none: no log
};

SensorLogRun::SensorLogRun(const SensorLog& recording, const RecordedOptions& options, const std::string& log_path,
                           const std::atomic<bool>& interrupted)
    : parts_(std::make_unique<Parts>(recording, options, log_path, interrupted)) {}
SensorLogRun::~SensorLogRun() = default;

bool SensorLogRun::step() {
    parts_->whole = outrider::step(parts_->run) == EndReason::log_ended;
    return !parts_->whole;
}

void SensorLogRun::finish() {
    if (!parts_->logging) return;
    Logging& l = *parts_->logging;
    const EndReason reason = parts_->whole ? EndReason::log_ended : EndReason::interrupted;
    std::vector<SummaryValue> summary;
    if (parts_->run.steps > 0) summary = l.metrics.summary(reason, l.scenario.run.steps);
    l.log.finish(reason, parts_->run, summary, {});
    parts_->run.observers.clear();
    parts_->logging.reset();
}

const Run& SensorLogRun::progress() const { return parts_->run; }
const Robot& SensorLogRun::robot() const { return parts_->team[0]; }

WatchableLog::WatchableLog(const std::string& file, std::vector<std::string>& notes,
                           const std::atomic<bool>& interrupted)
    : file_(file) {
    if (!is_recording_file(file)) return;
    const std::string folder = std::filesystem::temp_directory_path().string();
    temporary_.emplace([&](int k) { return fmt::format("{}/outrider-recording-{}-{}.sqlite", folder, getpid(), k); });
    const SensorLog recording = read_sensor_log(file);
    notes.insert(notes.end(), recording.notes.begin(), recording.notes.end());
    if (recording.odd > 0)
        notes.push_back(fmt::format("{} odd lines are left out, first {}", recording.odd, recording.first_odd));
    SensorLogRun run(recording, {}, temporary_->path(), interrupted);
    Work work(terminal_text("{}", file));
    while (!interrupted && run.step())
        work.at(static_cast<std::size_t>(run.progress().steps), recording.scans.size(), "scans");
    run.finish();
}

WatchableLog::~WatchableLog() {
    std::error_code ignored;
    if (!temporary_) return;
    for (const char* more : {"", "-wal", "-shm"}) std::filesystem::remove(temporary_->path() + more, ignored);
}

}  // namespace outrider
