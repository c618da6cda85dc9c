// Logs of runs: whole files, and each of the codecs in them behind its checksum.
#include "base/sqlite.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"
#include "log/briefing_codec.hpp"
#include "log/log_format.hpp"
#include "log/open_loop.hpp"
#include "log/replay.hpp"
#include "log/step_chunk.hpp"
#include "log/tile_codec.hpp"
#include "outrider/error.hpp"
#include "scenario/script.hpp"
#include "wire/packing.hpp"

namespace outrider::fuzz {
namespace {

constexpr int most_steps = 100;

/// A part of a log may be damaged, the others are read nevertheless.
template <class Read>
void attempt(Read&& read) {
    try {
        read();
    } catch (const Error&) {
    } catch (const RunFailure&) {
    }
}

void play(LogReader& log) {
    Replay replay(log);
    for (int step = 0; step < most_steps && replay.next(); ++step) replay.view();
}

void read_log(std::string_view bytes) {
    static const ScratchFile file("any.sqlite");
    file.write(bytes);
    LogReader log(file.path());
    attempt([&] { log.steps(); });
    attempt([&] { log.scenario(); });
    attempt([&] { log.events(); });
    attempt([&] { log.orders(); });
    attempt([&] { log.digest(); });
    attempt([&] { log.damaged_parts(); });
    attempt([&] { play(log); });
    attempt([&] {
        Replay replay(log);
        replay.seek(5);
    });
}

/// The sample log, one row of it with other content.
class ChangedLog {
  public:
    explicit ChangedLog(const std::string& name) : file_(name) {
        file_.write(sample_log());
        db_.emplace(file_.path(), Database::Mode::create);
        db_->run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
    }
    Statement prepare(std::string_view sql) { return db_->prepare(sql); }
    const std::string& path() const { return file_.path(); }

  private:
    ScratchFile file_;
    std::optional<Database> db_;
};

/// What stands in the rows of steps: hashes, metrics, poses.
void read_sections(std::string_view bytes) {
    static ChangedLog changed("sections.sqlite");
    static Statement put = changed.prepare("UPDATE chunk SET crc = ?, blob = ? WHERE first = 1");
    static Packer packer;
    const std::string blob(packer.pack(bytes, Packer::Method::fast));
    put.bind(1, std::int64_t{checksum(blob)}).bind_blob(2, blob).run();
    LogReader log(changed.path());
    log.steps();
}

/// What robots perceived, sent and decided, from a keyframe on.
void read_replay(std::string_view bytes) {
    static ChangedLog changed("replay.sqlite");
    static Statement put = changed.prepare("UPDATE waist SET crc = ?, hash = ?, blob = ? WHERE first = 1");
    static Packer packer;
    const auto parts = parts_of(bytes, 1 + StepColumns::all.size());
    StepChunk chunk;
    chunk.keyframe = parts[0];
    for (std::size_t i = 0; i < StepColumns::all.size(); ++i) chunk.columns.*StepColumns::all[i].bytes = parts[i + 1];
    const std::string blob = pack_steps(chunk, packer);
    put.bind(1, std::int64_t{checksum(blob)}).bind_blob(2, name_bytes(steps_name(chunk))).bind_blob(3, blob).run();
    LogReader log(changed.path());
    play(log);
}

void read_columns(std::string_view bytes) {
    static const std::vector<Briefing> briefings = sample_briefings();
    const auto parts = parts_of(bytes, StepColumns::all.size());
    StepColumns columns;
    for (std::size_t i = 0; i < StepColumns::all.size(); ++i) columns.*StepColumns::all[i].bytes = parts[i];
    const std::vector<Pose> poses(briefings.size());
    for (const StepLayout& layout : {StepLayout{}, StepLayout{.open_loop = true, .pose_estimate = true},
                                     StepLayout{.second_channel = true, .ground = true}})
        attempt([&] {
            StepReader reader(briefings, columns, poses, 1, layout);
            for (int step = 0; step < most_steps; ++step) reader.next();
        });
}

void read_keyframe_bytes(std::string_view bytes) {
    static const std::string tile(std::size_t{64} * 8 * 3, '\x55');
    read_keyframe(bytes, 3, [](std::int64_t) { return std::string_view(tile); });
}

void read_briefing_bytes(std::string_view bytes) {
    const std::vector<Briefing> briefings = read_briefings(bytes);
    if (briefings.empty()) return;
    const std::string written = write_briefings(briefings);
    expect(write_briefings(read_briefings(written)) == written, "briefings that are written and read again differ");
}

void read_tile(std::string_view bytes) {
    const std::string tile = unpack_tile(bytes);
    expect(unpack_tile(pack_tile(tile)) == tile, "a tile that is packed again differs");
}

void read_packed(std::string_view bytes) {
    static Packer packer;
    const std::string content = unpack(bytes);
    expect(unpack(packer.pack(content, Packer::Method::small)) == content, "bytes that are packed again differ");
}

void read_scan(std::string_view bytes) {
    const auto parts = parts_of(bytes, 2);
    std::string_view symbols = parts[0], jumps = parts[1];
    std::vector<std::uint16_t> ranges(parts[0].size());
    const ScanCodec codec(0.0174532925);
    codec.read(symbols, jumps, ranges);
    std::string written, written_jumps;
    codec.write(ranges, written, written_jumps);
    std::vector<std::uint16_t> again(ranges.size());
    symbols = written;
    jumps = written_jumps;
    codec.read(symbols, jumps, again);
    expect(again == ranges, "a scan that is written and read again differs");
}

void read_script(std::string_view bytes) {
    const Script script = Script::read(bytes, 3);
    expect(Script::read(script.bytes(), 3) == script, "a script that is written and read again differs");
}

void read_values(std::string_view bytes) {
    for (ByteReader in(bytes); !in.at_end();) {
        const std::int64_t value = in.integer();
        ByteWriter out;
        out.integer(value);
        expect(ByteReader(out.bytes).integer() == value, "an integer that is written and read again differs");
        if (value % 3 == 1) in.text();
        if (value % 3 == 2) in.number();
    }
}

}  // namespace

std::vector<Target> log_targets() {
    return {{"log", "logs as SQLite files (LogReader, Replay)", read_log, 1 << 16},
            {"log_sections", "the sections of steps in a log (LogReader::steps)", read_sections, 2048},
            {"replay", "the recorded steps of a log (Replay)", read_replay, 4096},
            {"log_columns", "the columns of steps (StepReader)", read_columns, 4096},
            {"log_keyframe", "keyframes (read_keyframe)", read_keyframe_bytes, 4096},
            {"log_briefings", "briefings (read_briefings)", read_briefing_bytes, 1024},
            {"log_tile", "tiles of maps (unpack_tile)", read_tile, 2048},
            {"log_packed", "what a log packs (unpack)", read_packed, 2048},
            {"log_scan", "ranges of scans (ScanCodec)", read_scan, 1024},
            {"log_script", "positions of a script (Script::read)", read_script, 512},
            {"log_values", "numbers and texts (ByteReader)", read_values, 256}};
}

}  // namespace outrider::fuzz
