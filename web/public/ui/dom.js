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

/** Shows for a moment that a button has done its work. @param {HTMLElement} label @param {string} done */
export function flash(label, done) {
  const before = label.textContent;
  label.textContent = done;
  setTimeout(() => {
    if (label.textContent === done) label.textContent = before;
  }, 2000);
}

/**
 * A choice of one. @template {string} V
 * @param {string} label @param {readonly (readonly [V, string])[]} options @param {V} value
 * @param {(value: V) => void} onchange
 */
export function select(label, options, value, onchange) {
  const field = h('select', { onchange: () => onchange(/** @type {V} */ (field.value)) });
  for (const [key, text] of options) field.append(h('option', { value: key, selected: key === value }, text));
  return h('label', { class: 'field' }, h('span', {}, label), field);
}

/** @param {string} label @param {boolean} checked @param {(checked: boolean) => void} onchange */
export function checkbox(label, checked, onchange) {
  const field = h('input', { type: 'checkbox', checked, onchange: () => onchange(field.checked) });
  return h('label', { class: 'check' }, field, h('span', {}, label));
}
