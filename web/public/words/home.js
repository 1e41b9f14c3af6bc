// The texts of the first page.
import { translator } from './words.js';

export const home = /** @type {const} */ ({
  daily: ['Daily puzzle', 'Tagesrätsel'],
  dailyNumber: ['Daily puzzle No. {n}', 'Tagesrätsel Nr. {n}'],
  intro: ['A robot slides until something stops it. Reach the target in as few moves as you can.', 'Ein Roboter gleitet, bis ihn etwas aufhält. Erreiche das Ziel mit möglichst wenigen Zügen.'],
  play: ['Play', 'Spielen'],
  continue: ['Continue', 'Weiterspielen'],
  lookAgain: ['Look at it again', 'Noch einmal ansehen'],
  resume: ['Continue your puzzle ({n|one move|{n} moves})', 'Dein Rätsel fortsetzen ({n|ein Zug|{n} Züge})'],
  nextIn: ['Next puzzle in', 'Nächstes Rätsel in'],
  calendar: ['Your days', 'Deine Tage'],
  streak: ['Streak {n}, longest {m}', 'Serie {n}, längste {m}'],
  longest: ['Longest streak {n}', 'Längste Serie {n}'],
  'day-open': ['not played', 'nicht gespielt'],
  'day-lost': ['given up', 'aufgegeben'],
  'day-solved': ['solved', 'gelöst'],
  'day-best': ['solved in the fewest moves', 'mit den wenigsten Zügen gelöst'],
  places: ['More to play', 'Mehr zum Spielen'],
  random: ['Random puzzle', 'Zufälliges Rätsel'],
  randomWhat: ['any board, any difficulty', 'jedes Brett, jede Schwierigkeit'],
  training: ['Training', 'Training'],
  trainingWhat: ['by number of moves', 'nach Zugzahl'],
  storm: ['Storm', 'Sturm'],
  stormWhat: ['against the clock', 'gegen die Uhr'],
  game: ['Full game', 'Ganze Partie'],
  gameWhat: ['all 17 targets of a board', 'alle 17 Ziele eines Bretts'],
  rooms: ['Rooms', 'Räume'],
  roomsWhat: ['with others online', 'mit anderen online'],
  table: ['Around a table', 'Am Tisch'],
  tableWhat: ['with the board in front of you', 'mit dem Brett vor euch'],
  keyPlay: ['play today’s puzzle', 'das Rätsel von heute spielen'],
});

export const t = translator(home);
