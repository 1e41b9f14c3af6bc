// The mode Read: every chapter and its figures, on phones and wide screens, used as a reader would.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { SLIDES_LINE } from '../../public/read/numbers.js';
import { seriousViolations } from '../tools/axe.mjs';
import { hashOf, useBrowser } from '../tools/browser.mjs';
import { ROOT } from '../tools/paths.mjs';
import { askServer } from '../tools/server.mjs';

/** @import {Locator, Page} from 'playwright-core' */

const { onPage } = useBrowser();
const CHAPTERS = ['slides', 'thesis', 'report', 'flagship'];
const SMALL = '5x5..004012.R31';

/** A figure with its first answer. @param {Page} page @param {string} id @returns {Promise<Locator>} */
async function figure(page, id) {
  const element = page.locator(`#figure-${id}`);
  await element.scrollIntoViewIfNeeded();
  await page.locator(`#figure-${id}[data-ready]`).waitFor();
  return element;
}

/** Every figure of the chapter has answered. @param {Page} page */
async function all(page) {
  await page.locator('.read-figure').first().waitFor();
  const ids = await page.locator('.read-figure:has(.figure-board)').evaluateAll((figures) => figures.map(({ id }) => id));
  assert.ok(ids.length > 0);
  for (const id of ids) await figure(page, id.replace('figure-', ''));
  assert.deepEqual(await page.locator('.read-figure .refusal:not(:empty)').allTextContents(), []);
}

/** Chooses a puzzle, even one that is not in the list. @param {Locator} element @param {string} line */
async function choosePuzzle(element, line) {
  const details = element.locator('.read-change');
  if (!(await details.evaluate((one) => /** @type {HTMLDetailsElement} */ (one).open))) await details.locator('summary').first().click();
  await details.getByRole('group', { name: 'Puzzle' }).evaluate((group, value) => {
    const fields = /** @type {HTMLInputElement[]} */ ([...group.querySelectorAll('input')]);
    const field = fields.find((one) => one.value === value) ?? fields[0];
    field.value = value;
    field.checked = true;
    field.dispatchEvent(new Event('change'));
  }, line);
  await element.page().waitForTimeout(50);
  await element.page().locator(`#${await element.getAttribute('id')}[data-ready]`).waitFor();
}

for (const chapter of CHAPTERS) {
  for (const [size, theme, language] of /** @type {const} */ ([['desktop', 'light', 'en'], ['phone', 'dark', 'de']])) {
    test(`${chapter}: every figure answers and axe finds nothing, ${size}, ${theme}, ${language}`, async () => {
      await onPage(`#read=${chapter}`, { size, settings: { theme, language } }, async (page) => {
        await all(page);
        const text = (await page.locator('.read').textContent()) ?? '';
        assert.doesNotMatch(text, /\{|undefined|NaN|\[object/);
        if (language === 'de') assert.match(text, /Probier es/);
        for (const part of await page.locator('.read-figure summary').all()) if (await part.isVisible()) await part.click();
        assert.deepEqual(await seriousViolations(page), []);
        const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= room, `${wide} pixels do not fit into ${room}`);
      });
    });
  }
}

test('from the contents through all chapters; other modes keep their position', async () => {
  await onPage(`#analyse=${SMALL}`, {}, async (page) => {
    await page.locator('#modes [data-mode="read"]').click();
    await page.locator('.read-contents a').first().click();
    for (const chapter of CHAPTERS) {
      assert.equal(await hashOf(page), `#read=${chapter}`);
      const next = page.locator('.read-next a');
      if (chapter !== 'flagship') await next.click();
    }
    assert.match((await page.locator('#modes [data-mode="play"]').getAttribute('href')) ?? '', new RegExp(SMALL));
    await page.goBack();
    assert.equal(await hashOf(page), '#read=report');
  });
});

test('arrows scroll the text, and the skip link leads to it', async () => {
  await onPage('#read=slides', { size: 'desktop' }, async (page) => {
    await figure(page, 'branching');
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'panel');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => window.scrollY > 0);
  });
});

test('branching: the counts are those of the search without pruning', async () => {
  await onPage('#read=slides', {}, async (page) => {
    const element = await figure(page, 'branching');
    const column = (/** @type {number} */ n) => element.locator(`tbody td:nth-of-type(${n})`).allTextContents();
    const digits = (/** @type {string[]} */ texts) => texts.map((text) => Number(text.replace(/\D/g, '')));
    assert.deepEqual(digits(await column(1)), [11, 100, 866, 7291]);
    assert.equal(await element.locator('.equal').count(), 4);
    await element.getByRole('button', { name: 'One move deeper' }).click();
    await element.locator('tbody tr').nth(4).waitFor();
    assert.deepEqual(digits(await column(1)).at(-1), 60671);
  });
});

