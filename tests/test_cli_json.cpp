// --json of plan, slam and graph: one value on one line, with the numbers of the text.
#include <doctest/doctest.h>

#include "base/json.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_json {
namespace {

double number(const Json& json, const char* key) {
    const Json* part = json.find(key);
    INFO(key);
    REQUIRE(part);
    REQUIRE(part->number());
    return *part->number();
}

/// The line of a text that begins with these words.
std::string line_with(const std::string& text, const std::string& words) {
    const std::size_t at = text.find(words);
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find('\n', at) - at);
}

}  // namespace

TEST_CASE("plan --json: the same length as in the text, and a way from the start to the goal") {
    const TemporaryFolder folder;
    const std::string query =
        "plan --map " OUTRIDER_SOURCE_DIR "/environments/office.png --from 3,4 --to 50,20 --any-angle --taut 0";
    const ProgramResult text = outrider_in(folder, query), json = outrider_in(folder, query + " --json");
    REQUIRE(json.code == 0);
    const Json answer = parse_json(json.out);
    CHECK(text.out.starts_with(fmt::format("{:.3f} m, ", number(answer, "length_m"))));
    CHECK(text.out.find(fmt::format("\n{:.3f} m with", number(answer, "cut_length_m"))) != std::string::npos);
    const double taut = number(answer, "taut_length_m");
    CHECK(text.out.find(fmt::format("\n{:.3f} m at any angle", taut)) != std::string::npos);
    CHECK(taut < number(answer, "cut_length_m"));
    CHECK(taut > distance({3, 4}, {50, 20}) - 0.1);
    const Json::Array& path = *answer.find("path")->array();
    double length = 0;
    Point last;
    for (std::size_t k = 0; k < path.size(); ++k) {
        const Json::Array& p = *path[k].array();
        const Point at{*p[0].number(), *p[1].number()};
        if (k > 0) length += distance(last, at);
        last = at;
    }
    CHECK(length == doctest::Approx(number(answer, "length_m")));
    CHECK(distance(last, {50, 20}) < 0.1);

    const ProgramResult none =
        outrider_in(folder, "plan --map " OUTRIDER_SOURCE_DIR "/environments/office.png --from 0,0 --to 1,1 --json");
    CHECK(none.code == 1);
    CHECK(parse_json(none.out).find("why")->text()->find("in a wall") != std::string::npos);
    const ProgramResult many =
        outrider_in(folder, "plan --map " OUTRIDER_SOURCE_DIR "/environments/office.png --random 20 --json");
    CHECK(number(parse_json(many.out), "queries") == 20);
    CHECK(number(parse_json(many.out), "wrong") == 0);
}

TEST_CASE("slam --json and graph --json: what was read and found") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder,
                        "run " OUTRIDER_SOURCE_DIR "/environments/small_office.toml --steps 60 --quiet --log full "
                        "--log-file run.sqlite")
                .code == 0);
    REQUIRE(outrider_in(folder, "log export run.sqlite -o run").code == 0);
    const std::string slam = "slam run/carmen_1.log --method manifold ";
    const ProgramResult text = outrider_in(folder, slam + "--save a.g2o"), json = outrider_in(folder, slam + "--json");
    REQUIRE(json.code == 0);
    const Json found = parse_json(json.out);
    CHECK(*found.find("method")->text() == "manifold");
    CHECK(*found.find("whole")->flag());
    CHECK(line_with(text.out, "updates ")
              .find(fmt::format(" {} of {} scans", number(found, "updates"), number(found, "scans"))) !=
          std::string::npos);
    CHECK(line_with(text.out, "patches ")
              .find(fmt::format(" {}, {} relations", number(found, "patches"), number(found, "relations"))) !=
          std::string::npos);
    CHECK(number(*found.find("records"), "FLASER") == number(found, "scans"));

    const ProgramResult graph_text = outrider_in(folder, "graph a.g2o"),
                        graph = outrider_in(folder, "graph a.g2o --json");
    REQUIRE(graph.code == 0);
    const Json optimised = parse_json(graph.out);
    CHECK(graph_text.out.starts_with(fmt::format("a.g2o: {} nodes, {} edges, {} of them loops",
                                                 number(optimised, "nodes"), number(optimised, "edges"),
                                                 number(optimised, "loops"))));
    CHECK(number(optimised, "chi2") <= number(optimised, "chi2_given"));
    CHECK(*optimised.find("converged")->flag());
}

TEST_CASE("log info --json: the facts of a log") {
    const TemporaryFolder folder;
    const std::string sample = OUTRIDER_SOURCE_DIR "/logs/sample/small_office.sqlite";
    const ProgramResult text = outrider_in(folder, "log info '" + sample + "'"),
                        json = outrider_in(folder, "log info '" + sample + "' --json");
    REQUIRE(json.code == 0);
    const Json info = parse_json(json.out);
    for (const char* key : {"end_reason", "level", "seed", "steps_hash"})
        CHECK(line_with(text.out, key).ends_with(" " + *info.find(key)->text()));
    CHECK(line_with(text.out, "steps  ").ends_with(fmt::format(" {}", number(info, "steps"))));
    CHECK(info.find("decided_by")->array()->size() == 3);
    CHECK(outrider_in(folder, "log events '" + sample + "' --json").code == 2);
}

}  // namespace test_cli_json
