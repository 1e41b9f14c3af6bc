// 'Your turn' where the player looks: in the title of the window, and as a notification of the system
// if the player wants that and the page is in the background.

/** @import {PlayerId, RoomState} from '../../../types/room.d.ts' */
import { load, save } from '../../ui/storage.js';
import { t } from '../../words/room.js';

export const canNotify = () => 'Notification' in window && Notification.permission !== 'denied';

export const wantsNotification = () => canNotify() && Notification.permission === 'granted' && load('notify', false);

/** Asks the browser for permission if necessary. @param {boolean} yes @returns {Promise<boolean>} whether there will be notifications */
export async function wishNotification(yes) {
  save('notify', yes);
  if (!yes) return false;
  try {
    return (await Notification.requestPermission()) === 'granted';
  } catch {
    return false;
  }
}

export class Turn {
  constructor() {
    this.title = document.title;
    this.shown = '';
    this.round = '';
    this.leaving = new AbortController();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible' && this.shown === t('newRound')) this.#write('');
    }, { signal: this.leaving.signal });
  }

  /** @param {RoomState | null} state @param {PlayerId | null} you */
  update(state, you) {
    const shows = you !== null && state?.phase === 'showing' && state.show?.player === you;
    const round = state?.round ? `${state.game?.number}.${state.round.number}` : '';
    const begins = you !== null && state?.phase === 'thinking' && round !== this.round && this.round !== '' && document.visibilityState === 'hidden';
    if (round) this.round = round;
    if (shows) this.#write(t('yourTurn'));
    else if (begins) this.#write(t('newRound'));
    else if (this.shown === t('yourTurn')) this.#write('');
  }

  /** @param {string} text */
  #write(text) {
    if (text === this.shown) return;
    if (!this.shown) this.title = document.title;
    this.shown = text;
    document.title = text ? `${text} · ${this.title}` : this.title;
    if (text && document.visibilityState === 'hidden' && wantsNotification()) void notify(text);
  }

  close() {
    this.#write('');
    this.leaving.abort();
  }
}

/** @param {string} text */
async function notify(text) {
  const options = { tag: 'turn', icon: new URL('icon.svg', document.baseURI).href };
  try {
    const shown = new Notification(text, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // On phones only a service worker may.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(text, options);
  }
}
