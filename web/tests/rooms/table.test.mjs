// Around the table: the page as referee. The rules themselves are compared with the Rust state machine
// in unit/referee.test.mjs; here they are seen and used on the page.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { assertInSight, choose, playKeys as play } from '../tools/browser.mjs';
import { waitForAnnouncement, usePlayers } from '../tools/players.mjs';
import { askServer } from '../tools/server.mjs';

/** @import {Page} from 'playwright-core' */
/** @import {SIZES} from '../tools/browser.mjs' */

const players = usePlayers();
afterEach(() => players.closeAll());

const CHOICES = { names: ['Ada', 'Ben', 'Cleo'], board: 'own', layout: '1A4B3B2B', sand: 60, show: 60 };

/** A game that has begun. @param {object} [choices] @param {keyof typeof SIZES} [size] */
async function startTable(choices = {}, size = 'desktop') {
  const page = await players.openPage('about:blank', { size, stored: { 'table-wishes': { ...CHOICES, ...choices } } });
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

/** A player bids with the keyboard. @param {Page} page @param {string} name @param {number} moves */
async function bid(page, name, moves) {
  await page.getByRole('radio', { name }).check({ force: true });
  await page.keyboard.type(String(moves));
  await page.keyboard.press('Enter');
}

/** What the page has stored. @param {Page} page */
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('ricochet.table') ?? 'null'));

/** A shortest solution of the round on the board. @param {Page} page @returns {Promise<string[]>} */
async function shortest(page) {
  const { line } = await askServer(players.server, 'validate', { setup: (await kept(page)).played });
  return (await askServer(players.server, 'solve', { puzzle: line })).moves;
}

/** Turns up a target that takes at least three moves, and returns a solution. @param {Page} page @returns {Promise<string[]>} */
async function turnUpLong(page) {
  for (;;) {
    await turnUp(page);
    const solution = await shortest(page);
    if (solution.length >= 3) return solution;
    await page.getByRole('button', { name: 'Skip' }).click();
  }
}

/** @param {Page} page @param {string} name */
const chipsOf = async (page, name) => Number.parseInt((await page.locator('.seat', { hasText: name }).locator('.seat-chips').textContent()) ?? '', 10);

test('by keyboard: the first bid starts the sand, later ones do not; only lower; the lowest shows; a chip is won and robots stay', async () => {
  const page = await startTable();
  const solution = await turnUpLong(page);
  await waitForAnnouncement(page, /Round 1\. Move .* to (its|the) \w+ at column/);
  const n = solution.length;
  await bid(page, 'Ada', n + 3);
  await waitForAnnouncement(page, new RegExp(`Ada bids ${n + 3}. The sand is running.`));
  const until = (await kept(page)).kept.state.round.until;
  await page.clock.fastForward(31_000);
  await waitForAnnouncement(page, /30 seconds left/);
  await bid(page, 'Ben', n);
  await waitForAnnouncement(page, new RegExp(`Ben bids ${n}\\.`));
  assert.equal((await kept(page)).kept.state.round.until, until, 'the sand was not turned again');
  await page.getByRole('radio', { name: 'Ada' }).check({ force: true });
  await page.keyboard.type(String(n + 3));
  await page.keyboard.press('Enter');
  await page.getByText(`Ada has bid ${n + 3}; a new bid must be lower.`).waitFor();
  await page.keyboard.press('Escape');
  await page.clock.fastForward(30_000);
  await waitForAnnouncement(page, new RegExp(`The sand has run out. Ben shows a solution of at most ${n} moves`));
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Ben' }).waitFor();
  await play(page, solution);
  await waitForAnnouncement(page, new RegExp(`Ben wins the chip with ${n} moves`));
  assert.equal(await chipsOf(page, 'Ben'), 1);
  const { state } = (await kept(page)).kept;
  assert.notDeepEqual(state.game.robots, (await kept(page)).played.robots, 'the robots stay where they ended');
  await page.getByRole('button', { name: 'What was possible?' }).click();
  await page.getByText(`The shortest solution takes ${n} moves. 1 of 3 saw it`).waitFor();
  await page.locator('#panel').getByRole('link', { name: 'Analyse' }).waitFor();
});

