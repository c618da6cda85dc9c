// The page that plays a run: what is packed is what happened, and the file stays small.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/byte_stream.hpp"
#include "base/json.hpp"
#include "helpers.hpp"
#include "outrider/error.hpp"
#include "player/page.hpp"
#include "player/run_link.hpp"
#include "simulation/simulation.hpp"
#include "wire/packing.hpp"

using namespace outrider;

namespace test_player {

/// The reverse of encode_squares, as the page does it.
std::vector<std::uint32_t> decode_squares(std::string_view& bytes, std::size_t count, std::size_t width) {
    const std::string_view symbols = bytes.substr(0, count);
    ByteReader others(bytes.substr(count));
    std::vector<std::uint32_t> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t left = i % width == 0 ? 0 : out[i - 1];
        out[i] = symbols[i] == 0   ? left
                 : symbols[i] == 1 ? (i < width ? 0 : out[i - width])
                                   : static_cast<std::uint32_t>(left + others.integer());
    }
    bytes = others.rest();
    return out;
}

/// Records a run, and beside it what the maps of its robots show, cell by cell.
class Recording final : public Observer {
  public:
    Recording(const Simulation& sim, PlayerRecorder& recorder) : sim_(sim), recorder_(recorder) {}
    void on_step(const StepView& view) override {
        std::vector<Pose> poses;
        for (const Body& body : sim_.driver().world().bodies()) poses.push_back(body.pose);
        recorder_.add(view, sim_.metrics().steps().back(), poses);
        const Grid<std::uint8_t>& walls = sim_.driver().world().walls();
        for (std::size_t r = 0; r < view.team.size(); ++r)
            for (std::size_t i = 0; i < walls.cells().size(); ++i)
                if (view.team[r].map().state(walls.cell(i)) != CellState::unknown)
                    since[r].try_emplace(i, static_cast<std::uint32_t>(view.step + 1));
    }
    std::map<std::size_t, std::map<std::size_t, std::uint32_t>> since;  ///< by robot and cell

  private:
    const Simulation& sim_;
    PlayerRecorder& recorder_;
};

Scenario a_scenario(Notes& notes, const std::string& more = "") {
    return make_scenario(parse_config("name = \"</script><b>\\\"x\"\n" + more +
                                          "[run]\nsteps = 60\n[team]\nrobots = 2\nstrategy = \"nearest\"\n",
                                      "test"),
                         "test", rooms_map(120, 80, 3), notes);
}

