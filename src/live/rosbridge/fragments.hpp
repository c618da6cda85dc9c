// Messages of rosbridge in parts: a client may ask for them, and send them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace outrider {

/// A text as messages that hold at most `size` bytes of it each, cut between characters. `id`: of this text.
std::vector<std::string> fragments_of(const std::string& text, std::size_t size, const std::string& id);

/// Parts of a client's messages, until they are whole.
class FragmentInbox {
  public:
    /// Of all parts that are kept; of messages that are not whole the oldest ones are forgotten.
    explicit FragmentInbox(std::size_t most_bytes) : most_bytes_(most_bytes) {}
    /// Takes a part, in any order; the whole message when that was the last one. Throws Error when it is no part.
    std::optional<std::string> add(const Json& part);

  private:
    struct Message {
        std::string id;
        std::vector<std::optional<std::string>> parts;
        std::size_t missing = 0, bytes = 0;
    };
    static constexpr std::size_t most_parts = 1000, most_messages = 16;

    std::size_t most_bytes_;
    std::deque<Message> messages_;  // the oldest first
};

}  // namespace outrider
