// Pieces of work that do not depend on each other, done beside each other: what a slow case does one after the other
// otherwise.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace outrider {

/// Calls work(0) ... work(count - 1), one on each core at a time, the first ones first. What the first of those that
/// fail throws is thrown here. doctest's CHECK and CAPTURE work within; REQUIRE throws.
template <class Work>
void beside_each_other(std::size_t count, Work&& work) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr wrong;
    const auto take_turns = [&] {
        for (std::size_t k; (k = next++) < count;) try {
                work(k);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!wrong) wrong = std::current_exception();
                next = count;
            }
    };
    {
        std::vector<std::jthread> others;
        const std::size_t at_once = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, count);
        for (std::size_t k = 1; k < at_once; ++k) others.emplace_back(take_turns);
        take_turns();
    }
    if (wrong) std::rethrow_exception(wrong);
}

}  // namespace outrider
