// The page's colours are those of `ricochet draw`, which exports them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { COLORS, LETTERS } from '../public/board/rules.js';
import { ROOT, PAGE } from './tools/paths.mjs';

const look = JSON.parse(fs.readFileSync(path.join(ROOT, 'crates/ricochet-draw/assets/look.json'), 'utf8'));
const css = fs.readFileSync(path.join(PAGE, 'style/theme.css'), 'utf8');

/** The variables of every block that a selector begins. @param {string} selector */
function blocks(selector) {
  return css
    .split(selector)
    .slice(1)
    .map((rest) => rest.slice(selector.endsWith('{') ? 0 : rest.indexOf('{') + 1, rest.indexOf('}')))
    .map((body) => new Map([...body.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value])))
    .filter((variables) => variables.has('board'));
}

/** @type {[string, string][]} */
const PLACES = [
  ['light', ":root,\n[data-theme='light'] {"],
  ['dark', "[data-theme='dark'] {"],
  ['color-blind', "[data-theme='color-blind'] {"],
  ['print', '@media print {'],
];

for (const [theme, selector] of PLACES) {
  test(`${theme} at ${selector.split('\n')[0]}`, () => {
    const found = selector.startsWith('@media') ? blocks(':root[data-theme],') : blocks(selector);
    assert.equal(found.length, 1);
    const [variables] = found;
    const { colors } = look.themes[theme];
    for (const name of ['background', 'board', 'grid', 'wall', 'closed', 'ink', 'faint']) {
      assert.equal(variables.get(name), colors[name], name);
    }
    for (const [i, color] of COLORS.entries()) {
      const letter = LETTERS[i];
      assert.equal(variables.get(`robot-${letter}`), colors[color], color);
      assert.equal(variables.get(`on-${letter}`), colors[`${color}-letter`], `${color}-letter`);
      assert.equal(variables.get(`line-${letter}`), colors[`${color}-line`], `${color}-line`);
    }
  });
}
