// Around the table: the page as referee. The rules themselves are compared with the Rust state machine
// in referee.test.mjs; here they are seen and used on the page.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { ARROW } from './tools/browser.mjs';
import { heard, usePlayers } from './tools/players.mjs';
import { askServer } from './tools/server.mjs';

/** @import {Page} from 'playwright-core' */

const players = usePlayers();
afterEach(() => players.goHome());

const WISHES = { names: ['Ada', 'Ben', 'Cleo'], board: 'own', layout: '1A4B3B2B', sand: 60, show: 60 };

/** A game that has begun. @param {object} [wishes] @param {'phone' | 'desktop'} [size] */
async function sitDown(wishes = {}, size = 'desktop') {
  const page = await players.come('about:blank', { size, stored: { 'table-wishes': { ...WISHES, ...wishes } } });
  await page.clock.install();
  await page.goto(`${players.server.url}/#room&as=table`);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: 'Turn up the next target' }).waitFor();
  return page;
}

/** @param {Page} page */
async function turnUp(page) {
  await page.keyboard.press('n');
  await page.locator('.pad').waitFor();
}

/** Somebody bids, by keys. @param {Page} page @param {string} name @param {number} moves */
async function bid(page, name, moves) {
  await page.getByRole('radio', { name }).check({ force: true });
  await page.keyboard.type(String(moves));
  await page.keyboard.press('Enter');
}

/** What the page keeps. @param {Page} page */
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('ricochet.table') ?? 'null'));

/** A shortest way of the round on the board. @param {Page} page @returns {Promise<string[]>} */
async function shortest(page) {
  const { line } = await askServer(players.server, 'validate', { setup: (await kept(page)).played });
  return (await askServer(players.server, 'solve', { puzzle: line })).moves;
}

/** A target that takes three moves at least, and its way. @param {Page} page @returns {Promise<string[]>} */
async function turnUpLong(page) {
  for (;;) {
    await turnUp(page);
    const way = await shortest(page);
    if (way.length >= 3) return way;
    await page.getByRole('button', { name: 'Skip' }).click();
  }
}

/** @param {Page} page @param {string[]} moves */
async function play(page, moves) {
  for (const move of moves) {
    await page.keyboard.press(move[0].toLowerCase());
    await page.keyboard.press(ARROW[move[1]]);
  }
}

/** @param {Page} page @param {string} name */
const chipsOf = async (page, name) => Number.parseInt((await page.locator('.seat', { hasText: name }).locator('.seat-chips').textContent()) ?? '', 10);

test('by keyboard: the first bid starts the sand, later ones do not; only lower; the lowest shows; a chip is won and robots stay', async () => {
  const page = await sitDown();
  const way = await turnUpLong(page);
  await heard(page, /Round 1\. Move .* to the target at column/);
  const n = way.length;
  await bid(page, 'Ada', n + 3);
  await heard(page, new RegExp(`Ada bids ${n + 3}. The sand is running.`));
  const until = (await kept(page)).kept.state.round.until;
  await page.clock.fastForward(31_000);
  await heard(page, /30 seconds left/);
  await bid(page, 'Ben', n);
  await heard(page, new RegExp(`Ben bids ${n}\\.`));
  assert.equal((await kept(page)).kept.state.round.until, until, 'the sand was not turned again');
  await page.getByRole('radio', { name: 'Ada' }).check({ force: true });
  await page.keyboard.type(String(n + 3));
  await page.keyboard.press('Enter');
  await page.getByText(`Ada has bid ${n + 3}; a new bid has to be lower.`).waitFor();
  await page.keyboard.press('Escape');
  await page.clock.fastForward(30_000);
  await heard(page, new RegExp(`The sand has run out. Ben shows, with at most ${n} moves`));
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Ben' }).waitFor();
  await play(page, way);
  await heard(page, new RegExp(`Ben wins the chip with ${n} moves`));
  assert.equal(await chipsOf(page, 'Ben'), 1);
  const { state } = (await kept(page)).kept;
  assert.notDeepEqual(state.game.robots, (await kept(page)).played.robots, 'the robots stay where they ended');
  await page.getByRole('button', { name: 'What was possible?' }).click();
  await page.getByText(`The shortest way has ${n} moves. 1 of 3 saw it`).waitFor();
  await page.locator('#panel').getByRole('link', { name: 'Analyse' }).waitFor();
});

