// The analysis board, used as a person would.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellAt, choose, waitForAnnouncement, movesOf, playKeys, waitForBoard, useBrowser } from '../tools/browser.mjs';
import { askServer } from '../tools/server.mjs';

/** @import {Page} from 'playwright-core' */

const PUZZLE = '1A4B3B2B.1fc1f0c0.B9c';
const { onPage } = useBrowser();

/** The verdict once the engine is done. @param {Page} page */
async function verdict(page) {
  await page.waitForFunction(() => /to go|cannot be solved|on its target/.test(document.querySelector('.verdict')?.textContent ?? ''));
  return (await page.locator('.verdict').textContent()) ?? '';
}

/** Opens a part of the panel. @param {Page} page @param {string} title */
async function openSection(page, title) {
  await page.getByRole('tab', { name: title, exact: true }).click();
  return page.getByRole('tabpanel', { name: title, exact: true });
}

test('the evaluation is the engine’s: distance, every move, the best first', async () => {
  await onPage(`#analyse=${PUZZLE}`, {}, async (page, server) => {
    await waitForBoard(page);
    const text = await verdict(page);
    const answer = await askServer(server, 'position', { puzzle: PUZZLE });
    assert.equal(text, answer.distance === 1 ? 'One move to go' : `${answer.distance} moves to go`);
    assert.match((await page.locator('.task-text').textContent()) ?? '', /blue .*column 9, row 12/i, 'who has to go where');
    const rows = page.locator('.moves-table tbody tr');
    assert.equal(await rows.count(), answer.moves.length);
    assert.ok(await rows.first().evaluate((row) => row.classList.contains('best')));
    assert.equal(await page.locator('.moves-table tr.best').count(), answer.moves.filter((/** @type {any} */ move) => move.best).length);
    assert.ok((await page.locator('.layer-engine .pointer').count()) > 0, 'best moves are arrows');
    await page.keyboard.press('a');
    assert.equal(await page.locator('.layer-engine .pointer').count(), 0);
    await page.keyboard.press('l');
    await waitForAnnouncement(page, /Engine off/);
    assert.equal(await page.locator('.verdict').textContent(), 'The engine is off.');
  });
});

test('Space plays the best move until the robot is on its target', async () => {
  await onPage(`#analyse=${PUZZLE}`, {}, async (page) => {
    await waitForBoard(page);
    let left = Number.parseInt(await verdict(page), 10);
    while (left > 0) {
      await page.locator('#board').click({ position: { x: 2, y: 2 } });
      await page.keyboard.press(' ');
      const goal = left - 1;
      const wanted = goal === 0 ? 'on its target' : goal === 1 ? 'One move' : `${goal} moves`;
      await page.waitForFunction((text) => document.querySelector('.verdict')?.textContent?.includes(text), wanted);
      left = goal;
    }
    assert.ok((await movesOf(page)).length > 0);
  });
});

test('a new move branches, old lines stay, keys walk the tree, and it comes back after a reload', async () => {
  await onPage(`#analyse=${PUZZLE}`, {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['BW', 'BS']);
    assert.deepEqual(await movesOf(page), ['BW', 'BS']);
    await page.keyboard.press('k');
    assert.deepEqual(await movesOf(page), ['BW']);
    await playKeys(page, ['GS']);
    assert.deepEqual(await movesOf(page), ['BW', 'GS']);
    assert.equal(await page.locator('.variation').count(), 1);
    await page.keyboard.press('Shift+K');
    assert.deepEqual(await movesOf(page), ['BW', 'BS']);
    await page.keyboard.press('Shift+J');
    assert.deepEqual(await movesOf(page), ['BW', 'GS']);
    await page.keyboard.press('Home');
    assert.deepEqual(await movesOf(page), []);
    await page.keyboard.press('End');
    assert.deepEqual(await movesOf(page), ['BW', 'BS']);
    await page.reload();
    await waitForBoard(page);
    await page.locator('.variation').waitFor();
    assert.deepEqual(await movesOf(page), ['BW', 'BS']);
    await page.keyboard.press('Delete');
    assert.deepEqual(await movesOf(page), ['BW']);
    assert.equal(await page.locator('.variation').count(), 0);
  });
});

