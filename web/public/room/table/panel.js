// The panel and the buttons of a game around a table.

/** @import {PlayerId, RoomState} from '../../../types/room.d.ts' */
/** @import {App} from '../../app/app.js' */
/** @import {Board} from './referee.js' */
import { capitalize, placeName, whoName } from '../../speech/sentences.js';
import { button, fill, h } from '../../ui/dom.js';
import { choice } from '../../ui/form-fields.js';
import { tool } from '../../ui/icons.js';
import { t as tBoard } from '../../words/board.js';
import { t } from '../../words/room.js';
import { BidPad } from '../bid-pad.js';
import { Strip } from '../screen.js';
import { Seats, seatMark } from '../seats.js';
import { bidOf } from '../state.js';

/**
 * @typedef {object} Actions
 * @property {(moves: number) => void} bid
 * @property {() => void} turnUp
 * @property {() => void} skip
 * @property {(made: boolean) => void} judge
 * @property {() => void} undo
 * @property {() => void} pause or go on
 * @property {() => void} place
 * @property {() => void} addPlayer
 * @property {(id: PlayerId) => void} removePlayer
 * @property {(id: PlayerId) => void} choose who bids
 * @property {(chip: number | undefined) => void} draw the chip that people drew themselves
 * @property {() => void} end
 */

export class TablePanel {
  /** @param {App} app @param {() => number} now the time, which stands still in a pause @param {Actions} actions */
  constructor(app, now, actions) {
    this.app = app;
    this.run = actions;
    this.strip = new Strip(app, now);
    this.names = h('div', { class: 'pad-names', role: 'radiogroup', 'aria-label': t('whoBids') });
    this.pad = new BidPad({ bid: actions.bid, say: (text) => app.say(text) }, [this.names]);
    this.seats = new Seats((player) => actions.removePlayer(player.id));
    this.actions = h('div', { class: 'row actions' });
    this.message = h('div', { class: 'stack' });
    this.next = button(t('turnUp'), actions.turnUp, { class: 'primary wide-button' });
    this.skip = button(t('skipTable'), actions.skip, { title: t('keySkipTable') });
    this.made = button(t('madeIt'), () => actions.judge(true), { class: 'primary' });
    this.fails = button(t('failsIt'), () => actions.judge(false));
    this.undoTool = tool('undo', t('takeBack'), actions.undo);
    this.pauseTool = tool('pause', t('pauseGame'), actions.pause);
    this.goOn = button(t('goOn'), actions.pause, { class: 'primary wide-button' });
    this.placeTool = tool('move', t('placeRobots'), actions.place);
    this.foot = h('div', { class: 'row foot' }, button(t('addPlayer'), actions.addPlayer), button(t('endTable'), actions.end));
  }

  /** @param {boolean} board whether there is one, with tools below it */
  show(board) {
    if (!board) this.foot.prepend(this.undoTool, this.pauseTool);
    fill(this.app.panel, [this.strip.element, this.pad.element, this.actions, this.message, this.seats.element, this.foot]);
    this.app.setUnder(board ? [this.undoTool, this.pauseTool, this.placeTool] : []);
  }

  close() {
    this.strip.close();
  }

  /** Names to tap before a number. @param {RoomState} state @param {PlayerId | null} bidder */
  writeNames(state, bidder) {
    const ids = state.players.map(({ id }) => id).join();
    if (this.names.dataset.players !== ids) {
      this.names.dataset.players = ids;
      fill(this.names, state.players.map((player) => {
        const field = h('input', { type: 'radio', name: 'bidder', value: String(player.id), onchange: () => this.run.choose(player.id) });
        return h('label', { class: 'pad-name' }, field, seatMark(player), h('span', {}, player.name), h('b', {}));
      }));
    }
    // Only written to: the focus stays.
    for (const [i, label] of [...this.names.children].entries()) {
      const { id } = state.players[i];
      const own = bidOf(state, id)?.length ?? null;
      const [field, mark] = [label.querySelector('input'), label.querySelector('b')];
      if (field) field.checked = id === bidder;
      if (mark) mark.textContent = own === null ? '' : String(own);
    }
  }

  /** The chip that people drew from the real stack. @param {Board} board @param {number[]} stack @param {number | undefined} drawn */
  targetChoice({ targets }, stack, drawn) {
    /** @type {[string, string][]} */
    const options = [['', t('byChance')]];
    for (const chip of [...stack].sort((a, b) => a - b)) {
      const { robot, shape, cell } = targets[chip];
      options.push([String(chip), t('chipName', { who: capitalize(whoName(robot)), shape: tBoard(/** @type {'circle'} */ (shape)), place: placeName(cell) })]);
    }
    const field = choice(options, drawn === undefined ? '' : String(drawn), (value) => this.run.draw(value === '' ? undefined : Number(value)));
    return h('label', { class: 'drawn' }, h('span', { class: 'soft' }, t('whichChip')), field);
  }
}
