// Before a game around a table: who plays, by which rules, on which board, and with which chips.

/** @import {Cell, View} from '../../../types/page.d.ts' */
/** @import {Length, Options} from '../../../types/room.d.ts' */
/** @import {App} from '../../app/app.js' */
/** @import {Deal} from './referee.js' */
import { diagonalAt, isClosed, sameCell } from '../../board/rules.js';
import { QuadrantPicker } from '../../edit/quadrants.js';
import { capitalize } from '../../speech/sentences.js';
import { openDialog } from '../../ui/dialogs.js';
import { button, fill, form, h } from '../../ui/dom.js';
import { choice, labelledCheckbox, labelledChips, labelledField, numberField } from '../../ui/form-fields.js';
import { load, save } from '../../ui/storage.js';
import { t } from '../../words/room.js';
import { MAX_NAME, cleanName } from '../names.js';
import { teamName } from '../seats.js';
import { RANDOM } from './referee.js';

/**
 * @typedef {object} TableChoices
 * @property {string[]} names
 * @property {number} teams 0: no teams
 * @property {number[]} sides the team of each name, if there are teams
 * @property {'random' | 'own' | 'none'} board
 * @property {'1999' | '2003' | '2013'} edition
 * @property {string} layout
 * @property {number} robots
 * @property {number} sand seconds
 * @property {number} show seconds; 0 without end
 * @property {'all-chips' | 'race' | 'rounds'} length
 * @property {number} rounds
 * @property {'fewer-chips' | 'newcomer'} ties
 * @property {boolean} ricochet
 */

/** @type {TableChoices} */
const DEFAULTS = {
  names: ['', ''], teams: 0, sides: [], board: 'random', edition: '1999', layout: '1A4B3B2B', robots: 4, sand: 60, show: 60,
  length: 'all-chips', rounds: 10, ties: 'fewer-chips', ricochet: false,
};
const FACES = { 1999: 'AB', 2003: 'CD', 2013: 'ABCD' };
const MOST_PLAYERS = 12;

/** @param {TableChoices} choices @returns {Options} */
export function optionsOf({ edition, layout, robots, ricochet, sand, show, length, rounds, ties, teams }) {
  /** @type {Length} */
  const wanted = length === 'rounds' ? { rounds } : length;
  return {
    edition: Number(edition), layout, diagonals: null, robots, must_ricochet: ricochet, style: 'bidding', sand_ms: sand * 1000,
    show_ms: show ? show * 1000 : null, round_ms: 0, pause_ms: 0, length: wanted, ties, teams, seats: MOST_PLAYERS, private: true, chat: 'off',
  };
}

/** The team of a name; in turn unless it was chosen. @param {TableChoices} choices @param {number} i */
export function teamOf({ teams, sides }, i) {
  if (!teams) return null;
  return sides[i] !== undefined && sides[i] < teams ? sides[i] : i % teams;
}

/** The layout that is played; empty without a board. @param {TableChoices} choices */
export const layoutOf = ({ board, edition, layout }) => (board === 'none' ? '' : board === 'own' ? layout : randomLayout(FACES[edition]));

export class TableSetup {
  /** @param {App} app @param {(names: string[], choices: TableChoices) => void} begin @param {AbortSignal} signal */
  constructor(app, begin, signal) {
    this.app = app;
    this.begin = begin;
    /** @type {TableChoices} */
    this.choices = { ...DEFAULTS, ...load('table-wishes', {}) };
    this.names = h('ol', { class: 'table-names' });
    this.problem = h('p', { class: 'refusal', role: 'alert' });
    this.sides = new QuadrantPicker(app, (layout) => {
      this.#choose({ layout });
      this.sides.show(layout);
    });
    this.board = h('div', { class: 'stack' });
    this.element = form({ class: 'cards-page' }, () => this.#start());
    this.#writeNames();
    this.#writeBoard();
    this.#build();
    void this.sides.load(signal).then(() => this.sides.show(this.choices.layout)).catch((error) => app.report(error));
  }

  /** @param {Partial<TableChoices>} changes */
  #choose(changes) {
    Object.assign(this.choices, changes);
    save('table-wishes', this.choices);
  }

