// Sets of blocks of a map, a bit for each: of the whole map, or of a box of it whose words are aligned with those of
// the whole, so that they are joined word by word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace outrider {

/// Rows of words; bits outside of the box are zero.
struct BitBox {
    int row = 0, rows = 0;    ///< of the whole map, from the first
    int word = 0, words = 0;  ///< likewise, of 64 columns each
    std::vector<std::uint64_t> bits;
};

/// A bit of it becomes zero; nothing outside of it.
inline void clear_bit(BitBox& box, int column, int row) {
    const int w = column / 64 - box.word, r = row - box.row;
    if (w < 0 || w >= box.words || r < 0 || r >= box.rows) return;
    box.bits[static_cast<std::size_t>(r * box.words + w)] &= ~(std::uint64_t{1} << (column % 64));
}

class BitMap {
  public:
    BitMap() = default;
    BitMap(int columns, int rows) : rows_(rows), words_((columns + 63) / 64) {
        bits_.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(words_));
    }
    int rows() const { return rows_; }
    int words() const { return words_; }
    void set(int column, int row) { bits_[at(row, column / 64)] |= std::uint64_t{1} << (column % 64); }
    bool test(int column, int row) const { return bits_[at(row, column / 64)] >> (column % 64) & 1; }
    void clear() { std::fill(bits_.begin(), bits_.end(), 0); }

    /// How many bits of the box are not in here.
    int news(const BitBox& box) const {
        int sum = 0;
        for_each_word(box, [&](std::size_t k, std::uint64_t word) { sum += std::popcount(word & ~bits_[k]); });
        return sum;
    }
    bool meets(const BitBox& box) const {
        std::uint64_t any = 0;
        for_each_word(box, [&](std::size_t k, std::uint64_t word) { any |= word & bits_[k]; });
        return any != 0;
    }
    void add(const BitBox& box) {
        for_each_word(box, [&](std::size_t k, std::uint64_t word) { bits_[k] |= word; });
    }
    int count() const {
        int sum = 0;
        for (const std::uint64_t word : bits_) sum += std::popcount(word);
        return sum;
    }
    /// The smallest box that holds these rows and columns of it, both ends included; then trimmed to its bits.
    BitBox box(int first_row, int last_row, int first_column, int last_column) const {
        BitBox box;
        int low = words_, high = -1, top = -1;
        box.row = rows_;
        for (int row = std::max(0, first_row); row <= std::min(last_row, rows_ - 1); ++row)
            for (int w = std::max(0, first_column) / 64; w <= std::min(last_column / 64, words_ - 1); ++w)
                if (bits_[at(row, w)]) {
                    low = std::min(low, w);
                    high = std::max(high, w);
                    box.row = std::min(box.row, row);
                    top = row;
                }
        if (top < 0) return {};
        box.rows = top - box.row + 1;
        box.word = low;
        box.words = high - low + 1;
        for (int row = box.row; row <= top; ++row)
            for (int w = low; w <= high; ++w) box.bits.push_back(bits_[at(row, w)]);
        return box;
    }
    BitBox whole() const { return box(0, rows_ - 1, 0, 64 * words_ - 1); }

  private:
    std::size_t at(int row, int word) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(words_) + static_cast<std::size_t>(word);
    }
    template <class Visit>
    void for_each_word(const BitBox& box, Visit&& visit) const {
        const std::uint64_t* word = box.bits.data();
        for (int row = 0; row < box.rows; ++row) {
            const std::size_t first = at(box.row + row, box.word);
            for (std::size_t w = 0; w < static_cast<std::size_t>(box.words); ++w) visit(first + w, *word++);
        }
    }

    int rows_ = 0, words_ = 0;
    std::vector<std::uint64_t> bits_;
};

/// Calls visit(column, row) for each bit, row by row.
template <class Visit>
void for_each_bit(const BitBox& box, Visit&& visit) {
    const std::uint64_t* at = box.bits.data();
    for (int row = 0; row < box.rows; ++row)
        for (int w = 0; w < box.words; ++w)
            for (std::uint64_t word = *at++; word; word &= word - 1)
                visit(64 * (box.word + w) + std::countr_zero(word), box.row + row);
}

}  // namespace outrider
