// Messages in parts: cut and put together, and parts that are not what they should be.
#include "live/rosbridge/fragments.hpp"

#include <doctest/doctest.h>

#include "outrider/error.hpp"

using namespace outrider;

namespace test_fragments {
namespace {

std::string part(const std::string& id, int number, int total, const std::string& data) {
    return fmt::format(R"({{"op": "fragment", "id": {}, "num": {}, "total": {}, "data": {}}})", json_quoted(id), number,
                       total, json_quoted(data));
}

std::string refusal(FragmentInbox& inbox, const std::string& text) {
    try {
        inbox.add(parse_json(text));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a text comes out as it went in, whatever the size and order of its parts") {
    std::string text = "{\"a\": \"\\\"";
    for (int k = 0; k < 40; ++k) text += "x\xc3\xa4\xe2\x82\xac";
    for (std::size_t size = 4; size < text.size() + 5; ++size) {
        std::vector<std::string> parts = fragments_of(text, size, "7");
        FragmentInbox inbox(10'000);
        CAPTURE(size);
        for (std::size_t k = parts.size(); k-- > 1;) {
            CHECK(parse_json(parts[k]).find("data")->text()->size() <= size);
            CHECK_FALSE(inbox.add(parse_json(parts[k])));
            CHECK_FALSE(inbox.add(parse_json(parts[k])));  // twice
        }
        CHECK(inbox.add(parse_json(parts[0])) == text);
    }
    CHECK(fragments_of("", 4, "7").empty());
}

TEST_CASE("parts of several messages are kept apart, and memory is bounded") {
    FragmentInbox inbox(1000);
    CHECK_FALSE(inbox.add(parse_json(part("a", 0, 2, "A"))));
    CHECK_FALSE(inbox.add(parse_json(part("b", 1, 2, "b"))));
    CHECK(inbox.add(parse_json(part("a", 1, 2, "a"))) == "Aa");
    CHECK(inbox.add(parse_json(part("b", 0, 2, "B"))) == "Bb");
    // Too long, with what it is kept with: the oldest is forgotten.
    CHECK_FALSE(inbox.add(parse_json(part("old", 0, 2, std::string(600, 'x')))));
    CHECK(refusal(inbox, part("new", 0, 2, std::string(600, 'y'))).find("longer than 1000 bytes") != std::string::npos);
    CHECK_FALSE(inbox.add(parse_json(part("old", 1, 2, "x"))));
    CHECK(inbox.add(parse_json(part("new", 1, 2, "y"))) == std::string(600, 'y') + "y");
    for (int k = 0; k < 100; ++k) refusal(inbox, part(fmt::format("{}", k), 0, 2, "x"));
    CHECK(refusal(inbox, part("0", 1, 2, "x")) != "");  // its first part is forgotten, and now that of another
    CHECK(inbox.add(parse_json(part("99", 1, 2, "x"))) == "xx");
    // Another number of parts: another message.
    CHECK_FALSE(inbox.add(parse_json(part("c", 0, 3, "x"))));
    CHECK_FALSE(inbox.add(parse_json(part("c", 0, 2, "x"))));
    CHECK(inbox.add(parse_json(part("c", 1, 2, "y"))) == "xy");
}

TEST_CASE("what is no part is refused") {
    FragmentInbox inbox(1000);
    CHECK(refusal(inbox, "{}") == "expected \"id\" and \"data\"");
    CHECK(refusal(inbox, R"({"id": 1, "data": 5})") == "expected \"id\" and \"data\"");
    CHECK(refusal(inbox, part("a", 0, 0, "x")) == "\"total\": expected a whole number from 1 to 1000");
    CHECK(refusal(inbox, part("a", 0, 1'000'000, "x")) == "\"total\": expected a whole number from 1 to 1000");
    CHECK(refusal(inbox, part("a", 2, 2, "x")) == "\"num\": expected a whole number from 0 to 1");
    CHECK(refusal(inbox, part("a", -1, 2, "x")) == "\"num\": expected a whole number from 0 to 1");
    CHECK(refusal(inbox, R"({"id": 1, "data": "x", "num": 0.5, "total": 2})").starts_with("\"num\""));
}

}  // namespace test_fragments
