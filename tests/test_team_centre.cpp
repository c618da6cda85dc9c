// Where a team starts when nobody says: against a plain search.
#include "helpers.hpp"
#include "scenario/team_centre.hpp"
#include "world/components.hpp"

using namespace outrider;

namespace test_team_centre {
namespace {

/// The cells whose square of so many cells to each side is open.
std::vector<Cell> with_room(const Grid<std::uint8_t>& blocked, const std::vector<Cell>& cells, int room) {
    std::vector<Cell> out;
    for (const Cell c : cells) {
        bool open = true;
        for (int dy = -room; dy <= room; ++dy)
            for (int dx = -room; dx <= room; ++dx) open &= blocked.get(c + Cell{dx, dy}, 1) == 0;
        if (open) out.push_back(c);
    }
    return out;
}

Cell by_plain_search(const Grid<std::uint8_t>& blocked) {
    const Grid<std::int32_t> labels = label_components(blocked);
    std::map<std::int32_t, std::vector<Cell>> parts;
    for (int y = 0; y < blocked.height(); ++y)
        for (int x = 0; x < blocked.width(); ++x)
            if (const Cell c{x, y}; labels[c] > 0) parts[labels[c]].push_back(c);
    std::vector<Cell> cells;
    for (const auto& [label, part] : parts)
        if (part.size() > cells.size()) cells = part;
    double x = 0, y = 0;
    for (const Cell c : cells) {
        x += c.x;
        y += c.y;
    }
    x /= static_cast<double>(cells.size());
    y /= static_cast<double>(cells.size());
    for (int room = 1; room < 8; ++room)
        if (const auto roomy = with_room(blocked, cells, room); !roomy.empty())
            cells = roomy;
        else
            break;
    return *std::min_element(cells.begin(), cells.end(), [&](Cell a, Cell b) {
        const double to_a = std::hypot(a.x - x, a.y - y), to_b = std::hypot(b.x - x, b.y - y);
        return to_a < to_b || (to_a == to_b && std::pair(a.y, a.x) < std::pair(b.y, b.x));
    });
}

}  // namespace

TEST_CASE("a team starts at the middle of the largest area, where there is room: as a plain search finds it") {
    Rng rng(3, 0, Purpose::map, 0);
    for (int round = 0; round < 60; ++round) {
        const int width = 20 + static_cast<int>(rng.below(150)), height = 20 + static_cast<int>(rng.below(80));
        Scenario s;
        s.walls = Grid<std::uint8_t>(width, height, 0, Lattice{0.1});
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                if (x == 0 || y == 0 || x == width - 1 || y == height - 1 || rng.uniform() < 0.01) s.walls[{x, y}] = 1;
        if (round % 2) {  // two rooms of about one size, and a middle that is in neither
            for (int y = 0; y < height; ++y) s.walls[{width / 2, y}] = 1;
            for (int y = height / 3; y < height; ++y)
                for (int x = 2; x < width / 2 - 2; ++x) s.walls[{x, y}] = 1;
        }
        Notes notes;
        CHECK(team_centre(s, s.walls, notes) == by_plain_search(s.walls));
    }
}

}  // namespace test_team_centre
