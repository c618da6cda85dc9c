// Draws over the map what is given in metres of the team's frame.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "view/window/ui.hpp"

namespace outrider::view {

/// Draws lines in metres.
class Pen {
  public:
    Pen(Ui& ui, ImDrawList& list) : ui_(ui), list_(list), camera_(ui.model->camera) {}
    ImVec2 at(Point team) const { return vec(camera_.to_pixels(team)); }
    void line(std::span<const Point> points, Colour colour, double opacity, float width) {
        width = std::max(1.0f, std::round(width));  // whole widths are drawn several times as fast
        pixels_.clear();
        for (const Point& p : points) {
            const ImVec2 q = at(p);
            // Corners closer than this cannot be seen.
            if (!pixels_.empty() && &p != &points.back() &&
                std::abs(q.x - pixels_.back().x) + std::abs(q.y - pixels_.back().y) < 3.5f)
                continue;
            pixels_.push_back(q);
        }
        if (pixels_.size() > 1)
            list_.AddPolyline(pixels_.data(), static_cast<int>(pixels_.size()), paint(colour, opacity), 0, width);
    }
    void dashed(Point a, Point b, Colour colour, double opacity, float width) {
        const ImVec2 p = at(a), q = at(b);
        const float length = std::hypot(q.x - p.x, q.y - p.y), dash = ui_.px(6);
        if (length < 1 || length > 1e5f) return;
        for (float s = 0; s < length; s += 2 * dash) {
            const float u = s / length, v = std::min(1.0f, (s + dash) / length);
            list_.AddLine({p.x + (q.x - p.x) * u, p.y + (q.y - p.y) * u},
                          {p.x + (q.x - p.x) * v, p.y + (q.y - p.y) * v}, paint(colour, opacity), width);
        }
    }
    /// What is seen from a point: the triangles between it and the neighbours of an outline, and the outline itself.
    void geometry(Point from, std::span<const Point> outline, Colour colour, double fill, double edge, float width) {
        if (outline.size() < 3) return;
        pixels_.clear();
        for (const Point& p : outline) {
            const ImVec2 q = at(p);  // corners closer than this cannot be seen
            if (!pixels_.empty() && std::abs(q.x - pixels_.back().x) + std::abs(q.y - pixels_.back().y) < 2.5f)
                continue;
            pixels_.push_back(q);
        }
        if (pixels_.size() < 3) return;
        const int n = static_cast<int>(pixels_.size());
        // Without smoothed edges: they would show between the triangles.
        list_.PrimReserve(3 * n, n + 1);
        const unsigned first = list_._VtxCurrentIdx;
        const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
        list_.PrimWriteVtx(at(from), white, paint(colour, fill));
        for (const ImVec2& p : pixels_) list_.PrimWriteVtx(p, white, paint(colour, fill));
        for (int k = 0; k < n; ++k)
            for (const int corner : {0, 1 + k, 1 + (k + 1) % n})
                list_.PrimWriteIdx(static_cast<ImDrawIdx>(first + static_cast<unsigned>(corner)));
        list_.AddPolyline(pixels_.data(), n, paint(colour, edge), ImDrawFlags_Closed, width);
    }
    /// A word on a background of its own, beside a point; false: it was left out, since it would cover another one.
    bool word(ImVec2 beside, const std::string& text, Colour ink) {
        ImGui::PushFont(ui_.small);
        const ImVec2 size = ImGui::CalcTextSize(text.c_str()), p{beside.x, beside.y - size.y / 2};
        const Rect place{{p.x - ui_.px(2), p.y}, {p.x + size.x + ui_.px(2), p.y + size.y}};
        const bool covered = std::any_of(words_.begin(), words_.end(), [&](const Rect& r) {
            return place.low.x < r.high.x && place.high.x > r.low.x && place.low.y < r.high.y && place.high.y > r.low.y;
        });
        if (covered) {
            ImGui::PopFont();
            return false;
        }
        words_.push_back(place);
        list_.AddRectFilled(place.low, place.high, paint(ui_.colours().panel, 0.85), ui_.px(3));
        list_.AddText(p, paint(ink), text.c_str());
        ImGui::PopFont();
        return true;
    }
    /// Where words are.
    const std::vector<Rect>& words() const { return words_; }
    ImDrawList& list() { return list_; }

  private:
    Ui& ui_;
    ImDrawList& list_;
    const Camera& camera_;
    std::vector<ImVec2> pixels_;
    std::vector<Rect> words_;
};

/// A robot's colour.
inline Colour own(const Ui& ui, RobotId robot) {
    const auto i = static_cast<std::size_t>(robot);
    return robot_colour(ui.colours(), i, ui.model->info().is_base[i]);
}

/// Of a scene what covers the map, and what stands above robots.
void draw_areas(Ui& ui, Pen& pen, const scene::Scene& scene);
void draw_marks(Ui& ui, Pen& pen, const scene::Scene& scene);
/// How one of its items looks, in a legend.
void draw_sample(const Ui& ui, ImDrawList& list, const scene::Meaning& meaning, ImVec2 centre);
void draw_robots(Ui& ui, Pen& pen);
void draw_names(Ui& ui, Pen& pen, Rect area);
void draw_radio(Ui& ui, Pen& pen);
/// Where a robot last heard of the robots that it is not in contact with.
void draw_last_reports(Ui& ui, Pen& pen, RobotId robot);
/// What its strategy shows of its reasons.
void draw_overlays(Ui& ui, Pen& pen, RobotId robot);

}  // namespace outrider::view
