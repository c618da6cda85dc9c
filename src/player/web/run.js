'use strict';

// A packed run: a header in JSON, then numbers. Written by src/player/recorder.cpp, in the same order.

const FLAG = {alive: 1, lost: 2, done: 4, bumped: 8, base: 16, relay: 32};
const KIND = {points: 0, line: 1, cells: 2, text: 3};
const MEANING = ['other', 'goal', 'candidate', 'meeting', 'meeting', 'meeting', 'meeting', 'path', 'region', 'tree',
                 'network', 'rule', 'state', 'curve'];

class Numbers {
  constructor(bytes) { this.bytes = bytes; this.at = 0; }
  // Zigzag, seven bits a byte, the lowest first. Without bit operations: they end at 32 bits.
  next() {
    let value = 0, scale = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
  list(count, read) {
    const out = new Array(count);
    for (let i = 0; i < count; ++i) out[i] = read(i);
    return out;
  }
  sums(count, Type = Int32Array) {
    const out = new Type(count);
    for (let i = 0, sum = 0; i < count; ++i) out[i] = sum += this.next();
    return out;
  }
  text() {
    const length = this.next();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
  // A value for each square of the raster: a symbol each, then the values that are neither as on the left nor as below.
  squares(width, height) {
    const symbols = this.bytes.subarray(this.at, this.at + width * height);
    this.at += width * height;
    const out = new Uint32Array(width * height);
    for (let i = 0; i < out.length; ++i) {
      const left = i % width ? out[i - 1] : 0;
      if (symbols[i] === 0) out[i] = left;
      else if (symbols[i] === 1) out[i] = i < width ? 0 : out[i - width];
      else out[i] = left + this.next();
    }
    return out;
  }
}

// The last entry of a list, sorted by its step, that is not later than k; undefined when there is none.
function lastUpTo(list, k) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].step <= k) low = middle + 1;
    else high = middle;
  }
  return list[low - 1];
}

class Run {
  constructor(bytes) {
    const numbers = new Numbers(bytes);
    const head = JSON.parse(numbers.text());
    Object.assign(this, head);
    const point = () => ({x: numbers.next() + 0.5, y: numbers.next() + 0.5});
    this.count = head.steps;
    this.numbers = numbers.sums(this.count);
    this.columns = {};
    for (const name of ['team', 'own', 'connected', 'alive', 'distance', 'bytes'])
      this.columns[name] = numbers.sums(this.count, Float64Array);
    this.links = numbers.list(numbers.next(), () => ({step: numbers.next(), a: numbers.next(), b: numbers.next()}));
    this.tracks = this.robots.map(() => this.track(numbers, point));
    this.columnsOfMap = Math.ceil(this.width / this.factor);
    this.rowsOfMap = Math.ceil(this.height / this.factor);
    const squares = () => numbers.squares(this.columnsOfMap, this.rowsOfMap);
    this.walls = squares();
    this.known = numbers.list(this.maps, squares);
    this.scene = this.layers.map(layer => ({layer, changes: numbers.list(numbers.next(), () => (
      {step: numbers.next(), items: numbers.list(numbers.next(), () => this.item(numbers, layer))}))}));
    this.knownToAll = this.earliest(this.known);
    this.knownToBase = this.earliest(this.known.filter((_, i) => this.robots[i].base && i < 32));
  }

  track(numbers, point) {
    const n = this.count;
    const track = {x: numbers.sums(n), y: numbers.sums(n), yaw: numbers.sums(n), flags: numbers.sums(n)};
    track.aims = numbers.list(numbers.next(), () => {
      const aim = {step: numbers.next()};
      if (!numbers.next()) return aim;
      aim.goal = point();
      aim.path = numbers.list(numbers.next(), point);
      return aim;
    });
    track.reasons = numbers.list(numbers.next(), () => ({
      step: numbers.next(),
      layers: numbers.list(numbers.next(), () => {
        const layer = {kind: numbers.next(), meaning: MEANING[numbers.next()], name: this.texts[numbers.next()],
                       text: this.texts[numbers.next()], all: numbers.next()};
        const shown = numbers.next(), valued = numbers.next();
        layer.points = numbers.list(shown, () => {
          const p = point();
          if (valued) p.value = this.texts[numbers.next()];
          return p;
        });
        return layer;
      }),
    }));
    return track;
  }

