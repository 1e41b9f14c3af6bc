// Algorithms and their switches in a few words.
import { translator } from './words.js';

export const solvers = /** @type {const} */ ({
  'summary-flagship': ['best-first over helper configurations and sets of goal-robot cells', 'Bestensuche über Aufstellungen der Helfer und Mengen von Feldern des Zielroboters'],
  'summary-iddfs': ['iterative deepening with memo, sorted keys and the minimum-moves map', 'iterative Tiefensuche mit Gedächtnis, sortierten Schlüsseln und der Karte der Mindestzüge'],
  'summary-iddfs-bounded': ['iddfs with a solution of stateless as the upper bound: the last iteration is skipped', 'iddfs mit einer Lösung von stateless als oberer Schranke: Die letzte Runde entfällt'],
  'summary-naive': ['breadth first with a queue and a hash table', 'Breitensuche mit Warteschlange und Hashtabelle'],
  'summary-stateless': ['final and intermediate states per field; time independent of the number of moves', 'End- und Zwischenzustände je Feld; die Zeit hängt nicht von der Zugzahl ab'],
  'summary-subgoals': ['recursive subgoals, each an interaction of two robots, ordered by an estimate', 'rekursive Teilziele, jedes ein Zusammenspiel zweier Roboter, nach einer Schätzung geordnet'],
  'summary-graph-v1': ['breadth-first searches of the goal robot over configurations of the others', 'Breitensuchen des Zielroboters über Aufstellungen der anderen'],
  'summary-graph-v2': ['graph-v1 that ends early by the minimum-moves map', 'graph-v1, das mit der Karte der Mindestzüge früher endet'],
  'summary-graph-bounded': ['graph-v2 with a solution of stateless as the upper bound up front', 'graph-v2 mit einer Lösung von stateless als oberer Schranke von Anfang an'],
  'summary-graph-complete': ['graph-v2 that moves all robots, the goal robot included: always optimal', 'graph-v2, das alle Roboter zieht, auch den Zielroboter: immer optimal'],
  'summary-bfs': ['breadth first over the tree of all moves, duplicates included', 'Breitensuche über den Baum aller Züge, auch über doppelte Stellungen'],
  'summary-dfs': ['depth first over the tree of all moves; the first solution, usually a long one', 'Tiefensuche über den Baum aller Züge; die erste Lösung, meist eine lange'],
  'summary-single-color': ['breadth first, only the active robot moves', 'Breitensuche, bei der nur der Zielroboter zieht'],
  'summary-setup-bfs': ['all setups of the other robots, then a single colour search; the shortest of all', 'alle Aufstellungen der anderen Roboter, dann zieht nur der Zielroboter; die kürzeste von allen'],
  'summary-setup-dfs': ['setups depth first, then the active robot depth first; the first solution', 'Aufstellungen in Tiefensuche, dann der Zielroboter in Tiefensuche; die erste Lösung'],
  'summary-setup-position': ['setups that occupy critical positions, highest position score first', 'Aufstellungen, die kritische Positionen besetzen, die höchste Wertung zuerst'],
  'summary-setup-crossblock': ['setups that stop the active robot on a critical path, lowest cross block score first', 'Aufstellungen, die den Zielroboter auf einem kritischen Weg anhalten, die niedrigste Wertung zuerst'],
  switchedOff: ['Switched off: {list}.', 'Ausgeschaltet: {list}.'],
  'switch-lookahead': ['look for the target one layer ahead instead of making that layer', 'das Ziel eine Schicht voraus suchen, statt diese Schicht zu bilden'],
  'switch-plans': ['in large searches, count the helper moves needed to stop the goal robot', 'in großen Suchen die Helferzüge zählen, die den Zielroboter anhalten'],
  'switch-memo': ['prune positions already searched to an equal or greater depth', 'Stellungen kappen, die schon ebenso tief durchsucht sind'],
  'switch-sort': ['sort the interchangeable robots in the memo’s keys', 'vertauschbare Roboter in den Schlüsseln des Gedächtnisses sortieren'],
  'switch-bound': ['prune by the minimum-moves map', 'nach der Karte der Mindestzüge kappen'],
  'switch-published': ['as published, where the claimed number of moves may be impossible', 'wie veröffentlicht; die genannte Zugzahl kann dann unmöglich sein'],
  'switch-duplicates': ['search positions that were seen before again', 'bekannte Stellungen erneut durchsuchen'],
});
const t = translator(solvers);

/** An algorithm in a few words; those of the engine if the page has none, and what its switches take out.
 * @param {{name: string, summary: string}} solver @param {Map<string, string>} [set] its switches */
export function summaryText({ name, summary }, set = new Map()) {
  const key = `summary-${name}`;
  const text = key in solvers ? t(/** @type {'summary-bfs'} */ (key)) : summary;
  const off = [...set].filter(([, value]) => value === 'off').map(([switched]) => switched);
  return off.length ? `${text}. ${t('switchedOff', { list: off.join(', ') })}` : text;
}

/** What a switch does, in the same way. @param {{key: string, help: string}} parameter */
export function switchText({ key, help }) {
  const word = `switch-${key}`;
  return word in solvers ? t(/** @type {'switch-memo'} */ (word)) : help.replace(/^[a-z|]+: /, '');
}
