import { SafeHtml } from '../shared/http/html-page.ts';

/**
 * Runs on the result page: takes the code out of the address bar, tells the opener (one exact origin, no token in it) and
 * closes the popup once the opener has heard or after a success.
 */
export const CALLBACK_SCRIPT = new SafeHtml(String.raw`
(() => {
  history.replaceState(null, '', location.pathname);
  if (!window.opener) return;
  window.addEventListener('message', (event) => {
    if (event.origin === TARGET && event.source === window.opener && event.data && event.data.type === 'nango_oauth_callback_ack') window.close();
  });
  window.opener.postMessage(MESSAGE, TARGET);
  if (MESSAGE.type === 'nango_oauth_callback_success') setTimeout(() => window.close(), 1500);
})();
`);
