// What the server has stored for this device: daily results under its random key, and seats in rooms.
// The player can save all of it as a file, or have it deleted.

/** @import {Seat} from '../../types/room.d.ts' */
import { t } from '../words/page.js';
import { button, h } from './dom.js';
import { saveBlob } from './files.js';
import { forget, load, save } from './storage.js';

/** @param {string} token */
const bearer = (token) => ({ authorization: `Bearer ${token}` });

/** @param {string} path @param {RequestInit} [init] */
async function ask(path, init) {
  const response = await fetch(`api/v1/${path}`, init);
  // What no longer exists needs no deletion.
  if (!response.ok && response.status !== 404 && response.status !== 401) throw new Error(`${response.status} ${response.statusText}`);
  return response.ok && response.headers.get('content-type')?.includes('json') ? response.json() : null;
}

const key = () => /** @type {string} */ (load('player', ''));
const seats = () => /** @type {Seat[]} */ (load('seats', []));

async function collect() {
  const results = key() ? (await ask('results/mine', { headers: bearer(key()) }))?.results ?? [] : [];
  const rooms = [];
  for (const { room, player } of seats()) {
    const entry = await ask(`rooms/${room}`);
    if (entry) rooms.push({ room, player, entry, game: await ask(`rooms/${room}/games/latest`) });
  }
  return { saved: new Date().toISOString(), server: location.origin, results, rooms };
}

async function deleteAll() {
  if (key()) await ask('results/mine', { method: 'DELETE', headers: bearer(key()) });
  forget('player');
  for (const seat of seats()) {
    await ask(`rooms/${seat.room}/do/leave`, { method: 'POST', headers: { ...bearer(seat.token), 'content-type': 'application/json' }, body: '{}' });
    save('seats', seats().filter(({ room }) => room !== seat.room));
  }
}

/** The part of the settings about it. */
export function ownDataFields() {
  const status = h('p', { class: 'soft', role: 'status' });
  const sure = h('div', { class: 'row' });
  sure.hidden = true;
  /** @param {() => Promise<string>} work */
  const run = async (work) => {
    sure.hidden = true;
    status.textContent = t('ownDataAsks');
    try {
      status.textContent = await work();
    } catch (error) {
      status.textContent = t('wentWrong', { message: error instanceof Error ? error.message : String(error) });
    }
  };
  const exported = () => run(async () => {
    const data = await collect();
    saveBlob(new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: 'application/json' }), 'ricochet-data.json');
    return t('ownDataSaved', { results: data.results.length, rooms: data.rooms.length });
  });
  const deleted = () => run(async () => {
    await deleteAll();
    return t('ownDataDeleted');
  });
  sure.append(button(t('ownDataReally'), () => void deleted()), button(t('ownDataKeep'), () => {
    sure.hidden = true;
  }));
  return [
    h('h3', {}, t('ownData')),
    h('p', { class: 'soft' }, t('ownDataText'), ' ', h('a', { href: 'privacy', target: '_blank', rel: 'noopener' }, t('privacy'))),
    h('div', { class: 'row' }, button(t('ownDataExport'), () => void exported()), button(t('ownDataDelete'), () => {
      sure.hidden = false;
      status.textContent = t('ownDataSure');
    })),
    sure,
    status,
  ];
}
