// Runs before anything is painted, so that no theme flashes: everything else waits for the modules.
(() => {
  const root = document.documentElement;
  if (location.hash) root.dataset.fragment = '';
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const contrast = matchMedia('(prefers-contrast: more)');
  const THEMES = ['light', 'dark', 'contrast', 'color-blind'];
  let wanted = 'auto';

  /** Shows a theme; 'auto' is the one that the system prefers. @param {string} theme */
  function showTheme(theme) {
    wanted = theme;
    const preferred = contrast.matches ? 'contrast' : dark.matches ? 'dark' : 'light';
    root.dataset.theme = THEMES.includes(theme) ? theme : preferred;
  }

  for (const query of [dark, contrast]) query.addEventListener('change', () => showTheme(wanted));
  window.showTheme = showTheme;
  showTheme('auto');
  try {
    const { theme, language } = JSON.parse(localStorage.getItem('ricochet.settings') ?? '{}');
    if (typeof theme === 'string') showTheme(theme);
    if (language === 'de' || language === 'en') root.lang = language;
  } catch {
    // No storage, or not ours: the system's theme.
  }
})();
