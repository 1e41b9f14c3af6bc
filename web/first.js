// Runs before anything is painted, so that a chosen theme does not flash: everything else waits for
// the modules.
(() => {
  try {
    const settings = JSON.parse(localStorage.getItem('ricochet.settings') ?? '{}');
    const { theme, language } = settings;
    if (typeof theme === 'string' && theme !== 'auto') document.documentElement.dataset.theme = theme;
    if (language === 'de' || language === 'en') document.documentElement.lang = language;
  } catch {
    // No storage, or not ours: the system's theme.
  }
})();
