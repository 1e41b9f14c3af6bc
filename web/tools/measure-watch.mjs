// What a step of Watch costs when all 20,000 events of a search are kept: the main thread's own time, in
// milliseconds per step, in all and for scripts, style and layout. It does not count the time in which other
// programs ran. A processor four times slower needs four times as long.
//
//   node tools/measure-watch.mjs
import { chromium } from 'playwright-core';
import { CHROMIUM, newContext, waitForBoard } from '../tests/tools/browser.mjs';
import { startServer } from '../tests/tools/server.mjs';

/** A printed board, on which the search goes on long after the events that are kept; and small ones. */
const SEARCHES = [
  '1A4B3B2B.1fc1f0c0.B9c&solver=iddfs:memo=off:sort=off:bound=off',
  '1A4B3B2B.1fc1f0c0.B9c&solver=naive',
  '5x5..004012.R31&solver=bfs',
];
/** How often each kind of step is taken. */
const TIMES = 100;

const server = await startServer();
const browser = await chromium.launch(CHROMIUM);
for (const search of SEARCHES) {
  for (const size of /** @type {const} */ (['desktop', 'phone'])) {
    const context = await newContext(browser, size);
    const page = await context.newPage();
    await page.goto(`${server.url}/?engine=server#watch=${search}`);
    await waitForBoard(page);
    await page.waitForFunction(() => /nodes/.test(document.querySelector('.watch-verdict')?.textContent ?? ''), undefined, { timeout: 60_000 });
    // On phones the tree is in a tab of its own.
    if (size === 'phone') await page.getByRole('tab', { name: 'Tree' }).click();
    await page.waitForTimeout(1000);
    await page.evaluate((times) => {
      const slider = /** @type {HTMLInputElement} */ (document.querySelector('.scrub'));
      slider.value = String(Number(slider.max) - times - 1);
      slider.dispatchEvent(new Event('input'));
    }, TIMES);
    const client = await context.newCDPSession(page);
    await client.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spent = async () => Object.fromEntries((await client.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
    /** @type {Record<string, object>} */
    const result = {};
    for (const kind of ['forward', 'back', 'scrub']) {
      const before = await spent();
      await page.evaluate(async ([way, times]) => {
        const slider = /** @type {HTMLInputElement} */ (document.querySelector('.scrub'));
        const events = Number(slider.max);
        const scrub = (/** @type {number} */ to) => {
          slider.value = String(Math.round(to));
          slider.dispatchEvent(new Event('input'));
        };
        const press = (/** @type {string} */ key) => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        for (let i = 0; i < times; i += 1) {
          if (way === 'forward') press('ArrowRight');
          else if (way === 'back') press('ArrowLeft');
          // Back and forth over the whole search, as a thumb does.
          else scrub(events * (0.5 + 0.5 * Math.sin(i * 1.7)));
          await new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
        }
      }, /** @type {[string, number]} */ ([kind, TIMES]));
      const after = await spent();
      const each = (/** @type {string} */ name) => Math.round(((after[name] - before[name]) * 1e4) / TIMES) / 10;
      result[kind] = { all: each('TaskDuration'), script: each('ScriptDuration'), style: each('RecalcStyleDuration'), layout: each('LayoutDuration') };
    }
    console.log(JSON.stringify({ search: search.replace('&solver=', ' '), size, ...result }));
    await context.close();
  }
}
await browser.close();
await server.stop();
