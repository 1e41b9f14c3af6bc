// What can be played: the daily puzzle, the full game, the storm. Training has tests of its own.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { bonusFor, lengthsFor } from '../../public/play/storm.js';
import { extendStreak, shiftDate, streakNow, today } from '../../public/play/records.js';
import { assertInSight, hashOf, waitForAnnouncement, lineOf, movesOf, playKeys, waitForBoard, useBrowser } from '../tools/browser.mjs';
import { askServer, needsServer } from '../tools/server.mjs';

/** @import {Page} from 'playwright-core' */
/** @import {Server} from '../tools/server.mjs' */

const { onPage } = useBrowser();

/** Solves the puzzle of the address. @param {Page} page @param {Server} server */
async function solveHere(page, server) {
  const { moves } = await askServer(server, 'solve', { puzzle: await lineOf(page) });
  await playKeys(page, moves);
  return moves;
}

test('a streak grows by the day itself only, and ends', () => {
  const none = { last: '', days: 0, longest: 0 };
  const first = extendStreak(none, '2026-02-28', '2026-02-28');
  const second = extendStreak(first, '2026-03-01', '2026-03-01');
  assert.deepEqual(second, { last: '2026-03-01', days: 2, longest: 2 });
  assert.deepEqual(extendStreak(second, '2026-03-01', '2026-03-01'), second, 'a day counts once');
  assert.deepEqual(extendStreak(second, '2026-02-27', '2026-03-02'), second, 'old days do not count');
  assert.equal(extendStreak(second, '2026-03-03', '2026-03-03').days, 1);
  assert.deepEqual(['2026-03-01', '2026-03-02', '2026-03-03'].map((now) => streakNow(second, now)), [2, 2, 0]);
  assert.equal(shiftDate('2024-03-01', -1), '2024-02-29');
});

test('the storm gets harder, and rows give seconds', () => {
  assert.deepEqual([0, 3, 4, 9, 40].map(lengthsFor), [[2, 3], [2, 3], [3, 4], [4, 5], [6, 8]]);
  assert.deepEqual([1, 3, 4, 6, 9, 12, 15, 16].map(bonusFor), [0, 3, 0, 5, 7, 10, 10, 0]);
});

test('the daily puzzle: the same by date, a result to share, a streak', async () => {
  await onPage('#play&as=daily', { stored: { streak: { last: shiftDate(today(), -1), days: 4, longest: 6 } } }, async (page, server) => {
    await waitForBoard(page);
    const { puzzle } = await askServer(server, 'daily', { date: today() });
    assert.equal(await lineOf(page), puzzle.line.replace(/\.o\d+/, ''));
    assert.match(await hashOf(page), new RegExp(`as=daily-${today()}`));
    await page.locator('#panel').getByText('Streak: 4 days. Longest: 6 days.').waitFor();
    const moves = await solveHere(page, server);
    await page.locator('#panel').getByText('Streak: 5 days. Longest: 6 days.').waitFor();
    await page.locator('.result').getByRole('img', { name: '3 of 3 stars' }).waitFor();
    await page.getByRole('button', { name: 'Share result' }).click();
    await waitForAnnouncement(page, /Copied/);
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, new RegExp(`^Ricochet Robots · No\\. \\d+, .*\n★★★ · 0:\\d\\d · no hints\nhttp.*(#play&as=daily-|/daily/)${today()}$`));
    assert.doesNotMatch(text, new RegExp(`${moves.length} moves|${moves[0]}`), 'it gives nothing away');
    await page.locator('#panel').getByRole('button', { name: 'Previous day' }).click();
    await page.waitForFunction((date) => location.hash.includes(date), shiftDate(today(), -1));
    await page.reload();
    await waitForBoard(page);
    assert.match(await hashOf(page), new RegExp(shiftDate(today(), -1)));
  });
});

