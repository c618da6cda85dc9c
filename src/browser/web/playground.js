// The page as a playground: a scenario is chosen, workers run it, and the page plays what they have computed so far. The
// address holds all of it.

class Playground {
  async open() {
    this.wasm = await inflate(fromBase64(byId('module').textContent));
    this.code = URL.createObjectURL(new Blob([byId('worker').textContent], {type: 'text/javascript'}));
    this.files = {};
    this.environments = [];
    for (const [name, content] of Object.entries(JSON.parse(byId('environments').textContent))) {
      this.files[`environments/${name}`] = name.endsWith('.png') ? fromBase64(content) : content;
      if (name.endsWith('.toml')) this.environments.push(name.slice(0, -5));
    }
    this.sides = [new Side(this)];
    this.listed = new Promise((ready, wrong) => { this.ready = ready; this.broken = wrong; });
    this.sides[0].spawn();
    this.fill(await this.listed);
    this.brush = new Brush(this);
    this.ranking = new Ranking(this);
    await this.fromAddress();
    this.listen();
    setInterval(() => this.watch(), 1000);
    await this.start();
  }

  fill({strategies, families, source}) {
    this.families = families;
    this.source = source;
    const group = (label, options) => {
      const g = element('optgroup', '', ...options);
      g.label = label;
      return g;
    };
    byId('place').append(
      group('environments', this.environments.map(name => new Option(name, name))),
      group('drawn anew', families.map(f => new Option(f.name, `new ${f.name}`))));
    this.strategies = new Map(strategies.map(s => [s.name, s]));
    byId('strategy').append(...strategies.map(s => new Option(s.name, s.name)), new Option('as the scenario says', ''));
    byId('beside').append(new Option('nothing', ''), ...strategies.map(s => new Option(s.name, s.name)));
    byId('strategy').value = 'mresim_greedy';
    byId('place').value = 'small_office';
  }
  describe() {
    const s = this.strategies.get(read('strategy'));
    byId('strategy').title = s?.summary ?? '';
    byId('options').title = s?.options.map(o => `${o.name}=${o.value}: ${o.meaning}`).join('\n') || 'it has no options';
    byId('drawn').hidden = !this.family();
  }

  // The family of a map that is drawn anew; undefined for an environment.
  family() { return this.families.find(f => `new ${f.name}` === byId('place').value); }
  // What is to be run, for a worker; `strategy`: with its options.
  task(strategy, seed = read('seed')) {
    const family = this.family(), name = family ? `${family.name}-${read('map')}` : byId('place').value;
    const folder = family ? '' : 'environments/', files = {};
    const words = [];  // what is left open is as the scenario says
    for (const [flag, value] of [['--robots', read('team')], ['--strategy', strategy], ['--seed', String(seed)]])
      if (value) words.push(flag, value);
    for (const line of read('set').split('\n').filter(Boolean)) words.push('--set', line.trim());
    let file = `${folder}${name}.toml`, named = family ? `${name}.toml` : name;
    if (this.edited) {
      named = 'scenario.toml';
      file = `${folder}scenario.toml`;
      files[file] = byId('toml').value;
      for (const [image, bytes] of Object.entries(this.images)) files[`${folder}${image}`] = fromBase64(bytes);
    }
    const generate = family && [family.name, `width=${read('width')}, height=${read('height')}`, Number(read('map')), name];
    return {files, generate, words: [file, ...words], command: ['outrider', 'run', named, ...words].map(shellWord).join(' ')};
  }
  chosen() {
    const options = read('options'), first = read('strategy') + (options ? `(${options})` : '');
    const other = byId('beside').value, at = Number(read('from'));
    if (!other) return [first];
    // Until step `at` the first one decides, as for outrider branch.
    return [first, at && read('strategy') ? `switch(first=${JSON.stringify(first)}, then=${JSON.stringify(other)}, at=${at})` : other];
  }

