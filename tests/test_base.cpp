#include <cmath>
#include <set>

#include <numeric>
#include <thread>
#include "base/config.hpp"
#include "base/parallel.hpp"

#include "helpers.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/geometry.hpp"

using namespace outrider;

namespace test_base {

TEST_CASE("elementary functions agree with libm to a few units in the last place") {
    Rng rng(1, 0, Purpose::placement, 0);
    for (int i = 0; i < 20000; ++i) {
        const double angle = rng.uniform(-1000, 1000), x = rng.uniform(-20, 20), y = rng.uniform(-20, 20);
        CHECK(sin_cos(angle).sin == doctest::Approx(std::sin(angle)).epsilon(1e-12));
        CHECK(std::abs(sin_cos(angle).sin - std::sin(angle)) < 2e-13);  // the reduction of 1000 rad loses three digits
        CHECK(std::abs(sin_cos(x).cos - std::cos(x)) < 5e-16);
        CHECK(std::abs(outrider::atan2(y, x) - std::atan2(y, x)) < 1e-15);
        CHECK(std::abs(outrider::exp(x) / std::exp(x) - 1) < 1e-15);
        const double positive = std::exp(x);
        CHECK(std::abs(outrider::log(positive) - std::log(positive)) < 1e-14);
        CHECK(std::abs(outrider::log10(positive) - std::log10(positive)) < 1e-14);
        CHECK(outrider::pow(positive, 1.7) == doctest::Approx(std::pow(positive, 1.7)).epsilon(1e-13));
    }
    CHECK(sin_cos(0).sin == 0);
    CHECK(sin_cos(0).cos == 1);
    CHECK(outrider::atan2(0, 0) == 0);
    CHECK(outrider::atan2(0, -1) == pi);
    CHECK(std::isinf(outrider::log(0)));
}

TEST_CASE("wrap_angle gives the same direction in (-pi, pi]") {
    Rng rng(2, 0, Purpose::placement, 0);
    for (int i = 0; i < 1000; ++i) {
        const double a = rng.uniform(-50, 50), w = wrap_angle(a);
        CHECK(w > -pi);
        CHECK(w <= pi);
        CHECK(std::cos(w - a) == doctest::Approx(1));
    }
    CHECK(wrap_angle(pi) == pi);
    CHECK(wrap_angle(-pi) == pi);
    CHECK(wrap_angle(3 * pi) == doctest::Approx(pi));
}

TEST_CASE("composing a pose with its inverse gives the origin") {
    Rng rng(3, 0, Purpose::placement, 0);
    for (int i = 0; i < 100; ++i) {
        const Pose p{rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-3, 3)};
        const Pose id = compose(p, inverse(p));
        CHECK(std::abs(id.x) + std::abs(id.y) + std::abs(id.yaw) < 1e-14);
        const Point q{rng.uniform(-9, 9), rng.uniform(-9, 9)};
        CHECK(distance(into_body(p, transform(p, q)), q) < 1e-14);
    }
}

