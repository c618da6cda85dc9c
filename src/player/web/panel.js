// The panel: whose map, which robots show what, and why the selected one does what it does.

const TOGGLES = [['body', 'robot'], ['trail', 'trail'], ['goal', 'goal'], ['why', 'why']];

function element(tag, text, ...children) {
  const e = document.createElement(tag);
  if (text) e.textContent = text;
  e.append(...children);
  return e;
}

function stateOf(run, robot, k) {
  const {flags} = run.place(robot, k), words = [];
  if (!(flags & FLAG.alive)) return 'out of service';
  if (flags & FLAG.lost) words.push('lost');
  if (flags & FLAG.relay) words.push('relay');
  if (flags & FLAG.done) words.push('done');
  if (flags & FLAG.bumped) words.push('stopped by a wall');
  if (!run.robots[robot].base)
    words.push(flags & FLAG.base ? 'in contact' : run.linkedToBase(robot, k) ? 'linked, nothing received yet' : 'out of contact');
  return words.join(', ');
}

class Panel {
  constructor(state) {
    this.state = state;
    this.tabs = document.getElementById('tabs');
    this.table = document.getElementById('robots');
    this.why = document.getElementById('why');
    this.knower = document.getElementById('knower');
    this.knower.onchange = () => state.show(this.knower.value);
    for (const name of ['walls', 'links']) {
      const box = document.getElementById(name);
      box.onchange = () => { state[name] = box.checked; state.draw(); };
    }
    this.tabs.replaceChildren();
    this.tabs.hidden = state.runs.length < 2;
    if (state.runs.length > 1) {
      state.runs.forEach((run, i) => {
        const tab = this.tabs.appendChild(element('button', `${i + 1}: ${nameOf(run)}`));
        tab.setAttribute('role', 'tab');
        tab.onclick = () => state.open(i);
      });
    }
    this.open();
  }

  // Shows another run, or the first one.
  open() {
    const {state} = this, run = state.runs[state.run];
    [...this.tabs.children].forEach((tab, i) => tab.setAttribute('aria-selected', i === state.run));
    this.knower.replaceChildren(new Option('anybody', 'all'), new Option('the base', 'base'),
      ...run.robots.map((r, i) => i < run.maps && i < 32 ? new Option(r.name, i) : null).filter(Boolean));
    this.table.replaceChildren(this.heads(run), ...run.robots.map((_, i) => this.row(run, i)));
    const layers = new Map(run.scene.map(({layer}) => [layer.key, layer]));
    document.getElementById('layers').replaceChildren(...[...layers.values()].map(layer => this.layerBox(layer)));
    this.explained = null;
    const list = document.querySelector('#events ol');
    list.replaceChildren(...run.events.map(([step, , , text]) => {
      const button = element('button', `${step}  ${text}`);
      button.onclick = () => state.go(run.index.get(step) ?? 0);
      return element('li', '', button);
    }));
    document.querySelector('#events summary').textContent = `Events (${run.events.length})`;
    document.querySelector('#summary table').replaceChildren(...run.summary.map(([name, value]) =>
      element('tr', '', element('td', name), element('td', value))));
    document.getElementById('summary').hidden = !run.summary.length;
    document.querySelector('#again div').replaceChildren(run.command ? element('pre', run.command) : '',
      element('p', `Seed ${run.seed}, Outrider ${run.version}.`));
    this.shown = null;
  }

  layerBox(layer) {
    const box = element('input'), label = element('label', '', box, document.createTextNode(' ' + layer.title.toLowerCase()));
    box.type = 'checkbox';
    box.dataset.layer = layer.key;
    box.checked = !this.state.hidden.has(layer.key);
    box.onchange = () => {
      box.checked ? this.state.hidden.delete(layer.key) : this.state.hidden.add(layer.key);
      this.explained = null;
      this.state.draw();
    };
    label.className = 'check';
    label.title = layer.help;
    return label;
  }

  heads(run) {
    const row = element('tr', '', element('th', 'robots'));
    for (const [layer, name] of TOGGLES) {
      const button = element('button', name);
      button.title = `All robots: ${name}`;
      button.onclick = () => {
        const layers = this.state.layers[this.state.run], on = !layers.every(l => l[layer]);
        layers.forEach(l => { l[layer] = on; });
        this.state.draw();
      };
      row.append(element('th', '', button));
    }
    return row;
  }
  row(run, i) {
    const dot = element('span');
    dot.className = run.robots[i].base ? 'dot base' : 'dot';
    dot.style.background = `var(${run.colour(i)})`;
    dot.textContent = run.round(i) ? '•' : '';
    const button = element('button', '', dot, document.createTextNode(run.robots[i].name), element('small'));
    button.onclick = () => this.state.select(this.state.run, this.state.selected[this.state.run] === i ? -1 : i);
    const row = element('tr', '', element('td', '', button));
    for (const [layer, name] of TOGGLES) {
      const box = element('input');
      box.type = 'checkbox';
      box.setAttribute('aria-label', `${run.robots[i].name}: ${name}`);
      box.dataset.robot = run.robots[i].name;
      box.dataset.layer = layer;
      box.onchange = () => { this.state.layers[this.state.run][i][layer] = box.checked; this.state.draw(); };
      row.append(element('td', '', box));
    }
    return row;
  }