test('the wheel over the board steps through the moves', async () => {
  await onPage(`#analyse=${PUZZLE}&moves=BW-BS`, {}, async (page) => {
    await waitForBoard(page);
    const { x, y } = await cellAt(page, 5, 5);
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -120);
    await page.waitForFunction(() => location.hash.endsWith('moves=BW'));
    // Turns that follow each other at once are one.
    await page.waitForTimeout(300);
    await page.mouse.wheel(0, 120);
    await page.waitForFunction(() => location.hash.endsWith('moves=BW-BS'));
  });
});

test('all shortest solutions are counted, stepped through and watched', async () => {
  await onPage(`#analyse=${PUZZLE}`, {}, async (page, server) => {
    await waitForBoard(page);
    const answer = await askServer(server, 'all', { puzzle: PUZZLE, group: true });
    const part = await openSection(page, 'Solutions');
    await part.locator('.solutions li').first().waitFor();
    assert.equal(await part.locator('.solutions li').count(), answer.groups.length);
    await choose(part, 'Speed', 'Fast');
    await part.getByRole('button', { name: 'Step through' }).first().click();
    assert.deepEqual(await movesOf(page), [], 'the board stays where the solution begins');
    await page.keyboard.press('j');
    assert.equal((await movesOf(page)).length, 1);
    // They stay listed while one walks, and begin where they were found.
    assert.equal(await part.locator('.solutions li').count(), answer.groups.length);
    await part.getByRole('button', { name: 'Watch' }).last().click();
    await page.waitForFunction(() => /on its target/.test(document.querySelector('.verdict')?.textContent ?? ''));
    assert.equal((await movesOf(page)).length, answer.length);
  });
});

for (const size of /** @type {const} */ (['desktop', 'phone'])) {
  test(`what a tab opens is brought into sight: ${size}`, async () => {
    await onPage('#analyse=1A4B3B2B.1fc1f0c0.B9c', { size }, async (page) => {
      await page.locator('.principal .move-chip').first().waitFor();
      await page.getByRole('tab', { name: 'Solutions' }).click();
      await page.locator('.solutions li').first().waitFor();
      const box = await page.locator('.solutions li').first().boundingBox();
      assert.ok(box && box.y > 0 && box.y + 60 < /** @type {{height: number}} */ (page.viewportSize()).height - (size === 'phone' ? 56 : 0), JSON.stringify(box));
    });
  });
}

test('S plays a whole shortest solution as a variation', async () => {
  await onPage(`#analyse=${PUZZLE}`, {}, async (page, server) => {
    await waitForBoard(page);
    const { length } = await askServer(server, 'solve', { puzzle: PUZZLE });
    await page.keyboard.press('s');
    await page.waitForFunction((n) => /moves=([^&]*)/.exec(location.hash)?.[1].split('-').length === n, length);
    await waitForAnnouncement(page, /target/i);
  });
});

test('words, solvers side by side and maps', async () => {
  await onPage(`#analyse=${PUZZLE}`, {}, async (page, server) => {
    await waitForBoard(page);
    const words = await openSection(page, 'In words');
    await words.locator('.sentences li').first().waitFor();
    const { length } = await askServer(server, 'solve', { puzzle: PUZZLE });
    assert.equal(await words.locator('.sentences li').count(), length);
    const maps = await openSection(page, 'Maps');
    await choose(maps, 'What the cells show', 'Fewest moves to the target');
    await page.locator('.layer-overlay rect').first().waitFor({ state: 'attached' });
    await choose(maps, 'What the cells show', 'None');
    await page.waitForFunction(() => !document.querySelector('.layer-overlay rect'));
    const compare = await openSection(page, 'Solvers');
    await compare.getByRole('button', { name: 'Run all solvers' }).click();
    const { solvers } = await askServer(server, 'solvers', {});
    await page.waitForFunction((n) => document.querySelectorAll('.compare-table tbody tr').length === n, solvers.length, { timeout: 60_000 });
    assert.match((await compare.locator('tbody tr', { hasText: 'flagship' }).textContent()) ?? '', /proved/);
  });
});

