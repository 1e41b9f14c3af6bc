// The history of training, progress by theme and saved puzzles, and the file for another device.

/** @import {Theme} from '../../types/api.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {EntryFilter, Entry} from './log.js' */
/** @import {RatedPuzzle} from './puzzle-set.js' */
import { clockText } from '../play/clock.js';
import { askPlayer, openDialog } from '../ui/dialogs.js';
import { button, fill, h, section } from '../ui/dom.js';
import { saveBlob } from '../ui/files.js';
import { chips, select } from '../ui/form-fields.js';
import { tabs } from '../ui/tabs.js';
import { t } from '../words/training.js';
import { currentLanguage } from '../words/words.js';
import { MOST_ENTRIES, filtered, isSuccess, ratingHistory, themeProgress } from './log.js';
import { THEMES } from './puzzle-set.js';
import { FileError, MOST_BYTES, exportText, forgetTraining, importText, loadTraining, unsavePuzzle } from './store.js';

/** How many rows are added at a time. */
const ROWS = 50;
/** Attempts from which the performance is shown. */
const ENOUGH = 5;
/** Where ratings are cut in the filter. */
const CUTS = [1000, 1500, 2000, 2500];

/**
 * @typedef {object} RecordActions
 * @property {Theme[]} themes those that can be trained
 * @property {(puzzle: RatedPuzzle) => void} play plays a puzzle again
 * @property {(theme: Theme) => void} train
 * @property {() => void} changed after an import, or after something was removed
 */

/** @param {App} app @param {RecordActions} actions */
export function openRecords(app, actions) {
  /** @param {() => void} run */
  const leave = (run) => {
    dialog.close();
    run();
  };
  const history = new History((puzzle) => leave(() => actions.play(puzzle)));
  const progress = h('div', { class: 'stack' });
  const saved = h('div', { class: 'stack' });
  const write = () => {
    history.write();
    fill(progress, progressTable(actions.themes, (theme) => leave(() => actions.train(theme))));
    fill(saved, savedList((puzzle) => leave(() => actions.play(puzzle)), (line) => {
      unsavePuzzle(line);
      write();
      actions.changed();
    }));
  };
  write();
  const changed = () => {
    write();
    actions.changed();
  };
  const dialog = openDialog(t('recordsTitle'), [
    tabs(t('recordsTitle'), [
      { title: t('history'), content: [history.element] },
      { title: t('progress'), content: [progress] },
      { title: t('partSaved'), content: [saved] },
      { title: t('data'), content: data(app, changed) },
    ]),
  ]);
  dialog.classList.add('records');
}

class History {
  /** @param {(puzzle: RatedPuzzle) => void} play */
  constructor(play) {
    this.play = play;
    /** @type {EntryFilter} */
    this.filter = { result: 'all', theme: '', range: [-Infinity, Infinity], since: 0 };
    this.count = ROWS;
    this.list = h('div', { class: 'stack' });
    const change = (/** @type {Partial<EntryFilter>} */ changes) => {
      Object.assign(this.filter, changes);
      this.count = ROWS;
      this.write();
    };
    const bounds = [-Infinity, ...CUTS, Infinity];
    const ranges = CUTS.concat(Infinity).map((to, i) => {
      const from = bounds[i];
      const name = i === 0 ? t('ratingUnder', { n: to }) : to === Infinity ? t('ratingOver', { n: from }) : t('ratingBetween', { n: from, m: to });
      return /** @type {const} */ ([String(i), name]);
    });
    this.element = h('div', { class: 'stack' },
      h('div', { class: 'history-filter' },
        chips(t('result'), [['all', t('resultAll')], ['solved', t('resultSolved')], ['failed', t('resultFailed')]], 'all', (result) => change({ result })),
        section(t('moreFilters'), [
          chips(t('rating'), [['', t('anyRating')], ...ranges], '', (i) => change({ range: i === '' ? [-Infinity, Infinity] : [bounds[Number(i)], bounds[Number(i) + 1]] })),
          chips(t('date'), [['', t('anyDate')], ['0', t('dateToday')], ['6', t('dateWeek')], ['29', t('dateMonth')]], '', (days) => change({ since: days === '' ? 0 : dayBefore(Number(days)) })),
          select(t('theme'), [['', t('anyTheme')], ...THEMES.map((theme) => /** @type {const} */ ([theme, t(`theme-${theme}`)]))], /** @type {Theme | ''} */ (''), (theme) => change({ theme })),
        ])),
      this.list);
  }

