// The page as a whole: weight, steadiness, a server that is gone, settings, addresses, paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellAt, choose, hashOf, lineOf, waitForAnnouncement, assertInSight, movesOf, playKeys, waitForBoard, useBrowser } from '../tools/browser.mjs';
import { needsServer } from '../tools/server.mjs';

const { onPage } = useBrowser();
const EASY = '8x8..0034.R77';
const SLIDES = '1A4B3B2B.1fc1f0c0.B9c';

test('the first view weighs less than 355 kB uncompressed and does not jump', async () => {
  for (const size of /** @type {const} */ (['phone', 'desktop'])) {
    await onPage('#play&as=daily', { size }, async (page) => {
      await waitForBoard(page);
      await page.waitForTimeout(800);
      const { bytes, shift } = await page.evaluate(async () => {
        const shifts = /** @type {any[]} */ (await new Promise((resolve) => {
          new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => resolve([]), 500);
        }));
        const entries = /** @type {PerformanceResourceTiming[]} */ ([...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]);
        return {
          // The engine is fetched after the first view and has its own limit.
          bytes: entries.filter((one) => !/\.wasm$|\/engine\/(?:http|manifest|parallel|wasm|worker)\b|\/offline\./.test(one.name)).reduce((sum, one) => sum + one.decodedBodySize + 300, 0),
          shift: shifts.reduce((sum, one) => sum + one.value, 0),
        };
      });
      // 322 kB were measured, in a desktop window; a tenth is left to grow.
      assert.ok(bytes < 355_000, `${bytes} bytes`);
      assert.ok(shift < 0.02, `${size}: layout shift ${shift}`);
    });
  }
});

test('in both languages the tools below the board are in one row and in sight, and choices are not cut', async () => {
  for (const language of ['en', 'de']) {
    await onPage(`#play=${SLIDES}`, { settings: { language } }, async (page) => {
      await waitForBoard(page);
      const tools = await page.locator('.under button').all();
      assert.ok(tools.length >= 6);
      const tops = new Set(await Promise.all(tools.map(async (tool) => Math.round((await tool.boundingBox())?.y ?? -1))));
      assert.equal(tops.size, 1, `${language}: ${[...tops]}`);
      await assertInSight(page, ['.under button >> nth=-1']);
    });
    await onPage(`#play=${SLIDES}`, { size: 'phone', settings: { language } }, async (page) => {
      await waitForBoard(page);
      await page.locator('#open-settings').click();
      const cut = await page.locator('dialog .choice span').evaluateAll((fields) => fields.flatMap((field) => {
        const { left, right } = field.getBoundingClientRect();
        return left < 0 || right > innerWidth || field.scrollWidth > field.clientWidth + 1 ? [field.textContent] : [];
      }));
      assert.deepEqual(cut, [], language);
    });
  }
});

test('a server that is gone is named, asked again, and welcomed back', needsServer, async () => {
  await onPage(`#play=${EASY}`, { mayComplain: ['Failed to load resource', 'ERR_'] }, async (page) => {
    await waitForBoard(page);
    let gone = true;
    await page.route('**/api/**', (route) => (gone ? route.abort('connectionrefused') : route.continue()));
    await page.keyboard.press('h');
    await page.locator('#banner').getByText('The server is not responding.').waitFor();
    await playKeys(page, ['GN']);
    assert.deepEqual(await movesOf(page), ['GN'], 'moves need no server');
    await page.keyboard.press('u');
    // The button works while the server is gone; when the server is back, the page may notice before
    // the button is pressed.
    await page.getByRole('button', { name: 'Try now' }).click();
    gone = false;
    await page.evaluate(() => document.getElementById('banner-retry')?.click());
    await page.locator('#banner').waitFor({ state: 'hidden' });
    await page.locator('#panel').getByText(/^Hint:/).waitFor();
  });
});

