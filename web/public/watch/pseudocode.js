// The algorithms in a few lines each, and which line an event stands for.

/** @import {TraceEvent} from './run.js' */

/** A line in both languages, and the switches without which it is not there. @typedef {readonly [string, string, ...string[]]} Line */
/** Line numbers by event type, or by `prune:reason`. @typedef {{lines: readonly Line[], at: Record<string, number>}} Algorithm */

/** @type {Algorithm} */
const ITERATIVE = {
  lines: [
    ['for depth = 1, 2, 3, …', 'für Tiefe = 1, 2, 3, …'],
    ['  search(start, depth)', '  suche(Start, Tiefe)'],
    ['search(position, left):', 'suche(Stellung, übrig):'],
    ['  is it the goal? done', '  Ziel erreicht? Fertig'],
    ['  left = 0? return', '  übrig = 0? Zurück'],
    ['  bound > left? return', '  Schranke > übrig? Zurück', 'bound'],
    ['  memo searched it as deep? return', '  im Gedächtnis ebenso tief? Zurück', 'memo'],
    ['    or with helpers swapped? return', '    oder Helfer vertauscht? Zurück', 'memo', 'sort'],
    ['  for each move, the goal robot’s first:', '  für jeden Zug, zuerst die des Zielroboters:'],
    ['    bound tight? skip the others', '    Schranke knapp? Nur diese', 'bound'],
    ['    is it a reversal? skip it', '    Umkehrung? Überspringen'],
    ['    search(position after it, left − 1)', '    suche(Stellung danach, übrig − 1)'],
  ],
  at: { iteration: 0, layer: 0, generate: 11, solution: 3, 'prune:depth': 4, 'prune:bound': 5, 'prune:memo': 6, 'prune:sorted-key': 7, expand: 8, 'prune:tight-bound': 9, 'prune:reversal': 10 },
};

/** @type {Algorithm} */
const BREADTH = {
  lines: [
    ['queue = start', 'Schlange = Start'],
    ['take the first position from the queue', 'nimm die erste Stellung aus der Schlange'],
    ['for each move:', 'für jeden Zug:'],
    ['  make the position after it', '  bilde die Stellung danach'],
    ['  is it the goal? done', '  Ziel erreicht? Fertig'],
    ['  is it known? leave it out', '  schon bekannt? Weglassen', 'duplicates'],
    ['  put it into the queue', '  stelle sie hinten an'],
    ['a layer is done: one move further', 'eine Schicht ist fertig: ein Zug weiter'],
  ],
  at: { root: 0, expand: 1, generate: 3, solution: 4, 'prune:duplicate': 5, repeat: 6, layer: 7 },
};

/** @type {Algorithm} */
const DEPTH = {
  lines: [
    ['search(position):', 'suche(Stellung):'],
    ['  as deep as allowed? return', '  so tief wie erlaubt? Zurück'],
    ['  for each move:', '  für jeden Zug:'],
    ['    make the position after it', '    bilde die Stellung danach'],
    ['    is it the goal? done', '    Ziel erreicht? Fertig'],
    ['    search(it)', '    suche(sie)'],
  ],
  at: { root: 0, generate: 3, solution: 4 },
};

/** @type {Algorithm} */
const GRAPH = {
  lines: [
    ['queue = where the helpers stand', 'Schlange = Aufstellung der Helfer'],
    ['take the first configuration', 'nimm die erste Aufstellung'],
    ['  can it still improve? if not, leave it', '  kann sie noch verbessern? Sonst weglassen'],
    ['  put the helpers on the graph: its edges change', '  setze die Helfer: Kanten des Graphen ändern sich'],
    ['  breadth first: the goal robot’s ways', '  Breitensuche: die Wege des Zielroboters'],
    ['  a shorter way to the target? keep it', '  ein kürzerer Weg zum Ziel? Merken'],
    ['  queue what each helper move leads to', '  stelle an, wohin jeder Helferzug führt'],
    ['  unless it is known', '  außer es ist bekannt'],
  ],
  at: { root: 0, 'prune:bound': 2, configuration: 3, reach: 4, solution: 5, generate: 6, 'prune:duplicate': 7, layer: 1 },
};

/** @type {Algorithm} */
const STATELESS = {
  lines: [
    ['every robot’s start is a final state', 'jeder Start ist ein Endzustand'],
    ['take the final state with the fewest moves', 'nimm den Endzustand mit den wenigsten Zügen'],
    ['  move it in all four directions, cell by cell', '  ziehe ihn in alle vier Richtungen, Feld für Feld'],
    ['  a wall is ahead: a final state', '  Wand voraus: ein Endzustand'],
    ['  another robot can be ahead: one that depends on it', '  ein anderer kann dort stehen: einer, der davon abhängt'],
    ['  otherwise it passes: an intermediate state', '  sonst geht es weiter: ein Zwischenzustand'],
    ['a final state on the target is a solution', 'ein Endzustand auf dem Ziel ist eine Lösung'],
  ],
  at: { expand: 1, final: 3, 'final:depends': 4, intermediate: 5, solution: 6 },
};

