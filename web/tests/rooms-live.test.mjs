// Whole games of four browsers on the real server: reloads, cut connections, and the server killed in
// the middle of a round. It needs a server that has rooms: `node --test tests/rooms-live.test.mjs`.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { ARROW } from './tools/browser.mjs';
import { startMortal } from './tools/mortal.mjs';
import { GONE, heard, usePlayers } from './tools/players.mjs';
import { askServer } from './tools/server.mjs';

/** @import {Page} from 'playwright-core' */
/** @import {RoomState} from '../room/types.d.ts' */
/** @import {MortalServer} from './tools/mortal.mjs' */

const people = usePlayers({ ownServer: true });
/** @type {MortalServer} */
let server;
before(async () => {
  server = await startMortal();
});
after(() => server?.stop());
afterEach(() => people.goHome());

/** The room as this page knows it. @param {Page} page @returns {Promise<RoomState>} */
const stateOf = (page) =>
  page.evaluate(() => {
    const name = /#room=(\w+)/.exec(location.hash)?.[1];
    return JSON.parse(sessionStorage.getItem(`ricochet.room.${name}`) ?? 'null')?.state ?? null;
  });

/** Opens a room by the form. @param {Record<string, unknown>} wishes as the form keeps them */
async function openRoom(wishes) {
  const page = await people.come(`${server.url}/#room`, { mayComplain: GONE, stored: { 'room-wishes': wishes, name: 'Ada' } });
  await page.getByText('Open a room…').click();
  await page.getByRole('button', { name: 'Open the room' }).click();
  await page.getByRole('button', { name: 'Start the game' }).waitFor();
  return page;
}

/** @param {string} link @param {string} name @param {'phone' | 'desktop'} [size] */
async function join(link, name, size) {
  const page = await people.come(link, { size, mayComplain: GONE });
  await page.locator('#join-name').fill(name);
  await page.getByRole('button', { name: 'Take a seat' }).click();
  await page.locator('.seat[data-you="yes"]', { hasText: name }).waitFor();
  return page;
}

/** @param {Page} page @param {number} number */
async function roundBegins(page, number) {
  await page.locator('.strip', { hasText: `Round ${number} ` }).waitFor();
  await page.locator('.pad').waitFor();
}

/** A shortest way, asked of the solver as anybody could. @param {Page} page @returns {Promise<string[]>} */
async function shortest(page) {
  const { round } = await stateOf(page);
  return (await askServer(server, 'solve', { puzzle: round?.puzzle })).moves;
}

/** @param {Page} page @param {number} moves */
async function bid(page, moves) {
  await page.keyboard.type(String(moves));
  await page.keyboard.press('Enter');
  await heard(page, new RegExp(`You bid ${moves}\\.`));
}

/** @param {Page} page @param {string[]} moves */
async function play(page, moves) {
  for (const move of moves) {
    await page.keyboard.press(move[0].toLowerCase());
    await page.keyboard.press(ARROW[move[1]]);
  }
}

/** @param {Page} page @param {string} name */
const bidOf = (page, name) => page.locator('.seat', { hasText: name }).locator('.seat-bid').textContent();

