import { connectInFrame } from './frame.ts';
import { answerPage, confirmationHandleOf, confirmReceipt, listenTo, problemOf } from './messages.ts';
import { abandonedResult, finalResult, linkOf, readSession } from './session-state.ts';
import type { ConnectOptions, ConnectProblem, ConnectResult, SessionState } from './types.ts';

/** Poll interval of the session; a message of the popup polls at once. */
const POLL_MS = 1500;

/**
 * Looks after a window that counts as closed, while the user may be at the provider: its last step may still be under
 * way, and a provider's page may have cut the window off.
 */
const CLOSED_LOOKS = 3;

const FEATURES = 'popup,width=520,height=760';

/** Opens the connect page in a window and waits for the session's end. @throws the signal's reason */
export async function connectInPopup(options: ConnectOptions, baseUrl: string): Promise<ConnectResult> {
  const { sessionToken, signal } = options;
  const address = typeof sessionToken === 'string' ? linkOf(baseUrl, sessionToken, options) : '';
  // Opened before anything is awaited: later the browser would no longer take it for the click's.
  const popup = window.open(address, 'gateway-connect', FEATURES);
  const closePopup = (): void => popup?.close();
  signal?.addEventListener('abort', closePopup);
  try {
    const token = typeof sessionToken === 'string' ? sessionToken : await sessionToken();
    const connectLink = linkOf(baseUrl, token, options);
    if (popup === null) {
      if (options.whenBlocked === 'frame') return await connectInFrame({ ...options, sessionToken: token }, baseUrl);
      return { status: 'blocked', connectLink };
    }
    if (typeof sessionToken !== 'string') popup.location.replace(connectLink);
    return await watch(popup, token, options, baseUrl);
  } catch (error) {
    closePopup();
    throw error;
  } finally {
    signal?.removeEventListener('abort', closePopup);
  }
}

async function watch(popup: Window, token: string, options: ConnectOptions, baseUrl: string): Promise<ConnectResult> {
  const { origin } = new URL(baseUrl);
  const alarm = makeAlarm();
  let handle: string | undefined;
  let heard: ConnectProblem | undefined;
  const stop = listenTo(
    () => popup,
    origin,
    ({ type, payload }) => {
      if (type === 'ready') return answerPage(popup, origin, token);
      if (type === 'error') {
        heard = problemOf(payload);
        options.onProblem?.(heard);
        return;
      }
      const sent = confirmationHandleOf(payload);
      if (sent !== undefined) {
        handle = sent;
        confirmReceipt(popup, origin);
      }
      alarm.ring();
    },
  );
  options.signal?.addEventListener('abort', alarm.ring);
  let last: SessionState | undefined;
  let closedLooks = 0;
  try {
    for (;;) {
      options.signal?.throwIfAborted();
      const isClosed = popup.closed;
      // A failed poll does not describe the session; the next one may succeed.
      const state = await readSession(baseUrl, token, options.signal).catch(() => undefined);
      options.signal?.throwIfAborted();
      if (state?.problem !== undefined && state.problem.message !== last?.problem?.message) {
        options.onProblem?.(state.problem);
      }
      last = state ?? last;
      const result = last === undefined ? undefined : finalResult(last, handle);
      if (result !== undefined) {
        // A page that shows missing scopes stays open for its reader.
        const isWhole = 'missingScopes' in result && result.missingScopes.length === 0;
        if (isWhole) popup.close();
        return result;
      }
      if (isClosed) {
        closedLooks += 1;
        if (last === undefined && closedLooks >= CLOSED_LOOKS) return unreadable(origin);
        if (last !== undefined && (last.status !== 'authorizing' || closedLooks >= CLOSED_LOOKS))
          return abandonedResult(last, heard);
      }
      await alarm.wait(POLL_MS);
    }
  } finally {
    stop();
    options.signal?.removeEventListener('abort', alarm.ring);
  }
}

function unreadable(origin: string): ConnectResult {
  return {
    status: 'failed',
    errorType: 'unreachable',
    message: `The session cannot be read from this page. Is ${location.origin} among the connectAllowedOrigins of ${origin}?`,
  };
}

/** A pause that can be cut short. */
function makeAlarm(): { ring(): void; wait(ms: number): Promise<void> } {
  let wake: () => void = () => {};
  return {
    ring: () => wake(),
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
