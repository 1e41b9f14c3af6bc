// The panel and the buttons of an online room. They are built once and then only updated.

/** @import {Player, Reply, RoomState} from '../../../types/room.d.ts' */
/** @import {App} from '../../app/app.js' */
/** @import {Attempt} from '../../play/attempt.js' */
/** @import {OnlineRoom} from './room.js' */
/** @import {Ending} from './socket.js' */
import { goalSentence } from '../../speech/sentences.js';
import { openDialog } from '../../ui/dialogs.js';
import { button, fill, flash, form, h } from '../../ui/dom.js';
import { checkbox, choice } from '../../ui/form-fields.js';
import { t } from '../../words/room.js';
import { chipsSentence, optionsText, votersOf } from '../announcements.js';
import { BidPad } from '../bid-pad.js';
import { MAX_NAME, cleanName } from '../names.js';
import { gameCard, roundCard } from '../results.js';
import { Strip, headlineOf, progressOf, runningTimer, setLayout, tryTools } from '../screen.js';
import { Seats, teamName } from '../seats.js';
import { playerOf } from '../state.js';
import { linkOf, qrAddress } from './api.js';
import { Chat } from './chat.js';
import { OptionsForm, changedOptions } from './options-form.js';
import { canNotify, wantsNotification, wishNotification } from './notify.js';
import { ConnectionLostError } from './socket.js';
import { ownName } from './storage.js';

