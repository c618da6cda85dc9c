// How robots, and what they show of their reasons, are drawn on a map.

// Of a MapView, which says where things are (map.js).
class RobotPainter {
  polyline(g, points) {
    g.beginPath();
    points.forEach((p, i) => { const [x, y] = this.toScreen(p); i ? g.lineTo(x, y) : g.moveTo(x, y); });
    g.stroke();
  }
  drawTrail(g, robot, k) {
    const track = this.run.tracks[robot];
    const round = this.run.round(robot);
    g.strokeStyle = style(this.run.colour(robot));
    g.setLineDash(round ? [3 + 5 * round, 4] : []);
    for (const [from, alpha, width] of [[0, 0.45, 1.2], [Math.max(0, k - 30), 0.9, 2.2]]) {
      g.globalAlpha = alpha;
      g.lineWidth = width;
      const points = [];
      for (let i = from; i <= k; ++i) points.push({x: track.x[i] / 16, y: track.y[i] / 16});
      this.polyline(g, points);
    }
    g.setLineDash([]);
    g.globalAlpha = 1;
  }
  drawLinks(g, k) {
    g.strokeStyle = style('--link');
    g.lineWidth = 1;
    g.setLineDash([2, 3]);
    for (const [a, b] of this.run.linked(k)) this.polyline(g, [this.run.place(a, k), this.run.place(b, k)]);
    g.setLineDash([]);
  }
  drawGoal(g, robot, k) {
    const {goal, path} = this.run.aim(robot, k), flags = this.run.place(robot, k).flags;
    if (!goal || !(flags & FLAG.alive)) return;
    const colour = style(this.run.colour(robot)), paper = style('--panel'), [x, y] = this.toScreen(goal);
    if (path.length) {
      for (const [width, stroke] of [[5, paper], [2.6, colour]]) {
        g.lineWidth = width;
        g.strokeStyle = stroke;
        this.polyline(g, path);
      }
    } else {
      g.lineWidth = 1.5;
      g.strokeStyle = colour;
      g.setLineDash([6, 4]);
      this.polyline(g, [this.run.place(robot, k), goal]);
      g.setLineDash([]);
    }
    this.disc(g, x, y, 6.5, paper);
    g.lineWidth = 2.4;
    g.strokeStyle = colour;
    g.beginPath();
    g.arc(x, y, 5, 0, 7);
    g.stroke();
    this.disc(g, x, y, 1.8, colour);
  }
  disc(g, x, y, r, colour) {
    g.fillStyle = colour;
    g.beginPath();
    g.arc(x, y, r, 0, 7);
    g.fill();
  }
  drawReasons(g, robot, k) {
    const reasons = this.run.reasons(robot, k);
    if (!reasons) return;
    const chosen = this.state.selected[this.index] === robot, own = style(this.run.colour(robot));
    for (const layer of reasons.layers) {
      if (layer.kind === KIND.text || layer.meaning === 'goal') continue;
      const colour = style({candidate: '--candidate', meeting: '--meeting'}[layer.meaning] || '--faint');
      g.fillStyle = colour;
      g.strokeStyle = layer.kind === KIND.line ? colour : own;
      g.lineWidth = 1.3;
      if (layer.kind === KIND.line) { this.polyline(g, layer.points); continue; }
      for (const p of layer.points) {
        const [x, y] = this.toScreen(p), r = layer.kind === KIND.cells ? 1.5 : 4;
        g.beginPath();
        if (layer.meaning === 'meeting') { g.moveTo(x, y - 6); g.lineTo(x + 6, y); g.lineTo(x, y + 6); g.lineTo(x - 6, y); g.closePath(); }
        else g.arc(x, y, r, 0, 7);
        g.fill();
        if (r > 2) g.stroke();
        if (chosen && p.value)
          this.words.push({kind: 'value', text: String(+Number(p.value).toPrecision(3)), x, y, colour, gap: 7, far: 2});
      }
    }
  }
  drawBody(g, robot, k) {
    const at = this.run.place(robot, k), {yaw, flags} = at, {x, y} = this.spots[robot], [trueX, trueY] = this.toScreen(at);
    const colour = style(this.run.colour(robot)), r = this.state.selected[this.index] === robot ? 9 : 7;
    if (Math.hypot(x - trueX, y - trueY) > 1) this.labels.lead(x, y, trueX, trueY, colour);
    const paper = style('--panel'), alive = flags & FLAG.alive, chosen = this.state.selected[this.index] === robot;
    if (chosen) {
      g.strokeStyle = style('--accent');
      g.lineWidth = 2.5;
      g.beginPath();
      g.arc(x, y, r + 6, 0, 7);
      g.stroke();
    }
    g.fillStyle = colour;
    g.strokeStyle = paper;
    g.lineWidth = 3;
    if (this.run.robots[robot].base && alive) {
      g.beginPath();
      g.rect(x - r, y - r, 2 * r, 2 * r);
      g.stroke();
      g.fill();
      this.disc(g, x, y, r * 0.36, paper);
    } else {  // a drop: its tip is ahead
      const ahead = (along, across) => [x + r * (Math.cos(yaw) * along - Math.sin(yaw) * across),
                                        y - r * (Math.sin(yaw) * along + Math.cos(yaw) * across)];
      g.globalAlpha = alive ? 1 : 0.6;
      g.beginPath();
      g.moveTo(...ahead(0.75, 0.8));
      g.lineTo(...ahead(2, 0));
      g.lineTo(...ahead(0.75, -0.8));
      g.stroke();
      g.fill();
      g.globalAlpha = 1;
      this.disc(g, x, y, r + 1.8, paper);
      if (alive) {
        this.disc(g, x, y, r, colour);
      } else {
        g.strokeStyle = colour;
        g.lineWidth = 2;
        g.beginPath();
        g.arc(x, y, r, 0, 7);
        for (const side of [1, -1]) { g.moveTo(x - r * 0.6, y - side * r * 0.6); g.lineTo(x + r * 0.6, y + side * r * 0.6); }
        g.stroke();
      }
    }
    if (alive && this.run.round(robot)) this.disc(g, x, y, 1.5 + this.run.round(robot), paper);
    const name = this.run.robots[robot].name + (flags & FLAG.lost ? ' ?' : '');
    this.words.push({kind: 'name', text: name, x, y, gap: r + 4, far: 12});
  }
}
