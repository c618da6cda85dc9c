// A copy of a whole run. Its parts refer to each other, and so must their copies: as long as a WholeCopy lives, copy
// constructors that run in its thread look up in it what stands in the place of something that they refer to.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace outrider {

/// Thrown within a copy of a run by a part that cannot be copied.
struct CannotCopy {};

class WholeCopy {
  public:
    WholeCopy();
    ~WholeCopy();
    WholeCopy(const WholeCopy&) = delete;
    WholeCopy& operator=(const WholeCopy&) = delete;

    /// The one that is going on in this thread; nullptr: none.
    static WholeCopy* now();
    /// What stands in the place of `original` in the copy: its copy, made when it is first asked for.
    template <class T>
    std::shared_ptr<T> of(const std::shared_ptr<T>& original) {
        for (const auto& [before, after] : copies_)
            if (before == original.get()) return std::static_pointer_cast<T>(after);
        auto copy = std::make_shared<T>(*original);
        copies_.emplace_back(original.get(), copy);
        return copy;
    }

  private:
    WholeCopy* outer_;
    std::vector<std::pair<const void*, std::shared_ptr<void>>> copies_;
};

}  // namespace outrider