  draw() {
    const {state} = this, run = state.runs[state.run], k = run.clamp(state.step);
    this.knower.value = state.knower[state.run];
    this.legend(run, state.knower[state.run]);
    document.getElementById('walls').checked = state.walls;
    document.getElementById('links').checked = state.links;
    [...this.table.rows].slice(1).forEach((row, i) => {
      row.classList.toggle('selected', state.selected[state.run] === i);
      row.querySelector('small').textContent = stateOf(run, i, k);
      row.querySelectorAll('input').forEach(box => { box.checked = state.layers[state.run][i][box.dataset.layer]; });
    });
    this.explain(run, state.selected[state.run], k);
  }

  legend(run, knower) {
    const dark = document.documentElement.classList.contains('dark');
    if (this.explained === `${knower} ${dark}`) return;
    this.explained = `${knower} ${dark}`;
    const entry = (colour, text, line = colour) => {  // hatched, if there is another colour of a line
      const square = element('i');
      square.style.background = `repeating-linear-gradient(135deg, var(${line}) 0 1px, var(${colour}) 1px 4px)`;
      return element('span', '', square, document.createTextNode(text));
    };
    document.getElementById('legend').replaceChildren(
      ...(knower === 'all' ? [entry('--free', 'the base knows it'), entry('--undelivered', 'only others do', '--undelivered-line')]
                           : [entry('--free', 'known')]), entry('--unknown', 'unknown'),
      ...this.meanings(run).map(meaning => {
        const sample = element('canvas'), g = sample.getContext('2d');
        [sample.width, sample.height] = [28, 28];
        g.scale(2, 2);
        g.fillStyle = g.strokeStyle = dark ? meaning.dark : meaning.light;
        g.lineWidth = 2;
        if (meaning.shape === 'cells') g.fillRect(1, 1, 12, 12);
        else if (meaning.shape === 'text') g.fillRect(1, 4, 12, 6);
        else if (meaning.shape === 'segments') { g.beginPath(); g.moveTo(1, 7); g.lineTo(13, 7); g.stroke(); }
        else drawMark(g, meaning.shape, 7, 7, 5.5);
        return element('span', '', sample, document.createTextNode(meaning.text));
      }));
  }
  // What the layers that are shown stand for, as far as the run has it, each once.
  meanings(run) {
    const shown = run.scene.filter(({layer}) => !this.state.hidden.has(layer.key)).flatMap(({layer}) => layer.meanings);
    return [...new Map(shown.filter(m => m.used).map(m => [m.text, m])).values()];
  }

  explain(run, robot, k) {
    if (robot < 0) {
      if (this.shown !== 'nobody') this.why.replaceChildren(element('p', 'Click a robot, or press 1 to 9, to see why it does what it does.'));
      this.shown = 'nobody';
      return;
    }
    const aim = run.aim(robot, k), reasons = run.reasons(robot, k), at = run.place(robot, k);
    const shown = [robot, run.numbers[k], state_key(aim), reasons && reasons.step].join();
    if (shown === this.shown) return;
    this.shown = shown;
    const line = (label, text) => {
      const span = element('span', label + ' ');
      span.className = 'label';
      return element('p', '', span, document.createTextNode(text));
    };
    const out = [element('h2', `Why: ${run.robots[robot].name}, step ${run.numbers[k]}`),
                 line('strategy', run.robots[robot].strategy), line('is', stateOf(run, robot, k) || 'in service')];
    if (aim.goal && at.flags & FLAG.alive) {
      const away = Math.hypot(aim.goal.x - at.x, aim.goal.y - at.y) * run.cell_m;
      out.push(line('goes to', `${run.metres(aim.goal)}, ${away.toFixed(1)} m away, since step ${run.numbers[aim.step]}`));
    }
    if (!reasons) {
      out.push(element('p', 'Its strategy has shown no reasons so far.'));
    } else {
      if (run.numbers[reasons.step] !== run.numbers[k]) out.push(line('reasons', `of step ${run.numbers[reasons.step]}`));
      const drawn = new Map();  // what has no numbers: by name, each once
      for (const layer of reasons.layers)
        if (layer.kind === KIND.text) out.push(line(layer.name, layer.text));
        else if (layer.points.some(p => p.value !== undefined)) out.push(...this.candidates(run, layer, aim));
        else drawn.set(layer.name, [...drawn.get(layer.name) ?? [], layer.text].filter(Boolean));
      for (const [name, texts] of drawn) out.push(line(name, texts.join(', ') || 'on the map'));
    }
    this.why.replaceChildren(...out);
  }
  // The best first: a score may be a gain or a cost, and the goal says which.
  candidates(run, layer, aim) {
    const near = p => aim.goal && Math.hypot(p.x - aim.goal.x, p.y - aim.goal.y) < 1.5;
    const rows = layer.points.filter(p => p.value !== '').sort((a, b) => b.value - a.value);
    const chosen = rows.findIndex(near);
    if (chosen > rows.length / 2) rows.reverse();
    const table = element('table', '', ...rows.map(p => {
      const value = element('td', p.value);
      value.className = 'value';
      const row = element('tr', '', value, element('td', run.metres(p)));
      if (near(p)) row.className = 'chosen';
      return row;
    }));
    const scroll = element('div', '', table);
    scroll.className = 'scroll';
    const label = element('span', `${layer.name}${layer.all > layer.points.length ? `, ${layer.points.length} of ${layer.all}` : ''}: `);
    label.className = 'label';
    return [element('p', '', label, document.createTextNode(layer.text)), scroll];
  }
}

function state_key(aim) { return aim.goal ? `${aim.goal.x},${aim.goal.y}` : ''; }
function nameOf(run) {
  const strategies = [...new Set(run.robots.filter(r => !r.base).map(r => r.strategy))];
  return strategies.length > 2 ? `${strategies.length} strategies` : strategies.join(' and ');
}
