// The main paths in Firefox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIZES } from '../tools/browser.mjs';
import { FIREFOX, startFirefox } from '../tools/firefox.mjs';
import { askServer, startServer } from '../tools/server.mjs';

const EASY = '8x8..0034.R77';
/** Arrow keys as WebDriver names them. @type {Record<string, string>} */
const ARROW = { N: '\uE013', E: '\uE014', S: '\uE015', W: '\uE012' };
const missing = FIREFOX ? false : 'no Firefox (FIREFOX names one)';

for (const size of /** @type {const} */ (['phone', 'desktop'])) {
  test(`the main paths in Firefox, ${size}`, { skip: missing }, async (context) => {
    const server = await startServer();
    const firefox = await startFirefox(SIZES[size]);
    const open = async (/** @type {string} */ hash) => {
      await firefox.open('about:blank');
      await firefox.open(`${server.url}/?engine=server${hash}`);
      await firefox.until(`document.querySelector('#board')?.dataset.empty === 'no'`);
    };
    const play = async (/** @type {string[]} */ moves) => {
      for (const move of moves) await firefox.keys([move[0].toLowerCase(), ARROW[move[1]]]);
    };
    const fits = async () => assert.ok(await firefox.run('document.documentElement.scrollWidth <= innerWidth'));
    try {
      await context.test('home begins the daily puzzle', async () => {
        await open('');
        await fits();
        await firefox.tap('.today .primary');
        await firefox.until(`location.hash.includes('as=daily') && document.querySelector('.task h2')?.textContent`);
      });
      await context.test('a puzzle is solved by keys, and the result is in sight', async () => {
        await open(`#play=${EASY}`);
        await play(['RE', 'RS']);
        await firefox.until(`document.querySelectorAll('.result .stars [data-on="yes"]').length === 3`);
        await fits();
        const box = await firefox.run(`document.querySelector('.result button.primary').getBoundingClientRect().toJSON()`);
        assert.ok(box.top >= 0 && box.bottom <= SIZES[size].height, JSON.stringify(box));
      });
      await context.test('a tap on a robot and a tap on an end move it', async () => {
        await open(`#play=${EASY}`);
        await firefox.tap('[data-cell="3,4"]');
        await firefox.tap('[data-cell="3,0"]');
        await firefox.until(`location.hash.endsWith('moves=GN')`);
      });
      await context.test('the analysis shows the best line and all solutions', async () => {
        await open(`#analyse=${EASY}`);
        await firefox.until(`document.querySelectorAll('.principal .move-chip').length === 2`);
        await firefox.run(`[...document.querySelectorAll('[role="tab"]')][1].click()`);
        const { groups } = await askServer(server, 'all', { puzzle: EASY, group: true });
        await firefox.until(`document.querySelectorAll('.solutions li').length === ${groups.length}`);
        await fits();
      });
      await context.test('the editor proves the optimum, and the table at home opens', async () => {
        await open(`#edit=${EASY}`);
        await firefox.until(`/2/.test(document.querySelector('.verdict').textContent)`);
        await fits();
        await firefox.run(`void (location.hash = '#room&as=table')`);
        await firefox.until(`document.querySelectorAll('.cards-page .card').length > 1`);
        await fits();
      });
      await context.test('short links and frames play', async () => {
        await firefox.open(`${server.url}/p/${EASY}`);
        await firefox.until(`document.querySelector('#board')?.dataset.empty === 'no'`);
        await play(['RE', 'RS']);
        await firefox.until(`document.querySelector('.result')`);
        await firefox.open(`${server.url}/embed/${EASY}`);
        await firefox.until(`document.querySelector('#board')?.dataset.empty === 'no'`);
        await play(['RE', 'RS']);
        await firefox.until(`/2/.test(document.querySelector('#moves').textContent)`);
        await fits();
      });
      await context.test('the daily puzzle is solved and kept', async () => {
        const { puzzle } = await askServer(server, 'daily', { date: new Date().toISOString().slice(0, 10) });
        const { moves } = await askServer(server, 'solve', { puzzle: puzzle.line });
        await open('#play&as=daily');
        await play(moves);
        await firefox.until(`document.querySelectorAll('.result .stars [data-on="yes"]').length === 3`);
        assert.ok(!(await firefox.run('location.hash')).includes('moves='), 'the address does not tell');
        await open('');
        await firefox.until(`document.querySelectorAll('.today .stars [data-on="yes"]').length === 3`);
      });
      await context.test('training rates a player', async () => {
        await open('#play&as=training');
        await firefox.until(`/^#play=.+&as=training/.test(location.hash)`);
        const line = await firefox.run(`/#play=([^&]*)/.exec(location.hash)[1]`);
        const { moves } = await askServer(server, 'solve', { puzzle: line });
        await play(moves);
        await firefox.until(`document.querySelector('.result .rating-change')`);
        await fits();
      });
      await context.test('Watch goes forward, back and to the next pruning', async () => {
        await open('#watch=5x5..004012.R31&solver=iddfs');
        await firefox.until(`/nodes/.test(document.querySelector('.watch-verdict').textContent)`);
        const at = `Number(/\\d+/.exec(document.querySelector('.watch-place').textContent)[0])`;
        await firefox.keys([ARROW.E]);
        await firefox.keys([ARROW.E]);
        await firefox.until(`${at} === 2`);
        await firefox.keys([ARROW.W]);
        await firefox.until(`${at} === 1`);
        await firefox.keys(['p']);
        await firefox.until(`${at} > 2`);
        await fits();
      });
      await context.test('the first run and a chapter', async () => {
        await open('#learn&as=start');
        await firefox.until(`document.querySelector('.learn-step h2')`);
        await play(['RE', 'RS']);
        await firefox.until(`document.querySelector('#under .primary')`);
        await fits();
        await firefox.open('about:blank');
        await firefox.open(`${server.url}/?engine=server#read=slides`);
        await firefox.until(`document.querySelector('#figure-branching[data-ready]')`);
        await fits();
      });
      assert.deepEqual(firefox.complaints, []);
    } finally {
      await firefox.stop();
      await server.stop();
    }
  });
}
