// The page's colours are those of `ricochet draw`, which exports them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { COLORS, LETTERS } from '../../public/board/rules.js';
import { ROOT, PAGE } from '../tools/paths.mjs';

const look = JSON.parse(fs.readFileSync(path.join(ROOT, 'crates/ricochet-draw/assets/style.json'), 'utf8'));
const css = fs.readFileSync(path.join(PAGE, 'style/theme.css'), 'utf8');

/** The variables of the first rule after a text. @param {string} text */
function variablesAfter(text) {
  const at = css.indexOf(text);
  assert.ok(at >= 0, text);
  const rule = css.slice(css.indexOf('{', at + text.length - 1) + 1);
  return [...rule.slice(0, rule.indexOf('}')).matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => /** @type {const} */ ([name, value]));
}

const COMMON = variablesAfter('\n:root {');

/** Themes, and where theirs begin. @type {[string, string][]} */
const PLACES = [
  ['light', "[data-theme='light'] {"],
  ['dark', "[data-theme='dark'] {"],
  ['color-blind', "[data-theme='color-blind'] {"],
  ['print', '@media print {\n  :root {'],
];

for (const [theme, selector] of PLACES) {
  test(`${theme} at ${selector.split('\n')[0]}`, () => {
    const own = new Map([...COMMON, ...variablesAfter(selector)]);
    const variables = new Map([...own].map(([name, value]) => [name, own.get(/^var\(--(.*)\)$/.exec(value)?.[1] ?? '') ?? value]));
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
