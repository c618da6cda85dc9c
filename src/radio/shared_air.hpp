// The air that senders within earshot share: who sends much leaves less for the others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "radio/links.hpp"

namespace outrider {

/// free: all send at once, and share what there is in proportion to what they want to send. tdma: each has a slot, as
/// many as there are members heard lately.
enum class Access : std::uint8_t { free, tdma };
inline constexpr std::array<std::string_view, 2> access_names{"free", "tdma"};

/// Who is weaker than a link needs by this much still takes up the air.
inline constexpr double disturbing_db = 10;

class SharedAir {
  public:
    /// bytes_per_step: what the air of a place carries; 0: no limit.
    SharedAir(int bytes_per_step, Access access, std::size_t robots)
        : bytes_(static_cast<double>(bytes_per_step)), access_(access), robots_(robots) {}
    bool limited() const { return bytes_ > 0; }

    /// What each robot can send in this step, in bytes, of what it wants to send. disturbing: who takes up whose air.
    /// Steps in order.
    std::vector<std::size_t> shares(int step, std::span<const Link> disturbing, std::span<const std::size_t> wanted);

  private:
    double bytes_;
    Access access_;
    std::size_t robots_;
    std::vector<int> last_contact_;  // by pair: 1 + the step in which they last heard each other
};

}  // namespace outrider