TEST_CASE("squares are decoded to what they were") {
    Rng rng(7, 0, Purpose::map, 0);
    for (int round = 0; round < 50; ++round) {
        const std::size_t width = 1 + rng.below(40), height = 1 + rng.below(30);
        std::vector<std::uint32_t> values(width * height);
        for (auto& v : values) v = rng.below(4) == 0 ? static_cast<std::uint32_t>(rng.below(100'000)) : 0;
        for (std::size_t i = 1; i < values.size(); ++i)
            if (rng.below(2) == 0) values[i] = values[i - 1];
        const std::string bytes = encode_squares(values, static_cast<int>(width)) + "rest";
        std::string_view left = bytes;
        CHECK(decode_squares(left, values.size(), width) == values);
        CHECK(left == "rest");
    }
}

TEST_CASE("a raster has at most so many squares and covers the map") {
    for (const auto& [width, height] :
         {std::pair(1, 1), std::pair(800, 600), std::pair(2048, 2048), std::pair(5000, 3)}) {
        const Grid<std::uint8_t> walls(width, height);
        const PlayerRaster raster = player_raster(walls, 500'000);
        CHECK(raster.size() <= 500'000);
        CHECK(raster.width * raster.factor >= width);
        CHECK(raster.height * raster.factor >= height);
        CHECK((raster.factor == 1 || walls.cells().size() > 500'000));
    }
}

TEST_CASE("the page holds since when each robot knew each cell, and what was a wall") {
    Notes notes;
    Simulation sim(a_scenario(notes));
    PlayerRecorder recorder(sim.scenario(), sim.driver().world().walls());
    Recording recording(sim, recorder);
    sim.add_observer(recording);
    sim.run();
    recorder.settle(sim.team());

    const std::string packed = unpack(recorder.pack({"outrider rerun \"x\".sqlite", "the </step> limit"}));
    ByteReader reader(packed);
    const Json head = parse_json(reader.text());
    CHECK(*head.find("name")->text() == sim.scenario().name);
    CHECK(*head.find("steps")->number() == recorder.steps());
    CHECK(*head.find("end")->text() == "the </step> limit");
    CHECK(head.find("robots")->array()->size() == 3);
    CHECK(*head.find("factor")->number() == 1);

    const Grid<std::uint8_t>& walls = sim.driver().world().walls();
    const std::size_t squares = walls.cells().size(), width = static_cast<std::size_t>(walls.width());
    for (std::size_t r = 0; r < 3; ++r) {
        KnownSince known(player_raster(walls, PlayerRecorder::most_squares));
        ChangeCursor cursor;
        known.note(sim.team()[r].map(), cursor, 1);
        known.settle({&sim.team()[r].map()});
        const std::vector<std::uint32_t> now = known.values();
        std::vector<std::uint32_t> expected(squares);
        for (const auto& [cell, step] : recording.since[r]) expected[cell] = 2 * step + (now[cell] & 1);
        CHECK(packed.find(encode_squares(expected, static_cast<int>(width))) != std::string::npos);
        for (std::size_t i = 0; i < squares; ++i) {
            const CellState state = sim.team()[r].map().state(walls.cell(i));
            if ((state != CellState::unknown) != (now[i] != 0)) FAIL_CHECK("cell " << i << " of robot " << r);
            if (now[i] && (now[i] & 1) != (sim.team()[r].map().is_occupied(walls.cell(i)) ? 1u : 0u))
                FAIL_CHECK("wall " << i << " of robot " << r);
        }
    }
}

TEST_CASE("larger squares keep the earliest step and any wall") {
    const Grid<std::uint8_t> walls(7, 5);
    KnownMap map;
    CellTile tile;
    tile.set({0, 0}, CellState::free);
    tile.set({6, 4}, CellState::occupied);
    map.observe({0, 0}, tile, 0);
    KnownSince known(player_raster(walls, 1000));
    ChangeCursor cursor;
    known.note(map, cursor, 3);
    tile = {};
    tile.set({1, 1}, CellState::occupied);
    map.observe({0, 0}, tile, 0);
    known.note(map, cursor, 9);
    known.settle({&map});
    CHECK(known.values() == [] {
        std::vector<std::uint32_t> v(35);
        v[0] = 6;
        v[8] = 19;
        v[34] = 7;
        return v;
    }());
    CHECK(known.values(2) == std::vector<std::uint32_t>{7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7});
}

TEST_CASE("of more robots than have maps of their own, the others' maps are put together") {
    Notes notes;
    Simulation sim(
        make_scenario(parse_config("[run]\nsteps = 25\n[team]\nrobots = 40\nstrategy = \"nearest\"\n[comm]\nrange_m = "
                                   "0\nbase_range_m = 0\n[sensor]\nrange_m = 2\n",
                                   "test"),
                      "test", rooms_map(200, 150, 3), notes));
    PlayerRecorder recorder(sim.scenario(), sim.driver().world().walls());
    Recording recording(sim, recorder);
    sim.add_observer(recording);
    sim.run();
    recorder.settle(sim.team());
    const Grid<std::uint8_t>& walls = sim.driver().world().walls();
    std::vector<std::uint32_t> expected(walls.cells().size());
    for (std::size_t r = PlayerRecorder::most_maps; r < sim.team().size(); ++r)
        for (const auto& [cell, step] : recording.since[r]) {
            const bool wall = sim.team()[r].map().is_occupied(walls.cell(cell));
            std::uint32_t& value = expected[cell];
            value = (value == 0 ? 2 * step : std::min(value & ~1u, 2 * step)) | (value & 1) | (wall ? 1 : 0);
        }
    CHECK(std::count(expected.begin(), expected.end(), 0) > 100);
    CHECK(unpack(recorder.pack({"", ""})).find(encode_squares(expected, walls.width())) != std::string::npos);
}

TEST_CASE("a page is cut to the size that is asked for, and names cannot break out of it") {
    Notes notes;
    SimulationOptions options;
    options.overlays = true;
    Simulation sim(a_scenario(notes), options);
    PlayerRecorder recorder(sim.scenario(), sim.driver().world().walls());
    Recording recording(sim, recorder);
    sim.add_observer(recording);
    sim.run();
    recorder.settle(sim.team());
    const PlayedRun played{recorder, {"again", "end"}};
    const std::string whole = player_page(std::span(&played, 1)), small = player_page(std::span(&played, 1), 1);
    CHECK(small.size() < whole.size());
    CHECK(whole.find("<b>") == std::string::npos);
    CHECK(whole.find("http") == std::string::npos);
    CHECK(whole.find("/*STYLE*/") == std::string::npos);
    const std::array two{played, played};
    const std::string both = player_page(two);
    CHECK(both.find("class='run'", both.find("class='run'") + 1) != std::string::npos);
}

TEST_CASE("an address holds the scenario with its map and layers, and says what a browser cannot make") {
    const TemporaryFolder folder;
    Grid<std::uint8_t> walls(40, 30, 0, Lattice{0.1});
    walls[{20, 7}] = 1;
    write_map(folder / "walls.png", {walls, {}}, true);
    write_map(folder / "pane.png", {walls, {}}, true);
    const std::string base = "[team]\nrobots = 1\nstrategy = 'burgard'\n[[base]]\nx_m = 1\ny_m = 1\n";
    const auto scenario = [&](const std::string& map, const std::string& more) {
        write_text(folder / "s.toml", "[map]\nfile = '" + map + "'\n" + more);
        Notes notes;
        return load_scenario(folder / "s.toml", {}, notes);
    };
    const Scenario s = scenario("walls.png", base + "[glass]\nfile = 'pane.png'\n");
    const auto unsqueezed = [](std::string text) {  // base64 for addresses
        std::replace(text.begin(), text.end(), '-', '+');
        std::replace(text.begin(), text.end(), '_', '/');
        std::string bits, bytes;
        const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        unsigned word = 0, held = 0;
        for (const char c : text) {
            word = word << 6 | static_cast<unsigned>(digits.find(c));
            if ((held += 6) >= 8) bytes += static_cast<char>(word >> (held -= 8) & 255);
        }
        return unpack(bytes);
    };
    const std::string address = run_address(s);
    CHECK(address.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=&") ==
          std::string::npos);
    const std::size_t files = address.find("&files=");
    REQUIRE(address.starts_with("toml="));
    const TemporaryFolder elsewhere;
    write_text(elsewhere / "scenario.toml", unsqueezed(address.substr(5, files - 5)));
    const Json json = parse_json(unsqueezed(address.substr(files + 7)));
    for (const char* name : {"map.png", "glass.png"}) CHECK(json.find(name));
    CHECK(*json.find("map.png")->text() == base64(read_text(folder / "walls.png")));
    std::filesystem::copy_file(folder / "walls.png", elsewhere / "map.png");
    std::filesystem::copy_file(folder / "pane.png", elsewhere / "glass.png");
    Notes notes;
    const Scenario again = load_scenario(elsewhere / "scenario.toml", {}, notes);
    Simulation one(s, {}), other(again, {});
    for (int k = 0; k < 5; ++k) one.step(), other.step();
    CHECK(one.progress().digest == other.progress().digest);

    write_text(folder / "page.html", "<p><script id=\"address\"></script>");
    CHECK(playable_page(folder / "page.html", "toml=x") == "<p><script id=\"address\">toml=x</script>");
    write_text(folder / "other.html", "<p>");
    CHECK_THROWS_WITH_AS(playable_page(folder / "other.html", ""),
                         doctest::Contains("expected the page that tools/browser"), Error);

    write_text(folder / "walls.txt", std::string(40, '0') + "\n" + std::string(40, '0') + "\n");
    CHECK_THROWS_WITH_AS(run_address(scenario("walls.txt", "[[base]]\nx_m = 0.35\ny_m = 0.1\n")),
                         doctest::Contains("walls.txt: expected a PNG"), Error);
    CHECK_THROWS_WITH_AS(
        run_address(scenario("walls.png", "[team]\nstrategy = \"external(cmd='true')\"\n[[base]]\nx_m = 1\ny_m = 1\n")),
        doctest::Contains("a browser runs the program's own strategies"), Error);
    std::uint32_t state = 1;
    Grid<std::uint8_t> noise(900, 900, 0, Lattice{0.1});
    for (std::uint8_t& cell : noise.cells()) cell = (state = state * 1664525 + 1013904223) >> 30 == 0;
    for (int y = 5; y < 16; ++y)
        for (int x = 5; x < 16; ++x) noise[{x, y}] = 0;
    write_map(folder / "noise.png", {noise, {}}, true);
    CHECK_THROWS_WITH_AS(run_address(scenario("noise.png", "[[base]]\nx_m = 1.05\ny_m = 1.05\n")),
                         doctest::Contains("letters; expected at most 60000"), Error);
}

}  // namespace test_player
