// What lasts on this device: settings, streaks, unfinished games. A browser that forbids storage
// gets a store that lasts as long as the page.

const PREFIX = 'ricochet.';
/** @type {Map<string, string>} */
const memory = new Map();

/**
 * @template T
 * @param {string} name @param {T} otherwise the value if nothing is stored
 * @returns {T}
 */
export function load(name, otherwise) {
  let text = memory.get(name) ?? null;
  try {
    text = localStorage.getItem(PREFIX + name) ?? text;
  } catch {
    // Storage is forbidden: what this page wrote is in memory.
  }
  if (text === null) return otherwise;
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value @returns {boolean} whether it lasts longer than the page */
export function save(name, value) {
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    localStorage.setItem(PREFIX + name, text);
    return true;
  } catch {
    // Forbidden or full: kept in memory.
    return false;
  }
}

/** @param {string} name */
export function forget(name) {
  memory.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Forbidden: nothing is there.
  }
}
