// The numbers that the chapters show next to those of the reader's browser: published ones and ours. A test
// compares them with `corpus/reference/` and `records/`.

/** The iterations of the slides' search for the 22-move puzzle: depth, nodes, inner nodes, hits of the memo. */
export const SLIDES_ROWS = /** @type {const} */ ([
  [1, 1, 0, 0],
  [2, 1, 0, 0],
  [3, 1, 0, 0],
  [4, 3, 1, 0],
  [5, 28, 11, 0],
  [6, 200, 100, 34],
  [7, 984, 577, 293],
  [8, 3779, 2431, 1455],
  [9, 12162, 8295, 5429],
  [10, 34269, 24349, 16854],
  [11, 87105, 63928, 45994],
  [12, 204091, 154241, 114306],
  [13, 446518, 346590, 263199],
  [14, 919338, 729935, 565531],
  [15, 1796912, 1451686, 1142404],
  [16, 3367854, 2758316, 2197992],
  [17, 6091594, 5050855, 4069434],
  [18, 10663998, 8946467, 7281399],
  [19, 18096372, 15356593, 12617875],
  [20, 29794218, 25564989, 21196014],
  [21, 47612050, 41300695, 34539268],
  [22, 1124068, 953336, 793116],
]);

/** All positions up to a depth without any pruning. The slides print the last one; the others are ours. */
export const BRUTE_FORCE = [11, 100, 866, 7291, 60671, 502446, 4147102, 34130258, 280165297, 2294544866];

/** The 22-move puzzle with what is switched on: the slides' seconds, ours, and our nodes. */
export const ABLATION = /** @type {const} */ ({
  'iddfs:sort=off:bound=off': { slides: 180, seconds: 181.3, nodes: 1336657905 },
  'iddfs:bound=off': { slides: 60, seconds: 71.5, nodes: 549181413 },
  'iddfs': { slides: 10, seconds: 16.7, nodes: 120255546 },
});

/** How often the optimum was found, in percent, by the required number of moves from 1 on; 160,000 positions each. */
export const HIT_RATES = {
  positions: [7268, 6950, 11206, 17526, 23777, 24568, 21953, 17034, 11418, 6845, 4037, 2427, 1463, 1129, 944, 732, 399, 219, 72, 28, 4, 1],
  graph: { published: [100, 100, 100, 98.37, 93.4, 90.06, 88.63, 85.51, 80.82, 74.51, 67.25, 57.1, 53.05, 53.03, 60.26, 38.46], ours: [100, 100, 100, 98.45, 94.09, 91.09, 87.34, 83.63, 80.64, 77.53, 69.85, 60.28, 49.08, 36.23, 30.83, 31.28, 24.31, 27.85, 27.78, 7.14, 0, 0] },
  claims: { published: [100, 98.61, 93.85, 90.07, 83.14, 81.96, 77.99, 73.71, 69.39, 65.49, 59.8, 56.74, 56.25, 48.86, 48.72, 38.46], ours: [100, 100, 92.66, 90.15, 84.74, 80.36, 75.7, 71.67, 66.87, 61.53, 55.64, 44.75, 39.03, 21.7, 17.8, 11.07, 15.29, 10.05, 9.72, 3.57, 25, 100] },
  played: { ours: [100, 100, 99.73, 98.47, 95.05, 94.69, 92.65, 91.28, 88.71, 85.77, 80.21, 70.7, 63.02, 54.38, 48.2, 48.22, 36.09, 34.25, 34.72, 17.86, 25, 0] },
};

/** The same in all, in percent. */
export const HIT_RATES_TOTAL = { graph: { published: 89.88, ours: 88.42 }, claims: { published: 81.13, ours: 78.41 }, played: { ours: 92.47 } };

/** Rounds of 40 that the report's searches solved, with setups of up to 4, 5 and 6 moves: published and ours. */
export const REPORT_ROUNDS = /** @type {const} */ ([
  { solver: 'bfs', published: [6, 8, 12], ours: [14, 14, 16] },
  { solver: 'dfs', published: [17, 17, 22], ours: [14, 21, 22] },
  { solver: 'setup-bfs', published: [34, 26, 2], ours: [31, 38, 36] },
  { solver: 'setup-dfs', published: [38, 37, 37], ours: [30, 37, 37] },
  { solver: 'setup-position', published: [36, 36, 26], ours: [32, 37, 39] },
  { solver: 'setup-crossblock', published: [36, 36, 36], ours: [25, 34, 36] },
]);

// Puzzles of the chapters. Those of the thesis and the report are our own with the same trap: theirs are known as
// drawings only.

/** The slides' puzzle of 22 moves. */
export const SLIDES_LINE = '16x16.AgAgBABIAEBAACQBAIAAEAg~AG~BQAFEMAAXkAAELwAQEAAB~BkDIAAg~AwgAIg~AC~ADAIQ.1fc1f0c0.B9c';
/** Small enough to step through a whole search. */
export const TINY = '4x4..003033.R11';
export const SMALL = '5x5..004012.R31';
/** Printed boards with puzzles of 7 and 9 moves. */
export const PRINTED_7 = '1A2B3C4A.04fee0f4.Bc9';
export const PRINTED_9 = '1A4B3B2B.fcaf42a2.Gd1';
/** A target with critical paths of all three degrees. */
export const PATHS = '1B2A3A4C.33822262.Ye9';
/** As in the thesis's case A, a helper needs the goal robot to stop it: 4 moves instead of 7. */
export const CASE_A = '6x6.IBIAABgAAK.0032.R13';
/** As in the report's figures 2 and 3, the goal robot has to move before the setup: 5 moves instead of 6. */
export const WAITING = '6x6.AgAZAAEgAC.3014.R41';
/** As in the report's figure 5: a setup of four moves with position score 1/4 and cross block score 6. */
export const FIGURE_5 = '9x8.~EBAAI~GB.0385.R50';
/** As in the report's figure 6: a helper only has to make way. */
export const FIGURE_6 = '6x6.VS.0040.R50';
/** Robots in each other's way. */
export const IN_THE_WAY = '8x8..005034.R74';
