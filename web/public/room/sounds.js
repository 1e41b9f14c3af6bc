// Which events of a room are heard, at the table and over the network alike.

/** @import {Numbered, PlayerId, RoomState} from '../../types/room.d.ts' */
import { play } from '../ui/sound.js';

/** @param {RoomState} before @param {Numbered} event @param {PlayerId | null} you who has done it knows about it */
export function playEvent(before, event, you) {
  if (event.event === 'bid' && event.player !== you) play('bid');
  // Not by the clock of this page: the event often comes before it has noticed.
  const sandRan = before.phase === 'thinking' && typeof before.round?.until === 'number';
  if (sandRan && (event.event === 'show-started' || event.event === 'round-ended')) play('sand');
  if (event.event === 'show-failed') play('wrong');
  if (event.event === 'round-ended' && event.result.how === 'won') play('solved');
}