test('a busy server is asked again after the time it names', needsServer, async () => {
  await onPage(`#play=${EASY}`, { mayComplain: ['status of 503'] }, async (page) => {
    await waitForBoard(page);
    // An answer to anything else would say that the server is back.
    await page.waitForLoadState('networkidle');
    let refused = 0;
    await page.route('**/api/v1/position*', async (route) => {
      refused += 1;
      if (refused < 2) await route.fulfill({ status: 503, headers: { 'retry-after': '3' }, json: { error: { kind: 'busy', message: 'busy' } } });
      else await route.continue();
    });
    await page.keyboard.press('h');
    await page.locator('#banner').getByText('The server is busy.').waitFor();
    await page.locator('#panel').getByText(/^Hint:/).waitFor();
    assert.equal(refused, 2);
  });
});

test('answers are written as text, never as markup', needsServer, async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await page.route(/api.v1.(generate|read)\b/, (route) => route.fulfill({ json: { error: { kind: 'bad-request', message: '<img src=x onerror=alert(1)>' } } }));
    await page.keyboard.press('n');
    await page.locator('#panel').getByText('That did not work: <img src=x onerror=alert(1)>').waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
  });
});

test('addresses: moves are replayed, bad moves and bad puzzles are named', async () => {
  await onPage(`#play=${EASY}&moves=RE-RN-RS`, {}, async (page) => {
    await waitForBoard(page);
    await waitForAnnouncement(page, /Move 2 in the address, RN, is not possible/);
    assert.deepEqual(await movesOf(page), ['RE']);
    assert.equal(await page.locator('.robot[data-robot="R"]').getAttribute('transform'), 'translate(750 50)');
  });
  await onPage('#play=nonsense', { mayComplain: ['status of 4'] }, async (page) => {
    await page.locator('#panel').getByText(/That did not work/).waitFor();
  });
});

test('the links to the modes keep the position, and Back comes back', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['RE']);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.waitForFunction(() => location.hash.startsWith('#edit=8x8..0034.R77'));
    await page.goBack();
    await page.waitForFunction(() => location.hash === '#play=8x8..0034.R77&moves=RE');
    await page.locator('#panel').getByRole('heading', { name: 'Red to the target' }).waitFor();
    assert.deepEqual(await movesOf(page), ['RE']);
  });
});

test('a mode looks the same whatever modes were open before', async () => {
  const boxes = async (/** @type {import('playwright-core').Page} */ page) => {
    await waitForBoard(page);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(300);
    return page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true;
      return [...document.querySelectorAll('#panel *, #under *, #command *')].filter((part) => part.checkVisibility()).map((part) => {
        const { x, y, width, height } = part.getBoundingClientRect();
        return [part.tagName, part.className, getComputedStyle(part).fontWeight, ...[x, y + scrollY, width, height].map(Math.round)].join(' ');
      });
    });
  };
  for (const mode of ['play', 'analyse', 'edit']) {
    await onPage(`#${mode}=${EASY}`, { settings: { language: 'de' } }, async (page) => {
      const fresh = await boxes(page);
      for (const other of ['room', 'room&as=table', `edit=${EASY}`, `analyse=${EASY}`, `play=${EASY}`, `${mode}=${EASY}`]) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, other);
        await page.locator(`[data-mode="${other.split(/[=&]/)[0]}"] #panel > *`).first().waitFor();
        await page.waitForTimeout(300);
      }
      assert.deepEqual(await boxes(page), fresh, mode);
    });
  }
});

test('the theme follows the system until one is chosen', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    /** @param {string} theme */
    const shows = (theme) => page.waitForFunction((it) => document.documentElement.dataset.theme === it, theme);
    await page.emulateMedia({ colorScheme: 'dark' });
    await shows('dark');
    await page.emulateMedia({ colorScheme: 'dark', contrast: 'more' });
    await shows('contrast');
    await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' });
    await shows('light');
    await page.getByRole('button', { name: 'Settings' }).click();
    await choose(page, 'Colours', 'Colour-blind');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shows('color-blind');
    await choose(page, 'Colours', 'Same as the system');
    await shows('dark');
  });
});

