// For skipping what was visited already; never use it to define an order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace outrider {

/// The addresses that were seen before.
class PointerSet {
  public:
    /// Whether it is seen for the first time.
    bool insert(const void* p) {
        if (p == last_) return false;
        last_ = p;
        if (table_.empty()) {
            if (std::find(few_.begin(), few_.end(), p) != few_.end()) return false;
            few_.push_back(p);
            if (few_.size() == most_few) spread(8 * most_few);
            return true;
        }
        if (!place(p)) return false;
        if (++count_ * 2 > table_.size()) spread(4 * table_.size());
        return true;
    }
    void clear() {
        few_.clear();
        table_.clear();
        last_ = nullptr;
    }

  private:
    static constexpr std::size_t most_few = 16;
    bool place(const void* p) {
        const std::size_t mask = table_.size() - 1;
        std::size_t i = (reinterpret_cast<std::uintptr_t>(p) * 0x9E3779B97F4A7C15) >> 32 & mask;
        for (;; i = (i + 1) & mask) {
            if (table_[i] == p) return false;
            if (table_[i]) continue;
            table_[i] = p;
            return true;
        }
    }
    void spread(std::size_t size) {
        std::vector<const void*> before = table_.empty() ? few_ : std::move(table_);
        table_.assign(size, nullptr);
        count_ = 0;
        for (const void* p : before)
            if (p) count_ += place(p);
    }
    std::vector<const void*> few_, table_;  // few: a list; more of them: a hash table, size a power of two
    std::size_t count_ = 0;
    const void* last_ = nullptr;
};

}  // namespace outrider
