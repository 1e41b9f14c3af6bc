// The board in words.
import { translator } from './words.js';

export const board = /** @type {const} */ ({
  label: ['Board of {width} by {height} cells. {goal}', 'Brett mit {width} mal {height} Feldern. {goal}'],
  instructions: [
    'Arrow keys move between cells, a colour letter jumps to its robot, Shift and an arrow move the selected robot, D says where it would go.',
    'Pfeiltasten gehen von Feld zu Feld, ein Farbbuchstabe springt zum Roboter, Umschalt und Pfeil ziehen den gewählten Roboter, D sagt, wohin er zöge.',
  ],
  red: ['red', 'Rot'], green: ['green', 'Grün'], blue: ['blue', 'Blau'], yellow: ['yellow', 'Gelb'],
  silver: ['silver', 'Silber'], orange: ['orange', 'Orange'], purple: ['purple', 'Lila'], cyan: ['cyan', 'Türkis'],
  any: ['any robot', 'beliebiger Roboter'],
  N: ['north', 'Norden'], E: ['east', 'Osten'], S: ['south', 'Süden'], W: ['west', 'Westen'],
  circle: ['circle', 'Kreis'], triangle: ['triangle', 'Dreieck'], square: ['square', 'Quadrat'],
  hexagon: ['hexagon', 'Sechseck'], vortex: ['vortex', 'Wirbel'],
  place: ['column {x}, row {y}', 'Spalte {x}, Zeile {y}'],
  robotHere: ['{robot} robot', 'Roboter {robot}'],
  selectedHere: ['selected', 'gewählt'],
  goalHere: ['target for {who}', 'Ziel für {who}'],
  targetHere: ['printed {shape}, {who}', '{shape} aufgedruckt, {who}'],
  diagonalHere: ['{color} diagonal {lean}', 'Diagonale {color} {lean}'],
  slash: ['rising to the east', 'nach Osten steigend'], backslash: ['falling to the east', 'nach Osten fallend'],
  closedHere: ['closed cell', 'gesperrtes Feld'],
  wallsHere: ['wall {sides}', 'Wand im {sides}'],
  endHere: ['{robot} can stop here by going {direction}', '{robot} kann hier halten, Zug nach {direction}'],
  goalText: ['Move {who} to the target at {place}.', 'Bringe {who} zum Ziel in {place}.'],
  anyWho: ['any robot', 'irgendeinen Roboter'],
  ricochetRule: ['It must turn at a right angle on its way.', 'Er muss unterwegs rechtwinklig abbiegen.'],
  selected: ['{robot}, {place}.', '{robot}, {place}.'],
  nothingSelected: ['No robot selected.', 'Kein Roboter gewählt.'],
  selectFirst: ['Select a robot first: {letters}.', 'Wähle zuerst einen Roboter: {letters}.'],
  moved: ['{robot} goes {direction} to {place}; {stop}.', '{robot} zieht nach {direction} bis {place}; {stop}.'],
  wouldGo: ['{direction}: {place}, {stop}.', '{direction}: {place}, {stop}.'],
  wouldStay: ['{direction}: no move, {stop}.', '{direction}: kein Zug, {stop}.'],
  cannot: ['{robot} cannot go {direction}: {stop}.', '{robot} kann nicht nach {direction}: {stop}.'],
  rim: ['stopped by the rim', 'der Rand hält ihn auf'],
  wall: ['stopped by a wall', 'eine Wand hält ihn auf'],
  robot: ['stopped by {robot}', '{robot} hält ihn auf'],
  nothing: ['it would never stop', 'er käme nie zum Stehen'],
  arrived: ['That is the target.', 'Das ist das Ziel.'],
});

export const t = translator(board);
