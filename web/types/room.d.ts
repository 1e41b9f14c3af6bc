// The messages and views of a room, as in the crate `ricochet-rooms`, whose documentation
// explains each of them. Games around a table have the same ones. Only a checker reads this file.

import type { Cell } from './page.d.ts';

export type PlayerId = number;
export type Phase = 'lobby' | 'pause' | 'thinking' | 'showing' | 'over';
export type Length = 'all-chips' | 'race' | { rounds: number };

/** What may be said: nothing, numbered phrases, or anything. */
export type Chat = 'off' | 'quick' | 'free';

export interface Options {
  edition: number;
  layout: string | null;
  diagonals: boolean | null;
  robots: number;
  must_ricochet: boolean;
  style: 'bidding' | 'secret' | 'correspondence';
  sand_ms: number;
  /** Null at a table without a time limit. */
  show_ms: number | null;
  round_ms: number;
  pause_ms: number;
  length: Length;
  ties: 'fewer-chips' | 'newcomer';
  teams: number;
  seats: number;
  private: boolean;
  chat: Chat;
  /** Games start by themselves, and there is no host. */
  automatic?: boolean;
  spectator_delay_ms?: number;
}

export interface Player { id: PlayerId; name: string; bot: boolean; level?: number; team: number | null; connected: boolean; chips: number; muted?: boolean }

export interface Game {
  number: number;
  layout: string;
  robots: Cell[];
  chips_left: number;
  chips_to_win: number | null;
  rounds: number;
  /** All chips of the board, if the start of the game was seen. */
  chips?: number;
}

/** A bid, or a hidden solution of which only its owner knows more than that it is there. */
export interface Bid {
  player: PlayerId;
  length: number | null;
  moves: string | null;
  /** Number and times of its events, if they were seen. */
  number?: number;
  first_at?: number;
  last_at?: number;
}

export interface Round {
  number: number;
  puzzle: string;
  target: number;
  since: number;
  until: number | null;
  stakes: Bid[];
  skip_votes: PlayerId[];
}

export interface Show { player: PlayerId; bid: number; moves: string; until: number | null }

export interface RoomView {
  version: number;
  options: Options;
  players: Player[];
  host: PlayerId | null;
  phase: Phase;
  game: Game | null;
  round: Round | null;
  show: Show | null;
  /** Before a round: when it begins at the latest, and who wants it at once. */
  pause: { next_at: number; votes: PlayerId[] } | null;
}

export interface Review { player: PlayerId; first_ms: number | null; last_ms: number | null; best: number | null; saw_it: boolean }
export type RoundResult = { how: 'won'; player: PlayerId; moves: string } | { how: 'all-failed' } | { how: 'skipped' };
export interface Standing { place: number; player: PlayerId; name: string; team: number | null; chips: number; score: number }
export type Failure = 'too-many-moves' | 'time' | 'gave-up' | 'left';

/** A round that is over. */
export interface EndedRound {
  number: number;
  puzzle: string;
  target: number;
  result: RoundResult;
  optimum: string | null;
  review: Review[];
  failed: PlayerId[];
  next_at: number;
}

/** A line of text, or the number of a phrase. */
export interface ChatLine { player: PlayerId; name: string; text: string; phrase?: number; at: number }

/** A room as the page knows it: the public view, and what the page saw happen. */
export interface RoomState extends RoomView {
  /** Who failed in this round. */
  failed: PlayerId[];
  ended: EndedRound | null;
  standings: Standing[] | null;
  talk: ChatLine[];
  /** Around a table only: when the game was paused, if it is. */
  paused?: number | null;
}

export type RoomEvent =
  | { event: 'opened'; options: Options; seed?: number | null }
  | { event: 'joined'; player: PlayerId; name: string; bot: boolean; level?: number; team: number | null }
  | { event: 'dropped' | 'returned'; player: PlayerId }
  | { event: 'left'; player: PlayerId; removed: boolean }
  | { event: 'host-changed'; player: PlayerId | null }
  | { event: 'game-started'; game: number; layout: string; robots: Cell[]; stack: number[] | null; chips: number; chips_to_win: number | null }
  | { event: 'stack-refilled' | 'chip-returned'; stack: number[] | null }
  | { event: 'round-started'; round: number; puzzle: string; target: number; left: number; until: number | null; optimum: string | null }
  | { event: 'chip-discarded'; target: number }
  | { event: 'bid'; player: PlayerId; moves: number; until: number }
  | { event: 'submitted'; player: PlayerId; length: number | null; moves: string | null }
  | { event: 'sand-started'; until: number }
  | { event: 'skip-voted'; player: PlayerId; yes: boolean }
  | { event: 'show-started'; player: PlayerId; bid: number; until: number | null }
  | { event: 'shown'; player: PlayerId; play: string }
  | { event: 'show-failed'; player: PlayerId; reason: Failure }
  | { event: 'round-ended'; result: RoundResult; robots: Cell[]; optimum: string | null; review: Review[]; next_at: number }
  | { event: 'next-voted'; player: PlayerId; yes: boolean }
  | { event: 'pause-ended' }
  | { event: 'game-ended'; standings: Standing[] }
  | { event: 'options-changed'; options: Options; teams: { player: PlayerId; team: number | null }[] }
  | { event: 'muted'; player: PlayerId; yes: boolean }
  | { event: 'said'; player: PlayerId; text: string }
  | { event: 'phrase'; player: PlayerId; phrase: number }
  /** Around a table only: the robots were put where they stand on the real board. */
  | { event: 'robots-placed'; robots: Cell[] }
  /** Around a table only: no time passes between the two. */
  | { event: 'paused' | 'resumed' };

export type NumberedEvent = RoomEvent & { number: number; at: number };

/** One room in the lobby. */
export interface RoomEntry {
  room: string;
  host: string | null;
  phase: Phase;
  players: number;
  bots: number;
  connected: number;
  seats: number;
  spectators: number;
  game: number | null;
  round: number | null;
  opened: number;
  options: Options;
  /** Whether it is the public room that is always open. */
  standing?: boolean;
}
export interface Lobby { now: number; tv: string | null; rooms: RoomEntry[] }
export interface Seat { room: string; player: PlayerId; token: string }

/** The rounds of a game that are over. */
export interface GameReview {
  game: number;
  over: boolean;
  standings: Standing[] | null;
  /** Including those who have left. */
  players: { player: PlayerId; name: string }[];
  rounds: {
    round: number; puzzle: string; target: number; began: number; ended: number;
    optimum: string | null; result: RoundResult; saw_it: number; review: Review[];
  }[];
}

export interface Welcome { type: 'welcome'; protocol: number; room: string; you: PlayerId | null; now: number; version: number; snapshot: RoomView | null; delay_ms: number; ping_ms: number }
export interface Presence { type: 'presence'; lags: Record<string, number | null>; spectators: number }
export interface Reply { type: 'reply'; id: number; ok: boolean; version?: number; refusal?: string; yours?: number; reason?: string; message?: string }
