// The columns of a chunk of a full log, and how values go into them and out of them.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "log/log_format.hpp"
#include "log/scan_codec.hpp"

namespace outrider {

/// The columns of a chunk: single bits, whole numbers, ranges of scans, ranges that were not predicted, doubles, texts.
struct StepColumns {
    std::string bits, integers, ranges, jumps, numbers, texts;
    struct Column {
        std::string_view name;
        std::string StepColumns::*bytes;
        bool packed;  ///< whether compressing makes it smaller
    };
    static const std::array<Column, 6> all;
};

inline const std::array<StepColumns::Column, 6> StepColumns::all{{{"bits", &StepColumns::bits, true},
                                                                  {"integers", &StepColumns::integers, true},
                                                                  {"ranges", &StepColumns::ranges, true},
                                                                  {"jumps", &StepColumns::jumps, false},
                                                                  {"numbers", &StepColumns::numbers, false},
                                                                  {"texts", &StepColumns::texts, true}}};

/// Appends to the columns. One description of a step (step_fields.hpp) serves this and ColumnReader: the functions
/// have the same names. `when` stores a bit; the fields that depend on it follow.
class ColumnWriter {
  public:
    static constexpr bool reading = false;
    explicit ColumnWriter(StepColumns& columns) : columns_(columns) {}
    /// Forgets the texts; the columns are empty again.
    void begin() {
        texts_.clear();
        pending_bits_ = 0;
    }

    bool when(bool condition) {
        if (pending_bits_ == 0) columns_.bits += '\0';
        if (condition) columns_.bits.back() = static_cast<char>(columns_.bits.back() | 1 << pending_bits_);
        pending_bits_ = (pending_bits_ + 1) & 7;
        return condition;
    }
    template <class T>
    void integer(const T& value) {
        append_integer(columns_.integers, static_cast<std::int64_t>(value));
    }
    void number(double value) { append_number(columns_.numbers, value); }
    void text(const std::string& value) {  // each text once in a chunk
        const auto at = std::find(texts_.begin(), texts_.end(), value);
        integer(at - texts_.begin());
        if (at != texts_.end()) return;
        texts_.push_back(value);
        append_integer(columns_.texts, static_cast<std::int64_t>(value.size()));
        columns_.texts += value;
    }
    template <class V>
    void size(const V& list) {
        integer(list.size());
    }
    void ranges(const ScanCodec& codec, const std::vector<std::uint16_t>& r) {
        codec.write(r, columns_.ranges, columns_.jumps);
    }

  private:
    StepColumns& columns_;
    std::vector<std::string> texts_;
    int pending_bits_ = 0;
};

/// Takes from the columns. Throws Error at their end.
class ColumnReader {
  public:
    static constexpr bool reading = true;
    explicit ColumnReader(const StepColumns& c)
        : bits_(c.bits),
          ranges_(c.ranges),
          jumps_(c.jumps),
          integers_(c.integers),
          numbers_(c.numbers),
          text_(c.texts) {}

    bool when(bool) {
        if (bits_.empty()) fail("a chunk of the log ends too early");
        const bool bit = bits_.front() >> pending_bits_ & 1;
        pending_bits_ = (pending_bits_ + 1) & 7;
        if (pending_bits_ == 0) bits_.remove_prefix(1);
        return bit;
    }
    template <class T>
    void integer(T& value) {
        if constexpr (std::is_enum_v<T>) {
            value = read_choice<T>(integers_);
        } else {
            const std::int64_t v = integers_.integer();
            if (!std::in_range<T>(v)) fail("a chunk of the log holds the number {}, which cannot be there", v);
            value = static_cast<T>(v);
        }
    }
    void number(double& value) { value = numbers_.number(); }
    void text(std::string& value) {
        std::size_t index = 0;
        integer(index);
        if (index == texts_.size()) texts_.emplace_back(text_.text());
        if (index >= texts_.size()) fail("a chunk of the log refers to a text that it does not hold");
        value = texts_[index];
    }
    /// An entry takes a whole number, a double, or a third of a symbol of a range: no list has more entries than that.
    template <class V>
    void size(V& list) {
        std::uint64_t n = 0;
        integer(n);
        const std::uint64_t most = integers_.rest().size() + numbers_.rest().size() + 3 * ranges_.size();
        if (n > most) fail("a chunk of the log ends too early");
        if ((step_bytes_ += n * sizeof(typename V::value_type)) > memory_budget())
            fail("a step of the log takes more than the {} MiB that reading may take", memory_budget() / mebibyte);
        list.resize(n);
    }
    void begin_step() { step_bytes_ = 0; }
    void ranges(const ScanCodec& codec, std::vector<std::uint16_t>& r) { codec.read(ranges_, jumps_, r); }

  private:
    std::string_view bits_, ranges_, jumps_;
    ByteReader integers_, numbers_, text_;
    std::vector<std::string> texts_;
    int pending_bits_ = 0;
    std::uint64_t step_bytes_ = 0;
};

}  // namespace outrider
