#include "view/window/map_texture.hpp"

#include <SDL_opengl.h>

#include <algorithm>
#include <chrono>

namespace outrider::view {
namespace {

constexpr int piece_tiles = 8, piece_side = piece_tiles * tile_size;

TileCoord piece_of(TileCoord t) { return {t.x >> 3, t.y >> 3}; }

unsigned make_texture() {
    unsigned id = 0;
    glGenTextures(1, &id);
    glBindTexture(GL_TEXTURE_2D, id);
    const std::vector<std::uint32_t> empty(static_cast<std::size_t>(piece_side) * piece_side, 0);
    for (int level = 0; level < TilePixels::levels; ++level)
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, piece_side >> level, piece_side >> level, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, empty.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, TilePixels::levels - 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return id;
}

}  // namespace

MapTexture::MapTexture(const RunInfo& info)
    : painter_(info.walls, info.is_base), true_walls_(info.walls), cell_m_(info.walls.lattice().cell_m) {
    const MapLayers& layers = info.scenario.layers;
    if (!layers.plan) return;
    Grid<std::uint8_t> plan = *layers.plan;
    plan.set_origin(info.walls.origin());
    painter_.set_prior(plan);
}

MapTexture::~MapTexture() {
    pieces_.for_each([](TileCoord, const Piece& piece) {
        if (piece.id) glDeleteTextures(1, &piece.id);
    });
}

void MapTexture::mark(TileCoord t) {
    if (t.x < painter_.low().x || t.y < painter_.low().y || t.x > painter_.high().x || t.y > painter_.high().y) return;
    std::uint8_t& flag = waiting_.at(t);
    if (!flag) queue_.push_back(t);
    flag = 1;
}

void MapTexture::mark_all() {
    for (int y = painter_.low().y; y <= painter_.high().y; ++y)
        for (int x = painter_.low().x; x <= painter_.high().x; ++x) mark({x, y});
}

void MapTexture::upload(TileCoord t, const TilePixels& pixels) {
    Piece& piece = pieces_.at(piece_of(t));
    if (!piece.id) piece.id = make_texture();
    glBindTexture(GL_TEXTURE_2D, piece.id);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    const int x = (t.x & (piece_tiles - 1)) * tile_size, y = (t.y & (piece_tiles - 1)) * tile_size;
    for (int level = 0; level < TilePixels::levels; ++level)
        glTexSubImage2D(GL_TEXTURE_2D, level, x >> level, y >> level, tile_size >> level, tile_size >> level, GL_RGBA,
                        GL_UNSIGNED_BYTE, pixels.level[static_cast<std::size_t>(level)].data());
}

bool MapTexture::update(ViewModel& model, double budget_ms) {
    if (layers_version_ != model.layers.version() || dark_ != model.dark || map_only_ != model.map_only) {
        Layers layers = model.layers;
        colours_ = theme(model.dark);
        if (model.map_only) {
            layers.apply("walls");
            colours_.unknown = colours_.free;
            colours_.hidden_wall = colours_.wall;
        }
        painter_.plan(layers, colours_);
        mark_all();
    }
    const int now = model.shown_step();
    const bool past = model.looks_back();
    const int history_to = model.progress().history_to;
    if ((painter_.ages() || past || past_) && (step_ != now || past_ != past || history_to_ != history_to)) mark_all();
    history_to_ = history_to;
    layers_version_ = model.layers.version();
    dark_ = model.dark;
    map_only_ = model.map_only;
    step_ = now;
    past_ = past;
    for (const TileCoord t : model.maps().take_changed()) mark(t);
    for (const TrueWalls::Change& change : true_walls_.follow(model.events(), now)) {
        painter_.set_wall(change.cell, change.wall);
        mark(tile_of(change.cell));
    }
    bool counted = true;
    if (!painter_.visitors().empty()) {
        counted = model.visits.follow(model.rows(), now, painter_.visitors(), budget_ms > 1000 ? SIZE_MAX : 200);
        for (const TileCoord t : model.visits.take_changed()) mark(t);
    }
    if (queue_.empty()) return counted;

    // Tiles in view come first; those farther away wait longer.
    const Point centre = model.camera.to_metres(model.camera.origin + model.camera.size * 0.5);
    const auto away = [&](TileCoord t) {
        const double side = tile_size * cell_m_;
        return distance({(t.x + 0.5) * side, (t.y + 0.5) * side}, centre);
    };
    if (queue_.size() > 64)
        std::sort(queue_.begin(), queue_.end(), [&](TileCoord a, TileCoord b) {
            const double da = away(a), db = away(b);
            return da != db ? da > db : a < b;
        });
    const auto start = std::chrono::steady_clock::now();
    static thread_local TilePixels pixels;
    while (!queue_.empty()) {
        const TileCoord t = queue_.back();
        queue_.pop_back();
        waiting_.at(t) = 0;
        painter_.paint(t, {model.maps(), model.source().telemetry().history(), now, &model.visits, past}, pixels);
        upload(t, pixels);
        ++painted_;
        const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
        if (spent.count() > budget_ms) break;
    }
    return counted && queue_.empty();
}

void MapTexture::draw(ImDrawList& list, const Camera& camera) const {
    const double side = piece_side * cell_m_;
    pieces_.for_each([&](TileCoord t, const Piece& piece) {
        if (!piece.id) return;
        const Point low{t.x * side, t.y * side};
        const Point a = camera.to_pixels({low.x, low.y + side}), b = camera.to_pixels({low.x + side, low.y});
        if (b.x < camera.origin.x || b.y < camera.origin.y || a.x > camera.origin.x + camera.size.x ||
            a.y > camera.origin.y + camera.size.y)
            return;
        list.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(piece.id)),
                      {static_cast<float>(a.x), static_cast<float>(a.y)},
                      {static_cast<float>(b.x), static_cast<float>(b.y)}, {0, 1}, {1, 0});
    });
}

}  // namespace outrider::view
