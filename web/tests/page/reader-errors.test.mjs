// Why a text cannot be read is told in German on a German page: puzzles of all formats are damaged in thousands of
// ways, and whatever their readers say has its words.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EngineError } from '../../public/engine/errors.js';
import { askServer, startServer } from '../tools/server.mjs';

/** @import {Server} from '../tools/server.mjs' */

/** @type {Server} */
let server;
/** @type {(error: unknown) => string} */
let errorText;
before(async () => {
  server = await startServer();
  // The words ask the document for nothing but its language.
  Object.assign(globalThis, { document: { documentElement: {} } });
  (await import('../../public/words/words.js')).setLanguage('de');
  ({ errorText } = await import('../../public/speech/errors.js'));
});
after(() => server?.stop());

const PUZZLES = ['1A4B3B2B.1fc1f0c0.B9c.o9.nname', '8x8..0034.R77.m', '5x4..0012.V31.dsR22.tRc11Vv30'];
/** Beginnings that damage alone does not lead to. */
const SLIPS = [
  '', ' \n', 'Dear reader,', '<b>x</b>', '{', '[', '{}', '[]', '[{}]', '[{"rob_position":1}]', '{"width":2}', '{"width":2,}', '99x9..00.R11', '1x9..00.R11', '9999999999x2', 'goal: red',
  'goal: pink circle', 'goal: red 1,1', 'goal: red circle\ngoal: red', 'rules: none', 'optimal: x', 'id: "a', '+---+\n|   |\n+---+', '1A1B2A3A.00.R11', '1A4B3B2B.00.R11.m.m', '7650+92+00+00', '7654+42+00',
  '!x!', '!DriftingDroids_game!x!y!', 'board', 'board 16 16', 'a:b;', 'board:1,1;', 'board:2,2;rr0,0;', 'barrier(1,1,north).', 'dim(4).', '#s=AAAA', 'https://x.example/#s=!!', '0  1',
];
/** What takes the place of a character, or comes before it. */
const WRONG = ['', 'x', '9', ' ', '\n', '"', 'R', '|', '🤖'];
/** Places of a long text that are damaged. */
const PLACES = 40;

/** @param {string} text */
function* damaged(text) {
  const places = Math.min(text.length, PLACES);
  for (let n = 0; n < places; n += 1) {
    const at = Math.floor((n * text.length) / places);
    yield text.slice(0, at);
    for (const wrong of WRONG) {
      yield text.slice(0, at) + wrong + text.slice(at + 1);
      yield text.slice(0, at) + wrong + text.slice(at);
    }
  }
  const lines = text.split('\n');
  for (let n = 0; n < Math.min(lines.length, PLACES); n += 1) {
    yield lines.toSpliced(n, 1).join('\n');
    yield lines.toSpliced(n, 0, lines[n]).join('\n');
  }
}

/** @returns {Promise<string[]>} */
async function texts() {
  const { formats } = await askServer(server, 'formats', {});
  const names = formats.filter((/** @type {any} */ { write }) => write).map((/** @type {any} */ { name }) => name);
  assert.ok(names.length >= 8, names.join());
  const all = await Promise.all(PUZZLES.flatMap((puzzle) => names.map((/** @type {string} */ to) => askServer(server, 'convert', { puzzle, to }))));
  // What a format cannot express is not written.
  return all.flatMap(({ text }) => text ?? []);
}

test('whatever is wrong with a text is said in German', async () => {
  const todo = [...SLIPS, ...(await texts()).flatMap((text) => [...damaged(text)])];
  const told = new Map();
  let refused = 0;
  const worker = async () => {
    for (let text = todo.pop(); text !== undefined; text = todo.pop()) {
      const { error } = await askServer(server, 'read', { text });
      if (!error) continue;
      refused += 1;
      const sentence = errorText(new EngineError(error.kind, error.message, error));
      // Quotations and words of the formats may be English.
      const bare = sentence.replaceAll(/'[^']*'|`[^`]*`|"[^"]*"|‚[^‘]*‘|\([^)]*\)|\[[^\]]*\]/g, '');
      if (/auf Englisch:|\b(?:expected|found|the|line|column|robot|while|must|invalid)\b/.test(bare)) told.set(error.message, sentence);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  assert.ok(refused > 2000, `${refused} texts could not be read`);
  assert.deepEqual([...told].slice(0, 20), []);
});
