// What the snapshots of a plane are made of: lists that share all unchanged parts with the previous list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "outrider/detail/tiles.hpp"

namespace outrider {

/// A list of (coordinate, node) by row, then column, in chunks.
template <class Node>
class BlockList {
  public:
    using Entry = std::pair<TileCoord, Node>;

    BlockList() = default;
    /// The entries of `now`, which point to nodes; a chunk that is the same in `before` is shared with it.
    template <class Source>
    BlockList(const BlockList& before, const std::vector<std::pair<TileCoord, const Source*>>& now)
        : size_(now.size()) {
        for (std::size_t begin = 0; begin < size_; begin += chunk_size) {
            const auto part = std::span(now).subspan(begin, std::min(chunk_size, size_ - begin));
            const std::size_t c = begin / chunk_size;
            const auto same = [](const Entry& a, const auto& b) { return a.first == b.first && a.second == *b.second; };
            if (c < before.chunks_.size() &&
                std::equal(before.chunks_[c]->begin(), before.chunks_[c]->end(), part.begin(), part.end(), same)) {
                chunks_.push_back(before.chunks_[c]);
                continue;
            }
            auto chunk = std::make_shared<std::vector<Entry>>();
            chunk->reserve(part.size());
            for (const auto& [at, node] : part) chunk->emplace_back(at, *node);
            chunks_.push_back(std::move(chunk));
        }
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Entry& operator[](std::size_t i) const { return (*chunks_[i / chunk_size])[i % chunk_size]; }

    class Iterator {
      public:
        Iterator(const BlockList& list, std::size_t at) : list_(&list), at_(at) {}
        const Entry& operator*() const { return (*list_)[at_]; }
        const Entry* operator->() const { return &(*list_)[at_]; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        bool operator==(const Iterator&) const = default;

      private:
        const BlockList* list_;
        std::size_t at_;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size_}; }
    /// nullptr: there is none.
    const Node* find(TileCoord at) const {
        std::size_t low = 0, high = size_;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if ((*this)[middle].first < at)
                low = middle + 1;
            else
                high = middle;
        }
        return low < size_ && (*this)[low].first == at ? &(*this)[low].second : nullptr;
    }

  private:
    static constexpr std::size_t chunk_size = 16;
    std::size_t size_ = 0;
    std::vector<std::shared_ptr<const std::vector<Entry>>> chunks_;
};

}  // namespace outrider
