// A solution in sentences, in the language of the page. The engine tells it in English; this is for
// the other languages, from the same slides that the board shows.

/** @import {Move, Slide, View} from '../../types/page.d.ts' */
import { replay } from '../board/rules.js';
import { robotName, slideSentence } from '../speech/sentences.js';
import { t } from '../words/analyse.js';
import { t as tBoard } from '../words/board.js';

/** The first later move in which a robot that stands where this move ended stops another. @param {Slide[]} steps @param {number} at */
function helpsIn(steps, at) {
  const { robot } = steps[at];
  for (let later = at + 1; later < steps.length; later += 1) {
    if (steps[later].robot === robot) return null;
    const { kind, robot: by } = steps[later].stoppedBy;
    if (kind === 'robot' && by === robot) return later;
  }
  return null;
}

/** What happens in each move. @param {View} view @param {Move[]} moves @returns {string[]} */
export function story(view, moves) {
  const { steps, solved } = replay(view, moves);
  return steps.map((step, i) => {
    const helped = helpsIn(steps, i);
    const parts = [slideSentence(step)];
    if (helped !== null) parts.push(t('willStop', { robot: robotName(steps[helped].robot), n: helped + 1 }));
    if (solved && i === steps.length - 1) parts.push(tBoard('arrived'));
    return parts.join(' ');
  });
}
