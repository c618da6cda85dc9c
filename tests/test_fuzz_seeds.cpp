// Every seed of the fuzz targets, and all that once crashed one, through the same functions.
#include <filesystem>

#include "base/input.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"
#include "helpers.hpp"
#include "outrider/error.hpp"

using namespace outrider;

namespace test_fuzz_seeds {
namespace {

namespace fs = std::filesystem;

const fs::path here = fs::path(OUTRIDER_SOURCE_DIR) / "tests" / "fuzz";

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Why the target refuses the bytes; empty: it reads them to their end.
std::string refusal(const fuzz::Target& target, std::string_view bytes) {
    try {
        target.read(bytes);
        return "";
    } catch (const Error& refused) {
        return refused.what();
    }
}

}  // namespace

TEST_CASE("every reader has seeds in the repository, and takes one of them at least") {
    for (const fuzz::Target& target : fuzz::targets()) {
        CAPTURE(target.name);
        const std::vector<fs::path> seeds = files_in(here / "seeds" / target.name);
        CHECK(!seeds.empty());
        int accepted = 0;
        std::string refused;
        for (const fs::path& seed : seeds) {
            CAPTURE(seed.string());
            const std::string bytes = read_file(seed.string(), "a seed");
            CHECK(bytes.size() <= target.most_bytes);
            CHECK_NOTHROW(fuzz::run(target, bytes));
            const std::string why = refusal(target, bytes);
            accepted += why.empty();
            if (!why.empty()) refused += seed.filename().string() + ": " + why + '\n';
        }
        CAPTURE(refused);
        CHECK(accepted > 0);
    }
}

TEST_CASE("what the writers of this version write is read again") {
    for (const fuzz::Seed& seed : fuzz::make_seeds()) {
        CAPTURE(seed.target);
        CAPTURE(seed.name);
        const fuzz::Target* target = fuzz::find_target(seed.target);
        REQUIRE(target);
        CHECK_NOTHROW(fuzz::run(*target, seed.bytes));
        CHECK(fs::exists(here / "seeds" / seed.target / seed.name));
    }
}

TEST_CASE("what once crashed a reader is read or refused") {
    for (const auto& folder : files_in(here / "crashes")) {
        const fuzz::Target* target = fuzz::find_target(folder.filename().string());
        CAPTURE(folder.string());
        REQUIRE(target);
        for (const fs::path& file : files_in(folder)) {
            CAPTURE(file.string());
            CHECK_NOTHROW(fuzz::run(*target, read_file(file.string(), "an input")));
        }
    }
}

TEST_CASE("a finding is what is neither read nor refused") {
    const auto target = [](auto read) { return fuzz::Target{"any", "any", read}; };
    CHECK_NOTHROW(fuzz::run(target([](std::string_view) { fail("refused"); }), ""));
    CHECK_THROWS_AS(fuzz::run(target([](std::string_view) { OUTRIDER_CHECK(1, ==, 2); }), ""), CheckFailure);
    CHECK_THROWS_AS(fuzz::run(target([](std::string_view) { fuzz::expect(false, "differs"); }), ""), std::logic_error);
    const std::string joined = fuzz::join_parts({"a", "", "c<|"});
    const auto parts = fuzz::parts_of(joined, 4);
    CHECK(parts == std::vector<std::string_view>{"a", "", "c<|", ""});
}

}  // namespace test_fuzz_seeds
