// What the modules hand to each other. Only the type checker reads this file.

import type { Progress, Questions as EngineQuestions } from './api.d.ts';

/** What only a server can do, since it stores what players send. */
interface ServerQuestions {
  attempts: { request: { consent: true; puzzle: string; moves: Move[]; ms: number; hints: number }; answer: { id: number; solved: boolean } };
  results: { request: { date: string; player: string; moves: Move[]; ms: number; hints: number }; answer: { length: number; optimal: number; day: DaySummary } };
}
/** How everybody did on a daily puzzle. */
export interface DaySummary {
  players: number;
  lengths: { length: number; players: number }[];
  /** Players per time bucket, by its upper bound in milliseconds; null for no bound. */
  times?: { up_to_ms: number | null; players: number }[];
}

export interface Questions extends EngineQuestions, ServerQuestions {}
export type Question = keyof Questions;
export type RequestOf<Q extends Question> = Questions[Q]['request'];
export type AnswerOf<Q extends Question> = Questions[Q]['answer'];

export interface AskOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Not urgent: fails silently if the server is busy or gone. */
  idle?: boolean;
}
/** Answers questions: the server over HTTP, or workers in this page. */
export interface Engine {
  ask<Q extends Question>(question: Q, fields: RequestOf<Q>, options?: AskOptions): Promise<AnswerOf<Q>>;
}

/** Everything a page needs to draw and play a puzzle. */
export type View = AnswerOf<'compose'>;
export type Target = View['targets'][number];
export type Diagonal = View['diagonals'][number];
export type Problem = View['problems'][number];
export type Shape = Target['shape'];
export type Solved = AnswerOf<'solve'>;
export type Position = AnswerOf<'position'>;
export type PositionMove = Position['moves'][number];
export type { Progress };

/** Column and row, from 0 in the north-west. */
export type Cell = [number, number];
export type Direction = 'N' | 'E' | 'S' | 'W';
/** A robot's letter and a direction: "RN". */
export type Move = string;
/** One slide, as the page's own rules see it. */
export interface Slide {
  robot: number;
  direction: Direction;
  from: Cell;
  to: Cell;
  /** All cells entered, in order; without the first. */
  path: Cell[];
  stoppedBy: { kind: 'rim' | 'wall' | 'robot' | 'nothing'; robot?: number };
}

/** The result of playing moves on a view. */
export interface Replay {
  steps: Slide[];
  robots: Cell[];
  solved: boolean;
  /** The first illegal move, if any; the moves after it are not played. */
  failed: { number: number; move: Move } | null;
}

export type ModeName = 'home' | 'play' | 'analyse' | 'edit' | 'watch' | 'read' | 'learn' | 'room';
export interface Route {
  mode: ModeName;
  /** A puzzle in one-line notation; empty for none. */
  line: string;
  moves: Move[];
  /** What else the mode keeps in the address. */
  more: Record<string, string>;
}

export type CommandWord =
  | 'undo' | 'redo' | 'reset' | 'hint' | 'solve' | 'new' | 'next' | 'back' | 'start' | 'end' | 'best' | 'evaluate' | 'engine' | 'arrows' | 'delete'
  | 'robots' | 'goal' | 'walls' | 'diagonals' | 'printed' | 'made' | 'failed' | 'pause' | 'situation' | 'skip'
  | 'play' | 'prune' | 'iteration' | 'solution' | 'ask';

/** A key and what it does; the help lists all of them. */
export interface Binding {
  /** As KeyboardEvent.key says it, letters in lower case. */
  key: string;
  shift?: boolean;
  /** What it does, in the reader's language. */
  does: string;
  run: () => void;
  /** The word of the command box that does the same; `words/page.js` has its translation. */
  word?: CommandWord;
  /** Left out of the help: another way to do the same. */
  quiet?: boolean;
}

/** What a mode provides to the page. */
export interface Mode {
  /** Shows what the address says; called again when the address changes from outside. */
  open(route: Route): void | Promise<void>;
  /** Cancels questions and clocks; the panel is emptied afterwards. */
  close(): void;
  keys(): Binding[];
  /** Runs a word from the command box that is not a move; true if it was understood. */
  command?(word: string): boolean;
  /** What to say if an arrow key is pressed while no robot is selected. */
  unselected?(): string | null;
  /** What would be lost by leaving; null if nothing. */
  guard?(): string | null;
}

/** An arrow on the board; a mark if it ends where it begins. */
export interface Arrow {
  from: Cell;
  to: Cell;
  /** The cells in between, if the arrow is not straight. */
  path?: Cell[];
  /** A robot's letter, or one of the drawing colours '1' to '4'. */
  color: string;
  label?: string;
  best?: boolean;
}
export interface Overlay {
  /** Per cell, row by row; null for an empty cell. */
  values: (number | null)[];
  /** What is written in a cell; the value itself if it is missing. */
  labels?: (string | null)[];
}

export interface BoardEvents {
  /** The player wants a robot to slide. */
  move: { robot: number; direction: Direction };
  select: { robot: number | null };
  /** Input 'slides': a cell was clicked or tapped to which no robot can go; it deselects unless a listener prevents that. */
  miss: { cell: Cell };
  /** Input 'edit': a cell was clicked or tapped, near an edge or in its middle. */
  cell: { cell: Cell; edge: Direction | null; button: number };
  /** Input 'edit': a robot was dragged to a cell. */
  drop: { robot: number; cell: Cell };
  /** The pointer rests on a cell, or left the board. */
  hover: { cell: Cell | null };
  /** The wheel was turned over the board. */
  step: { by: 1 | -1 };
  /** Right-drag: an arrow, or a mark if both cells are the same. */
  draw: { from: Cell; to: Cell; color: string };
  /** A cell of the grid got the focus. */
  focus: { cell: Cell };
}

declare global {
  interface Window {
    /** Shows a theme, from `ui/theme.js`; 'auto' is the one that the system prefers. */
    showTheme(theme: string): void;
    /** What was asked before the modules had arrived. */
    early?: { question: string; asked: string; answer: Promise<any> };
  }
}
