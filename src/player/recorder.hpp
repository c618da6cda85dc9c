// Collects what a page shows of a run, while it runs or out of a full log; then packs it for the page.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/byte_stream.hpp"
#include "log/log_reader.hpp"
#include "log/viewers/aims.hpp"
#include "metrics/true_view.hpp"
#include "player/known_since.hpp"
#include "player/scene_track.hpp"
#include "run/run.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// How much of a run goes into its page.
struct PlayerDetail {
    std::size_t marks = 40;  ///< points of a layer of a robot's reasons: those of the best values, the chosen one among
                             ///< them; of lines four times as many
    int coarser = 1;         ///< squares of the map, joined to larger ones
};

/// What a page names of a run as a whole.
struct PlayerCaption {
    std::string command;  ///< that makes the run again
    std::string end;      ///< why it ended, in words; empty: it goes on, or was cut off
    std::vector<std::pair<std::string, std::string>> summary{};  ///< name of a metric, value
    /// Values in place of those of the same names.
    void renew(const std::vector<std::pair<std::string, std::string>>& values);
};

class PlayerRecorder {
  public:
    static constexpr std::size_t most_squares = 500'000;  ///< of the raster
    static constexpr std::size_t most_maps =
        32;  ///< robots whose own maps are kept; those of the others are put together

    /// `walls`: in the team's frame.
    PlayerRecorder(const Scenario& scenario, const Grid<std::uint8_t>& walls);

    /// Takes in a step. `poses`: true ones after it, in the team's frame.
    void add(const StepView& view, const StepMetrics& row, std::span<const Pose> poses);
    void add(const LogReader::Event& event) { events_.push_back(event); }
    /// The robots were built anew (a part of the log was damaged): their maps are looked at from the beginning.
    void forget();
    /// After the last step: what the maps show in the end.
    void settle(std::span<const Robot> team);

    int steps() const { return static_cast<int>(rows_.size()); }
    /// All of it for the page, packed: a header in JSON with its length before it, then numbers.
    std::string pack(const PlayerCaption& caption, const PlayerDetail& detail = {}) const;
    /// What both give of a run that goes on.
    std::string pack_so_far(std::span<const Robot> team, const PlayerCaption& caption);

  private:
    struct Stand {
        int x = 0, y = 0;  ///< in sixteenths of a cell from the raster's corner
        int yaw = 0;       ///< in 256ths of a turn
        int flags = 0;
    };
    struct NewAim {
        int step = 0;  ///< index
        Aim aim;
    };
    struct Reasons {
        int step = 0;
        std::vector<Overlay> overlays;
    };
    struct Track {
        std::vector<Stand> stands;
        std::vector<NewAim> aims;
        std::vector<Reasons> reasons;
    };
    struct LinkChange {
        int step = 0, a = 0, b = 0;
    };

    Stand stand(const Robot& robot, const Percept& percept, const Decision& decision, const Pose& pose) const;
    void add_aim(const Robot& robot, Track& track) const;
    void add_reasons(const Robot& robot, const Decision& decision, Track& track) const;
    void add_links(const StepView& view);
    void append(ByteWriter& out, Point at) const;
    void append(ByteWriter& out, const Overlay& overlay, const std::optional<Point>& goal, const PlayerDetail& detail,
                PlayerTexts& texts) const;
    void append(ByteWriter& out, const Track& track, const PlayerDetail& detail, PlayerTexts& texts) const;
    std::string header(const PlayerCaption& caption, const PlayerDetail& detail, const PlayerTexts& texts) const;

    const Scenario& scenario_;
    const Grid<std::uint8_t>& walls_;
    PlayerRaster raster_;
    std::optional<TrueView> truth_;
    std::vector<int> numbers_;  // of the steps
    std::vector<StepMetrics> rows_;
    std::vector<Track> tracks_;
    std::vector<LinkChange> links_;
    std::vector<std::pair<RobotId, RobotId>> linked_;
    std::vector<LogReader::Event> events_;
    SceneTrack scene_;
    std::vector<KnownSince> known_;     // of the first robots, then of all others together
    std::vector<ChangeCursor> looked_;  // at each robot's map
};

}  // namespace outrider