test('on a phone the table of solvers fits, with all that it says', async () => {
  for (const language of ['en', 'de']) {
    await onPage(`#analyse=${PUZZLE}`, { size: 'phone', settings: { language } }, async (page, server) => {
      await waitForBoard(page);
      const compare = await openSection(page, language === 'de' ? 'Löser' : 'Solvers');
      await compare.getByRole('button', { name: language === 'de' ? 'Alle Löser starten' : 'Run all solvers' }).click();
      const { solvers } = await askServer(server, 'solvers', {});
      await page.waitForFunction((n) => document.querySelectorAll('.compare-table tbody tr').length === n, solvers.length, { timeout: 60_000 });
      assert.equal(await compare.getByRole('cell').count(), solvers.length * 5, 'still a table for screen readers');
      const cut = await compare.evaluate((section) => {
        const { left, right } = section.getBoundingClientRect();
        return [...section.querySelectorAll('tbody :is(th, td)')].flatMap((cell) => {
          const box = cell.getBoundingClientRect();
          const seen = box.width > 0 && box.left >= left && box.right <= right && cell.scrollWidth <= cell.clientWidth + 1;
          return seen ? [] : [`${cell.textContent} at ${box.left} to ${box.right}`];
        });
      });
      assert.deepEqual(cut, []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    });
  }
});

test('in German too a solution is told in sentences, with what each robot is needed for', async () => {
  // Green goes to the corner first and stops red there.
  await onPage('#analyse=4x3..0012.R31', { settings: { language: 'de' } }, async (page) => {
    await waitForBoard(page);
    const part = await openSection(page, 'In Worten');
    await part.getByText('3 Züge, weniger geht nicht.').waitFor();
    const sentences = await part.locator('.sentences li').allTextContents();
    assert.equal(sentences.length, 3);
    assert.ok(sentences.some((one) => /^Grün zieht nach Osten .* Dort hält er Rot in Zug 3 auf\.$/.test(one)), sentences.join('\n'));
    assert.match(sentences[2], /^Rot zieht nach Süden .*Grün hält ihn auf\. Das ist das Ziel\.$/);
  });
});

test('own arrows snap to moves, are kept and erased', async () => {
  await onPage(`#analyse=${PUZZLE}`, {}, async (page) => {
    await waitForBoard(page);
    const from = await cellAt(page, 15, 0);
    const to = await cellAt(page, 15, 3);
    const draw = async () => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down({ button: 'right' });
      await page.mouse.move(to.x, to.y);
      await page.mouse.up({ button: 'right' });
    };
    await draw();
    assert.equal(await page.locator('.layer-own .pointer').count(), 1);
    await page.reload();
    await waitForBoard(page);
    await page.locator('.layer-own .pointer').waitFor({ state: 'attached' });
    await draw();
    assert.equal(await page.locator('.layer-own .pointer').count(), 0);
  });
});

test('on a phone: taps move robots, the table plays moves, links are copied', async () => {
  await onPage(`#analyse=${PUZZLE}`, { size: 'phone' }, async (page) => {
    await waitForBoard(page);
    await verdict(page);
    await page.locator('.moves-table button').first().tap();
    assert.equal((await movesOf(page)).length, 1);
    await page.getByRole('tab', { name: 'Export' }).tap();
    await page.getByRole('button', { name: 'Copy link', exact: true }).tap();
    await page.locator('#toast').getByText('Copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await page.evaluate(() => location.href));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.equal(wide, false, 'nothing sticks out');
  });
});

test('the command box and the ear get the same analysis', async () => {
  await onPage(`#analyse=${PUZZLE}`, {}, async (page) => {
    await waitForBoard(page);
    const text = await verdict(page);
    await page.keyboard.press('/');
    const box = page.locator('#command-text');
    await box.fill('evaluate');
    await box.press('Enter');
    await waitForAnnouncement(page, new RegExp(`${text}.*Best:`));
    await box.fill('BW BS undo');
    await box.press('Enter');
    assert.deepEqual(await movesOf(page), ['BW']);
  });
});

test('a position that cannot be solved says so', async () => {
  await onPage('#analyse=3x3..00.R11', {}, async (page) => {
    await waitForBoard(page);
    assert.equal(await verdict(page), 'This position cannot be solved.');
  });
});
