// The map on the graphics card: pieces of 512 x 512 cells with smaller copies; only tiles that changed are sent.
#pragma once

#include <imgui.h>

#include <memory>

#include "view/painter.hpp"
#include "view/true_walls.hpp"
#include "view/view_model.hpp"

namespace outrider::view {

class MapTexture {
  public:
    explicit MapTexture(const RunInfo& info);
    ~MapTexture();
    MapTexture(const MapTexture&) = delete;
    MapTexture& operator=(const MapTexture&) = delete;

    /// Paints changed tiles, visible ones first, for about this long; the rest waits for the next call. Returns whether
    /// everything is painted.
    bool update(ViewModel& model, double budget_ms);
    void draw(ImDrawList& list, const Camera& camera) const;
    std::size_t painted() const { return painted_; }  ///< tiles so far

  private:
    struct Piece {
        unsigned id = 0;
    };
    void mark(TileCoord t);
    void mark_all();
    void upload(TileCoord t, const TilePixels& pixels);

    Painter painter_;
    TrueWalls true_walls_;
    double cell_m_;
    TileTable<Piece> pieces_;  // by tile coordinate / 8
    TileTable<std::uint8_t> waiting_;
    std::vector<TileCoord> queue_;
    int layers_version_ = -1, step_ = -1, history_to_ = -1;
    bool dark_ = false, map_only_ = false, past_ = false;
    Theme colours_;  // of the painter
    std::size_t painted_ = 0;
};

}  // namespace outrider::view
