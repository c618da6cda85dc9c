// Writes the page with the module in it: node page.js ROOT FOLDER-OF-MODULE PAGE.html (tools/browser).
'use strict';
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const {Simulator} = require('./web/simulator.js');
const [root, folder, target] = process.argv.slice(2);

const text = name => fs.readFileSync(path.join(root, name), 'utf8');
const texts = (at, names) => names.map(name => text(path.join(at, name))).join('\n');

// The files of environments/: a text each, of an image its bytes in base64.
function environments() {
  const all = {};
  for (const name of fs.readdirSync(path.join(root, 'environments')).sort()) {
    if (!/[.](toml|png)$/.test(name) || /^(sheet|live_)/.test(name)) continue;
    all[name] = fs.readFileSync(path.join(root, 'environments', name), name.endsWith('.png') ? 'base64' : 'utf8');
  }
  return all;
}

const wasm = zlib.deflateSync(fs.readFileSync(path.join(folder, 'outrider.wasm')), {level: 9});
const script = (id, content, type = 'text/plain') =>
  `<script type="${type}" id="${id}">${content.replaceAll('</script', '<\\/script')}</script>\n`;
// Nothing is asked of any network: what the page may do stands in its first lines.
const policy = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; "
  + "img-src data:; worker-src blob:";

async function write() {
  const simulator = await Simulator.load(require(path.resolve(folder, 'outrider.js')), fs.readFileSync(path.join(folder, 'outrider.wasm')));
  const parts = {
    '<meta charset="utf-8">': `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<title>Outrider run</title>': '<title>Outrider playground</title>',
    '/*COLOURS*/': simulator.colours(),
    '/*STYLE*/': text('src/player/web/style.css') + text('src/browser/web/playground.css'),
    '<aside id="panel">': '<aside id="panel">\n' + text('src/browser/web/playground.html'),
    '<!--RUNS-->': script('address', '') + script('module', wasm.toString('base64')) + script('environments', JSON.stringify(environments()), 'application/json')
      + script('worker', fs.readFileSync(path.join(folder, 'outrider.js'), 'utf8') + text('src/browser/web/simulator.js')
        + text('src/browser/web/worker.js')),
    '/*SCRIPT*/': texts('src/player/web', ['run.js', 'labels.js', 'robots.js', 'map.js', 'timeline.js', 'panel.js']) + texts('src/browser/web', ['side.js', 'brush.js', 'ranking.js', 'playground.js'])
      + text('src/player/web/main.js'),
  };
  let page = text('src/player/web/page.html');
  for (const [place, content] of Object.entries(parts)) {
    if (!page.includes(place)) throw new Error(`src/player/web/page.html: no ${place}`);
    page = page.replace(place, () => content);
  }
  fs.writeFileSync(target, page);
  console.error(`${target}: ${(page.length / 1e6).toFixed(2)} MB, ${(zlib.gzipSync(page).length / 1e6).toFixed(2)} MB compressed`);
}
write();
