// What the program does with logs, as a user meets it.
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>

#include "log/log_reader.hpp"
#include "program.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_cli_log {
namespace {

void write_program(const std::string& path, const std::string& text) {
    write_text(path, text);
    chmod(path.c_str(), 0755);
}

const std::string small = "run " OUTRIDER_SOURCE_DIR "/environments/small_office.toml --quiet --steps 150 ";

}  // namespace

TEST_CASE("pictures and reasons out of a full log are, to the byte, those of running the log again") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, small + "--log full --log-file full").code == 0);
    REQUIRE(outrider_in(folder, small + "--log poses --log-file poses").code == 0);
    for (const std::string log : {"full", "poses"}) {
        CHECK(outrider_in(folder, "replay " + log + " --from 60 --to 140 --every 40 --png p_" + log).code == 0);
        const ProgramResult why = outrider_in(folder, "why " + log + " --robot r2 --step 77 --png why.png --force");
        CHECK(why.code == 0);
        CHECK(why.out.find("candidates") != std::string::npos);
        write_text(folder / ("why_" + log), why.out);
        fs::rename(folder / "why.png", folder / ("why_" + log + ".png"));
        const ProgramResult events = outrider_in(folder, "replay " + log);
        CHECK(events.code == 0);
        CHECK(events.out.find("left_base") != std::string::npos);
    }
    CHECK(read_text(folder / "why_full") == read_text(folder / "why_poses"));
    CHECK(read_text(folder / "why_full.png") == read_text(folder / "why_poses.png"));
    for (const std::string picture : {"000060.png", "000100.png", "000140.png"}) {
        const std::string drawn = read_text(folder / ("p_full/" + picture));
        CHECK(drawn.size() > 1000);
        CHECK(drawn == read_text(folder / ("p_poses/" + picture)));
    }
    CHECK_FALSE(fs::exists(folder / "p_full/000061.png"));
}

TEST_CASE("why draws what a robot knew that is out of service, as one still in service") {
    const TemporaryFolder folder;
    write_text(folder / "dies.toml",
               "include = \"" OUTRIDER_SOURCE_DIR
               "/environments/dying_robot.toml\"\n[map]\nfile = \"" OUTRIDER_SOURCE_DIR "/environments/office.png\"\n");
    REQUIRE(outrider_in(folder, "run dies.toml --steps 130 --log full --log-file full").code == 0);
    REQUIRE(outrider_in(folder, "run dies.toml --steps 130 --log poses --log-file poses").code == 0);
    for (const std::string log : {"full", "poses"}) {
        const ProgramResult why = outrider_in(folder, "why " + log + " --robot r2 --step 125 --png " + log + ".png");
        CHECK(why.code == 0);
        CHECK(why.out.find("out of service\n  picture " + log + ".png") != std::string::npos);
        CHECK(outrider_in(folder, "replay " + log + " --from 119 --to 125 --every 6 --png p_" + log).code == 0);
    }
    CHECK(read_text(folder / "full.png").size() > 1000);
    const ProgramResult behind = outrider_in(folder, "replay full --from 130 --to 140 --png behind");
    CHECK(behind.code == 2);
    CHECK(behind.err.find("--from 130: the last step of the log is 129") != std::string::npos);
    CHECK(read_text(folder / "full.png") == read_text(folder / "poses.png"));
    for (const std::string picture : {"000119.png", "000125.png"})
        CHECK(read_text(folder / ("p_full/" + picture)) == read_text(folder / ("p_poses/" + picture)));
}

TEST_CASE("tables of an export have as many columns as their header says, whatever the names and strategies") {
    const TemporaryFolder folder;
    write_text(folder / "odd.toml",
               "include = \"" OUTRIDER_SOURCE_DIR
               "/environments/small_office.toml\"\n[map]\nfile = \"" OUTRIDER_SOURCE_DIR
               "/environments/small_office.png\"\n[[base]]\n[[robot]]\nname = 'a, \"b\"'\n"
               "strategy = 'external(cmd=\"python3 " OUTRIDER_SOURCE_DIR "/tools/external_nearest.py\")'\n[[robot]]\n");
    REQUIRE(outrider_in(folder, "run odd.toml --allow-external --steps 40 --log poses --log-file log").code == 0);
    REQUIRE(outrider_in(folder, "log export log -o out").code == 0);
    for (const std::string table : {"robots", "poses", "events", "summary"}) {
        const ProgramResult shape = shell_in(
            folder, "python3 -c 'import csv; t = list(csv.reader(open(\"out/" + table +
                        ".csv\"))); print({len(r) for r in t} == {len(t[0])}, any(\"a, \\\"b\\\"\" in r for r in t))'");
        INFO(table << ": " << shape.err);
        CHECK(shape.out == "True True\n");
    }
    CHECK(read_text(folder / "out/robots.csv").find(",\"external(cmd=\"\"python3 ") != std::string::npos);
    CHECK(read_text(folder / "out/events.csv").starts_with("step,kind,robot,json\n"));
}

