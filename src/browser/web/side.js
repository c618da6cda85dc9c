// What the parts of the playground share: the fields of its form, texts in addresses, and workers with the module.

const byId = id => document.getElementById(id);
const read = id => byId(id).value.trim();

// A word of a command line, as a shell takes it.
function shellWord(word) { return /^[\w.,:=+/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`; }

// Texts in the address: compressed, in letters that need no escape.
async function squeeze(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
async function unsqueeze(text) {
  return new TextDecoder().decode(await inflate(fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))));
}

function toBase64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

// A worker with the module, and the run that it computes.
class Side {
  constructor(playground) { this.playground = playground; }
  start(task) {
    this.run = this.state = null;
    this.busy = true;
    if (!this.worker) this.spawn();
    this.task = {...task, id: ++Side.tasks};
    this.worker.postMessage({begin: this.task});
    this.answered = performance.now();
  }
  spawn() {
    const {playground} = this;
    this.worker = new Worker(playground.code);
    this.worker.onmessage = ({data}) => playground.received(this, data);
    this.worker.onerror = event => playground.received(this, {error: event.message || 'the worker ended'});
    this.worker.postMessage({wasm: playground.wasm, files: playground.files});
  }
  // The map with which its run began: the bytes of a PNG.
  map() {
    const answer = new Promise(done => { this.mapped = done; });
    this.worker.postMessage({map: this.task.id});
    return answer;
  }
  // Whatever it is doing.
  stop() {
    if (this.busy) {
      this.worker?.terminate();
      this.worker = null;
    }
    this.busy = false;
  }
}

Side.tasks = 0;
