#include "view/view_model.hpp"
#include "messages/victim_options.hpp"
#include "scenario/exclusions.hpp"

#include <algorithm>
#include <climits>
#include <functional>
#include <iterator>

#include "outrider/error.hpp"
#include "scene/fan.hpp"

namespace outrider::view {

ViewModel::ViewModel(std::unique_ptr<Source> source)
    : visits(source->info()),
      source_(std::move(source)),
      stage_(source_->info().scenario),
      maps_(source_->info().robots()) {
    layers = Layers(info().is_base, stage_.layers());
    apply_preset(0);
    set_speed(speed_);
    fit();
    send_wants();
}

ViewModel::~ViewModel() { source_->stop(); }

bool ViewModel::update() {
    send_wants();
    bool changed = false;
    auto [progress, snapshot] = source_->telemetry().take_with_progress();
    if (progress.generation != progress_.generation) {  // the run began anew
        rows_.clear();
        events_.clear();
        remarks_.clear();
        events_taken_ = 0;
        driven_at_.clear();
        links_.clear();
        visits.clear();
        driven_.reset();  // the source no longer sends it the command
        driving_.reset();
        changed = true;
    }
    changed = changed || progress.last != progress_.last || progress.ended != progress_.ended ||
              progress.error != progress_.error || progress.warning != progress_.warning ||
              progress.note != progress_.note || progress.history_to != progress_.history_to;
    if (progress_.last < 0 && progress.last >= 0 && !info().live) aim_ = std::min(aim_, progress.last);
    progress_ = progress;
    take_rows();
    if (snapshot) {
        maps_.apply(*snapshot);
        now_ = std::move(*snapshot);
        now_.claims.clear();
        now_.marks.clear();
        for (const RobotMoment& robot : now_.robots)
            for (const Overlay& overlay : robot.overlays)
                if (overlay.kind != Overlay::Kind::text) layers.offer(overlay.layer, overlay.meaning);
        if (aim_ >= 0 && now_.step == aim_) aim_ = -1;
        changed = true;
        if (as_base_) as_base_->robots = base_reports();
        if (follow) camera.centre = shown_pose(*follow).position();
    }
    if (now_.step < loop_to_) wraps_ = false;
    if (loop_to_ >= 0 && playing() && now_.step >= loop_to_ && !wraps_) {
        wraps_ = true;  // only once, until the start of the loop is reached
        const int from = std::max(0, loop_from_);
        source_->seek(from);
        if (info().live)
            source_->control().run_to(from, true);  // it has to get there before it plays
        else
            source_->control().play(true);
    }
    if (changed) ++version_;
    return changed;
}

void ViewModel::take_rows() {
    for (StepRow& row : source_->telemetry().rows_from(rows_.size())) rows_.push_back(std::move(row));
    std::vector<RunEvent> fresh = source_->telemetry().events_from(events_taken_);
    events_taken_ += fresh.size();
    for (RunEvent& event : fresh) add_event(std::move(event));
    for (Remark& remark : source_->telemetry().remarks().from(remarks_.size())) remarks_.push_back(std::move(remark));
}

/// While a stick is held, only the first step is an event.
void ViewModel::add_event(RunEvent event) {
    if (event.robot && event.kind == "operator" && event.json.find("\"drive") != std::string::npos) {
        driven_at_.resize(info().robots(), -2);
        int& before = event.robot->in(driven_at_);
        const bool goes_on = event.step <= before + 1;
        before = event.step;
        if (goes_on) return;
    }
    if (event.robot && (event.kind == "met_base" || event.kind == "left_base")) {
        links_.resize(info().robots());
        event.robot->in(links_).emplace_back(event.step, event.kind == "met_base");
    }
    events_.push_back(std::move(event));
}

bool ViewModel::linked(RobotId robot) const {
    const auto i = static_cast<std::size_t>(robot);
    if (i >= links_.size()) return false;
    const auto later = std::upper_bound(links_[i].begin(), links_[i].end(), shown_step(),
                                        [](int step, const auto& change) { return step < change.first; });
    return later != links_[i].begin() && std::prev(later)->second;
}

/// The shown layers decide what is computed.
void ViewModel::send_wants() {
    Wants wants;
    for (std::size_t i = 0; i < layers.robots(); ++i) {
        const bool chosen = selection.robot == static_cast<RobotId>(i);
        wants.frontier.push_back(layers.shown(LayerId::frontier, i));
        wants.skeleton.push_back(layers.shown(LayerId::skeleton, i));
        wants.path.push_back(layers.shown(LayerId::path, i) || chosen);
        wants.scan.push_back(layers.shown(LayerId::sensor, i));
        wants.reach.push_back(layers.shown(LayerId::range, i));
        wants.expected.push_back(layers.shown(LayerId::expected_range, i));
        wants.believed_path.push_back(layers.shown(LayerId::believed_path, i));
        wants.guesses.push_back(layers.shown(LayerId::guesses, i));
        wants.patches.push_back(layers.shown(LayerId::patches, i) || layers.shown(LayerId::relations, i) ||
                                layers.shown(LayerId::closures, i));
    }
    history_asked_ = history_asked_ || layers.shown(LayerId::age) || selection.cell;
    wants.history = history_asked_;
    if (wants == wants_) return;
    wants_ = wants;
    source_->telemetry().set_wants(wants);
    source_->refresh();
}

bool ViewModel::waits_for_history() const {
    return wants_.history && !info().live && progress_.history_to < progress_.last && progress_.error.empty();
}

std::vector<std::span<const StepRow>> ViewModel::stretches() const {
    std::vector<std::span<const StepRow>> out;
    const std::span<const StepRow> all(rows_);
    for (std::size_t begin = 0; begin < all.size();) {
        // Binary search: without a gap, the difference of steps equals the difference of rows.
        const auto gap = std::partition_point(
            all.begin() + static_cast<std::ptrdiff_t>(begin), all.end(),
            [&](auto& row) { return row.metrics.step - all[begin].metrics.step == &row - &all[begin]; });
        const auto end = static_cast<std::size_t>(gap - all.begin());
        out.push_back(all.subspan(begin, end - begin));
        begin = end;
    }
    return out;
}

const StepRow* ViewModel::row(int step) const {
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), step,
                                     [](const StepRow& row, int s) { return row.metrics.step < s; });
    return at != rows_.end() && at->metrics.step == step ? &*at : nullptr;
}

