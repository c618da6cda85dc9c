#include "scenario/script.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/budget.hpp"
#include "base/byte_stream.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

class Narrator final : public Strategy, public CopiesItself {
  public:
    Narrator(std::shared_ptr<const Script> script, std::size_t robot, Cell origin)
        : script_(std::move(script)), robot_(robot), origin_(origin) {}

    std::unique_ptr<Strategy> copy() const override { return std::make_unique<Narrator>(*this); }
    Intent choose(const Belief& belief, Rng&) override {
        const ScriptEntry& entry = script_->steps.at(static_cast<std::size_t>(belief.step()))[robot_];
        Intent intent{.action = Stay{}, .role = entry.role};
        if (!belief.overlays_wanted()) return intent;
        if (entry.goal)
            intent.overlays.push_back(Overlay::marks(Overlay::Meaning::goal, "goal in the imported log", "",
                                                     {belief.map().lattice().centre(*entry.goal - origin_)}));
        if (!entry.note.empty())
            intent.overlays.push_back(Overlay::note(Overlay::Meaning::other, "the imported log says", entry.note));
        return intent;
    }

  private:
    std::shared_ptr<const Script> script_;
    std::size_t robot_;
    Cell origin_;
};

/// Throws Error where that is off all maps.
Cell moved(Cell from, Cell offset) {
    const std::int64_t x = std::int64_t{from.x} + offset.x, y = std::int64_t{from.y} + offset.y;
    constexpr std::int64_t most = 1 << 28;
    if (std::max(std::abs(x), std::abs(y)) > most) fail("the log's positions are damaged");
    return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
}

}  // namespace

/// By step and robot, cells and goals as the difference to the step before.
std::string Script::bytes() const {
    ByteWriter out;
    out.text(origin);
    out.integer(static_cast<std::int64_t>(steps.size()));
    const std::size_t robots = steps.empty() ? 0 : steps[0].size();
    out.integer(static_cast<std::int64_t>(robots));
    std::vector<ScriptEntry> last(robots);
    const auto cell = [&](Cell now, Cell before) {
        out.integer(now.x - before.x);
        out.integer(now.y - before.y);
    };
    for (const auto& step : steps)
        for (std::size_t i = 0; i < robots; ++i) {
            const ScriptEntry& now = step[i];
            cell(now.cell, last[i].cell);
            out.integer(static_cast<std::int64_t>(now.role));
            out.integer(now.goal.has_value());
            if (now.goal) cell(*now.goal, now.cell);
            out.integer(now.note != last[i].note);
            if (now.note != last[i].note) out.text(now.note);
            last[i] = now;
        }
    return std::move(out.bytes);
}

Script Script::read(std::string_view bytes, std::size_t team) {
    ByteReader in(bytes);
    Script script;
    script.origin = in.text();
    const std::size_t steps = in.size(), robots = in.size();
    if (robots != team || robots == 0 || steps == 0) fail("the log's positions are damaged");
    expect_affordable("the log's positions", steps * (sizeof(std::vector<ScriptEntry>) + robots * sizeof(ScriptEntry)),
                      "their steps");
    std::vector<ScriptEntry> now(robots);
    const auto cell = [&](Cell before) {
        const int x = in.whole();
        return moved(before, {x, in.whole()});
    };
    for (std::size_t k = 0; k < steps; ++k) {
        for (ScriptEntry& entry : now) {
            entry.cell = cell(entry.cell);
            entry.role = in.choice<Role>(role_names.size());
            entry.goal = in.integer() ? std::optional(cell(entry.cell)) : std::nullopt;
            if (in.integer()) entry.note = in.text();
        }
        script.steps.push_back(now);
    }
    return script;
}

std::vector<std::vector<Pose>> poses_of(const Script& script, const Lattice& lattice, Cell origin,
                                        const std::vector<double>& yaws) {
    std::vector<std::vector<Pose>> poses;
    std::vector<double> yaw = yaws;
    for (std::size_t k = 0; k < script.steps.size(); ++k) {
        auto& row = poses.emplace_back();
        for (std::size_t i = 0; i < yaw.size(); ++i) {
            const Point at = lattice.centre(script.steps[k][i].cell - origin);
            if (k > 0 && script.steps[k][i].cell != script.steps[k - 1][i].cell)
                yaw[i] = bearing(poses[k - 1][i].position(), at);
            row.push_back({at.x, at.y, yaw[i]});
        }
    }
    return poses;
}

std::unique_ptr<Strategy> make_narrator(std::shared_ptr<const Script> script, std::size_t robot, Cell origin) {
    return std::make_unique<Narrator>(std::move(script), robot, origin);
}

}  // namespace outrider
