// Small widgets.
#include <algorithm>
#include <cmath>

#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

void draw_icon(ImDrawList& list, Icon icon, ImVec2 c, float r, ImU32 colour, ImU32 ground) {
    const auto triangle = [&](float x, float dir) {
        list.AddTriangleFilled({c.x + x - dir * r * 0.5f, c.y - r * 0.75f}, {c.x + x + dir * r * 0.65f, c.y},
                               {c.x + x - dir * r * 0.5f, c.y + r * 0.75f}, colour);
    };
    const auto bar = [&](float x, float w) {
        list.AddRectFilled({c.x + x - w / 2, c.y - r * 0.75f}, {c.x + x + w / 2, c.y + r * 0.75f}, colour);
    };
    switch (icon) {
        case Icon::play:
            triangle(0, 1.2f);
            break;
        case Icon::pause:
            bar(-r * 0.4f, r * 0.42f);
            bar(r * 0.4f, r * 0.42f);
            break;
        case Icon::first:
            bar(-r * 0.65f, r * 0.25f);
            triangle(r * 0.1f, -1);
            break;
        case Icon::last:
            triangle(-r * 0.1f, 1);
            bar(r * 0.65f, r * 0.25f);
            break;
        case Icon::back:
            triangle(-r * 0.1f, -1);
            bar(r * 0.65f, r * 0.2f);
            break;
        case Icon::forward:
            bar(-r * 0.65f, r * 0.2f);
            triangle(r * 0.1f, 1);
            break;
        case Icon::event_back:
        case Icon::event_forward: {
            const float d = icon == Icon::event_back ? -1.0f : 1.0f;
            triangle(-d * r * 0.4f, d * 0.8f);
            list.AddQuadFilled({c.x + d * r * 0.6f, c.y - r * 0.5f}, {c.x + d * r * 0.6f + r * 0.4f, c.y},
                               {c.x + d * r * 0.6f, c.y + r * 0.5f}, {c.x + d * r * 0.6f - r * 0.4f, c.y}, colour);
            break;
        }
        case Icon::sun:
            list.AddCircleFilled(c, r * 0.42f, colour, 16);
            for (int k = 0; k < 8; ++k) {
                const float a = static_cast<float>(k) * 0.7854f, s = std::sin(a), o = std::cos(a);
                list.AddLine({c.x + o * r * 0.62f, c.y + s * r * 0.62f}, {c.x + o * r * 0.95f, c.y + s * r * 0.95f},
                             colour, r * 0.16f);
            }
            break;
        case Icon::moon:
            list.AddCircleFilled(c, r * 0.85f, colour, 24);
            list.AddCircleFilled({c.x + r * 0.42f, c.y - r * 0.3f}, r * 0.72f, ground, 24);
            break;
        case Icon::camera:
            list.AddRectFilled({c.x - r * 0.95f, c.y - r * 0.5f}, {c.x + r * 0.95f, c.y + r * 0.7f}, colour, r * 0.2f);
            list.AddRectFilled({c.x - r * 0.35f, c.y - r * 0.8f}, {c.x + r * 0.35f, c.y - r * 0.4f}, colour, r * 0.1f);
            list.AddCircle({c.x, c.y + r * 0.1f}, r * 0.34f, ground, 16, r * 0.2f);
            break;
        case Icon::help: {
            ImFont* font = ImGui::GetFont();
            const float size = r * 2.2f;
            const ImVec2 s = font->CalcTextSizeA(size, 1e6f, 0, "?");
            list.AddText(font, size, {c.x - s.x / 2, c.y - s.y / 2}, colour, "?");
            break;
        }
        case Icon::copy:
            list.AddRect({c.x - r * 0.75f, c.y - r * 0.75f}, {c.x + r * 0.3f, c.y + r * 0.4f}, colour, r * 0.15f, 0,
                         r * 0.18f);
            list.AddRectFilled({c.x - r * 0.3f, c.y - r * 0.35f}, {c.x + r * 0.75f, c.y + r * 0.8f}, colour, r * 0.15f);
            break;
        case Icon::fit:
            for (const float sx : {-1.0f, 1.0f})
                for (const float sy : {-1.0f, 1.0f}) {
                    const ImVec2 p{c.x + sx * r * 0.8f, c.y + sy * r * 0.8f};
                    list.AddLine(p, {p.x - sx * r * 0.55f, p.y}, colour, r * 0.2f);
                    list.AddLine(p, {p.x, p.y - sy * r * 0.55f}, colour, r * 0.2f);
                }
            break;
        case Icon::loop:
            list.PathArcTo(c, r * 0.7f, -2.6f, 2.0f, 24);
            list.PathStroke(colour, 0, r * 0.22f);
            list.AddTriangleFilled({c.x - r * 1.0f, c.y - r * 0.15f}, {c.x - r * 0.25f, c.y - r * 0.2f},
                                   {c.x - r * 0.65f, c.y - r * 0.85f}, colour);
            break;
    }
}

}  // namespace

void Ui::say(std::string text) {
    message = std::move(text);
    message_until = ImGui::GetTime() + 4;
}

