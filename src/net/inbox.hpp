// Events on their way from the thread of a connection to its owner.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "net/net_event.hpp"

namespace outrider {

inline constexpr std::size_t event_bytes = 64;  // what an event costs besides its data

class Inbox {
  public:
    void put(NetEvent event) {
        const std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
        filled_.notify_one();
    }
    std::vector<NetEvent> take(std::chrono::milliseconds wait) {
        std::unique_lock lock(mutex_);
        filled_.wait_for(lock, wait, [&] { return !events_.empty(); });
        return std::exchange(events_, {});
    }

  private:
    std::mutex mutex_;
    std::condition_variable filled_;
    std::vector<NetEvent> events_;
};

/// What the messages among the events cost, by client.
inline std::map<int, std::size_t> message_bytes(const std::vector<NetEvent>& events) {
    std::map<int, std::size_t> bytes;
    for (const NetEvent& event : events)
        if (event.kind == NetEvent::Kind::text || event.kind == NetEvent::Kind::binary)
            bytes[event.client] += event.data.size() + event_bytes;
    return bytes;
}

}  // namespace outrider
