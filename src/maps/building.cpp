#include "maps/building.hpp"

#include <algorithm>
#include <numeric>

#include "outrider/error.hpp"

namespace outrider {
namespace {

/// Union-find: which spaces are already connected.
class Parts {
  public:
    explicit Parts(std::size_t count) : of_(count) { std::iota(of_.begin(), of_.end(), 0); }
    int of(int i) const { return of_[static_cast<std::size_t>(i)]; }
    bool join(int a, int b) {
        const int from = of(a), to = of(b);
        if (from == to) return false;
        std::replace(of_.begin(), of_.end(), from, to);
        return true;
    }

  private:
    std::vector<int> of_;
};

}  // namespace

Building::Building(Drawing& drawing, const BuildingOptions& options, Rng& rng)
    : drawing_(drawing),
      options_(options),
      rng_(rng),
      wall_(drawing.cells(options.wall_m)),
      door_min_(drawing.cells(options.door_min_m)),
      door_max_(drawing.cells(options.door_max_m)),
      corridor_(drawing.cells(options.corridor_m)) {
    if (options.door_min_m > options.door_max_m)
        fail("door_min_m = {} is wider than door_max_m = {}", options.door_min_m, options.door_max_m);
}

void Building::add(const Rect& inner, Use use) {
    if (inner.w <= 0 || inner.h <= 0) return;
    drawing_.rect(inner, Fill::free);
    spaces_.push_back({inner, use});
    drawing_.rooms += use != Use::corridor;
}

int Building::count(Use use) const {
    return static_cast<int>(
        std::count_if(spaces_.begin(), spaces_.end(), [&](const Space& s) { return s.use == use; }));
}

std::vector<Building::Gap> Building::gaps() const {
    std::vector<Gap> out;
    const int least = door_max_ + 2;
    for (int i = 0; i < static_cast<int>(spaces_.size()); ++i)
        for (int j = 0; j < static_cast<int>(spaces_.size()); ++j) {
            const Rect &a = spaces_[static_cast<std::size_t>(i)].inner, &b = spaces_[static_cast<std::size_t>(j)].inner;
            const int x = std::max(a.x, b.x), w = std::min(a.right(), b.right()) - x;
            const int y = std::max(a.y, b.y), h = std::min(a.top(), b.top()) - y;
            Rect wall;
            if (b.x - a.right() == wall_ && h >= least)
                wall = {a.right(), y, wall_, h};
            else if (b.y - a.top() == wall_ && w >= least)
                wall = {x, a.top(), w, wall_};
            else
                continue;
            const bool barred =
                std::any_of(barred_.begin(), barred_.end(), [&](const Rect& r) { return r.overlaps(wall); });
            if (!barred) out.push_back({i, j, wall});
        }
    return out;
}

/// A door somewhere in the gap, a cell or more from its ends; often near one, as in most buildings.
void Building::open(const Gap& gap) {
    const int width = between(rng_, door_min_, door_max_);
    const bool upright = gap.wall.h > gap.wall.w || (gap.wall.w == wall_ && gap.wall.h >= door_max_ + 2);
    const int length = upright ? gap.wall.h : gap.wall.w, spare = length - width - 2;
    int at = between(rng_, 0, spare);
    if (const int jamb = drawing_.cells(0.3); spare > 2 * jamb && chance(rng_, 0.6))
        at = chance(rng_, 0.5) ? jamb : spare - jamb;
    const Rect door = upright ? Rect{gap.wall.x, gap.wall.y + 1 + at, gap.wall.w, width}
                              : Rect{gap.wall.x + 1 + at, gap.wall.y, width, gap.wall.h};
    drawing_.rect(door, Fill::free);
    drawing_.doors.push_back(door);
}

void Building::connect() {
    std::vector<Gap> all = gaps();
    shuffle(rng_, all);
    const auto use = [&](int i) { return spaces_[static_cast<std::size_t>(i)].use; };
    const auto rank = [&](const Gap& g) {  // doors lead to corridors first, then to halls, and to baths last
        const bool corridor = use(g.a) == Use::corridor || use(g.b) == Use::corridor;
        const bool hall =
            use(g.a) == Use::hall || use(g.b) == Use::hall || use(g.a) == Use::living || use(g.b) == Use::living;
        return corridor ? 0 : hall ? 1 : 2;
    };
    std::stable_sort(all.begin(), all.end(), [&](const Gap& a, const Gap& b) { return rank(a) < rank(b); });
    Parts parts(spaces_.size());
    for (int i = 0; i < static_cast<int>(spaces_.size()); ++i)
        for (int j = 0; j < i; ++j)
            if (spaces_[static_cast<std::size_t>(i)].inner.overlaps(spaces_[static_cast<std::size_t>(j)].inner))
                parts.join(i, j);
    for (const Gap& g : all) {
        if (parts.join(g.a, g.b))
            open(g);
        else if (use(g.a) != Use::bath && use(g.b) != Use::bath && chance(rng_, options_.loops))
            open(g);
    }
}

/// An item is placed only where it keeps the doors, and the middle of the paths to them, free.
void Building::put(const Space& in, Rect item) {
    const int room = drawing_.cells(0.9);
    if (item.x < in.inner.x || item.y < in.inner.y || item.right() > in.inner.right() || item.top() > in.inner.top())
        return;
    for (const Rect& door : drawing_.doors)
        if (door.grown(room).overlaps(item)) return;
    drawing_.rect(item, Fill::wall);
}

void Building::furnish() {
    for (const Space& s : spaces_)
        if (s.use != Use::corridor && s.use != Use::empty &&
            (chance(rng_, options_.furniture) || (s.use == Use::open_plan && options_.furniture > 0)))
            furnish(s);
}

void Building::furnish(const Space& s) {
    const Rect& r = s.inner;
    const auto m = [&](double metres) { return drawing_.cells(metres); };
    // Rows of items over the room, `aisle` around each.
    const auto rows = [&](int w, int h, int aisle_x, int aisle_y, int margin) {
        const int nx = (r.w - 2 * margin + aisle_x) / (w + aisle_x), ny = (r.h - 2 * margin + aisle_y) / (h + aisle_y);
        const int x0 = r.x + (r.w - nx * w - (nx - 1) * aisle_x) / 2,
                  y0 = r.y + (r.h - ny * h - (ny - 1) * aisle_y) / 2;
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) put(s, {x0 + i * (w + aisle_x), y0 + j * (h + aisle_y), w, h});
    };
    const auto against = [&](int side, int w, int d, int at) {  // 0 left, 1 right, 2 bottom, 3 top; `at` along it
        put(s, side == 0   ? Rect{r.x, r.y + at, d, w}
               : side == 1 ? Rect{r.right() - d, r.y + at, d, w}
               : side == 2 ? Rect{r.x + at, r.y, w, d}
                           : Rect{r.x + at, r.top() - d, w, d});
    };
    const auto length = [&](int side) { return side < 2 ? r.h : r.w; };
    const int side = between(rng_, 0, 3), other = side ^ 1;
    switch (s.use) {
        case Use::office:
            against(side, m(1.6), m(0.8), m(1.5));
            if (length(other) > m(4)) against(other, m(1.6), m(0.8), length(other) - m(2.6));
            against((side + 2) % 4, m(1.0), m(0.4), length((side + 2) % 4) - m(1.0));
            break;
        case Use::meeting: {
            const int w = std::max(m(1), r.w - 2 * m(1.6)), h = std::max(m(1), r.h - 2 * m(1.6));
            const Rect table{r.centre().x - std::min(w, m(5)) / 2, r.centre().y - std::min(h, m(5)) / 2,
                             std::min(w, r.w >= r.h ? m(5) : m(1.6)), std::min(h, r.w >= r.h ? m(1.6) : m(5))};
            put(s, {r.centre().x - table.w / 2, r.centre().y - table.h / 2, table.w, table.h});
            break;
        }
        case Use::open_plan:
            rows(m(3.2), m(1.6), m(1.8), m(1.8), m(1.2));
            break;
        case Use::classroom:
            rows(m(1.3), m(0.6), m(0.9), m(0.9), m(1.3));
            break;
        case Use::ward:
            for (int at = m(0.8); at + m(1.0) < length(side) - m(0.5); at += m(2.6)) against(side, m(1.0), m(2.0), at);
            break;
        case Use::store:
            for (const int wall : {side, other}) against(wall, length(wall), m(0.6), 0);
            break;
        case Use::living:
            against(side, m(2.2), m(0.9), (length(side) - m(2.2)) / 2);
            put(s, {r.centre().x - m(0.9), r.centre().y - m(0.5), m(1.8), m(1.0)});
            against(other, m(1.6), m(0.4), (length(other) - m(1.6)) / 3);
            break;
        case Use::bedroom:
            against(side, m(1.6), m(2.0), (length(side) - m(1.6)) / 2);
            against(other, m(1.8), m(0.6), 0);
            break;
        case Use::kitchen:
            against(side, length(side), m(0.6), 0);
            if (r.w > m(3.5) && r.h > m(3.5)) put(s, {r.centre().x - m(0.6), r.centre().y - m(0.5), m(1.2), m(1.0)});
            break;
        case Use::bath:
            against(side, m(1.6), m(0.7), 0);
            break;
        default:
            break;
    }
}

std::vector<Rect> halve(Rng& rng, const Rect& area, int typical, int gap) {
    const int longer = std::max(area.w, area.h);
    if (longer < 2 * typical * 3 / 4 + gap || (longer < typical * 3 / 2 + gap && chance(rng, 0.5))) return {area};
    const bool upright = area.w > area.h || (area.w == area.h && chance(rng, 0.5));
    const int least = longer * 2 / 5, at = between(rng, least, longer - gap - least);
    const Rect first = upright ? Rect{area.x, area.y, at, area.h} : Rect{area.x, area.y, area.w, at};
    const Rect second = upright ? Rect{area.x + at + gap, area.y, area.w - at - gap, area.h}
                                : Rect{area.x, area.y + at + gap, area.w, area.h - at - gap};
    std::vector<Rect> out = halve(rng, first, typical, gap);
    for (const Rect& r : halve(rng, second, typical, gap)) out.push_back(r);
    return out;
}

}  // namespace outrider