  async start() {
    this.describe();
    byId('wrong').hidden = true;
    this.fresh = true;
    const chosen = this.chosen();
    while (this.sides.length < chosen.length) this.sides.push(new Side(this));
    this.sides.slice(chosen.length).forEach(side => side.stop());
    this.sides.length = chosen.length;
    this.sides.forEach((side, i) => side.start(this.task(chosen[i])));
    await this.toAddress();
    this.report();
  }
  stop() {
    this.sides.forEach(side => side.stop());
    this.ranking.stop();
    if (window.page) page.growing = false;
    this.report();
  }

  // An answer of a worker.
  async received(side, data) {
    side.answered = performance.now();
    if (data.lists) return this.ready(data.lists);
    const old = () => data.id !== undefined && data.id !== side.task.id;  // of a run that was given up meanwhile
    if (old()) return;
    if (data.map) return side.mapped(data.map);
    if (data.error) return this.fail(side, data.error);
    const run = await unpackRun(data.packed);
    if (old() || !side.busy) return;
    side.run = run;
    side.state = data.state;
    side.busy = !data.state.done;
    if (!this.edited) byId('toml').value = data.scenario;
    this.show();
    this.report();
  }
  fail(side, text) {
    side.stop();
    side.busy = false;
    this.broken(new Error(text));  // nobody waits for it any more once there are lists
    byId('wrong').textContent = text;
    byId('wrong').hidden = false;
    byId('more').open ||= this.edited;
    if (window.page) page.growing = false;
    this.report();
  }

  show() {
    const runs = this.sides.map(side => side.run);
    if (runs.some(run => !run?.count)) return;
    if (!window.page) window.page = new Page(runs);
    else if (this.fresh) page.load(runs);
    else page.grow(runs);
    page.growing = this.sides.some(side => side.busy);
    page.scenario = this.words;
    page.brush = this.brush;
    if (this.goal !== undefined) {
      if (runs[0].index.has(this.goal) || !page.growing) {
        page.go(runs[0].index.get(this.goal) ?? 0);
        this.goal = undefined;
      }
    } else if (this.fresh) {
      page.play();
    }
    this.fresh = false;
    page.draw();
    document.body.dataset.steps = runs[0].count;
  }

  report() {
    const states = this.sides.map(({state, busy}) => !state ? (busy ? 'beginning …' : 'stopped')
      : state.done ? `${state.steps} steps: ${state.end}; hash ${state.digest}`
      : `${state.steps} steps ${busy ? 'so far' : 'until it was stopped'}`);
    byId('computed').textContent = states.join(' | ');
    byId('stop').disabled = !this.sides.some(side => side.busy) && !this.ranking.workers.length;
    document.body.dataset.computing = this.sides.some(side => side.busy) ? 'yes' : '';
    const [{state}] = this.sides;
    if (state?.done && this.expected && this.expected !== state.digest) {
      byId('wrong').textContent = `This is not the run of the link: its hash was ${this.expected}, this one's is `
        + `${state.digest}. Another version of Outrider made the link; this is ${this.source}.`;
      byId('wrong').hidden = false;
    } else if (state?.done && this.words && !this.words.includes('hash=')) {
      this.address(`${this.words}&hash=${state.digest}`);
    }
  }
  watch() {
    const late = this.sides.some(side => side.busy && performance.now() - side.answered > 5000);
    if (late) byId('computed').textContent = 'A step takes long; Stop ends it.';
  }

