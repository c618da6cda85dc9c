// Lists of numbers in texts of scenarios: corners, runs of cells.
#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/error.hpp"

namespace outrider {

/// "a b, c d" as lists of numbers. Throws Error unless each has `count` of them. where, what: for messages, which show
/// the example.
template <class Number>
std::vector<std::vector<Number>> read_lists(const std::string& text, std::size_t count, std::string_view where,
                                            std::string_view what, std::string_view example) {
    std::vector<std::vector<Number>> lists;
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');) {
        std::istringstream words(item);
        std::vector<Number> numbers;
        for (Number n; words >> n;) numbers.push_back(n);
        if (!words.eof() || numbers.size() != count)
            fail("{}: {}: '{}': expected {} numbers, as in \"{}\"", where, what, item, count, example);
        lists.push_back(std::move(numbers));
    }
    return lists;
}

}  // namespace outrider
