import { pageConfig } from '../../gateway/http/page-config.ts';

/** What the result page's script is told; holds no token and no code. */
export interface ResultConfig {
  readonly baseUrl: string;
  /** Goes to the window that waits for the result, and only to one of this origin. */
  readonly message: object;
  readonly targetOrigin: string;
  /** Whether the page has said all there is to say, so that it may close or leave by itself. */
  readonly isDone: boolean;
  /** Whether nothing is connected unless the app learns what this page holds. */
  readonly needsApp: boolean;
  /** `start`: the same again at once; `page`: back to the connect page; `none`: no retry can help. */
  readonly retry: 'start' | 'page' | 'none';
  readonly integrationId: string | null;
  readonly returnUrl: string | null;
}

/**
 * Takes the code out of the address bar, tells the opener, closes the popup or returns to the app, and offers to try
 * again with the session that this tab remembers.
 */
function runResultPage(config: ResultConfig): void {
  const leaveAfterMs = 1500;
  const tokenName = 'gateway:connect-session';
  history.replaceState(null, '', location.pathname);

  const opener: Window | null = window.opener;
  if (opener !== null) {
    window.addEventListener('message', (event) => {
      const type: unknown = typeof event.data === 'object' && event.data !== null ? event.data.type : undefined;
      const isAck = type === 'nango_oauth_callback_ack';
      if (event.origin === config.targetOrigin && event.source === opener && isAck) window.close();
    });
    opener.postMessage(config.message, config.targetOrigin);
  }

  if (config.needsApp && opener === null && config.returnUrl === null) {
    document.getElementById('outcome')?.setAttribute('hidden', '');
    document.getElementById('stranded')?.removeAttribute('hidden');
  }

  let token: string | null = null;
  try {
    const theme = sessionStorage.getItem('gateway:connect-theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    token = sessionStorage.getItem(tokenName);
    if (config.retry === 'none') sessionStorage.removeItem(tokenName);
  } catch {
    // Storage is switched off: the page says to open the link again.
  }

  const retry = document.getElementById('retry');
  if (retry instanceof HTMLButtonElement) {
    if (token === null) {
      document.getElementById('retry-row')?.setAttribute('hidden', '');
      document.getElementById('no-retry')?.removeAttribute('hidden');
    } else {
      const sessionToken = token;
      retry.addEventListener('click', () => void startAgain(retry, sessionToken));
    }
  }

  if (config.isDone) {
    setTimeout(() => {
      if (opener !== null) window.close();
      else if (config.returnUrl !== null) location.replace(config.returnUrl);
    }, leaveAfterMs);
  }

  async function startAgain(button: HTMLButtonElement, sessionToken: string): Promise<void> {
    button.disabled = true;
    button.setAttribute('aria-busy', 'true');
    const connectPage = `${config.baseUrl}/connect#session_token=${encodeURIComponent(sessionToken)}`;
    if (config.retry === 'page') {
      location.assign(connectPage);
      return;
    }
    const body = { provider_config_key: config.integrationId, opener_origin: config.targetOrigin };
    try {
      const response = await fetch(`${config.baseUrl}/connect/authorizations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const json = await response.json();
      location.assign(json.data.authorization_url);
    } catch {
      // The connect page knows how to say why.
      location.assign(connectPage);
    }
  }
}

runResultPage(pageConfig());
