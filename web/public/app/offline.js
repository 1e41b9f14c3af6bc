// The page without a network: a service worker keeps it, and a notice offers a newer version.

import { h } from '../ui/dom.js';
import { t } from '../words/page.js';

/** @param {string} script the service worker @param {{asks: boolean}} options whether a newer version waits for its reader */
export async function keepOffline(script, { asks }) {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  try {
    const registration = await serviceWorker.register(script, { updateViaCache: 'none' });
    const look = () => {
      // Without a controller this is the first visit, and nothing is replaced.
      if (asks && registration.waiting && serviceWorker.controller) offer(registration.waiting);
    };
    look();
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
  } catch (error) {
    // A page that cannot be kept works as long as there is a network.
    console.info(error);
  }
}

/** @param {ServiceWorker} waiting */
function offer(waiting) {
  if (document.getElementById('newer')) return;
  const reload = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take over');
  };
  const notice = h('div', { class: 'banner', id: 'newer' },
    h('span', { role: 'status' }, t('newer')),
    h('button', { type: 'button', onclick: reload }, t('reload')),
    h('button', { type: 'button', onclick: () => notice.remove() }, t('later')));
  document.body.prepend(notice);
}
