// Playing one puzzle: by keys, by mouse, by touch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInSight, cellAt, choose, waitForAnnouncement, lineOf, movesOf, playKeys, waitForBoard, useBrowser } from '../tools/browser.mjs';
import { askServer } from '../tools/server.mjs';

const { onPage } = useBrowser();

/** Red has to go from the north-west to the south-east of an empty board: two moves. */
const EASY = '#play=8x8..0034.R77';
/** The slides' board: nine moves. */
const HARD = '#play=1A4B3B2B.1fc1f0c0.B9c';

test('keys: a longer solution, undo, redo, reset, a shorter solution', async () => {
  await onPage(EASY, {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['RE', 'RW', 'RS', 'RE']);
    await page.locator('#panel').getByText('Solved in 4 moves. There is a shorter solution.').waitFor();
    assert.deepEqual(await movesOf(page), ['RE', 'RW', 'RS', 'RE']);
    const par = page.locator('.result .numbers dd').nth(1);
    assert.equal(await par.textContent(), '?', 'the optimum is not given away');
    await page.keyboard.press('u');
    await page.keyboard.press('Backspace');
    assert.deepEqual(await movesOf(page), ['RE', 'RW']);
    await page.keyboard.press('Shift+U');
    assert.deepEqual(await movesOf(page), ['RE', 'RW', 'RS']);
    await page.keyboard.press('0');
    assert.deepEqual(await movesOf(page), []);
    await playKeys(page, ['RE', 'RS']);
    await page.locator('#panel').getByText('Solved in 2 moves. There is no shorter solution.').waitFor();
    await waitForAnnouncement(page, /There is no shorter solution/);
    await page.locator('.result').getByRole('img', { name: '3 of 3 stars' }).waitFor();
    assert.equal(await par.textContent(), '2');
  });
});

test('moves after the end and moves that are none are refused in words', async () => {
  await onPage(EASY, {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['RN']);
    await waitForAnnouncement(page, /Red cannot go north: stopped by the rim/);
    await playKeys(page, ['RE', 'RS', 'RW']);
    await waitForAnnouncement(page, /Already solved/);
    assert.deepEqual(await movesOf(page), ['RE', 'RS']);
  });
});

test('mouse: select and click an end, drag, hover, wheel', async () => {
  await onPage(EASY, {}, async (page) => {
    await waitForBoard(page);
    const green = await cellAt(page, 3, 4);
    await page.mouse.move(green.x, green.y);
    assert.equal(await page.locator('.preview').count(), 4, 'hovering a robot shows its four slides');
    await page.mouse.click(green.x, green.y);
    assert.equal(await page.locator('.end').count(), 4);
    const east = await cellAt(page, 7, 4);
    await page.mouse.move(east.x, east.y);
    assert.equal(await page.locator('.preview').count(), 1, 'hovering an end shows the slide to it');
    await page.mouse.click(east.x, east.y);
    assert.deepEqual(await movesOf(page), ['GE']);
    const red = await cellAt(page, 0, 0);
    await page.mouse.move(red.x, red.y);
    await page.mouse.down();
    await page.mouse.move(red.x + 2, red.y + 1);
    await page.mouse.move(red.x + red.side, red.y + 5, { steps: 4 });
    assert.equal(await page.locator('.preview').count(), 1);
    await page.mouse.up();
    assert.deepEqual(await movesOf(page), ['GE', 'RE']);
    await page.mouse.wheel(0, -120);
    await page.waitForFunction(() => location.hash.endsWith('moves=GE'));
    await page.waitForTimeout(120);
    await page.mouse.wheel(0, 120);
    await page.waitForFunction(() => location.hash.endsWith('moves=GE-RE'));
  });
});

test('a drag of less than three pixels is a click, and a short drag is taken back', async () => {
  await onPage(EASY, {}, async (page) => {
    await waitForBoard(page);
    const red = await cellAt(page, 0, 0);
    await page.mouse.move(red.x, red.y);
    await page.mouse.down();
    await page.mouse.move(red.x + 8, red.y, { steps: 2 });
    await page.mouse.up();
    assert.deepEqual(await movesOf(page), []);
  });
});

