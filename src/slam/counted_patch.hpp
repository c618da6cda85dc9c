// The parts of a map of counts; for its own files only.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>

#include "slam/counted_map.hpp"

namespace outrider {

inline int patch_of(int cell) { return cell >> 5; }
inline std::size_t cell_in_patch(Cell c) { return static_cast<std::size_t>((c.y & 31) << 5 | (c.x & 31)); }

struct CountedMap::Patch {
    std::array<std::uint8_t, patch_size * patch_size> seen{}, hits{};
    std::array<std::uint16_t, patch_size * patch_size> near{};  // which offset leads to the nearest wall; 0: none
    struct Means {
        std::array<std::uint8_t, patch_size * patch_size> x{}, y{};    // of the hits in a cell, 1/256 of it
        std::array<std::uint8_t, patch_size * patch_size> averaged{};  // hits, up to a limit
    };
    std::unique_ptr<Means> means;  // none: nothing was averaged
    std::weak_ptr<Packed> packed;  // this content, packed; copies of the map that share the patch share that

    Patch() = default;
    Patch(const Patch& o)
        : seen(o.seen), hits(o.hits), near(o.near), means(o.means ? std::make_unique<Means>(*o.means) : nullptr) {}
    std::size_t bytes() const { return sizeof(Patch) + (means ? sizeof(Means) : 0); }
};

/// A patch, compressed. The maps that share it get the same unpacked patch as long as one of them holds it.
class CountedMap::Packed {
  public:
    static std::shared_ptr<Packed> of(const std::shared_ptr<Patch>& patch);
    /// Thread-safe.
    std::shared_ptr<Patch> open();
    std::size_t bytes() const { return sizeof(Packed) + bytes_.capacity(); }

  private:
    std::string bytes_;
    bool means_ = false;
    std::weak_ptr<Patch> opened_;
    std::weak_ptr<Packed> self_;
    std::mutex mutex_;
};

/// What depends on the horizon alone.
struct CountedMap::Shape {
    int horizon;
    SpreadTree tree;
    std::vector<Cell> offsets;         // from a cell to its wall; [0] is unused
    std::vector<int> squared;          // their lengths; [0]: beyond the horizon
    std::vector<double> metres;        // likewise
    std::vector<std::uint16_t> index;  // of an offset, by row and column

    Shape(int horizon_cells, double horizon_m, double cell_m)
        : horizon(horizon_cells),
          tree(horizon_cells),
          offsets{{0, 0}},
          squared{horizon * horizon + 1},
          metres{horizon_m} {
        index.assign(static_cast<std::size_t>((2 * horizon + 1) * (2 * horizon + 1)), 0);
        for (int y = -horizon; y <= horizon; ++y)
            for (int x = -horizon; x <= horizon; ++x) {
                const int d2 = x * x + y * y;
                if (d2 > horizon * horizon) continue;
                index[at({x, y})] = static_cast<std::uint16_t>(offsets.size());
                offsets.push_back({x, y});
                squared.push_back(d2);
                metres.push_back(std::min(horizon_m, std::sqrt(static_cast<double>(d2)) * cell_m));
            }
    }
    std::size_t at(Cell offset) const {
        return static_cast<std::size_t>((offset.y + horizon) * (2 * horizon + 1) + offset.x + horizon);
    }
};

}  // namespace outrider