TEST_CASE("rerun builds the full level out of a lower one: the digest is that of a full recording") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, small + "--log full --log-file full").code == 0);
    REQUIRE(outrider_in(folder, small + "--log metrics --log-file metrics").code == 0);
    CHECK(outrider_in(folder, "rerun metrics --log full").code == 2);  // where to?
    CHECK(outrider_in(folder, "rerun metrics --log most -o x").code == 2);
    const ProgramResult again = outrider_in(folder, "rerun metrics --log full -o again");
    CHECK(again.code == 0);
    CHECK(again.out.find("the same in all 150 steps") != std::string::npos);
    CHECK(LogReader(folder / "again").digest() == LogReader(folder / "full").digest());
    CHECK(LogReader(folder / "again").digest() != LogReader(folder / "metrics").digest());
}

TEST_CASE("a video goes through ffmpeg; without it a message says so, and what to do instead") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, small + "--log full --log-file full").code == 0);
    fs::create_directory(folder / "empty");
    const std::string nothing = "PATH='" + (folder / "empty") + "'";
    const ProgramResult without = outrider_in(folder, "replay full --video v.mp4", nothing);
    CHECK(without.code == 2);
    CHECK(without.err.find("ffmpeg, which is not installed") != std::string::npos);
    CHECK(without.err.find("--png DIR") != std::string::npos);
    // In its place something that keeps what it gets, and its arguments.
    fs::create_directory(folder / "bin");
    write_program(folder / "bin/ffmpeg", "#!/bin/sh\necho \"$@\" >arguments.txt\nexec cat >video.bin\n");
    const std::string with = "PATH='" + (folder / "bin") + "':\"$PATH\"";
    const ProgramResult done =
        outrider_in(folder, "replay full --from 10 --to 30 --every 10 --video v.mp4 --fps 5 --png p", with);
    CHECK(done.code == 0);
    CHECK(read_text(folder / "video.bin") ==
          read_text(folder / "p/000010.png") + read_text(folder / "p/000020.png") + read_text(folder / "p/000030.png"));
    CHECK(read_text(folder / "arguments.txt").find("-framerate 5") != std::string::npos);
    // One that fails, at once or at the end.
    for (const char* script : {"#!/bin/sh\nexit 1\n", "#!/bin/sh\ncat >/dev/null\nexit 3\n"}) {
        write_program(folder / "bin/ffmpeg", script);
        const ProgramResult failed = outrider_in(folder, "replay full --to 30 --every 10 --video w.mp4", with);
        CHECK(failed.code == 2);
        CHECK(failed.err.find("ffmpeg failed") != std::string::npos);
    }
}

TEST_CASE("the time that a seek takes can be asked for") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, small + "--log full --log-file full").code == 0);
    const ProgramResult seeks = outrider_in(folder, "log seek full --count 20");
    CHECK(seeks.code == 0);
    CHECK(seeks.out.find("20 seeks to random steps of 150, 3 robots: median") != std::string::npos);
    REQUIRE(outrider_in(folder, small + "--log poses --log-file poses").code == 0);
    CHECK(outrider_in(folder, "log seek poses").code == 2);
}

TEST_CASE("an open loop that ends where its log is damaged says so, and so does an export") {
    const TemporaryFolder folder;
    write_map(folder / "m.png", {Grid<std::uint8_t>(60, 60, 0, Lattice{0.1}), {}}, true);
    const std::string run = "run --map m.png --strategy random_walk --steps 150 --quiet --log full --log-file full";
    REQUIRE(outrider_in(folder, run).code == 0);
    Database(folder / "full", Database::Mode::create)
        .run("UPDATE waist SET blob = zeroblob(length(blob)) WHERE last > 100");
    const ProgramResult r = outrider_in(folder, "run --replay full --strategy nearest");
    CHECK(r.code == 0);
    CHECK(r.out.find(": 65 steps, strategy nearest") != std::string::npos);
    CHECK(r.err.find("note: it ends where the log is damaged: steps 65-128: its checksum is") != std::string::npos);
    const ProgramResult tables = outrider_in(folder, "log export full -o tables");
    CHECK(tables.err.find("note: no belief_N is written: step 149 cannot be read\n") != std::string::npos);
    CHECK(tables.err.find("note: left out of the scans, damaged: steps 65-128: its checksum") != std::string::npos);
}

