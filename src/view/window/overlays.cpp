// Overlays that strategies publish to show their reasons, drawn by their meaning; and the legend.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "messages/ranked_points.hpp"
#include "scenario/exclusions.hpp"
#include "view/window/pen.hpp"

namespace outrider::view {
namespace {

/// Colours by meaning; for overlays without one, one of a few by the layer's name.
Colour colour_of(const Theme& t, Overlay::Meaning meaning, std::string_view layer) {
    using enum Overlay::Meaning;
    switch (meaning) {
        case meeting:
        case meeting_through_wall:
            return t.meeting;
        case candidate:
        case meeting_candidate:
        case meeting_candidate_through_wall:
            return t.candidate;
        case goal:
        case path:
            return t.goal;
        default:
            break;
    }
    std::size_t sum = 0;
    for (const char c : layer) sum = sum * 31 + static_cast<unsigned char>(c);
    return robot_colour(t, 1 + sum % 8, false);
}

void diamond(ImDrawList& list, ImVec2 c, float r, ImU32 colour, float width) {
    const ImVec2 p[] = {{c.x, c.y - r}, {c.x + r, c.y}, {c.x, c.y + r}, {c.x - r, c.y}};
    if (width > 0)
        list.AddPolyline(p, 4, colour, ImDrawFlags_Closed, width);
    else
        list.AddConvexPolyFilled(p, 4, colour);
}

/// Meetings are diamonds, pale ones through walls; possible meeting points are open diamonds. Everything else is a
/// ring.
void draw_point(const Ui& ui, ImDrawList& list, Overlay::Meaning meaning, Colour colour, ImVec2 c) {
    using enum Overlay::Meaning;
    const Theme& t = ui.colours();
    const bool open = meaning == meeting_candidate || meaning == meeting_candidate_through_wall;
    const bool through = meaning == meeting_through_wall || meaning == meeting_candidate_through_wall;
    if (open || through || meaning == meeting) {
        diamond(list, c, ui.px(8), paint(t.paper), 0);
        diamond(list, c, ui.px(6.5f), paint(colour, through ? 0.45 : 1), open ? ui.px(2) : 0);
    } else {
        list.AddCircle(c, ui.px(5), paint(t.paper), 20, ui.px(4));
        list.AddCircle(c, ui.px(5), paint(colour), 20, ui.px(2));
    }
}

void draw_points(Ui& ui, Pen& pen, const Overlay& overlay, Colour colour, bool chosen) {
    ImDrawList& list = pen.list();
    const Theme& t = ui.colours();
    const Camera& camera = ui.model->camera;
    // If there are few points, each shows its value.
    const bool tell = chosen && overlay.values.size() == overlay.points.size() && overlay.points.size() <= 30;
    for (std::size_t k = 0; k < overlay.points.size(); ++k) {
        const ImVec2 c = vec(camera.to_pixels(overlay.points[k]));
        draw_point(ui, list, overlay.meaning, colour, c);
        if (tell) pen.word({c.x + ui.px(9), c.y}, fmt::format("{:.4g}", overlay.values[k]), t.text);
    }
}

/// What could become a goal: of the selected robot the best ones as rings, the better the larger, with their values
/// where there is room, and the chosen one filled; all others, and those of other robots, are dots.
void draw_candidates(Ui& ui, Pen& pen, const Overlay& overlay, const std::optional<Point>& goal, bool chosen) {
    constexpr std::size_t most_rings = 24, most_words = 12;
    ImDrawList& list = pen.list();
    const Theme& t = ui.colours();
    for (const Point& p : overlay.points) list.AddCircleFilled(pen.at(p), ui.px(2), paint(t.candidate, 0.8), 8);
    if (!chosen) return;
    const std::vector<std::size_t> best =
        best_apart(overlay, goal, ui.px(15) / ui.model->camera.pixels_per_m, most_rings);
    for (std::size_t rank = 0; rank < best.size(); ++rank) {
        const Point& p = overlay.points[best[rank]];
        const ImVec2 c = pen.at(p);
        const float share = 1 - static_cast<float>(rank) / static_cast<float>(best.size());
        const float radius = ui.px(3.5f + 3.5f * share);
        list.AddCircleFilled(c, radius, paint(t.paper), 20);
        list.AddCircle(c, radius, paint(t.candidate), 20, ui.px(2));
        if (goal && distance(*goal, p) < 1e-6) list.AddCircleFilled(c, radius - ui.px(1.5f), paint(t.goal), 20);
        if (rank < most_words && best[rank] < overlay.values.size())
            pen.word({c.x + radius + ui.px(4), c.y}, fmt::format("{:.4g}", overlay.values[best[rank]]), t.text);
    }
}

}  // namespace

void draw_overlays(Ui& ui, Pen& pen, RobotId robot) {
    ImDrawList& list = pen.list();
    ViewModel& model = *ui.model;
    const auto i = static_cast<std::size_t>(robot);
    const RobotMoment& m = model.now().robots[i];
    const Camera& camera = model.camera;
    const bool chosen = model.selection.robot == robot;
    if (model.layers.shown(LayerId::skeleton, i))
        for (const Point& p : m.key_points)
            list.AddCircleFilled(vec(camera.to_pixels(p)), ui.px(3.2f), paint(ui.colours().skeleton), 12);
    for (const Overlay& overlay : m.overlays) {
        const bool picked = chosen && overlay.meaning == Overlay::Meaning::candidate;
        if (overlay.kind == Overlay::Kind::text || (!picked && !model.layers.shown_published(overlay.layer, i)))
            continue;
        const Colour colour = colour_of(ui.colours(), overlay.meaning, overlay.layer);
        if (overlay.kind == Overlay::Kind::points && overlay.meaning == Overlay::Meaning::candidate) {
            draw_candidates(ui, pen, overlay, m.goal, chosen);
        } else if (overlay.kind == Overlay::Kind::points) {
            draw_points(ui, pen, overlay, colour, chosen);
        } else if (overlay.kind == Overlay::Kind::line) {
            std::vector<ImVec2> line;
            for (const Point& p : overlay.points) line.push_back(vec(camera.to_pixels(p)));
            list.AddPolyline(line.data(), static_cast<int>(line.size()), paint(colour, 0.9), 0, ui.px(2));
        } else {
            const float half =
                std::max(ui.px(1), static_cast<float>(model.info().walls.lattice().cell_m * camera.pixels_per_m / 2));
            for (const Point& p : overlay.points) {
                const ImVec2 c = vec(camera.to_pixels(p));
                list.AddRectFilled({c.x - half, c.y - half}, {c.x + half, c.y + half}, paint(colour, 0.6));
            }
        }
    }
}

namespace {

struct LegendEntry {
    Colour colour;
    std::string text;
    std::optional<Overlay::Meaning> published{};  ///< drawn as its points are
    const scene::Meaning* of_scene = nullptr;     ///< drawn as its items are
};

/// What is on the map now.
std::vector<LegendEntry> legend_entries(const Ui& ui, const scene::Scene& scene) {
    const ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    if (model.map_only) return {{t.free, "free"}, {t.wall, "wall"}};
    const Layers& layers = model.layers;
    const auto any = [&](LayerId id) { return layers.state(id) != Tri::off; };
    std::vector<LegendEntry> entries;
    if (any(LayerId::free)) {
        if (any(LayerId::age)) {
            entries.push_back({t.age_new, "newly known"});
            entries.push_back({t.age_old, "known for 1000 steps"});
        } else {
            entries.push_back({t.free, any(LayerId::undelivered) ? "a base knows it"
                                       : any(LayerId::tint)      ? "all know it"
                                                                 : "known"});
            if (any(LayerId::undelivered))
                entries.push_back({mix(t.undelivered, t.undelivered_line, 0.25), "only robots know it"});
            if (any(LayerId::tint))
                entries.push_back({mix(t.free, own(ui, 1), 0.5), "in the colours of those who know it"});
        }
        entries.push_back({t.wall, "known wall"});
    }
    entries.push_back({t.unknown, "unknown"});
    if (any(LayerId::walls)) entries.push_back({t.hidden_wall, "wall, not seen yet"});
    const MapLayers& given = model.info().scenario.layers;
    if (given.plan && any(LayerId::prior)) entries.push_back({prior_colour(t, true), "wall of the plan"});
    if (any(LayerId::wrong)) entries.push_back({t.error, "not as it is"});
    if (has_part(model.info().scenario, "clearing") && any(LayerId::cleared))
        entries.push_back({cleared_colour(t, t.free), "cleared by a camera"});
    if (any(LayerId::safe)) entries.push_back({t.safe, "sure to be free"});
    if (any(LayerId::frontier)) entries.push_back({t.frontier, "frontier"});
    if (any(LayerId::difference)) {
        entries.push_back({t.ahead, "the robot knows it, no base"});
        entries.push_back({t.behind, "a base knows it, not the robot"});
    }
    if (any(LayerId::visits)) {
        entries.push_back({visits_colour(t, 1), "passed once"});
        entries.push_back({visits_colour(t, 16), "16 times or more"});
    }
    if (any(LayerId::skeleton)) entries.push_back({t.skeleton, "skeleton"});
    for (const scene::Meaning* meaning : scene::meanings_in(scene))
        entries.push_back({t.text, std::string(meaning->text), {}, meaning});
    for (std::size_t k = 0; k < layers.all().size(); ++k) {
        const Layer& layer = layers.all()[k];
        if (!layer.published || layers.state(k) == Tri::off) continue;
        std::string label = layer.label;
        label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
        entries.push_back({colour_of(t, *layer.published, layer.overlay()), label, layer.published});
    }
    return entries;
}

}  // namespace

void draw_legend(Ui& ui, ImDrawList& list, Rect area, const scene::Scene& scene) {
    const Theme& t = ui.colours();
    const std::vector<LegendEntry> entries = legend_entries(ui, scene);
    ImGui::PushFont(ui.small);
    const float line = ui.px(17), box = ui.px(12), pad = ui.px(8), margin = ui.px(10);
    // From the left to the right, over as many rows as it takes; the scale has the right end of the lowest.
    const float most = area.high.x - area.low.x - 2 * margin - ui.px(150);
    std::vector<std::vector<LegendEntry>> rows(1);
    float x = 0, widest = 0;
    for (const LegendEntry& e : entries) {
        const float w = box + ui.px(5) + ImGui::CalcTextSize(e.text.c_str()).x + ui.px(12);
        if (x + w > most && x > 0) {
            rows.emplace_back();
            x = 0;
        }
        rows.back().push_back(e);
        x += w;
        widest = std::max(widest, x);
    }
    // In a narrow window it stands above the scale.
    const float lift = widest > most ? line + pad + margin / 2 : 0;
    const ImVec2 low{area.low.x + margin, area.high.y - margin - lift - line * static_cast<float>(rows.size()) - pad},
        high{low.x + widest + pad, area.high.y - margin - lift};
    list.AddRectFilled(low, high, paint(t.panel, 0.92), ui.px(6));
    float y = low.y + pad / 2;
    for (const auto& row : rows) {
        x = low.x + pad;
        for (const LegendEntry& e : row) {
            const float top = y + (line - box) / 2;
            if (e.of_scene) {
                draw_sample(ui, list, *e.of_scene, {x + box / 2, top + box / 2});
            } else if (!e.published) {
                list.AddRectFilled({x, top}, {x + box, top + box}, paint(e.colour), ui.px(2.5f));
                list.AddRect({x, top}, {x + box, top + box}, paint(t.faint, 0.5), ui.px(2.5f));
            } else {
                draw_point(ui, list, *e.published, e.colour, {x + box / 2, top + box / 2});
            }
            list.AddText({x + box + ui.px(5), y + (line - ImGui::GetFontSize()) / 2}, paint(t.text), e.text.c_str());
            x += box + ui.px(5) + ImGui::CalcTextSize(e.text.c_str()).x + ui.px(12);
        }
        y += line;
    }

    double metres = 0.001;
    for (double next = metres; next * ui.model->camera.pixels_per_m <= ui.px(110); next *= 10)
        for (const double m : {next, 2 * next, 5 * next})
            if (m * ui.model->camera.pixels_per_m <= ui.px(110)) metres = m;
    const auto length = static_cast<float>(metres * ui.model->camera.pixels_per_m);
    const std::string text = fmt::format("{} m", metres);
    const ImVec2 end{area.high.x - margin, area.high.y - margin}, size = ImGui::CalcTextSize(text.c_str());
    const float width = std::max(length, size.x) + 2 * pad;
    list.AddRectFilled({end.x - width, end.y - line - pad}, end, paint(t.panel, 0.92), ui.px(6));
    list.AddText({end.x - width / 2 - size.x / 2, end.y - line - ui.px(5)}, paint(t.text), text.c_str());
    const float bar = end.y - ui.px(6), left = end.x - width / 2 - length / 2;
    list.AddLine({left, bar}, {left + length, bar}, paint(t.text), ui.px(2));
    for (const float at : {left, left + length})
        list.AddLine({at, bar - ui.px(3)}, {at, bar + ui.px(1)}, paint(t.text), ui.px(2));
    ImGui::PopFont();
}

}  // namespace outrider::view
