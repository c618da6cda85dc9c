#include "live/rosbridge/fragments.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "outrider/error.hpp"

namespace outrider {
namespace {

bool within_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t part_number(const Json& part, std::string_view key, std::size_t least, std::size_t most) {
    const Json* const json = part.find(key);
    const double* const n = json ? json->number() : nullptr;
    if (!n || *n != std::floor(*n) || *n < static_cast<double>(least) || *n > static_cast<double>(most))
        fail("\"{}\": expected a whole number from {} to {}", key, least, most);
    return static_cast<std::size_t>(*n);
}

}  // namespace

std::vector<std::string> fragments_of(const std::string& text, std::size_t size, const std::string& id) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = std::min(begin + size, text.size());
        while (end < text.size() && end > begin + 1 && within_character(text[end])) --end;
        parts.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    std::vector<std::string> out;
    for (std::size_t k = 0; k < parts.size(); ++k)
        out.push_back(fmt::format(R"({{"op": "fragment", "id": {}, "num": {}, "total": {}, "data": {}}})",
                                  json_quoted(id), k, parts.size(), json_quoted(parts[k])));
    return out;
}

std::optional<std::string> FragmentInbox::add(const Json& part) {
    const Json *id = part.find("id"), *data = part.find("data");
    if (!id || !data || !data->text()) fail("expected \"id\" and \"data\"");
    const std::size_t total = part_number(part, "total", 1, most_parts);
    const std::size_t number = part_number(part, "num", 0, total - 1);
    const std::string name = json_text(*id);
    auto at = std::find_if(messages_.begin(), messages_.end(), [&](const Message& m) { return m.id == name; });
    if (at == messages_.end() || at->parts.size() != total) {
        if (at != messages_.end()) messages_.erase(at);
        messages_.push_back({name, std::vector<std::optional<std::string>>(total), total, 0});
        at = messages_.end() - 1;
    }
    if (!at->parts[number]) {
        at->parts[number] = *data->text();
        --at->missing;
        at->bytes += data->text()->size() + name.size();
    }
    std::optional<std::string> whole;
    if (at->missing == 0) {
        whole.emplace();
        for (const auto& piece : at->parts) *whole += *piece;
        messages_.erase(at);
    }
    const auto all_bytes = [&] {
        std::size_t bytes = 0;
        for (const Message& m : messages_) bytes += m.bytes;
        return bytes;
    };
    bool lost = false;
    for (; messages_.size() > most_messages || all_bytes() > most_bytes_; lost = true) messages_.pop_front();
    if (lost) fail("of a message in parts some parts did not come, or it is longer than {} bytes", most_bytes_);
    return whole;
}

}  // namespace outrider
