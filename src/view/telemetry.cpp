#include "view/telemetry.hpp"

#include <iterator>

namespace outrider::view {
namespace {

/// Updates that were not taken yet come first, unless the map was built anew after them.
template <class Update>
void prepend(std::vector<Update>& updates, std::vector<Update> before) {
    before.insert(before.end(), std::make_move_iterator(updates.begin()), std::make_move_iterator(updates.end()));
    updates = std::move(before);
}

template <class Row>
std::vector<Row> tail(const std::vector<Row>& rows, std::size_t first) {
    if (first >= rows.size()) return {};
    return {rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end()};
}

}  // namespace

void Telemetry::publish(Snapshot snapshot) {
    const std::lock_guard lock(mutex_);
    progress_.step = snapshot.step;
    if (progress_.last < snapshot.step) progress_.last = snapshot.step;
    if (ready_) {
        if (!snapshot.claims_anew) {
            snapshot.claims_anew = ready_->claims_anew;
            prepend(snapshot.claims, std::move(ready_->claims));
        }
        for (std::size_t k = 0; k < mark_kinds; ++k) {
            if (snapshot.marks_anew[k])
                std::erase_if(ready_->marks, [&](const MarkUpdate& m) { return m.kind == static_cast<MarkKind>(k); });
            snapshot.marks_anew[k] |= ready_->marks_anew[k];
        }
        prepend(snapshot.marks, std::move(ready_->marks));
    }
    ready_ = std::move(snapshot);
}

std::optional<Snapshot> Telemetry::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ready_, std::nullopt);
}

std::pair<Progress, std::optional<Snapshot>> Telemetry::take_with_progress() {
    const std::lock_guard lock(mutex_);
    return {progress_, std::exchange(ready_, std::nullopt)};
}

bool Telemetry::wanted() const {
    const std::lock_guard lock(mutex_);
    return !ready_;
}

void Telemetry::add_row(StepRow row) {
    const std::lock_guard lock(mutex_);
    rows_.push_back(std::move(row));
}

void Telemetry::add_event(RunEvent event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
}

std::vector<StepRow> Telemetry::rows_from(std::size_t first) const {
    const std::lock_guard lock(mutex_);
    return tail(rows_, first);
}

std::vector<RunEvent> Telemetry::events_from(std::size_t first) const {
    const std::lock_guard lock(mutex_);
    return tail(events_, first);
}

std::vector<Pose> Telemetry::poses_at(std::size_t row) const {
    const std::lock_guard lock(mutex_);
    return row < rows_.size() ? rows_[row].poses : std::vector<Pose>{};
}

void Telemetry::begin_anew() {
    const std::lock_guard lock(mutex_);
    rows_.clear();
    events_.clear();
    ready_.reset();
    const int generation = progress_.generation + 1;
    progress_ = {};
    progress_.generation = generation;
    history_.clear();
    health_.clear();
    remarks_.clear();
}

void Telemetry::go_back() {
    const std::lock_guard lock(mutex_);
    ready_.reset();
    progress_.step = -1;
    ++progress_.generation;
}

int Telemetry::end() const {
    const std::lock_guard lock(mutex_);
    return rows_.empty() ? 0 : rows_.back().metrics.step + 1;
}

void Telemetry::set_wants(const Wants& wants) {
    const std::lock_guard lock(mutex_);
    wants_ = wants;
}

Wants Telemetry::wants() const {
    const std::lock_guard lock(mutex_);
    return wants_;
}

Progress Telemetry::progress() const {
    const std::lock_guard lock(mutex_);
    return progress_;
}

}  // namespace outrider::view
