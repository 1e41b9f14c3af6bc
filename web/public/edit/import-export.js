// Import and export: any format, files, pictures.

/** @import {View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { linkTo } from '../app/links.js';
import { parseRoute } from '../app/route.js';
import { errorText } from '../speech/errors.js';
import { mayTellSolution } from '../play/spoilers.js';
import { goalSentence } from '../speech/sentences.js';
import { button, fill, h, section } from '../ui/dom.js';
import { pictureBlob, saveBlob } from '../ui/files.js';
import { checkbox, chips, select } from '../ui/form-fields.js';
import { t } from '../words/edit.js';
import { t as tPage } from '../words/page.js';

/** Bytes of a file at most. */
const LARGEST = 1_000_000;

/** A link to this page holds a puzzle; any other text is as it is. @param {string} text */
function puzzleOfLink(text) {
  const [, fragment] = /^\s*https?:\/\/\S+?(#(?:play|analyse|edit)=\S+)\s*$/.exec(text) ?? [];
  const [, short] = /^\s*https?:\/\/[^\s?#]+\/(?:p|embed)\/([\w.~-]+)\/?\s*$/.exec(text) ?? [];
  return (fragment && parseRoute(fragment).line) || short || text;
}

/** Reads puzzles; if there are several, the player chooses. @param {App} app @param {(view: View) => void} open */
export function importSection(app, open) {
  const field = h('textarea', { rows: 5, spellcheck: false, 'aria-label': t('importText'), placeholder: t('importText'), class: 'wide' });
  const result = h('div', { class: 'stack', role: 'status' });
  /** @param {string} text */
  const read = async (text) => {
    if (!text.trim()) return;
    try {
      const { puzzles, notes } = await app.engine.ask('read', { text: puzzleOfLink(text) });
      const first = puzzles[0];
      if (!first) return;
      const which = puzzles.length > 1 && select(t('which'), puzzles.map((view, i) => /** @type {const} */ ([String(i), view.id ?? String(i + 1)])), '0', (i) => open(puzzles[Number(i)]));
      fill(result, [h('p', {}, t('imported', { n: puzzles.length })), which, ...notes.map((/** @type {string} */ note) => h('p', { class: 'soft' }, note))]);
      open(first);
    } catch (error) {
      fill(result, [h('p', { class: 'message' }, errorText(error))]);
      element.open = true;
    }
  };
  /** @param {File | undefined | null} file */
  const readFile = async (file) => {
    if (!file) return;
    if (file.size > LARGEST) fill(result, [h('p', { class: 'message' }, t('tooLarge'))]);
    else await read(await file.text());
  };
  const chooser = h('input', { type: 'file', hidden: true, onchange: () => void readFile(chooser.files?.[0]) });
  const element = section(t('imports'), [
    field,
    h('div', { class: 'row' }, button(t('importRun'), () => void read(field.value), { class: 'primary' }), button(t('importFile'), () => chooser.click()), chooser),
    h('p', { class: 'soft' }, t('importDrop')),
    result,
  ]);
  return { element, read, readFile };
}

/** The usual paper size in the reader's region. */
function usualPaper() {
  return /-(US|CA|MX|PH|CL|CO)$/i.test(navigator.language) ? 'letter' : 'a4';
}

/** @param {App} app @param {() => string | null} line of the position, null if it is not valid */
export function exportSection(app, line) {
  let format = 'text';
  let theme = 'light';
  let solution = false;
  const text = h('textarea', { rows: 6, readOnly: true, spellcheck: false, 'aria-label': t('exportText'), class: 'wide mono' });
  const notes = h('p', { class: 'soft', role: 'status' });
  const formats = h('div');

  let asked = 0;
  const write = async () => {
    const puzzle = line();
    const mine = (asked += 1);
    if (!element.open) return;
    if (!puzzle) {
      text.value = '';
      fill(notes, [t('needsValid')]);
      return;
    }
    try {
      const answer = await app.engine.ask('convert', { puzzle, to: format });
      // Another format was chosen in the meantime.
      if (mine !== asked) return;
      text.value = answer.text;
      fill(notes, [answer.notes.join(' ')]);
    } catch (error) {
      text.value = '';
      fill(notes, [errorText(error)]);
    }
  };
  const load = async () => {
    if (!formats.childElementCount) {
      try {
        const { formats: all } = await app.engine.ask('formats', {});
        const options = all.filter(({ write }) => write).map(({ name }) => /** @type {const} */ ([name, name]));
        fill(formats, [chips(t('exportFormat'), options, format, (value) => {
          format = value;
          void write();
        })]);
      } catch (error) {
        app.report(error);
      }
    }
    await write();
  };
  /** The paper size and the caption of a printed page. @param {string} puzzle */
  const pageToPrint = async (puzzle) => {
    const { puzzles } = await app.engine.ask('read', { text: puzzle });
    return { paper: usualPaper(), caption: puzzles[0] && goalSentence(puzzles[0]) };
  };
  /** @param {'svg' | 'png' | 'gif' | 'pdf'} kind */
  const draw = async (kind) => {
    const puzzle = line();
    if (!puzzle) {
      app.tell(t('needsValid'));
      return;
    }
    const solves = solution || kind === 'gif';
    if (solves && !(await mayTellSolution(app, puzzle))) return;
    try {
      const page = kind === 'pdf' ? await pageToPrint(puzzle) : {};
      const answer = await app.engine.ask('draw', { puzzle, kind, theme, coordinates: true, solution: solves, ...page });
      const name = `ricochet.${kind}`;
      saveBlob(pictureBlob(answer), name);
      app.tell(t('saved', { name }));
    } catch (error) {
      fill(notes, [errorText(error)]);
    }
  };
  const copyLink = () => {
    void app.copy(linkTo({ mode: 'play', line: line() ?? '', moves: [], more: {} }));
  };
  const element = section(
    t('exports'),
    [
      formats,
      text,
      notes,
      h('div', { class: 'row' }, button(t('copy'), () => void app.copy(text.value)), button(t('save'), () => saveBlob(new Blob([text.value], { type: 'text/plain' }), `ricochet.${format === 'json' ? 'json' : 'txt'}`)), button(t('copyLink'), copyLink)),
      h('h3', {}, t('picture')),
      chips(t('pictureTheme'), [['light', tPage('themeLight')], ['dark', tPage('themeDark')], ['color-blind', tPage('themeColorBlind')]], theme, (value) => {
        theme = value;
      }),
      checkbox(t('withSolution'), solution, (checked) => {
        solution = checked;
      }),
      h('div', { class: 'row' }, button('SVG', () => void draw('svg')), button('PNG', () => void draw('png')), button('GIF', () => void draw('gif')), button(t('sheet'), () => void draw('pdf'))),
    ],
    { onopen: () => void load() },
  );
  return { element, write };
}
