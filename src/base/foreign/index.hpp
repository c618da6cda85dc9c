// Numbers of a file that say which one of a list is meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "outrider/error.hpp"

namespace outrider {

/// Which of the things of a kind (Index<Robot>, Index<Step>) a file names. Only a range check makes one: what was read
/// as a bare number cannot be looked up with.
template <class Of>
class Index {
  public:
    /// None where 0 <= number < count does not hold.
    static std::optional<Index> of(std::int64_t number, std::size_t count) {
        if (number < 0 || static_cast<std::uint64_t>(number) >= count) return {};
        return Index(static_cast<std::size_t>(number));
    }
    /// Throws Error "`where` names robot 99; there are 4, from 0 on", with `what` = "robot".
    static Index read(std::int64_t number, std::size_t count, std::string_view where, std::string_view what) {
        const std::optional<Index> index = of(number, count);
        if (!index) fail("{} names {} {}; there are {}, from 0 on", where, what, number, count);
        return *index;
    }
    /// The entry of a list of as many, or more, as the number was checked against.
    template <class List>
    auto& in(List& list) const {
        OUTRIDER_CHECK(at_, <, list.size());
        return list[at_];
    }
    std::size_t value() const { return at_; }
    int number() const { return static_cast<int>(at_); }
    bool operator==(const Index&) const = default;

  private:
    explicit Index(std::size_t at) : at_(at) {}
    std::size_t at_;
};

}  // namespace outrider