test('failure hands over to the next bid, robots go back; when all fail the chip goes back into the stack', async () => {
  const page = await sitDown();
  const way = await turnUpLong(page);
  const { robots: start, chips_left: left } = (await kept(page)).kept.state.game;
  await bid(page, 'Ada', 1);
  await bid(page, 'Ben', 2);
  await page.clock.fastForward(60_000);
  await heard(page, /Ada shows/);
  await play(page, way.slice(0, 1));
  await heard(page, /Ada has used up the moves\. .*Ben shows, with at most 2 moves/);
  assert.deepEqual((await kept(page)).kept.state.game.robots, start);
  await page.clock.fastForward(60_000);
  await heard(page, /Ben has run out of time\..* The chip goes back into the stack/);
  await page.getByRole('heading', { name: 'Everybody failed' }).waitFor();
  const { state, stack } = (await kept(page)).kept;
  assert.equal(state.game.chips_left, left + 1);
  assert.notEqual(stack.at(-1), state.ended.target, 'not on top');
});

test('equal bids: fewer chips first, then who bid first', async () => {
  const page = await sitDown({ board: 'none' });
  const winner = async () => {
    await page.clock.fastForward(60_000);
    await page.locator('.seat[data-turn="shows"]').waitFor();
    return (await page.locator('.seat[data-turn="shows"] .seat-name').textContent()) ?? '';
  };
  await turnUp(page);
  await bid(page, 'Ben', 5);
  await bid(page, 'Ada', 5);
  assert.equal(await winner(), 'Ben', 'equal chips: who bid first');
  await page.keyboard.press('m');
  await heard(page, /Ben wins the chip/);
  await turnUp(page);
  await bid(page, 'Ben', 4);
  await bid(page, 'Ada', 4);
  assert.equal(await winner(), 'Ada', 'fewer chips');
});

test('by touch, without a board: tap a name, a number, judge by hand; take back; a reload goes on', async () => {
  const page = await sitDown({ board: 'none', length: 'rounds', rounds: 1 }, 'phone');
  assert.ok(!(await page.locator('#board').isVisible()));
  await page.getByRole('button', { name: 'Turn up the next target' }).tap();
  await page.locator('.pad-name', { hasText: 'Cleo' }).tap();
  await page.getByRole('button', { name: '7', exact: true }).tap();
  await page.getByRole('button', { name: 'Cleo bids 7' }).tap();
  await page.locator('.pad-name', { hasText: 'Ada' }).tap();
  await page.getByRole('button', { name: '6', exact: true }).tap();
  await page.getByRole('button', { name: 'Ada bids 6' }).tap();
  await page.locator('.seat[data-turn="lowest"]', { hasText: 'Ada' }).waitFor();
  await page.reload();
  await page.locator('.seat[data-turn="lowest"]', { hasText: 'Ada' }).waitFor();
  await page.clock.fastForward(61_000);
  await page.getByRole('button', { name: 'Failed' }).tap();
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Cleo' }).waitFor();
  await page.getByRole('button', { name: 'Made it' }).tap();
  await page.getByRole('heading', { name: 'Cleo wins with one chip.' }).waitFor();
  await page.keyboard.press('u');
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Cleo' }).waitFor();
  await page.getByRole('button', { name: 'Made it' }).tap();
  await page.getByRole('button', { name: 'Play again' }).tap();
  await page.getByRole('button', { name: 'Turn up the next target' }).waitFor();
  assert.equal(await chipsOf(page, 'Cleo'), 0);
});

test('a round that nobody bids on is skipped; robots are put as on the table; a chip that was drawn by hand', async () => {
  const page = await sitDown();
  await page.keyboard.press('Tab');
  await page.locator('[data-cell="0,0"]').focus();
  await page.keyboard.press('r');
  await page.locator('[data-cell="0,0"]').focus();
  await page.keyboard.press('Enter');
  await heard(page, /Red: column 0, row 0/);
  assert.deepEqual((await kept(page)).kept.state.game.robots[0], [0, 0]);
  const chip = await page.locator('.drawn option').nth(5).getAttribute('value');
  await page.locator('.drawn select').selectOption(chip);
  await page.getByRole('button', { name: 'Turn up the next target' }).click();
  await page.locator('.pad').waitFor();
  assert.equal((await kept(page)).kept.state.round.target, Number(chip));
  await page.getByRole('button', { name: 'Skip' }).click();
  await page.getByRole('heading', { name: 'Skipped. Nobody gets the chip.' }).waitFor();
  assert.equal((await kept(page)).kept.state.game.chips_left, 16, 'the chip is out of the game');
});

test('on a phone the sand, the board and the bids are in sight together', async () => {
  const page = await sitDown({ names: ['Ada', 'Ben', 'Cleo', 'Dan'] }, 'phone');
  await page.getByRole('button', { name: 'Turn up the next target' }).tap();
  await page.locator('.pad').waitFor();
  for (const part of ['.sand', '#board', '.pad-send']) {
    const box = await page.locator(part).boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 740, `${part}: ${JSON.stringify(box)}`);
  }
});
