#include "world/terrain.hpp"

#include <algorithm>

#include "outrider/detail/hash.hpp"
#include "world/sensable.hpp"

namespace outrider {

std::shared_ptr<const Terrain> Terrain::of(const Grid<std::uint8_t>& walls, Cell origin) {
    static std::mutex mutex;
    static std::map<Hash128, std::weak_ptr<const Terrain>> known;
    const Hash128 key = Hasher()(walls.width())(walls.height())(walls.lattice().cell_m)(origin.x)(origin.y)(
                            hash_bytes(walls.cells().data(), walls.cells().size()))
                            .result();
    const auto find = [&] {
        const std::lock_guard lock(mutex);
        const auto at = known.find(key);
        return at == known.end() ? nullptr : at->second.lock();
    };
    if (auto terrain = find()) return terrain;
    auto terrain = std::make_shared<const Terrain>(walls, origin);
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<const Terrain>& entry = known[key];
    if (auto other = entry.lock()) return other;  // another thread was faster
    entry = terrain;
    return terrain;
}

void Terrain::set(std::span<const Cell> cells, bool wall) {
    if (walls_)
        for (const Cell c : cells) (*walls_)[c] = wall;
    field_.set(cells, wall);
    grown_.clear();
    reaches_.clear();
}

const Grid<std::uint8_t>& Terrain::walls() const {
    const std::lock_guard lock(walls_mutex_);
    if (!walls_) walls_ = std::make_unique<Grid<std::uint8_t>>(field_.walls(lattice_));
    return *walls_;
}

const WallField& Terrain::obstacles(double radius_m) const {
    if (radius_m <= 0) return field_;
    const std::lock_guard lock(mutex_);
    const auto at = grown_.find(radius_m);
    if (at != grown_.end()) return at->second;
    return grown_.emplace(radius_m, WallField(grow_walls(walls(), lattice_.cells(radius_m)))).first->second;
}

const Reach& Terrain::reach(const Explorer& e) const {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const Reach& r) {
        return r.radius_m == e.radius_m && (e.radius_m == 0 || r.range_m == e.range_m) && r.cells.get(e.start, 0);
    };
    const auto at = std::find_if(reaches_.begin(), reaches_.end(), same);
    return at != reaches_.end() ? *at : reaches_.emplace_back(find_reach(*this, e));
}

}  // namespace outrider
