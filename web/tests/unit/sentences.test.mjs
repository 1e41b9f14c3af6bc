// What has to be done, as the page says it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goalSentence } from '../../public/speech/sentences.js';

/** @import {Target, View} from '../../types/page.d.ts' */

/** @type {Target} */
const hexagon = { cell: [3, 2], robot: 'Y', shape: 'hexagon' };
/** @type {Target} */
const vortex = { cell: [8, 3], robot: null, shape: 'vortex' };

/** @param {Partial<View>} fields */
const sentence = (fields) => goalSentence(/** @type {View} */ ({ targets: [], rules: { must_ricochet: false }, ...fields }));

test('a goal on a printed target is called by its shape', () => {
  const goal = /** @type {View['goal']} */ ({ robot: 'Y', cell: [3, 2] });
  assert.equal(sentence({ goal, targets: [hexagon] }), 'Move yellow to its hexagon at column 3, row 2.');
  assert.equal(sentence({ goal, printed: hexagon }), 'Move yellow to its hexagon at column 3, row 2.', 'known by the walls');
  assert.equal(sentence({ goal: { ...goal, robot: 'R' }, targets: [hexagon] }), 'Move red to the yellow hexagon at column 3, row 2.');
  assert.equal(sentence({ goal: { robot: null, cell: [8, 3] }, targets: [vortex] }), 'Move any robot to the vortex at column 8, row 3.');
});

test('elsewhere the cell is all there is to say', () => {
  const goal = /** @type {View['goal']} */ ({ robot: 'Y', cell: [4, 4] });
  // The goal was moved since the engine looked.
  assert.equal(sentence({ goal, targets: [vortex], printed: hexagon }), 'Move yellow to the target at column 4, row 4.');
});
