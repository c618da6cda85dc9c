#include "slam/counted_patch.hpp"

#include <zlib.h>

#include "outrider/error.hpp"

namespace outrider {
namespace {

/// The planes of a patch, one after the other, in and out of a string of bytes.
template <class Patch, class Visit>
void for_each_plane(Patch& patch, Visit&& visit) {
    visit(patch.seen);
    visit(patch.hits);
    visit(patch.near);
    if (!patch.means) return;
    visit(patch.means->x);
    visit(patch.means->y);
    visit(patch.means->averaged);
}

}  // namespace

std::shared_ptr<CountedMap::Packed> CountedMap::Packed::of(const std::shared_ptr<Patch>& patch) {
    if (auto there = patch->packed.lock()) return there;
    std::string plain;
    for_each_plane(*patch, [&](const auto& plane) {
        plain.append(reinterpret_cast<const char*>(plane.data()), plane.size() * sizeof(plane[0]));
    });
    auto packed = std::make_shared<Packed>();
    uLongf size = compressBound(plain.size());
    std::string bytes(size, '\0');
    const int result = compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                                 reinterpret_cast<const Bytef*>(plain.data()), plain.size(), Z_BEST_SPEED);
    OUTRIDER_CHECK(result, ==, Z_OK);
    packed->bytes_.assign(bytes.data(), size);
    packed->means_ = patch->means != nullptr;
    packed->opened_ = patch;
    packed->self_ = packed;
    patch->packed = packed;
    return packed;
}

std::shared_ptr<CountedMap::Patch> CountedMap::Packed::open() {
    const std::lock_guard lock(mutex_);
    if (auto there = opened_.lock()) return there;
    auto patch = std::make_shared<Patch>();
    if (means_) patch->means = std::make_unique<Patch::Means>();
    std::size_t bytes = 0;
    for_each_plane(*patch, [&](const auto& plane) { bytes += plane.size() * sizeof(plane[0]); });
    std::string plain(bytes, '\0');
    uLongf size = plain.size();
    const int result = uncompress(reinterpret_cast<Bytef*>(plain.data()), &size,
                                  reinterpret_cast<const Bytef*>(bytes_.data()), bytes_.size());
    OUTRIDER_CHECK(result, ==, Z_OK);
    const char* from = plain.data();
    for_each_plane(*patch, [&](auto& plane) {
        std::copy_n(from, plane.size() * sizeof(plane[0]), reinterpret_cast<char*>(plane.data()));
        from += plane.size() * sizeof(plane[0]);
    });
    patch->packed = self_;
    opened_ = patch;
    return patch;
}

}  // namespace outrider