export class RoomPanel {
  /** @param {App} app @param {OnlineRoom} room */
  constructor(app, room) {
    this.app = app;
    this.room = room;
    this.strip = new Strip(app, () => room.now());
    this.pad = new BidPad({ bid: (moves) => void room.bid(moves), say: (text) => app.say(text) });
    this.skip = button('', () => room.skip());
    this.handIn = button('', () => room.handIn(), { class: 'primary wide-button' });
    this.secret = h('div', { class: 'row actions' }, this.handIn);
    this.showLine = button('', () => room.showLine(), { class: 'primary' });
    this.giveUp = button(t('giveUp'), () => room.giveUp());
    this.showHint = h('p', { class: 'soft' }, t('showHint'));
    this.showing = h('div', { class: 'row actions' }, this.showLine, this.giveUp, this.showHint);
    this.rules = h('p', { class: 'soft rules' });
    this.start = button('', () => room.start(), { class: 'primary wide-button' });
    this.waits = h('p', { class: 'soft' });
    this.starting = h('div', { class: 'row actions' }, this.start, this.waits);
    this.next = button('', () => room.next());
    this.dealing = h('p', { class: 'soft' }, t('dealing'));
    this.nextRow = h('div', { class: 'row actions' }, this.next, this.dealing);
    this.options = button(t('changeOptions'), () => this.#changeOptions());
    this.seats = new Seats(room.tv ? null : (player) => this.#more(player));
    this.talk = new Chat((text) => room.talk(text), (phrase) => room.phrase(phrase), (text) => app.say(text));
    this.notify = checkbox(t('notifyMe'), wantsNotification(), (yes) => void this.#changeNotify(yes));
    this.message = h('div', { class: 'stack' });
    this.noteText = h('p', { class: 'message', role: 'status' });
    this.noteText.hidden = true;
    this.lost = h('p', { class: 'message lost' });
    this.lost.hidden = true;
    this.invite = h('details', { class: 'card' }, h('summary', {}, t('invite')), room.invites ? invitation(app, room.room) : '');
    this.teamField = h('label', { class: 'row' });
    this.teams = 0;
    /** The chosen team; empty for the smallest. */
    this.team = '';
    this.joinCard = this.#joinCard();
    this.connectionText = h('span', { class: 'soft connection', role: 'status' });
    this.leave = button(t('leaveRoom'), () => void room.leave());
    const { roomBoard } = room;
    this.tools = tryTools({ undo: () => roomBoard.undo(), redo: () => roomBoard.redo(), reset: () => roomBoard.reset() });
    this.triedText = h('span', { class: 'tried soft' });
    app.setUnder([...this.tools, this.triedText]);
    fill(app.panel, [
      this.strip.element, this.lost, this.noteText, this.pad.element, this.secret, this.showing, this.joinCard, this.starting, this.nextRow, this.message, this.seats.element, this.rules, this.options,
      this.talk.element, this.notify, this.invite, h('div', { class: 'spread foot' }, this.connectionText, this.leave),
    ]);
    this.phase = '';
    /** What the message shows, so that it is not built again. @type {unknown} */
    this.shown = null;
  }

  close() {
    this.strip.close();
  }

  /** Text that was typed but not sent. */
  get typed() {
    return { bid: this.pad.field.value, words: this.talk.field.value };
  }

  /** @param {string} bid @param {string} words */
  restoreTyped(bid, words) {
    this.pad.field.value = bid;
    this.talk.field.value = words;
    if (words) this.talk.element.open = true;
  }

  update() {
    const { room, app } = this;
    const { state, you } = room;
    if (!state) {
      setLayout('bare');
      this.strip.write(t('connecting'), '', false);
      for (const part of [this.pad.element, this.secret, this.showing, this.starting, this.nextRow, this.options, this.joinCard, this.talk.element, this.invite]) part.hidden = true;
      return;
    }
    const { phase, options, round } = state;
    const view = round ? room.view : null;
    setLayout(phase === 'lobby' ? 'bare' : 'board');
    if (this.phase !== phase) app.keysChanged();
    const began = this.phase === 'lobby' && phase !== 'lobby' && document.activeElement === this.start;
    this.phase = phase;
    if (phase !== 'lobby' && !room.view && app.board.view === null) app.board.input = 'none';
    this.strip.setGoal(view);
    const watching = you === null && !room.tv && phase !== 'lobby' ? `${t('youWatch')} · ` : '';
    this.strip.write(headlineOf(state, you, view), watching + progressOf(state, view), phase !== 'lobby' && phase !== 'over');
    this.strip.sand.set(runningTimer(state), options.style === 'correspondence' ? options.round_ms : options.sand_ms);
    this.seats.update(state, { you, lags: room.lags });
    const thinking = phase === 'thinking' && you !== null;
    const bids = options.style === 'bidding';
    this.pad.element.hidden = !thinking || !bids;
    this.pad.update({ below: room.ownBid?.length ?? null, enabled: thinking });
    this.secret.hidden = !thinking || bids;
    this.#writeSkip(state);
    this.#writeHandIn();
    const shows = phase === 'showing' && state.show?.player === you && you !== null;
    this.showing.hidden = !shows;
    const { line } = room;
    this.showLine.hidden = !line;
    this.showHint.hidden = line !== null;
    this.showLine.textContent = t('showLine', { n: line?.length ?? 0 });
    this.#writeStart(state);
    this.#writeNext(state);
    this.options.hidden = !room.isHost || (phase !== 'lobby' && phase !== 'over');
    this.#writeMessage(state);
    this.rules.textContent = optionsText(options);
    this.talk.element.hidden = options.chat === 'off';
    this.talk.update(state.talk, you !== null, options.chat);
    this.notify.hidden = you === null || !canNotify();
    this.joinCard.hidden = you !== null || room.tv || room.token !== null;
    this.#writeTeams(options.teams);
    this.invite.hidden = !room.invites || (room.tv && phase !== 'lobby');
    if (phase === 'lobby' && !this.opened) {
      this.invite.open = true;
      this.opened = true;
    } else if (phase !== 'lobby' && this.opened) {
      this.invite.open = false;
      this.opened = false;
    }
    const tries = phase === 'thinking';
    const moves = room.roomBoard.attempt?.moves.length ?? 0;
    for (const tool of this.tools) tool.hidden = !tries;
    for (const [i, tool] of this.tools.entries()) tool.disabled = i === 1 ? !room.roomBoard.attempt?.undone.length : !moves;
    this.triedText.textContent = tries ? (moves ? t('triedMoves', { n: moves }) : t('tryHere')) : '';
    this.leave.textContent = you === null ? t('toLobby') : t('leaveRoom');
    this.connection();
    // The button is gone; the next key finds the bids.
    if (began) this.strip.title.focus({ preventScroll: true });
  }

  /** @param {RoomState} state */
  #writeSkip(state) {
    const { you } = this.room;
    const { round, options } = state;
    const votes = round?.skip_votes.length ?? 0;
    const bids = options.style === 'bidding';
    const may = state.phase === 'thinking' && you !== null && (!bids || !round?.stakes.length);
    const voted = you !== null && (round?.skip_votes.includes(you) ?? false);
    this.skip.textContent = t(bids ? 'skip' : 'endRound', { n: votes, of: votersOf(state) });
    this.skip.setAttribute('aria-pressed', String(voted));
    this.pad.setMore(may && bids ? [this.skip] : []);
    if (!bids && may && this.skip.parentElement !== this.secret) this.secret.append(this.skip);
  }

  #writeHandIn() {
    const { attempt } = this.room.roomBoard;
    const own = this.room.ownBid?.length ?? null;
    const length = attempt?.solved ? attempt.moves.length : null;
    this.handIn.disabled = length === null || (own !== null && length >= own);
    this.handIn.textContent = own !== null && (length === null || length >= own) ? t('handedInOwn', { n: own }) : length === null ? t('handInFirst') : t('handIn', { n: length });
  }

  /** @param {RoomState} state */
  #writeStart(state) {
    const { room } = this;
    const { phase } = state;
    this.starting.hidden = phase !== 'lobby';
    this.start.hidden = !room.isHost;
    this.start.textContent = t('startGame');
    this.waits.hidden = room.isHost;
    this.waits.textContent = state.options.automatic ? t('startsByItself') : room.hostName ? t('hostStarts', { name: room.hostName }) : t('waitingForPeople');
  }

