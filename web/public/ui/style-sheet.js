// Style sheets that belong to a mode, fetched with it.

/** @param {string} name a file of style/ without its ending @returns {Promise<void>} when it is there, or cannot be */
export function loadStyle(name) {
  const href = `style/${name}.css`;
  if (document.head.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  const done = new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
  });
  document.head.append(link);
  return done.then(() => {});
}
