// Files for the player: pictures and text to save.

import { h } from './dom.js';

/** Saves bytes under a name. @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A picture as the engine sends it. @param {{type: string, text?: string | null, base64?: string | null}} answer */
export function pictureBlob({ type, text, base64 }) {
  if (typeof text === 'string') return new Blob([text], { type });
  return new Blob([Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0))], { type });
}

/**
 * Offers a picture to the browser's share menu on phones, and saves it elsewhere.
 * @param {Blob} blob @param {string} name @returns {Promise<void>}
 */
export async function shareOrSave(blob, name) {
  const files = [new File([blob], name, { type: blob.type })];
  if (matchMedia('(pointer: coarse)').matches && navigator.canShare?.({ files })) {
    try {
      await navigator.share({ files });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  saveBlob(blob, name);
}