test('settings: language, theme, coordinates, trails; they last', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['RE']);
    assert.equal(await page.locator('.trail').count(), 1);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Coordinates').uncheck();
    await page.getByLabel('Move trails').uncheck();
    await choose(page, 'Colours', 'Dark');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await choose(page, 'Language', 'Deutsch');
    await page.locator('#panel').getByText('Rot ins Ziel').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
    assert.equal(await page.title(), 'Rätsel · Rasende Roboter');
    assert.deepEqual(await movesOf(page), ['RE']);
    await page.reload();
    await waitForBoard(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.equal(await page.locator('.coordinates').count(), 0);
    assert.equal(await page.locator('.trail').count(), 0);
    await page.locator('#panel').getByText('Rot ins Ziel').waitFor();
  });
});

test('animations follow the system and the setting', async () => {
  const samples = async (/** @type {object} */ options) => {
    let seen = 0;
    await onPage(`#play=${EASY}`, options, async (page) => {
      await waitForBoard(page);
      await page.evaluate(() => {
        const robot = document.querySelector('.robot[data-robot="R"]');
        const places = new Set();
        Object.assign(globalThis, { places });
        if (robot) new MutationObserver(() => places.add(robot.getAttribute('transform'))).observe(robot, { attributes: true, attributeFilter: ['transform'] });
      });
      await playKeys(page, ['RE']);
      await page.waitForFunction(() => document.querySelector('.robot[data-robot="R"]')?.getAttribute('transform') === 'translate(750 50)');
      // @ts-expect-error defined above
      seen = await page.evaluate(() => globalThis.places.size);
    });
    return seen;
  };
  assert.ok((await samples({ motion: true })) > 2, 'it slides');
  assert.equal(await samples({ motion: false }), 1, 'it is there at once');
  assert.equal(await samples({ motion: true, settings: { motion: 'off' } }), 1);
});

test('moves are made at once while the engine thinks, not when it answers', needsServer, async () => {
  await onPage(`#play=${SLIDES}`, {}, async (page) => {
    await waitForBoard(page);
    // Nothing is answered from here on.
    await page.route('**/api/**', () => {});
    await page.keyboard.press('h');
    const made = await page.evaluate(async () => {
      /** @param {string} key */
      const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      let count = 0;
      for (const [robot, arrow] of [['r', 'ArrowRight'], ['g', 'ArrowDown'], ['b', 'ArrowLeft'], ['y', 'ArrowLeft'], ['r', 'ArrowUp'], ['g', 'ArrowRight']]) {
        const before = location.hash;
        press(robot);
        press(arrow);
        // A move is made before the next line runs, or not at all.
        if (location.hash !== before) count += 1;
        await new Promise(requestAnimationFrame);
      }
      return count;
    });
    assert.ok(made > 3, `${made} moves`);
    assert.equal((await movesOf(page)).length, made, 'none was made later');
  });
});

test('from 360 pixels to 4K the board fits and its cells are whole pixels', async () => {
  await onPage(`#play=${SLIDES}`, {}, async (page) => {
    await waitForBoard(page);
    for (const [width, height] of [[360, 640], [768, 1024], [1024, 600], [1920, 1080], [3840, 2160]]) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(150);
      const board = await page.locator('.board-frame').boundingBox();
      assert.ok(board && board.x >= 0 && board.x + board.width <= width, `${width}: ${JSON.stringify(board)}`);
      assert.ok(board.width > Math.min(width, height) * 0.6, `${width}: the board uses the room`);
      if (width >= 800) assert.ok(board.y + board.height <= height, `${width}: the whole board is seen`);
      const { side } = await cellAt(page, 5, 5);
      assert.ok(Math.abs(side - Math.round(side)) < 0.01, `${width}: cells of ${side} pixels`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    }
  });
});

