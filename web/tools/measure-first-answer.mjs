// How long a new page waits for its first answer: each round is a new browser context.
//
//   node web/tools/measure-first-answer.mjs [ROUNDS]
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../tests/tools/browser.mjs';
import { serveFolder } from '../tests/tools/file-server.mjs';
import { PAGE } from '../tests/tools/paths.mjs';
import { builtFiles } from '../tests/tools/wasm.mjs';

const host = await serveFolder(PAGE, '');
const browser = await chromium.launch(CHROMIUM);
console.log('round,fetch_ms,compile_ms,first_answer_ms,second_answer_ms,moves');
for (let round = 0; round < Number(process.argv[2] ?? 10); round += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  // Any file of the same place will do: the page itself would send requests.
  await page.goto(`${host.url}/ui/theme.js`);
  const times = await page.evaluate(async (file) => {
    // @ts-expect-error the page's own module, from the page's own place
    const { WorkerEngine } = await import('/engine/worker.js');
    const marks = [performance.now()];
    const bytes = await (await fetch(`/wasm/${file}`)).arrayBuffer();
    marks.push(performance.now());
    const module = await WebAssembly.compile(bytes);
    marks.push(performance.now());
    const workers = new WorkerEngine(module);
    const { length } = await workers.ask('solve', { puzzle: '1A4B3B2B.1fc1f0c0.B9c' }, {});
    marks.push(performance.now());
    await workers.ask('solve', { puzzle: '1A4B3B2B.1fc1f0c0.B9c' }, {});
    marks.push(performance.now());
    return [...marks.slice(1).map((mark, number) => (mark - marks[number]).toFixed(1)), length];
  }, builtFiles().simd ?? builtFiles().portable);
  console.log([round, ...times].join(','));
  await context.close();
}
await browser.close();
await host.stop();
