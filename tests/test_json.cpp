// JSON as other programs write it: values, escapes, and what is no JSON, with its place.
#include "base/json.hpp"

#include <bit>
#include <cmath>

#include "helpers.hpp"
#include "outrider/error.hpp"

using namespace outrider;

namespace test_json {
namespace {

std::string mistake(std::string_view text) {
    try {
        parse_json(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

std::string nested(int levels) {
    const auto n = static_cast<std::size_t>(levels);
    return std::string(n, '[') + "1" + std::string(n, ']');
}

}  // namespace

TEST_CASE("JSON: values in the order in which they stand, numbers to the last bit") {
    const Json json = parse_json(" {\"b\": [1, -2.5e3,\ttrue, null, false],\r\n \"a\": {\"c\": \"d\", \"\": []}} ");
    REQUIRE(json.object());
    CHECK((*json.object())[0].first == "b");
    CHECK((*json.object())[1].first == "a");
    const Json::Array& b = *json.find("b")->array();
    REQUIRE(b.size() == 5);
    CHECK(*b[0].number() == 1);
    CHECK(*b[1].number() == -2500);
    CHECK(*b[2].flag());
    CHECK(std::holds_alternative<std::nullptr_t>(b[3].value));
    CHECK(!*b[4].flag());
    CHECK(*json.find("a")->find("c")->text() == "d");
    CHECK(json.find("a")->find("")->array()->empty());
    CHECK(!json.find("z"));
    CHECK(!json.find("b")->find("c"));
    for (const double value : {1.0 / 3, -2e-9, 1e10 / 7, 5e-324, 1.7976931348623157e308, 9007199254740993.0, -0.0})
        CHECK(std::bit_cast<std::uint64_t>(*parse_json(fmt::format("{}", value)).number()) ==
              std::bit_cast<std::uint64_t>(value));
    CHECK(std::signbit(*parse_json("-0.0").number()));
    CHECK(*parse_json("18446744073709551616").number() == 18446744073709551616.0);  // no integer of 64 bits
    CHECK(*parse_json("9007199254740993").number() == 9007199254740992.0);
}

TEST_CASE("JSON: escapes become UTF-8, beyond the first 65536 characters too, as Python's json.dumps writes them") {
    CHECK(*parse_json(R"("x\"\\\/\b\f\n\r\tü\u00fc\u20ac")").text() == "x\"\\/\b\f\n\r\tüü€");
    CHECK(*parse_json(R"("\ud83d\ude00 \uD83D\uDE00")").text() == "\xF0\x9F\x98\x80 \xF0\x9F\x98\x80");
    CHECK(*parse_json("\"\xF0\x9F\x98\x80\"").text() == "\xF0\x9F\x98\x80");
    CHECK(parse_json(R"("a\u0000b")").text()->size() == 3);
    for (const char* text : {"", "a\"b\\\n\t\x01", "\xF0\x9F\x98\x80", "ü/"})
        CHECK(*parse_json(json_quoted(text)).text() == text);
    CHECK(json_quoted("a\"\n\x1f") == "\"a\\\"\\u000a\\u001f\"");
}

TEST_CASE("JSON: what is none is refused, with line and column and what is wrong there") {
    const std::pair<std::string, std::string> wrong[] = {
        {"", "line 1, column 1: syntax error while parsing value - unexpected end of input"},
        {"01", "line 1, column 2: syntax error while parsing value - unexpected number literal; expected end of input"},
        {"1.", "line 1, column 3: syntax error while parsing value - invalid number; expected digit after '.'"},
        {"-", "line 1, column 2: syntax error while parsing value - invalid number"},
        {".5", "line 1, column 1: syntax error"},
        {"+1", "line 1, column 1: syntax error"},
        {"0x10", "line 1, column 2: syntax error"},
        {"1e999", "line 1, column 5: number overflow"},
        {"NaN", "line 1, column 1: syntax error while parsing value - invalid literal"},
        {"nan", "line 1, column 2: syntax error while parsing value - invalid literal"},
        {"-Infinity", "line 1, column 2: syntax error"},
        {"tru", "line 1, column 4: syntax error"},
        {"1 2",
         "line 1, column 3: syntax error while parsing value - unexpected number literal; expected end of input"},
        {"{} x", "line 1, column 4: syntax error"},
        {"[1,]", "line 1, column 4: syntax error while parsing value - unexpected ']'"},
        {"[1 2]", "line 1, column 4: syntax error while parsing array - unexpected number literal; expected ']'"},
        {"[1}", "line 1, column 3: syntax error"},
        {"[[1]", "line 1, column 5: syntax error while parsing array - unexpected end of input; expected ']'"},
        {"{", "line 1, column 2: syntax error while parsing object key"},
        {"{\"a\"}", "line 1, column 5: syntax error while parsing object separator - unexpected '}'; expected ':'"},
        {"{\"a\":}", "line 1, column 6: syntax error"},
        {"{a:1}", "line 1, column 2: syntax error"},
        {"{\"a\":1,}", "line 1, column 8: syntax error"},
        {"{\"a\":\n [1,\n  x]}", "line 3, column 3: syntax error"},
        {"// no\n1", "line 1, column 1: syntax error"},
        {"\"x", "line 1, column 3: syntax error while parsing value - invalid string: missing closing quote"},
        {"\"\\q\"",
         "line 1, column 3: syntax error while parsing value - invalid string: forbidden character after back"},
        {"\"\\u12g4\"",
         "line 1, column 6: syntax error while parsing value - invalid string: '\\u' must be followed by"},
        {"\"a\nb\"", "line 1, column 3: syntax error while parsing value - invalid string: control character U+000A"},
        {"\"\\ud83d\"",
         "line 1, column 8: syntax error while parsing value - invalid string: surrogate U+D800..U+DBFF"},
        {"\"\\ud83dx\"", "line 1, column 8: syntax error while parsing value - invalid string: surrogate"},
        {"\"\\ud83d\\u0041\"", "line 1, column 13: syntax error while parsing value - invalid string: surrogate"},
        {"\"\\ude00\"",
         "line 1, column 7: syntax error while parsing value - invalid string: surrogate U+DC00..U+DFFF"},
        {"\"a\xFF\"", "line 1, column 3: syntax error while parsing value - invalid string: ill-formed UTF-8 byte"},
        {"\"\xC0\x80\"", "line 1, column 2: syntax error while parsing value - invalid string: ill-formed UTF-8 byte"},
        {"\"\xED\xA0\xBD\"", "line 1, column 3: syntax error while parsing value - invalid string: ill-formed UTF-8"},
        {"\"\xF0\x9F\"", "line 1, column 4: syntax error while parsing value - invalid string: ill-formed UTF-8 byte"},
        {std::string("1\0x", 3), "line 1, column 2: expected no NUL"},
        {"{\"a\":1,\n\"b\":2,\"a\":3}", "line 2, column 9: expected no second \"a\""},
        {"{\"a\":1,\"\\u0061\":3}", "line 1, column 15: expected no second \"a\""},
        {"[{\"a\":{\"a\":1,\"a\":1}}]", "line 1, column 16: expected no second \"a\""},
    };
    for (const auto& [text, message] : wrong) {
        CAPTURE(text);
        CHECK_MESSAGE(mistake(text).starts_with(message), mistake(text));
    }
    CHECK(mistake(R"([{"a":{"a":1}},{"a":2}])") == "none");
    // The message does not hold the text: a program may write megabytes.
    CHECK(mistake('"' + std::string(100'000, 'x')).size() < 200);
    CHECK(mistake(std::string(100'000, '9')).size() < 200);
}

TEST_CASE("JSON: 64 levels of nesting and no more, however many there are") {
    CHECK(mistake(nested(64)) == "none");
    CHECK(mistake(nested(65)) == "line 1, column 65: expected at most 64 levels of nesting");
    CHECK(mistake(std::string(1'000'000, '[')) == "line 1, column 65: expected at most 64 levels of nesting");
    std::string objects;
    for (int i = 0; i < 65; ++i) objects += "{\"a\":";
    CHECK(mistake(objects) == "line 1, column 321: expected at most 64 levels of nesting");
    CHECK(mistake("[" + nested(63) + "," + nested(63) + "]") == "none");  // beside each other they do not count
}

TEST_CASE("JSON: what is written is read back, numbers to 12 digits") {
    const std::string text = R"({"a": [1, -2.5, 0.1, 1e+30, true, null], "b \"c\"": {"d": "\u0001"}, "e": []})";
    CHECK(json_text(parse_json(text)) == text);
    CHECK(json_text({Json::Array{{1.0 / 3}, {NAN}, {-INFINITY}, {3.05 + 1e-15}}}) ==
          "[0.333333333333, null, null, 3.05]");
}

}  // namespace test_json
