// The invitation: link, code, and the code as a picture for phones.

/** @import {App} from '../../app/app.js' */
import { button, flash, h } from '../../ui/dom.js';
import { t } from '../../words/room.js';
import { linkOf, qrAddress } from './api.js';

/** Addresses that mean this very device. */
const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;

/** @param {App} app @param {string} room */
export function invitation(app, room) {
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
