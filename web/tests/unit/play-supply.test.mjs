// Puzzles made ahead, without a browser: what is ready is there at once, nothing is given twice.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { EngineError } from '../../public/engine/errors.js';
import { Supply } from '../../public/play/supply.js';
import { load, save } from '../../public/ui/storage.js';

/** An engine that makes puzzles when it is told to. */
class SlowEngine {
  /** @type {{fields: any, options: any, give: (line: string | null) => void, fail: (error: Error) => void}[]} */
  asked = [];

  ask(/** @type {string} */ question, /** @type {any} */ fields, /** @type {any} */ options) {
    return question === 'generate' ? this.#generate(fields, options) : this.#read(fields);
  }

  #generate(/** @type {any} */ fields, /** @type {any} */ options) {
    return new Promise((resolve, reject) => {
      const give = (/** @type {string | null} */ line) => resolve({ puzzle: line && { line }, number: 0 });
      this.asked.push({ fields, options, give, fail: reject });
      options.signal.addEventListener('abort', () => reject(new DOMException('over', 'AbortError')));
    });
  }

  async #read(/** @type {{text: string}} */ { text }) {
    if (text.startsWith('bad')) throw new EngineError('unreadable', text);
    return { puzzles: [{ line: text }] };
  }

  /** The next question, once it is asked. @param {number} number */
  async question(number) {
    while (this.asked.length <= number) await new Promise((resolve) => setTimeout(resolve, 1));
    return this.asked[number];
  }
}

/** @type {import('../../types/page.d.ts').RequestOf<'generate'>} */
const WISH = { robots: 4, edition: '1999', difficulty: 'expert' };
const never = new AbortController().signal;

const made = () => {
  const engine = new SlowEngine();
  return { engine, supply: new Supply(/** @type {any} */ (engine), 0) };
};

/** Waits until something is kept. */
async function isKept() {
  while (!load('supply', []).length) await new Promise((resolve) => setTimeout(resolve, 1));
}

beforeEach(() => save('supply', []));

test('what was made ahead is taken without asking for another', async () => {
  const { engine, supply } = made();
  supply.prepare([WISH]);
  const { give, options } = await engine.question(0);
  assert.equal(options.idle, true);
  give('one');
  await isKept();
  const view = await supply.take({ difficulty: 'expert', edition: '1999', robots: 4 }, never);
  assert.equal(view?.line, 'one');
  assert.equal(engine.asked.length, 1);
  // It is given only once.
  const next = supply.take(WISH, never);
  (await engine.question(1)).give('two');
  assert.equal((await next)?.line, 'two');
});

test('what is being made is waited for, and then not kept', async () => {
  const { engine, supply } = made();
  supply.prepare([WISH]);
  const { give } = await engine.question(0);
  const taken = supply.take(WISH, never);
  give('one');
  assert.equal((await taken)?.line, 'one');
  assert.deepEqual([load('supply', []), engine.asked.length], [[], 1]);
});

test('where making ahead fails, it is asked for again; where a kept one cannot be read, too', async () => {
  const { engine, supply } = made();
  supply.prepare([WISH]);
  const taken = engine.question(0).then(({ fail }) => {
    const asked = supply.take(WISH, never);
    fail(new EngineError('busy', 'not now'));
    return asked;
  });
  const again = await engine.question(1);
  assert.equal(again.options.idle, undefined);
  again.give('two');
  assert.equal((await taken)?.line, 'two');
  supply.prepare([WISH]);
  (await engine.question(2)).give('bad line');
  await isKept();
  const third = supply.take(WISH, never);
  (await engine.question(3)).give('three');
  assert.equal((await third)?.line, 'three');
});

test('other filters have their own, made one after the other; closing ends it', async () => {
  const { engine, supply } = made();
  supply.prepare([{ robots: 1 }, { robots: 2 }]);
  (await engine.question(0)).give('first');
  const second = await engine.question(1);
  assert.equal(second.fields.robots, 2);
  supply.close();
  assert.ok(second.options.signal.aborted);
  assert.equal(load('supply', []).length, 1);
  supply.prepare([{ robots: 3 }]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(engine.asked.length, 2);
});

test('odd storage is as none', async () => {
  for (const odd of [null, 7, { a: 1 }, [[1, 2]], ['x']]) {
    save('supply', odd);
    const { engine, supply } = made();
    const taken = supply.take(WISH, never);
    (await engine.question(0)).give('new');
    assert.equal((await taken)?.line, 'new');
  }
});

test('who leaves does not wait', async () => {
  const { engine, supply } = made();
  supply.prepare([WISH]);
  await engine.question(0);
  const leaving = new AbortController();
  const taken = supply.take(WISH, leaving.signal);
  leaving.abort();
  await assert.rejects(taken, { name: 'AbortError' });
});
