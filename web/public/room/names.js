// Names of players, cleaned as in `ricochet-rooms`.

/** Characters in a name at most. */
export const MAX_NAME = 24;

/** Characters that could hide, turn round or imitate other text. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** @param {string} text @returns {string} empty if nothing is left */
export function cleanName(text) {
  const seen = [...text].slice(0, 4 * MAX_NAME).join('').replace(INVISIBLE, '').replace(/[^\s\P{Cc}]/gu, '');
  return [...seen.split(/\s+/).filter(Boolean).join(' ')].slice(0, MAX_NAME).join('').trimEnd();
}

/** The name, or the name with a number, that is not among those taken. @param {string} name @param {string[]} taken */
export function freeName(name, taken) {
  const lower = new Set(taken.map((one) => one.toLowerCase()));
  if (!lower.has(name.toLowerCase())) return name;
  for (let number = 2; ; number += 1) {
    const end = ` ${number}`;
    const numbered = [...name].slice(0, MAX_NAME - end.length).join('').trimEnd() + end;
    if (!lower.has(numbered.toLowerCase())) return numbered;
  }
}
