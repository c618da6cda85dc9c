'use strict';

// The module (src/browser/module.cpp) as an object of JavaScript, for the worker of a page and for node.
class Simulator {
  // `make`: the function that emscripten wrote; `wasm`: the bytes of the module.
  static async load(make, wasm) { return new Simulator(await make({wasmBinary: wasm, print: () => {}, printErr: () => {}})); }
  constructor(module) { this.module = module; }

  // A file of the module, in memory: text or bytes.
  write(path, content) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (folder) this.module.FS.mkdirTree(folder);
    this.module.FS.writeFile(path, content);
  }
  read(path) { return this.module.FS.readFile(path, {encoding: 'utf8'}); }

  // Numbers are given as they are, texts as copies for the time of the call.
  call(name, ...values) {
    const {module} = this, texts = [];
    const given = values.map(value => {
      if (typeof value !== 'string') return value;
      const size = module.lengthBytesUTF8(value) + 1, text = module._malloc(size);
      module.stringToUTF8(value, text, size);
      texts.push(text);
      return text;
    });
    try {
      return module['_outrider_' + name](...given);
    } finally {
      texts.forEach(text => module._free(text));
    }
  }
  text(name, ...values) { return this.module.UTF8ToString(this.call(name, ...values)); }
  // The same for a function that fails with 0.
  expect(name, ...values) {
    const result = this.call(name, ...values);
    if (!result) throw new Error(this.text('error'));
    return result;
  }

  lists() { return JSON.parse(this.text('lists')); }
  // Writes NAME.png and NAME.toml; the command that does so.
  generate(family, options, seed, name) { return this.module.UTF8ToString(this.expect('generate', family, options, seed, name)); }
  // By the words of `outrider run`; `shown`: pack() will be asked.
  begin(words, shown = true) { this.expect('begin', words.join('\n'), shown); }
  step(count) { this.expect('step', count); }
  colours() { return this.text('colours'); }
  state() { return JSON.parse(this.text('state')); }
  // The run so far, for `Run` of the page: packed bytes of its own.
  pack(command) {
    const at = this.expect('pack', command);
    return this.module.HEAPU8.slice(at, at + this.call('size'));
  }
  // The map with which the run began: the bytes of a PNG, walls black.
  map() {
    this.expect('save_map', 'map.png');
    return this.module.FS.readFile('map.png');
  }
  metric(name) { return this.call('metric', name); }
  // The exact paired test: {mean, p} of differences.
  signFlip(differences) { return JSON.parse(this.text('sign_flip', differences.join('\n'))); }
  get memory() { return this.module.HEAPU8.length; }
}

if (typeof module !== 'undefined') module.exports = {Simulator};
