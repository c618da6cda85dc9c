#include "run/keyframe.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "run/log_format.hpp"

namespace outrider {
namespace {

static_assert(std::endian::native == std::endian::little, "tiles are stored as they lie in memory");

void write_pose(ByteWriter& out, const Pose& pose) {
    out.number(pose.x);
    out.number(pose.y);
    out.number(pose.yaw);
}
Pose read_pose(ByteReader& in) {
    const double x = in.number(), y = in.number();
    return {x, y, in.number()};
}

int read_int(ByteReader& in) { return static_cast<int>(in.integer()); }
std::size_t read_size(ByteReader& in) {
    const std::int64_t n = in.integer();
    if (n < 0 || n > 10'000'000) fail("a keyframe of the log holds a list of {} entries", n);
    return static_cast<std::size_t>(n);
}

void write_record(ByteWriter& out, const TeamRecord& r) {
    for (const std::int64_t v :
         {std::int64_t{r.robot}, std::int64_t{r.seq}, std::int64_t{r.step}, std::int64_t{r.frame.robot},
          std::int64_t{r.frame.epoch}, static_cast<std::int64_t>(r.role), std::int64_t{r.done},
          std::int64_t{r.goal.has_value()}})
        out.integer(v);
    write_pose(out, r.pose);
    if (r.goal) {
        out.number(r.goal->x);
        out.number(r.goal->y);
    }
    out.integer(static_cast<std::int64_t>(r.words.size()));
    for (const Word& w : r.words) {
        out.integer(w.topic);
        out.integer(w.to);
        out.integer(static_cast<std::int64_t>(w.values.size()));
        for (const std::int64_t v : w.values) out.integer(v);
    }
}

TeamRecord read_record(ByteReader& in) {
    TeamRecord r;
    r.robot = read_int(in);
    r.seq = static_cast<std::uint32_t>(in.integer());
    r.step = read_int(in);
    r.frame.robot = read_int(in);
    r.frame.epoch = read_int(in);
    r.role = static_cast<Role>(in.integer());
    r.done = in.integer() != 0;
    const bool goal = in.integer() != 0;
    r.pose = read_pose(in);
    if (goal) {
        const double x = in.number();
        r.goal = Point{x, in.number()};
    }
    r.words.resize(read_size(in));
    for (Word& w : r.words) {
        w.topic = static_cast<std::uint32_t>(in.integer());
        w.to = read_int(in);
        w.values.resize(read_size(in));
        for (std::int64_t& v : w.values) v = in.integer();
    }
    return r;
}

/// Calls visit(coordinate, named tile) in the order of the snapshot.
template <class T, class Visit>
void for_each_tile(const PlaneSnapshot<T>& plane, Visit&& visit) {
    for (const auto& [at, block] : plane.blocks)
        for (std::size_t i = 0; i < block->data.tiles.size(); ++i)
            if (const Shared<T>& tile = block->data.tiles[i])
                visit(TileCoord{at.x * block_tiles + static_cast<int>(i % block_tiles),
                                at.y * block_tiles + static_cast<int>(i / block_tiles)},
                      *tile);
}

template <class T>
void read_plane(ByteReader& in, const std::function<std::string_view(std::int64_t)>& tile,
                std::shared_ptr<const PlaneSnapshot<T>>& out) {
    CowPlane<T> plane;
    std::int64_t id = 0;
    TileCoord at;
    for (std::size_t n = read_size(in); n > 0; --n) {
        at.x += read_int(in);
        at.y += read_int(in);
        const std::string_view bytes = tile(id += in.integer());
        if (bytes.size() != sizeof(T)) fail("tile {} of the log is none of its kind", id);
        std::memcpy(&plane.edit(at), bytes.data(), sizeof(T));
    }
    out = plane.snapshot();
}

}  // namespace

std::string name_bytes(const Hash128& name) {
    std::string bytes;
    for (const std::uint64_t half : {name.high, name.low})
        for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(half >> shift);
    return bytes;
}

std::string pack_tile(std::string_view bytes) {
    OUTRIDER_CHECK(bytes.size() % (64 * sizeof(std::uint64_t)), ==, 0u);
    std::string out;
    std::uint64_t last = 0;
    const auto append = [&](std::uint64_t word) {
        std::array<char, sizeof word> raw;
        std::memcpy(raw.data(), &word, sizeof word);
        out.append(raw.data(), raw.size());
    };
    for (; !bytes.empty(); bytes.remove_prefix(64 * sizeof last)) {
        std::array<std::uint64_t, 64> rows;
        std::memcpy(rows.data(), bytes.data(), sizeof rows);
        std::uint64_t changed = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            changed |= std::uint64_t{rows[i] != (i ? rows[i - 1] : last)} << i;
        append(changed);
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (changed >> i & 1) append(rows[i] ^ (i ? rows[i - 1] : last));
        last = rows.back();
    }
    return out;
}

std::string unpack_tile(std::string_view packed) {
    std::string out;
    std::uint64_t last = 0;
    const auto take = [&] {
        std::uint64_t word = 0;
        if (packed.size() < sizeof word) fail("a tile of the log ends too early");
        std::memcpy(&word, packed.data(), sizeof word);
        packed.remove_prefix(sizeof word);
        return word;
    };
    while (!packed.empty()) {
        std::array<std::uint64_t, 64> rows;
        const std::uint64_t changed = take();
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = last = changed >> i & 1 ? last ^ take() : last;
        out.append(reinterpret_cast<const char*>(rows.data()), sizeof rows);
    }
    return out;
}

std::string KeyframeWriter::write(std::span<const Robot> team, std::span<const Decision> decisions) {
    ByteWriter out;
    std::map<std::pair<RobotId, std::uint32_t>, std::size_t> records;  // by robot and seq: where they stand
    std::vector<const TeamRecord*> distinct;
    std::vector<RobotState> states;
    for (const Robot& robot : team) {
        states.push_back(robot.state());
        for (const auto& record : states.back().team)
            if (records.emplace(std::pair(record->robot, record->seq), distinct.size()).second)
                distinct.push_back(record.get());
    }
    out.integer(static_cast<std::int64_t>(distinct.size()));
    for (const TeamRecord* record : distinct) write_record(out, *record);
    for (std::size_t i = 0; i < states.size(); ++i) {
        const RobotState& state = states[i];
        const auto& outbox = decisions[i].outbox;
        out.integer(outbox.empty() ? -1 : static_cast<std::int64_t>(outbox.back()->share));
        out.integer(outbox.empty() ? 0 : outbox.back()->summary_tiles);
        out.integer(state.step);
        out.integer(state.last_discovery);
        write_pose(out, state.pose);
        for (const auto& record : state.team)
            out.integer(static_cast<std::int64_t>(records.at({record->robot, record->seq})));
        out.integer(state.map.frame.robot);
        out.integer(state.map.frame.epoch);
        out.integer(state.map.generation);
        const auto plane = [&](const auto& snapshot) {
            std::int64_t count = 0, last_id = 0;
            for_each_tile(snapshot, [&](TileCoord, const auto&) { ++count; });
            out.integer(count);
            TileCoord last;
            for_each_tile(snapshot, [&](TileCoord at, const auto& tile) {
                const auto [found, fresh] = ids_.emplace(tile.name, static_cast<std::int64_t>(ids_.size()) + 1);
                if (fresh)
                    fresh_.push_back({found->second, tile.name,
                                      pack_tile({reinterpret_cast<const char*>(&tile.data), sizeof tile.data})});
                out.integer(at.x - last.x);
                out.integer(at.y - last.y);
                out.integer(found->second - last_id);
                last = at;
                last_id = found->second;
            });
        };
        plane(*state.map.cells);
        for (const auto& marks : state.map.marks) plane(*marks);
        plane(*state.map.stamps);
    }
    return std::move(out.bytes);
}

std::vector<KeyframeEntry> read_keyframe(std::string_view bytes, std::size_t robots,
                                         const std::function<std::string_view(std::int64_t)>& tile) {
    ByteReader in(bytes);
    TeamTable records(read_size(in));
    for (auto& record : records) record = std::make_shared<const TeamRecord>(read_record(in));
    std::vector<KeyframeEntry> entries(robots);
    for (auto& [state, share, summary_tiles] : entries) {
        if (const int s = read_int(in); s >= 0) share = static_cast<Share>(s);
        summary_tiles = read_int(in);
        state.step = read_int(in);
        state.last_discovery = read_int(in);
        state.pose = read_pose(in);
        for (std::size_t k = 0; k < robots; ++k) {
            const std::size_t at = read_size(in);
            if (at >= records.size()) fail("a keyframe of the log refers to a record that it does not hold");
            state.team.push_back(records[at]);
        }
        state.map.frame.robot = read_int(in);
        state.map.frame.epoch = read_int(in);
        state.map.generation = static_cast<std::uint32_t>(in.integer());
        read_plane(in, tile, state.map.cells);
        for (auto& marks : state.map.marks) read_plane(in, tile, marks);
        read_plane(in, tile, state.map.stamps);
    }
    return entries;
}

std::string write_briefings(const std::vector<Briefing>& briefings) {
    ByteWriter out;
    const Briefing& first = briefings.at(0);
    out.integer(static_cast<std::int64_t>(briefings.size()));
    for (const TeamMember& m : first.team()) {
        out.text(m.name);
        for (const std::int64_t v :
             {static_cast<std::int64_t>(m.role), std::int64_t{m.parent}, std::int64_t{m.child}, std::int64_t{m.mobile}})
            out.integer(v);
        out.number(m.speed_mps);
        out.number(m.radio_range_m);
    }
    for (const Briefing& b : briefings) {
        OUTRIDER_CHECK(b.prior_map.has_value(), ==, false);  // nothing makes one yet
        out.number(b.radius_m);
        out.integer(static_cast<std::int64_t>(b.kinematics));
        out.number(b.turn_radps);
        out.integer(static_cast<std::int64_t>(b.sensors.size()));
        for (const SensorSpec& s : b.sensors) {
            write_pose(out, s.mount);
            out.number(s.first_angle);
            out.number(s.step_angle);
            out.integer(s.beams);
            out.number(s.range_unit_m);
            out.number(s.max_range_m);
        }
        out.integer(static_cast<std::int64_t>(b.radio.model));
        out.integer(static_cast<std::int64_t>(b.radio.range_rule));
        for (const double v : {b.radio.reference_dbm, b.radio.cutoff_dbm, b.radio.exponent, b.radio.wall_db})
            out.number(v);
        out.integer(b.radio.max_walls);
        out.integer(b.link_bytes);
        out.integer(b.cells_change);
        out.integer(b.deliveries);
        out.number(b.lattice.cell_m);
        out.number(b.step_s);
        out.integer(b.mission_steps);
        out.integer(b.frame.robot);
        out.integer(b.frame.epoch);
        write_pose(out, b.start);
        out.integer(static_cast<std::int64_t>(b.bases.size()));
        for (const auto& [id, pose] : b.bases) {
            out.integer(id);
            write_pose(out, pose);
        }
        out.integer(static_cast<std::int64_t>(b.region.size()));
        for (const Point& p : b.region) {
            out.number(p.x);
            out.number(p.y);
        }
    }
    return std::move(out.bytes);
}

std::vector<Briefing> read_briefings(std::string_view bytes) {
    ByteReader in(bytes);
    std::vector<Briefing> briefings(read_size(in));
    std::vector<TeamMember> members(briefings.size());
    for (TeamMember& m : members) {
        m.id = static_cast<RobotId>(&m - members.data());
        m.name = in.text();
        m.role = static_cast<Role>(in.integer());
        m.parent = read_int(in);
        m.child = read_int(in);
        m.mobile = in.integer() != 0;
        m.speed_mps = in.number();
        m.radio_range_m = in.number();
    }
    const auto team = std::make_shared<const std::vector<TeamMember>>(std::move(members));
    for (Briefing& b : briefings) {
        b.self = static_cast<RobotId>(&b - briefings.data());
        b.members = team;
        b.radius_m = in.number();
        b.kinematics = static_cast<Kinematics>(in.integer());
        b.turn_radps = in.number();
        b.sensors.resize(read_size(in));
        for (SensorSpec& s : b.sensors) {
            s.mount = read_pose(in);
            s.first_angle = in.number();
            s.step_angle = in.number();
            s.beams = read_int(in);
            s.range_unit_m = in.number();
            s.max_range_m = in.number();
        }
        b.radio.model = static_cast<RadioModel>(in.integer());
        b.radio.range_rule = static_cast<RangeRule>(in.integer());
        for (double* v : {&b.radio.reference_dbm, &b.radio.cutoff_dbm, &b.radio.exponent, &b.radio.wall_db})
            *v = in.number();
        b.radio.max_walls = read_int(in);
        b.link_bytes = read_int(in);
        b.cells_change = in.integer() != 0;
        b.deliveries = in.integer() != 0;
        b.lattice.cell_m = in.number();
        b.step_s = in.number();
        b.mission_steps = read_int(in);
        b.frame.robot = read_int(in);
        b.frame.epoch = read_int(in);
        b.start = read_pose(in);
        b.bases.resize(read_size(in));
        for (auto& [id, pose] : b.bases) {
            id = read_int(in);
            pose = read_pose(in);
        }
        b.region.resize(read_size(in));
        for (Point& p : b.region) {
            p.x = in.number();
            p.y = in.number();
        }
    }
    return briefings;
}

}  // namespace outrider
