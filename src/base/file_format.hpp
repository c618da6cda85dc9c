// A kind of file that can be read: for the list that people are shown.
#pragma once

#include <string_view>

namespace outrider {

struct FileFormat {
    std::string_view name;      ///< and versions, where there are several
    std::string_view told_by;   ///< how the reader knows such a file
    std::string_view taken;     ///< what is read of it
    std::string_view left_out;  ///< what it can hold besides
};

}  // namespace outrider