test('the map: a tap and a key move the target, and the engine draws the map anew', async () => {
  await onPage('#read=slides', {}, async (page, server) => {
    const element = await figure(page, 'map');
    const numbers = () => element.locator('.layer-overlay rect').evaluateAll((rects) => rects.map((rect) => rect.getAttribute('class')).join(' '));
    const before = await numbers();
    await element.locator('[data-cell="3,4"]').scrollIntoViewIfNeeded();
    const box = await element.locator('[data-cell="3,4"]').boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction((old) => [...document.querySelectorAll('#figure-map .layer-overlay rect')].map((rect) => rect.getAttribute('class')).join(' ') !== old, before);
    const after = await numbers();
    await element.locator('[data-cell="3,4"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForFunction((old) => [...document.querySelectorAll('#figure-map .layer-overlay rect')].map((rect) => rect.getAttribute('class')).join(' ') !== old, after);
    const { values } = await askServer(server, 'overlay', { puzzle: SLIDES_LINE.replace('.B9c', '.B44'), kind: 'min-moves' });
    const here = values[0 * 16 + 15];
    assert.match((await element.locator('[role="status"]').first().textContent()) ?? '', new RegExp(`at least (${here} moves|one move)`));
  });
});

test('the table of iterations grows, equals the published numbers, and can be stopped', async () => {
  await onPage('#read=slides', {}, async (page, server) => {
    const element = await figure(page, 'table');
    assert.equal(await element.locator('tbody tr').count(), 22);
    const { puzzle } = JSON.parse(fs.readFileSync(path.join(ROOT, 'corpus/reference/slides.json'), 'utf8'));
    const { puzzles } = await askServer(server, 'read', { text: SLIDES_LINE });
    for (const key of ['width', 'height', 'walls', 'robots']) assert.deepEqual(puzzles[0][key], puzzle[key], key);
    await element.getByRole('button', { name: 'Search' }).click();
    await element.locator('.equal').nth(3 * 9).waitFor();
    const stop = element.getByRole('button', { name: 'Stop' });
    if (await stop.isVisible()) await stop.click();
    await element.getByRole('button', { name: 'Search' }).waitFor();
    assert.equal(await element.locator('.unequal').count(), 0);
    assert.match((await element.locator('[role="status"]').first().textContent()) ?? '', /rows so far equal/);
    await choosePuzzle(element, SMALL);
    await element.getByRole('button', { name: 'Search' }).click();
    await element.locator('tbody td').first().waitFor();
    assert.equal(await element.locator('.equal').count(), 0, 'nothing is published about another puzzle');
  });
});

test('the ablation: one click, four settings, each a link to a race', async () => {
  await onPage('#read=slides', {}, async (page) => {
    const element = await figure(page, 'ablation');
    await choosePuzzle(element, SMALL);
    await element.getByRole('button', { name: 'Run all four' }).click();
    await page.waitForFunction(() => document.querySelectorAll('#figure-ablation .read-bar').length === 4);
    const nodes = (await element.locator('tbody td:nth-of-type(1)').allTextContents()).map((text) => Number(text.replace(/\D/g, '')));
    assert.ok(nodes[0] > nodes[1] && nodes[1] >= nodes[2] && nodes[2] > nodes[3], `${nodes}`);
    await element.getByRole('link', { name: 'Watch: Nothing' }).click();
    await page.locator('.race-table tbody tr').nth(1).waitFor({ state: 'attached' });
    assert.match(decodeURIComponent(await hashOf(page)), /solver=iddfs:memo=off:sort=off:bound=off&against=iddfs/);
  });
});

test('stepping a search in the text: jumps, prediction, other settings', async () => {
  await onPage('#read=slides', {}, async (page) => {
    const element = await figure(page, 'memo');
    await element.getByRole('button', { name: 'Next hit of the memo' }).click();
    assert.match((await element.locator('.watch-sentence').textContent()) ?? '', /pruned by the memo/);
    await element.getByText('Nothing', { exact: true }).click();
    await page.waitForFunction(() => /memo=off/.test(document.querySelector('#figure-memo [role="status"]')?.textContent ?? ''));
    await element.getByRole('button', { name: 'Next hit of the memo' }).click();
    await element.getByText('There is none after this step.').waitFor();
    const bound = await figure(page, 'bound');
    await bound.getByRole('button', { name: 'Next cut by the bound' }).click();
    assert.match((await bound.locator('.watch-sentence').textContent()) ?? '', /pruned by the bound/);
    // "needed > left" is three signs.
    assert.equal(await bound.locator('.engine-arrows .badge .glyphs').first().locator('path').count(), 3);
    await bound.locator('summary').getByText('What comes next?').click();
    await bound.getByRole('checkbox', { name: 'Stop and ask me' }).check();
    await bound.locator('.quiz-question').waitFor();
  });
});

test('case A: the graph search needs more moves than the shortest solution, and the text says why', async () => {
  await onPage('#read=thesis', {}, async (page) => {
    const element = await figure(page, 'cases');
    const [graph, best] = (await element.locator('h4').allTextContents()).map((text) => Number(/(\d+) moves/.exec(text)?.[1]));
    assert.ok(graph > best, `${graph} and ${best}`);
    assert.match((await element.locator('[role="status"]').first().textContent()) ?? '', /only after .* has moved/);
    await choosePuzzle(element, SMALL);
    await element.getByText('Here nothing is missed').waitFor();
  });
});

test('stateless: the first move has the final and intermediate states of the engine', async () => {
  await onPage('#read=thesis', {}, async (page, server) => {
    const element = await figure(page, 'first-move');
    const says = () => element.locator('[role="status"]').first().textContent();
    const red = await says();
    const { events } = await askServer(server, 'trace', { puzzle: '8x8..005034.R74', solver: 'stateless:published=on' });
    const first = events.findIndex((/** @type {any} */ event) => event.type === 'expand');
    const second = events.findIndex((/** @type {any} */ event, /** @type {number} */ at) => at > first && event.type === 'expand');
    const written = (/** @type {string} */ type) => events.slice(first, second).filter((/** @type {any} */ event) => event.type === type).length;
    assert.equal(red, `${written('final')} final states and ${written('intermediate')} intermediate states after its first move.`);
    await element.getByText('Green', { exact: true }).first().click();
    await page.waitForFunction((old) => document.querySelector('#figure-first-move [role="status"]')?.textContent !== old, red);
  });
});

test('hit rates: the chart has a table, and the reader’s own sample is counted', async () => {
  await onPage('#read=thesis', {}, async (page) => {
    const element = page.locator('#figure-hit-rates');
    await element.getByText('The numbers as a table').click();
    assert.equal(await element.locator('.read-table').first().locator('tbody tr').count(), 23);
    await element.getByRole('button', { name: 'Solve 20 random puzzles' }).click();
    await page.waitForFunction(() => document.querySelectorAll('#figure-hit-rates .read-table')[1]?.querySelector('tbody tr'));
  });
});

test('the report’s example: score 6 by cross blocks, 1/4 by position, and what cross blocks miss', async () => {
  await onPage('#read=report', {}, async (page) => {
    const element = await figure(page, 'setups');
    await element.getByText('score 6').first().waitFor();
    await element.locator('.setup').first().click();
    assert.equal(await element.locator('.setup[aria-pressed="true"]').count(), 1);
    await element.getByText('Position score', { exact: true }).click();
    await element.getByText('score 1/4').first().waitFor();
    const missed = await figure(page, 'missed');
    const [setup, best] = (await missed.locator('h4').allTextContents()).map((text) => Number(/(\d+) moves/.exec(text)?.[1] ?? 99));
    assert.ok(setup > best);
  });
});

test('the flagship: a set grows until it is full, and each idea makes fewer nodes', async () => {
  await onPage('#read=flagship', {}, async (page) => {
    const element = await figure(page, 'sets');
    const more = element.getByRole('button', { name: 'One more move of the goal robot' });
    for (let i = 0; i < 30 && (await more.isEnabled()); i += 1) await more.click();
    await element.getByText('No further cell can be reached').waitFor();
    const switches = await figure(page, 'switches');
    await switches.getByRole('button', { name: 'Run all four' }).click();
    await page.waitForFunction(() => document.querySelectorAll('#figure-switches .read-bar').length === 4);
    const nodes = (await switches.locator('tbody td:nth-of-type(1)').allTextContents()).map((text) => Number(text.replace(/\D/g, '')));
    assert.ok(nodes[1] >= nodes[2] && nodes[2] >= nodes[3], `${nodes}`);
  });
});

test('a link to one figure; a wall that shuts the target in is an answer', async () => {
  await onPage('#read=slides&figure=map', {}, async (page) => {
    const element = await figure(page, 'map');
    await page.waitForFunction(() => Math.abs(document.querySelector('#figure-map')?.getBoundingClientRect().top ?? 999) < 400);
    await choosePuzzle(element, SMALL);
    await element.getByRole('radio', { name: 'Walls' }).check({ force: true });
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      await element.locator('[data-cell="3,1"]').focus();
      await page.keyboard.press(`Shift+${key}`);
      await page.waitForTimeout(150);
    }
    await page.waitForFunction(() => /never|closed|wall/i.test(document.querySelector('#figure-map')?.textContent ?? ''));
  });
});
