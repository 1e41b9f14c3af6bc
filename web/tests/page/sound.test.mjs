// Sounds: the right tones at the right moments, and none unless they are turned on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playKeys, waitForBoard, useBrowser } from '../tools/browser.mjs';
import { FakeRoom } from '../tools/fake-room.mjs';
import { usePlayers } from '../tools/players.mjs';

/** @import {Page} from 'playwright-core' */

const EASY = '8x8..0034.R77';
/** The pitches of each sound. */
const NAMES = { 220: 'slide', 110: 'bump', '523 659 784': 'solved', 196: 'wrong', 392: 'bid', 660: 'tick', '523 392 523': 'sand' };

const { onPage } = useBrowser();
const people = usePlayers();

/** Instead of the loudspeaker: writes down which tones begin, and what keeps them from being heard. */
function listen() {
  const log = /** @type {any} */ (window);
  log.tones = [];
  log.contexts = 0;
  log.resumed = 0;
  class Param {
    value = 0;
    /** @param {number} value @param {number} at */
    setValueAtTime(value, at) {
      this.loud = [value, at];
    }
    /** @param {number} value @param {number} at */
    exponentialRampToValueAtTime(value, at) {
      this.faded = [value, at];
    }
  }
  class Part {
    frequency = new Param();
    gain = new Param();
    /** @type {any[]} */
    to = [];
    type = '';
    /** @param {any} part */
    connect(part) {
      this.to.push(part);
      return part;
    }
    /** @param {number} at */
    start(at) {
      this.begins = at;
    }
    /** @param {number} at */
    stop(at) {
      const [volume] = this.to;
      const audible = volume?.to[0] === log.loudspeaker && volume.gain.loud[0] > 0 && volume.gain.faded[1] === at && at > Number(this.begins);
      // A tone that begins later than now belongs to the one before it.
      log.tones.push({ pitch: this.frequency.value, first: this.begins === log.now, audible });
    }
  }
  log.now = 5;
  log.loudspeaker = new Part();
  log.AudioContext = class {
    state = log.asleep ? 'suspended' : 'running';
    currentTime = log.now;
    destination = log.loudspeaker;
    constructor() {
      log.contexts += 1;
    }
    async resume() {
      log.resumed += 1;
      this.state = 'running';
    }
    createOscillator() {
      return new Part();
    }
    createGain() {
      return new Part();
    }
  };
}

/** The names of the sounds so far. @param {Page} page @returns {Promise<string[]>} */
async function sounds(page) {
  const tones = await page.evaluate(() => /** @type {any} */ (window).tones);
  assert.ok(tones.every((/** @type {any} */ tone) => tone.audible), 'every tone reaches the loudspeaker, is loud, and ends');
  /** @type {number[][]} */
  const groups = [];
  for (const { pitch, first } of tones) {
    if (first) groups.push([pitch]);
    else groups.at(-1)?.push(pitch);
  }
  return groups.map((group) => /** @type {Record<string, string>} */ (NAMES)[group.join(' ')] ?? `unknown: ${group}`);
}

/** Waits for the sounds, the last of which comes with time. @param {Page} page @param {string[]} wanted */
async function hears(page, wanted) {
  const count = await page.waitForFunction((n) => /** @type {any} */ (window).tones.filter((/** @type {any} */ tone) => tone.first).length >= n, wanted.length);
  await count.dispose();
  assert.deepEqual(await sounds(page), wanted);
}

/** A game with its loudspeaker listened to from the beginning. @param {Page} page @param {string} hash */
async function again(page, hash) {
  await page.addInitScript(listen);
  await page.goto('about:blank');
  await page.goto(hash);
  await waitForBoard(page);
}

test('sounds are off at first; the settings turn them on and off', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await again(page, page.url());
    const turn = async () => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('Sound').click();
      await page.getByRole('button', { name: 'Close' }).click();
    };
    await playKeys(page, ['GN']);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).contexts), 0, 'not even asked for');
    await turn();
    await playKeys(page, ['GW']);
    await hears(page, ['slide']);
    await turn();
    await playKeys(page, ['GS']);
    assert.deepEqual(await sounds(page), ['slide'], 'silent at once');
  });
});

test('play: a slide, a robot that cannot move, a solution', async () => {
  await onPage(`#play=${EASY}`, { settings: { sound: true } }, async (page) => {
    await again(page, page.url());
    await playKeys(page, ['RN', 'RE', 'RS']);
    await hears(page, ['bump', 'slide', 'solved']);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).contexts), 1, 'one loudspeaker for all');
  });
});

