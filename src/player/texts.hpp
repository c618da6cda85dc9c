// Texts of a page that occur again and again, each once.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace outrider {

class PlayerTexts {
  public:
    std::int64_t number(const std::string& text) {
        const auto [at, fresh] = numbers_.try_emplace(text, static_cast<std::int64_t>(list_.size()));
        if (fresh) list_.push_back(text);
        return at->second;
    }
    const std::vector<std::string>& list() const { return list_; }

  private:
    std::unordered_map<std::string, std::int64_t> numbers_;  // looked up, never iterated
    std::vector<std::string> list_;
};

}  // namespace outrider
