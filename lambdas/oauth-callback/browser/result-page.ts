import { pageConfig } from '../../gateway/http/page-config.ts';

/** Configuration of the result page's script; contains no token and no code. */
export interface ResultConfig {
  readonly baseUrl: string;
  /** Sent to the waiting window, and only to one of this origin. */
  readonly message: object;
  readonly targetOrigin: string;
  /** Whether the page needs no reading, so that it may close or leave by itself. */
  readonly isDone: boolean;
  /** Whether the connection needs the app to receive what this page holds. */
  readonly needsApp: boolean;
  /** Whether the flow had ended before: the session of this tab may be connected, and its page shows that. */
  readonly mayBeOver: boolean;
  /** `start`: restart at once; `page`: back to the connect page; `none`: no retry can help. */
  readonly retry: 'start' | 'page' | 'none';
  readonly integrationId: string | null;
  readonly returnUrl: string | null;
}

/**
 * Removes the code from the address bar, notifies the opener, closes the popup or returns to the app, and offers a retry with the
 * session that this tab remembers.
 */
function runResultPage(config: ResultConfig): void {
  const leaveAfterMs = 1500;
  // After this long an opener that was reloaded or left counts as gone.
  const unheardAfterMs = 5000;
  const tokenName = 'gateway:connect-session';
  history.replaceState(null, '', location.pathname);

  const opener: Window | null = window.opener;
  let isHeard = false;
  if (opener !== null) {
    window.addEventListener('message', (event) => {
      const type: unknown = typeof event.data === 'object' && event.data !== null ? event.data.type : undefined;
      if (event.origin !== config.targetOrigin || event.source !== opener) return;
      if (type === 'nango_oauth_callback_ack') window.close();
      if (type === 'received') isHeard = true;
    });
    opener.postMessage(config.message, config.targetOrigin);
  }

  const strand = (): void => {
    document.getElementById('outcome')?.setAttribute('hidden', '');
    document.getElementById('stranded')?.removeAttribute('hidden');
  };
  if (config.needsApp && opener === null && config.returnUrl === null) strand();

  let token: string | null = null;
  try {
    const theme = sessionStorage.getItem('gateway:connect-theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    // The token stays, so that a return to this address shows how the session ended.
    token = sessionStorage.getItem(tokenName);
  } catch {
    // Storage is disabled: the page asks to open the link again.
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
    const toApp = (): boolean => {
      if (config.returnUrl !== null) location.replace(config.returnUrl);
      return config.returnUrl !== null;
    };
    setTimeout(() => {
      if (opener === null) toApp();
      else if (!config.needsApp || isHeard) window.close();
      else setTimeout(() => (isHeard ? window.close() : toApp() || strand()), unheardAfterMs);
    }, leaveAfterMs);
  }

  if (config.mayBeOver && token !== null) void showEnd(token);

  /** Opens the session's page if the session has ended well. */
  async function showEnd(sessionToken: string): Promise<void> {
    try {
      const headers = { authorization: `Bearer ${sessionToken}` };
      const answer = await fetch(`${config.baseUrl}/connect/session`, { headers, cache: 'no-store' });
      const { status } = (await answer.json()).data;
      if (status === 'connected' || status === 'pending_confirmation') location.replace(`${config.baseUrl}/connect`);
    } catch {
      // The page's own text covers this.
    }
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
      // The connect page explains the reason.
      location.assign(connectPage);
    }
  }
}

runResultPage(pageConfig());
