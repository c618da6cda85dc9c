// Symmetric sparse matrices with a square block for each pair of neighbours of a graph. The pattern and the order of
// elimination are found once, and serve for blocks of any size.
#pragma once

#include <Eigen/Sparse>
#include <cstdint>
#include <utility>
#include <vector>

namespace outrider {

struct FactorCost {
    std::int64_t blocks = 0, products = 0;
};

class BlockPattern {
  public:
    /// Unknowns 0 to count - 1, and pairs of them that have a block.
    BlockPattern(int count, const std::vector<std::pair<int, int>>& pairs);

    int count() const { return static_cast<int>(place_.size()); }
    /// Where an unknown is in the order of elimination.
    int place(int unknown) const { return place_[static_cast<std::size_t>(unknown)]; }

    /// How many blocks its Cholesky factor has below the diagonal, and how many products of two blocks it takes to make
    /// it: counted without making it, along the elimination tree (Liu, SIAM Journal on Matrix Analysis and Applications
    /// 11, 1990), until there are `most` blocks.
    FactorCost factor_cost(std::int64_t most) const;

    /// A matrix of zeros with this pattern, of which the lower triangle is kept; blocks of size x size.
    template <class Number>
    Eigen::SparseMatrix<Number> zeros(int size) const;

    /// Number of the first entry of column c of the block (row, column), for places row > column; its entries follow
    /// row by row.
    int below(int size, int row, int column, int c) const {
        return column_begin(size, column, c) + size - c + size * index(row, column);
    }
    /// The same for the block on the diagonal; the entries of rows c to size - 1.
    int diagonal(int size, int column, int c) const { return column_begin(size, column, c); }

  private:
    int index(int row, int column) const;
    int column_begin(int size, int column, int c) const {
        const int under = begin_[static_cast<std::size_t>(column) + 1] - begin_[static_cast<std::size_t>(column)];
        const int before = column * size * (size + 1) / 2 + begin_[static_cast<std::size_t>(column)] * size * size;
        return before + c * (size + size * under) - c * (c - 1) / 2;
    }

    std::vector<int> place_;
    std::vector<int> begin_, rows_;  // blocks below the diagonal, by column
};

template <class Number>
Eigen::SparseMatrix<Number> BlockPattern::zeros(int size) const {
    const int n = count() * size;
    Eigen::SparseMatrix<Number> out(n, n);
    const auto blocks = static_cast<int>(rows_.size());
    out.resizeNonZeros(count() * size * (size + 1) / 2 + blocks * size * size);
    int at = 0;
    for (int column = 0; column < count(); ++column)
        for (int c = 0; c < size; ++c) {
            out.outerIndexPtr()[column * size + c] = at;
            for (int r = c; r < size; ++r) out.innerIndexPtr()[at++] = column * size + r;
            for (int k = begin_[static_cast<std::size_t>(column)]; k < begin_[static_cast<std::size_t>(column) + 1];
                 ++k)
                for (int r = 0; r < size; ++r)
                    out.innerIndexPtr()[at++] = rows_[static_cast<std::size_t>(k)] * size + r;
        }
    out.outerIndexPtr()[n] = at;
    std::fill_n(out.valuePtr(), at, Number{});
    return out;
}

}  // namespace outrider
