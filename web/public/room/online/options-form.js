// The form that opens a room: every option with what it means.

/** @import {Length, Options} from '../../../types/room.d.ts' */
import { button, fill, form, h } from '../../ui/dom.js';
import { labelledCheckbox, labelledChips, labelledField, numberField } from '../../ui/form-fields.js';
import { load, save } from '../../ui/storage.js';
import { t } from '../../words/room.js';

/**
 * @typedef {object} RoomChoices
 * @property {'bidding' | 'secret' | 'correspondence'} style
 * @property {'1999' | '2003' | '2013'} edition
 * @property {string} layout
 * @property {'any' | 'yes' | 'no'} diagonals
 * @property {number} robots
 * @property {boolean} ricochet
 * @property {number} sand seconds
 * @property {number} show seconds
 * @property {number} round hours
 * @property {number} pause seconds
 * @property {'all-chips' | 'race' | 'rounds'} length
 * @property {number} rounds
 * @property {'fewer-chips' | 'newcomer'} ties
 * @property {number} teams
 * @property {number} seats
 * @property {boolean} private
 * @property {'off' | 'quick' | 'free'} chat
 * @property {number} delay seconds
 */

/** @type {RoomChoices} */
const DEFAULTS = {
  style: 'bidding', edition: '1999', layout: '', diagonals: 'any', robots: 4, ricochet: false, sand: 60, show: 60, round: 24, pause: 10,
  length: 'all-chips', rounds: 10, ties: 'fewer-chips', teams: 0, seats: 16, private: true, chat: 'free', delay: 0,
};

/** @param {RoomChoices} choices @returns {Partial<Options>} */
export function optionsOf(choices) {
  const { style, edition, layout, diagonals, robots, ricochet, sand, show, round, pause, length, rounds, ties, teams, seats, chat, delay } = choices;
  /** @type {Length} */
  const wanted = length === 'rounds' ? { rounds } : length;
  return {
    style, edition: Number(edition), layout: layout.trim() || null, diagonals: edition === '1999' || diagonals === 'any' ? null : diagonals === 'yes',
    robots, must_ricochet: ricochet, sand_ms: sand * 1000, show_ms: show * 1000, round_ms: round * 3_600_000, pause_ms: pause * 1000,
    length: wanted, ties, teams, seats, private: choices.private, chat, spectator_delay_ms: delay * 1000,
  };
}

/** A room's options as the form shows them. @param {Options} options @returns {RoomChoices} */
function choicesOf(options) {
  const { style, edition, layout, diagonals, robots, must_ricochet, sand_ms, show_ms, round_ms, pause_ms, length, ties, teams, seats, chat, spectator_delay_ms = 0 } = options;
  const seconds = (/** @type {number | null} */ ms) => Math.round((ms ?? 0) / 1000);
  return {
    style, edition: /** @type {'1999'} */ (String(edition)), layout: layout ?? '', diagonals: diagonals === null ? 'any' : diagonals ? 'yes' : 'no', robots, ricochet: must_ricochet,
    sand: seconds(sand_ms), show: Math.max(5, seconds(show_ms)), round: Math.max(1, Math.round(round_ms / 3_600_000)), pause: seconds(pause_ms),
    length: typeof length === 'object' ? 'rounds' : length, rounds: typeof length === 'object' ? length.rounds : DEFAULTS.rounds, ties, teams, seats, private: options.private, chat, delay: seconds(spectator_delay_ms),
  };
}

/** The room's options with those that were changed in the form. @param {Options} options @param {RoomChoices} choices @returns {Options} */
export function changedOptions(options, choices) {
  const shown = Object.entries(optionsOf(choicesOf(options)));
  const wanted = /** @type {Record<string, unknown>} */ (optionsOf(choices));
  const changes = shown.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(wanted[name])).map(([name]) => [name, wanted[name]]);
  return { ...options, ...Object.fromEntries(changes) };
}

/** Whether a text names a board, or leaves it to chance. @param {string} text */
function isLayout(text) {
  const sides = text.trim().toUpperCase().replaceAll(/[\s,]+/g, '');
  return sides === '' || (/^([1-4][A-D]){4}$/.test(sides) && new Set([0, 2, 4, 6].map((i) => sides[i])).size === 4);
}

/** @typedef {'style' | 'length' | 'rounds' | 'sand' | 'show' | 'round' | 'private' | 'ricochet' | 'edition' | 'diagonals' | 'layout' | 'robots' | 'ties' | 'teams' | 'pause' | 'seats' | 'chat' | 'delay'} Field */

export class OptionsForm {
  /**
   * @param {(choices: RoomChoices) => void} done
   * @param {{room?: Options, seated?: number}} [options] a room that is there already, and how many have a seat in it
   */
  constructor(done, { room, seated = 1 } = {}) {
    this.room = room;
    this.seated = seated;
    /** @type {Record<Field, HTMLElement>} */
    this.fields = /** @type {any} */ ({});
    /** @type {RoomChoices} */
    this.choices = room ? choicesOf(room) : { ...DEFAULTS, ...load('room-wishes', {}) };
    // As earlier versions of the page kept it.
    if (typeof this.choices.chat === 'boolean') this.choices.chat = this.choices.chat ? 'free' : 'off';
    this.shown = h('div', { class: 'stack' });
    const submit = h('button', { type: 'submit', class: 'primary wide-button' }, t(room ? 'changeOptionsNow' : 'openNow'));
    const usual = button(t('usualRules'), () => this.#forget(), { class: 'quiet' });
    // Most rooms are opened by the usual rules: a new one is one click away.
    const content = room ? [this.shown, submit, usual] : [submit, h('details', {}, h('summary', { class: 'big-summary' }, t('rules')), this.shown, usual)];
    this.element = form({ class: 'stack' }, () => done(this.choices), ...content);
    // Unfold what has to be corrected.
    this.element.addEventListener('invalid', (event) => {
      const folded = event.target instanceof Element && event.target.closest('details');
      if (folded) folded.open = true;
    }, true);
    this.#write();
  }

  /** @param {Partial<RoomChoices>} changes */
  #choose(changes) {
    Object.assign(this.choices, changes);
    this.#keep();
    this.#show();
  }

