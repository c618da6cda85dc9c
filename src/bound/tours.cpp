#include "bound/tours.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double area_weight = 0.1;
constexpr double missing_weight = 10000;  // steps for all that is never known

/// Sectors that a sensor sees at once.
int width_of(const Mover& m) {
    return std::clamp(static_cast<int>(m.view / (2 * pi) * Roads::sectors + 0.01), 1, Roads::sectors);
}

}  // namespace

TourModel::TourModel(const BoundTask& task, const Roads& roads, const Blocks& targets)
    : task_(task), roads_(roads), nothing_(targets.columns(), targets.rows()) {
    snapshots_.push_back({nothing_, 0, 0});
}

void TourModel::want(double share) {
    BitMap seen = nothing_;
    for (int n = 0; n < roads_.nodes(); ++n) seen.add(roads_.seen(n));
    all_ = seen.count();
    wanted_ = std::min(all_, static_cast<int>(std::ceil(share * all_)));
}

TourModel::Trace TourModel::trace(std::size_t mover, const std::vector<int>& tour) const {
    const double step = task_.team[mover].step;
    int node = roads_.node_of(roads_.start(static_cast<int>(mover)));
    Trace out;
    out.nodes.push_back(node);
    double left = step;  // to the end of this step
    for (const int place : tour)
        while (node != roads_.node_of(place)) {
            const Roads::Hop hop = roads_.towards(place, node);
            double length = hop.length;
            while (length >= left) {  // a step ends on the way: at which of its ends it is
                length -= left;
                left = step;
                out.nodes.push_back(2 * length > hop.length ? node : hop.node);
                if (std::ssize(out.nodes) > task_.steps) return out;
            }
            left -= length;
            node = hop.node;
        }
    if (left < step) out.nodes.push_back(node);
    return out;
}

/// It looks where most is new.
void TourModel::see(Snapshot& now, int node, const Mover& m) const {
    const int width = width_of(m);
    if (width == Roads::sectors) {
        const BitBox& box = roads_.seen(node);
        const int news = now.known.news(box);
        if (news > 0) now.known.add(box);
        now.count += news;
        return;
    }
    std::array<int, Roads::sectors> news{};
    int any = 0;
    for (int k = 0; k < Roads::sectors; ++k)
        any += news[static_cast<std::size_t>(k)] = now.known.news(roads_.seen(node, k));
    if (any == 0) return;
    int best = 0, most = -1;
    for (int k = 0; k < Roads::sectors; ++k) {
        int sum = 0;
        for (int w = 0; w < width; ++w) sum += news[static_cast<std::size_t>((k + w) % Roads::sectors)];
        if (sum > most) {
            most = sum;
            best = k;
        }
    }
    for (int w = 0; w < width; ++w) now.known.add(roads_.seen(node, (best + w) % Roads::sectors));
    now.count += most;
}

/// It looks where it goes.
void TourModel::see_ahead(Snapshot& now, int node, int before, const Mover& m) const {
    const Cell to = roads_.cell(node), from = roads_.cell(before);
    const double yaw = to == from ? m.yaw
                                  : bearing({static_cast<double>(from.x), static_cast<double>(from.y)},
                                            {static_cast<double>(to.x), static_cast<double>(to.y)});
    const int width = width_of(m);
    const int first =
        static_cast<int>(std::lround((yaw - m.view / 2) / (2 * pi) * Roads::sectors)) + 2 * Roads::sectors;
    for (int w = 0; w < width; ++w) {
        const BitBox& box = roads_.seen(node, (first + w) % Roads::sectors);
        const int news = now.known.news(box);
        if (news > 0) now.known.add(box);
        now.count += news;
    }
}

