#include "player/scene_track.hpp"

#include <algorithm>
#include <cmath>

#include "base/json.hpp"
#include "player/known_since.hpp"

namespace outrider {
namespace {

std::string hex(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

std::string json_of(const scene::Meaning& m) {
    return fmt::format(R"({{"text":{},"shape":"{}","light":"{}","dark":"{}","opacity":{}}})", json_quoted(m.text),
                       scene::shape_names[static_cast<std::size_t>(m.shape)], hex(shade(m.hue)),
                       hex(shade(m.hue, true)), m.opacity);
}

void append_item(ByteWriter& out, const scene::Item& item, Cell low, double cell_m, PlayerTexts& texts) {
    const auto in_parts = [&](double cells) { return std::llround(cells * player_parts); };
    out.integer(item.meaning);
    out.integer(item.robot);
    out.integer(std::lround(100 * item.strength));
    out.integer(in_parts(item.radius_m / cell_m));
    out.integer(texts.number(item.text));
    out.integer(std::ssize(item.points));
    std::int64_t x = 0, y = 0;
    for (const Point& p : item.points) {
        const std::int64_t px = in_parts(p.x / cell_m - low.x), py = in_parts(p.y / cell_m - low.y);
        out.integer(px - std::exchange(x, px));
        out.integer(py - std::exchange(y, py));
    }
    out.integer(std::ssize(item.runs));
    x = y = 0;
    for (const scene::CellRun& run : item.runs) {
        const std::int64_t cx = run.first.x - low.x, cy = run.first.y - low.y;
        out.integer(cx - std::exchange(x, cx));
        out.integer(cy - std::exchange(y, cy));
        out.integer(run.length);
    }
}

}  // namespace

void SceneTrack::add(int index, const scene::TeamMoment& moment) {
    for (scene::Layer& layer : follower_.changes(stage_.all(moment))) {
        auto track = std::find_if(tracks_.begin(), tracks_.end(), [&](const Track& t) { return t.info == layer.info; });
        if (track == tracks_.end()) track = tracks_.insert(track, {layer.info, {}});
        track->changes.push_back({index, std::move(layer.items)});
    }
}

std::string SceneTrack::layers_json() const {
    std::string out;
    for (const Track& track : tracks_) {
        std::string meanings;
        for (const scene::Meaning& m : track.info->meanings) meanings += (meanings.empty() ? "" : ",") + json_of(m);
        out += fmt::format(R"({}{{"key":{},"title":{},"help":{},"meanings":[{}]}})", out.empty() ? "" : ",",
                           json_quoted(track.info->key), json_quoted(track.info->title), json_quoted(track.info->help),
                           meanings);
    }
    return "[" + out + "]";
}

void SceneTrack::append(ByteWriter& out, Cell low, double cell_m, int apart, PlayerTexts& texts) const {
    for (const Track& track : tracks_) {
        std::vector<const Change*> kept;
        for (std::size_t k = 0; k < track.changes.size(); ++k) {
            const Change& change = track.changes[k];
            const bool last = k + 1 == track.changes.size();
            if (kept.empty() || last || change.index - kept.back()->index >= apart) kept.push_back(&change);
        }
        out.integer(std::ssize(kept));
        for (const Change* change : kept) {
            out.integer(change->index);
            out.integer(change->items ? std::ssize(*change->items) : 0);
            if (!change->items) continue;
            for (const scene::Item& item : *change->items) append_item(out, item, low, cell_m, texts);
        }
    }
}

}  // namespace outrider