test('a loudspeaker that the phone has put to sleep is woken', async () => {
  await onPage(`#play=${EASY}`, { settings: { sound: true } }, async (page) => {
    await page.addInitScript(() => {
      /** @type {any} */ (window).asleep = true;
    });
    await again(page, page.url());
    await playKeys(page, ['RE']);
    await hears(page, ['slide']);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).resumed), 1);
  });
});

/** A room with one real page and two other players. @param {object} options @param {(page: Page, room: FakeRoom) => Promise<void>} run */
async function inRoom(options, run) {
  const room = new FakeRoom(people.server, options);
  try {
    const page = await people.openPage('about:blank', { fake: room, stored: { settings: { language: 'en', sound: true } } });
    await page.addInitScript(listen);
    await page.goto(`${people.server.url}/#room=${room.name}`);
    await page.locator('#join-name').fill('Ada');
    await page.getByRole('button', { name: 'Take a seat' }).click();
    await page.locator('.seat[data-you="yes"]').waitFor();
    room.seat('Ben');
    await page.getByRole('button', { name: 'Start the game' }).click();
    await page.locator('.pad').waitFor();
    await page.locator('[data-cell="0,0"][aria-label]').waitFor({ state: 'attached' });
    await run(page, room);
  } finally {
    room.stop();
    await people.closeAll();
  }
}

test('a room: bids of others, sand that is nearly and quite through, a failure, a chip', async () => {
  await inRoom({ sand_ms: 10_600 }, async (page, room) => {
    room.say({ say: 'bid', player: 2, moves: room.solution.length + 1 });
    await hears(page, ['bid', 'tick']);
    await page.keyboard.type(String(room.solution.length));
    await page.keyboard.press('Enter');
    await page.locator('.seat[data-you="yes"] .seat-bid', { hasText: String(room.solution.length) }).waitFor();
    assert.deepEqual(await sounds(page), ['bid', 'tick'], 'whoever bids knows it');
  });
  await inRoom({ sand_ms: 300 }, async (page, room) => {
    room.say({ say: 'bid', player: 1, moves: 1 });
    room.say({ say: 'bid', player: 2, moves: room.solution.length });
    await hears(page, ['bid', 'sand']);
    room.say({ say: 'give-up', player: 1 });
    await hears(page, ['bid', 'sand', 'wrong']);
    for (const play of room.solution) room.say({ say: 'show', player: 2, play });
    await hears(page, ['bid', 'sand', 'wrong', ...room.solution.map(() => 'slide'), 'solved']);
  });
});

test('at the table: a bid, a failure, a chip; a round that is skipped is not a failure', async () => {
  const wishes = { names: ['Ada', 'Ben'], board: 'none', sand: 60, show: 60 };
  const page = await people.openPage('about:blank', { stored: { settings: { language: 'en', sound: true }, 'table-wishes': wishes } });
  await page.addInitScript(listen);
  await page.clock.install();
  await page.goto(`${people.server.url}/#room&as=table`);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: 'Turn up the next target' }).click();
  await page.keyboard.press('k');
  await page.getByRole('button', { name: 'Turn up the next target' }).click();
  assert.deepEqual(await sounds(page), []);
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await hears(page, ['bid']);
  await page.getByRole('radio', { name: 'Ben' }).check({ force: true });
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await page.clock.fastForward(61_000);
  await page.locator('.seat[data-turn="shows"]', { hasText: 'Ada' }).waitFor();
  const before = await sounds(page);
  assert.deepEqual([before.slice(0, 2), before.at(-1)], [['bid', 'bid'], 'sand']);
  await page.keyboard.press('f');
  await hears(page, [...before, 'wrong']);
  await page.keyboard.press('m');
  await hears(page, [...before, 'wrong', 'solved']);
  await people.closeAll();
});

test('nobody is heard by a page that was never touched', async () => {
  const room = new FakeRoom(people.server, { sand_ms: 60_000 });
  try {
    room.seat('Ben');
    await room.start();
    const page = await people.openPage('about:blank', { fake: room, stored: { settings: { language: 'en', sound: true } } });
    await page.addInitScript(listen);
    // The browser's driver counts as a touch of the page.
    await page.addInitScript(() => Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } }));
    await page.goto(`${people.server.url}/#room=${room.name}`);
    await page.locator('.seat', { hasText: 'Ben' }).waitFor();
    room.say({ say: 'bid', player: 1, moves: 20 });
    await page.locator('.seat[data-turn="lowest"]').waitFor();
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).contexts), 0);
  } finally {
    room.stop();
    await people.closeAll();
  }
});
