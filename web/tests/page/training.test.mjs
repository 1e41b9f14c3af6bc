// Training: rating, what counts, streaks, mistakes that come back, saved puzzles, history, files.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { newTraining, withEntry } from '../../public/training/log.js';
import { parsePuzzles } from '../../public/training/puzzle-set.js';
import { streakRating } from '../../public/training/sessions.js';
import { choose, hashOf, lineOf, movesOf, playKeys, useBrowser, waitForAnnouncement, waitForBoard } from '../tools/browser.mjs';
import { seriousViolations } from '../tools/axe.mjs';
import { PAGE } from '../tools/paths.mjs';
import { askServer } from '../tools/server.mjs';

/** @import {Page} from 'playwright-core' */
/** @import {Server} from '../tools/server.mjs' */
/** @import {Entry} from '../../public/training/log.js' */

const { onPage } = useBrowser();
const PUZZLES = new Map(parsePuzzles(fs.readFileSync(path.join(PAGE, 'training/puzzles.txt'), 'utf8')).map((puzzle) => [puzzle.line, puzzle]));
const DAY = 86_400_000;

/** @param {Page} page */
const panel = (page) => page.locator('#panel');

/** Solves the puzzle of the address. @param {Page} page @param {Server} server */
async function solveHere(page, server) {
  const { moves } = await askServer(server, 'solve', { puzzle: await lineOf(page) });
  await playKeys(page, moves);
  return moves;
}

/** Solves it with more moves than needed. @param {Page} page @param {Server} server */
async function solveLonger(page, server) {
  const puzzle = await lineOf(page);
  const start = await askServer(server, 'position', { puzzle });
  const detour = start.moves.find((/** @type {any} */ one) => !one.best && one.distance !== null && one.distance >= start.distance);
  assert.ok(detour, 'every puzzle has a move that does not help');
  const moves = [detour.move];
  for (let left = detour.distance; left > 0; left -= 1) {
    const here = await askServer(server, 'position', { puzzle, moves });
    moves.push(here.moves.find((/** @type {any} */ one) => one.best).move);
  }
  await playKeys(page, moves);
  assert.ok(moves.length > start.distance);
}

/** Waits for another puzzle than this one. @param {Page} page @param {string} line */
const waitForOther = (page, line) => page.waitForFunction((before) => /#play=./.test(location.hash) && !location.hash.includes(before) && !location.hash.includes('moves='), line);

/** What is stored. @param {Page} page @returns {Promise<import('../../public/training/log.js').Training>} */
const stored = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('ricochet.training') ?? 'null'));

/** A log as it is stored. @param {Partial<Entry>[]} entries */
function logOf(...entries) {
  const all = [...PUZZLES.values()];
  return { version: 1, ...entries.reduce((training, entry, i) => withEntry(training, { ...all[i], at: Date.now() - DAY + i, source: 'training', outcome: 'solved', moves: all[i].length, ms: 60_000, hints: 0, ...entry }), newTraining()) };
}

/** @param {Page} page */
const openRecords = async (page) => {
  await page.getByRole('button', { name: 'History and progress' }).click();
  await page.getByRole('dialog').getByRole('tab').first().waitFor();
  return page.getByRole('dialog');
};

