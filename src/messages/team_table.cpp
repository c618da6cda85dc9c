#include <algorithm>
#include <bit>

#include "base/wide.hpp"
#include "messages/map_payload.hpp"
#include "outrider/detail/pointer_set.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// Bit i: the i-th number of `theirs` is greater than that of `mine`; 64 at most.
OUTRIDER_WIDE std::uint64_t newer_numbers(const std::uint32_t* theirs, const std::uint32_t* mine, std::size_t count) {
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < count; ++i) any |= theirs[i] > mine[i];
    std::uint64_t bits = 0;
    for (std::size_t i = 0; any && i < count; ++i) bits |= std::uint64_t{theirs[i] > mine[i]} << i;
    return bits;
}

}  // namespace

RecordSeries::RecordSeries(TeamRecord first, std::uint32_t capacity)
    : first_(first.seq), capacity_(capacity), records_(std::make_unique<TeamRecord[]>(capacity)) {
    records_[0] = std::move(first);
}

bool RecordSeries::append(TeamRecord& record) {
    if (size_ == capacity_ || record.seq != first_ + size_) return false;
    records_[size_++] = std::move(record);
    return true;
}

void TeamTable::push_back(TeamRecord record) {
    const std::uint32_t seq = record.seq;
    push_back(std::make_shared<const RecordSeries>(std::move(record)), seq);
}

void TeamTable::push_back(std::shared_ptr<const RecordSeries> series, std::uint32_t seq) {
    numbers_.grow(size_ / block_size + 1);
    series_.grow(size_ / block_size + 1);
    const TeamRecord& record = series->at(seq);
    put(size_++, std::move(series), record);
}

void TeamTable::set(std::size_t i, TeamRecord record) {
    const std::uint32_t seq = record.seq;
    const auto series = std::make_shared<const RecordSeries>(std::move(record));
    put(i, series, series->at(seq));
}

void TeamTable::say(std::size_t i, TeamRecord record, std::shared_ptr<RecordSeries>& series) {
    constexpr std::uint32_t capacity = 64;
    const std::uint32_t seq = record.seq;
    if (!series || !series->append(record)) series = std::make_shared<RecordSeries>(std::move(record), capacity);
    put(i, series, series->at(seq));
}

void TeamTable::put(std::size_t i, std::shared_ptr<const RecordSeries> series, const TeamRecord& record) {
    const std::size_t b = i / block_size, k = i % block_size;
    Numbers& numbers = numbers_.edit(b);
    numbers.seq[k] = record.seq;
    numbers.words_bytes[k] = static_cast<std::uint32_t>(words_bytes(record.words));
    if (series_[b].of[k] != series) series_.edit(b).of[k] = std::move(series);
}

void TeamTable::take_newer(std::span<const TeamTable* const> others) {
    for (const TeamTable* other : others) OUTRIDER_CHECK(other->size_, ==, size_);
    PointerSet seen;  // in a large team, many know the same of the robots of a block
    for (std::size_t b = 0; b < numbers_.size(); ++b) {
        seen.clear();
        for (const TeamTable* other : others)
            if (!numbers_.shared(b, other->numbers_) && (numbers_.size() == 1 || seen.insert(&other->numbers_[b])))
                take_newer(b, *other);
    }
}

void TeamTable::take_newer(std::size_t b, const TeamTable& other) {
    const Numbers& theirs = other.numbers_[b];
    std::uint64_t newer =
        newer_numbers(theirs.seq.data(), numbers_[b].seq.data(), std::min(block_size, size_ - b * block_size));
    if (!newer) return;
    Numbers& mine = numbers_.edit(b);
    const bool same_series = series_.shared(b, other.series_);
    for (; newer; newer &= newer - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(newer));
        mine.seq[k] = theirs.seq[k];
        mine.words_bytes[k] = theirs.words_bytes[k];
        if (!same_series && series_[b].of[k] != other.series_[b].of[k]) series_.edit(b).of[k] = other.series_[b].of[k];
    }
}

void TeamTable::share_equal() {
    if (numbers_.size() == 1) return;
    static constexpr char kind = 0;  // its address stands for blocks of numbers in the pool
    numbers_.replace_own([](std::shared_ptr<Numbers> block) {
        const Hash128 name = hash_bytes(block.get(), sizeof *block);
        // Nobody writes a block that the pool returned: it has no owner.
        return std::static_pointer_cast<Numbers>(
            std::const_pointer_cast<void>(intern_node(&kind, name, std::move(block))));
    });
}

TeamTable::Load TeamTable::load() const {
    Load sum;
    for (std::size_t b = 0; b < numbers_.size(); ++b)
        for (std::size_t k = 0; k < std::min(block_size, size_ - b * block_size); ++k) {
            sum.received += numbers_[b].seq[k] > 0;
            sum.words_bytes += numbers_[b].words_bytes[k];
        }
    return sum;
}

}  // namespace outrider