test('touch at 360 pixels: tap and tap, swipe, and scrolling beside robots', async () => {
  await onPage(EASY, { size: 'phone' }, async (page) => {
    await waitForBoard(page);
    const green = await cellAt(page, 3, 4);
    await page.touchscreen.tap(green.x + green.side * 0.1, green.y);
    const north = await cellAt(page, 3, 0);
    const cdp = await page.context().newCDPSession(page);
    // A finger trembles: that is still a tap.
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: north.x, y: north.y }] });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: north.x + 4, y: north.y + 3 }] });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.waitForFunction(() => location.hash.endsWith('moves=GN'));
    const swipe = async (/** @type {{x: number, y: number}} */ from, /** @type {number} */ dx, /** @type {number} */ dy) => {
      const at = (/** @type {number} */ share) => [{ x: from.x + dx * share, y: from.y + dy * share }];
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
      for (const share of [0.25, 0.5, 0.75, 1]) await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(share) });
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const red = await cellAt(page, 0, 0);
    await swipe(red, 4, red.side * 2);
    await page.waitForFunction(() => location.hash.endsWith('moves=GN-RS'));
    assert.deepEqual(await movesOf(page), ['GN', 'RS']);
    assert.equal(await page.evaluate(() => scrollY), 0, 'a swipe on a robot does not scroll');
    const empty = await cellAt(page, 5, 6);
    await swipe(empty, 0, -150);
    await page.waitForFunction(() => scrollY > 50);
    assert.deepEqual(await movesOf(page), ['GN', 'RS']);
  });
});

test('input during an animation is queued', async () => {
  await onPage(EASY, { motion: true }, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['GE', 'GN', 'GW', 'RS']);
    assert.deepEqual(await movesOf(page), ['GE', 'GN', 'GW', 'RS']);
    const placeOf = (/** @type {string} */ letter) => page.locator(`.robot[data-robot="${letter}"]`).getAttribute('transform');
    await page.waitForFunction(() => document.querySelector('.robot[data-robot="R"]')?.getAttribute('transform') === 'translate(50 750)');
    assert.equal(await placeOf('G'), 'translate(150 50)', 'red was in the way');
  });
});

test('hints say a little more each time, and the first only which robot', async () => {
  await onPage(HARD, {}, async (page) => {
    await waitForBoard(page);
    await page.keyboard.press('h');
    await page.locator('#panel').getByText(/^Hint: \w+ moves next\.$/).waitFor();
    assert.equal(await page.locator('.engine-arrows').count(), 0);
    await page.keyboard.press('h');
    await page.locator('#panel').getByText(/^Hint: from here 9 moves are enough/).waitFor();
    await page.keyboard.press('h');
    await page.locator('#panel').getByText(/^Hint: \w+ goes \w+\.$/).waitFor();
    assert.equal(await page.locator('.engine-arrows .pointer').count(), 1);
  });
});

test('the solution is shown only after giving up, and can be walked', async () => {
  await onPage(HARD, {}, async (page) => {
    await waitForBoard(page);
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Keep trying' }).click();
    assert.deepEqual(await movesOf(page), []);
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Show the solution' }).click();
    await page.locator('#panel').getByText('A shortest solution:').waitFor();
    await page.locator('.given-up').waitFor();
    assert.equal(await page.locator('.given-up .move-chip').count(), 9);
    await page.waitForFunction(() => location.hash.split('-').length === 9);
    await page.keyboard.press('u');
    assert.equal((await movesOf(page)).length, 8);
    await page.locator('#panel').getByText('–', { exact: true }).waitFor();
  });
});

test('on a phone, the given-up puzzle shows its solution in chips and what comes next', async () => {
  await onPage(EASY, { size: 'phone' }, async (page) => {
    await waitForBoard(page);
    await page.getByRole('button', { name: 'Solution' }).tap();
    await page.getByRole('button', { name: 'Show the solution' }).tap();
    await page.locator('.given-up .move-chip').nth(1).waitFor();
    await assertInSight(page, ['.given-up .move-chips', '.given-up .primary', '.given-up .result-close']);
    assert.equal(await page.locator('#toast').isVisible(), false);
    assert.equal(await page.getByRole('button', { name: /Another puzzle|New/ }).count(), 1, 'one button leads to the next puzzle');
    await page.locator('.given-up .result-close').tap();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.locator('#panel').getByText('A shortest solution:').waitFor();
  });
});

test('one button leads to the next puzzle', async () => {
  await onPage(EASY, {}, async (page) => {
    await waitForBoard(page);
    const next = () => page.locator('button:visible').filter({ hasText: /^(New|Another puzzle|New puzzle)$/ }).allTextContents();
    assert.deepEqual(await next(), ['New']);
    await playKeys(page, ['RS', 'RE']);
    await page.locator('.result .stars').waitFor();
    assert.deepEqual(await next(), ['Another puzzle']);
    await page.getByRole('button', { name: 'Close' }).click();
    assert.deepEqual(await next(), ['New']);
    await choose(page.locator('#panel'), 'Difficulty', 'Hard');
    assert.deepEqual(await next(), ['New', 'New puzzle']);
  });
});

