// Each rule and option of a room, as people meet it on the page of the real server. The rules of
// bids and shows themselves are tested by name in `crates/ricochet-rooms/tests/it/rules.rs`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { choose, playKeys } from '../tools/browser.mjs';
import { waitForAnnouncement } from '../tools/players.mjs';
import { bid, handIn, linkOf, roundBegins, seatOf, stateOf, useRooms } from '../tools/rooms.mjs';

/** @import {Page} from 'playwright-core' */

const rooms = useRooms();
const { openPage, join, openRoom, shortest } = rooms;

/** As short as it gets: the players end a round by vote. */
const SECRET = { style: 'secret', sand: 60, pause: 0, length: 'rounds', rounds: 1 };
const BIDS = { sand: 5, show: 60, pause: 0, length: 'rounds', rounds: 1 };

/** @param {Page} host */
const start = (host) => host.getByRole('button', { name: 'Start the game' }).click();

/** They are open already where something in them is not as usual. @param {Page} page */
async function moreOptions(page) {
  if (!(await page.getByLabel('Seats', { exact: true }).isVisible())) await page.getByText('More options').click();
}

/** All who sit there want the round to end. @param {Page[]} pages */
async function endRound(pages) {
  for (const page of pages) await page.getByRole('button', { name: /^(End the round|Skip) \(/ }).click();
}

test('teams: chosen on joining or filled evenly; the chips of a team count together, and a team wins', async () => {
  const ada = await openRoom(SECRET, async (page) => {
    await moreOptions(page);
    await choose(page, 'Teams', '2');
  });
  const link = await linkOf(ada);
  const ben = await openPage(link);
  await ben.locator('#join-name').fill('Ben');
  assert.deepEqual(await ben.locator('.join option').allTextContents(), ['Whichever is smaller', 'team A', 'team B'], 'only teams that there are');
  await ben.getByRole('combobox', { name: /^Team/ }).selectOption('team A');
  await ben.getByRole('button', { name: 'Take a seat' }).click();
  const cleo = await join(link, 'Cleo', 'phone');
  await seatOf(cleo, 'Ben').getByText('team A').waitFor();
  await seatOf(cleo, 'Cleo').getByText('team B').waitFor();
  await start(ada);
  for (const page of [ada, ben, cleo]) await roundBegins(page, 1);
  await handIn(ben, await shortest(ben));
  await endRound([ada, ben, cleo]);
  await cleo.getByRole('heading', { name: 'Team A wins with one chip.' }).waitFor();
  const standings = await cleo.locator('.standings li').allTextContents();
  assert.equal(standings.filter((text) => /team A/.test(text) && /[01] \/ 1/.test(text)).length, 2, `Ada's team has Ben's chip: ${standings}`);
});

test('the results of a round and of a game show how many players had how many moves', async () => {
  const ada = await openRoom(SECRET);
  const link = await linkOf(ada);
  const ben = await join(link, 'Ben', 'phone');
  const cleo = await join(link, 'Cleo');
  await start(ada);
  for (const page of [ada, ben, cleo]) await roundBegins(page, 1);
  const solution = await shortest(ada);
  for (const page of [ada, ben]) await handIn(page, solution);
  await endRound([ada, ben, cleo]);
  const moves = solution.length === 1 ? 'one move' : `${solution.length} moves`;
  for (const page of [ada, ben]) {
    const bars = page.locator('.outcome .distribution');
    await bars.nth(1).waitFor();
    assert.deepEqual(await bars.nth(0).locator('li').allTextContents(), ['shortest ★2', '1 more0', '2 more0', '3 or more0', 'nothing1']);
    assert.deepEqual(await bars.nth(1).locator('li').allTextContents(), [`${moves} ★2`, 'nothing1']);
    const widths = await bars.nth(1).locator('.bar').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    assert.ok(Math.abs(widths[0] - 2 * widths[1]) < 1, `twice as many, twice as long: ${widths}`);
  }
});

test('correspondence: a round lasts a day, who handed in is seen and the solution is not; one comes back later', async () => {
  const ada = await openRoom({ length: 'rounds', rounds: 2, pause: 0 }, async (page) => {
    await choose(page, 'Kind of game', 'Over several days');
  });
  const ben = await join(await linkOf(ada), 'Ben');
  await start(ada);
  for (const page of [ada, ben]) await roundBegins(page, 1);
  assert.match((await ada.locator('.sand').getAttribute('aria-label')) ?? '', /Round: 2[34]:\d\d:\d\d left/);
  const solution = await shortest(ada);
  await handIn(ada, solution);
  await seatOf(ben, 'Ada').getByText('handed in').waitFor();
  const [bid] = (await stateOf(ben)).round?.stakes ?? [];
  assert.deepEqual([bid.length, bid.moves], [null, null], 'nobody learns how long it is');
  // Ada goes, and finds her room and what she handed in the next day.
  await ada.getByRole('button', { name: 'Leave', exact: true }).click();
  await ada.getByRole('button', { name: 'Come back later' }).click();
  await ada.getByRole('heading', { name: 'Your rooms' }).waitFor();
  await ada.locator('.rooms').first().getByRole('button', { name: /^Enter/ }).click();
  await ada.getByRole('button', { name: `You have handed in ${solution.length === 1 ? 'one move' : `${solution.length} moves`}` }).waitFor();
  await endRound([ada, ben]);
  await ben.locator('.strip', { hasText: 'Round 2 of 2' }).waitFor();
  await seatOf(ben, 'Ada').locator('.seat-chips', { hasText: '1' }).waitFor();
});

test('solve in secret: submissions stay hidden until the end, the shortest and then the earliest wins', async () => {
  const ada = await openRoom({ ...SECRET, style: 'bidding', sand: 5 }, async (page) => {
    await choose(page, 'Kind of game', 'In secret');
  });
  const ben = await join(await linkOf(ada), 'Ben');
  await start(ada);
  for (const page of [ada, ben]) await roundBegins(page, 1);
  const solution = await shortest(ada);
  await handIn(ben, solution);
  await seatOf(ada, 'Ben').getByText('handed in').waitFor();
  assert.equal((await stateOf(ada)).round?.stakes[0].length, null);
  assert.ok((await stateOf(ada)).round?.until, 'the first one starts the sand');
  await handIn(ada, solution);
  // Nobody votes: the sand ends the round.
  await ada.getByRole('heading', { name: 'Ben wins with one chip.' }).waitFor();
});

test('skip by vote: a round that nobody bids on ends when all want it, and everybody sees the optimum', async () => {
  const ada = await openRoom(BIDS);
  const link = await linkOf(ada);
  const [ben, eve] = [await join(link, 'Ben', 'phone'), await openPage(link)];
  await start(ada);
  for (const page of [ada, ben]) await roundBegins(page, 1);
  const solution = await shortest(ada);
  await ada.getByRole('button', { name: 'Skip (0 of 2)' }).click();
  await ben.getByRole('button', { name: 'Skip (1 of 2)' }).click();
  for (const page of [ada, ben, eve]) {
    await page.getByRole('heading', { name: 'Skipped. Nobody gets the chip.' }).waitFor();
    await page.locator('.outcome').getByText(`The shortest solution takes ${solution.length === 1 ? 'one move' : `${solution.length} moves`}. Nobody saw it.`).waitFor();
  }
});

test('must ricochet: a straight solution does not count, and the optimum turns', async () => {
  const ada = await openRoom({ ...SECRET }, (page) => page.getByLabel('Must ricochet').check());
  await start(ada);
  await roundBegins(ada, 1);
  const { round, options } = await stateOf(ada);
  assert.ok(options.must_ricochet);
  const solution = await shortest(ada);
  const robot = solution.at(-1)?.[0];
  const turns = new Set(solution.filter((move) => move[0] === robot).map((move) => ('NS'.includes(move[1]) ? 'column' : 'row')));
  assert.equal(turns.size, 2, `${round?.puzzle}: ${solution} turns at a right angle`);
  await handIn(ada, solution);
  await endRound([ada]);
  await ada.getByRole('heading', { name: 'Ada wins with one chip.' }).waitFor();
});

test('five robots: the fifth stands on the board and moves', async () => {
  const ada = await openRoom(SECRET, async (page) => {
    await moreOptions(page);
    await choose(page, 'Robots', '5');
  });
  await start(ada);
  await roundBegins(ada, 1);
  assert.equal(await ada.locator('#board .robot').count(), 5);
  assert.equal((await stateOf(ada)).game?.robots.length, 5);
  // The letter of silver is W; one of four directions is free.
  await playKeys(ada, ['WN', 'WE', 'WS', 'WW']);
  await waitForAnnouncement(ada, /Silver goes (north|east|south|west) to column/);
  await ada.locator('.tried', { hasText: /tried/ }).waitFor();
});

test('diagonals and the edition: the board of 2003 has diagonals where they are asked for', async () => {
  const ada = await openRoom(SECRET, async (page) => {
    await moreOptions(page);
    await choose(page, 'Edition', '2003');
    await choose(page, 'Diagonals', 'Yes');
  });
  await start(ada);
  await roundBegins(ada, 1);
  assert.match((await stateOf(ada)).game?.layout ?? '', /D/);
  assert.ok((await ada.locator('#board .diagonal').count()) > 0);
});

test('length of the sand: as long as the form says, and the first bid turns it', async () => {
  const ada = await openRoom(BIDS, (page) => page.getByLabel('Sand timer, in seconds').fill('7'));
  await start(ada);
  await roundBegins(ada, 1);
  assert.equal(await ada.locator('.sand-text').textContent(), '0:07');
  assert.match((await ada.locator('.sand').getAttribute('aria-label')) ?? '', /not turned yet/);
  await bid(ada, 9);
  const { round } = await stateOf(ada);
  assert.equal((round?.until ?? 0) - (round?.stakes[0].last_at ?? 0), 7000);
  await ada.locator('.seat[data-turn="shows"]', { hasText: 'Ada' }).waitFor();
});

test('mute and remove: the host silences somebody for all, lets them speak again, and takes the seat away', async () => {
  const ada = await openRoom(SECRET);
  const ben = await join(await linkOf(ada), 'Ben');
  for (const page of [ada, ben]) await page.locator('.talk summary').click();
  const more = async (/** @type {string} */ what) => {
    await ada.getByRole('button', { name: 'More about Ben' }).click();
    await ada.getByRole('button', { name: what }).click();
  };
  const says = async (/** @type {string} */ text) => {
    await ben.locator('.talk input').fill(text);
    await ben.keyboard.press('Enter');
  };
  await more('Mute for everybody');
  await waitForAnnouncement(ben, /Ben is muted/);
  await seatOf(ben, 'Ben').getByText('muted').waitFor();
  await says('nobody hears this');
  await ben.getByText('The host has muted you.').waitFor();
  assert.equal(await ben.locator('.talk input').inputValue(), 'nobody hears this', 'what was not taken is not lost');
  await more('Let them write again');
  await waitForAnnouncement(ben, /Ben can write again/);
  await says('hello again');
  await ada.locator('.talk-lines', { hasText: 'hello again' }).waitFor();
  assert.equal(await ada.locator('.talk-lines li').count(), 1);
  await ben.getByRole('button', { name: 'More about Ada' }).click();
  assert.equal(await ben.getByRole('button', { name: 'Mute for everybody' }).count(), 0, 'only the host can');
  await ben.keyboard.press('Escape');
  await more('Remove from the room');
  await ada.getByRole('dialog', { name: 'Remove Ben?' }).getByRole('button', { name: 'Remove from the room' }).click();
  await ben.getByText('You no longer have a seat here').first().waitFor();
  await waitForAnnouncement(ada, /The host has removed Ben/);
});

test('the host hands over: somebody else starts the game', async () => {
  const ada = await openRoom(SECRET);
  const ben = await join(await linkOf(ada), 'Ben');
  await ada.getByText('In secret · edition of 1999').waitFor();
  await ada.getByRole('button', { name: 'More about Ben' }).click();
  await ada.getByRole('button', { name: 'Make host' }).click();
  await waitForAnnouncement(ben, /You are the host/);
  assert.equal(await ada.getByRole('button', { name: 'Start the game' }).isVisible(), false);
  await start(ben);
  await roundBegins(ada, 1);
});

test('another part of the page and back: one is in the room again, not in the lobby', async () => {
  const ada = await openRoom(SECRET);
  await start(ada);
  await roundBegins(ada, 1);
  await ada.getByRole('link', { name: 'Edit' }).click();
  await ada.getByRole('link', { name: 'Rooms' }).click();
  await roundBegins(ada, 1);
  await seatOf(ada, 'Ada').getByText('you').waitFor();
});

test('spectator delay: who watches sees everything so much later than the players', async () => {
  const ada = await openRoom({ ...BIDS, sand: 30 }, async (page) => {
    await moreOptions(page);
    await page.getByLabel('Delay for spectators, in seconds').fill('3');
  });
  const link = await linkOf(ada);
  const [ben, eve] = [await join(link, 'Ben'), await openPage(link)];
  await start(ada);
  for (const page of [ada, ben]) await roundBegins(page, 1);
  const before = Date.now();
  await bid(ada, 9);
  await waitForAnnouncement(ben, /Ada bids 9/);
  await waitForAnnouncement(eve, /Ada bids 9/);
  assert.ok(Date.now() - before >= 3000, 'never earlier');
  await eve.getByText('You are watching ·').waitFor();
});

test('TV: the busiest public room, without a seat and with a way in', async () => {
  const ada = await openRoom({ ...BIDS, sand: 30, private: false });
  const ben = await join(await linkOf(ada), 'Ben');
  // A quieter room next to it.
  const cleo = await openRoom({ ...BIDS, private: false });
  await start(ada);
  for (const page of [ada, ben]) await roundBegins(page, 1);
  const eve = await openPage(`${rooms.server.url}/#room`, { size: 'phone' });
  await eve.getByRole('button', { name: 'Watch TV' }).tap();
  await eve.getByText('TV: the busiest room').waitFor();
  await eve.locator('.strip', { hasText: 'Round 1' }).waitFor();
  assert.equal(await eve.locator('.pad').isVisible(), false);
  assert.equal(await eve.locator('#join-name').isVisible(), false);
  await bid(ben, 8);
  await waitForAnnouncement(eve, /Ben bids 8/);
  await eve.getByRole('link', { name: 'Enter' }).tap();
  await eve.locator('#join-name').waitFor();
  assert.equal(await eve.evaluate(() => location.hash), new URL(await linkOf(ada)).hash);
  await cleo.close();
});

test('private rooms are not in the lobby and open by link and by code', async () => {
  const ada = await openRoom(SECRET, (page) => page.getByLabel('Private', { exact: true }).check());
  const ben = await openRoom({ ...SECRET, private: false });
  const eve = await openPage(`${rooms.server.url}/#room`);
  await eve.locator('.room-entry').first().waitFor();
  const [hidden, listed] = [await linkOf(ada), await linkOf(ben)].map((link) => link.split('=')[1]);
  const names = await eve.locator('.room-entry').evaluateAll((entries) => entries.map((entry) => entry.getAttribute('data-room')));
  assert.ok(names.includes(listed) && !names.includes(hidden), `${names}`);
  await eve.getByLabel('Or enter a room by its link or code').fill(hidden);
  await eve.locator('#room-code').press('Enter');
  await seatOf(eve, 'Ada').waitFor();
});

test('games/latest and a rematch: who comes after the end sees the whole game, and the next one begins at 0', async () => {
  const ada = await openRoom({ ...SECRET, rounds: 2 });
  const link = await linkOf(ada);
  await start(ada);
  for (const round of [1, 2]) {
    await roundBegins(ada, round);
    await handIn(ada, await shortest(ada));
    await endRound([ada]);
  }
  await ada.getByRole('heading', { name: 'Ada wins with 2 chips.' }).waitFor();
  const eve = await openPage(link, { size: 'phone' });
  await eve.getByRole('heading', { name: 'Ada wins with 2 chips.' }).waitFor();
  await eve.getByText('All 2 rounds').waitFor();
  const links = eve.locator('.review').first().getByRole('link', { name: 'Analyse' });
  assert.equal(await links.count(), 2);
  const [tab] = await Promise.all([eve.context().waitForEvent('page'), links.first().click()]);
  await tab.locator('[data-cell="0,0"][aria-label]').waitFor({ state: 'attached' });
  assert.match(await tab.evaluate(() => location.hash), /^#analyse=.*&moves=/);
  await ada.getByRole('button', { name: 'Rematch' }).click();
  await roundBegins(ada, 1);
  assert.deepEqual((await stateOf(ada)).players.map(({ chips }) => chips), [0]);
  assert.equal((await stateOf(ada)).game?.number, 2);
});

test('the QR code says the invitation link', async (context) => {
  const ada = await openRoom(SECRET);
  const picture = ada.locator('img.qr');
  await ada.waitForFunction(() => /** @type {HTMLImageElement | null} */ (document.querySelector('img.qr'))?.naturalWidth);
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ricochet-qr-')), 'qr.png');
  await picture.screenshot({ path: file });
  try {
    const read = execFileSync('zbarimg', ['--quiet', '--raw', file], { encoding: 'utf8' }).trim();
    assert.equal(read, await linkOf(ada));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    context.skip('zbarimg is not there');
  } finally {
    fs.rmSync(path.dirname(file), { recursive: true });
  }
});
