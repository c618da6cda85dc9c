// The map of a run: what is known of it at a step, and what is drawn over it.

function style(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
// A colour as a pixel of an image.
function pixel(name) {
  const hex = style(name).replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  const n = parseInt(hex.slice(1), 16);
  return (255 << 24 | (n & 255) << 16 | (n >> 8 & 255) << 8 | n >> 16) >>> 0;
}

function drawMark(g, shape, x, y, r) {
  g.beginPath();
  if (shape === 'cross') { g.moveTo(x - r * 0.65, y); g.lineTo(x + r * 0.65, y); g.moveTo(x, y - r * 0.65); g.lineTo(x, y + r * 0.65); }
  else g.arc(x, y, r, 0, 7);
  shape === 'disc' ? g.fill() : g.stroke();
}

class MapView extends RobotPainter {
  constructor(run, index, state) {
    super();
    this.run = run;
    this.index = index;
    this.state = state;
    this.element = document.createElement('div');
    this.element.className = 'map';
    this.canvas = this.element.appendChild(document.createElement('canvas'));
    this.title = this.element.appendChild(document.createElement('div'));
    this.title.className = 'title';
    this.image = document.createElement('canvas');
    this.image.width = run.columnsOfMap;
    this.image.height = run.rowsOfMap;
    this.pixels = new ImageData(run.columnsOfMap, run.rowsOfMap);
    this.zoom = 1;
    this.centre = {x: run.width / 2, y: run.height / 2};
    this.fingers = new Map();
    this.listen();
  }

  // Pixels of the screen a cell.
  get scale() {
    const box = this.canvas.getBoundingClientRect();
    return this.zoom * Math.min(box.width / this.run.width * 0.97, (box.height - 64) / this.run.height);  // title, scale
  }
  toScreen(p) {
    const s = this.scale, box = this.box;
    return [box.width / 2 + (p.x - this.centre.x) * s, box.height / 2 - (p.y - this.centre.y) * s];
  }
  toMap(x, y) {
    const s = this.scale, box = this.canvas.getBoundingClientRect();
    return {x: this.centre.x + (x - box.left - box.width / 2) / s, y: this.centre.y - (y - box.top - box.height / 2) / s};
  }
  zoomBy(factor, x, y) {
    const box = this.canvas.getBoundingClientRect();
    const px = x ?? box.left + box.width / 2, py = y ?? box.top + box.height / 2;
    const before = this.toMap(px, py);
    this.zoom = Math.max(0.5, Math.min(60, this.zoom * factor));
    const after = this.toMap(px, py);
    this.centre.x += before.x - after.x;
    this.centre.y += before.y - after.y;
    this.state.draw();
  }
  fit() {
    this.zoom = 1;
    this.centre = {x: this.run.width / 2, y: this.run.height / 2};
    this.state.draw();
  }

  listen() {
    const c = this.canvas;
    c.addEventListener('wheel', e => { e.preventDefault(); this.zoomBy(Math.exp(-e.deltaY / 400), e.clientX, e.clientY); },
                       {passive: false});
    c.addEventListener('dblclick', () => this.fit());
    c.addEventListener('pointerdown', e => {
      c.setPointerCapture(e.pointerId);
      this.fingers.set(e.pointerId, {x: e.clientX, y: e.clientY});
      this.moved = this.fingers.size > 1;
      this.stroke = this.state.brush?.tool && !this.moved && e.button === 0 ? [this.toMap(e.clientX, e.clientY)] : null;
    });
    c.addEventListener('pointermove', e => {
      const was = this.fingers.get(e.pointerId);
      if (!was) return;
      const now = {x: e.clientX, y: e.clientY};
      if (this.stroke) {
        this.stroke.push(this.toMap(now.x, now.y));
        this.state.draw();
        return;
      }
      if (this.fingers.size === 2) {
        const other = [...this.fingers].find(([id]) => id !== e.pointerId)[1];
        const apart = p => Math.hypot(p.x - other.x, p.y - other.y);
        this.zoomBy(apart(now) / Math.max(1, apart(was)), (now.x + other.x) / 2, (now.y + other.y) / 2);
      } else if (this.moved || Math.hypot(now.x - was.x, now.y - was.y) > 3) {
        this.moved = true;
        this.centre.x -= (now.x - was.x) / this.scale;
        this.centre.y += (now.y - was.y) / this.scale;
        this.state.draw();
      } else {
        return;
      }
      this.fingers.set(e.pointerId, now);
    });
    const up = e => {
      const stroke = this.stroke;
      this.stroke = null;
      if (stroke) this.moved = true;
      if (stroke && e.type === 'pointerup') this.state.brush.stroke(stroke);
      if (this.fingers.delete(e.pointerId) && !this.moved && e.type === 'pointerup') this.click(e.clientX, e.clientY);
    };
    c.addEventListener('pointerup', up);
    c.addEventListener('pointercancel', up);
  }
  click(x, y) {
    const box = this.canvas.getBoundingClientRect();
    let nearest = -1, least = 18;
    this.spots.forEach((p, i) => {
      const d = Math.hypot(p.x - (x - box.left), p.y - (y - box.top));
      if (d < least) [nearest, least] = [i, d];
    });
    this.state.select(this.index, nearest);
  }

  draw() {
    const {run, state} = this, k = run.clamp(state.step);
    this.box = this.canvas.getBoundingClientRect();
    const dots = window.devicePixelRatio || 1;
    const width = Math.round(this.box.width * dots), height = Math.round(this.box.height * dots);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const g = this.canvas.getContext('2d');
    g.setTransform(dots, 0, 0, dots, 0, 0);
    g.fillStyle = style('--outside');
    g.fillRect(0, 0, this.box.width, this.box.height);
    this.paintKnown(k);
    const [x, y] = this.toScreen({x: 0, y: run.rowsOfMap * run.factor});
    g.imageSmoothingEnabled = this.scale * run.factor < 1;
    g.drawImage(this.image, x, y, run.columnsOfMap * run.factor * this.scale, run.rowsOfMap * run.factor * this.scale);
    this.begin(g, k);
    this.drawScene(g, k, false);
    if (state.links) this.drawLinks(g, k);
    const shown = state.layers[this.index];
    run.robots.forEach((_, i) => shown[i].trail && this.drawTrail(g, i, k));
    run.robots.forEach((_, i) => shown[i].why && this.drawReasons(g, i, k));
    run.robots.forEach((_, i) => shown[i].goal && this.drawGoal(g, i, k));
    run.robots.forEach((_, i) => shown[i].body && this.drawBody(g, i, k));
    this.drawScene(g, k, true);
    if (this.stroke) this.drawStroke(g);
    this.drawScale(g);
    this.drawWords();
    const team = run.share('team', k).toFixed(1), base = run.share('own', k).toFixed(1);
    const late = state.step >= run.count ? ', ended' : '';
    const moment = element('small', `step ${run.numbers[k]} of ${run.numbers[run.count - 1]}${late}`);
    const name = state.runs.length > 1 ? `${this.index + 1}: ${nameOf(run)}, ` : '';
    this.title.replaceChildren(`${name}team ${team} %, base ${base} % `, moment);
  }

  // Where robots are drawn, and what words have to keep clear of.
  begin(g, k) {
    const {run} = this, bodies = this.state.layers[this.index].map(l => l.body);
    this.spots = run.robots.map((_, i) => { const [x, y] = this.toScreen(run.place(i, k)); return {x, y}; });
    const shown = run.robots.map((_, i) => i).filter(i => bodies[i]);
    fanOut(shown.map(i => this.spots[i]), shown.map(i => run.robots[i].base)).forEach((p, j) => {
      this.spots[shown[j]] = p;
    });
    this.labels = new Labels(g, this.box, style('--text'), style('--panel'));
    this.words = [];
    for (const i of shown) {
      const {x, y} = this.spots[i];
      this.labels.take(x - 8, y - 8, x + 8, y + 8);
    }
    const title = this.title.getBoundingClientRect();
    this.labels.take(title.left - this.box.left, title.top - this.box.top, title.right - this.box.left,
                     title.bottom - this.box.top);
    this.labels.take(0, this.box.height - 34, 120, this.box.height);
  }
  // Names of robots first, since each has to have its own; other words where there is room.
  drawWords() {
    const rank = {name: 0, text: 1, value: 2};
    this.words.sort((a, b) => rank[a.kind] - rank[b.kind]);
    for (const w of this.words) this.labels.put(w.text, w.x, w.y, {colour: w.colour, gap: w.gap, far: w.far});
  }

  paintKnown(k) {
    const {run, state} = this;
    const colours = new Uint32Array(7);
    ['--unknown', '--hidden', '--free', '--wall', '--undelivered', '--wall', '--undelivered-line'].forEach((c, i) => { colours[i] = pixel(c); });
    const knower = state.knower[this.index];
    const plane = knower === 'all' ? run.knownToAll : knower === 'base' ? run.knownToBase : run.known[Math.min(knower, 32)];
    const out = new Uint32Array(this.pixels.data.buffer), w = run.columnsOfMap, limit = 2 * (k + 1) + 1;
    for (let y = 0; y < run.rowsOfMap; ++y)
      for (let x = 0, i = y * w, o = (run.rowsOfMap - 1 - y) * w; x < w; ++x, ++i, ++o) {
        const since = plane[i];
        if (!since || since > limit) {
          out[o] = colours[state.walls && run.walls[i] ? 1 : 0];
        } else {
          const delivered = knower !== 'all' || (run.knownToBase[i] && run.knownToBase[i] <= limit);
          const hatched = !delivered && !(since & 1) && !((x - y) & 3);
          out[o] = colours[hatched ? 6 : 2 + (since & 1) + (delivered ? 0 : 2)];
        }
      }
    this.image.getContext('2d').putImageData(this.pixels, 0, 0);
  }

  // What is drawn of the world and of robots by its meaning alone: what covers the map below robots, marks above them.
  drawScene(g, k, marks) {
    const dark = document.documentElement.classList.contains('dark');
    for (const {layer, changes} of this.run.scene) {
      if (this.state.hidden.has(layer.key)) continue;
      for (const item of lastUpTo(changes, k)?.items ?? []) {
        const {meaning} = item, area = ['cells', 'segments'].includes(meaning.shape) || item.radius > 0;
        if (area === marks) continue;
        g.globalAlpha = meaning.opacity * item.strength;
        g.fillStyle = g.strokeStyle = dark ? meaning.dark : meaning.light;
        this.drawItem(g, item);
        g.globalAlpha = 1;
      }
    }
  }
  drawItem(g, {meaning, radius, text, points, runs}) {
    const whole = v => Math.round(v * devicePixelRatio) / devicePixelRatio;  // rows that meet leave no seam
    for (const run of runs) {
      const [x0, y0] = this.toScreen({x: run.x, y: run.y + 1}).map(whole);
      const [x1, y1] = this.toScreen({x: run.x + run.length, y: run.y}).map(whole);
      g.fillRect(x0, y0, x1 - x0, y1 - y0);
    }
    g.lineWidth = 2;
    if (meaning.shape === 'segments') {
      g.setLineDash([6, 5]);
      for (let i = 0; i + 1 < points.length; i += 2) this.polyline(g, points.slice(i, i + 2));
      g.setLineDash([]);
      return;
    }
    for (const p of points) {
      const [x, y] = this.toScreen(p);
      if (meaning.shape === 'text') {
        this.words.push({kind: 'text', text, x, y, colour: g.fillStyle, gap: 9, far: 4});
        continue;
      }
      drawMark(g, meaning.shape, x, y, Math.max(radius * this.scale, radius ? 3 : 8));
    }
  }

  // Walls that are being drawn, or wiped out.
  drawStroke(g) {
    g.strokeStyle = style(this.state.brush.tool === 'wall' ? '--wall' : '--free');
    g.lineWidth = this.state.brush.width * this.scale;
    g.lineCap = g.lineJoin = 'round';
    this.polyline(g, [this.stroke[0], ...this.stroke]);
    g.lineCap = 'butt';
    g.lineJoin = 'miter';
  }
  drawScale(g) {
    const metre = this.scale / this.run.cell_m;
    let length = 1;
    while (length * metre < 60) length *= String(length)[0] === '2' ? 2.5 : 2;
    const x = 14, y = this.box.height - 14;
    g.strokeStyle = style('--text');
    g.lineWidth = 1.5;
    g.beginPath();
    g.moveTo(x, y - 4); g.lineTo(x, y); g.lineTo(x + length * metre, y); g.lineTo(x + length * metre, y - 4);
    g.stroke();
    this.labels.draw(`${length} m`, x + 6, y - 5, style('--text'));
  }
}
