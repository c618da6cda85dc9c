// Walls that are drawn on the map, or wiped out: the run begins anew with them, on a map of its own.

// A scenario on another map: what it says of the file and the greys of the old one goes.
function onMap(toml, file, cell_m) {
  const out = [], lines = [`file = ${JSON.stringify(file)}`, `cell_m = ${cell_m}`];
  let inside = false, named = false;
  for (const line of toml.split('\n')) {
    if (/^\s*\[/.test(line)) inside = /^\s*\[map\]/.test(line);
    else if (inside && /^\s*(file|cell_m|occupied_thresh|free_thresh|negate|channels|unknown)\s*=/.test(line)) continue;
    out.push(line);
    if (inside && !named) {
      out.push(...lines);
      named = true;
    }
  }
  return named ? out.join('\n') : `${toml}\n[map]\n${lines.join('\n')}\n`;
}

class Brush {
  constructor(playground) {
    this.playground = playground;
    this.tool = '';    // 'wall' or 'free'; nothing: the mouse moves the map
    this.before = [];  // scenarios, to go back to
    for (const tool of ['wall', 'free']) byId(`brush-${tool}`).onclick = () => this.take(this.tool === tool ? '' : tool);
    byId('brush-undo').onclick = () => this.undo();
    this.take('');
  }
  // In cells.
  get width() { return Math.max(1, Math.round(Number(byId('brush-width').value) || 1)); }
  take(tool) {
    this.tool = tool;
    for (const each of ['wall', 'free']) byId(`brush-${each}`).setAttribute('aria-pressed', each === tool);
    byId('brush-undo').disabled = !this.before.length;
    document.body.dataset.brush = tool;
    if (tool && window.page && !page.walls) byId('walls').click();  // what cannot be seen cannot be changed
  }

  // Along these points, in cells from the lower left corner of the map.
  async stroke(points) {
    const {playground} = this, [side] = playground.sides;
    if (!side.worker || !side.run) return;  // nothing has run: there is no map
    const image = await createImageBitmap(new Blob([await side.map()], {type: 'image/png'}));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const g = canvas.getContext('2d');
    g.drawImage(image, 0, 0);
    g.fillStyle = this.tool === 'wall' ? '#000' : '#fff';
    const wide = this.width, low = Math.floor(wide / 2);
    const dab = ({x, y}) => g.fillRect(Math.floor(x) - low, canvas.height - 1 - Math.floor(y) - (wide - 1 - low), wide, wide);
    points.forEach((p, i) => {
      const from = points[Math.max(0, i - 1)], steps = Math.ceil(2 * Math.hypot(p.x - from.x, p.y - from.y)) || 1;
      for (let k = 1; k <= steps; ++k) dab({x: from.x + (p.x - from.x) * k / steps, y: from.y + (p.y - from.y) * k / steps});
    });
    const blob = await new Promise(done => canvas.toBlob(done, 'image/png'));
    this.before.push({toml: byId('toml').value, images: playground.images, edited: playground.edited});
    playground.images = {...(playground.edited ? playground.images : {}), 'drawn.png': toBase64(new Uint8Array(await blob.arrayBuffer()))};
    byId('toml').value = onMap(byId('toml').value, 'drawn.png', side.run.cell_m);
    playground.edited = true;
    await this.again();
  }
  async undo() {
    const was = this.before.pop();
    if (!was) return;
    byId('toml').value = was.toml;
    Object.assign(this.playground, {images: was.images, edited: was.edited});
    await this.again();
  }
  async again() {
    this.take(this.tool);
    this.playground.expected = null;
    this.playground.goal = 0;  // stays at the beginning: there may be more to draw
    await this.playground.start();
  }
}