  #build() {
    const { choices } = this;
    fill(this.element, [
      h('div', { class: 'cards-head' }, h('h2', {}, t('table')), h('p', { class: 'soft' }, t('tableIntro'))),
      h('div', { class: 'cards-columns' }, h('section', { class: 'card stack' }, h('h3', {}, t('whoPlays')), this.names, h('div', { class: 'row' }, button(t('addPlayer'), () => this.#add()))),
      h('section', { class: 'card stack' }, h('h3', {}, t('whichBoard')), this.board),
      h(
        'section',
        { class: 'card stack' },
        h('h3', {}, t('whichRules')),
        labelledField(t('sandLength'), numberField(choices.sand, 5, 1800, (sand) => this.#choose({ sand })), t('sandLengthWhy')),
        labelledField(t('showTime'), numberField(choices.show, 0, 1800, (show) => this.#choose({ show })), t('showTimeTableWhy')),
        labelledChips(t('length'), [['all-chips', t('lengthAll')], ['race', t('lengthRace')], ['rounds', t('lengthRounds')]], choices.length, (length) => {
          this.#choose({ length });
          rounds.hidden = length !== 'rounds';
        }, t('lengthWhy')),
        labelledChips(t('teams'), [['0', t('noTeams')], ['2', '2'], ['3', '3'], ['4', '4']], /** @type {'0'} */ (String(choices.teams)), (teams) => {
          this.#choose({ teams: Number(teams) });
          this.#writeNames();
        }, t('teamsWhy')),
        labelledChips(t('ties'), [['fewer-chips', t('tiesFewer')], ['newcomer', t('tiesNewcomer')]], choices.ties, (ties) => this.#choose({ ties }), t('tiesWhy')),
        labelledCheckbox(t('mustRicochet'), choices.ricochet, (ricochet) => this.#choose({ ricochet }), t('mustRicochetWhy')),
      )),
      h('div', { class: 'cards-foot' }, this.problem, h('button', { type: 'submit', class: 'primary wide-button' }, t('startTable'))),
    ]);
    const rounds = labelledField(t('roundCount'), numberField(choices.rounds, 1, 500, (count) => this.#choose({ rounds: count })));
    rounds.hidden = choices.length !== 'rounds';
    this.element.querySelectorAll('.card')[2]?.insertBefore(rounds, this.element.querySelectorAll('.card')[2].children[4]);
  }

  #writeBoard() {
    const { choices } = this;
    /** @type {[TableChoices['board'], string, string][]} */
    const kinds = [['random', t('boardRandom'), t('boardRandomWhy')], ['own', t('boardOwn'), t('boardOwnWhy')], ['none', t('boardNone'), t('boardNoneWhy')]];
    const radios = kinds.map(([kind, label, why]) => h(
      'label',
      { class: 'check kind' },
      h('input', {
        type: 'radio', name: 'table-board', checked: choices.board === kind,
        onchange: () => {
          this.#choose({ board: kind });
          show();
        },
      }),
      h('span', {}, label, h('span', { class: 'soft kind-why' }, why)),
    ));
    const edition = labelledChips(t('edition'), [['1999', '1999'], ['2003', '2003'], ['2013', '2013']], choices.edition, (value) => this.#choose({ edition: value }), t('editionWhy'));
    const robots = labelledChips(t('robots'), [['4', '4'], ['5', '5']], /** @type {'4' | '5'} */ (String(choices.robots)), (value) => this.#choose({ robots: Number(value) }), t('robotsWhy'));
    const show = () => {
      edition.hidden = choices.board !== 'random';
      robots.hidden = choices.board === 'none';
      this.sides.element.hidden = choices.board !== 'own';
    };
    show();
    fill(this.board, [h('div', { role: 'radiogroup', 'aria-label': t('whichBoard') }, ...radios), edition, this.sides.element, robots]);
  }

  #writeNames() {
    const { names, sides, teams } = this.choices;
    fill(this.names, names.map((name, i) => {
      const field = h('input', {
        value: name, maxLength: MAX_NAME, autocomplete: 'off', placeholder: t('playerNumber', { n: i + 1 }), 'aria-label': t('nameOf', { n: i + 1 }),
        oninput: () => {
          names[i] = field.value;
          this.#choose({ names });
        },
      });
      const remove = button('×', () => {
        names.splice(i, 1);
        sides.splice(i, 1);
        this.#choose({ names, sides });
        this.#writeNames();
        this.names.querySelector('input')?.focus();
      }, { 'aria-label': t('removePlayer', { n: i + 1 }), disabled: names.length <= 1 });
      const letters = Array.from({ length: teams }, (_, team) => /** @type {[string, string]} */ ([String(team), capitalize(teamName(team))]));
      const side = teams ? choice(letters, String(teamOf(this.choices, i)), (team) => this.#side(i, Number(team))) : null;
      side?.setAttribute('aria-label', t('teamOfPlayer', { n: i + 1 }));
      return h('li', { class: 'row' }, field, side, remove);
    }));
  }

  /** @param {number} i @param {number} team */
  #side(i, team) {
    const sides = this.choices.names.map((_, other) => (other === i ? team : (teamOf(this.choices, other) ?? 0)));
    this.#choose({ sides });
  }

  #add() {
    const { names } = this.choices;
    if (names.length >= MOST_PLAYERS) return;
    names.push('');
    this.#choose({ names });
    this.#writeNames();
    /** @type {HTMLElement | null} */ (this.names.querySelector('li:last-child input'))?.focus();
  }

  #start() {
    const { choices } = this;
    const names = choices.names.map((name, i) => cleanName(name) || t('playerNumber', { n: i + 1 }));
    if (choices.board === 'own' && (choices.layout.match(/../g) ?? []).length !== 4) {
      this.problem.textContent = t('layoutMissing');
      return;
    }
    this.begin(names, choices);
  }
}

/** Chips of a board that only the people see. */
const CHIPS = 17;

/** Four printed quadrants by chance. @param {string} faces */
function randomLayout(faces) {
  const tiles = RANDOM.shuffle(4).map((tile) => tile + 1);
  return tiles.map((tile) => `${tile}${faces[RANDOM.place(faces.length)]}`).join('');
}

/** @param {App} app @param {string} layout empty: no board @param {number} robots @param {AbortSignal} signal @returns {Promise<Deal>} */
export async function dealFor(app, layout, robots, signal) {
  if (!layout) return { layout: '', robots: [], board: null, stack: RANDOM.shuffle(CHIPS) };
  /** @type {View} */
  const view = await app.engine.ask('compose', { layout }, { signal });
  const { width, height, walls, diagonals, targets } = view;
  return { layout, board: { width, height, walls, diagonals, targets }, robots: startingCells(view, robots), stack: RANDOM.shuffle(targets.length) };
}

/** Robots by chance: not in the closed centre, not on a target, not on a diagonal. @param {View} view @param {number} count */
function startingCells(view, count) {
  /** @type {Cell[]} */
  const free = [];
  for (let y = 0; y < view.height; y += 1) {
    for (let x = 0; x < view.width; x += 1) {
      /** @type {Cell} */
      const cell = [x, y];
      if (!isClosed(view, cell) && !diagonalAt(view, cell) && !view.targets.some((target) => sameCell(target.cell, cell))) free.push(cell);
    }
  }
  return Array.from({ length: count }, () => free.splice(RANDOM.place(free.length), 1)[0]);
}

/** Asks for a name in a dialog. @param {string} title @param {string} value @returns {Promise<string | null>} */
export function askName(title, value) {
  return new Promise((resolve) => {
    /** @type {string | null} */
    let given = null;
    const field = h('input', { value, maxLength: MAX_NAME, autocomplete: 'nickname', 'aria-label': t('name'), autofocus: true });
    const submit = () => {
      given = cleanName(field.value) || null;
      dialog.close();
    };
    const dialog = openDialog(title, [form({ class: 'row' }, submit, field, h('button', { type: 'submit', class: 'primary' }, t('ok')))]);
    field.focus();
    dialog.addEventListener('close', () => resolve(given));
  });
}
