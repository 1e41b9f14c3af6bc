// Modules that need no browser: addresses, commands, words, colours, size.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseCommand } from '../../public/app/command.js';
import { formatRoute, parseRoute } from '../../public/app/route.js';
import * as reading from '../../public/words/reader-errors.js';
import { TYPES, apiTypes } from '../../tools/generate-api-types.mjs';
import { PAGE, ROOT } from '../tools/paths.mjs';

test('an address holds mode, puzzle, moves and more', () => {
  const address = '#analyse=1A4B3B2B.1fc1f0c0.B9c&moves=BW-GS&node=2';
  const route = parseRoute(address);
  assert.deepEqual(route, { mode: 'analyse', line: '1A4B3B2B.1fc1f0c0.B9c', moves: ['BW', 'GS'], more: { node: '2' } });
  assert.equal(formatRoute(route), address);
  assert.deepEqual(parseRoute(''), { mode: 'home', line: '', moves: [], more: {} });
  assert.equal(formatRoute(parseRoute('#edit')), '#edit');
});

test('odd addresses do not throw, and text survives a round trip', () => {
  for (const odd of ['#%', '#play=%E0%A4%A', '#===&&', '#moves=', '#play=a&moves=rn,ge BS']) parseRoute(odd);
  assert.deepEqual(parseRoute('#play=a&moves=rn,ge').moves, ['RN', 'GE']);
  for (const value of ['ä ö&=#', 'a+b', '100%', '~', '<script>']) {
    const route = { mode: /** @type {const} */ ('play'), line: value, moves: [], more: { x: value } };
    assert.deepEqual(parseRoute(formatRoute(route)), route);
  }
});

test('commands are moves, joined or apart, and words', () => {
  const moves = parseCommand('RN ge,BSYW undo RX wn', 4);
  const shown = moves.map((one) => ('move' in one ? `${one.move.robot}${one.move.direction}` : one.word));
  assert.deepEqual(shown, ['0N', '1E', '2S', '3W', 'undo', 'rx', 'wn']);
});

/** Rules of a style sheet that are not nested in another. @param {string} css */
function outerRules(css) {
  const selectors = [];
  let depth = 0;
  let start = 0;
  const text = css.replace(/\/\*[^]*?\*\//g, '');
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{' && depth === 0) selectors.push(text.slice(start, at).trim());
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (text[at] === '}' && depth === 0) start = at + 1;
  }
  return selectors;
}

test('style sheets of a mode match elements of that mode only', () => {
  for (const mode of ['analyse', 'edit', 'home', 'learn', 'play', 'read', 'room', 'watch']) {
    const rules = outerRules(fs.readFileSync(path.join(PAGE, 'style', `${mode}.css`), 'utf8'));
    const loose = rules.filter((rule) => !rule.startsWith('@keyframes ') && !/^(:is\()?\[data-mode='\w+'\]/.test(rule));
    assert.ok(rules.length > 0);
    assert.deepEqual(loose, [], mode);
  }
});

test('sizes of text and space come from the tokens of the visual system', () => {
  for (const name of fs.readdirSync(path.join(PAGE, 'style')).filter((file) => file !== 'theme.css')) {
    const css = fs.readFileSync(path.join(PAGE, 'style', name), 'utf8').replace(/\/\*[^]*?\*\//g, '');
    const values = [...css.matchAll(/[{;\s]((?:font-size|(?:margin|padding|gap|row-gap|column-gap)(?:-[a-z-]+)?)):\s*([^;{}]+)/g)];
    const own = values.filter(([, , value]) => /[\d.](?:rem|pt|cm)/.test(value)).map(([, property, value]) => `${property}: ${value}`);
    // The size of text grows with the window: all tokens follow it.
    assert.deepEqual(own.filter((rule) => rule !== 'font-size: clamp(1rem, 0.55rem + 0.5vw, 1.6rem)'), [], name);
  }
});

/** All placeholders of a text. @param {string} text */
const placeholders = (text) => [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]))].sort();

test('every text has both languages with the same values', async () => {
  const files = fs.readdirSync(path.join(PAGE, 'words')).filter((name) => name !== 'words.js' && name !== 'reader-errors.js');
  assert.ok(files.length >= 2);
  for (const file of files) {
    const module = await import(path.join(PAGE, 'words', file));
    for (const [name, table] of Object.entries(module)) {
      if (typeof table !== 'object') continue;
      for (const [key, texts] of Object.entries(table)) {
        assert.equal(texts.length, 2, `${file} ${name}.${key}`);
        assert.ok(texts.every(Boolean), `${file} ${name}.${key}`);
        assert.deepEqual(placeholders(texts[0]), placeholders(texts[1]), `${file} ${name}.${key}`);
      }
    }
  }
});

test('what readers say has the same codes in German, and only their values', () => {
  const source = fs.readFileSync(path.join(ROOT, 'crates/ricochet-core/src/notation/reason.rs'), 'utf8');
  const english = [...source.matchAll(/^ {8}\w+(?: \{[^}]*\})? = "([a-z0-9-]+)" "((?:[^"\\]|\\.)*)",$/gm)];
  const german = [...Object.entries(reading.sentences), ...Object.entries(reading.phrases)];
  assert.deepEqual(german.map(([code]) => code), english.map(([, code]) => code));
  german.forEach(([code, text], i) => {
    assert.ok(text, code);
    const known = placeholders(english[i][2]);
    assert.deepEqual(placeholders(text).filter((gap) => !known.includes(gap)), [], code);
  });
});

/** All scripts of the page but its words. @param {string} folder @returns {string[]} */
function scripts(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'words' ? [] : scripts(place);
    return entry.name.endsWith('.js') ? [fs.readFileSync(place, 'utf8')] : [];
  });
}

test('every text is used', async () => {
  const code = scripts(PAGE).join('\n');
  // Keys that are put together: t(`phase-${phase}`).
  const made = [...code.matchAll(/\bt(?:Play)?\(`([^`]*)`/g)].map(([, key]) => new RegExp(`^${key.replace(/\$\{[^}]*\}(?:\))?/g, '[\\w-]+')}$`));
  for (const file of ['page.js', 'board.js', 'home.js', 'learn.js', 'play.js', 'room.js']) {
    const module = await import(path.join(PAGE, 'words', file));
    const keys = Object.values(module).flatMap((table) => (typeof table === 'object' ? Object.keys(table) : []));
    const unused = keys.filter((key) => !made.some((one) => one.test(key)) && !new RegExp(`['"\`]${key}['"\`]|\\b${key}:`).test(code));
    assert.deepEqual(unused, [], file);
  }
});

test('every code of the engine has its sentence', async () => {
  const folder = path.join(ROOT, 'crates', 'ricochet-service', 'src');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.rs'));
  const source = files.map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');
  const codes = new Set([...source.matchAll(/(?:Code|Self)::new\(\s*"([a-z-]+)"/g)].map((match) => match[1]));
  assert.ok(codes.has('robots-collide') && codes.has('tile-twice') && codes.size > 25, [...codes].join());
  const { errors } = await import('../../public/words/errors.js');
  assert.deepEqual([...codes].filter((code) => !(code in errors)), []);
});

test('the types of requests and answers are those of the schema', () => {
  assert.equal(fs.readFileSync(TYPES, 'utf8'), apiTypes(), 'run `npm run api-types`');
});

test('no script and no style in the markup, and nothing from elsewhere', () => {
  const html = fs.readFileSync(path.join(PAGE, 'index.html'), 'utf8');
  assert.doesNotMatch(html, /<style|style=|<script(?![^>]*src=)| on\w+=/);
  assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//);
});
