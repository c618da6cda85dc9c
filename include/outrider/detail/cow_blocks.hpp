// A row of blocks that copies share until one of them writes: used for what many robots remember of a large team.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace outrider {

/// Copying shares all blocks; edit() clones a block unless this row made it since it was last copied. A bit of its own
/// says so, never a reference count. A row that somebody may still edit is copied by its owner's thread alone.
template <class Block>
class CowBlocks {
  public:
    CowBlocks() = default;
    CowBlocks(const CowBlocks& other) { *this = other; }
    CowBlocks(CowBlocks&&) noexcept = default;
    CowBlocks& operator=(CowBlocks&&) noexcept = default;
    CowBlocks& operator=(const CowBlocks& other) {
        other.give_up_own();
        slots_ = other.slots_;
        return *this;
    }
    ~CowBlocks() = default;

    std::size_t size() const { return slots_.size(); }
    const Block& operator[](std::size_t i) const { return *slots_[i].block; }
    /// Whether both hold the same block there.
    bool shared(std::size_t i, const CowBlocks& other) const { return slots_[i].block == other.slots_[i].block; }
    /// Adds default blocks, up to so many.
    void grow(std::size_t size) {
        while (slots_.size() < size) slots_.push_back({std::make_shared<Block>(), true});
    }
    Block& edit(std::size_t i) {
        Slot& slot = slots_[i];
        if (!slot.own) slot = {std::make_shared<Block>(*slot.block), true};
        return *slot.block;
    }

    /// Replaces each block that may still be edited by what `with` returns for it; it is shared from now on.
    template <class With>
    void replace_own(With&& with) {
        for (Slot& slot : slots_)
            if (slot.own) slot = {with(std::move(slot.block)), false};
    }

  private:
    struct Slot {
        std::shared_ptr<Block> block;
        mutable bool own = false;
    };
    void give_up_own() const {
        for (const Slot& slot : slots_)
            if (slot.own) slot.own = false;
    }
    std::vector<Slot> slots_;
};

}  // namespace outrider
