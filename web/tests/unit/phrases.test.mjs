// The quick phrases are numbers: the page and the server mean the same by each of them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { PHRASES } from '../../public/room/online/chat.js';
import { room } from '../../public/words/room.js';
import { ROOT } from '../tools/paths.mjs';

test('the phrases are those of ricochet-rooms, in both languages', () => {
  const source = fs.readFileSync(path.join(ROOT, 'crates/ricochet-rooms/src/player.rs'), 'utf8');
  const list = /PHRASES: \[&str; \d+\] = \[([^\]]*)\]/.exec(source)?.[1] ?? '';
  const phrases = [...list.matchAll(/"([^"]*)"/g)].map(([, text]) => text);
  assert.deepEqual(PHRASES.map((number) => room[`phrase-${number}`][0]), phrases);
  for (const number of PHRASES) assert.ok(room[`phrase-${number}`][1]);
  const documented = fs.readFileSync(path.join(ROOT, 'docs/api/rooms.md'), 'utf8').replaceAll(/\s+/g, ' ');
  for (const [i, text] of phrases.entries()) assert.ok(documented.includes(`${i + 1} ${text}`), text);
});
