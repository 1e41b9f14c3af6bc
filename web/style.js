// Style sheets that belong to a mode, fetched with it.

/** @param {string} name a file of style/ without its ending */
export function loadStyle(name) {
  const href = `style/${name}.css`;
  if (document.head.querySelector(`link[href="${href}"]`)) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  document.head.append(link);
}