test('on paper: the board and the task, and nothing to press', async () => {
  await onPage(`#play=${SLIDES}`, { settings: { theme: 'dark' } }, async (page) => {
    await waitForBoard(page);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('button', { name: 'Undo' }).isVisible(), false);
    const paper = await page.locator('.picture').boundingBox();
    assert.ok(paper && Math.abs(paper.width - (17 / 2.54) * 96) < 2, 'the board is 17 cm wide');
    assert.equal(await page.locator('#panel').getByRole('heading', { name: 'Blue to the target' }).isVisible(), true);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  });
});

for (const address of ['#home', '#play=1A4B3B2B.1fc1f0c0.B9c', '#analyse=1A4B3B2B.1fc1f0c0.B9c', '#edit=1A4B3B2B.1fc1f0c0.B9c', '#watch']) {
  test(`one page of paper: ${address}`, async () => {
    await onPage(address, {}, async (page) => {
      await waitForBoard(page);
      await page.waitForTimeout(500);
      const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
      assert.equal(paper.match(/\/Type\s*\/Page\b/g)?.length, 1);
      await page.emulateMedia({ media: 'print' });
      assert.deepEqual(await page.locator('button:visible, a.button:visible, input:visible, select:visible').allTextContents(), []);
      // What is to be done stands below the board.
      if (/home|play|analyse/.test(address)) await page.locator('#panel').getByText(/^Move .* to/).first().waitFor();
    });
  });
}

test('a puzzle in the fragment is asked for before the modules have arrived, once', needsServer, async () => {
  await onPage('#room', {}, async (page, server) => {
    let modules = 0;
    await page.route(/app\/app\.js/, async (route) => {
      modules = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    /** @type {number[]} */
    const reads = [];
    page.on('request', (request) => request.url().endsWith('/read') && reads.push(Date.now()));
    await page.goto(`${server.url}/?engine=server&first#play=4x3..0012.R31`);
    await waitForBoard(page);
    assert.equal(reads.length, 1);
    assert.ok(reads[0] < modules + 450, 'not after the modules');
    await page.reload();
    await waitForBoard(page);
    assert.equal(reads.length, 1, 'a reload knows the answer');
  });
});

test('the modes fit into the header, in German too, and the name of the page is whole or not there', async () => {
  await onPage('#home', { settings: { language: 'de' } }, async (page) => {
    await waitForBoard(page);
    for (const width of [900, 1000, 1100, 1150, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const { wide, name, shown } = await page.evaluate(() => {
        const title = /** @type {HTMLElement} */ (document.getElementById('title'));
        return { wide: document.documentElement.scrollWidth, name: title.scrollWidth <= title.clientWidth, shown: getComputedStyle(title).clipPath === 'none' };
      });
      assert.ok(wide <= width, `${wide} pixels do not fit into ${width}`);
      assert.ok(name || !shown, `the name is cut at ${width} pixels`);
    }
  });
});

test('sound is off until it is wanted', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await page.evaluate(() => {
      const Real = AudioContext;
      Object.assign(globalThis, { heardTones: 0 });
      Real.prototype.createOscillator = new Proxy(Real.prototype.createOscillator, {
        apply(target, context, args) {
          // @ts-expect-error defined above
          globalThis.heardTones += 1;
          return Reflect.apply(target, context, args);
        },
      });
    });
    // @ts-expect-error defined above
    const tones = () => page.evaluate(() => globalThis.heardTones);
    await playKeys(page, ['GN']);
    assert.equal(await tones(), 0);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Sound').check();
    await page.keyboard.press('Escape');
    await playKeys(page, ['GS']);
    assert.equal(await tones(), 1);
    assert.match(await hashOf(page), /moves=GN-GS/);
  });
});

