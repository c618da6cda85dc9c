// What make_seeds.cpp writes: files as this program writes them, and of formats that it only reads small examples.
#include <filesystem>

#include "base/input.hpp"
#include "base/output.hpp"
#include "base/sqlite.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"
#include "log/briefing_codec.hpp"
#include "log/events.hpp"
#include "log/exports.hpp"
#include "log/log_format.hpp"
#include "log/log_reader.hpp"
#include "log/step_chunk.hpp"
#include "outrider/error.hpp"
#include "scenario/scenario.hpp"
#include "scenario/script.hpp"
#include "wire/packing.hpp"
#include "world/map_formats.hpp"

namespace outrider::fuzz {
namespace {

namespace fs = std::filesystem;

/// A database with small pages: less to change that nobody reads.
std::string small_pages(const std::string& path) {
    const std::string copy = ScratchFile::folder() + "/small.sqlite";
    fs::copy_file(path, copy, fs::copy_options::overwrite_existing);
    Database(copy, Database::Mode::create).run("PRAGMA page_size = 512; VACUUM");
    return read_file(copy, "a database");
}

/// Changes of tables, as changed_database.hpp takes them.
void add_tables(SeedList& out) {
    for (const char* target : {"log_tables", "log_told", "log_export", "log_why", "log_branch", "log_view"}) {
        out.add(target, "none", "");
        out.add(target, "robot", "event.robot 0 99\nsummary.robot 3 39\n");
        out.add(target, "step", "event.step 1 -1\nchunk.last 1 2147483647\nwaist.last 0 9223372036854775807\n");
        out.add(target, "text",
                "event.kind 0 operator\nevent.json 0 {\"behaviour\": \"stop\", \"to\": 77}\nsummary.value 2 1e308\n");
        out.add(target, "meta", "meta.value 3 full\nrobot.id 1 5\nrobot.name 1 x\n");
    }
    out.add("log_join", "none", std::string(1, '\0'));
    out.add("log_join", "one", "\1event.robot 0 99\nsummary.robot 3 39\nchunk.last 1 2147483647\n");
    out.add("log_join", "both", "\3meta.value 3 full\nrobot.id 1 5\n10 0 -1\n14 1 2147483647\n");
    out.add("report", "none", "");
    out.add("report", "run", "run.map 0 99\nrun.cell 1 -1\nrun.start 2 7\n");
    out.add("report", "values", "4 1 1e308\n9 2 x\n30 1 -1\n");
    out.add("figures", "none", "");
    out.add("figures", "run", "run.map 0 99\nrun.cell 1 -1\nrun.start 2 7\n");
    out.add("plan_tables", "none", "");
    out.add("plan_tables", "numbers", "map.width 0 99999\nmap.cell_m 0 1e308\nmeta.value 5 -1\n");
    out.add("plan_tables", "options", "cell.config 0 run.steps = 2\ncell.config 1 team.robots = 1\n");
    out.add("strategies", "none", "");
    out.add("strategies", "options", std::string("\x05\x00\x01\x06\x80\x00\x03\x05\x20", 9));
    out.add("strategies", "settings", std::string("\x09\x80\x41\x06\x90\x80\x8f\x05\x10", 9));
}

void add_maps(SeedList& out) {
    Grid<std::uint8_t> walls(9, 7, 0, Lattice{0.1});
    for (int y = 0; y < 5; ++y) walls[{4, y}] = 1;
    const std::string folder = ScratchFile::folder();
    write_map(folder + "/one_bit.png", {walls, {}}, true, {{"Title", "a seed"}});
    out.add_file("png", "one_bit.png");
    Raster colours{5, 4, 3, std::vector<std::uint8_t>(60)};
    for (std::size_t i = 0; i < colours.values.size(); ++i) colours.values[i] = static_cast<std::uint8_t>(4 * i);
    out.add("png", "colours.png", encode_png(colours));
    Raster grey{5, 4, 1, std::vector<std::uint8_t>(20, 120)};
    out.add("png", "grey.png", encode_png(grey));
    out.add("pgm", "grey.pgm", encode_pgm(grey));
    out.add("pgm", "text.pgm", "P2\n# a comment\n3 2\n9\n0 9 0\n9 9 4\n");
    out.add("pgm", "wide.pgm", std::string("P5 2 1 65535\n\1\2\3\4", 17));
    write_map(folder + "/saved.yaml", {walls, {1, -2, 0.5}}, true);
    const std::string pixels = read_file(folder + "/saved.pgm", "a seed");
    const auto ros = [&](const std::string& more) {
        return join_parts({"image: ros.pgm\nresolution: 0.05\norigin: [1.0, -2.0, 0.5]\n" + more, pixels});
    };
    out.add("ros_map", "trinary", ros("mode: trinary\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"));
    out.add("ros_map", "raw", ros("mode: raw\nnegate: 1\n"));
    out.add("ros_map", "scale", ros("mode: scale\nnegate: true\n"));
    out.add("movingai_map", "city.map", "type octile\nheight 3\nwidth 5\nmap\n@@.@@\n.GTS.\n.....\n");
    out.add("text_map", "map.txt", "1 1 1 1\n1 0 0 1\n1,0,0,1\n");
    out.add("svg", "room.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 12\">\n"
            "<g transform=\"translate(1 1) rotate(5)\"><path d=\"M0 0h9v5l-9,.5z M2 2C3 3 4 1 5 2s2 2 3 1q1-1 2 0t1 "
            "1a2 1 10 1 0 3-1\"/></g>\n"
            "<rect x=\"2\" y=\"3\" width=\"4\" height=\"2\"/><circle cx=\"9\" cy=\"6\" r=\"3\"/><line x1=\"0\" "
            "y1=\"0\" x2=\"19\" y2=\"11\"/>\n"
            "<polygon points=\"1,1 5,2 3,7\"/><defs><polyline points=\"0 0 1 1\"/></defs></svg>\n");
    out.add("svg", "metres.svg",
            "<?xml version=\"1.0\"?>\n"
            "<svg width=\"3000mm\" height=\"2000mm\" viewBox=\"0 0 300 200\"><ellipse cx=\"90\" cy=\"60\" rx=\"30\" "
            "ry=\"9\"/></svg>\n");
    out.add("houseexpo", "house.json",
            "{\"id\": \"0\", \"room_num\": 2, \"bbox\": {\"min\": [0, 0], \"max\": [4, 3]},\n"
            " \"verts\": [[0, 0], [4, 0], [4, 3], [2, 3], [2, 1], [0, 1]], \"room_category\": {}}\n");
    out.add("stage_world", "cave",
            join_parts({"# a cave\n"
                        "define pioneer position ( size [0.4 0.4 0.2] sonar ( pose [0 0 0 0] ) )\n"
                        "resolution 0.02\n"
                        "floorplan ( name \"cave\" bitmap \"stage.pgm\" size [3 2 1] pose [1 1 0 0] )\n"
                        "pioneer ( name \"r0\" pose [0.5 1 0 90] )\n",
                        "P2\n"
                        "3 2\n"
                        "9\n"
                        "0 9 9\n"
                        "9 9 4\n"}));
    out.add("scen", "paths.scen",
            "version 1\n0\tmaps/city.map\t5\t3\t0\t2\t4\t2\t4.00000000\n1\tmaps/city.map\t5\t3\t2\t0\t4\t2\t3.4\n");
    const auto header = [](int width, int height, int bits, int kind, bool interlaced) {
        std::string bytes;
        for (const int side : {width, height})
            for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(side >> shift);
        return bytes + static_cast<char>(bits) + static_cast<char>(kind) + '\0' + '\0' + static_cast<char>(interlaced);
    };
    const auto rows = [](std::size_t count, std::size_t bytes) {
        std::string out_rows;
        for (std::size_t y = 0; y < count; ++y)
            out_rows += static_cast<char>(y % 5) + std::string(bytes, static_cast<char>('a' + y));
        return out_rows;
    };
    out.add("png_pixels", "grey1", header(9, 5, 1, 0, false) + join_parts({"", "", rows(5, 2)}));
    out.add("png_pixels", "grey16", header(3, 5, 16, 0, false) + join_parts({"", "", rows(5, 6)}));
    out.add("png_pixels", "rgb8", header(3, 5, 8, 2, false) + join_parts({"", "", rows(5, 9)}));
    out.add("png_pixels", "palette4",
            header(4, 3, 4, 3, false) + join_parts({std::string(48, 'z'), "abc", rows(3, 2)}));
    out.add("png_pixels", "grey_alpha", header(3, 3, 8, 4, false) + join_parts({"", "", rows(3, 6)}));
    out.add("png_pixels", "rgba16", header(2, 3, 16, 6, false) + join_parts({"", "", rows(3, 16)}));
    // Adam7 of 4 x 4 pixels: passes of 1 x 1, none, 1 x 1 (twice: 3 and 4), 2 x 1, 2 x 2 and 4 x 2.
    out.add("png_pixels", "interlaced",
            header(4, 4, 8, 0, true) +
                join_parts({"", "", rows(1, 1) + rows(1, 1) + rows(1, 2) + rows(2, 2) + rows(2, 4)}));
}

void add_texts(SeedList& out) {
    out.add("json", "all.json", "{\"a\": [1, -2.5e3, true, null], \"b\": {\"text\": \"\\u00e4 \\ud83d\\ude00 \\n\"}}");
    out.add(
        "submission", "short.json",
        "{\"outrider_submission\": 1, \"protocol\": \"quick@1\", \"protocol_fingerprint\": \"a\", \"title\": \"t\", "
        "\"strategy\": \"s\", \"program\": \"p\", \"library\": \"l\", \"decided_by\": \"d\", \"parts\": \"\", \"own\": "
        "false, "
        "\"runs\": [[\"m\", 1, \"h\", 5, null, 3, 4, 5.5]]}");
    out.add("g2o", "loop",
            "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0 1.5\nVERTEX_SE2 5 1 1 3.1\nEDGE_SE2 0 1 1 0 1.57 500 0 0 500 0 9e3\n"
            "EDGE_SE2 1 5 1 0 1.57 500 3 1 500 2 9e3\nEDGE_SE2 5 0 1 -1 3 500 0 0 500 0 9e3\nFIX 0\nVERTEX_XY 9 1 1\n"
            "EDGE_SE2_XY 0 9 1 1 50 2 60\nEDGE_SE2_XY 1 9 0.5 1 50 2 60\nEDGE_PRIOR_SE2 5 1 1 3 50 1 2 60 3 900\n");
    out.add("g2o", "edges",
            "EDGE2 0 1 1 0 1.57 500 0 500 9e3 0 0\nEDGE2 1 5 1 0 1.57 500 3 500 9e3 1 2\nEDGE_SE2_XY 5 7 1 1 3 1 4\n");
    out.add("saved_map", "two_scans",
            "VERTEX_SE2 0 0 0 0\nROBOTLASER1 0 -1.57 3.14 1.57 20 0 0 3 2.5 4 1.25 0 0 0 0 0 0 0 0 0 0 0 0 12.5 a 0\n"
            "VERTEX_SE2 1 1 0 1.5\nROBOTLASER1 0 -1.57 3.14 1.57 20 0 0 3 1 4 2 0 1 0 1.5 1 0 1.5 0 0 0 0 0 13 a 0\n"
            "VERTEX_SE2 2 1 0.5 1.5\nEDGE_SE2 0 1 1 0 1.5 400 0 0 400 0 3000\nFIX 0\n");
    out.add("options", "list", "alpha=2, far=1.5, kind=near, text=\"a, b\", on=true");
    out.add("strategy", "plain", "nearest");
    out.add("strategy", "options", "nearest(hysteresis_share=0.5)");
    out.add("strategy", "external", "external(cmd=\"python3 a.py\", timeout_s=3)");
    out.add(
        "toml", "tables.toml",
        "include = 'other.toml'\ntop = 1\n[a]\nb.c = 0x1F\ntext = \"\"\"two\nlines\"\"\"\n[[a.d]]\nx = 1e3\n[[a.d]]\n"
        "x = -inf\ninline = {y = 1, z = 'k'}\n");
    out.add("toml", "lists.toml", "list = [1, 2]\n[a]\ntexts = ['b', \"c\"]\n");
    out.add(
        "scenario", "small.toml",
        "[team]\nrobots = 2\nstrategy = 'nearest'\n[comm]\nrange_m = 3\n[[base]]\nx_m = 0.35\ny_m = 0.35\n[[robot]]\n"
        "name = 'a'\nx_m = 1\ny_m = 1\nparent = 'b'\n[[robot]]\nname = 'b'\nchild = 'a'\nrole = 'relay'\n"
        "sensor.preset = 'lms200'\nbody.radius_m = 0.1\n");
    Notes notes;
    Scenario scenario = make_scenario(parse_config("[team]\nrobots = 1\n", "seed"), "seed",
                                      Grid<std::uint8_t>(40, 30, 0, {0.1}), notes);
    out.add("scenario", "resolved.toml", scenario.resolved());
    out.add("suite", "suite.toml",
            "[run]\nsteps = 9\n[metrics]\nt90_base = 1\n[[maps]]\nfile = 'rooms.png'\nhash = "
            "'e0f34572ac139b6260fa0de9d06883a1'\nx_m = 0.5\ny_m = 0.5\n[[maps]]\nfile = 'b.png'\nhash = 'ab'\n");
    out.add("team", "team.txt",
            "1 ComStation 390 290 0 0 60 100 BaseStation 1 1\n2 Spirit 395 295 1.57 30 60 100 Explorer 3 1\n"
            "3 Relay 392 292 0 30 60 100 Relay 1 2\n");
    const auto agents = [](const std::string& base, const std::string& robot, const std::string& end) {
        return "1 390 290 " + base + "391 291 " + robot + end + "\n2 390 290 " + base + "392 291 " + robot + end + "\n";
    };
    out.add("positions", "states.txt",
            agents("390.0 290.0 BaseStation GetInfoFromChild 0 ", "395.0 295.0 Explorer Explore ", "7"));
    out.add("positions", "roles.txt", agents("390 290 BaseStation Initial ", "395 295 Relay GiveParentInfo ", ""));
    out.add("positions", "places.txt", "1 390 290 391 291\n2 390 290 392 291\n");
    for (const auto& [name, line] : std::vector<std::pair<std::string, std::string>>{
             {"frontier", R"({"frontier":1,"done":false})"},
             {"goto",
              R"({"goto":[1.5,2],"face":[0,1],"tolerance_m":0.3,"words":[{"topic":7,"to":1,"values":[1,-2]}]})"},
             {"follow", R"({"follow":[[1,2],[1,3]],"overlays":[{"kind":"line","layer":"x","points":[[0,1],[1,1]]}]})"},
             {"drive", R"({"drive":[0.5,-1],"overlays":[{"kind":"text","text":"a","meaning":"state"}]})"},
             {"stay", R"({"stay":true,"face":[1,1]})"},
             {"random", R"({"random":true})"},
             {"home", R"({"home":true})"}})
        out.add("external", name, line);
    OperatorCommand command{"way_points", {{1, 2}, {3.5, -4}}, 0.5, -0.25};
    out.add("order", "way_points", command_json(command));
    out.add("network", "two_layers.json",
            R"({"outrider_network":1,"inputs":["way","sight"],"most":3,"layers":[{"weights":[[-1,2],[0.5,1e-3]],)"
            R"("bias":[0,0.1]},{"weights":[[1,-2]],"bias":[0]}]})");
    out.add("strategy", "python", "python(module:Class, alpha=3)");
    out.add("placement", "bearing", "51.5,-0.1,30");
}

void add_log(SeedList& out) {
    const std::string path = ScratchFile::folder() + "/seed.sqlite";
    ScratchFile("seed.sqlite").write(sample_log());
    out.add("log", "full.sqlite", sample_log());
    LogReader log(path);
    Database& db = log.database();
    const std::vector<Briefing> briefings = sample_briefings();
    Statement chunk = db.prepare("SELECT blob FROM chunk ORDER BY first");
    for (int i = 0; chunk.step(); ++i) {
        out.add("log_sections", "chunk" + std::to_string(i), unpack(chunk.bytes(0)));
        out.add("log_packed", "chunk" + std::to_string(i), std::string(chunk.bytes(0)));
    }
    Statement steps = db.prepare("SELECT crc, hash, blob FROM waist ORDER BY first");
    for (int i = 0; steps.step(); ++i) {
        const StepChunk content = unpack_steps(steps.bytes(2), steps.integer(0), steps.bytes(1));
        std::vector<std::string> parts{content.keyframe};
        for (const StepColumns::Column& column : StepColumns::all) parts.push_back(content.columns.*column.bytes);
        const std::string name = "steps" + std::to_string(i);
        out.add("replay", name, join_parts(parts));
        if (!content.keyframe.empty()) out.add("log_keyframe", name, content.keyframe);
        parts.erase(parts.begin());
        out.add("log_columns", name, join_parts(parts));
        out.add("log_scan", name, join_parts({content.columns.ranges, content.columns.jumps}));
    }
    Statement tile = db.prepare("SELECT blob FROM tile ORDER BY id LIMIT 3");
    for (int i = 0; tile.step(); ++i) out.add("log_tile", "tile" + std::to_string(i), std::string(tile.bytes(0)));
    out.add("log_briefings", "sample", write_briefings(briefings));
    const Script script{
        "a seed",
        {{{{1, 2}, Role::base, {}, ""}, {{3, 4}, Role::explorer, Cell{9, 9}, "far"}, {{5, 6}, Role::relay, {}, ""}},
         {{{1, 2}, Role::base, {}, ""}, {{4, 4}, Role::explorer, {}, "far"}, {{5, 7}, Role::relay, {}, "x"}}}};
    out.add("log_script", "three", script.bytes());
    ByteWriter values;
    values.integer(1);
    values.text("a text");
    values.integer(-1);
    values.number(0.5);
    values.integer(INT64_MIN);
    out.add("log_values", "three", values.bytes);
}

void add_sweeps(SeedList& out) {
    const std::string folder = sample_sweep();
    out.add("sweep", "sample.toml", read_file(ScratchFile::folder() + "/sample.toml", "a seed"));
    out.add(
        "sweep", "axes.toml",
        "name = 'x'\nseed = 3\nmaps = ['a']\nseeds = [1, 5]\nrepetitions = 2\n[set]\nrun.steps = 9\n[axes]\n"
        "team.robots = '1..5..2'\noverlay = ['b.toml']\n[[zip]]\ncomm.range_m = [5, 20]\ncomm.base_range_m = [5, 20]\n"
        "[report]\ncompare = 'team.robots'\nmetrics = ['t90_base']\n");
    out.add("plan", "plan.sqlite", small_pages(folder + "/plan.sqlite"));
    out.add("shard", "0001.sqlite", small_pages(folder + "/shards/0001.sqlite"));
    out.add("results", "results.sqlite", small_pages(folder + "/results.sqlite"));
    out.add("curve", "two", std::string("\0\0\1\0\xff\xff\2\0", 8));
}

}  // namespace

std::vector<Seed> make_seeds() {
    SeedList out;
    add_maps(out);
    add_tables(out);
    add_texts(out);
    add_sensor_logs(out);
    add_log(out);
    add_sweeps(out);
    add_wire(out);
    return out.take();
}

}  // namespace outrider::fuzz