/// From the step that is a multiple of the spacing and not after `first`; fills in the snapshots after it.
TourModel::Value TourModel::run(const std::vector<const Trace*>& traces, std::size_t first, double limit,
                                std::vector<Snapshot>& snapshots) {
    std::size_t k = std::min(first / spacing, snapshots_.size() - 1);
    first_next_ = k + 1;
    Snapshot now = snapshots_[k];
    snapshots.clear();
    std::size_t longest = 0;
    for (const Trace* t : traces) longest = std::max(longest, t->nodes.size());
    for (std::size_t step = k * spacing; step < longest; ++step) {
        if (step > k * spacing && step % spacing == 0) snapshots.push_back(now);
        const int before = now.count;
        for (std::size_t i = 0; i < traces.size(); ++i) {
            const std::vector<int>& nodes = traces[i]->nodes;
            const Mover& m = task_.team[i];
            if (step >= nodes.size() || m.sight == 0) continue;
            if (step == 0 || !m.turns)
                see_ahead(now, nodes[step], nodes[step - (step > 0)], m);
            else
                see(now, nodes[step], m);
        }
        if (now.count >= wanted_) {
            const double part = now.count == before ? 0 : static_cast<double>(wanted_ - before) / (now.count - before);
            const double time = static_cast<double>(step) - 1 + part;
            return {time + area_weight * now.area, time, now.area};
        }
        now.area += 1 - static_cast<double>(now.count) / all_;
        if (static_cast<double>(step) + area_weight * now.area > limit) return {};
    }
    const double missing = static_cast<double>(wanted_ - now.count) / all_;
    const double time = static_cast<double>(longest) + missing_weight * missing;
    return {time + area_weight * now.area, time, now.area};
}

TourModel::Value TourModel::begin(Tours tours) {
    tours_ = std::move(tours);
    traces_.clear();
    std::vector<const Trace*> traces;
    for (std::size_t i = 0; i < tours_.size(); ++i) traces_.push_back(trace(i, tours_[i]));
    for (const Trace& t : traces_) traces.push_back(&t);
    snapshots_.resize(1);
    std::vector<Snapshot> snapshots;
    const Value value = run(traces, 0, std::numeric_limits<double>::infinity(), snapshots);
    snapshots_.insert(snapshots_.end(), snapshots.begin(), snapshots.end());
    return value;
}

TourModel::Value TourModel::look_at(const Tours& tours, const std::vector<int>& changed, double limit) {
    changed_ = changed;
    next_traces_.clear();
    std::vector<const Trace*> traces;
    for (const Trace& t : traces_) traces.push_back(&t);
    std::size_t first = std::numeric_limits<std::size_t>::max();
    for (const int mover : changed) {
        const auto i = static_cast<std::size_t>(mover);
        next_traces_.push_back(trace(i, tours[i]));
        const std::vector<int>&a = next_traces_.back().nodes, &b = traces_[i].nodes;
        const std::size_t both = std::min(a.size(), b.size());
        const auto same = static_cast<std::size_t>(
            std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(both), b.begin()).first - a.begin());
        first = std::min(first, same);
    }
    for (std::size_t k = 0; k < changed.size(); ++k) traces[static_cast<std::size_t>(changed[k])] = &next_traces_[k];
    next_tours_ = tours;
    return run(traces, first, limit, next_snapshots_);
}

void TourModel::accept() {
    tours_ = next_tours_;
    for (std::size_t k = 0; k < changed_.size(); ++k)
        traces_[static_cast<std::size_t>(changed_[k])] = std::move(next_traces_[k]);
    snapshots_.resize(first_next_);
    snapshots_.insert(snapshots_.end(), next_snapshots_.begin(), next_snapshots_.end());
}

void TourModel::trim(double steps) {
    Tours tours = tours_;
    for (std::size_t i = 0; i < tours.size(); ++i) {
        double length = 0;
        int at = roads_.start(static_cast<int>(i));
        std::size_t k = 0;
        while (k < tours[i].size() && length <= steps * task_.team[i].step) {
            length += roads_.length(at, tours[i][k]);
            at = tours[i][k++];
        }
        tours[i].resize(k);
    }
    begin(std::move(tours));
}

}  // namespace outrider