test('on a phone that lies on its side the whole board is in sight, with its buttons beside it', async () => {
  for (const mode of ['play', 'analyse', 'edit']) {
    await onPage(`#${mode}=${SLIDES}`, { size: 'landscape' }, async (page) => {
      await waitForBoard(page);
      const { board, under, scroll } = await page.evaluate(() => {
        const box = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id)).getBoundingClientRect().toJSON();
        return { board: box('board'), under: box('under'), scroll: document.documentElement.scrollWidth };
      });
      assert.ok(board.top >= 0 && board.bottom <= 360 && board.height > 320, `${mode}: ${JSON.stringify(board)}`);
      assert.ok(under.left >= board.right && under.bottom <= 180, `${mode}: ${JSON.stringify(under)}`);
      assert.ok(scroll <= 740, `${mode}: ${scroll} wide`);
      // It stays there while the panel is read.
      await page.evaluate(() => scrollTo(0, 400));
      const top = await page.evaluate(() => document.getElementById('board')?.getBoundingClientRect().top ?? -1);
      assert.ok(top >= 0 && top < 20, `${mode}: ${top}`);
    });
  }
});

test('a link without a puzzle says so, and leads on', async () => {
  for (const mode of ['play', 'analyse', 'edit']) {
    await onPage(`#${mode}=nonsense`, { mayComplain: ['status of 4'] }, async (page) => {
      await page.locator('#panel').getByRole('heading', { name: 'This link does not work' }).waitFor();
      await page.getByRole('link', { name: 'New puzzle' }).click();
      await waitForBoard(page);
      assert.equal(await page.locator('.broken').count(), 0);
    });
  }
});

test('a notice on a phone covers neither the modes nor the settings', needsServer, async () => {
  await onPage(`#play=${EASY}`, { size: 'phone', mayComplain: ['Failed to load resource', 'ERR_'] }, async (page) => {
    await waitForBoard(page);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.keyboard.press('h');
    await page.locator('#banner').waitFor();
    for (const part of ['#open-more', '#open-help', '#open-settings', '.under .tool >> nth=0']) {
      const clear = await page.locator(part).first().evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
      assert.ok(clear, part);
    }
    // Nothing was made ahead, so there is no new puzzle, and Back would leave this one.
    await page.evaluate(() => localStorage.removeItem('ricochet.supply'));
    const asked = page.waitForRequest('**/api/v1/generate');
    await page.keyboard.press('n');
    await asked;
    await page.locator('#banner').waitFor();
    await page.waitForTimeout(300);
    assert.equal(await lineOf(page), EASY);
    assert.doesNotMatch((await page.locator('#toast').textContent()) ?? '', /Back button/, 'nothing was replaced');
    // With the server back, the question is answered.
    await page.unroute('**/api/**');
    await page.evaluate(() => document.getElementById('banner-retry')?.click());
    await page.waitForFunction((line) => !location.hash.includes(line), EASY);
  });
});

for (const size of /** @type {const} */ (['phone', 'landscape'])) {
  test(`modes for which the bar has no room open from it: ${size}`, async () => {
    await onPage(`#play=${EASY}`, { size }, async (page) => {
      await waitForBoard(page);
      const more = page.getByRole('button', { name: 'More', exact: true });
      const edit = page.getByRole('link', { name: 'Edit', exact: true });
      assert.equal(await more.getAttribute('aria-expanded'), 'false');
      assert.ok(!(await edit.isVisible()));
      await more.click();
      await assertInSight(page, ['#modes a[data-mode="analyse"]', '#modes a[data-mode="edit"]', '#modes a[data-mode="watch"]']);
      await page.keyboard.press('Escape');
      assert.ok(!(await edit.isVisible()));
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'open-more');
      await more.click();
      await page.locator('#board').click({ position: { x: 3, y: 3 } });
      assert.ok(!(await edit.isVisible()), 'a tap elsewhere closes it');
      await more.click();
      await edit.click();
      await page.locator('body[data-mode="edit"]').waitFor();
      await waitForBoard(page);
      assert.ok(!(await edit.isVisible()));
      assert.match(await hashOf(page), new RegExp(`^#edit=${EASY}`), 'with the puzzle that was open');
    });
  });
}