test('a new puzzle that passes the filter, solved by keys; Back leads to the one before', async () => {
  await onPage(EASY, { stored: { wishes: { difficulty: 'easy', robots: 3 } } }, async (page, server) => {
    await waitForBoard(page);
    await playKeys(page, ['RE']);
    await page.keyboard.press('n');
    await page.waitForFunction(() => !location.hash.includes('8x8'));
    const puzzle = await lineOf(page);
    assert.doesNotMatch(puzzle, /\.o\d/, 'the address does not tell the optimum');
    assert.equal(await page.locator('.robot').count(), 3);
    const { moves } = await askServer(server, 'solve', { puzzle });
    await playKeys(page, moves);
    await page.locator('#panel').getByText(/There is no shorter solution/).waitFor();
    await page.goBack();
    await page.waitForFunction(() => location.hash.includes('8x8'));
    assert.deepEqual(await movesOf(page), ['RE'], 'nothing was lost by asking for a new one');
    await page.waitForFunction(() => document.querySelectorAll('.robot').length === 2);
  });
});

test('filters: an official layout and random walls', async () => {
  await onPage(EASY, { mayComplain: ['status of 400'] }, async (page) => {
    await waitForBoard(page);
    await choose(page.locator('#panel'), 'Difficulty', 'Any');
    await choose(page.locator('#panel'), 'Board', 'This layout');
    await page.getByRole('textbox', { name: 'Quadrants' }).fill('1A4B3B2B');
    await page.getByRole('textbox', { name: 'Quadrants' }).press('Tab');
    await page.getByRole('button', { name: 'New puzzle' }).click();
    await page.waitForFunction(() => location.hash.startsWith('#play=1A4B3B2B.'));
    await choose(page.locator('#panel'), 'Board', 'Random walls');
    await choose(page.locator('#panel'), 'Size', '10 × 10');
    await page.getByRole('button', { name: 'New puzzle' }).click();
    await page.waitForFunction(() => location.hash.startsWith('#play=10x10.'));
    assert.equal(await page.locator('[role="gridcell"]').count(), 100);
    await choose(page.locator('#panel'), 'Board', 'This layout');
    await page.getByRole('textbox', { name: 'Quadrants' }).fill('nonsense');
    await page.getByRole('textbox', { name: 'Quadrants' }).press('Tab');
    await page.getByRole('button', { name: 'New puzzle' }).click();
    await page.locator('#panel').getByText(/That did not work/).first().waitFor();
  });
});

test('the rule of the ricochet is kept', async () => {
  await onPage('#play=8x8..00.R70.m', {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['RE']);
    await waitForAnnouncement(page, /Red goes east to column 7, row 0/);
    assert.equal(await page.locator('#panel').getByText('Solved in').count(), 0);
    // To leave the target and come back does not make up for the straight way.
    await playKeys(page, ['RS', 'RN']);
    await waitForAnnouncement(page, /Red goes north to column 7, row 0/);
    assert.equal(await page.locator('#panel').getByText('Solved in').count(), 0);
    for (let move = 0; move < 3; move += 1) await page.keyboard.press('u');
    await playKeys(page, ['RS', 'RE', 'RN']);
    await page.locator('#panel').getByText(/Solved in 3 moves/).waitFor();
  });
});

test('home offers to go on with the puzzle that was begun', async () => {
  await onPage(EASY, {}, async (page, server) => {
    await waitForBoard(page);
    await playKeys(page, ['RE']);
    await page.goto('about:blank');
    await page.goto(`${server.url}/`);
    await waitForBoard(page);
    await page.getByRole('link', { name: 'Continue your puzzle (one move)' }).click();
    await page.waitForFunction(() => location.hash === '#play=8x8..0034.R77&moves=RE');
    await page.locator('#panel').getByRole('heading', { name: 'Red to the target' }).waitFor();
    await playKeys(page, ['RS']);
    await page.locator('#panel').getByText(/There is no shorter solution/).waitFor();
    await page.goto('about:blank');
    await page.goto(`${server.url}/`);
    await page.getByRole('link', { name: 'Random puzzle' }).waitFor();
    assert.equal(await page.getByRole('link', { name: /^Continue/ }).count(), 0);
  });
});

test('the next puzzle is made while one is played, and is there at once', async () => {
  await onPage(HARD, { stored: { wishes: { difficulty: 'hard' } } }, async (page) => {
    await waitForBoard(page);
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('ricochet.supply') ?? '[]').length >= 1, null, { timeout: 120_000 });
    const [request, kept] = await page.evaluate(() => JSON.parse(localStorage.getItem('ricochet.supply') ?? '[]')[0]);
    assert.match(request, /"hard"/);
    let generated = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/generate')) generated += 1;
    });
    const before = generated;
    await page.keyboard.press('n');
    await page.waitForFunction((hash) => location.hash !== hash, HARD);
    assert.equal(generated, before);
    assert.equal(await lineOf(page), kept.replace(/\.o\d+(?=\.|$)/, ''));
    const left = await page.evaluate(() => localStorage.getItem('ricochet.supply') ?? '');
    assert.ok(!left.includes(kept), 'it is given once');
  });
});

