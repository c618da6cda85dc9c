// What kind of map a file is, by its content, and what a file is that is none.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/input.hpp"

namespace outrider {

enum class MapKind { image, ros_yaml, movingai, text, stage, houseexpo, svg, none };

/// The kinds that are read, in the order of MapKind.
std::span<const FileFormat> map_formats();
/// What is said of files that are no maps: what they are, how they begin, and how to make a map of them.
struct ForeignFormat {
    std::string_view what, advice;
};
std::span<const ForeignFormat> foreign_map_formats();

/// By the first bytes of a file and, where these do not tell or are not there, by its name.
MapKind map_kind(const std::string& path);
/// "it is a PDF; convert it: ..." of a file that is certainly something else; empty: nobody knows.
std::string foreign_file(std::string_view begin);
/// Throws Error of a file that is certainly no map: what it is, what can be read instead.
void refuse_foreign_map(const std::string& path);

}  // namespace outrider