test('shortcuts of single letters can be turned off', async () => {
  await onPage(`#play=${EASY}`, { settings: { letterKeys: false } }, async (page) => {
    await waitForBoard(page);
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await movesOf(page), ['RE'], 'arrows are no letters');
    for (const key of ['u', 'g', '0', 'n', '?', '/']) await page.keyboard.press(key);
    assert.deepEqual(await movesOf(page), ['RE']);
    assert.equal(await page.locator('dialog').count(), 0);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Shortcuts with single letters').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('u');
    assert.deepEqual(await movesOf(page), []);
  });
});

test('the title of the window says what is open', async () => {
  /** @type {[hash: string, english: string, german: string][]} */
  const titles = [
    ['#home', 'Today', 'Heute'],
    [`#play=${EASY}`, 'Puzzle', 'Rätsel'],
    ['#play&as=daily', 'No. \\d+, \\d+ \\w+ \\d{4}', 'Nr. \\d+, .* \\d{4}'],
    ['#play&as=training', 'Training', 'Training'],
    ['#play&as=game', 'Game', 'Partie'],
    ['#play&as=storm', 'Storm', 'Sturm'],
    [`#analyse=${EASY}`, 'Analyse', 'Analyse'],
    [`#edit=${EASY}`, 'Edit', 'Aufbauen'],
    [`#watch=${EASY}`, 'Watch', 'Zusehen'],
    ['#read', 'Read', 'Lesen'],
    ['#read=slides', 'Search, remember, give up early', ''],
    ['#learn', 'Learn the game', ''],
    ['#learn&as=start', 'The rules in five steps', ''],
    ['#learn&lesson=chain-1', 'A chain: lesson 1 of 5', ''],
    ['#room', 'Rooms', 'Räume'],
    ['#room&as=table', 'Rooms', 'Räume'],
  ];
  for (const language of ['en', 'de']) {
    await onPage('', { settings: { language } }, async (page) => {
      await waitForBoard(page);
      // One visit from mode to mode: each has to replace the title of the one before.
      for (const [hash, english, german] of titles) {
        await page.evaluate((next) => { location.hash = next; }, hash);
        const name = language === 'en' ? english : german || '.+';
        const pattern = `^${name} · ${language === 'en' ? 'Ricochet Robots' : 'Rasende Roboter'}$`;
        await page.waitForFunction((wanted) => new RegExp(wanted).test(document.title), pattern).catch(async () => assert.fail(`${hash}: ${await page.title()}, not ${pattern}`));
      }
    });
  }
});

test('on a German page the command box takes German words and lists them', async () => {
  await onPage(`#play=${EASY}`, { settings: { language: 'de' } }, async (page) => {
    await waitForBoard(page);
    await page.keyboard.press('/');
    assert.match((await page.locator('#command-hint').textContent()) ?? '', /zurück.*tipp.*lösen/);
    await page.keyboard.type('RE zurück');
    await page.keyboard.press('Enter');
    await waitForAnnouncement(page, /Am Anfang/);
    assert.deepEqual(await movesOf(page), []);
  });
});

test('each mode has one primary action in sight', async () => {
  for (const address of ['', `#play=${EASY}`, '#play&as=daily', '#play&as=storm', `#analyse=${EASY}`, `#edit=${EASY}`, '#learn', '#learn&as=start', '#learn&lesson=chain-1']) {
    await onPage(address, {}, async (page) => {
      await page.locator('#panel > *').first().waitFor();
      await page.waitForTimeout(500);
      const names = await page.locator('.primary:visible').allTextContents();
      assert.ok(names.length <= 1, `${address}: ${names.join(', ')}`);
    });
  }
});