test('failure hands over to the next bid, robots go back; when all fail the chip goes back into the stack', async () => {
  const page = await startTable();
  const solution = await turnUpLong(page);
  const { robots: start, chips_left: left } = (await kept(page)).kept.state.game;
  await bid(page, 'Ada', 1);
  await bid(page, 'Ben', 2);
  await page.clock.fastForward(60_000);
  await waitForAnnouncement(page, /Ada shows/);
  await play(page, solution.slice(0, 1));
  await waitForAnnouncement(page, /Ada has used up all moves\. .*Ben shows a solution of at most 2 moves/);
  assert.deepEqual((await kept(page)).kept.state.game.robots, start);
  await page.clock.fastForward(60_000);
  await waitForAnnouncement(page, /Ben has run out of time\..* The chip goes back into the stack/);
  await page.getByRole('heading', { name: 'Everybody failed' }).waitFor();
  const { state, stack } = (await kept(page)).kept;
  assert.equal(state.game.chips_left, left + 1);
  assert.notEqual(stack.at(-1), state.ended.target, 'not on top');
});

test('made it with too few moves: the page says so, and the people at the table decide', async () => {
  const page = await startTable();
  const solution = await turnUpLong(page);
  await bid(page, 'Ada', solution.length - 1);
  await bid(page, 'Ben', solution.length);
  await page.clock.fastForward(60_000);
  await waitForAnnouncement(page, /Ada shows/);
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Did Ada make it?' });
  await dialog.getByText(`the target cannot be reached in ${solution.length - 1} moves`).waitFor();
  assert.equal(await chipsOf(page, 'Ada'), 0, 'nothing is taken silently');
  await page.keyboard.press('Escape');
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Ada' }).waitFor();
  await page.getByRole('button', { name: 'Made it' }).click();
  await dialog.getByRole('button', { name: 'Failed' }).click();
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Ben' }).waitFor();
  // Part of a solution does not count.
  await play(page, solution.slice(0, 1));
  await page.keyboard.press('m');
  await page.getByRole('dialog').getByText('After the one move shown here, the robot is not on the target.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'It counts' }).click();
  await waitForAnnouncement(page, /Ben wins the chip/);
  assert.equal(await chipsOf(page, 'Ben'), 1);
});

test('made it with as many moves as it takes: nobody is asked', async () => {
  const page = await startTable();
  const solution = await turnUpLong(page);
  await bid(page, 'Cleo', solution.length);
  await page.clock.fastForward(60_000);
  await waitForAnnouncement(page, /Cleo shows/);
  await page.keyboard.press('m');
  await waitForAnnouncement(page, /Cleo wins the chip/);
  assert.equal(await page.getByRole('dialog').count(), 0);
});

test('equal bids: fewer chips first, then who bid first', async () => {
  const page = await startTable({ board: 'none' });
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
  await waitForAnnouncement(page, /Ben wins the chip/);
  await turnUp(page);
  await bid(page, 'Ben', 4);
  await bid(page, 'Ada', 4);
  assert.equal(await winner(), 'Ada', 'fewer chips');
});

test('by touch, without a board: tap a name, a number, judge by hand; take back; a reload goes on', async () => {
  const page = await startTable({ board: 'none', length: 'rounds', rounds: 1 }, 'phone');
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
  const page = await startTable();
  await page.keyboard.press('Tab');
  await page.locator('[data-cell="0,0"]').focus();
  await page.keyboard.press('r');
  await page.locator('[data-cell="0,0"]').focus();
  await page.keyboard.press('Enter');
  await waitForAnnouncement(page, /Red: column 0, row 0/);
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
  const page = await startTable({ names: ['Ada', 'Ben', 'Cleo', 'Dan'] }, 'phone');
  await page.getByRole('button', { name: 'Turn up the next target' }).tap();
  await page.locator('.pad').waitFor();
  await assertInSight(page, ['.sand', '#board', '.pad-send']);
});

test('teams around the table: chosen beside the names, chips count together, a team wins the race', async () => {
  const page = await players.openPage('about:blank', { stored: { 'table-wishes': { ...CHOICES, names: ['Ada', 'Ben', 'Cleo', 'Dan'], board: 'none', length: 'race' } } });
  await page.clock.install();
  await page.goto(`${players.server.url}/#room&as=table`);
  await choose(page, 'Teams', '2');
  assert.deepEqual(await page.locator('.table-names select').evaluateAll((fields) => fields.map((field) => /** @type {HTMLSelectElement} */ (field).value)), ['0', '1', '0', '1'], 'in turn');
  await page.getByLabel('Team of player 2').selectOption('Team A');
  await page.getByLabel('Team of player 3').selectOption('Team B');
  await page.getByRole('button', { name: 'Begin' }).click();
  for (let round = 1; round <= 8; round += 1) {
    await page.locator('.seat', { hasText: 'Ben' }).getByText('team A').waitFor();
    await turnUp(page);
    const name = round % 2 ? 'Ada' : 'Ben';
    await bid(page, name, 5);
    await page.clock.fastForward(60_000);
    await page.locator('.seat[data-turn="shows"]', { hasText: name }).waitFor();
    await page.keyboard.press('m');
    await waitForAnnouncement(page, new RegExp(`${name} wins the chip`));
  }
  await page.getByRole('heading', { name: 'Team A wins with 8 chips.' }).waitFor();
  assert.deepEqual((await kept(page)).kept.state.players.map((/** @type {any} */ { team, chips }) => [team, chips]), [[0, 4], [0, 4], [1, 0], [1, 0]]);
});

test('equal bids of teams: the team with fewer chips shows first', async () => {
  const page = await startTable({ names: ['Ada', 'Ben', 'Cleo'], board: 'none', teams: 2, sides: [0, 0, 1] });
  await turnUp(page);
  await bid(page, 'Ada', 5);
  await page.clock.fastForward(60_000);
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Ada' }).waitFor();
  await page.keyboard.press('m');
  await waitForAnnouncement(page, /Ada wins the chip/);
  await turnUp(page);
  // Ben has no chip himself, but his team has one.
  await bid(page, 'Ben', 4);
  await bid(page, 'Cleo', 4);
  await page.clock.fastForward(60_000);
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Cleo' }).waitFor();
});

test('a pause: no sand runs, the board is covered, nobody bids; a reload stays paused, and the time goes on where it was', async () => {
  const page = await startTable({ names: ['Ada', 'Ben'] });
  // From here on only the test moves the page's clock, so that all times are exact on a machine of any speed.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  /** Announcements come a moment later. */
  const MOMENT = 100;
  /** @param {RegExp} text */
  const hears = async (text) => {
    await page.clock.runFor(MOMENT);
    await waitForAnnouncement(page, text);
  };
  await turnUp(page);
  await bid(page, 'Ada', 9);
  await hears(/Ada bids 9/);
  await page.clock.fastForward(20_000 - MOMENT);
  await page.keyboard.press('p');
  await hears(/The game is paused; the sand has stopped/);
  await page.getByRole('heading', { name: 'Paused' }).waitFor();
  assert.equal(await page.locator('.sand-text').textContent(), '0:40');
  await page.clock.fastForward(600_000);
  assert.equal(await page.locator('.sand-text').textContent(), '0:40', 'the sand stands still');
  assert.equal(await page.locator('.pad').isVisible(), false);
  assert.equal(await page.locator('.board-frame').evaluate((frame) => getComputedStyle(frame).visibility), 'hidden');
  await page.keyboard.press('k');
  await page.keyboard.press('u');
  await hears(/Nothing to take back/);
  await page.reload();
  await page.getByRole('heading', { name: 'Paused' }).waitFor();
  await page.clock.fastForward(60_000);
  await page.getByRole('button', { name: 'Continue' }).click();
  await hears(/The game continues/);
  assert.equal(await page.locator('.board-frame').evaluate((frame) => getComputedStyle(frame).visibility), 'visible');
  await bid(page, 'Ben', 8);
  await hears(/Ben bids 8/);
  const { round } = (await kept(page)).kept.state;
  assert.deepEqual(round.stakes.map((/** @type {{first_at: number}} */ { first_at: at }) => at - round.since), [0, 20_000 + MOMENT], 'the pause is nobody\'s time');
  await page.clock.fastForward(40_000 - 2 * MOMENT - 1);
  assert.equal((await kept(page)).kept.state.phase, 'thinking');
  await page.clock.fastForward(MOMENT);
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Ben' }).waitFor();
  // A show can also be interrupted.
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.clock.fastForward(300_000);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Ben' }).waitFor();
  await page.clock.fastForward(61_000);
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Ada' }).waitFor();
});

test('a phone on its side: the whole board, the sand and the bids without scrolling', async () => {
  const page = await startTable({ names: ['Ada', 'Ben', 'Cleo', 'Dan'] }, 'landscape');
  await page.getByRole('button', { name: 'Turn up the next target' }).tap();
  await page.locator('.pad').waitFor();
  await assertInSight(page, ['.strip', '.sand', '#board', '.pad-names', '.pad-numbers', '.pad-send']);
});