void note(Ui& ui, const std::string& name) { ui.rects[name] = {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}; }

void hint(const std::string& text) {
    if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 22);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

std::string fitted(const std::string& text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    std::string out = text;
    while (!out.empty() && ImGui::CalcTextSize((out + "…").c_str()).x > width) {
        out.pop_back();
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80) out.pop_back();
    }
    return out + "…";
}

void heading(const Ui& ui, const std::string& text) {
    ImGui::Dummy({0, ui.px(2)});
    ImGui::PushFont(ui.bold);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopFont();
}

void draw_colour_mark(const Ui& ui, ImDrawList& list, ImVec2 centre, float radius, std::size_t round) {
    const ImU32 light = paint(ui.colours().paper);
    const std::size_t mark = round == 0 ? 0 : (round - 1) % 3 + 1;
    if (mark == 1 || mark == 3) list.AddCircleFilled(centre, radius * 0.34f, light, 16);
    if (mark == 2 || mark == 3) list.AddCircle(centre, radius * 0.66f, light, 20, std::max(1.0f, radius * 0.2f));
}

void text_faint(const Ui& ui, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, vec(ui.colours().faint));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
}

void wrapped(const Ui& ui, const std::string& text) {
    ImGui::PushTextWrapPos(0);
    text_faint(ui, text);
    ImGui::PopTextWrapPos();
}

bool wide_button(Ui& ui, const std::string& name, const std::string& label, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button((label + "##" + name).c_str(), {ImGui::GetContentRegionAvail().x, 0});
    ImGui::EndDisabled();
    note(ui, name);
    return pressed && enabled;
}

bool chip(Ui& ui, const std::string& name, const std::string& label, bool on, Colour colour, const std::string& tip,
          bool enabled, float width) {
    const Theme& t = ui.colours();
    ImGui::PushFont(ui.small);
    const ImVec2 text = ImGui::CalcTextSize(label.c_str());
    const ImVec2 size{width > 0 ? width : text.x + ui.px(14), ui.px(21)};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton(name.c_str(), size) && enabled;
    if (!ImGui::IsItemVisible()) {
        ImGui::PopFont();
        return pressed;
    }
    const bool hovered = enabled && ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + size.x, at.y + size.y};
    const Colour ground = on ? mix(t.panel, colour, t.dark ? 0.42 : 0.24) : mix(t.panel, t.text, hovered ? 0.12 : 0.05);
    list.AddRectFilled(at, end, paint(ground, enabled ? 1 : 0.5), ui.px(5));
    if (on) list.AddRect(at, end, paint(colour), ui.px(5), 0, ui.px(1));
    list.AddText({at.x + (size.x - text.x) / 2, at.y + (size.y - text.y) / 2},
                 paint(on ? t.text : t.faint, enabled ? 1 : 0.45), label.c_str());
    note(ui, name);
    ImGui::PopFont();
    hint(tip);
    return pressed;
}

bool tri_box(Ui& ui, const std::string& name, Tri state, const std::string& tip) {
    const Theme& t = ui.colours();
    const float side = ui.px(15);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton(name.c_str(), {side, ui.px(21)});
    const bool hovered = ImGui::IsItemHovered();
    note(ui, name);
    hint(tip);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 a{at.x, at.y + ui.px(3)}, b{a.x + side, a.y + side};
    if (state == Tri::off) {
        list.AddRectFilled(a, b, paint(t.raised), ui.px(3.5f));
        list.AddRect(a, b, paint(hovered ? t.text : t.faint), ui.px(3.5f), 0, ui.px(1.2f));
        return pressed;
    }
    list.AddRectFilled(a, b, paint(t.accent, hovered ? 0.85 : 1), ui.px(3.5f));
    const ImU32 ink = paint(t.on_accent);
    if (state == Tri::some) {
        list.AddRectFilled({a.x + side * 0.22f, a.y + side * 0.43f}, {b.x - side * 0.22f, b.y - side * 0.43f}, ink);
    } else {
        const ImVec2 tick[] = {{a.x + side * 0.22f, a.y + side * 0.52f},
                               {a.x + side * 0.42f, a.y + side * 0.72f},
                               {a.x + side * 0.79f, a.y + side * 0.3f}};
        list.AddPolyline(tick, 3, ink, 0, ui.px(2));
    }
    return pressed;
}

bool icon_button(Ui& ui, const std::string& name, Icon icon, const std::string& tip, bool on) {
    const Theme& t = ui.colours();
    const float side = ui.px(28);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton(name.c_str(), {side, side});
    const bool hovered = ImGui::IsItemHovered();
    note(ui, name);
    hint(tip);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Colour ground = on ? t.accent : hovered ? mix(t.panel, t.text, 0.12) : t.panel;
    if (hovered || on) list.AddRectFilled(at, {at.x + side, at.y + side}, paint(ground), ui.px(6));
    draw_icon(list, icon, {at.x + side / 2, at.y + side / 2}, side * 0.3f, paint(on ? t.on_accent : t.text),
              paint(ground));
    return pressed;
}

}  // namespace outrider::view