void ViewModel::play(bool on) {
    if (!info().seekable) return;
    aim_ = -1;
    if (on && !info().live && now_.step >= progress_.last) source_->seek(0);
    source_->control().play(on);
    if (!on) source_->control().poke();
}

void ViewModel::step_by(int steps) {
    if (!info().seekable) return;
    if (steps > 0 && info().live && aim_ < 0)
        source_->control().let_pass(steps);
    else
        go_to((aim_ >= 0 ? aim_ : now_.step) + steps);
}

void ViewModel::go_to(int step) {
    if (!info().seekable) return;
    const bool read = info().live || progress_.last >= 0;  // before, nobody knows how long the log is
    const int end = info().live ? info().scenario.run.steps - 1 : progress_.last;
    aim_ = std::clamp(step, 0, read ? end : INT_MAX);
    if (aim_ == now_.step && !playing()) {
        aim_ = -1;
        return;
    }
    source_->seek(aim_);
}

void ViewModel::go_last() {
    if (!info().seekable) return;
    if (info().live)
        source_->control().run_to(info().scenario.run.steps);
    else
        go_to(progress_.last);
}

int ViewModel::last() const {
    if (!info().live || progress_.ended) return std::max(progress_.last, 1);
    return std::max({progress_.last, now_.step, 1});
}

void ViewModel::set_speed(int index) {
    speed_ = std::clamp(index, 0, static_cast<int>(speeds.size()) - 1);
    source_->control().set_speed(steps_per_s());
    ++version_;
}

void ViewModel::set_loop(int from, int to) {
    if (from >= 0 && to >= 0 && from > to) std::swap(from, to);
    loop_from_ = from;
    loop_to_ = to;
    wraps_ = false;
    ++version_;
}

bool ViewModel::go_to_event(int direction) {
    int best = -1;
    for (const RunEvent& e : events_)
        if (direction > 0 ? e.step > now_.step && (best < 0 || e.step < best) : e.step < now_.step && e.step > best)
            best = e.step;
    if (best < 0) return false;
    go_to(best);
    return true;
}

