// Glicko-2 (M. Glickman, "Example of the Glicko-2 system"), as in `ricochet-solve`: a test compares both.

/** The rating is within two deviations in 95 of 100 cases; volatility says how erratic results are.
 * @typedef {{rating: number, deviation: number, volatility: number}} Rating */

/** Between the printed scale, around 1500, and the scale of the formulas. */
const SCALE = 173.7178;
/** How much volatility may change. */
const TAU = 0.5;
/** When the iteration for the volatility has converged. */
const EPSILON = 1e-6;
const MOST_DEVIATION = 350;

/** Someone about whom nothing is known, or who says how strong they are. @param {number} [rating] @returns {Rating} */
export const newRating = (rating = 1500) => ({ rating, deviation: MOST_DEVIATION, volatility: 0.06 });

/**
 * The rating after a period of games; without games, only the deviation grows.
 * @param {Rating} player @param {readonly {rating: number, deviation: number, score: number}[]} games scores from 0 to 1
 * @returns {Rating}
 */
export function afterGames({ rating, deviation, volatility }, games) {
  let phi = deviation / SCALE;
  let information = 0;
  let surprise = 0;
  for (const game of games) {
    const opponent = game.deviation / SCALE;
    const g = 1 / Math.sqrt(1 + (3 * opponent * opponent) / (Math.PI * Math.PI));
    // A certain result would carry no information at all.
    const expected = Math.min(1 - 1e-9, Math.max(1e-9, 1 / (1 + Math.exp((-g * (rating - game.rating)) / SCALE))));
    information += g * g * expected * (1 - expected);
    surprise += g * (game.score - expected);
  }
  const sigma = games.length ? newVolatility(volatility, phi, 1 / information, surprise / information) : volatility;
  phi = 1 / Math.sqrt(1 / (phi * phi + sigma * sigma) + information);
  return {
    rating: rating + phi * phi * surprise * SCALE,
    deviation: Math.min(phi * SCALE, MOST_DEVIATION),
    volatility: sigma,
  };
}

/** Step 5 of the paper: the root of `f`, by the Illinois variant of regula falsi.
 * @param {number} sigma @param {number} phi @param {number} variance @param {number} delta */
function newVolatility(sigma, phi, variance, delta) {
  const a = Math.log(sigma * sigma);
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x);
    const sum = phi * phi + variance + e;
    return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (TAU * TAU);
  };
  let low = a;
  let high = Math.log(delta * delta - phi * phi - variance);
  if (Number.isNaN(high) || high === -Infinity) {
    let steps = 1;
    while (f(a - steps * TAU) < 0) steps += 1;
    high = a - steps * TAU;
  }
  let [atLow, atHigh] = [f(low), f(high)];
  // It converges in a few steps; the bound is for values that are no numbers.
  for (let i = 0; i < 100 && Math.abs(high - low) > EPSILON; i += 1) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const atMiddle = f(middle);
    if (atMiddle * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, atMiddle];
  }
  return Math.exp(low / 2);
}

/** The rating after periods without games: it is less certain. @param {Rating} player @param {number} periods @returns {Rating} */
export function afterPause({ rating, deviation, volatility }, periods) {
  const grown = Math.hypot(deviation, Math.sqrt(Math.max(0, periods)) * volatility * SCALE);
  return { rating, deviation: Math.max(deviation, Math.min(grown, MOST_DEVIATION)), volatility };
}
