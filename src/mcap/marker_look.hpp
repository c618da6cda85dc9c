// How a part of a drawing looks as a visualization_msgs/Marker.
#pragma once

#include <array>
#include <cstdint>

#include "mcap/messages.hpp"

namespace outrider {

/// What of a marker differs from item to item.
struct MarkerLook {
    enum Type : std::int32_t {
        arrow,
        cylinder = 3,
        line_strip,
        line_list,
        sphere_list = 7,
        text = 9,
        triangle_list = 11
    };
    std::int32_t type;
    std::array<double, 3> scale;
};

inline MarkerLook look_of(const SceneItem& item) {
    const double size = item.size_m;
    switch (item.kind) {
        case SceneItem::Kind::disc:
            return {MarkerLook::cylinder, {size, size, disc_height_m}};
        case SceneItem::Kind::arrow:
            return {MarkerLook::arrow, {size, 0.2 * size, 0.2 * size}};
        case SceneItem::Kind::dots:
            return {MarkerLook::sphere_list, {size, size, size}};
        case SceneItem::Kind::line:
            return {MarkerLook::line_strip, {size, 0, 0}};
        case SceneItem::Kind::segments:
            return {MarkerLook::line_list, {size, 0, 0}};
        case SceneItem::Kind::triangles:
            return {MarkerLook::triangle_list, {1, 1, 1}};
        case SceneItem::Kind::text:
            break;
    }
    return {MarkerLook::text, {0, 0, size}};
}

inline constexpr std::int32_t marker_add = 0, marker_delete_all = 3;

}  // namespace outrider