  /** @param {RoomState} state */
  #writeNext(state) {
    const { room } = this;
    const { pause, ended } = state;
    this.nextRow.hidden = room.you === null || !pause || !ended;
    if (!pause) return;
    // The pause may be over, and the round still on its way.
    const waits = pause.next_at > room.now();
    this.next.hidden = !waits;
    this.dealing.hidden = waits;
    const of = votersOf(state);
    this.next.textContent = room.isHost || of < 2 ? t('nextNow') : t('nextNowVote', { n: pause.votes.length, of });
    this.next.className = room.isHost ? 'primary' : '';
    if (room.isHost) this.next.removeAttribute('aria-pressed');
    else this.next.setAttribute('aria-pressed', String(pause.votes.includes(room.you ?? -1)));
  }

  /** The host changes what is played from the next game on. */
  #changeOptions() {
    const { room } = this;
    const { state } = room;
    if (!state) return;
    const problem = h('p', { class: 'refusal', role: 'alert' });
    const form = new OptionsForm(async (choices) => {
      try {
        const reply = await room.changeOptions(changedOptions(room.state?.options ?? state.options, choices));
        if (reply.ok) dialog.close();
        else problem.textContent = refusalText(reply);
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        problem.textContent = t('serverGone');
      }
    }, { room: state.options, seated: state.players.length });
    const dialog = openDialog(t('changeOptionsTitle'), [form.element, problem]);
  }

  /** @param {RoomState} state */
  #writeMessage(state) {
    const { room } = this;
    const { phase, ended } = state;
    const over = phase === 'over';
    const what = over ? JSON.stringify([state.standings, room.review?.rounds.length, room.isHost, room.hostName]) : phase === 'pause' ? ended : null;
    if (what === this.shown) return;
    this.shown = what;
    const replay = (/** @type {string[]} */ moves) => room.roomBoard.replay(moves);
    if (over) {
      const again = state.options.automatic ? h('p', { class: 'soft' }, t('nextGameSoon')) : room.isHost ? button(t('rematch'), () => room.start(), { class: 'primary' }) : h('p', { class: 'soft' }, t('hostRematch', { name: room.hostName }));
      fill(this.message, [gameCard(state, room.review, [again]), roundCard(state, { replay })]);
    } else {
      fill(this.message, [phase === 'pause' ? roundCard(state, { replay }) : null]);
    }
  }

  /** A solution found in private is offered as a bid. @param {Attempt} attempt */
  suggest(attempt) {
    const own = this.room.ownBid?.length ?? null;
    if (attempt.solved && (own === null || attempt.moves.length < own)) this.pad.choose(attempt.moves.length);
    this.update();
  }

  bidTaken() {
    this.pad.choose(null);
  }

  /** @param {'say' | 'bid'} where @param {Reply} reply */
  refuse(where, reply) {
    const text = refusalText(reply);
    if (where === 'say') this.talk.problem.textContent = text;
    else if (!this.pad.element.hidden) this.pad.refuse(text);
    else this.note(text);
  }

  /** @param {string} text */
  note(text) {
    this.noteText.textContent = text;
    this.noteText.hidden = !text;
  }

  /** How the connection is. @param {Ending} [ending] */
  connection(ending) {
    const { socket } = this.room;
    const { status, lag } = socket;
    const open = status === 'open';
    const known = lag !== null && Number.isFinite(lag);
    const spectators = this.room.spectators ? ` · ${t('watching', { n: this.room.spectators })}` : '';
    this.connectionText.textContent = open ? (known ? t('connected', { n: Math.round(lag) }) : t('connectedPlain')) + spectators : '';
    this.strip.element.dataset.connection = status;
    const key = ending ?? status;
    if (this.lost.dataset.key === key) return;
    this.lost.dataset.key = key;
    this.lost.hidden = open || (status === 'connecting' && !this.room.wasOpen && !ending);
    // The others bring one elsewhere.
    const why = /** @type {'flood' | 'old-page' | 'elsewhere'} */ (ending);
    if (ending) fill(this.lost, [t(`ended-${why}`), ' ', ending === 'old-page' ? button(t('reload'), () => location.reload()) : button(t('comeBack'), () => this.room.reconnectHere())]);
    else if (status === 'waiting') fill(this.lost, [t('connectionLost'), ' ', button(t('tryNow'), () => socket.retryNow())]);
    else if (!open) fill(this.lost, [t('connecting')]);
  }

  /** Bids, time left and chips in one sentence. */
  situation() {
    const { state, you, view } = this.room;
    if (!state) return t('connecting');
    const stakes = state.round?.stakes.map(({ player, length }) => (length === null ? t('newsHandedIn', { name: playerOf(state, player)?.name ?? '' }) : t('newsBid', { name: playerOf(state, player)?.name ?? '', n: length }))) ?? [];
    return [state.round && view ? goalSentence(view) : headlineOf(state, you, null), progressOf(state, null), this.strip.sand.element.getAttribute('aria-label') ?? '', ...stakes, chipsSentence(state)].filter(Boolean).join(' ');
  }

  #joinCard() {
    const field = h('input', { value: ownName(), maxLength: MAX_NAME, autocomplete: 'nickname', id: 'join-name' });
    const problem = h('p', { class: 'refusal', role: 'alert' });
    const join = async () => {
      const name = cleanName(field.value);
      problem.textContent = name ? await this.room.join(name, this.team === '' ? null : Number(this.team)) : t('nameFirst');
    };
    return form(
      { class: 'card stack join' },
      () => void join(),
      h('label', { for: 'join-name' }, t('joinHere')),
      h('div', { class: 'row' }, field, h('button', { type: 'submit', class: 'primary' }, t('takeSeat'))),
      this.teamField,
      problem,
    );
  }

  /** The browser asks only after this click. @param {boolean} yes */
  async #changeNotify(yes) {
    const allowed = await wishNotification(yes);
    const field = this.notify.querySelector('input');
    if (field) field.checked = allowed;
    if (yes && !allowed) this.note(t('notifyDenied'));
  }

  /** The teams that there are, to choose from. @param {number} count */
  #writeTeams(count) {
    this.teamField.hidden = count === 0;
    if (this.teams === count) return;
    this.teams = count;
    this.team = '';
    const teams = /** @type {[string, string][]} */ ([['', t('smallestTeam')], ...Array.from({ length: count }, (_, n) => [String(n), teamName(n)])]);
    fill(this.teamField, [h('span', {}, t('teamChoice')), choice(teams, '', (value) => {
      this.team = value;
    })]);
  }

  /** A menu of what can be done about a player. @param {Player} player */
  #more({ id }) {
    const { room, talk } = this;
    const player = room.state && playerOf(room.state, id);
    if (!player) return;
    const done = (/** @type {() => void} */ run) => () => {
      run();
      dialog.close();
    };
    const hidden = talk.hidden.has(id);
    const own = id === room.you;
    const actions = [
      own ? button(t('leaveRoom'), done(() => void room.leave())) : null,
      own ? null : button(t(hidden ? 'showLines' : 'hideLines'), done(() => {
        if (hidden) talk.hidden.delete(id);
        else talk.hidden.add(id);
        this.update();
      })),
      own || room.you === null || player.bot ? null : button(t('report'), done(() => void room.report(player))),
      room.isHost && !own ? button(t(player.muted ? 'unmute' : 'mute'), done(() => room.mute(player, !player.muted))) : null,
      room.isHost && !own && player.connected ? button(t('handOver'), done(() => room.handOver(player))) : null,
      room.isHost && !own ? button(t('remove'), done(() => void room.remove(player))) : null,
    ];
    const dialog = openDialog(player.name, [h('div', { class: 'stack actions-list' }, ...actions.filter((one) => one !== null))]);
  }
}