  write() {
    const training = loadTraining();
    const entries = filtered(training, this.filter);
    const { changes } = ratingHistory(training);
    if (!entries.length) {
      fill(this.list, [h('p', { class: 'soft' }, t(training.log.length ? 'noneShown' : 'noneYet'))]);
      return;
    }
    const rows = entries.slice(0, this.count).map((entry) => this.#row(entry, changes.get(entry)));
    const more = button(t('showMore'), () => {
      this.count += ROWS;
      const next = rows.length;
      this.write();
      const buttons = this.list.querySelectorAll('.attempts button');
      if (buttons[next] instanceof HTMLElement) buttons[next].focus();
    });
    fill(this.list, [
      h('p', { class: 'soft', role: 'status' }, t('countShown', { n: entries.length, solved: entries.filter(isSuccess).length })),
      h('ul', { class: 'attempts' }, ...rows),
      entries.length > rows.length ? more : null,
    ]);
  }

  /** @param {Entry} entry @param {import('./log.js').Change} [change] */
  #row(entry, change) {
    const { at, outcome, source, moves, length, rating, ms, themes } = entry;
    const good = isSuccess(entry);
    const by = change ? Math.round(change.after.rating) - Math.round(change.before.rating) : 0;
    const facts = [
      moves !== null && length !== null ? t('movesOf', { n: moves, m: length }) : length === null ? '' : t('movesNeeded', { n: length }),
      clockText(ms),
      source === 'training' ? '' : t(`source-${source}`),
    ];
    return h('li', {},
      h('span', { class: 'mark', 'data-good': good ? 'yes' : 'no', 'aria-hidden': 'true' }, good ? '✓' : '✗'),
      h('div', {},
        h('p', {}, h('b', {}, rating ?? '–'), ' ', t(`outcome-${outcome}`), change ? h('span', { class: 'by', 'data-good': good ? 'yes' : 'no' }, ` ${by < 0 ? `−${-by}` : `+${by}`}`) : null),
        h('p', { class: 'soft small-text' }, [timeText(at), ...facts].filter(Boolean).join(' · ')),
        themes.length ? h('p', { class: 'soft small-text' }, themes.map((theme) => t(`theme-${theme}`)).join(', ')) : null),
      button(t('playAgain'), () => this.play(entry), { class: 'small', 'aria-label': `${t('playAgain')}: ${rating ?? ''} ${timeText(at)}` }));
  }
}