/** @type {Algorithm} */
const SUBGOALS = {
  lines: [
    ['agenda = the goal robot to the target', 'Liste = der Zielroboter aufs Ziel'],
    ['take the plan with the lowest estimate', 'nimm den Plan mit der kleinsten Schätzung'],
    ['  a robot moves alone: the topmost one to its cell,', '  ein Roboter zieht allein: der oberste auf sein Feld,'],
    ['  a helper to where it stops it, or one out of its way', '  ein Helfer, wo er ihn anhält, oder einer aus dem Weg'],
    ['  a new plan; a helper that needs help goes on top', '  ein neuer Plan; wer selbst Hilfe braucht, kommt obenauf'],
    ['  a plan as good is known? leave it out', '  schon ein ebenso guter Plan? Weglassen'],
    ['the agenda is empty: a solution', 'die Liste ist leer: eine Lösung'],
  ],
  at: { root: 0, expand: 1, reach: 2, generate: 4, 'prune:duplicate': 5, solution: 6 },
};

/** @type {Algorithm} */
const SETUPS = {
  lines: [
    ['make setups: moves of the helpers', 'bilde Aufstellungen: Züge der Helfer'],
    ['  leave out those that lead to the same', '  ohne solche, die zum Gleichen führen'],
    ['take the next setup (with a score: the best)', 'nimm die nächste Aufstellung (mit Wertung: die beste)'],
    ['  move the goal robot alone', '  ziehe nur den Zielroboter'],
    ['  it arrives: a solution', '  er kommt an: eine Lösung'],
  ],
  at: { root: 0, generate: 0, 'prune:duplicate': 1, setup: 2, reach: 3, solution: 4 },
};

/** @type {Algorithm} */
const SETS = {
  lines: [
    ['for f = the bound of the start, one more, …', 'für f = Schranke des Starts, eins mehr, …'],
    ['  fill the layer f:', '  fülle die Schicht f:'],
    ['    a node: helpers, and a set of goal-robot cells', '    ein Knoten: Helfer und eine Menge von Feldern des Zielroboters'],
    ['    move the goal robot from all its cells at once', '    ziehe den Zielroboter von allen Feldern zugleich'],
    ['    move the helpers of the layer before', '    ziehe die Helfer der Schicht davor'],
    ['  is the target in a set? done', '  ist das Ziel in einer Menge? Fertig'],
    ['  can the next layer reach it? done', '  erreicht es die nächste Schicht? Fertig', 'lookahead'],
    ['  large? start again with a stronger bound', '  groß? Neu beginnen mit stärkerer Schranke', 'plans'],
  ],
  at: { layer: 0, node: 2, solution: 5, restart: 7 },
};

/** @param {string} solver @returns {Algorithm} */
export function algorithmOf(solver) {
  if (solver.startsWith('iddfs')) return ITERATIVE;
  if (solver.startsWith('graph')) return GRAPH;
  if (solver.startsWith('setup') || solver === 'single-color') return SETUPS;
  if (solver === 'stateless') return STATELESS;
  if (solver === 'subgoals') return SUBGOALS;
  if (solver === 'dfs') return DEPTH;
  if (solver === 'flagship') return SETS;
  return BREADTH;
}

/** Whether switches take a line out of the algorithm. @param {string} spec the solver with its switches @param {Line} line */
export function isOff(spec, [, , ...needs]) {
  const [solver, ...pairs] = spec.split(':');
  // `bfs` keeps duplicates unless it is told not to.
  const set = new Map([['duplicates', solver === 'bfs' ? 'keep' : 'drop'], ...pairs.map((pair) => /** @type {[string, string]} */ (pair.split('=', 2)))]);
  return needs.some((key) => ['off', 'keep'].includes(set.get(key) ?? 'on'));
}

/** The line that an event stands for; -1 if none does. @param {Algorithm} algorithm @param {TraceEvent | null} event */
export function lineOf({ at }, event) {
  if (!event) return -1;
  if (event.type === 'prune') return at[`prune:${event.reason}`] ?? -1;
  if (event.type === 'final' && typeof event.depends_on === 'number') return at['final:depends'] ?? -1;
  return at[event.type] ?? -1;
}