  // All that makes the run stands in the address.
  async toAddress() {
    const words = new URLSearchParams({place: byId('place').value});
    if (this.family()) for (const id of ['width', 'height', 'map']) words.set(id, read(id));
    for (const id of ['team', 'strategy', 'options', 'beside', 'from', 'seed', 'set']) if (read(id)) words.set(id, read(id));
    if (this.edited) words.set('toml', await squeeze(byId('toml').value));
    if (this.edited && Object.keys(this.images).length) words.set('files', await squeeze(JSON.stringify(this.images)));
    this.address(words.toString());
  }
  address(words) {
    this.words = words;
    if (window.page) page.scenario = words;
    const step = this.goal === undefined ? '' : `&step=${this.goal}`;
    try { history.replaceState(null, '', `#${words}${step}`); } catch { /* some browsers do not allow it for files */ }
  }
  async fromAddress() {
    const words = new URLSearchParams(location.hash.slice(1) || byId('address').textContent);
    if (words.has('place')) byId('place').value = words.get('place');
    if (!byId('place').value) byId('place').value = 'small_office';
    this.size();
    this.edited = words.has('toml');
    for (const id of ['width', 'height', 'map', 'team', 'strategy', 'options', 'beside', 'from', 'seed', 'set'])
      if (words.has(id)) byId(id).value = words.get(id);
      else if (this.edited && ['team', 'strategy', 'seed'].includes(id)) byId(id).value = '';
    if (this.edited) byId('toml').value = await unsqueeze(words.get('toml')).catch(() => '# the link is damaged');
    this.images = {};
    if (words.has('files')) this.images = JSON.parse(await unsqueeze(words.get('files')).catch(() => '{}'));
    this.expected = words.get('hash');
    if (words.has('step')) this.goal = Number(words.get('step'));
  }
  // A scenario, or a map without one, from a file of the user.
  async own(file) {
    if (/[.]toml$/i.test(file.name)) {
      byId('toml').value = await file.text();
    } else {
      const name = file.name.replace(/[^\w.-]/g, '_');
      this.images = {...(this.edited ? this.images : {}), [name]: toBase64(new Uint8Array(await file.arrayBuffer()))};
      const named = this.edited && byId('toml').value.includes(`"${name}"`);  // by the scenario that came before it
      if (!named) byId('toml').value = `[map]\nfile = "${name}"\ncell_m = 0.1\n`;
    }
    this.edited = byId('more').open = true;
    this.expected = null;
    this.goal = undefined;
    await this.start();
  }
  // The scenario and its images as files, for the command that makes the run again.
  save() {
    const files = {'scenario.toml': new Blob([byId('toml').value])};
    for (const [name, bytes] of Object.entries(this.edited ? this.images : {})) files[name] = new Blob([fromBase64(bytes)]);
    for (const [name, blob] of Object.entries(files)) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    }
  }
  // The usual size of a family, at most what is quick.
  size() {
    const family = this.family();
    if (family) [byId('width').value, byId('height').value] = [Math.min(family.width, 300), Math.min(family.height, 200)];
  }

  listen() {
    const again = () => { this.expected = null; this.goal = undefined; this.start(); };
    byId('scenario').onsubmit = event => { event.preventDefault(); again(); };
    byId('place').onchange = () => { this.edited = false; this.images = {}; this.size(); again(); };
    for (const id of ['strategy', 'beside']) byId(id).onchange = () => { if (id === 'strategy') byId('options').value = ''; again(); };
    byId('own').onchange = async () => { for (const file of byId('own').files) await this.own(file); };
    document.ondragover = event => event.preventDefault();
    document.ondrop = async event => {
      event.preventDefault();
      for (const file of event.dataTransfer.files) await this.own(file);
    };
    byId('toml').oninput = () => { this.edited = true; };
    byId('from').onchange = again;
    byId('here').onclick = () => {
      byId('from').value = page.step;
      if (!byId('beside').value) byId('beside').value = read('strategy') === 'burgard' ? 'nearest' : 'burgard';
      this.expected = null;
      this.goal = page.step;
      this.start();
    };
    byId('save').onclick = () => this.save();
    byId('stop').onclick = () => this.stop();
    byId('link').onclick = () => navigator.clipboard?.writeText(location.href);
    addEventListener('hashchange', async () => { await this.fromAddress(); this.start(); });
  }
}
