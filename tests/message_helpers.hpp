// Messages made by hand, for tests of how they travel.
#pragma once

#include <limits>

#include "helpers.hpp"
#include "wire/message_codec.hpp"
#include "wire/packing.hpp"

namespace outrider::hand_made {

/// Robot 1 of three writes to robot 0.
inline std::vector<Briefing> team(bool cells_change = false, RobotId robots = 3) {
    std::vector<TeamMember> members;
    for (RobotId i = 0; i < robots; ++i) members.push_back({.id = i, .name = fmt::format("r{}", i)});
    std::vector<Briefing> out(static_cast<std::size_t>(robots));
    for (RobotId i = 0; i < robots; ++i) {
        Briefing& b = out[static_cast<std::size_t>(i)];
        b.self = i;
        b.members = std::make_shared<const std::vector<TeamMember>>(members);
        b.lattice.cell_m = 0.1;
        b.cells_change = cells_change;
    }
    return out;
}

inline CellTile some_tile(std::uint64_t row) {
    CellTile tile;
    tile.known.rows.fill(row);
    tile.occupied.rows[5] = row & 0xff;
    return tile;
}

inline Message message_of(const std::vector<Briefing>& briefings, std::uint32_t seq, const MapSnapshot& map) {
    Message m;
    m.from = 1;
    m.frame = map.frame;
    for (const TeamMember& member : briefings[0].team()) {
        TeamRecord record;
        record.robot = member.id;
        record.seq = member.id == 1 ? seq : 0;
        record.words = {{3, to_all, {1, -2, std::numeric_limits<std::int64_t>::min()}}};
        m.records.push_back(record);
    }
    auto payload = std::make_shared<MapPayload>();
    payload->map = std::make_shared<const MapSnapshot>(map);
    m.payload = payload;
    return m;
}

inline std::string encoded(const std::vector<Briefing>& briefings, const Message& m) {
    return MessageEncoder(briefings[1], 0).encode(m, {});
}

inline std::string unpacked(const std::string& bytes) { return unpack(std::string_view(bytes).substr(1)); }
inline std::string packed(const std::string& content) {
    Packer packer;
    return '\x01' + std::string(packer.pack(content, Packer::Method::fast));
}

}  // namespace outrider::hand_made
