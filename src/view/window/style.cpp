// Fonts and colours of the widgets.
#include <filesystem>

#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

/// The first of these fonts that is installed.
std::string first_font(std::initializer_list<const char*> paths) {
    for (const char* path : paths)
        if (std::filesystem::exists(path)) return path;
    return {};
}

ImFont* load(const std::string& path, float size, const ImFontConfig& base) {
    ImFontConfig config = base;
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    static const ImWchar ranges[] = {0x20, 0xFF, 0x2013, 0x2026, 0x2190, 0x2193, 0};
    if (!path.empty())
        if (ImFont* font = atlas.AddFontFromFileTTF(path.c_str(), size, &config, ranges)) return font;
    config.SizePixels = size;
    return atlas.AddFontDefault(&config);
}

}  // namespace

ImU32 paint(Colour c, double opacity) {
    return IM_COL32(c.red, c.green, c.blue, static_cast<int>(opacity * 255 + 0.5));
}

ImVec4 vec(Colour c, double opacity) {
    return {static_cast<float>(c.red) / 255, static_cast<float>(c.green) / 255, static_cast<float>(c.blue) / 255,
            static_cast<float>(opacity)};
}

void load_fonts(Ui& ui) {
    ImGui::GetIO().Fonts->Clear();
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 2;
    config.PixelSnapH = false;
    const std::string regular =
        first_font({"/usr/share/fonts/opentype/inter/Inter-Medium.otf",
                    "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
                    "/usr/share/fonts/truetype/open-sans/OpenSans-Regular.ttf",
                    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf"});
    const std::string bold = first_font({"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
                                         "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
                                         "/usr/share/fonts/truetype/open-sans/OpenSans-Semibold.ttf",
                                         "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf",
                                         "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
                                         "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf"});
    ui.regular = load(regular, ui.px(14), config);
    ui.bold = load(bold, ui.px(14), config);
    ui.small = load(regular, ui.px(12), config);
    ui.large = load(bold, ui.px(19), config);
    ImGui::GetIO().FontDefault = ui.regular;
}

void apply_style(const Ui& ui) {
    const Theme& t = ui.colours();
    ImGuiStyle style;
    style.WindowPadding = {12, 10};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {6, 4};
    style.CellPadding = {6, 3};
    style.WindowRounding = style.ChildRounding = 0;
    style.FrameRounding = style.PopupRounding = style.GrabRounding = style.TabRounding = 5;
    style.ScrollbarSize = 11;
    style.ScrollbarRounding = 6;
    style.WindowBorderSize = style.FrameBorderSize = 0;
    style.PopupBorderSize = 1;
    style.ScaleAllSizes(ui.scale);
    const auto set = [&](ImGuiCol which, Colour c, double opacity = 1) { style.Colors[which] = vec(c, opacity); };
    set(ImGuiCol_Text, t.text);
    set(ImGuiCol_TextDisabled, t.faint);
    set(ImGuiCol_WindowBg, t.panel);
    set(ImGuiCol_ChildBg, t.panel, 0);
    set(ImGuiCol_PopupBg, t.raised);
    set(ImGuiCol_Border, t.line);
    for (const ImGuiCol c : {ImGuiCol_FrameBg, ImGuiCol_Button, ImGuiCol_TableHeaderBg})
        set(c, mix(t.panel, t.text, 0.07));
    for (const ImGuiCol c : {ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered, ImGuiCol_HeaderHovered})
        set(c, mix(t.panel, t.text, 0.13));
    for (const ImGuiCol c : {ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive})
        set(c, mix(t.panel, t.text, 0.2));
    set(ImGuiCol_Header, mix(t.panel, t.accent, 0.18));
    set(ImGuiCol_CheckMark, t.accent);
    set(ImGuiCol_SliderGrab, t.accent);
    set(ImGuiCol_SliderGrabActive, t.accent);
    set(ImGuiCol_Separator, t.line);
    set(ImGuiCol_ScrollbarBg, t.panel, 0);
    set(ImGuiCol_ScrollbarGrab, mix(t.panel, t.text, 0.2));
    set(ImGuiCol_ScrollbarGrabHovered, mix(t.panel, t.text, 0.3));
    set(ImGuiCol_ScrollbarGrabActive, mix(t.panel, t.text, 0.4));
    set(ImGuiCol_TableBorderLight, t.line, 0.6);
    set(ImGuiCol_TableBorderStrong, t.line);
    set(ImGuiCol_TableRowBgAlt, t.text, 0.03);
    set(ImGuiCol_TextSelectedBg, t.accent, 0.3);
    set(ImGuiCol_PlotLines, t.accent);
    ImGui::GetStyle() = style;
}

}  // namespace outrider::view