TEST_CASE("Philox4x32-10 gives its published values") {
    CHECK(Rng::block({0, 0, 0, 0}, {0, 0}) ==
          std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(Rng::block({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
          std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(Rng::block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random numbers depend on each part of their key and have the right moments") {
    std::set<std::uint32_t> first;
    for (int seed = 0; seed < 3; ++seed)
        for (int robot = -1; robot < 3; ++robot)
            for (int step = 0; step < 3; ++step) {
                first.insert(Rng(static_cast<std::uint64_t>(seed), robot, Purpose::strategy, step).next());
                first.insert(Rng(static_cast<std::uint64_t>(seed), robot, Purpose::range, step).next());
            }
    CHECK(first.size() == 3 * 4 * 3 * 2);
    Rng rng(7, 0, Purpose::range, 0);
    double sum = 0, squares = 0, uniform = 0;
    std::array<int, 3> counts{};
    constexpr int n = 100000;
    for (int i = 0; i < n; ++i) {
        const double v = rng.normal();
        sum += v;
        squares += v * v;
        uniform += rng.uniform();
        ++counts[rng.below(3)];
    }
    CHECK(std::abs(sum / n) < 0.02);
    CHECK(squares / n == doctest::Approx(1).epsilon(0.02));
    CHECK(uniform / n == doctest::Approx(0.5).epsilon(0.01));
    for (const int c : counts) CHECK(c == doctest::Approx(n / 3.0).epsilon(0.03));
}

TEST_CASE("a hash depends on values, not on how they are stored") {
    CHECK(Hasher()(0.0).result() == Hasher()(-0.0).result());
    CHECK(Hasher()(std::int32_t{5}).result() == Hasher()(std::int64_t{5}).result());
    CHECK(Hasher()(std::string_view("ab"))(std::string_view("c")).result() !=
          Hasher()(std::string_view("a"))(std::string_view("bc")).result());
    CHECK(hash_bytes("abc", 3).hex() == hash_bytes("abc", 3).hex());
    CHECK(hash_bytes("", 0).hex() == "99aa06d3014798d86001c324468d497f");  // XXH3 128 of nothing, as published
}

TEST_CASE("runs in several threads keep their own thread limits, and a body's own loops stay in its thread") {
    std::vector<int> sums(4);
    std::vector<std::thread> runs;
    for (int r = 0; r < 4; ++r)
        runs.emplace_back([&sums, r] {
            for (int i = 0; i < 20; ++i) {
                const ThreadLimit limit(1 + (r + i) % 3);
                std::vector<int> parts(50);
                parallel_for(50, [&](int k) {
                    const auto me = std::this_thread::get_id();
                    parallel_for(4,
                                 [&](int) { parts[static_cast<std::size_t>(k)] += me == std::this_thread::get_id(); });
                });
                sums[static_cast<std::size_t>(r)] += std::accumulate(parts.begin(), parts.end(), 0);
            }
        });
    for (std::thread& run : runs) run.join();
    for (const int sum : sums) CHECK(sum == 20 * 50 * 4);
}

TEST_CASE("parallel_for calls each index once at any number of threads") {
    for (const int threads : {1, 2, 3, 8}) {
        const ThreadLimit limit(threads);
        std::vector<int> hits(1000, 0);
        parallel_for(1000, [&](int i) { ++hits[static_cast<std::size_t>(i)]; });
        CHECK(std::count(hits.begin(), hits.end(), 1) == 1000);
        const auto body = [](int i) {
            if (i % 10 == 7) fail("at {}", i);
        };
        CHECK_THROWS_WITH_AS(parallel_for(100, body), "at 7", Error);
    }
}

namespace {
enum class Colour3 { red, green, blue };
constexpr std::array<std::string_view, 3> colour_names{"red", "green", "blue"};
struct Sample {
    double length_m = 1;
    int count = 2;
    bool on = false;
    std::string name = "x";
    Colour3 colour = Colour3::red;
    std::uint64_t seed = 3;
    void fields(Fields& f) {
        f("length_m", length_m, 0, 10, "a length");
        f("count", count, 1, 5, "a count");
        f("on", on, "a flag");
        f("name", name, "a name");
        f("colour", colour, colour_names, "a colour");
        f("seed", seed, "a seed");
    }
};

std::string message_of(const std::string& settings) {
    Sample sample;
    try {
        std::vector<Setting> parsed = parse_settings(settings, "here");
        SettingReader reader(parsed, "sample.");
        sample.fields(reader);
        reader.expect_all_used();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}
}  // namespace

TEST_CASE("what is written in quotes is read as it was, quotes and backslashes in it included") {
    for (const std::string text :
         {"a, b", "say \"no, no\"", "back\\slash", "ends with \\", "tab\tnew\nline", "it's", ""}) {
        const std::vector<Setting> settings = parse_settings("name=" + toml_quoted(text) + ", count=3", "here");
        REQUIRE(settings.size() == 2);
        CHECK(std::get<std::string>(settings[0].value) == text);
        CHECK(settings[1].key == "count");
    }
    CHECK(std::get<std::string>(parse_settings("name='a\\\"b'", "here")[0].value) ==
          "a\\\"b");  // single quotes: as it is
}

TEST_CASE("settings are read by name with type and range checks") {
    std::vector<Setting> settings =
        parse_settings("length_m=2.5, count=3, on=true, name='a, b', colour=blue, seed=9223372036854775807", "here");
    Sample s;
    SettingReader reader(settings);
    s.fields(reader);
    reader.expect_all_used();
    CHECK(s.length_m == 2.5);
    CHECK(s.count == 3);
    CHECK(s.on);
    CHECK(s.name == "a, b");
    CHECK(s.colour == Colour3::blue);
    CHECK(s.seed == 9223372036854775807u);

    CHECK(message_of("length_m=11") == "here: sample.length_m = 11: expected a number, 0 to 10");
    CHECK(message_of("length_m=nan") == "here: sample.length_m = nan: expected a number, 0 to 10");
    CHECK(message_of("length_m=long") == "here: sample.length_m = \"long\": expected a number, 0 to 10");
    CHECK(message_of("count=2.5") == "here: sample.count = 2.5: expected a whole number, 1 to 5");
    CHECK(message_of("count=-1") == "here: sample.count = -1: expected a whole number, 1 to 5");
    CHECK(message_of("on=1") == "here: sample.on = 1: expected true or false");
    CHECK(message_of("colour=pink") == "here: sample.colour = \"pink\": expected one of red, green, blue");
    CHECK(message_of("seed=-1") == "here: sample.seed = -1: expected a whole number, 0 or more");
    CHECK(message_of("lenght_m=1") == "here: unknown option 'sample.lenght_m'; did you mean 'sample.length_m'?");
    CHECK(message_of("length_m") == "here: expected key=value, got 'length_m'");
}

TEST_CASE("listed fields read back to the same values") {
    Sample s;
    s.length_m = 0.1 + 0.2;
    s.name = "quote \" and \\ and\nline";
    std::string toml;
    for (const FieldInfo& f : list_fields(s)) toml += f.name + " = " + f.value + "\n";
    ConfigTable table = parse_config(toml, "text");
    Sample back;
    SettingReader reader(table.settings);
    back.fields(reader);
    CHECK(back.length_m == s.length_m);
    CHECK(back.name == s.name);
    CHECK(list_fields(s)[0].unit == "m");
    CHECK(list_fields(s)[0].range == "0 to 10");
}

TEST_CASE("a configuration file gives places for its errors and can include another") {
    const TemporaryFolder folder;
    write_text(folder / "base.toml", "[a]\nx = 1\ny = 2\n[[list]]\nname = 'one'\n");
    write_text(folder / "main.toml", "include = 'base.toml'\n[a]\ny = 3\n");
    ConfigTable table = load_config(folder / "main.toml");
    CHECK(table.table("a")->settings.size() == 2);
    CHECK(table.array("list")->size() == 1);
    for (const Setting& s : table.table("a")->settings)
        CHECK(std::get<std::int64_t>(s.value) == (s.key == "x" ? 1 : 3));
    CHECK(table.table("a")->settings.back().where == (folder / "main.toml") + ":3:1");

    write_text(folder / "bad.toml", "[a]\nx = 42x\n");
    CHECK_THROWS_WITH_AS(load_config(folder / "bad.toml"), doctest::Contains("bad.toml:2:"), Error);
    write_text(folder / "loop.toml", "include = 'loop.toml'\n");
    CHECK_THROWS_WITH_AS(load_config(folder / "loop.toml"), doctest::Contains("circle"), Error);
    CHECK_THROWS_WITH_AS(load_config(folder / "none.toml"), doctest::Contains("cannot be read"), Error);
    CHECK_THROWS_WITH_AS(load_config(folder.path()), doctest::Contains("cannot be read"), Error);
    CHECK_THROWS_WITH_AS(
        parse_config("a = [1, 2]", "f"),
        doctest::Contains("f:1:1: a = ...: expected a single number, true or false, or a text in quotes"), Error);
}

TEST_CASE("a failed check prints both values") {
    const int three = 3;
    CHECK_THROWS_WITH_AS(OUTRIDER_CHECK(three, <, 2), doctest::Contains("three < 2 (left 3, right 2)"), CheckFailure);
    CHECK_NOTHROW(OUTRIDER_CHECK(three, ==, 3));
}

}  // namespace test_base