/** @param {Theme[]} themes @param {(theme: Theme) => void} train @returns {Node[]} */
function progressTable(themes, train) {
  const progress = themeProgress(loadTraining());
  const rows = themes.map((theme) => {
    const { tried, solved, rating } = progress.get(theme) ?? { tried: 0, solved: 0, rating: null };
    const share = h('span', { class: 'bar', 'aria-hidden': 'true' });
    share.style.setProperty('--share', String(solved / tried));
    return h('tr', {},
      h('th', { scope: 'row' },
        button(t(`theme-${theme}`), () => train(theme), { class: 'small quiet', 'aria-label': t('trainTheme', { theme: t(`theme-${theme}`) }) }),
        h('p', { class: 'soft small-text' }, t(`what-${theme}`))),
      h('td', {}, tried ? `${solved}/${tried}` : '–'),
      h('td', { class: 'share' }, tried ? h('span', {}, percent(solved / tried)) : '–', tried ? share : null),
      h('td', {}, rating && tried >= ENOUGH ? `${Math.round(rating.rating)} ± ${Math.round(rating.deviation)}` : '–'));
  });
  return [
    h('p', { class: 'soft small-text' }, t('performanceText', { n: ENOUGH })),
    h('table', { class: 'progress' },
      h('thead', {}, h('tr', {}, ...[t('themeColumn'), t('solvedColumn'), t('shareColumn'), t('performanceColumn')].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...rows)),
  ];
}

/** @param {(puzzle: RatedPuzzle) => void} play @param {(line: string) => void} remove @returns {Node[]} */
function savedList(play, remove) {
  const { saved } = loadTraining();
  if (!saved.length) return [h('p', { class: 'soft' }, `${t('savedNone')} ${t('savedIntro')}`)];
  return [h('ul', { class: 'attempts' }, ...saved.map((puzzle) => {
    const { rating, length, themes, at, line } = puzzle;
    const name = `${rating ?? ''} ${timeText(at)}`;
    return h('li', {},
      h('div', {},
        h('p', {}, h('b', {}, rating ?? '–'), length === null ? '' : ` ${t('movesNeeded', { n: length })}`),
        h('p', { class: 'soft small-text' }, timeText(at)),
        themes.length ? h('p', { class: 'soft small-text' }, themes.map((theme) => t(`theme-${theme}`)).join(', ')) : null),
      h('div', { class: 'row' },
        button(t('playAgain'), () => play(puzzle), { class: 'small', 'aria-label': `${t('playAgain')}: ${name}` }),
        button(t('removeSaved'), () => remove(line), { class: 'small quiet', 'aria-label': `${t('removeSaved')}: ${name}` })));
  }))];
}

/** @param {App} app @param {() => void} changed @returns {Node[]} */
function data(app, changed) {
  const status = h('p', { role: 'status', class: 'import-status' });
  const count = h('p', { class: 'soft' });
  const write = () => fill(count, [t('dataCount', { n: loadTraining().log.length, most: MOST_ENTRIES })]);
  write();
  const file = h('input', { type: 'file', accept: '.json,application/json', class: 'unseen', tabIndex: -1, 'aria-hidden': 'true', onchange: () => void read() });
  const read = async () => {
    const chosen = file.files?.[0];
    file.value = '';
    if (!chosen) return;
    status.dataset.good = 'no';
    try {
      if (chosen.size > 2 * MOST_BYTES) throw new FileError('fileLarge', { n: MOST_BYTES / 1_000_000 });
      const { attempts, known, saved } = importText(await chosen.text());
      status.dataset.good = 'yes';
      fill(status, [t('imported', { n: attempts, known, saved })]);
      write();
      changed();
    } catch (error) {
      fill(status, [error instanceof FileError ? t(error.reason, error.values) : t('fileUnreadable', { message: String(error) })]);
    }
  };
  const forgetAll = async () => {
    if ((await askPlayer(t('forgetTitle'), t('forgetText'), [['keep', t('forgetKeep')], ['forget', t('forget')]])) !== 'forget') return;
    forgetTraining();
    app.say(t('forgotten'));
    fill(status, [t('forgotten')]);
    write();
    changed();
  };
  return [
    h('p', {}, t('dataText')),
    count,
    h('div', { class: 'row' },
      button(t('exportFile'), () => saveBlob(new Blob([exportText()], { type: 'application/json' }), `ricochet-training-${new Date().toISOString().slice(0, 10)}.json`), { class: 'primary' }),
      button(t('importFile'), () => file.click()),
      file),
    status,
    h('div', { class: 'row' }, button(t('forget'), () => void forgetAll(), { class: 'small quiet' })),
  ];
}

/** @param {number} share */
const percent = (share) => new Intl.NumberFormat(currentLanguage(), { style: 'percent' }).format(share);

/** When a day began, some days ago. @param {number} days */
function dayBefore(days) {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
}

/** @param {number} at */
const timeText = (at) => new Intl.DateTimeFormat(currentLanguage() === 'en' ? 'en-GB' : 'de', { dateStyle: 'medium', timeStyle: 'short' }).format(at);
