// What outrider slam tells of a log.
#include <algorithm>
#include <cmath>

#include "program.hpp"

using namespace outrider;

namespace test_cli_slam {

TEST_CASE("slam says what reading it takes for nothing seen, and takes the range that it is told") {
    // At rest in a room of 12 x 3 m with round ends: far walls crowd at the top as if nothing had been seen there.
    const TemporaryFolder folder;
    std::string text = "odom,0,0,0,0\nscan,0.5,-3.1,0.02,0";
    for (int i = 0; i < 310; ++i) {
        const double angle = -3.1 + 0.02 * i;
        text += fmt::format(",{:.3f}", std::min(6.0, 1.5 / std::max(0.01, std::abs(std::sin(angle)))));
    }
    write_text(folder / "room.csv", text + "\nodom,1,0,0,0\n");
    const ProgramResult guessed = outrider_in(folder, "slam room.csv --map guessed");
    CHECK(guessed.code == 0);
    CHECK(guessed.out.find("nothing seen         readings of 5.") != std::string::npos);
    const ProgramResult told = outrider_in(folder, "slam room.csv --range 8 --map told");
    CHECK(told.code == 0);
    CHECK(told.out.find("nothing seen         readings of 8 m and more") != std::string::npos);
    // Its map has the far walls; the other one is as large, because beams without echo clear what they crossed.
    const auto walls = [&](const char* map) { return std::ranges::count(read_text(folder / map), '\0'); };
    CHECK(walls("told/map.pgm") > walls("guessed/map.pgm") + 40);
    CHECK(guessed.out.find("beams without echo   swept ") != std::string::npos);
    CHECK(told.out.find("beams without echo") == std::string::npos);
    for (const char* wrong : {"0", "-1", "far", "8m", "nan", "1e6"}) {
        CAPTURE(wrong);
        const ProgramResult refused = outrider_in(folder, fmt::format("slam room.csv --range {}", wrong));
        CHECK(refused.code == 2);
        CHECK(refused.err.find("expected metres above 0") != std::string::npos);
        CHECK(outrider_in(folder, fmt::format("run --replay room.csv --range {}", wrong)).code == 2);
    }
    const auto known_m2 = [&](const char* more) {
        const std::string out = outrider_in(folder, fmt::format("run --replay room.csv --strategy stay {}", more)).out;
        const std::size_t at = out.find("known ");
        return at == out.npos ? 0 : std::stod(out.substr(at + 6));
    };
    CHECK(known_m2("--range 3") > 0);
    CHECK(known_m2("--range 3") < known_m2("--range 8"));
    CHECK(outrider_in(folder, "run --map x.png --range 3").err.find("--range: expected --replay") != std::string::npos);
}

}  // namespace test_cli_slam