test('a full game: robots stay, it survives a reload, and a new one asks first', async () => {
  await onPage('#play&as=game', {}, async (page, server) => {
    await waitForBoard(page);
    await page.locator('#panel').getByText('Target 1 of 17').waitFor();
    await page.keyboard.press('n');
    await waitForAnnouncement(page, /Bring the robot to the target first/);
    const first = await lineOf(page);
    await solveHere(page, server);
    const robots = await page.evaluate(() => [...document.querySelectorAll('.robot')].map((one) => one.getAttribute('transform')));
    await page.locator('#panel').getByRole('button', { name: 'Next target' }).first().click();
    await page.locator('#panel').getByText('Target 2 of 17').waitFor();
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.robot')].map((one) => one.getAttribute('transform'))), robots);
    const second = await lineOf(page);
    assert.equal(second.split('.')[0], first.split('.')[0], 'the same board');
    assert.notEqual(second, first);
    const { moves } = await askServer(server, 'solve', { puzzle: second });
    await playKeys(page, moves.slice(0, 1));
    await page.reload();
    await waitForBoard(page);
    await page.locator('#panel').getByText('Target 2 of 17').waitFor();
    assert.deepEqual(await movesOf(page), moves.slice(0, 1));
    await page.goto(new URL('#play&as=game', page.url()).href);
    await page.waitForFunction(() => location.hash.includes('moves='));
    assert.equal(await lineOf(page), second, 'the game is kept without its address, too');
    await page.getByRole('button', { name: 'New game' }).click();
    await page.getByText('Your game is at target 2 of 17.').waitFor();
    await page.getByRole('button', { name: 'Keep this game' }).click();
    assert.equal(await lineOf(page), second);
    await page.getByRole('button', { name: 'New game' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New game' }).click();
    await page.locator('#panel').getByText('Target 1 of 17').waitFor();
  });
});

test('a full game to its end', async () => {
  await onPage('#play&as=game', {}, async (page, server) => {
    for (let target = 1; target <= 17; target += 1) {
      await page.locator('#panel').getByText(`Target ${target} of 17`).waitFor();
      await waitForBoard(page);
      if (target === 3) {
        await page.keyboard.press('s');
        await page.getByRole('button', { name: 'Show the solution' }).click();
        await page.locator('#panel').getByText(/A shortest solution/).waitFor();
      } else {
        await solveHere(page, server);
        await page.locator('#panel').getByText(/There is no shorter solution/).waitFor();
      }
      await page.keyboard.press('n');
    }
    await page.locator('#panel').getByText(/The game is over: 16 of 17 targets/).waitFor();
    await page.locator('#panel').getByText(/16 of them were solved in the fewest moves/).waitFor();
  });
});

test('a storm: start, solve, skip, leave only when asked, and the end', async () => {
  await onPage('#play&as=storm', {}, async (page, server) => {
    await page.getByText('Solve as many puzzles as you can in three minutes.').waitFor();
    await page.clock.install();
    await page.getByRole('button', { name: 'Start' }).click();
    const scored = (/** @type {number} */ n) => page.locator('#panel .headline dd').nth(1).filter({ hasText: String(n) }).waitFor();
    await scored(0);
    for (let n = 1; n <= 3; n += 1) {
      await page.waitForFunction(() => /#play=.+&as=storm$/.test(location.hash));
      const before = await lineOf(page);
      await solveHere(page, server);
      await page.waitForFunction((line) => !location.hash.includes(line), before);
      await scored(n);
    }
    await waitForAnnouncement(page, /Plus 3 seconds/);
    const skipped = await lineOf(page);
    await page.keyboard.press('n');
    await page.waitForFunction((line) => !location.hash.includes(line), skipped);
    await page.clock.runFor(100);
    await waitForAnnouncement(page, /Minus 10 seconds/);
    await page.getByRole('link', { name: 'Analyse' }).click();
    await page.getByText('The storm is still running. Leaving ends it.').waitFor();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await scored(3);
    await page.clock.runFor(180_000);
    await page.locator('#panel').getByText('Time is up: 3 puzzles solved.').waitFor();
    await page.locator('#panel').getByText('A new record!').waitFor();
    assert.equal(await page.locator('#panel a.button').count(), 5);
  });
});

test('nothing is shared unless the player says yes; then attempts and results are, without a name', needsServer, async () => {
  await onPage('#play&as=daily', {}, async (page, server) => {
    /** @type {{name: string, body: any}[]} */
    const sent = [];
    await page.route(/api\/v1\/(attempts|results)$/, async (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
      sent.push({ name, body: route.request().postDataJSON() });
      await route.fulfill({ status: 201, json: { id: 1, day: { date: today(), players: 3, lengths: [{ length: 5, players: 1 }, { length: 7, players: 2 }] } } });
    });
    await waitForBoard(page);
    await solveHere(page, server);
    await page.locator('.result').waitFor();
    assert.equal(sent.length, 0);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Let the server store my attempts').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('0');
    const moves = await solveHere(page, server);
    await page.locator('#panel').getByText('3 players so far').waitFor();
    assert.deepEqual(await page.locator('.distribution li').allTextContents(), ['5 moves1', '7 moves2']);
    // The puzzle is known by now: only the result of the day is shared.
    assert.deepEqual(sent.map((one) => one.name), ['results']);
    const { body } = sent[0];
    assert.deepEqual([body.moves, body.hints], [moves, 0]);
    assert.match(`${body.date} ${body.player}`, new RegExp(`^${today()} [0-9a-f]{32}$`));
  });
});

test('the first attempt at a puzzle is shared once: solved, given up, left, or seen in the analysis', needsServer, async () => {
  await onPage('#play=8x8..0034.R77', { settings: { share: true } }, async (page) => {
    /** @type {any[]} */
    const sent = [];
    await page.route(/api\/v1\/attempts$/, async (route) => {
      sent.push(route.request().postDataJSON());
      await route.fulfill({ status: 201, json: { id: 1, solved: true } });
    });
    /** @param {string} puzzle */
    const open = async (puzzle) => {
      await page.evaluate((hash) => { location.hash = hash; }, `#play=${puzzle}`);
      await page.waitForFunction((hash) => location.hash.startsWith(hash), `#play=${puzzle}`);
      await waitForBoard(page);
      await page.keyboard.press('0');
    };
    /** @param {number} count */
    const received = async (count) => {
      for (let i = 0; i < 100 && sent.length < count; i += 1) await page.waitForTimeout(50);
      assert.equal(sent.length, count);
      const { consent, puzzle, moves, hints } = sent[count - 1];
      assert.equal(consent, true);
      return [puzzle, moves.join(' '), hints];
    };
    await waitForBoard(page);
    // More moves than necessary, and then fewer: the first solution counts.
    await playKeys(page, ['RE', 'RW', 'RE', 'RS']);
    assert.deepEqual(await received(1), ['8x8..0034.R77', 'RE RW RE RS', 0]);
    await page.keyboard.press('0');
    await playKeys(page, ['RE', 'RS']);
    await page.locator('.result').waitFor();

    await open('8x8..0044.R77');
    await playKeys(page, ['RE']);
    await page.keyboard.press('s');
    await page.locator('dialog').getByRole('button', { name: 'Show the solution' }).click();
    assert.deepEqual(await received(2), ['8x8..0044.R77', 'RE', 0]);

    await open('8x8..0045.R77');
    await page.keyboard.press('h');
    await page.locator('.play-message').getByText('Hint:').waitFor();
    await page.keyboard.press('n');
    assert.deepEqual(await received(3), ['8x8..0045.R77', '', 1]);

    await open('8x8..0035.R77');
    await playKeys(page, ['RE']);
    await page.getByRole('link', { name: 'Analyse' }).click();
    await page.locator('.moves-table').waitFor();
    assert.deepEqual(await received(4), ['8x8..0035.R77', '', 0]);
    await open('8x8..0035.R77');
    await playKeys(page, ['RE', 'RS']);
    await page.locator('.result').waitFor();

    // Analysed before it was tried: no attempt at all.
    await page.evaluate(() => { location.hash = '#analyse=8x8..0036.R77'; });
    await page.locator('.moves-table').waitFor();
    await open('8x8..0036.R77');
    await playKeys(page, ['RE', 'RS']);
    await page.locator('.result').waitFor();
    assert.equal(sent.length, 4);
  });
});

/** Equal puzzles are kept as equal texts: without a name. @param {string} line */
const nameless = (line) => line.replace(/\.n[^.]*$/, '');

/** Every attempt that the server keeps. @param {{url: string}} server */
async function attemptsOf(server) {
  const text = await (await fetch(`${server.url}/api/v1/attempts`)).text();
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

test('the server keeps what is shared: the result of the day counts once, attempts can be exported', needsServer, async () => {
  const settings = { share: true };
  await onPage('#play&as=daily', { settings }, async (page, server) => {
    const before = await attemptsOf(server);
    const { players } = await (await fetch(`${server.url}/api/v1/results/${today()}`)).json();
    await waitForBoard(page);
    const moves = await solveHere(page, server);
    await page.locator('#panel').getByText(new RegExp(`(One player|${players + 1} players) so far`)).waitFor();
    await page.locator('.distribution [data-mine="yes"]').first().getByText(`${moves.length} moves`).waitFor();
    // The same player again: still one player of this day.
    await page.keyboard.press('0');
    await solveHere(page, server);
    await page.waitForFunction(async (wanted) => (await (await fetch('api/v1/attempts')).text()).trim().split('\n').length === wanted, before.length + 1);
    const day = await (await fetch(`${server.url}/api/v1/results/${today()}`)).json();
    assert.equal(day.players, players + 1);
    const kept = (await attemptsOf(server)).at(-1);
    assert.deepEqual([kept.puzzle, kept.moves, kept.solved, kept.hints], [nameless(await lineOf(page)), moves.join(' '), true, 0]);
    assert.deepEqual(Object.keys(kept).sort(), ['day', 'hints', 'moves', 'ms', 'puzzle', 'solved'], 'no name');
  });
});

test('hard puzzles are those that the engine rates so', async () => {
  await onPage('#play', { stored: { wishes: { difficulty: 'hard' } } }, async (page, server) => {
    await waitForBoard(page);
    const rated = await askServer(server, 'rate', { puzzle: await lineOf(page) });
    assert.equal(rated.difficulty, 'hard');
  });
});


test('the address of the daily puzzle never holds its solution; a reload keeps the moves', async () => {
  await onPage('#play&as=daily', {}, async (page, server) => {
    await waitForBoard(page);
    const moves = await solveHere(page, server);
    await page.locator('.result').waitFor();
    assert.deepEqual(await movesOf(page), []);
    await page.reload();
    await waitForBoard(page);
    await page.locator('.result').waitFor();
    assert.equal(await page.locator('.trail').count(), moves.length);
  });
});

test('the analysis of today’s puzzle opens after solving or giving up', async () => {
  await onPage('#play&as=daily', { stored: { streak: { last: shiftDate(today(), -1), days: 4, longest: 6 } } }, async (page) => {
    await waitForBoard(page);
    await page.getByRole('link', { name: 'Analyse' }).click();
    await page.getByRole('button', { name: 'Keep playing' }).click();
    await page.waitForFunction(() => location.hash.startsWith('#play'));
    await waitForBoard(page);
    assert.equal(await page.locator('.moves-table').count(), 0);
    await page.getByRole('link', { name: 'Analyse' }).click();
    await page.getByRole('button', { name: 'Give up and look' }).click();
    await page.locator('.moves-table').waitFor();
    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await page.locator('#panel').getByText('You gave this one up. A new puzzle comes tomorrow.').waitFor();
    assert.equal(await page.locator('#panel').getByText('to start a streak').count(), 0);
  });
});

test('Watch and Edit give today’s puzzle away no sooner than the analysis does', async () => {
  for (const [mode, told] of [['Watch', '.watch-place'], ['Edit', '.verdict']]) {
    await onPage('#play&as=daily', {}, async (page, server) => {
      await waitForBoard(page);
      const line = await lineOf(page);
      await page.getByRole('link', { name: mode, exact: true }).click();
      await page.getByRole('button', { name: 'Keep playing' }).click();
      await page.waitForFunction(() => location.hash.startsWith('#play'));
      assert.equal(await page.locator(told).count(), 0);
      await page.getByRole('link', { name: mode, exact: true }).click();
      await page.getByRole('button', { name: 'Give up and look' }).click();
      await page.locator(told).waitFor();
      await page.getByRole('link', { name: 'Play', exact: true }).click();
      await page.locator('#panel').getByText('You gave this one up. A new puzzle comes tomorrow.').waitFor();
      const { moves } = await askServer(server, 'solve', { puzzle: line });
      await playKeys(page, moves);
      assert.deepEqual(await page.evaluate(() => [localStorage.getItem('ricochet.streak'), JSON.parse(localStorage.getItem('ricochet.days') ?? '{}')[new Date().toISOString().slice(0, 10)].moves]), [null, null]);
    });
  }
});

test('the editor does not say how many moves today’s puzzle takes, however it came there', async () => {
  await onPage('#play&as=daily', {}, async (page) => {
    await waitForBoard(page);
    const line = await lineOf(page);
    await page.evaluate(() => { location.hash = '#edit'; });
    await page.locator('.verdict').getByText(/Solvable/).waitFor();
    await page.getByText('Import a puzzle', { exact: true }).click();
    await page.locator('textarea').first().fill(line);
    await page.getByRole('button', { name: 'Read' }).click();
    await page.locator('.verdict').getByText('A puzzle: today’s.').waitFor();
  });
});

test('a day that was solved after its analysis says so: no stars, no best day, no shared result', async () => {
  const date = shiftDate(today(), -2);
  await onPage(`#play&as=daily-${date}`, { stored: { settings: { language: 'en', share: true } } }, async (page, server) => {
    /** @type {string[]} */
    const sent = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await waitForBoard(page);
    await page.getByRole('link', { name: 'Analyse' }).click();
    await page.locator('.moves-table').waitFor();
    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await waitForBoard(page);
    sent.length = 0;
    const { moves } = await askServer(server, 'solve', { puzzle: await lineOf(page) });
    await playKeys(page, moves);
    await page.locator('.result').getByText('with analysis').waitFor();
    assert.equal(await page.locator('.result .stars').count(), 0);
    const kept = await page.evaluate((day) => JSON.parse(localStorage.getItem('ricochet.days') ?? '{}')[day], date);
    assert.deepEqual([kept.moves, kept.stars, kept.analysed], [moves.length, null, true]);
    assert.deepEqual(sent.filter((url) => /attempts|results/.test(url)), []);
    await page.getByRole('link', { name: 'Today' }).click();
    assert.equal(await page.locator(`.day[href$="${date}"]`).getAttribute('data-state'), 'solved');
  });
});

test('analysing after a first solution: a better one no longer counts', async () => {
  await onPage('#play=8x8..0034.R77&moves=RS-RE', {}, async (page) => {
    await page.locator('.result').waitFor();
    await page.keyboard.press('0');
    await playKeys(page, ['GN', 'RS', 'RE']);
    await page.evaluate(() => localStorage.setItem('ricochet.attempts', JSON.stringify([['8x8..0034.R77', { best: 3, ms: 9, hints: 0, gaveUp: false }]])));
    await page.evaluate(() => { location.hash = '#watch=8x8..0034.R77'; });
    await page.locator('.watch-place').waitFor();
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('ricochet.attempts') ?? '[]')[0][1].revealed === true);
  });
});

for (const timezone of ['Pacific/Kiritimati', 'Pacific/Honolulu']) {
  test(`there is one day for everybody, whose puzzle the document holds: ${timezone}`, async () => {
    await onPage('', { timezone }, async (page, server) => {
      /** @type {string[]} */
      const asked = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.reload();
      await waitForBoard(page);
      assert.deepEqual(asked.filter((url) => url.includes('/daily')), []);
      assert.match((await page.locator('.today .button.primary').getAttribute('href')) ?? '', new RegExp(today()));
      const left = (await page.locator('.countdown').textContent()) ?? '';
      const hours = left.split(':').length === 3 ? Number(left.split(':')[0]) : 0;
      assert.equal(hours, 23 - new Date().getUTCHours());
      await page.getByText('midnight UTC, 14:00 here').waitFor();
      // The day, its puzzle and its robots are the server's, whatever the visitor's clock says.
      const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date());
      await page.getByRole('heading', { name: day.replace(',', '') }).waitFor();
      const { puzzle } = await askServer(server, 'daily', { date: today() });
      await page.waitForFunction(() => document.querySelectorAll('#board [data-cell][aria-label*=" robot"]').length > 1);
      const robots = await page.locator('#board [data-cell][aria-label*=" robot"]').evaluateAll((cells) => cells.filter((cell) => /^\w+ robot,/.test(cell.getAttribute('aria-label') ?? '')).map((cell) => cell.getAttribute('data-cell')));
      assert.deepEqual(robots.sort(), puzzle.robots.map(String).sort());
      await page.locator('.today .button.primary').click();
      await page.waitForFunction((date) => location.hash.includes(`as=daily-${date}`), today());
    });
  });
}

test('a storm that was stopped does not claim that the time is up', async () => {
  await onPage('#play&as=storm', {}, async (page) => {
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('#panel').getByText('Stopped: 0 puzzles solved.').waitFor();
  });
});

test('below the board of the daily puzzle nothing leads to another day', async () => {
  await onPage('#play&as=daily', { size: 'phone' }, async (page) => {
    await waitForBoard(page);
    assert.deepEqual(await page.locator('.under button:visible').allTextContents(), ['Undo', 'Redo', 'Reset', 'Hint', 'Solution']);
  });
});

test('home: today’s puzzle, its result afterwards, and the days before', async () => {
  const days = { [shiftDate(today(), -1)]: { moves: 6, stars: 3, ms: 61_000, hints: 0 } };
  await onPage('', { stored: { days, streak: { last: shiftDate(today(), -1), days: 4, longest: 6 } } }, async (page, server) => {
    await waitForBoard(page);
    await page.getByText('Streak 4, longest 6').waitFor();
    await page.locator('.today').getByRole('link', { name: 'Play', exact: true }).waitFor();
    assert.match((await page.locator('.countdown').textContent()) ?? '', /^(\d+:)?\d+:\d\d$/);
    const { puzzle } = await askServer(server, 'daily', { date: today() });
    const { moves } = await askServer(server, 'solve', { puzzle: puzzle.line });
    await playKeys(page, moves.slice(0, 1));
    await page.waitForFunction(() => location.hash.includes('as=daily-'));
    await page.waitForFunction(() => document.querySelectorAll('.trail').length === 1);
    await playKeys(page, moves.slice(1));
    await page.locator('.result .stars').waitFor();
    await page.getByRole('link', { name: 'Today' }).click();
    await page.locator('.today').getByRole('img', { name: '3 of 3 stars' }).waitFor();
    await page.getByText('Streak 5, longest 6').waitFor();
    assert.equal(await page.locator('.day[data-state="best"]').count(), 2);
    assert.equal(await page.locator('.day[aria-current="date"]').getAttribute('data-state'), 'best');
  });
});

test('the solved moment on a phone: the path, how others did and the next step are in sight, and the path shines', needsServer, async () => {
  await onPage('#play&as=daily', { size: 'phone' }, async (page, server) => {
    await page.route(/api\/v1\/results\//, (route) => route.fulfill({ json: { date: today(), players: 5, lengths: [{ length: 7, players: 4 }, { length: 8, players: 1 }], times: [] } }));
    await waitForBoard(page);
    await solveHere(page, server);
    await page.locator('.distribution li').first().waitFor();
    await assertInSight(page, ['.result .stars', '.result .paths', '.result-next .primary', '.distribution .overline']);
    const covers = async (/** @type {string} */ part) => {
      const [box, next] = [await page.locator(part).boundingBox(), await page.locator('.result-next').boundingBox()];
      return !box || !next || box.y + box.height > next.y + 1;
    };
    assert.equal(await covers('.result .paths'), false, 'the path is above the next step');
    assert.equal(await covers('.distribution .overline'), false);
    const [cell, casing] = await page.evaluate(() => {
      const line = /** @type {SVGPathElement} */ (document.querySelector('.trail .casing'));
      const scale = line.getScreenCTM()?.a ?? 0;
      return [100 * scale, parseFloat(getComputedStyle(line).strokeWidth) * scale];
    });
    assert.ok(cell < 22 && casing >= 4, `${casing} pixels at cells of ${cell}`);
  });
});

test('a newcomer sees every way to play without scrolling', async () => {
  for (const language of ['en', 'de']) {
    await onPage('', { settings: { language } }, async (page) => {
      await waitForBoard(page);
      await assertInSight(page, ['.places']);
    });
  }
});

test('home shows the ways to everything else, and how the puzzle was solved', async () => {
  await onPage('', { stored: { days: { [shiftDate(today(), -60)]: { moves: 6, stars: 3, ms: 61_000, hints: 0 } } } }, async (page, server) => {
    await waitForBoard(page);
    await assertInSight(page, ['.places']);
    const names = await page.locator('.places a').allTextContents();
    for (const name of ['Random puzzle', 'Training', 'Storm', 'Rooms']) assert.ok(names.includes(name), name);
    for (let turns = 0; turns < 2; turns += 1) await page.getByRole('button', { name: 'Earlier days' }).click();
    assert.equal(await page.locator(`.day[href$="${shiftDate(today(), -60)}"]`).getAttribute('data-state'), 'best');
    assert.equal(await page.getByRole('button', { name: 'Earlier days' }).isDisabled(), true);
    await page.getByRole('link', { name: 'Play', exact: true }).first().click();
    await page.locator('.under .tool').first().waitFor();
    await page.evaluate((date) => { location.hash = `#play&as=daily-${date}`; }, today());
    await page.waitForFunction(() => /#play=/.test(location.hash));
    const moves = await solveHere(page, server);
    await page.locator('.result .stars').waitFor();
    await page.getByRole('link', { name: 'Today' }).click();
    await page.locator('.today .stars').waitFor();
    await page.waitForFunction((n) => document.querySelectorAll('.trail').length === n, moves.length);
  });
});

test('a picture of the result can be saved', async () => {
  await onPage('#play=8x8..0034.R77&moves=RE-RS', {}, async (page) => {
    await waitForBoard(page);
    await page.locator('.result .stars').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Picture' }).click()]);
    const file = fs.readFileSync(await download.path());
    assert.equal(file.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual([file.readUInt32BE(16), file.readUInt32BE(20)], [1080, 1350]);
  });
});
