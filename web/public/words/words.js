// Texts of the page: every entry of a table has its English and its German form side by side.

/** @typedef {Record<string, readonly [string, string]>} Table */
/** @typedef {'en' | 'de'} Language */

/** @type {Language} */
let language = 'en';

/** @param {Language} wanted */
export function setLanguage(wanted) {
  language = wanted;
  document.documentElement.lang = wanted;
}

export const currentLanguage = () => language;

/** The language of the browser, if it is one of ours. @returns {Language} */
export function preferredLanguage() {
  return navigator.languages?.some((tag) => tag.toLowerCase().startsWith('de')) &&
    !navigator.languages[0]?.toLowerCase().startsWith('en')
    ? 'de'
    : 'en';
}

/**
 * How a table is read: `t('key', {n: 3})` puts values where the text says `{n}`. If a count
 * changes the text, it has both forms, `{n|one move|{n} moves}`.
 * @template {Table} T
 * @param {T} table
 */
export function translator(table) {
  /** @param {keyof T & string} key @param {Record<string, string | number>} [values] */
  return (key, values = {}) => {
    const [english, german] = table[key];
    return fill(language === 'de' ? german : english, values);
  };
}

/** @param {string} text @param {Record<string, string | number>} values */
function fill(text, values) {
  return text
    .replace(/\{(\w+)\|([^|{}]*(?:\{\w+\}[^|{}]*)*)\|([^|{}]*(?:\{\w+\}[^|{}]*)*)\}/g, (_, name, one, many) =>
      Number(values[name]) === 1 ? one : many,
    )
    .replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
