// What changed in something that others follow; kept until all of them have read it.
//
//     ChangeLog<Cell> log(4096);        // in the object that is followed; const for readers
//     ChangeCursor cursor;              // in each follower
//     const Changes<Cell> changes = log.since(cursor);
//
// A log keeps what some follower has yet to read, and nothing while nobody follows; at most about `cap` changes. A
// follower that is farther behind loses them and begins anew; so does one that reads a log for the first time. Owner
// and followers of a log use it from one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "outrider/detail/whole_copy.hpp"

namespace outrider {

/// What a follower has to take in.
template <class Change>
struct Changes {
    bool everything = false;       ///< read for the first time, too much, or too long ago: begin anew
    std::span<const Change> list;  ///< in the order in which it happened; valid until the log's owner writes again

    bool none() const { return !everything && list.empty(); }
};

/// The followers of a log. A copy has none yet.
struct ChangeFollowers {
    ChangeFollowers() = default;
    ChangeFollowers(const ChangeFollowers& other) : waited_for(other.waited_for) {}

    std::vector<std::weak_ptr<const std::uint64_t>> seen;  ///< version that each of them has read up to
    bool waited_for = false;  ///< whether some follower has not lost changes yet: the log keeps them
};

/// How far a follower has read a log. When it is used with another log than before, it begins anew there. A copy
/// follows on its own from the same place; in a copy of a whole run it follows the copy of the log.
class ChangeCursor {
  public:
    ChangeCursor() = default;
    ChangeCursor(const ChangeCursor& other) {
        if (!other.seen_) return;
        WholeCopy* run = WholeCopy::now();
        move_to(run ? run->of(other.followers_) : other.followers_, *other.seen_);
    }
    ChangeCursor(ChangeCursor&&) noexcept = default;
    ChangeCursor& operator=(ChangeCursor other) noexcept {
        std::swap(followers_, other.followers_);
        std::swap(seen_, other.seen_);
        return *this;
    }
    ~ChangeCursor() = default;

  private:
    template <class Change>
    friend class ChangeLog;

    /// Where it was before; none: not in this log.
    std::optional<std::uint64_t> move_to(const std::shared_ptr<ChangeFollowers>& followers, std::uint64_t version) {
        if (followers_ == followers) return std::exchange(*seen_, version);
        seen_ = std::make_shared<std::uint64_t>(version);
        followers_ = followers;
        followers->seen.push_back(seen_);
        return {};
    }

    std::shared_ptr<ChangeFollowers> followers_;  // of the log that it follows
    std::shared_ptr<std::uint64_t> seen_;
};

template <class Change>
class ChangeLog {
  public:
    explicit ChangeLog(std::size_t cap) : cap_(cap) {}
    /// A copy has no followers: those of the original begin anew when they read it. In a copy of a whole run, its
    /// followers are the copies of those of the original, and it keeps what these wait for.
    ChangeLog(const ChangeLog& other) : cap_(other.cap_), first_(other.version()) {
        WholeCopy* run = WholeCopy::now();
        if (!run) return;
        next_cut_ = other.next_cut_;
        first_ = other.first_;
        changes_ = other.changes_;
        followers_ = run->of(other.followers_);
    }
    ChangeLog(ChangeLog&&) noexcept = default;
    ChangeLog& operator=(const ChangeLog& other) { return *this = ChangeLog(other); }
    ChangeLog& operator=(ChangeLog&&) noexcept = default;
    ~ChangeLog() = default;

    /// How many changes there were, kept or not.
    std::uint64_t version() const { return first_ + changes_.size(); }
    /// What happened since the follower read this log last.
    Changes<Change> since(ChangeCursor& cursor) const {
        const std::optional<std::uint64_t> seen = cursor.move_to(followers_, version());
        followers_->waited_for = true;
        if (!seen || *seen < first_) return {true, {}};
        return {false, std::span(changes_).subspan(static_cast<std::size_t>(*seen - first_))};
    }

    void add(const Change& change) {
        if (followers_->waited_for)
            changes_.push_back(change);
        else
            ++first_;
    }
    /// Everything changed: whoever follows begins anew.
    void reset() {
        first_ = version() + 1;
        changes_.clear();
        followers_->waited_for = false;
    }
    /// Drops what nobody waits for, and what is beyond the cap. For the owner, before it adds the changes of an update:
    /// however many those are, followers that read after each update get all of them.
    void cut() {
        if (changes_.size() < next_cut_) return;
        drop_before(slowest());
        if (changes_.size() >= cap_) {
            drop_before(version() - cap_ / 2);
            drop_before(slowest());
        }
        next_cut_ = std::min(cap_, std::max(seldom, 2 * changes_.size()));
        if (changes_.empty() && changes_.capacity() > 4 * seldom)
            changes_ = std::vector<Change>();  // in a large team it adds up
        if (changes_.capacity() > 4 * cap_) changes_.shrink_to_fit();
    }
    /// Number of changes in memory.
    std::size_t kept() const { return changes_.size(); }

  private:
    static constexpr std::size_t seldom = 256;  // fewer changes are not worth a look at the followers

    /// Among the followers that have not lost any changes: the version that the slowest has read up to.
    std::uint64_t slowest() {
        std::uint64_t version = this->version();
        followers_->waited_for = false;
        std::erase_if(followers_->seen, [&](const std::weak_ptr<const std::uint64_t>& follower) {
            const std::shared_ptr<const std::uint64_t> seen = follower.lock();
            if (seen && *seen >= first_) {
                version = std::min(version, *seen);
                followers_->waited_for = true;
            }
            return !seen;
        });
        return version;
    }
    void drop_before(std::uint64_t version) {
        changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(version - first_));
        first_ = version;
    }

    std::size_t cap_, next_cut_ = std::min(seldom, cap_);
    std::uint64_t first_ = 0;  // version at the front
    std::vector<Change> changes_;
    std::shared_ptr<ChangeFollowers> followers_ = std::make_shared<ChangeFollowers>();
};

}  // namespace outrider
