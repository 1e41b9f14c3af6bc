// The player's progress survives a reload, other modes, links and failures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf, lineOf, movesOf, playKeys, waitForBoard, useBrowser } from '../tools/browser.mjs';
import { needsServer } from '../tools/server.mjs';

const { onPage } = useBrowser();
/** Red has to go from the north-west to the south-east: two moves. */
const EASY = '8x8..0034.R77';

test('a solution is kept at once: a reload shows the best and the time', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['RE']);
    await page.waitForTimeout(1100);
    await playKeys(page, ['RS']);
    await page.locator('#panel').getByText('Solved in 2 moves.').waitFor();
    const numbers = () => page.locator('.task .numbers dd').allTextContents();
    await page.waitForFunction(() => document.querySelector('.task .numbers')?.textContent?.includes('★'));
    const before = await numbers();
    await page.reload();
    await waitForBoard(page);
    await page.waitForFunction(() => document.querySelector('.task .numbers')?.textContent?.includes('★'));
    assert.deepEqual(await numbers(), before);
  });
});

test('a link that is copied holds the puzzle and not its solution', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['RE', 'RS']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, new RegExp(`(#play=|/p/)${EASY}$`));
    // The editor reads such a link.
    await page.locator('#modes [data-mode="edit"]').click();
    await page.getByText('Import a puzzle').click();
    await page.getByLabel(/^Any format/).fill(copied);
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByText('Read one puzzle.').waitFor();
    await page.waitForFunction((line) => location.hash === `#edit=${line}`, EASY);
  });
});

test('a look at the editor leaves the puzzle and its moves as they were', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['GN']);
    await page.locator('#modes [data-mode="edit"]').click();
    await page.locator('.verdict').getByText('the fewest possible').waitFor();
    await page.locator('#modes [data-mode="play"]').click();
    await page.locator('#modes [data-mode="play"][aria-current]').waitFor();
    await page.locator('.moves-row').getByText('Green north').waitFor({ state: 'attached' });
    assert.deepEqual([await lineOf(page), await movesOf(page)], [EASY, ['GN']]);
  });
});

test('a look at the rooms leaves the puzzle, its moves and what it counts for as they were', async () => {
  const day = '2026-11-16';
  for (const [address, moves] of /** @type {const} */ ([[`#play=${EASY}`, ['GN']], [`#play=${EASY}`, []], [`#play&as=daily-${day}`, []]])) {
    await onPage(address, {}, async (page) => {
      await waitForBoard(page);
      await page.waitForFunction(() => /#play=/.test(location.hash));
      await playKeys(page, [...moves]);
      const before = await hashOf(page);
      await page.locator('#modes [data-mode="room"]').click();
      await page.locator('.cards-page').waitFor();
      await page.locator('#modes [data-mode="play"]').click();
      await page.locator('#modes [data-mode="play"][aria-current]').waitFor();
      await page.locator('.moves-row').waitFor();
      await page.waitForFunction((hash) => location.hash === hash, before);
      assert.deepEqual([await lineOf(page) !== '', await movesOf(page)], [true, [...moves]]);
      // The analysis from the rooms is that of the same position.
      await page.locator('#modes [data-mode="room"]').click();
      await page.locator('.cards-page').waitFor();
      await page.locator('#modes [data-mode="analyse"]').click();
      await page.locator('.verdict').waitFor();
      assert.ok((await hashOf(page)).startsWith(before.replace('#play', '#analyse').split('&as')[0]));
    });
  }
});

test('commands stop at what cannot be done, and keep the rest', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await page.keyboard.press('/');
    await page.locator('#command-text').fill('RE RN GN');
    await page.keyboard.press('Enter');
    await page.locator('#toast').getByText('Red cannot go north').waitFor();
    assert.deepEqual(await movesOf(page), ['RE']);
    assert.equal(await page.locator('#command-text').inputValue(), 'RN GN');
  });
});

test('a link whose position is wrong is not played, and says why', async () => {
  await onPage('#play=1A4B3B2B.ffffffff.B36', {}, async (page) => {
    await page.locator('#panel').getByText('The red and the green robot are both at column 15, row 15.').waitFor();
    assert.equal(await page.locator('#board').getAttribute('data-empty'), 'yes');
  });
  await onPage('#play&as=daily-1999-99-99', {}, async (page) => {
    await waitForBoard(page);
    await page.getByText(/^Puzzle of/).waitFor();
    assert.doesNotMatch(await hashOf(page), /1999/);
  });
});

test('a storm can be stopped', async () => {
  await onPage('#play&as=storm', {}, async (page) => {
    await page.getByRole('button', { name: 'Start' }).click();
    await waitForBoard(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('heading', { name: 'Stopped: 0 puzzles solved.' }).waitFor();
  });
});

test('a mode that could not be fetched comes when the server is back', needsServer, async () => {
  await onPage(`#play=${EASY}`, { mayComplain: ['Failed to load', 'ERR_', 'dynamically imported'] }, async (page) => {
    await waitForBoard(page);
    await page.route('**/analyse/mode.js', (route) => route.abort('connectionrefused'), { times: 1 });
    await page.locator('#modes [data-mode="analyse"]').click();
    await page.locator('#toast').getByText('The server is not responding.').waitFor();
    await page.getByText('2 moves to go').waitFor();
  });
});