  // An item of a layer: marks at points, or runs of cells to the right; in cells from the lower left corner of the map.
  item(numbers, layer) {
    const item = {meaning: layer.meanings[numbers.next()], robot: numbers.next(), strength: numbers.next() / 100,
                  radius: numbers.next() / 16, text: this.texts[numbers.next()]};
    item.meaning.used = true;
    let x = 0, y = 0;
    item.points = numbers.list(numbers.next(), () => ({x: (x += numbers.next()) / 16, y: (y += numbers.next()) / 16}));
    x = y = 0;
    item.runs = numbers.list(numbers.next(), () => ({x: x += numbers.next(), y: y += numbers.next(), length: numbers.next()}));
    return item;
  }

  earliest(planes) {
    const out = new Uint32Array(this.columnsOfMap * this.rowsOfMap);
    for (const plane of planes)
      for (let i = 0; i < out.length; ++i)
        if (plane[i] && (!out[i] || (plane[i] >> 1) < (out[i] >> 1))) out[i] = plane[i];
    return out;
  }

  // Numbers that strategies show over the steps: by name, by robot, a value for each step; NaN before the first.
  curves() {
    const out = new Map();
    this.tracks.forEach((track, robot) => track.reasons.forEach((reasons, r) => {
      for (const layer of reasons.layers) {
        if (layer.meaning !== 'curve') continue;
        if (!out.has(layer.name)) out.set(layer.name, this.robots.map(() => new Float64Array(this.count).fill(NaN)));
        const end = r + 1 < track.reasons.length ? track.reasons[r + 1].step : this.count;
        out.get(layer.name)[robot].fill(Number(layer.text), reasons.step, end);
      }
    }));
    return out;
  }

  clamp(k) { return Math.max(0, Math.min(this.count - 1, k)); }
  // Where a robot stood after step k, in cells from the lower left corner of the map.
  place(robot, k) {
    const t = this.tracks[robot];
    return {x: t.x[k] / 16, y: t.y[k] / 16, yaw: t.yaw[k] * Math.PI / 128, flags: t.flags[k]};
  }
  aim(robot, k) { return lastUpTo(this.tracks[robot].aims, k) || {}; }
  reasons(robot, k) { return lastUpTo(this.tracks[robot].reasons, k); }
  // Pairs of robots that were linked in step k.
  linked(k) {
    const on = new Map();
    for (const {step, a, b} of this.links) {
      if (step > k) break;
      const pair = a * 65536 + b;
      if (!on.delete(pair)) on.set(pair, [a, b]);
    }
    return [...on.values()];
  }
  // Whether links lead from a robot to a base in step k, over others too.
  linkedToBase(robot, k) {
    const links = this.linked(k), reached = new Set([robot]);
    for (const at of reached)
      for (const [a, b] of links)
        if (a === at || b === at) reached.add(a + b - at);
    return [...reached].some(r => this.robots[r].base);
  }
  share(column, k) { return this.columns[column][k] / 1000; }
  metres(point) { return `(${(point.x * this.cell_m).toFixed(1)}, ${(point.y * this.cell_m).toFixed(1)}) m`; }
  // Eight colours in turn; robots of the second round and later ones are told apart by dashes and a dot as well.
  mobile(robot) { return this.robots.slice(0, robot).filter(r => !r.base).length; }
  colour(robot) { return this.robots[robot].base ? '--text' : `--r${this.mobile(robot) % 8}`; }
  round(robot) { return this.robots[robot].base ? 0 : Math.floor(this.mobile(robot) / 8); }
}

function fromBase64(text) { return Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0)); }
async function inflate(packed) {
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}
async function unpackRun(packed) { return new Run(await inflate(packed)); }
