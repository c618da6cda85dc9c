// Random choices, the same for the same seed and number.
#pragma once

#include <string>
#include <vector>

#include "outrider/rng.hpp"

namespace outrider::soak {

class Dice {
  public:
    Dice(std::uint64_t seed, std::uint64_t number)
        : rng_(seed, static_cast<std::int64_t>(number), Purpose::placement, 0) {}
    bool chance(double p) { return rng_.uniform() < p; }
    int whole(int low, int high) {
        return low + static_cast<int>(rng_.below(static_cast<std::uint32_t>(high - low + 1)));
    }
    double real(double low, double high) { return rng_.uniform(low, high); }
    template <class T>
    const T& one_of(const std::vector<T>& items) {
        return items[rng_.below(static_cast<std::uint32_t>(items.size()))];
    }
    std::string word(const std::vector<std::string>& words) { return one_of(words); }

  private:
    Rng rng_;
};

}  // namespace outrider::soak
