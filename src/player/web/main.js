// The state of the page, its keys and its clock.

const SPEEDS = [1, 2, 5, 10, 20, 40, 80];

class Page {
  constructor(runs) {
    this.speed = 20;
    this.walls = false;
    this.links = true;
    this.growing = false;  // whether more steps will come
    this.scenario = '';    // what the address holds besides
    this.hidden = new Set();  // layers of the scene, by key
    this.runs = runs;
    this.timeline = new Timeline(this);
    this.listen();
    this.load(runs);
    this.fromAddress();
    this.draw();
  }

  // Shows other runs from their beginning.
  load(runs) {
    this.run = 0;  // which the panel shows
    this.step = 0;
    this.knower = runs.map(() => 'all');
    this.selected = runs.map(() => -1);
    this.layers = runs.map(run => run.robots.map(r => ({body: true, trail: !r.base, goal: !r.base, why: false})));
    this.take(runs);
    const before = this.maps ?? [];
    this.maps = runs.map((run, i) => new MapView(run, i, this));
    this.maps.forEach(({run}, i) => {  // where the map is of the same size, it stays where it is
      const was = before[i];
      if (was?.run.width === run.width && was.run.height === run.height) Object.assign(this.maps[i], {zoom: was.zoom, centre: was.centre});
    });
    document.getElementById('maps').replaceChildren(...this.maps.map(m => m.element));
    this.panel = new Panel(this);
    this.name();
  }
  // The same runs, of which more is known now.
  grow(runs) {
    this.take(runs);
    this.maps.forEach((map, i) => { map.run = runs[i]; });
    this.panel.open();
    this.name();
    this.draw();
  }
  take(runs) {
    this.runs = runs;
    this.count = Math.max(...runs.map(r => r.count));
    for (const run of runs) run.index = new Map([...run.numbers].map((n, k) => [n, k]));
    this.charts = new Charts(this);
  }

  name() {
    const [run] = this.runs;
    document.title = `${run.name}: ${this.runs.map(nameOf).join(' beside ')}`;
    document.getElementById('title').textContent = document.title;
    const robots = run.robots.filter(r => !r.base).length;
    const end = run.end ? '; ended: ' + run.end : '';
    document.getElementById('subtitle').textContent = this.runs.length > 1
      ? `${robots} robots; ${this.runs.map(r => `${nameOf(r)} ${r.count} steps`).join(', ')} of ${run.step_s} s`
      : `${robots} robots, ${run.count} steps of ${run.step_s} s${end}`;
  }

