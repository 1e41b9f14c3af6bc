// Making elements. Text is always text: nothing that was read ever becomes markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Props */

/**
 * `h('button', {class: 'wide', onclick: run}, 'New')`: properties that begin with `on` are
 * listeners, `class`, `for`, `role`, `data-…` and `aria-…` are attributes, the rest are properties.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Props} [props] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on') && typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (/^(class|for|role|aria-.*|data-.*|list|form)$/.test(name)) {
      element.setAttribute(name, String(value));
    } else {
      Object.assign(element, { [name]: value });
    }
  }
  fill(element, children);
  return element;
}

/** @param {Element} element @param {Child[]} children */
export function fill(element, children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => (child instanceof Node ? child : String(child))));
}

/** What was drawn by keys into an element. @type {WeakMap<Element, Map<string, Element>>} */
const drawn = new WeakMap();

/**
 * Fills an element again and again, for pictures and lists that change by a little many times a second:
 * what had the same key before stays as it is.
 * @template {Element} E
 * @param {Element} element @param {Iterable<[key: string, make: () => E]>} items @returns {E[]}
 */
export function fillKeyed(element, items) {
  const before = /** @type {Map<string, E> | undefined} */ (drawn.get(element));
  /** @type {Map<string, E>} */
  const now = new Map();
  for (const [key, make] of items) now.set(key, before?.get(key) ?? make());
  drawn.set(element, now);
  const children = [...now.values()];
  const stays = new Set(/** @type {Element[]} */ (children));
  for (const child of [...element.childNodes]) if (!stays.has(/** @type {Element} */ (child))) child.remove();
  let next = element.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else element.insertBefore(child, next);
  }
  return children;
}

/** Writes a text if it is another one. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The element with an id that the page's skeleton is known to have. @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** A button. @param {string} text @param {() => void} onclick @param {Props} [props] */
export function button(text, onclick, props = {}) {
  return h('button', { type: 'button', onclick, ...props }, text);
}

/** A form that runs a function instead of being sent. @param {Props} props @param {() => void} onsubmit @param {...Child} children */
export function form(props, onsubmit, ...children) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onsubmit();
  };
  return h('form', { ...props, onsubmit: submit }, ...children);
}

/** Shows for a moment that a button has done its work. @param {HTMLElement} label @param {string} done */
export function flash(label, done) {
  const before = label.textContent;
  label.textContent = done;
  setTimeout(() => {
    if (label.textContent === done) label.textContent = before;
  }, 2000);
}

/**
 * Loads a style sheet that belongs to a mode.
 * @param {string} name a file of style/ without its ending
 * @returns {Promise<void>} resolves when it is loaded or has failed
 */
export function loadStyle(name) {
  const inside = document.querySelector('[data-sheets]')?.getAttribute('data-sheets');
  if (inside?.split(' ').includes(name)) return Promise.resolve();
  const { href } = new URL(`../style/${name}.css`, import.meta.url);
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  if ([...document.head.querySelectorAll('link')].some((one) => one.rel === link.rel && one.href === href)) return Promise.resolve();
  link.href = href;
  const done = new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
  });
  document.head.append(link);
  return done.then(() => {});
}

/**
 * A part of the panel that can be folded.
 * @param {string} title @param {(Node | string)[]} content @param {{open?: boolean, onopen?: () => void}} [options]
 */
export function section(title, content, { open = false, onopen } = {}) {
  const details = h(
    'details',
    { class: 'card section', open, ontoggle: () => details.open && onopen?.() },
    h('summary', {}, title),
    h('div', { class: 'stack section-body' }, ...content),
  );
  return details;
}
