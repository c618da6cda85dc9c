'use strict';

// The worker of the page: runs the module apart from what is drawn. Asked with {begin: {id, files, generate, words, command}};
// answers with {lists} once, then with {id, packed, state, scenario} again and again, or with {id, error}. Asked with
// {map: id}, it answers with {id, map} of the run that began last; with {measure: {id, files, generate, words, metric}},
// with {id, value} of a whole run that nobody watches; with {test: numbers}, with {tested}.

let simulator, loaded, wanted = 0;
const pause = () => new Promise(go => setTimeout(go));

async function run({id, files, generate, words, command}) {
  const mine = ++wanted;
  for (const [name, content] of Object.entries(files)) simulator.write(name, content);
  let maps = '';
  if (generate) maps = simulator.generate(...generate);
  const scenario = simulator.read(words[0]);
  simulator.begin(words);
  const again = (maps ? maps + '\n' : '') + command;
  let sent = 0, next = 0, step = 1;  // times of the clock; steps at a time: about as many as fit into 30 ms
  for (let state = {}; !state.done && mine === wanted;) {
    const began = performance.now();
    simulator.step(step);
    const took = performance.now() - began;
    step = Math.max(1, Math.min(1000, Math.round(took < 15 ? step * 2 : took > 60 ? step / 2 : step)));
    state = simulator.state();
    const now = performance.now();
    if (state.done || now >= next) {
      const packed = simulator.pack(again);
      const cost = performance.now() - now;
      next = now + cost + Math.max(sent++ ? 400 : 100, 6 * cost);  // telling takes a small part of the time
      postMessage({id, packed, state, scenario}, [packed.buffer]);
    }
    await pause();  // for the next message
  }
}

function measure({id, files, generate, words, metric}) {
  for (const [name, content] of Object.entries(files)) simulator.write(name, content);
  if (generate) simulator.generate(...generate);
  simulator.begin(words, false);
  simulator.step(1e9);
  postMessage({id, value: simulator.metric(metric)});
}

async function load({wasm, files}) {
  simulator = await Simulator.load(makeOutrider, wasm);
  for (const [name, content] of Object.entries(files)) simulator.write(name, content);
  postMessage({lists: simulator.lists()});
}

onmessage = async ({data}) => {
  try {
    if (data.wasm) await (loaded = load(data));
    await loaded;
    if (data.begin) await run(data.begin);
    if (data.map) postMessage({id: data.map, map: simulator.map()});
    if (data.measure) measure(data.measure);
    if (data.test) postMessage({tested: simulator.signFlip(data.test)});
  } catch (error) {
    postMessage({id: (data.begin ?? data.measure)?.id ?? data.map, error: error.message});
  }
};
