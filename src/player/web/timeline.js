// Curves over the steps: the timeline that scrubs, and the small charts of the panel.

function prepare(canvas) {
  const box = canvas.getBoundingClientRect(), dots = window.devicePixelRatio || 1;
  canvas.width = Math.round(box.width * dots);
  canvas.height = Math.round(box.height * dots);
  const g = canvas.getContext('2d');
  g.setTransform(dots, 0, 0, dots, 0, 0);
  return [g, box.width, box.height];
}

class Timeline {
  constructor(state) {
    this.state = state;
    this.canvas = document.getElementById('line');
    const scrub = e => {
      const box = this.canvas.getBoundingClientRect();
      state.go(Math.round((e.clientX - box.left) / box.width * (state.count - 1)));
    };
    this.canvas.addEventListener('pointerdown', e => { this.canvas.setPointerCapture(e.pointerId); state.pause(); scrub(e); });
    this.canvas.addEventListener('pointermove', e => { if (e.buttons) scrub(e); else this.hint(e); });
  }
  hint(e) {
    const box = this.canvas.getBoundingClientRect(), run = this.state.runs[this.state.run];
    const k = run.clamp(Math.round((e.clientX - box.left) / box.width * (this.state.count - 1)));
    const near = Math.max(1, 4 * this.state.count / box.width);
    const events = run.events.filter(([step]) => Math.abs(step - run.numbers[k]) <= near).slice(0, 6);
    this.canvas.title = [`step ${run.numbers[k]}: team ${run.share('team', k).toFixed(1)} %, base ${run.share('own', k).toFixed(1)} %`,
                         ...events.map(([step, , , text]) => `${step}: ${text}`)].join('\n');
  }
  draw() {
    const [g, width, height] = prepare(this.canvas), {state} = this;
    const x = k => k / Math.max(1, state.count - 1) * width, top = 10;
    state.runs.forEach((run, r) => {
      for (const [column, colour] of [['team', '--candidate'], ['own', '--accent']]) {
        g.strokeStyle = style(colour);
        g.globalAlpha = r === state.run ? 1 : 0.45;
        g.lineWidth = 1.5;
        g.setLineDash(r ? [5, 3] : []);
        g.beginPath();
        for (let k = 0; k < run.count; ++k)
          g.lineTo(x(k), height - 2 - (height - top - 2) * Math.min(1, run.share(column, k) / 100));
        g.stroke();
      }
    });
    g.setLineDash([]);
    g.globalAlpha = 1;
    if (new Set(state.runs.map(r => r.count)).size > 1)  // each run's own end
      state.runs.forEach((run, r) => {
        g.fillStyle = style('--text');
        g.fillRect(x(run.count - 1) - 1, top, 1, height - top);
        g.font = '11px system-ui,sans-serif';
        g.textAlign = 'right';
        g.fillText(r + 1, x(run.count - 1) - 4, height - 4 - 12 * r);
        g.textAlign = 'left';
      });
    const run = state.runs[state.run];
    for (const [step, kind] of run.events) {
      g.fillStyle = style(/died|failed|lost|stranded|missed/.test(kind) ? '--warn' : /met|joined|knows/.test(kind) ? '--accent' : '--faint');
      g.fillRect(x(run.index.get(step) ?? 0) - 0.75, 0, 1.5, 7);
    }
    g.fillStyle = style('--goal');
    g.fillRect(x(state.step) - 1, 0, 2, height);
  }
}

const CHARTS = [['known to the team (amber) and the base (blue), %', ['team', 'own'], 0.001], ['robots linked to a base, of those in service', ['connected', 'alive'], 1],
                ['distance driven, m', ['distance'], 1], ['radio, MB', ['bytes'], 0.001]];

class Charts {
  constructor(state) {
    this.state = state;
    document.getElementById('charts').replaceChildren();
    this.canvases = CHARTS.map(([title]) => {
      const figure = document.getElementById('charts').appendChild(document.createElement('figure'));
      const caption = figure.appendChild(document.createElement('figcaption'));
      caption.textContent = title;
      return figure.appendChild(document.createElement('canvas'));
    });
    this.curves = state.runs.map(run => run.curves());
    this.own = [...new Set(this.curves.flatMap(c => [...c.keys()]))].slice(0, 8).map(name => {
      const figure = document.getElementById('charts').appendChild(document.createElement('figure'));
      figure.appendChild(document.createElement('figcaption')).textContent = name.replace('curve ', '');
      return [name, figure.appendChild(document.createElement('canvas'))];
    });
  }
  // What strategies show of the run in the panel: a line for each robot.
  drawOwn(name, canvas) {
    const {state} = this, [g, width, height] = prepare(canvas), run = state.runs[state.run];
    const lines = this.curves[state.run].get(name) || [], all = lines.flatMap(l => [...l]).filter(v => !Number.isNaN(v));
    const least = all.reduce((a, b) => Math.min(a, b), 0), most = all.reduce((a, b) => Math.max(a, b), least + 1e-9);
    const x = k => k / Math.max(1, state.count - 1) * width;
    lines.forEach((line, robot) => {
      if (!state.layers[state.run][robot].body) return;
      g.strokeStyle = style(run.colour(robot));
      g.lineWidth = state.selected[state.run] === robot ? 2.2 : 1;
      g.beginPath();
      for (let k = 0, on = false; k < run.count; ++k) {
        if (Number.isNaN(line[k])) { on = false; continue; }
        const y = height - 1 - (height - 14) * (line[k] - least) / (most - least);
        on ? g.lineTo(x(k), y) : g.moveTo(x(k), y);
        on = true;
      }
      g.stroke();
    });
    g.fillStyle = style('--goal');
    g.fillRect(x(state.step) - 0.5, 0, 1, height);
    const chosen = lines[state.selected[state.run]];
    g.fillStyle = style('--text');
    g.font = '12px system-ui,sans-serif';
    if (chosen) g.fillText(String(chosen[run.clamp(state.step)]), 2, 11);
  }
  draw() {
    const {state} = this;
    this.own.forEach(([name, canvas]) => this.drawOwn(name, canvas));
    this.canvases.forEach((canvas, c) => {
      const [g, width, height] = prepare(canvas), [, columns, unit] = CHARTS[c];
      let most = 1e-9;
      for (const run of state.runs) for (const name of columns) for (const v of run.columns[name]) most = Math.max(most, v * unit);
      const x = k => k / Math.max(1, state.count - 1) * width, y = v => height - 1 - (height - 14) * v / most;
      state.runs.forEach((run, r) => columns.forEach((name, i) => {
        g.strokeStyle = style(i ? '--accent' : '--candidate');
        g.lineWidth = 1.3;
        g.setLineDash(r ? [4, 3] : []);
        g.beginPath();
        for (let k = 0; k < run.count; ++k) g.lineTo(x(k), y(run.columns[name][k] * unit));
        g.stroke();
      }));
      g.setLineDash([]);
      g.fillStyle = style('--goal');
      g.fillRect(x(state.step) - 0.5, 0, 1, height);
      const run = state.runs[state.run], k = run.clamp(state.step);
      g.fillStyle = style('--text');
      g.font = '12px system-ui,sans-serif';
      g.fillText(columns.map(n => +(run.columns[n][k] * unit).toFixed(1)).join(' / '), 2, 11);
    });
  }
}