test('four browsers play a game: reloads, a server killed with -9 in the middle of the sand, the result, a rematch', async () => {
  const ada = await openRoom({ sand: 10, show: 60, pause: 0, length: 'rounds', rounds: 3, private: false });
  const link = await ada.locator('.invite-link').inputValue();
  assert.match(link, /#room=[a-z0-9]{12}$/);
  await ada.waitForFunction(() => (document.querySelector('img.qr') instanceof HTMLImageElement ? /** @type {HTMLImageElement} */ (document.querySelector('img.qr')).naturalWidth > 0 : false));
  const ben = await join(link, 'Ben');
  const cleo = await join(link, 'Cleo', 'phone');
  const dan = await join(link, 'Dan');
  const all = [ada, ben, cleo, dan];
  await ada.getByRole('button', { name: 'Start the game' }).click();

  // The first round: Cleo's bid is lower than Ben's, and Ben reloads while the sand runs.
  for (const page of all) await roundBegins(page, 1);
  let way = await shortest(ada);
  await bid(ben, way.length + 1);
  await bid(cleo, way.length);
  await ben.reload();
  await ben.locator('.seat[data-you="yes"]', { hasText: 'Ben' }).waitFor();
  await cleo.locator('.seat[data-turn="shows"]', { hasText: 'Cleo' }).waitFor();
  await play(cleo, way);
  for (const page of [ada, ben, dan]) await page.locator('.seat', { hasText: 'Cleo' }).locator('.seat-chips', { hasText: '1' }).waitFor();

  // The second: the server dies after bids were acknowledged, and is back.
  for (const page of all) await roundBegins(page, 2);
  way = await shortest(ada);
  await bid(dan, way.length + 2);
  await bid(ada, way.length);
  await server.kill();
  for (const page of all) await page.locator('.lost', { hasText: 'Connection lost' }).waitFor();
  await server.start();
  for (const page of all) await page.locator('.strip[data-connection="open"]').waitFor();
  assert.equal((await stateOf(ben)).players.find(({ name }) => name === 'Cleo')?.chips, 1, 'the chip is there');
  await ada.locator('.seat[data-turn="shows"]', { hasText: 'Ada' }).waitFor();
  assert.equal(await bidOf(ben, 'Dan'), String(way.length + 2), 'every bid is there');
  await play(ada, way);
  await ben.locator('.seat', { hasText: 'Ada' }).locator('.seat-chips', { hasText: '1' }).waitFor();

  // The third: nobody bids, all vote.
  for (const page of all) await roundBegins(page, 3);
  for (const page of all) await page.getByRole('button', { name: /^Skip/ }).click();
  for (const page of all) await page.getByRole('heading', { name: /A draw: .*, with one chip each/ }).waitFor();
  await dan.getByText('All 3 rounds').waitFor();
  await dan.locator('.outcome a', { hasText: 'Analyse' }).first().waitFor();
  await ada.getByRole('button', { name: 'Rematch' }).click();
  for (const page of all) await roundBegins(page, 1);
  assert.deepEqual((await stateOf(dan)).players.map(({ chips }) => chips), [0, 0, 0, 0]);
});

test('failure hands over; spectators see it; the host removes somebody; leaving; the lobby lists the room', async () => {
  const ada = await openRoom({ sand: 10, show: 60, pause: 0, length: 'rounds', rounds: 2, private: false });
  const link = await ada.locator('.invite-link').inputValue();
  const ben = await join(link, 'Ben');
  const eve = await people.come(link, { mayComplain: GONE });
  const lobby = await people.come(`${server.url}/#room`, { mayComplain: GONE });
  await lobby.getByText('Room of Ada').first().waitFor();
  await ada.getByRole('button', { name: 'Start the game' }).click();
  await roundBegins(ada, 1);
  await roundBegins(ben, 1);
  await eve.getByText('You are watching ·').waitFor();
  const way = await shortest(ada);
  await bid(ben, 1);
  await bid(ada, way.length);
  await eve.locator('.seat[data-turn="shows"]', { hasText: 'Ben' }).waitFor();
  await ben.getByRole('button', { name: 'I can’t show it' }).click();
  await eve.locator('.seat[data-turn="shows"]', { hasText: 'Ada' }).waitFor();
  await eve.locator('.seat[data-turn="failed"]', { hasText: 'Ben' }).waitFor();
  await play(ada, way.slice(0, 1));
  await heard(eve, /goes (north|east|south|west) to column/);
  await play(ada, way.slice(1));
  await eve.locator('.seat', { hasText: 'Ada' }).locator('.seat-chips', { hasText: '1' }).waitFor();
  await ada.getByRole('button', { name: 'More about Ben' }).click();
  await ada.getByRole('button', { name: 'Remove from the room' }).click();
  await ben.getByText('You no longer have a seat here').first().waitFor();
  await ben.locator('#join-name').waitFor();
  await ada.getByRole('button', { name: 'Leave', exact: true }).click();
  await ada.getByRole('button', { name: 'Give up my seat' }).click();
  await ada.getByRole('heading', { name: 'Rooms', exact: true }).waitFor();
});

test('in secret: a way is handed in, hidden until the end, and the shortest wins', async () => {
  const ada = await openRoom({ style: 'secret', sand: 5, pause: 0, length: 'rounds', rounds: 1 });
  const link = await ada.locator('.invite-link').inputValue();
  const ben = await join(link, 'Ben');
  await ada.getByRole('button', { name: 'Start the game' }).click();
  for (const page of [ada, ben]) await page.getByRole('button', { name: /Find a solution on the board/ }).waitFor();
  await ada.locator('[data-cell="0,0"][aria-label]').waitFor({ state: 'attached' });
  const way = await shortest(ada);
  await play(ada, way);
  await ada.getByRole('button', { name: /^Hand in/ }).click();
  await ben.locator('.seat', { hasText: 'Ada' }).getByText('handed in').waitFor();
  const seen = await stateOf(ben);
  assert.equal(seen.round?.stakes[0].length, null, 'nobody learns how long it is');
  await ben.getByRole('heading', { name: 'Ada wins with one chip.' }).waitFor();
});