  // Steps are drawn at most once a frame.
  draw() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.maps.forEach(m => m.draw());
      this.panel.draw();
      this.timeline.draw();
      this.charts.draw();
      document.getElementById('step').max = this.count - 1;
      document.getElementById('step').value = this.step;
      const run = this.runs[this.run], seconds = run.numbers[run.clamp(this.step)] * run.step_s;
      document.getElementById('moment').textContent =
        `step ${run.numbers[run.clamp(this.step)]} of ${run.numbers[run.count - 1]}, ${clock(seconds)}`;
      document.body.dataset.step = this.step;
    });
  }

  go(k) {
    this.step = Math.max(0, Math.min(this.count - 1, k));
    this.toAddress();
    this.draw();
  }
  select(run, robot) {
    const layers = this.layers[run], old = this.selected[run];
    if (old >= 0) layers[old].why = false;
    if (robot >= 0) layers[robot].why = true;
    this.selected[run] = robot;
    if (run !== this.run) this.open(run);
    this.toAddress();
    this.draw();
  }
  open(run) {
    this.run = run;
    this.panel.open();
    this.draw();
  }
  show(knower) {
    this.knower[this.run] = isNaN(knower) ? knower : Number(knower);
    this.toAddress();
    this.draw();
  }
  event(direction) {
    const run = this.runs[this.run], now = run.numbers[run.clamp(this.step)];
    const steps = run.events.map(([step]) => step).filter(s => direction * (s - now) > 0);
    if (steps.length) this.go(run.index.get(direction > 0 ? Math.min(...steps) : Math.max(...steps)) ?? this.step);
  }

  play() {
    if (this.playing) return this.pause();
    if (this.step >= this.count - 1 && !this.growing) this.step = 0;
    this.playing = true;
    document.getElementById('play').textContent = 'Pause';
    let before = performance.now(), rest = 0;
    const tick = now => {
      if (!this.playing) return;
      rest += (now - before) / 1000 * this.speed;
      before = now;
      const steps = Math.floor(rest);
      rest -= steps;
      if (steps) {
        this.step = Math.min(this.count - 1, this.step + steps);
        this.draw();
      }
      if (this.step >= this.count - 1 && !this.growing) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
  pause() {
    this.playing = false;
    document.getElementById('play').textContent = 'Play';
    this.toAddress();
  }
  faster(by) {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
    document.getElementById('speed').value = this.speed;
  }

  // What is shown stands in the address: a link leads to the same moment.
  toAddress() {
    if (this.playing) return;
    const run = this.runs[this.run], words = [`step=${run.numbers[run.clamp(this.step)]}`];
    if (this.scenario) words.unshift(this.scenario);
    if (this.selected[this.run] >= 0) words.push(`robot=${encodeURIComponent(run.robots[this.selected[this.run]].name)}`);
    if (this.knower[this.run] !== 'all') words.push(`map=${this.knower[this.run]}`);
    try { history.replaceState(null, '', '#' + words.join('&')); } catch { /* some browsers do not allow it for files */ }
  }
  fromAddress() {
    const words = new URLSearchParams(location.hash.slice(1)), [run] = this.runs;
    if (words.has('step')) this.step = run.index.get(Number(words.get('step'))) ?? 0;
    const robot = run.robots.findIndex(r => r.name === words.get('robot'));
    if (robot >= 0) { this.selected[0] = robot; this.layers[0][robot].why = true; }
    const map = words.get('map');
    if (map === 'base') this.knower[0] = map;
    else if (map !== null && run.known[Number(map)]) this.knower[0] = Number(map);
  }

  dark(on) {
    document.documentElement.classList.toggle('dark', on);
    this.draw();
  }

  listen() {
    const on = (id, act) => { document.getElementById(id).onclick = act; };
    on('first', () => this.go(0));
    on('back', () => { this.pause(); this.go(this.step - 1); });
    on('play', () => this.play());
    on('on', () => { this.pause(); this.go(this.step + 1); });
    on('last', () => this.go(this.count - 1));
    on('before', () => this.event(-1));
    on('after', () => this.event(1));
    on('theme', () => this.dark(!document.documentElement.classList.contains('dark')));
    on('help', () => document.getElementById('keys').showModal());
    const slider = document.getElementById('step');
    slider.oninput = () => { this.pause(); this.go(Number(slider.value)); };
    const speed = document.getElementById('speed');
    speed.append(...SPEEDS.map(s => new Option(s, s)));
    speed.value = this.speed;
    speed.onchange = () => { this.speed = Number(speed.value); };
    addEventListener('resize', () => this.draw());
    addEventListener('keydown', e => this.key(e));
    let dark = false;
    addEventListener('beforeprint', () => {
      dark = document.documentElement.classList.contains('dark');
      document.documentElement.classList.remove('dark');
      this.maps.forEach(m => m.draw());
      this.charts.draw();
    });
    addEventListener('afterprint', () => this.dark(dark));
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || /SELECT|TEXTAREA/.test(e.target.tagName) || /text|number/.test(e.target.type)) return;
    const far = e.shiftKey ? 10 : 1, map = this.maps[this.run];
    const keys = {
      ' ': () => this.play(), ArrowLeft: () => { this.pause(); this.go(this.step - far); },
      ArrowRight: () => { this.pause(); this.go(this.step + far); }, Home: () => this.go(0), End: () => this.go(this.count - 1),
      p: () => this.event(-1), n: () => this.event(1), ',': () => this.faster(-1), '.': () => this.faster(1),
      w: () => { this.walls = !this.walls; this.draw(); }, l: () => { this.links = !this.links; this.draw(); },
      t: () => document.getElementById('theme').click(), '?': () => document.getElementById('help').click(),
      '+': () => map.zoomBy(1.4), '=': () => map.zoomBy(1.4), '-': () => map.zoomBy(1 / 1.4), 0: () => map.fit(),
      m: () => {
        const options = [...document.getElementById('knower').options].map(o => o.value);
        this.show(options[(options.indexOf(String(this.knower[this.run])) + 1) % options.length]);
      },
      Escape: () => this.select(this.run, -1),
    };
    const name = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (/^[1-9]$/.test(name)) {
      const mobile = this.runs[this.run].robots.map((r, i) => r.base ? -1 : i).filter(i => i >= 0);
      const robot = mobile[Number(name) - 1];
      if (robot !== undefined) this.select(this.run, this.selected[this.run] === robot ? -1 : robot);
    } else if (keys[name]) {
      keys[name]();
    } else {
      return;
    }
    e.preventDefault();
  }
}

function clock(seconds) {
  const s = Math.round(seconds), two = n => String(n).padStart(2, '0');
  return s < 60 ? `${s} s` : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}

// Says what went wrong in place of the maps.
function failed(text) {
  const p = document.createElement('p');
  p.className = 'error';
  p.textContent = text;
  document.getElementById('maps').replaceChildren(p);
}

(async () => {
  try {
    if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark');
    const packed = [...document.querySelectorAll('script.run')].map(s => fromBase64(s.textContent));
    if (packed.length) {
      window.page = new Page(await Promise.all(packed.map(unpackRun)));
      requestAnimationFrame(() => { page.shown = performance.now(); });
    } else {
      window.playground = new Playground();  // a page without a run makes them (playground.js)
      await playground.open();
    }
    document.body.dataset.ready = 'yes';
  } catch (error) {
    failed(`This page cannot be shown: ${error.message}. It needs a browser of 2023 or newer.`);
    document.body.dataset.ready = 'failed';
  }
})();