test('a new player says how strong they are, solves, and gets a provisional rating that a reload keeps', async () => {
  await onPage('#play&as=training', {}, async (page, server) => {
    await waitForBoard(page);
    const first = await lineOf(page);
    assert.ok(Math.abs((PUZZLES.get(first)?.rating ?? 0) - 1500) < 100);
    await panel(page).getByRole('group', { name: 'How well do you know the game?' }).getByRole('button', { name: 'New to it' }).click();
    await waitForOther(page, first);
    const line = await lineOf(page);
    assert.ok(Math.abs((PUZZLES.get(line)?.rating ?? 0) - 800) < 150, 'an untouched puzzle gives way without counting');
    await panel(page).locator('.task').getByText(String(PUZZLES.get(line)?.length), { exact: true }).waitFor();
    await solveHere(page, server);
    const change = panel(page).locator('.result .rating-change');
    await change.waitFor();
    assert.match((await change.textContent()) ?? '', /^Your rating: 800 → (\d+) \(\+\d+\)$/);
    await panel(page).locator('.rating-card').getByText('provisional', { exact: true }).waitFor();
    await panel(page).locator('.result').getByText(`Rating of the puzzle: ${PUZZLES.get(line)?.rating}`).waitFor();
    const rating = await panel(page).locator('.rating-now b').textContent();
    assert.ok(Number(rating) > 850);
    await page.reload();
    await waitForBoard(page);
    await panel(page).locator('.rating-now').getByText(rating ?? '').waitFor();
    assert.equal((await stored(page)).log.length, 1);
    await page.keyboard.press('n');
    await waitForOther(page, line);
    assert.equal((await stored(page)).log.length, 1, 'a solved puzzle counts once');
  });
});

test('what counts: more moves, a hint, giving up, going on after a move are mistakes; nothing else is', async () => {
  await onPage('#play&as=training', { stored: { trained: { begun: true } } }, async (page, server) => {
    await waitForBoard(page);
    const outcomes = async () => (await stored(page))?.log.map(({ outcome }) => outcome) ?? [];
    const next = async () => {
      const line = await lineOf(page);
      await page.keyboard.press('n');
      await waitForOther(page, line);
    };
    await next();
    assert.deepEqual(await outcomes(), [], 'before the first move');
    await solveLonger(page, server);
    await panel(page).locator('.result').getByText(/Not the fewest moves: this counts as a mistake\. It comes back on/).waitFor();
    assert.deepEqual(await outcomes(), ['longer']);
    await page.keyboard.press('0');
    await solveHere(page, server);
    assert.deepEqual(await outcomes(), ['longer'], 'only the first time');
    await next();
    await page.keyboard.press('h');
    await waitForAnnouncement(page, /Hint/);
    await solveHere(page, server);
    assert.deepEqual((await outcomes()).at(-1), 'helped');
    await next();
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Show the solution' }).click();
    await panel(page).locator('.given-up').getByText(/Given up: this counts as a mistake/).waitFor();
    await panel(page).locator('.given-up .rating-change').waitFor();
    await next();
    const { moves } = await askServer(server, 'solve', { puzzle: await lineOf(page) });
    await playKeys(page, moves.slice(0, 1));
    await Promise.all([page.locator('#toast').getByText(/Left after the first move/).waitFor(), next()]);
    assert.deepEqual(await outcomes(), ['longer', 'helped', 'gave-up', 'skipped']);
    // Moves may be taken back.
    const { moves: best } = await askServer(server, 'solve', { puzzle: await lineOf(page) });
    await playKeys(page, best.slice(0, 1));
    await page.keyboard.press('u');
    await playKeys(page, best);
    await panel(page).locator('.result').waitFor();
    assert.equal((await outcomes()).at(-1), 'solved');
    const ratings = await panel(page).locator('.rating-now b').textContent();
    assert.ok(Number(ratings) < 1500);
  });
});

test('leaving does not count, and the same puzzle waits; Back shows the one before', async () => {
  await onPage('#play&as=training', {}, async (page, server) => {
    await waitForBoard(page);
    const line = await lineOf(page);
    const { moves } = await askServer(server, 'solve', { puzzle: line });
    await playKeys(page, moves.slice(0, 1));
    await page.getByRole('button', { name: 'Storm' }).click();
    await page.getByRole('button', { name: 'Training', exact: true }).click();
    await page.waitForFunction((before) => location.hash.includes(before), line);
    await page.reload();
    await waitForBoard(page);
    assert.equal(await lineOf(page), line);
    assert.equal(await stored(page), null);
    await page.keyboard.press('0');
    await solveHere(page, server);
    await panel(page).locator('.result .rating-change').waitFor();
    await page.keyboard.press('n');
    await waitForOther(page, line);
    await page.goBack();
    await page.waitForFunction((before) => location.hash.includes(before), line);
    await panel(page).locator('.result').getByText('This attempt does not change your rating').waitFor();
    assert.equal((await stored(page)).log.length, 1);
  });
});

