// The page's side of a room, against a room inside the test: what is sent and what stays here, what a
// reload and a broken connection leave as it was.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { assertInSight, playKeys as play } from '../tools/browser.mjs';
import { FakeRoom } from '../tools/fake-room.mjs';
import { waitForAnnouncement, usePlayers } from '../tools/players.mjs';

/** @import {Page} from 'playwright-core' */
/** @import {Options} from '../../types/room.d.ts' */
/** @import {SIZES} from '../tools/browser.mjs' */

const people = usePlayers();
/** @type {FakeRoom} */
let room;
afterEach(async () => {
  room.stop();
  await people.closeAll();
});

/** A player with a seat. @param {string} name @param {keyof typeof SIZES} [size] */
async function takeSeat(name, size = 'desktop') {
  const page = await people.openPage(`${people.server.url}/#room=${room.name}`, { size, fake: room, mayComplain: ['WebSocket connection'] });
  await page.locator('#join-name').fill(name);
  await page.getByRole('button', { name: 'Take a seat' }).click();
  await page.locator('.seat[data-you="yes"]', { hasText: name }).waitFor();
  return page;
}

/** @param {Partial<Options>} [options] */
const openRoom = (options) => {
  room = new FakeRoom(people.server, options);
};

/** @param {Page} page @param {number} moves */
async function bid(page, moves) {
  await page.keyboard.type(String(moves));
  await page.keyboard.press('Enter');
}

test('what is tried stays here; a solution that was found is offered as a bid, and shown with one click', async () => {
  openRoom({ sand_ms: 1000 });
  const ada = await takeSeat('Ada');
  const ben = await takeSeat('Ben', 'phone');
  await ada.getByRole('button', { name: 'Start the game' }).click();
  await ben.locator('.pad').waitFor();
  await ada.locator('[data-cell="0,0"][aria-label]').waitFor({ state: 'attached' });
  const solution = room.solution;
  await play(ada, solution);
  await waitForAnnouncement(ada, /That is the target in 9 moves\. Only you can see it/);
  assert.deepEqual(room.heard.map((one) => one.do).filter(Boolean), ['start'], 'nothing of it was sent');
  await ada.getByRole('button', { name: 'Bid 9' }).click();
  await waitForAnnouncement(ben, /Ada bids 9\. The sand is running/);
  await waitForAnnouncement(ben, /The sand has run out\. Ada shows a solution of at most 9 moves/);
  await ada.getByRole('button', { name: 'Show my 9 moves' }).click();
  await ben.getByRole('heading', { name: 'Ada wins the chip with 9 moves.' }).waitFor();
  await ben.locator('#panel').getByText('The shortest solution takes 9 moves. 1 of 2 saw it').waitFor();
  const link = await ben.locator('#panel').getByRole('link', { name: 'Analyse' }).getAttribute('href');
  assert.equal(link, `#analyse=${room.state.ended?.puzzle}&moves=${solution.join('-')}`);
});

test('a reload: the same player, with the last number seen, tried moves and what was typed', async () => {
  openRoom();
  const ada = await takeSeat('Ada');
  await ada.getByRole('button', { name: 'Start the game' }).click();
  await ada.locator('.pad').waitFor();
  await ada.locator('[data-cell="0,0"][aria-label]').waitFor({ state: 'attached' });
  await play(ada, ['RN', 'GS']);
  await ada.getByText('2 moves tried').waitFor();
  await ada.locator('.pad-field').fill('12');
  await ada.locator('.talk summary').click();
  await ada.locator('.talk input').fill('half a li');
  await ada.reload();
  await ada.getByText('2 moves tried').waitFor();
  await ada.locator('.seat[data-you="yes"]', { hasText: 'Ada' }).waitFor();
  assert.equal(await ada.locator('.pad-field').inputValue(), '12');
  assert.equal(await ada.locator('.talk input').inputValue(), 'half a li');
  const hello = room.heard.filter((one) => 'hello' in one).at(-1);
  assert.deepEqual(hello, { hello: 1, token: 'token-of-1', since: room.state.version });
  assert.equal(room.state.players.length, 1);
});

test('a broken connection is said and comes back; a bid made meanwhile counts, unless another round has begun', async () => {
  openRoom();
  const ada = await takeSeat('Ada');
  await ada.getByRole('button', { name: 'Start the game' }).click();
  await ada.locator('.pad').waitFor();
  await room.cut();
  await ada.locator('.lost', { hasText: 'Connection lost' }).waitFor();
  await bid(ada, 11);
  room.up();
  await waitForAnnouncement(ada, /You bid 11/);
  assert.equal(await ada.locator('.lost').isVisible(), false);
  assert.equal(room.state.round?.stakes[0].length, 11);
  await room.cut();
  await ada.locator('.lost', { hasText: 'Connection lost' }).waitFor();
  await bid(ada, 10);
  // While Ada is away the round ends, and the next one begins.
  room.say({ say: 'leave', player: 1 });
  const guest = room.seat('Cleo');
  room.tokens.set('token-of-1', guest.player);
  room.referee.state = { ...room.state, round: room.state.round && { ...room.state.round, until: 0 } };
  room.say({ say: 'tick' });
  await room.turnUp();
  room.up();
  await ada.locator('.strip[data-connection="open"]').waitFor();
  await ada.locator('.strip', { hasText: 'Round 2' }).waitFor();
  assert.equal(room.heard.filter((one) => one.do === 'bid').length, 1, 'the bid was meant for another round');
});

