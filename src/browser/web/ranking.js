// Strategies on the same starts: a run for each seed, in as many workers as there are cores, and the exact paired test.

const median = values => [...values].sort((a, b) => a - b)[values.length >> 1];  // the upper one of two: never halfway to never

class Ranking {
  constructor(playground) {
    this.playground = playground;
    this.workers = [];
    byId('ranked').append(...[...playground.strategies.keys()].map(name => new Option(name, name, false, ['mresim_greedy', 'burgard', 'nearest'].includes(name))));
    byId('rank').onclick = () => this.start();
  }
  stop() {
    this.workers.forEach(worker => worker.terminate());
    this.workers = [];
    byId('rank').disabled = false;
    this.playground.report();
  }

  start() {
    this.stop();
    byId('wrong').hidden = true;
    const {playground} = this, first = Number(read('seed')), count = Math.max(1, Math.min(1000, Number(read('seeds'))));
    const names = [...byId('ranked').selectedOptions].map(o => o.value);
    this.values = new Map(names.map(name => [name, new Array(count)]));
    const waiting = [];  // seed by seed, so that all strategies are compared from the beginning
    for (let k = 0; k < count; ++k)
      for (const name of names) waiting.push({name, k, ...playground.task(name, first + k), metric: read('metric')});
    this.all = waiting.length;
    this.done = 0;
    this.tests = new Map();
    if (!this.all) return;
    byId('rank').disabled = true;
    for (let n = Math.min(navigator.hardwareConcurrency || 2, this.all); n > 0; --n) this.hire(waiting);
    this.report();
    playground.report();
  }
  hire(waiting) {
    const {playground} = this, worker = new Worker(playground.code);
    let now;
    const next = () => {
      if (!(now = waiting.shift())) return;
      worker.postMessage({measure: {id: 1, ...now}});
    };
    worker.onmessage = async ({data}) => {
      if (data.tested) return this.tested(data.tested);
      if (data.error) return this.fail(data.error);
      if (!data.lists) {
        this.values.get(now.name)[now.k] = Number.isNaN(data.value) ? Infinity : data.value;
        ++this.done;
      }
      next();
      if (this.done === this.all) await this.finish(worker);
      this.report();
    };
    worker.onerror = event => this.fail(event.message || 'the worker ended');
    worker.postMessage({wasm: playground.wasm, files: playground.files});
    this.workers.push(worker);
  }
  fail(text) {
    this.stop();
    byId('wrong').textContent = text;
    byId('wrong').hidden = false;
  }

  // Names, the best first: by the median, then by the mean of what was reached.
  order() {
    const mean = v => v.filter(isFinite).reduce((sum, x) => sum + x, 0) / Math.max(1, v.filter(isFinite).length);
    const key = name => { const v = [...this.values.get(name)].filter(x => x !== undefined); return [median(v) ?? Infinity, mean(v)]; };
    return [...this.values.keys()].sort((a, b) => { const [m, x] = key(a), [n, y] = key(b); return m === n ? x - y : m < n ? -1 : 1; });
  }
  // Each against the best, over the seeds in which both got there; p values corrected for their number (Holm).
  async finish(worker) {
    const [best, ...others] = this.order(), tests = [];
    for (const name of others) {
      const differences = this.values.get(name).map((x, k) => x - this.values.get(best)[k]).filter(isFinite);
      const answer = new Promise(tested => { this.tested = tested; });
      worker.postMessage({test: differences});
      tests.push([name, {...await answer, pairs: differences.length}]);
    }
    tests.sort((a, b) => a[1].p - b[1].p).forEach(([name, test], i) => {
      test.p = Math.min(1, Math.max(test.p * (tests.length - i), i ? tests[i - 1][1].p : 0));
      this.tests.set(name, test);
    });
    this.stop();
  }

  report() {
    const words = x => x === Infinity ? 'never' : x === undefined ? '' : String(Math.round(x * 10) / 10);
    const cells = (tag, row) => element('tr', '', ...row.map(text => element(tag, text)));
    const rows = this.order().map(name => {
      const v = this.values.get(name).filter(x => x !== undefined), test = this.tests.get(name);
      const verdict = !test ? '' : `${test.mean >= 0 ? '+' : ''}${words(test.mean)}, p ${test.p < 0.001 ? '< .001' : test.p.toFixed(3)}${test.p < 0.05 ? '' : ': not shown'}`;
      return cells('td', [name, words(median(v)), `${v.filter(isFinite).length} of ${v.length}`, verdict]);
    });
    byId('ranks').replaceChildren(cells('th', ['strategy', 'median', 'reached', 'difference']), ...rows);
    byId('ranking-state').textContent = this.done < this.all ? `${this.done} of ${this.all} runs`
      : 'Difference: mean of the paired differences to the best, over the seeds in which both got there; exact test, corrected by Holm.';
    document.body.dataset.ranking = this.done < this.all ? 'yes' : '';
  }
}