/** Why the room refused, in the reader's language. @param {Reply} reply */
function refusalText({ refusal = '', yours = 0, reason = '', message = '' }) {
  switch (refusal) {
    case 'not-lower':
      return t('bidLower', { n: yours });
    case 'not-shorter':
      return t('refused-not-shorter', { n: yours });
    case 'bad-options':
      return t('refused-bad-options', { reason });
    case 'not-thinking':
    case 'not-paused':
    case 'game-is-on':
    case 'bid-on':
    case 'not-your-turn':
    case 'illegal-move':
    case 'full':
    case 'host-only':
    case 'too-fast':
    case 'muted':
    case 'no-chat':
    case 'quick-only':
      return t(`refused-${refusal}`);
    default:
      return message || refusal;
  }
}

/** Addresses that mean this very device. */
const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;

/** The invitation: link, code, and a QR code for phones. @param {App} app @param {string} room */
function invitation(app, room) {
  const link = linkOf(room);
  const copy = button(t('copyLink'), async () => {
    if (await app.copy(link)) flash(copy, t('linkCopied'));
  });
  const share = typeof navigator.share === 'function' ? button(t('shareLink'), () => void navigator.share({ title: t('rooms'), url: link }).catch(() => {})) : null;
  const field = h('input', { value: link, readOnly: true, class: 'invite-link', 'aria-label': t('inviteLink'), onfocus: () => field.select() });
  const onlyHere = LOOPBACK.test(location.hostname) ? h('p', { class: 'soft' }, t('inviteOnlyHere')) : null;
  const screen = h('a', { class: 'button', href: `#room=${room}&as=tv`, target: '_blank', rel: 'noopener' }, t('bigScreen'));
  return h(
    'div',
    { class: 'invite' },
    h('div', { class: 'stack' }, h('p', {}, t('inviteText')), field, onlyHere, h('div', { class: 'row' }, copy, share, screen), h('p', { class: 'soft' }, t('inviteCode'), ' ', h('code', { class: 'room-code' }, room))),
    h('img', { class: 'qr', src: qrAddress(room), alt: t('qr'), width: 160, height: 160 }),
  );
}
