// Where marks and words stand on the screen, in its pixels: robots on one place fan out, words keep apart.

const NEAR = 13, PITCH = 17;  // as fan_out() of src/scene/fan.hpp has them

// Groups of places nearer than NEAR, each spread on a ring in the order in which they stand around its middle. `held`:
// places that stay (bases). Rings that come near others take them in.
function fanOut(places, held) {
  if (places.length > 64) return [...places];
  const group = places.map((_, i) => i);
  for (let again = true, spots = places; ; spots = rings(places, held, group)) {
    again = false;
    for (let i = 0; i < places.length; ++i)
      for (let j = 0; j < i; ++j) {
        if (group[i] === group[j] || Math.hypot(spots[i].x - spots[j].x, spots[i].y - spots[j].y) >= NEAR) continue;
        const from = Math.max(group[i], group[j]), to = Math.min(group[i], group[j]);
        group.forEach((g, k) => { if (g === from) group[k] = to; });
        again = true;
      }
    if (!again) return spots;
  }
}
function rings(places, held, group) {
  const spots = [...places];
  for (const one of new Set(group)) {
    const all = places.map((_, i) => i).filter(i => group[i] === one), still = all.filter(i => held[i]);
    const moved = all.filter(i => !held[i]), from = still.length ? still : moved;
    if (all.length < 2 || !moved.length) continue;
    const middle = {x: 0, y: 0};
    for (const i of from) { middle.x += places[i].x / from.length; middle.y += places[i].y / from.length; }
    const angle = new Map(moved.map(i => [i, Math.atan2(places[i].y - middle.y, places[i].x - middle.x)]));
    moved.sort((a, b) => angle.get(a) - angle.get(b) || a - b);
    const radius = Math.max(PITCH * (still.length ? 1 : 0.6), PITCH * moved.length / (2 * Math.PI));
    moved.forEach((i, k) => {
      const a = angle.get(moved[0]) + 2 * Math.PI * k / moved.length;
      spots[i] = {x: middle.x + radius * Math.cos(a), y: middle.y + radius * Math.sin(a)};
    });
  }
  return spots;
}

// Words of one picture: each gets the first free place around its mark, or one farther off with a line to it, or none.
class Labels {
  constructor(g, box, ink, ground) {
    Object.assign(this, {g, box, ink, ground, taken: [], placed: []});
  }
  take(left, top, right, bottom) { this.taken.push([left, top, right, bottom]); }
  free([left, top, right, bottom]) {
    return left >= 0 && top >= 0 && right <= this.box.width && bottom <= this.box.height &&
           !this.taken.some(t => left < t[2] && right > t[0] && top < t[3] && bottom > t[1]);
  }
  // Beside (x, y), `gap` away from it; `far`: how many times farther it may stand.
  put(text, x, y, {colour = this.ink, gap = 10, far = 1} = {}) {
    const {g} = this, height = 14;
    g.font = '12px system-ui,sans-serif';
    const width = g.measureText(text).width + 2;
    for (let ring = 1; ring <= far; ++ring) {
      const d = gap + (ring - 1) * 12;
      for (const [u, v] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, -1], [1, 1], [-1, -1], [-1, 1]]) {
        const along = u && v ? 0.75 * d : d;
        const left = x + u * along - width * (1 - u) / 2, top = y + v * along - height * (1 - v) / 2;
        if (!this.free([left, top, left + width, top + height])) continue;
        this.take(left, top, left + width, top + height);
        this.placed.push({text, box: [left, top, left + width, top + height]});
        if (ring > 2) this.lead(x, y, left + width * (1 - u) / 2, top + height * (1 - v) / 2, colour);
        this.draw(text, left + 1, top + 11, colour);
        return true;
      }
    }
    return false;
  }
  lead(x, y, toX, toY, colour) {
    this.g.strokeStyle = colour;
    this.g.lineWidth = 1;
    this.g.beginPath();
    this.g.moveTo(x, y);
    this.g.lineTo(toX, toY);
    this.g.stroke();
  }
  draw(text, x, y, colour) {
    const {g} = this;
    g.lineWidth = 3;
    g.lineJoin = 'round';
    g.strokeStyle = this.ground;
    g.strokeText(text, x, y);
    g.fillStyle = colour;
    g.fillText(text, x, y);
  }
}
