#include "outrider/path.hpp"

#include <numbers>

#include "plan/search_memory.hpp"

namespace outrider {

SearchMemory& search_memory() {
    thread_local SearchMemory memory;
    return memory;
}

double Path::length_cells() const {
    std::size_t diagonal = 0;
    for (std::size_t i = 1; i < cells.size(); ++i)
        diagonal += cells[i].x != cells[i - 1].x && cells[i].y != cells[i - 1].y;
    const std::size_t all = cells.empty() ? 0 : cells.size() - 1;
    return static_cast<double>(all - diagonal) + std::numbers::sqrt2 * static_cast<double>(diagonal);
}

}  // namespace outrider