test('puzzles by theme and by range', async () => {
  await onPage('#play&as=training', {}, async (page) => {
    await waitForBoard(page);
    const first = await lineOf(page);
    await panel(page).getByRole('combobox', { name: 'Theme' }).selectOption('placed-blocker');
    await waitForOther(page, first);
    await panel(page).getByText('A helper moves, and later it stops another robot.').waitFor();
    const second = await lineOf(page);
    assert.ok(PUZZLES.get(second)?.themes.includes('placed-blocker'));
    await panel(page).getByRole('combobox', { name: 'Theme' }).selectOption('');
    await waitForOther(page, second);
    await choose(panel(page), 'Difficulty', 'From … to');
    await panel(page).getByLabel('Lowest rating').fill('2400');
    await panel(page).getByLabel('Lowest rating').press('Tab');
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('ricochet.trained') ?? '{}').range?.[0] === 2400);
    const fits = [...PUZZLES.values()].filter(({ rating }) => (rating ?? 0) >= 2400).map(({ line }) => line);
    await page.waitForFunction((lines) => lines.some((line) => location.hash.includes(`=${line}&`)), fits);
    await panel(page).getByLabel('Lowest rating').fill('99999');
    await panel(page).getByLabel('Lowest rating').press('Tab');
    await panel(page).getByText('A number from 0 to 6000.').waitFor();
  });
});

test('a streak: harder each time, over with the first mistake, the best is kept', async () => {
  assert.deepEqual([0, 1, 20].map(streakRating), [600, 675, 2100]);
  await onPage('#play&as=training-streak', {}, async (page, server) => {
    await waitForBoard(page);
    const row = panel(page).locator('.headline dd').first();
    for (let n = 0; n < 2; n += 1) {
      await row.filter({ hasText: String(n) }).waitFor();
      const line = await lineOf(page);
      assert.ok(Math.abs((PUZZLES.get(line)?.rating ?? 0) - streakRating(n)) < 100);
      assert.equal(await page.getByRole('button', { name: 'Hint' }).count(), 0);
      await solveHere(page, server);
      await waitForOther(page, line);
    }
    await page.reload();
    await waitForBoard(page);
    await row.filter({ hasText: '2' }).waitFor();
    await page.getByRole('button', { name: 'Daily' }).click();
    await page.waitForFunction(() => location.hash.includes('daily'));
    await page.getByRole('button', { name: 'Training', exact: true }).click();
    await page.getByRole('button', { name: 'Streak', exact: true }).click();
    await row.filter({ hasText: '2' }).waitFor();
    await waitForBoard(page);
    await solveLonger(page, server);
    await panel(page).getByRole('heading', { name: 'The streak ends: 2 puzzles in a row.' }).waitFor();
    await panel(page).getByText('A new best!').waitFor();
    const { bestStreak, log } = await stored(page);
    assert.deepEqual([bestStreak, log.map(({ source, outcome }) => `${source} ${outcome}`)], [2, ['streak solved', 'streak solved', 'streak longer']]);
    await page.getByRole('button', { name: 'New streak' }).click();
    await row.filter({ hasText: '0' }).waitFor();
  });
});