  /** The form remembers the last room; this restores the usual rules. */
  #forget() {
    Object.assign(this.choices, DEFAULTS, this.room ? { delay: this.choices.delay, seats: Math.max(DEFAULTS.seats, this.seated) } : {});
    this.#keep();
    this.#write();
  }

  /** The options of a room stay with the room. */
  #keep() {
    if (!this.room) save('room-wishes', this.choices);
  }

  /** Fields that another choice makes pointless are left out. */
  #show() {
    const { style, edition, length } = this.choices;
    this.fields.sand.hidden = style === 'correspondence';
    this.fields.show.hidden = style !== 'bidding';
    this.fields.ties.hidden = style !== 'bidding';
    this.fields.round.hidden = style !== 'correspondence';
    this.fields.diagonals.hidden = edition === '1999';
    this.fields.rounds.hidden = length !== 'rounds';
    // In an open room, a changed delay would repeat or skip events for spectators.
    this.fields.delay.hidden = this.room !== undefined;
  }

  /** Whether one of these differs from its default; then it is not folded away. @param {string[]} names */
  #unusual(names) {
    const [choices, usual] = /** @type {Record<string, unknown>[]} */ (/** @type {unknown} */ ([this.choices, DEFAULTS]));
    return names.some((name) => choices[name] !== usual[name]);
  }

  #write() {
    const { choices } = this;
    const choose = (/** @type {Partial<RoomChoices>} */ changes) => this.#choose(changes);
    const count = (/** @type {number[]} */ list) => list.map((n) => /** @type {const} */ ([String(n), String(n)]));
    this.fields = {
      style: labelledChips(t('style'), [['bidding', t('style-bidding')], ['secret', t('style-secret')], ['correspondence', t('style-correspondence')]], choices.style, (style) => choose({ style }), t('styleWhy')),
      length: labelledChips(t('length'), [['all-chips', t('lengthAll')], ['race', t('lengthRace')], ['rounds', t('lengthRounds')]], choices.length, (length) => choose({ length }), t('lengthWhy')),
      rounds: labelledField(t('roundCount'), numberField(choices.rounds, 1, 500, (rounds) => choose({ rounds }))),
      sand: labelledField(t('sandLength'), numberField(choices.sand, 5, 1800, (sand) => choose({ sand })), t('sandLengthWhy')),
      show: labelledField(t('showTime'), numberField(choices.show, 5, 1800, (show) => choose({ show })), t('showTimeWhy')),
      round: labelledField(t('roundHours'), numberField(choices.round, 1, 168, (round) => choose({ round })), t('roundHoursWhy')),
      private: labelledCheckbox(t('private'), choices.private, (hidden) => choose({ private: hidden }), t('privateWhy')),
      ricochet: labelledCheckbox(t('mustRicochet'), choices.ricochet, (ricochet) => choose({ ricochet }), t('mustRicochetWhy')),
      edition: labelledChips(t('edition'), [['1999', '1999'], ['2003', '2003'], ['2013', '2013']], choices.edition, (edition) => choose({ edition }), t('editionWhy')),
      diagonals: labelledChips(t('diagonals'), [['any', t('byChance')], ['yes', t('yes')], ['no', t('no')]], choices.diagonals, (diagonals) => choose({ diagonals }), t('diagonalsWhy')),
      layout: labelledField(t('layout'), h('input', { value: choices.layout, placeholder: '1A 4B 3B 2B', autocomplete: 'off', spellcheck: false, oninput: (/** @type {Event} */ event) => {
        const field = /** @type {HTMLInputElement} */ (event.target);
        field.setCustomValidity(isLayout(field.value) ? '' : t('layoutBad'));
        choose({ layout: field.value });
      } }), t('layoutWhy')),
      robots: labelledChips(t('robots'), count([4, 5]), String(choices.robots), (robots) => choose({ robots: Number(robots) }), t('robotsWhy')),
      ties: labelledChips(t('ties'), [['fewer-chips', t('tiesFewer')], ['newcomer', t('tiesNewcomer')]], choices.ties, (ties) => choose({ ties }), t('tiesWhy')),
      teams: labelledChips(t('teams'), [['0', t('noTeams')], ...count([2, 3, 4])], String(choices.teams), (teams) => choose({ teams: Number(teams) }), t('teamsWhy')),
      pause: labelledField(t('pause'), numberField(choices.pause, 0, 600, (pause) => choose({ pause })), t('pauseWhy')),
      seats: labelledField(t('seatCount'), numberField(choices.seats, this.seated, 64, (seats) => choose({ seats })), t('seatCountWhy')),
      chat: labelledChips(t('chat'), [['free', t('chatFree')], ['quick', t('chatQuick')], ['off', t('chatOff')]], choices.chat, (chat) => choose({ chat }), t('chatWhy')),
      delay: labelledField(t('delay'), numberField(choices.delay, 0, 600, (delay) => choose({ delay })), t('delayWhy')),
    };
    const { style, length, rounds, sand, show, round, private: hidden, ricochet, ...rest } = this.fields;
    fill(this.shown, [style, length, rounds, sand, show, round, hidden, ricochet, h('details', { open: this.#unusual(Object.keys(rest)) }, h('summary', {}, t('moreOptions')), h('div', { class: 'stack' }, ...Object.values(rest)))]);
    this.#show();
  }
}