void ViewModel::restart() {
    go_to(0);
    ++version_;
}

void ViewModel::look_at(std::optional<int> step) {
    if (step && (!info().live || !info().seekable || *step >= now_.step || *step < 0)) step.reset();
    if (step == looked_at_) return;
    looked_at_ = step;
    ++version_;
}

void ViewModel::apply_preset(int index) {
    if (index < 0 || index >= static_cast<int>(presets.size())) return;
    preset = index;
    layers.apply(presets[static_cast<std::size_t>(index)].text);
    ++version_;
}

/// An order in the past lets the run begin anew: until it is here again, it is on its way.
void ViewModel::tell(const std::function<void()>& order) {
    const int before = source_->telemetry().progress().generation;
    order();
    if (source_->telemetry().progress().generation != before && !playing()) aim_ = now_.step;
}

void ViewModel::command(RobotId robot, OperatorCommand command) {
    ordered_.resize(info().robots());
    ordered_[static_cast<std::size_t>(robot)] =
        command.waypoints.empty()
            ? command.behaviour
            : fmt::format("{} way-point{}", command.waypoints.size(), command.waypoints.size() == 1 ? "" : "s");
    tell([&] { source_->command(robot, std::move(command)); });
    ++version_;
}

void ViewModel::drive(RobotId robot, std::optional<OperatorCommand> command) {
    if (command == driving_ && (!command || driven_ == robot)) return;
    ordered_.resize(info().robots());
    if (command) ordered_[static_cast<std::size_t>(robot)] = command->behaviour;
    driving_ = command;
    driven_ = command ? std::optional(robot) : std::nullopt;
    tell([&] { source_->hold(robot, std::move(command)); });
    ++version_;
}

void ViewModel::mark(const std::string& name, Point at) {
    std::erase_if(new_marks_, [&](const PlaceMark& m) { return m.name == name; });
    new_marks_.push_back({name, at, now_.step});
    tell([&] { source_->command(0, mark_command(name, at)); });  // a base station, if there is one
    ++version_;
}

void ViewModel::unmark(const std::string& name) {
    std::erase_if(new_marks_, [&](const PlaceMark& m) { return m.name == name; });
    tell([&] { source_->command(0, unmark_command(name)); });
    ++version_;
}

std::vector<PlaceMark> ViewModel::marks() const {
    std::vector<PlaceMark> out = marks_at(events_, shown_step());
    for (const PlaceMark& m : new_marks_) {
        if (looked_at_ || m.step != now_.step) continue;
        std::erase_if(out, [&](const PlaceMark& old) { return old.name == m.name; });
        out.push_back({m.name, m.at, -1});
    }
    return out;
}

std::string ViewModel::ordered(RobotId robot) const {
    const auto i = static_cast<std::size_t>(robot);
    return i < ordered_.size() ? ordered_[i] : std::string();
}

scene::Scene ViewModel::scene() {
    scene::Scene out = stage_.world(shown_step());
    if (!looked_at_) out.insert(out.end(), now_.scene.begin(), now_.scene.end());
    for (scene::Layer& layer : out) {
        const std::size_t k = layers.index(*layer.info);
        const auto hidden = [&](const scene::Item& item) {
            const bool truth = layer.info->meanings[item.meaning].knower == scene::Knower::nobody;
            return !layers.shown(k, static_cast<std::size_t>(std::max(0, item.robot))) || (truth && as_base());
        };
        if (std::none_of(layer.items->begin(), layer.items->end(), hidden)) continue;
        std::vector<scene::Item> shown;
        std::copy_if(layer.items->begin(), layer.items->end(), std::back_inserter(shown), std::not_fn(hidden));
        layer.items = scene::items_of(std::move(shown));
    }
    std::erase_if(out, [](const scene::Layer& layer) { return !layer.items; });
    return out;
}

std::vector<ListedVictim> ViewModel::victims() const {
    if (!has_part(info().scenario, "victims")) return {};
    return listed_victims(events_, shown_step());
}

bool ViewModel::can_decide() const {
    return source_->can_command() && info().scenario.features.get<VictimOptions>().replies == VictimReplies::person;
}