test('refusals are said in words; a vote to skip; chat that one person hides', async () => {
  openRoom();
  const ada = await takeSeat('Ada');
  const ben = await takeSeat('Ben');
  await ada.getByRole('button', { name: 'Start the game' }).click();
  await ben.locator('.pad').waitFor();
  await ada.getByRole('button', { name: 'Skip (0 of 2)' }).click();
  await ben.getByRole('button', { name: 'Skip (1 of 2)' }).waitFor();
  await waitForAnnouncement(ben, /Ada wants to skip: 1 of 2/);
  await bid(ben, 8);
  await waitForAnnouncement(ada, /Ben bids 8/);
  assert.equal(await ada.getByRole('button', { name: /^Skip/ }).count(), 0, 'a round with a bid is played');
  await ben.locator('.pad-field').fill('8');
  await ben.keyboard.press('Enter');
  await ben.getByText('Your bid is 8; a new one must be lower.').waitFor();
  await ben.locator('.talk summary').click();
  await ada.locator('.talk summary').click();
  await ben.locator('.talk input').fill('<b>hello</b>');
  await ben.keyboard.press('Enter');
  await ada.locator('.talk-lines', { hasText: '<b>hello</b>' }).waitFor();
  await waitForAnnouncement(ada, /Ben says: <b>hello<\/b>/);
  await ada.getByRole('button', { name: 'More about Ben' }).click();
  await ada.getByRole('button', { name: 'Hide their messages for me' }).click();
  assert.equal(await ada.locator('.talk-lines li').count(), 0);
});

test('a chip that comes back makes the same puzzle again, and it is another round', async () => {
  openRoom({ sand_ms: 300 });
  const ada = await takeSeat('Ada');
  await room.start([16]);
  await ada.locator('.pad').waitFor();
  await ada.locator('[data-cell="0,0"][aria-label]').waitFor({ state: 'attached' });
  await play(ada, ['RN']);
  await bid(ada, 3);
  await ada.getByRole('button', { name: 'I can’t show it' }).click();
  await ada.getByRole('heading', { name: 'Everybody failed' }).waitFor();
  await ada.locator('#toast', { hasText: 'Ada cannot show it' }).waitFor();
  await room.turnUp();
  await ada.locator('.strip', { hasText: 'Round 2' }).waitFor();
  await ada.locator('.tried', { hasText: 'Try moves on the board' }).waitFor();
  await play(ada, ['RN']);
  await ada.locator('.tried', { hasText: 'One move tried' }).waitFor();
});

test('somebody who opens the link watches, and everybody sees each move of a show', async () => {
  openRoom({ sand_ms: 1000 });
  const ada = await takeSeat('Ada');
  const eve = await people.openPage(`${people.server.url}/#room=${room.name}`, { fake: room });
  // She is in the room before anything happens there.
  await eve.locator('#join-name').waitFor();
  await ada.getByRole('button', { name: 'Start the game' }).click();
  await ada.locator('.pad').waitFor();
  await eve.getByText('You are watching ·').waitFor();
  assert.equal(await eve.locator('.pad').isVisible(), false);
  await bid(ada, 4);
  await waitForAnnouncement(eve, /Ada shows/);
  // Ada's own page may hear of it a moment later.
  await ada.getByRole('button', { name: 'I can’t show it' }).waitFor();
  await play(ada, ['RN']);
  await waitForAnnouncement(eve, /Red goes north to column 1, row 14; stopped by a wall/);
  await eve.getByRole('heading', { name: 'Ada shows: 1 of 4' }).waitFor();
  await ada.getByRole('button', { name: 'I can’t show it' }).click();
  await waitForAnnouncement(eve, /Ada cannot show it/);
});

test('a phone on its side: board, sand and bids without scrolling, then the show and its result', async () => {
  openRoom({ sand_ms: 1000 });
  const ada = await takeSeat('Ada', 'landscape');
  await ada.getByRole('button', { name: 'Start the game' }).tap();
  await ada.locator('.pad').waitFor();
  await assertInSight(ada, ['.strip', '.sand', '#board', '.under', '.pad-numbers', '.pad-send']);
  await bid(ada, 9);
  await ada.getByRole('button', { name: 'I can’t show it' }).waitFor();
  await assertInSight(ada, ['.strip', '#board', '.actions:visible', '.seat']);
  await play(ada, room.solution ?? []);
  await ada.getByRole('heading', { name: 'Ada wins the chip with 9 moves.' }).waitFor();
  await assertInSight(ada, ['#board', '.outcome h2']);
  const [wide, screen] = await ada.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= screen, `${wide} pixels do not fit into ${screen}`);
});

test('without a server of rooms the lobby says so and has the table', async () => {
  openRoom();
  const page = await people.openPage('about:blank', { mayComplain: ['404'] });
  await page.route(/\/api\/v1\/rooms/, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: 'nothing here' }));
  await page.goto(`${people.server.url}/#room`);
  await page.getByRole('heading', { name: 'Rooms need a server' }).waitFor();
  await page.getByRole('button', { name: 'Start at the table' }).click();
  await page.getByRole('button', { name: 'Begin' }).waitFor();
});