test('mistakes come back when they are due, and later after each success', async () => {
  await onPage('#play&as=training-due', { stored: { training: logOf({ outcome: 'longer', at: Date.now() - 2 * DAY }, { outcome: 'skipped', at: Date.now() - 2 * DAY }, { outcome: 'gave-up', at: Date.now() }) } }, async (page, server) => {
    await waitForBoard(page);
    await page.getByRole('button', { name: 'Mistakes 2' }).waitFor();
    await panel(page).getByText('2 puzzles are due. One more comes later.').waitFor();
    const line = await lineOf(page);
    await solveHere(page, server);
    await panel(page).locator('.result').getByText(/It comes back on/).waitFor();
    await page.getByRole('button', { name: 'Mistakes 1' }).waitFor();
    await page.getByRole('button', { name: 'Next puzzle' }).click();
    await waitForOther(page, line);
    await solveHere(page, server);
    await panel(page).getByText(/Nothing is due\. The next one is due on/).waitFor();
    await page.getByRole('button', { name: 'Go on training' }).click();
    await page.waitForFunction(() => location.hash.endsWith('as=training'));
    const { log } = await stored(page);
    assert.deepEqual(log.map(({ source }) => source), ['training', 'training', 'training', 'again', 'again']);
    await page.getByRole('button', { name: 'Mistakes', exact: true }).click();
    await panel(page).locator('.play-message').getByText('Nothing is due.').waitFor();
    await page.evaluate(() => {
      const training = JSON.parse(localStorage.getItem('ricochet.training') ?? '{}');
      for (const entry of training.log) entry.at -= 9 * 86_400_000;
      localStorage.setItem('ricochet.training', JSON.stringify(training));
    });
    await page.goto(page.url().replace(/#.*/, '#home'));
    await page.reload();
    await page.getByRole('link', { name: 'Training: 3 due' }).click();
    await waitForBoard(page);
  });
});

test('puzzles can be saved anywhere in play, played again and removed', async () => {
  const line = '1A4B3B2B.1fc1f0c0.B9c';
  await onPage(`#play=${line}`, {}, async (page, server) => {
    await waitForBoard(page);
    const save = panel(page).locator('.task').getByRole('button', { name: 'Save' });
    await save.click();
    await waitForAnnouncement(page, /^Saved/);
    const { saved } = await stored(page);
    const rated = await askServer(server, 'rate', { puzzle: line });
    assert.deepEqual([saved[0].line, saved[0].rating, saved[0].themes], [line, rated.rating, rated.themes]);
    await page.reload();
    await waitForBoard(page);
    assert.equal(await panel(page).locator('.task').getByRole('button', { name: 'Saved' }).getAttribute('aria-pressed'), 'true');
    await page.getByRole('button', { name: 'Training', exact: true }).click();
    await page.getByRole('button', { name: 'Saved 1' }).click();
    await page.waitForFunction((it) => location.hash.includes(it), line);
    await waitForBoard(page);
    await panel(page).getByText('One saved puzzle.').waitFor();
    const dialog = await openRecords(page);
    await dialog.getByRole('tab', { name: 'Saved' }).click();
    await dialog.getByRole('button', { name: /^Remove/ }).click();
    await dialog.getByText('No puzzle is saved yet.').waitFor();
    await page.keyboard.press('Escape');
    await panel(page).getByText('No puzzle is saved yet.').waitFor();
  });
});

test('history with filters, progress by theme, and playing a puzzle again', async () => {
  const themes = /** @type {const} */ (['chain']);
  const log = logOf({ outcome: 'solved', rating: 900 }, { outcome: 'longer', rating: 1600, themes: [...themes] }, { outcome: 'solved', rating: 1700, themes: [...themes], at: Date.now() - 40 * DAY }, { outcome: 'helped', rating: 2600, source: 'streak' });
  await onPage('#play&as=training', { stored: { training: log } }, async (page) => {
    await waitForBoard(page);
    const dialog = await openRecords(page);
    const rows = dialog.locator('.attempts li');
    await dialog.getByText('4 attempts, 2 solved.').waitFor();
    await choose(dialog, 'Result', 'Mistakes');
    assert.equal(await rows.count(), 2);
    await choose(dialog, 'Result', 'All');
    await dialog.getByText('More filters', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Theme' }).selectOption('chain');
    assert.equal(await rows.count(), 2);
    await choose(dialog, 'Rating', '1500 to 2000');
    await choose(dialog, 'Date', 'Last 30 days');
    assert.equal(await rows.count(), 1);
    await rows.getByText('more moves than needed').waitFor();
    await choose(dialog, 'Rating', 'Over 2500');
    await dialog.getByText('No attempt fits.').waitFor();
    await dialog.getByRole('tab', { name: 'Themes' }).click();
    assert.match((await dialog.locator('.progress tr', { hasText: 'Chain' }).textContent()) ?? '', /1\/2.*50%/);
    await dialog.getByRole('tab', { name: 'History' }).click();
    await choose(dialog, 'Rating', 'All ratings');
    await rows.first().getByRole('button', { name: /Play again/ }).click();
    await page.waitForFunction(() => location.hash.includes('as=training-again'));
    assert.equal(await lineOf(page), log.log.find(({ rating }) => rating === 1600)?.line);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await openRecords(page);
    await dialog.getByRole('tab', { name: 'Themes' }).click();
    await dialog.getByRole('button', { name: 'Chain: train' }).click();
    await page.waitForFunction(() => /#play=.+as=training$/.test(location.hash));
    assert.ok(PUZZLES.get(await lineOf(page))?.themes.includes('chain'));
  });
});

test('a file takes everything to another device, where it is merged; bad files say why', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ricochet-training-'));
  const file = path.join(folder, 'training.json');
  await onPage('#play&as=training', { stored: { training: { ...logOf({}, { outcome: 'longer' }), bestStreak: 5 }, days: { '2026-11-01': { moves: 5, stars: 3, ms: 1000, hints: 0 } } } }, async (page) => {
    await waitForBoard(page);
    const dialog = await openRecords(page);
    await dialog.getByRole('tab', { name: 'File' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export to a file' }).click()]);
    assert.match(download.suggestedFilename(), /^ricochet-training-\d{4}-\d\d-\d\d\.json$/);
    await download.saveAs(file);
  });
  await onPage('#play&as=training', { stored: { training: logOf({ line: 'x', at: Date.now() - 3 * DAY, themes: [] }) } }, async (page) => {
    await waitForBoard(page);
    const dialog = await openRecords(page);
    await dialog.getByRole('tab', { name: 'File' }).click();
    const input = dialog.locator('input[type=file]');
    const before = JSON.stringify(await stored(page));
    const whole = fs.readFileSync(file, 'utf8');
    for (const [text, message] of [[whole.slice(0, 200), 'is not JSON, or not whole'], ['{"a": 1}', 'This is not a file of the training.'], [whole.replace('"longer"', '"won"'), 'The file is damaged at log[1].outcome. Nothing was imported.'], [whole.replace('"version":1', '"version":9'), 'The file is of version 9']]) {
      await input.setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from(text) });
      await dialog.getByText(message).waitFor();
      assert.equal(JSON.stringify(await stored(page)), before);
    }
    await input.setInputFiles(file);
    await dialog.getByText('Imported: 2 new attempts, 0 already here, 0 new saved puzzles.').waitFor();
    await input.setInputFiles(file);
    await dialog.getByText('Imported: 0 new attempts, 2 already here').waitFor();
    const { log, bestStreak } = await stored(page);
    assert.deepEqual([log.length, log[0].line, bestStreak], [3, 'x', 5]);
    assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('ricochet.days') ?? '{}')['2026-11-01'].moves), 5);
    await dialog.getByRole('tab', { name: 'History' }).click();
    await dialog.getByText('3 attempts, 2 solved.').waitFor();
    await dialog.getByRole('tab', { name: 'File' }).click();
    await dialog.getByRole('button', { name: 'Delete my training' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    assert.equal((await stored(page)).log.length, 3);
    await dialog.getByRole('button', { name: 'Delete my training' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete my training' }).click();
    await dialog.getByText('Your training was deleted.').waitFor();
    assert.equal(await stored(page), null);
  });
  fs.rmSync(folder, { recursive: true });
});

test('the storm ends with the puzzles that were missed, to play them again', async () => {
  await onPage('#play&as=storm', {}, async (page, server) => {
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForFunction(() => /#play=.+&as=storm$/.test(location.hash));
    const missed = await lineOf(page);
    await page.keyboard.press('n');
    await waitForOther(page, missed);
    const solved = await lineOf(page);
    await solveHere(page, server);
    await waitForOther(page, solved);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Play the 2 you missed' }).click();
    await page.waitForFunction(() => location.hash.includes('as=training-again'));
    assert.equal(await lineOf(page), missed.replace(/\.n[^.]*/, ''));
    await panel(page).getByText('One puzzle left after this one.').waitFor();
    await solveHere(page, server);
    await page.getByRole('button', { name: 'Next puzzle' }).click();
    await waitForOther(page, missed.replace(/\.n[^.]*/, ''));
    await solveHere(page, server);
    await page.getByRole('button', { name: 'Go on training' }).click();
    await page.waitForFunction(() => location.hash.endsWith('as=training'));
  });
});

test('training by length is gone, and its old addresses lead to training', async () => {
  await onPage('#play&as=training-5', {}, async (page) => {
    await waitForBoard(page);
    assert.match(await hashOf(page), /as=training$/);
    assert.deepEqual(await movesOf(page), []);
  });
});

test('no room to keep anything: training works and says so', async () => {
  await onPage('#play&as=training', {}, async (page, server) => {
    await waitForBoard(page);
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await solveHere(page, server);
    await waitForAnnouncement(page, /no room to keep your training/);
    await panel(page).locator('.result .rating-change').waitFor();
  });
});

test('a log of thousands of attempts is no burden', async () => {
  const all = [...PUZZLES.values()];
  const log = Array.from({ length: 5000 }, (_, i) => ({ ...all[i % 1000], at: Date.now() - 6000 * 60_000 + i * 60_000, source: 'training', outcome: i % 3 ? 'solved' : 'longer', moves: 5, ms: 60_000, hints: 0 }));
  await onPage('#play&as=training', { stored: { training: { version: 1, ...newTraining(), log } } }, async (page, server) => {
    await waitForBoard(page);
    await solveHere(page, server);
    await panel(page).locator('.result .rating-change').waitFor();
    assert.equal((await stored(page)).log.length, 5000, 'the oldest went');
    const dialog = await openRecords(page);
    assert.equal(await dialog.locator('.attempts li').count(), 50);
    await dialog.getByRole('button', { name: 'Show more' }).click();
    assert.equal(await dialog.locator('.attempts li').count(), 100);
  });
});

for (const [theme, language, size] of /** @type {const} */ ([['light', 'en', 'desktop'], ['dark', 'de', 'phone'], ['contrast', 'en', 'phone']])) {
  test(`axe and width: every view of training, ${theme}, ${language}, ${size}`, async () => {
    const training = { ...logOf({ outcome: 'longer', at: Date.now() - 2 * DAY }, {}, {}, {}, {}, {}), saved: [{ ...[...PUZZLES.values()][9], at: 1 }] };
    for (const part of ['', '-streak', '-due', '-saved']) {
      await onPage(`#play&as=training${part}`, { size, settings: { theme, language }, stored: { training } }, async (page, server) => {
        await waitForBoard(page);
        const check = async (/** @type {string} */ what) => {
          assert.deepEqual(await seriousViolations(page), [], what);
          const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(wide <= room, `${what}: ${wide} pixels do not fit into ${room}`);
        };
        await page.waitForTimeout(200);
        await check(part);
        if (part === '') {
          await page.getByRole('button', { name: /History and progress|Verlauf und Fortschritt/ }).click();
          for (const tab of await page.getByRole('tab').all()) {
            await tab.click();
            await check(`${part} ${await tab.textContent()}`);
            const [wide, room] = await page.evaluate(() => [document.querySelector('dialog')?.scrollWidth ?? 0, document.querySelector('dialog')?.clientWidth ?? 0]);
            assert.ok(wide <= room, `dialog: ${wide} pixels do not fit into ${room}`);
          }
          await page.keyboard.press('Escape');
        }
        await solveHere(page, server);
        await page.waitForTimeout(200);
        await check(`${part} solved`);
      });
    }
  });
}