bool ViewModel::order_under_way(RobotId robot) const {
    return std::any_of(now_.robots.begin(), now_.robots.end(), [&](const RobotMoment& m) {
        return std::find(m.orders_kept.begin(), m.orders_kept.end(), robot) != m.orders_kept.end();
    });
}

void ViewModel::fit(double margin, double below) {
    const Grid<std::uint8_t>& walls = info().walls;
    const double cell = walls.lattice().cell_m;
    const Point low{walls.origin().x * cell, walls.origin().y * cell};
    const double height = camera.size.y;
    camera.size.y = std::max(1.0, height - (below - margin));
    camera.fit(low, low + Point{walls.width() * cell, walls.height() * cell}, margin);
    camera.centre.y -= (height - camera.size.y) / 2 / camera.pixels_per_m;
    camera.size.y = height;
    follow.reset();
    fitted_ = camera;
}

void ViewModel::select_next_mobile(int direction) {
    const int n = static_cast<int>(info().robots());
    int at = selection.robot.value_or(direction > 0 ? -1 : 0);
    for (int k = 0; k < n; ++k) {
        at = (at + direction + n) % n;
        if (info().is_base[static_cast<std::size_t>(at)]) continue;
        select_robot(at);
        selection.cell.reset();
        ++version_;
        return;
    }
}

void ViewModel::show_as_base(bool on) {
    if (on == as_base()) return;
    if (on && (info().is_base.empty() || !info().is_base.front())) fail("this team has no base station");
    if (on) {
        as_base_ = AsBase{layers.text(), base_reports()};
        layers.apply(base_layers);
    } else {
        layers.apply(as_base_->layers);
        as_base_.reset();
    }
    ++version_;
}

const ReportedRobot* ViewModel::report_of(RobotId robot) const {
    if (!as_base_) return nullptr;
    for (const ReportedRobot& r : as_base_->robots)
        if (r.robot == robot) return &r;
    return nullptr;
}

bool ViewModel::hidden(RobotId robot) const {
    const ReportedRobot* r = report_of(robot);
    return r && !r->age;
}

Pose ViewModel::shown_pose(RobotId robot) const {
    if (const ReportedRobot* r = report_of(robot); r && !looked_at_) return r->pose;
    if (looked_at_) {  // true pose when it perceived
        const auto i = static_cast<std::size_t>(robot);
        const StepRow* before = row(*looked_at_ - 1);
        if (before && i < before->poses.size()) return before->poses[i];
        const Scenario& s = info().scenario;
        const Point start = info().walls.lattice().centre(s.start_cell(i) - s.team_origin());
        return {start.x, start.y, radians(s.robots[i].yaw_deg)};
    }
    if (const RobotMoment* m = moment(robot)) return m->truth.value_or(m->pose);
    return {};
}

std::vector<Point> ViewModel::spots() const {
    std::vector<Point> places, drawn;
    std::vector<std::size_t> shown;
    std::vector<bool> held;
    for (std::size_t i = 0; i < now_.robots.size(); ++i) {
        drawn.push_back(camera.to_pixels(shown_pose(static_cast<RobotId>(i)).position()));
        if (hidden(static_cast<RobotId>(i)) || !layers.shown(LayerId::location, i)) continue;
        shown.push_back(i);
        places.push_back(drawn[i]);
        held.push_back(info().is_base[i] != 0);
    }
    const std::vector<Point> fanned = scene::fan_out(places, held, camera.unit);
    for (std::size_t k = 0; k < shown.size(); ++k) drawn[shown[k]] = fanned[k];
    return drawn;
}

std::optional<RobotId> ViewModel::robot_at(Point team, double reach_m) const {
    std::optional<RobotId> best;
    const std::vector<Point> drawn = spots();
    for (std::size_t i = 0; i < now_.robots.size(); ++i) {
        if (hidden(static_cast<RobotId>(i))) continue;
        const double d = distance(camera.to_metres(drawn[i]), team);
        // Of two robots in one place, a mobile one rather than the base.
        if (d > reach_m || (d == reach_m && best && info().is_base[i])) continue;
        best = static_cast<RobotId>(i);
        reach_m = d;
    }
    return best;
}

}  // namespace outrider::view
