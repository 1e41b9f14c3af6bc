// The tree of moves as text: the main line, variations indented below the move they replace.

/** @import {Slide} from '../../types/page.d.ts' */
/** @import {Node, Tree} from './tree.js' */
import { moveOf } from '../board/rules.js';
import { h } from '../ui/dom.js';
import { moveChip } from '../ui/move-chip.js';
import { t } from '../words/analyse.js';

/** @param {Tree} tree @param {Node} current @param {(node: Node) => void} go */
export function moveList(tree, current, go) {
  if (!tree.root.children.length) return h('p', { class: 'soft' }, t('lineEmpty'));
  return h('div', { class: 'line' }, moveButton(tree.root, current, go), ...follow(tree.root, 1, current, go));
}

/**
 * What follows a node: the first move, the variations to it, and so on.
 * @param {Node} node @param {number} number of the next move @param {Node} current
 * @param {(node: Node) => void} go @returns {HTMLElement[]}
 */
function follow(node, number, current, go) {
  /** @type {HTMLElement[]} */
  const parts = [];
  let here = node;
  for (let n = number; here.children.length; n += 1) {
    const [main, ...others] = here.children;
    parts.push(moveButton(main, current, go, n));
    for (const other of others) {
      parts.push(h('div', { class: 'variation', role: 'group', 'aria-label': t('variation') }, moveButton(other, current, go, n), ...follow(other, n + 1, current, go)));
    }
    here = main;
  }
  return parts;
}

/** @param {Node} node @param {Node} current @param {(node: Node) => void} go @param {number} [number] */
function moveButton(node, current, go, number) {
  const content = node.step
    ? [h('span', { class: 'move-number' }, `${number}.`), moveChip(moveOf(/** @type {Slide} */ (node.step))), node.solved && h('span', { class: 'star' }, '✓')]
    : [t('start')];
  return h('button', { type: 'button', class: 'plain step', 'aria-current': node === current ? 'step' : undefined, onclick: () => go(node) }, ...content);
}
