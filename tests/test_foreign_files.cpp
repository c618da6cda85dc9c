// What an untrusted file may cost and can do to a reader: nothing beyond the budget, and a message. Each case was an
// attack that worked. (What needs the program: test_cli_foreign.cpp.)
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <filesystem>
#include <set>
#include <thread>

#include "base/budget.hpp"
#include "base/config.hpp"
#include "base/image.hpp"
#include "base/input.hpp"
#include "base/output.hpp"
#include "base/sqlite.hpp"
#include "helpers.hpp"
#include "log/briefing_codec.hpp"
#include "log/log_reader.hpp"
#include "log/step_codec.hpp"
#include "log/tile_codec.hpp"
#include "outrider/error.hpp"
#include "sensor_log/sensor_log.hpp"
#include "wire/packing.hpp"
#include "world/map_formats.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_foreign_files {
namespace {

std::string refusal(auto&& read) {
    try {
        read();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string little_endian(std::uint64_t v, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(v >> (8 * i));
    return out;
}
std::string big_endian(std::uint32_t v) {
    std::string out;
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(v >> shift);
    return out;
}

std::string png_part(const std::string& type, const std::string& data) {
    return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(checksum(type + data));
}

/// The start of a PNG: its header alone.
std::string png_head(std::uint32_t side, int bits, int colours, bool interlaced) {
    return "\x89PNG\r\n\x1a\n" +
           png_part("IHDR", big_endian(side) + big_endian(side) + static_cast<char>(bits) + static_cast<char>(colours) +
                                std::string(2, '\0') + static_cast<char>(interlaced));
}

std::string repeated(const std::string& part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
}

}  // namespace

TEST_CASE("a budget counts what is taken, and a refusal says what would take how much and how to raise the limit") {
    MemoryBudget budget("a.log");
    CHECK(budget.left() == memory_budget());
    budget.take(memory_budget() / 2, "its first half");
    budget.take(memory_budget() / 2, "its second half");
    const std::string message = refusal([&] { budget.take(mebibyte, "its end"); });
    CHECK(message.starts_with("a.log: refused: its end would take 770 MiB of memory, more than the 768 MiB"));
    CHECK(message.find("set OUTRIDER_MEMORY_MB") != std::string::npos);
    CHECK_NOTHROW(budget.take(memory_budget() % 2, "nothing"));
    CHECK_THROWS_AS(budget.take(UINT64_MAX, "all"), TooMuchMemory);  // no wrapping round
}

TEST_CASE("pipes and devices are no files: nothing waits for them") {
    const TemporaryFolder folder;
    REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
    const std::string pipe = folder / "pipe";
    for (const std::string& message :
         {refusal([&] { read_file(pipe, "a map"); }), refusal([&] { load_config(pipe); }),
          refusal([&] { read_png(pipe, Channels::mean); }), refusal([&] { read_sensor_log(pipe); }),
          refusal([&] { is_sensor_log(pipe); }), refusal([&] { LogReader log(pipe); }),
          refusal([&] { Database db(pipe, Database::Mode::read); }),
          refusal([&] { Database db(pipe, Database::Mode::create); })}) {
        CAPTURE(message);
        CHECK(message.find("pipe: cannot be read; expected ") != std::string::npos);
        CHECK(message.ends_with("(it is a pipe; write its content to a file first)"));
    }
    CHECK(refusal([] { read_file("/dev/zero", "a map"); }) ==
          "/dev/zero: cannot be read; expected a map (it is a device)");
    write_text(folder / "a.toml", "include = '/dev/zero'\n");
    CHECK(refusal([&] { load_config(folder / "a.toml"); }).find("a.toml:1:1: include: /dev/zero: cannot be read") !=
          std::string::npos);
}

TEST_CASE("tables of TOML nest as deep as anybody needs and no deeper, however they are written") {
    const std::string deep = repeated("a.", 20'000) + "a";
    for (const std::string& text : {"[" + deep + "]\nx = 1\n", deep + " = 1\n", "x = {" + deep + " = 1}\n",
                                    "[[" + deep + "]]\n", "[" + repeated("\"a b\" . ", 20'000) + "a]\n"}) {
        const std::string message = refusal([&] { parse_config(text, "deep.toml"); });
        CHECK(message == "deep.toml:1: a name of more than 32 parts; tables lie at most that deep within each other");
    }
    const std::string half = repeated("a.", 20) + "a";  // each name is short enough, together they are not
    CHECK(refusal([&] { parse_config("[" + half + "]\n" + half + " = 1\n", "t"); }).find("deeper than 32") !=
          std::string::npos);
    CHECK(refusal([&] { parse_config("x = " + repeated("[", 100'000), "t"); }) != "");
    CHECK(refusal([&] { parse_config("x = " + repeated("{a=", 100'000), "t"); }) != "");
    const ConfigTable fine = parse_config("[" + repeated("a.", 15) + "a]\nx = 'a.b.c'\ny = 1.5\n", "t");
    CHECK(fine.tables.size() == 1);
    std::string many;
    for (int i = 0; i < 20'000; ++i) many += fmt::format("k{} = 1\n", i);
    CHECK(refusal([&] { parse_config(many, "t"); }).find("a table of 20000 names; at most 10000") != std::string::npos);
}

TEST_CASE("a picture is refused by its header when its pixels would take too much memory") {
    const TemporaryFolder folder;
    const auto message = [&](std::uint32_t side, int bits, int colours, bool interlaced) {
        write_text(folder / "map.png", png_head(side, bits, colours, interlaced));
        return refusal([&] { read_png(folder / "map.png", Channels::mean); });
    };
    CHECK(message(9'000, 16, 6, false).find("map.png: refused: its 9000 x 9000 pixels would take ") !=
          std::string::npos);
    CHECK(message(17'000, 8, 0, false).find("refused: ") != std::string::npos);
    CHECK(message(12'000, 8, 2, true).find("refused: ") != std::string::npos);
    CHECK(message(12'000, 1, 3, false).find("refused: ") != std::string::npos);
    CHECK(message(12'000, 8, 0, false).find("truncated PNG") != std::string::npos);  // a map of 600 m is fine
    CHECK(message(5'000, 8, 6, false).find("truncated PNG") != std::string::npos);
}

TEST_CASE("a bag that unpacks to more than it can hold is refused before memory is taken") {
    const TemporaryFolder folder;
    const auto record = [](int opcode, const std::string& content) {
        return static_cast<char>(opcode) + little_endian(content.size(), 8) + content;
    };
    const std::string zeros(30 << 20, '\0');
    std::string packed(ZSTD_compressBound(zeros.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), zeros.data(), zeros.size(), 3));
    const std::string chunk = record(6, std::string(16, '\0') + little_endian(zeros.size(), 8) + little_endian(0, 4) +
                                            little_endian(4, 4) + "zstd" + little_endian(packed.size(), 8) + packed);
    write_text(folder / "bomb.mcap", "\x89MCAP0\r\n" + repeated(chunk, 60) + "\x89MCAP0\r\n");
    REQUIRE(fs::file_size(folder / "bomb.mcap") < 300'000);
    CHECK(refusal([&] { read_sensor_log(folder / "bomb.mcap"); }).find("refused: its chunks unpack to more than ") !=
          std::string::npos);
}

TEST_CASE("tables that are views, or computed, are not read; nor is a tree of pages that goes round") {
    const TemporaryFolder folder;
    const std::string endless =
        "AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS topic_id, i AS "
        "timestamp, i AS data, 'a' AS name, 'b' AS type FROM n";
    Database(folder / "views.db3", Database::Mode::create)
        .run("CREATE VIEW messages " + endless + "; CREATE VIEW topics " + endless);
    CHECK(refusal([&] { read_sensor_log(folder / "views.db3"); }).find("no ordinary table but a view") !=
          std::string::npos);
    Database(folder / "computed.db3", Database::Mode::create)
        .run(
            "CREATE TABLE topics(id INTEGER, name TEXT, type TEXT); CREATE TABLE messages(id INTEGER, topic_id "
            "INTEGER, "
            "timestamp INTEGER, n INTEGER, data AS (zeroblob(n)))");
    CHECK(refusal([&] {
              read_sensor_log(folder / "computed.db3");
          }).find("'data' of its table 'messages' is computed") != std::string::npos);
    Database(folder / "virtual.db3", Database::Mode::create)
        .run("CREATE TABLE topics(id INTEGER, name TEXT, type TEXT); CREATE VIRTUAL TABLE messages USING fts5(id)");
    CHECK(refusal([&] { read_sensor_log(folder / "virtual.db3"); }).find("but a virtual table") != std::string::npos);
    Database read(folder / "computed.db3", Database::Mode::read);
    CHECK_THROWS_WITH_AS(read.prepare("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) "
                                      "FROM n")
                             .step(),
                         doctest::Contains("instructions to read; it is damaged, or made to keep programs busy"),
                         RunFailure);
    CHECK_THROWS_AS(Database(folder / "computed.db3", Database::Mode::read).run("INSERT INTO topics VALUES(1, 2, 3)"),
                    RunFailure);
}

TEST_CASE("names and texts stand in SQL as what they are") {
    CHECK(sql_name("a\"b") == "\"a\"\"b\"");
    CHECK(sql_text("it's") == "'it''s'");
    const TemporaryFolder folder;
    Database db(folder / "t", Database::Mode::create);
    const std::string odd = "x\") ; DROP TABLE t; --";
    db.run(fmt::format("CREATE TABLE t({} TEXT)", sql_name(odd)));
    db.run(fmt::format("INSERT INTO t VALUES({})", sql_text("'); DROP TABLE t; --")));
    Statement row = db.prepare(fmt::format("SELECT {} FROM t", sql_name(odd)));
    REQUIRE(row.step());
    CHECK(row.bytes(0) == "'); DROP TABLE t; --");
}

TEST_CASE("a text in a command that is shown to be typed is one word for a shell, whatever it holds") {
    const TemporaryFolder folder;
    for (const char* plain : {"a", "logs/a_2.sqlite", "--map", "x=1,2", "a@1.png"}) CHECK(shell_word(plain) == plain);
    for (const char* text :
         {"", "a b", "$(touch x)", "`x`", "a;b", "it's", "\"$HOME\"", "a\\b", "*", "~", "!x", "a\nb"}) {
        CAPTURE(text);
        const std::string said = folder / "said";
        REQUIRE(std::system(fmt::format("printf %s {} >'{}'", shell_word(text), said).c_str()) == 0);
        CHECK(read_text(said) == text);
    }
}

TEST_CASE("a text becomes a field of CSV, a part of HTML, and a file's name in which nothing is computed or run") {
    for (const std::string formula : {"=HYPERLINK(1)", "+1+cmd", "-2+3", "@SUM(A1)", "\tx", "=1,2"}) {
        CAPTURE(formula);
        const std::string field = csv_field(formula);
        CHECK((field.starts_with('\'') || field.starts_with("\"'")));
    }
    for (const std::string plain : {"-3", "+2.5", "-1e-9", "nearest", "a=b", "", "5 - 2"})
        CHECK(csv_field(plain) == plain);
    CHECK(csv_field("a,\"b\"") == "\"a,\"\"b\"\"\"");
    CHECK(escaped("<a href='x' b=\"y\">&") == "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt;&amp;");
    CHECK(plain_text("a\x1b[2J\tb\n\x7f\r") == "a?[2J\tb\n??");
    CHECK(plain_text("\xc2\x9b"
                     "2J \xe2\x80\xae"
                     "evil \xe2\x81\xa6 \xd8\x9c \xe2\x80\xa8") == "?2J ?evil ? ? ?");
    CHECK(plain_text("b\xc3\xbcro \xe6\x97\xa5 \xf0\x9f\xa4\x96") == "b\xc3\xbcro \xe6\x97\xa5 \xf0\x9f\xa4\x96");
    CHECK(plain_text("\x9b"
                     "2J \xff \xc0\x9b \xed\xa0\x80 \xe2\x80") == "?2J ? ?? ??? ??");
    CHECK(plain_line("a\nb\tc") == "a?b?c");
    CHECK(file_name("../../x") == "_._.._x");
    CHECK(file_name("office") == "office");
    CHECK(file_name("büro 2+3") == "büro 2+3");
    CHECK(file_name("a\nrm -rf $HOME;`x`\\") == "a_rm -rf _HOME__x__");
    CHECK(file_name(std::string(500, 'a')).size() == 100);
}

TEST_CASE("a file that is written replaces a link that lies in its way and never follows it") {
    const TemporaryFolder folder;
    write_text(folder / "precious", "mine");
    fs::create_symlink(folder / "precious", folder / "out.csv.partial");
    fs::create_symlink(folder / "precious", folder / "out.csv");
    OutputFile file(folder / "out.csv", true);
    file.write("new");
    file.commit();
    CHECK(read_text(folder / "precious") == "mine");
    CHECK(read_text(folder / "out.csv") == "new");
    CHECK_FALSE(fs::is_symlink(folder / "out.csv"));
    fs::create_symlink(folder / "nowhere", folder / "log.sqlite");
    CHECK(refusal([&] {
              prepare_database(folder / "log.sqlite", false);
          }).ends_with("log.sqlite: is a link; --force replaces it"));
    prepare_database(folder / "log.sqlite", true);
    CHECK_FALSE(fs::is_symlink(folder / "log.sqlite"));
}

TEST_CASE("a log that another program writes is not overwritten, a finished one is; a lock is waited for") {
    const TemporaryFolder folder;
    const std::string path = folder / "log.sqlite";
    {
        Database writer(path, Database::Mode::create);
        writer.run("PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES(1)");
        CHECK(database_in_use(path));
        CHECK(refusal([&] { prepare_database(path, true); }).find("log.sqlite: another program has it open") !=
              std::string::npos);
        CHECK(fs::exists(path));
        // Longer than readers wait, shorter than writers do.
        Database other(path, Database::Mode::create);
        other.run("BEGIN IMMEDIATE");
        std::thread release([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(2500));
            other.run("COMMIT");
        });
        CHECK_NOTHROW(writer.run("INSERT INTO t VALUES(2)"));
        release.join();
    }
    CHECK_FALSE(database_in_use(path));
    write_text(folder / "no database", "text");
    CHECK_FALSE(database_in_use(folder / "no database"));
    CHECK_FALSE(database_in_use(folder / "missing"));
    prepare_database(path, true);
    CHECK_FALSE(fs::exists(path));
}

TEST_CASE("numbers and lists in bytes are checked against what they can be") {
    const auto reading = [](auto... numbers) {
        std::string bytes;
        (append_integer(bytes, numbers), ...);
        return bytes;
    };
    std::string bytes = reading(std::int64_t{1} << 40);
    CHECK_THROWS_WITH_AS(ByteReader(bytes).whole(), doctest::Contains("the number 1099511627776"), Error);
    bytes = reading(3);
    CHECK_THROWS_AS(ByteReader(bytes).choice<Role>(role_names.size()), Error);
    bytes = reading(-1);
    CHECK_THROWS_AS(ByteReader(bytes).choice<Role>(role_names.size()), Error);
    bytes = reading(2);
    CHECK(ByteReader(bytes).choice<Role>(role_names.size()) == Role::relay);
    bytes = reading(3, 0, 0);
    CHECK_THROWS_WITH_AS(ByteReader(bytes).size(), doctest::Contains("a list of 3 entries in 2 bytes"), Error);
    bytes = reading(2, 0, 0);
    CHECK(ByteReader(bytes).size() == 2);
    CHECK_THROWS_AS(ByteReader(bytes).size(2), Error);
    bytes = reading(-5);
    CHECK_THROWS_AS(ByteReader(bytes).text(), Error);
    CHECK_THROWS_WITH_AS(unpack_tile(std::string(64'000, '\0')), doctest::Contains("a tile of the log has more than"),
                         Error);
}

TEST_CASE("text for a terminal is cleaned once: untrusted names are one line, and what we say stays") {
    const std::string foreign = "r1\x1b[2J\nall is well \xc2\x9b";
    CHECK(terminal_text("{:<4}|\t{}\n", foreign, std::string_view("x\n")).text() == "r1?[2J?all is well ?|\tx?\n");
    CHECK(terminal_text("{}", Lines{"{\n\x1b}"}).text() == "{\n?}");
    CHECK(progress_text(terminal_text("{} of {}", 1, 2)).text() == "\r1 of 2\x1b[K");
}

TEST_CASE("several programs that write one file each write their own, and the name is never a part of a file") {
    const TemporaryFolder folder;
    const std::string path = folder / "out.csv";
    OutputFile first(path, true), second(path, true);
    first.write("the first one, which is long");
    second.write("the second");
    second.flush();
    CHECK(!fs::exists(path));
    first.commit();
    CHECK(read_text(path) == "the first one, which is long");
    second.commit();
    CHECK(read_text(path) == "the second");
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
    fs::remove(path);
    OutputFile third(path, false), fourth(path, false);  // who comes second does not replace the first
    third.commit();
    CHECK(refusal([&] { fourth.commit(); }).find("another program has just made it") != std::string::npos);
    fs::create_symlink("/etc/passwd", folder / "link");
    OutputFile replaced(folder / "link", true);
    replaced.write("mine");
    replaced.commit();
    CHECK(!fs::is_symlink(folder / "link"));
}

TEST_CASE("a name is taken by the first, the next one gets the next, and an empty file does not stay") {
    const TemporaryFolder folder;
    const auto name = [&](int k) { return folder / fmt::format("new/{}.sqlite", k); };
    std::vector<std::string> got(16);
    {
        std::vector<std::optional<TakenName>> taken(16);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < taken.size(); ++i)
            threads.emplace_back([&, i] { got[i] = taken[i].emplace(name).path(); });
        for (std::thread& thread : threads) thread.join();
        write_text(got[3], "not empty");
    }
    CHECK(std::set<std::string>(got.begin(), got.end()).size() == 16);
    CHECK(std::distance(fs::directory_iterator(folder / "new"), {}) == 1);
    CHECK(refusal([&] { TakenName again(got[3]); }).find("exists already") != std::string::npos);
    fs::create_symlink("/nowhere/at/all", folder / "link");
    CHECK(refusal([&] { TakenName link(folder / "link"); }).find("exists already") != std::string::npos);
}

TEST_CASE("a chunk of a log says how many steps it holds; no other number is believed") {
    const TemporaryFolder folder;
    const std::string path = folder / "log.sqlite";
    const auto log_of = [&](std::int64_t steps) {
        fs::remove(path);
        Database db(path, Database::Mode::create);
        db.run(fmt::format(
            "PRAGMA application_id = {}; CREATE TABLE meta(key TEXT PRIMARY KEY, value); CREATE TABLE "
            "robot(id, name, role, parent, child); CREATE TABLE event(step, kind, robot, json); CREATE TABLE "
            "summary(name, robot, value); CREATE TABLE chunk(first INTEGER PRIMARY KEY, last, codec, crc, "
            "blob); INSERT INTO robot(id) VALUES(0);"
            "INSERT INTO meta VALUES('level', 'metrics'), ('source', ''), ('version', '')",
            log_application_id));
        ByteWriter out;
        out.integer(steps);
        out.text("hash");
        out.bytes += std::string(3'000'000, '\0');
        Packer packer;
        const std::string_view packed = packer.pack(out.bytes, Packer::Method::small);
        Statement chunk = db.prepare("INSERT INTO chunk VALUES(0, ?, 'zlib', ?, ?)");
        chunk.bind(1, steps - 1).bind(2, std::int64_t{checksum(packed)}).bind_blob(3, packed).run();
        LogReader reader(path);
        return reader.steps().damaged.at(0);
    };
    CHECK(log_of(100'000'000).find("the number 100000000 where 1 to 4096 can be") != std::string::npos);
    CHECK(log_of(-1).find("steps 0-") != std::string::npos);
    CHECK(log_of(5).find("it holds an unknown section ''") != std::string::npos);
}

TEST_CASE("a briefing or a step with numbers that cannot be is refused before a map is drawn of it") {
    auto members = std::make_shared<std::vector<TeamMember>>(1);
    Briefing briefing;
    briefing.members = members;
    briefing.lattice.cell_m = 0.1;
    briefing.sensors.push_back({{}, -1.5, 0.1, 31, 0.01, 10});
    const auto read_back = [&](const Briefing& b) { return refusal([&] { read_briefings(write_briefings({b})); }); };
    CHECK(read_back(briefing) == "");
    Briefing odd = briefing;
    odd.kinematics = static_cast<Kinematics>(7);
    CHECK(read_back(odd).find("the number 7 where 0 to 1 can be") != std::string::npos);
    odd = briefing;
    odd.radio.model = static_cast<RadioModel>(4);
    CHECK(read_back(odd) != "");
    odd = briefing;
    odd.sensors[0].max_range_m = 1e300;
    CHECK(read_back(odd).find("numbers that cannot be") != std::string::npos);
    odd = briefing;
    odd.start.x = std::nan("");
    CHECK(read_back(odd).find("a place off all maps") != std::string::npos);
    odd = briefing;
    odd.lattice.cell_m = 0;
    CHECK(read_back(odd) != "");

    const std::vector<Briefing> team{briefing};
    const auto step_back = [&](const Percept& percept, const Decision& decision) {
        StepWriter writer(team, {});
        writer.begin(std::vector<Pose>{{}});
        writer.add(std::vector{percept}, std::vector{decision}, std::vector<std::vector<std::uint64_t>>(1));
        return refusal([&] {
            StepReader reader(team, writer.take_columns(), std::vector<Pose>{{}}, 0, {.most_cells = 2000});
            reader.next();
        });
    };
    CHECK(step_back({}, {}) == "");
    Percept far;
    far.motion.delta.x = 1e30;
    CHECK(step_back(far, {}).find("a place off all maps") != std::string::npos);
    far.motion.delta.x = 300;
    CHECK(step_back(far, {}).find("a place off all maps") != std::string::npos);
    far.motion.delta.x = 100;
    CHECK(step_back(far, {}) == "");
    Percept seen;
    seen.scans.push_back({0, std::vector<std::uint16_t>(31, 60'000), {}, 0});
    CHECK(step_back(seen, {}).find("a beam of 6000 cells") != std::string::npos);
    seen.scans[0].ranges.assign(31, 1'000);
    CHECK(step_back(seen, {}) == "");
    Percept sighted;
    sighted.sightings.push_back({static_cast<Sighting::Kind>(9), 0, {}});
    CHECK(step_back(sighted, {}).find("the number 9 where 0 to 2 can be") != std::string::npos);
    auto message = std::make_shared<Message>();
    TeamRecord me;
    me.role = static_cast<Role>(200);
    message->records.push_back(me);
    Decision says;
    says.outbox.push_back(message);
    CHECK(step_back({}, says).find("the number 200 where 0 to 2 can be") != std::string::npos);
}

}  // namespace test_foreign_files
