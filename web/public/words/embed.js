// The board in a frame on another page.
import { translator } from './words.js';

export const embed = /** @type {const} */ ({
  undo: ['Undo', 'Zurück'],
  reset: ['Reset', 'Von vorn'],
  open: ['Open', 'Öffnen'],
  openLong: ['Open in Ricochet Robots, in a new tab', 'In Ricochet Robots öffnen, in einem neuen Tab'],
  solved: ['Solved in {n|one move|{n} moves}', 'Gelöst in {n|einem Zug|{n} Zügen}'],
  undone: ['Move taken back.', 'Zug zurückgenommen.'],
  start: ['Back at the start.', 'Zurück am Anfang.'],
  unreadable: ['This address holds no puzzle: {message}', 'Diese Adresse enthält kein Rätsel: {message}'],
  noEngine: ['this site has no engine', 'diese Seite hat keine Engine'],
});

export const t = translator(embed);