TEST_CASE("run --replay says what another strategy would have decided, and that it is an open loop") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, small + "--log full --log-file full").code == 0);
    const ProgramResult same = outrider_in(folder, "run --replay full");
    CHECK(same.code == 0);
    CHECK(same.err.find("open loop") != std::string::npos);
    CHECK(same.out.find("the same decisions in all steps") != std::string::npos);
    const ProgramResult other = outrider_in(folder, "run --replay full --strategy nearest --csv rows.csv");
    CHECK(other.code == 0);
    CHECK(other.out.find("first difference at step ") != std::string::npos);
    CHECK(other.out.find("of 150 steps") != std::string::npos);
    CHECK(read_text(folder / "rows.csv").find("\n149,2,r2,") != std::string::npos);
    CHECK(outrider_in(folder, "run --replay full --seed 3").code == 2);
    CHECK(outrider_in(folder, "run --replay full --log poses").code == 2);
    CHECK(outrider_in(folder, "run --replay full --range 3").code == 2);
    REQUIRE(outrider_in(folder, "run --replay full --strategy nearest --log-file open").code == 0);
    REQUIRE(outrider_in(folder, "run --replay full --strategy nearest --log full --log-file open2 --threads 3").code ==
            0);
    CHECK(outrider_in(folder, "log digest open").out == outrider_in(folder, "log digest open2").out);
    CHECK(outrider_in(folder, "log info open").out.find("open_loop       decisions of nearest on the percepts of") !=
          std::string::npos);
    const ProgramResult why = outrider_in(folder, "why open --robot r2 --step 60");
    CHECK(why.code == 0);
    CHECK(why.out.find("(explorer, nearest)") != std::string::npos);
    CHECK(why.err.find("note: open loop: decisions of nearest") != std::string::npos);
    CHECK(outrider_in(folder, "replay open --png frames --from 100 --to 100").code == 0);
    const ProgramResult rerun = outrider_in(folder, "rerun open");
    CHECK(rerun.code == 2);
    CHECK(rerun.err.find("not run again") != std::string::npos);
    CHECK(outrider_in(folder, "run --replay open").out.find("the same decisions in all steps") != std::string::npos);
    CHECK(outrider_in(folder, "run --replay full --strategy nosuch").code == 2);
    REQUIRE(outrider_in(folder, small + "--log poses --log-file poses").code == 0);
    const ProgramResult poses = outrider_in(folder, "run --replay poses --strategy nearest");
    CHECK(poses.code == 2);
    CHECK(poses.err.find("--log full") != std::string::npos);
}

TEST_CASE("an export has maps as GeoTIFF, which GDAL opens") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, small + "--log full --log-file full --steps 20").code == 0);
    REQUIRE(outrider_in(folder, "log export full -o out --geo 51.75,-1.25").code == 0);
    for (const char* name : {"truth.tif", "belief_0.tif", "belief_2.tif"})
        CHECK(read_text(folder / (std::string("out/") + name)).size() > 500);
    if (shell_in(folder, "command -v gdalinfo").code != 0) return;
    const ProgramResult info = shell_in(folder, "gdalinfo -checksum out/belief_2.tif");
    CHECK(info.code == 0);
    CHECK(info.err.empty());
    for (const char* said : {"WGS 84", "Driver: GTiff", "Type=Byte", "NoData Value=255", "Checksum="}) {
        CAPTURE(said);
        CHECK(info.out.find(said) != std::string::npos);
    }
}

TEST_CASE("an export has tracks for GPS and GIS programs, and of a full log a CARMEN log per robot") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, small + "--log full --log-file full").code == 0);
    REQUIRE(outrider_in(folder, small + "--log poses --log-file poses").code == 0);
    REQUIRE(outrider_in(folder, "log export full -o f --geo 51.7,-1.2").code == 0);
    REQUIRE(outrider_in(folder, "log export poses -o p").code == 0);
    // What a robot knew at the end, for ROS: free and wall as they are in truth, or unknown.
    CHECK_FALSE(std::filesystem::exists(folder / "p/belief_1.pgm"));
    const std::string belief = read_text(folder / "f/belief_1.pgm"), truth = read_text(folder / "f/map.pgm");
    REQUIRE(belief.size() == truth.size());
    std::size_t known = 0, alike = 0, unknown = 0;
    for (std::size_t i = belief.size() / 100; i < belief.size(); ++i) {  // past the header
        const auto b = static_cast<unsigned char>(belief[i]), t = static_cast<unsigned char>(truth[i]);
        (b == 205 ? unknown : known) += 1;
        alike += b != 205 && (b == 0) == (t == 0);
    }
    CHECK(known > unknown);
    CHECK(unknown > 0);
    CHECK(alike * 1000 >= known * 999);
    CHECK(read_text(folder / "f/belief_1.yaml").find("image: belief_1.pgm") != std::string::npos);
    CHECK(outrider_in(folder, "log export poses -o q --geo here").code == 2);
    const auto count = [&](const std::string& file, const std::string& what) {
        const std::string text = read_text(folder / file);
        int n = 0;
        for (std::size_t i = 0; (i = text.find(what, i)) != std::string::npos; ++i) ++n;
        return n;
    };
    for (const std::string from : {"f", "p"}) {
        CHECK(count(from + "/tracks.gpx", "<trkpt lat=") == 2 * 150);
        CHECK(count(from + "/tracks.mif", "Pline 150") == 2);
        CHECK(count(from + "/tracks.mid", "\"explorer\"") == 2);
    }
    CHECK(count("f/tracks.gpx", "lat=\"51.7") == 2 * 150);
    CHECK(count("f/carmen_1.log", "FLASER 181 ") == 150);
    CHECK(count("f/carmen_2.log", "ODOM ") == 150);
    CHECK_FALSE(fs::exists(folder / "f/carmen_0.log"));  // the base is blind
    CHECK_FALSE(fs::exists(folder / "p/carmen_1.log"));
}

}  // namespace test_cli_log
