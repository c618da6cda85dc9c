// Runs scenarios in the module, for tools/test_browser: node simulate.js FOLDER-OF-MODULE ROOT. Each line of the standard
// input is a task in JSON, answered by a line.
'use strict';
const fs = require('fs');
const path = require('path');
const [folder, root] = process.argv.slice(2);
const {Simulator} = require(path.join(root, 'src/browser/web/simulator.js'));

function answer(simulator, task) {
  if (task.lists) return simulator.lists();
  for (const [name, text] of Object.entries(task.files ?? {})) simulator.write(name, text);
  const maps = task.generate ? simulator.generate(...task.generate) : '';
  const before = process.cpuUsage();
  let state = {};
  for (let n = 0; n < (task.times ?? 1); ++n) {
    simulator.begin(task.words);
    simulator.step(1e9);
    state = simulator.state();
  }
  const cpu = process.cpuUsage(before);
  return {...state, maps, cpu_s: (cpu.user + cpu.system) / 1e6, memory: simulator.memory,
          packed: simulator.pack('').length};
}

(async () => {
  const simulator = await Simulator.load(require(path.join(folder, 'outrider.js')),
                                         fs.readFileSync(path.join(folder, 'outrider.wasm')));
  for (const name of fs.readdirSync(path.join(root, 'environments')))
    if (/\.(toml|png)$/.test(name)) simulator.write('environments/' + name, fs.readFileSync(path.join(root, 'environments', name)));
  for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
    let said;
    try {
      said = answer(simulator, JSON.parse(line));
    } catch (error) {
      said = {error: error.message};
    }
    console.log(JSON.stringify(said));
  }
})();
