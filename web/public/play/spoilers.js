// Modes that tell solutions. The puzzle of today stays open until its player has solved it or given up;
// for any other puzzle, the page remembers that its solution could be seen.

/** @import {App} from '../app/app.js' */
import { withoutOptimum } from '../app/links.js';
import { askPlayer } from '../ui/dialogs.js';
import { t } from '../words/play.js';
import { giveUp, isOpenDaily, loadAttempt, markAnalysed, saveDay, today } from './records.js';
import { endFirstAttempt, shareFirstAttempt } from './sharing.js';

/**
 * Whether a mode may tell how a puzzle is solved. Asks before it gives up today's puzzle; a player who
 * goes on with it is sent there. @param {App} app @param {string} line @returns {Promise<boolean>}
 */
export async function mayTellSolution(app, line) {
  const puzzle = withoutOptimum(line);
  if (!isOpenDaily(puzzle)) {
    if (puzzle) {
      endSeen(app, puzzle);
      markAnalysed(puzzle);
    }
    return true;
  }
  const answer = await askPlayer(t('tellTitle'), t('tellText'), [['play', t('tellPlay')], ['tell', t('tellGiveUp')]]);
  if (answer !== 'tell') {
    await app.go({ mode: 'play', line: '', moves: [], more: { as: `daily-${today()}` } });
    return false;
  }
  endSeen(app, puzzle);
  giveUp(puzzle);
  saveDay(today(), { moves: null, stars: null, ms: 0, hints: 0 });
  return true;
}

/** Who looks at the solution gives up, unless the puzzle was not tried yet. @param {App} app @param {string} line */
function endSeen(app, line) {
  const { ms = 0, hints = 0 } = loadAttempt(line);
  if (ms || hints) void shareFirstAttempt(app, line, { moves: [], ms, hints });
  else endFirstAttempt(line);
}