test('a click on a free cell in line with the selected robot moves it that way', async () => {
  await onPage(EASY, {}, async (page) => {
    await waitForBoard(page);
    const { x, y } = await cellAt(page, 4, 0);
    await page.mouse.click(x, y);
    assert.deepEqual(await movesOf(page), ['RE']);
  });
});

test('the clock waits for the first touch', async () => {
  await onPage(EASY, {}, async (page) => {
    await waitForBoard(page);
    const time = page.locator('.task .numbers dd').nth(1);
    await page.waitForTimeout(1600);
    assert.equal(await time.textContent(), '0:00');
    await playKeys(page, ['RE']);
    await page.waitForFunction(() => /0:0[1-9]/.test(document.querySelectorAll('.task .numbers dd')[1]?.textContent ?? ''));
  });
});

test('the question whether to give up keeps trying unless told otherwise', async () => {
  await onPage(HARD, {}, async (page) => {
    await waitForBoard(page);
    await page.keyboard.press('s');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await movesOf(page), []);
    assert.equal(await page.locator('.play-message .move-chip').count(), 0);
  });
});

test('what was solved after its analysis is not all the player’s own', async () => {
  await onPage(EASY.replace('play', 'analyse'), {}, async (page) => {
    await waitForBoard(page);
    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await page.waitForFunction(() => location.hash.startsWith('#play='));
    await playKeys(page, ['RE', 'RS']);
    await page.locator('.result').getByText('with analysis').waitFor();
  });
});

test('a shortest path for comparison is shown on request, and nothing counts from then on', async () => {
  await onPage(EASY, {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['RE', 'RW', 'RS', 'RE']);
    await page.locator('.result').getByRole('img', { name: '1 of 3 stars' }).waitFor();
    await page.getByRole('button', { name: 'Show a shortest path' }).click();
    await page.locator('.paths dd').nth(1).locator('.move-chip').nth(1).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await playKeys(page, ['RE', 'RS']);
    await page.locator('.result').waitFor();
    assert.equal(await page.locator('.result .stars').count(), 0);
    assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('ricochet.attempts') ?? '[]')[0][1].best), 4);
  });
});

test('on a phone the result and its next step are seen without scrolling', async () => {
  for (const language of ['en', 'de']) {
    await onPage('#play=1A4B3B2B.1fc1f0c0.B9c&moves=GS-GE-GN-GW-GS-BW-BS-BW', { size: 'phone', settings: { language } }, async (page, server) => {
      await waitForBoard(page);
      const { moves } = await askServer(server, 'solve', { puzzle: '1A4B3B2B.1fc1f0c0.B9c' });
      await page.keyboard.press('0');
      await playKeys(page, moves);
      await page.locator('.result .stars').waitFor();
      await assertInSight(page, ['.result .stars', '.result h2', '.result .numbers', '.result button.primary', '.result .wide-row > :last-child']);
      const [board, result] = await Promise.all(['#board', '.result'].map((part) => page.locator(part).boundingBox()));
      assert.ok(board && result && result.y >= board.y + board.height - 4, `the sheet leaves the board in sight: ${JSON.stringify({ board, result })}`);
    });
  }
});

test('on a phone a hint is shown even if its place in the panel is under the bar', async () => {
  await onPage(HARD, { size: 'phone' }, async (page) => {
    await waitForBoard(page);
    await page.getByRole('button', { name: 'Hint' }).tap();
    await page.locator('.play-message').getByText(/^Hint:/).waitFor();
    const bar = await page.locator('#modes').boundingBox();
    const place = await page.locator('.play-message').boundingBox();
    assert.ok(bar && place);
    if (place.y + Math.min(place.height, 40) > bar.y) await page.locator('#toast').getByText(/^Hint:/).waitFor();
  });
});

test('chips with numbers of two digits hold them', async () => {
  await onPage('#play=8x8..0034.R77&moves=GN-GS-GN-GS-GN-GS-GN-GS-GN-GS-GE', {}, async (page) => {
    await waitForBoard(page);
    const sizes = await page.locator('.badge').evaluateAll((badges) => badges.map((badge) => {
      const [chip, text] = [badge.querySelector('rect, circle'), badge.querySelector('.glyphs')].map((part) => /** @type {SVGGraphicsElement} */ (part).getBoundingClientRect());
      return { fits: text.left > chip.left + 2 && text.right < chip.right - 2, wide: chip.width > chip.height + 2 };
    }));
    assert.equal(sizes.length, 11);
    assert.ok(sizes.every(({ fits }) => fits));
    assert.deepEqual(sizes.map(({ wide }) => wide), [...Array(9).fill(false), true, true]);
  });
});
