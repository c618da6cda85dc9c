// What crossed the waist in a chunk of steps, as bytes (docs/log.md). One description serves for writing and reading.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "outrider/decision.hpp"
#include "outrider/percept.hpp"
#include "run/log_format.hpp"
#include "run/scan_codec.hpp"

namespace outrider {

/// A message that was heard. What it said stands with its sender, in the step before.
struct Heard {
    RobotId from = 0;
    std::uint64_t bytes = 0;  ///< on the air
    bool all_tiles = true;
    std::vector<TileCoord> tiles;  ///< sorted; when not all
    bool operator==(const Heard&) const = default;
};

/// What a robot said to all. Its map, and whom it had heard, follow from what it perceived up to then.
struct Said {
    Role role = Role::explorer;
    bool done = false;
    Share share = Share::all;
    int summary_tiles = 0;
    std::optional<Point> goal;
    std::vector<Word> words;
    bool operator==(const Said&) const = default;
};

/// A step of a robot. The inbox of `percept` is empty: it is in `heard`.
struct RobotStep {
    Percept percept;
    std::vector<Heard> heard;
    Command command;
    std::optional<Said> said;
    std::vector<Overlay> overlays;

    /// Takes over what is recorded of a step. `bytes`: of the messages of the inbox.
    void take(const Percept& p, const Decision& d, std::span<const std::uint64_t> bytes);
};

/// The columns of a chunk: single bits, whole numbers, ranges of scans, ranges that nothing foretold, doubles, texts.
struct WaistColumns {
    std::string bits, integers, ranges, jumps, numbers, texts;
    struct Column {
        std::string_view name;
        std::string WaistColumns::*bytes;
        bool packed;  ///< whether compressing makes it smaller
    };
    static const std::array<Column, 6> all;
};

/// Follows one robot from step to step: what it did last, and where odometry puts it.
struct WaistTrack {
    RobotStep last;
    Pose reckoned;
    std::vector<ScanCodec> sensors;
};

class WaistWriter {
  public:
    explicit WaistWriter(const std::vector<Briefing>& briefings);
    /// Begins a chunk that can be read by itself; the robots stand at these poses, as far as they know.
    void begin(std::span<const Pose> poses);
    /// One entry per robot, alive or not.
    void add(std::span<const Percept> percepts, std::span<const Decision> decisions,
             std::span<const std::vector<std::uint64_t>> bytes);
    WaistColumns& columns() { return columns_; }

  private:
    WaistColumns columns_;
    std::vector<WaistTrack> tracks_;
    std::vector<RobotStep> now_;
    std::vector<std::string> texts_;
    int pending_bits_ = 0;
    Lattice lattice_;
};

class WaistReader {
  public:
    /// A chunk whose first step is `first`.
    WaistReader(const std::vector<Briefing>& briefings, WaistColumns columns, std::span<const Pose> poses, int first);
    WaistReader(const WaistReader&) = delete;
    WaistReader& operator=(const WaistReader&) = delete;
    /// The next step, by robot. Throws Error when the chunk is damaged.
    const std::vector<RobotStep>& next();

  private:
    WaistColumns columns_;
    std::string_view bits_, ranges_, jumps_;
    ByteReader integers_, numbers_, texts_left_;
    std::vector<WaistTrack> tracks_;
    std::vector<RobotStep> now_;
    std::vector<std::string> texts_;
    int pending_bits_ = 0, step_;
    Lattice lattice_;
};

}  // namespace outrider
