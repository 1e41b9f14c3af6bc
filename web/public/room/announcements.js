// What has happened in a room, in sentences and sounds.

/** @import {NumberedEvent, Options, PlayerId, RoomState} from '../../types/room.d.ts' */
import { playSound } from '../ui/sound.js';
import { t } from '../words/room.js';
import { movesIn, playerOf, scoreOf } from './state.js';

/** Events that nothing else on the screen shows. */
export const SHOWN_EVENTS = new Set(['options-changed', 'next-voted', 'joined', 'dropped', 'returned', 'left', 'host-changed', 'muted', 'chip-discarded', 'show-failed']);

/**
 * A sentence, or nothing if something else says it. `before` is the room before the event.
 * @param {RoomState} before @param {RoomState} after @param {NumberedEvent} event @param {PlayerId | null} you
 * @returns {string}
 */
export function announcementOf(before, after, event, you) {
  const name = 'player' in event && event.player !== null ? (playerOf(after, event.player) ?? playerOf(before, event.player))?.name ?? '' : '';
  const own = 'player' in event && event.player === you;
  switch (event.event) {
    case 'joined':
      return own ? '' : t('newsJoined', { name });
    case 'dropped':
      return t('newsDropped', { name });
    case 'returned':
      return own ? '' : t('newsReturned', { name });
    case 'left':
      return t(event.removed ? 'newsRemoved' : 'newsLeft', { name });
    case 'host-changed':
      return own ? t('newsYouHost') : name ? t('newsHost', { name }) : '';
    case 'muted':
      return t(event.yes ? 'newsMuted' : 'newsUnmuted', { name });
    case 'game-started':
      return t('newsGame', { chips: event.chips });
    case 'chip-discarded':
      return t('newsDiscarded');
    case 'bid': {
      const first = before.round?.until === null;
      return `${own ? t('newsYouBid', { n: event.moves }) : t('newsBid', { name, n: event.moves })}${first ? ` ${t('newsSand')}` : ''}`;
    }
    case 'submitted':
      return own ? t('newsYouHandedIn', { n: event.length ?? 0 }) : t('newsHandedIn', { name });
    case 'sand-started':
      return t('newsSand');
    case 'skip-voted':
      return event.yes ? t('newsVote', { name, n: after.round?.skip_votes.length ?? 0, of: votersOf(after) }) : t('newsVoteBack', { name });
    case 'next-voted':
      return event.yes ? t('newsNext', { name, n: after.pause?.votes.length ?? 0, of: votersOf(after) }) : t('newsNextBack', { name });
    case 'options-changed':
      return t('newsOptions', { rules: optionsText(event.options) });
    case 'show-started': {
      const through = before.phase === 'thinking' ? `${t('newsThrough')} ` : '';
      return through + (own ? t('newsYouShow', { n: event.bid }) : t('newsShows', { name, n: event.bid }));
    }
    case 'show-failed':
      return t(`failed-${event.reason}`, { name });
    case 'paused':
      return t('newsPaused');
    case 'resumed':
      return t('newsResumed');
    case 'round-ended':
      return resultSentence(after);
    case 'game-ended':
      return winnersSentence(after);
    default:
      return '';
  }
}

/** How many votes are needed: all connected people, or all bots if there are no people. @param {RoomState} state */
export function votersOf({ players }) {
  const there = players.filter(({ connected }) => connected);
  const people = there.filter(({ bot }) => !bot);
  return (people.length ? people : there).length;
}

/** How the last round ended. @param {RoomState} state */
export function resultSentence(state) {
  const { ended } = state;
  if (!ended) return '';
  const { result } = ended;
  if (result.how === 'won') {
    const name = playerOf(state, result.player)?.name ?? '?';
    const n = movesIn(result.moves).length;
    return n ? t('wonWith', { name, n }) : t('won', { name });
  }
  return t(result.how);
}

/** The optimum, and how many players saw it. @param {RoomState} state */
export function optimumSentence({ ended }) {
  if (!ended) return '';
  const saw = ended.review.filter(({ saw_it }) => saw_it).length;
  if (!ended.optimum) return '';
  return `${t('optimumWas', { n: movesIn(ended.optimum).length })} ${saw ? t('sawIt', { n: saw, of: ended.review.length }) : t('nobodySawIt')}`;
}

/** @param {RoomState} state */
export function winnersSentence(state) {
  const first = state.standings?.filter(({ place }) => place === 1) ?? [];
  if (!first.length) return t('gameOver');
  const { score } = first[0];
  if (state.options.teams) {
    const teams = [...new Set(first.map(({ team }) => 'ABCD'[team ?? 0]))];
    return teams.length > 1 ? t('teamsShared', { names: teams.join(', '), n: score }) : t('teamWins', { name: teams[0], n: score });
  }
  if (first.length > 1) return t('shared', { names: first.map(({ name }) => name).join(', '), n: score });
  return t('wins', { name: first[0].name, n: score });
}

/** All players' chips, for screen readers. @param {RoomState} state */
export const chipsSentence = (state) => state.players.map(({ id, name }) => t('chipsOf', { name, n: scoreOf(state, id) })).join(' ');

/** Plays the sound of an event, if it has one. @param {RoomState} before @param {NumberedEvent} event @param {PlayerId | null} you */
export function playEventSound(before, event, you) {
  if (event.event === 'bid' && event.player !== you) playSound('bid');
  // Not by the clock of this page: the event often comes before it has noticed.
  const sandRan = before.phase === 'thinking' && typeof before.round?.until === 'number';
  if (sandRan && (event.event === 'show-started' || event.event === 'round-ended')) playSound('sand');
  if (event.event === 'show-failed') playSound('wrong');
  if (event.event === 'round-ended' && event.result.how === 'won') playSound('solved');
}

/** The options in one line; usual ones are left out. @param {Options} options */
export function optionsText({ style, edition, robots, must_ricochet, sand_ms, length, teams }) {
  const parts = [
    t(`style-${style}`), t('editionShort', { year: edition }), style === 'correspondence' ? '' : t('sandShort', { n: Math.round(sand_ms / 1000) }),
    length === 'race' ? t('lengthRace') : typeof length === 'object' ? t('roundsShort', { n: length.rounds }) : '',
    robots === 5 ? t('fiveRobots') : '', must_ricochet ? t('mustRicochet') : '', teams ? t('teamsShort', { n: teams }) : '',
  ];
  return parts.filter(Boolean).join(' · ');
}
