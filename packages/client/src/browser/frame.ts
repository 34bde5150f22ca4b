import { answerPage, confirmationHandleOf, listenTo, type PageMessage, problemOf } from './messages.ts';
import { abandonedResult, finalResult, linkOf, readSession } from './session-state.ts';
import type { ConnectOptions, ConnectProblem, ConnectResult } from './types.ts';

/** A gateway that does not list this page's origin is not shown in a frame, so it never sends `ready`. */
const READY_TIMEOUT_MS = 15_000;

/** The page sends `ready` before it has loaded; the browser's own page for a refused one never does. */
const READY_AFTER_LOAD_MS = 2_000;

/**
 * Shows the gateway's shell in a frame; its button opens the connect page in a window of its own.
 *
 * @throws the signal's reason
 */
export async function connectInFrame(options: ConnectOptions, baseUrl: string): Promise<ConnectResult> {
  const { origin } = new URL(baseUrl);
  const { signal, sessionToken } = options;
  signal?.throwIfAborted();
  const token = typeof sessionToken === 'string' ? sessionToken : await sessionToken();
  signal?.throwIfAborted();
  const focusedBefore = document.activeElement;
  const frame = showFrame(options, baseUrl);
  try {
    const ending = await frameEnding(frame, origin, token, options);
    const connectLink = linkOf(baseUrl, token, options);
    if (ending === 'silent') return notFramed(origin, connectLink);
    const { confirmationHandle, problem } = ending;
    const state = await readSession(baseUrl, token, signal).catch(() => undefined);
    const result = state === undefined ? undefined : finalResult(state, confirmationHandle);
    if (result !== undefined) return result;
    if (problem?.errorType === 'popup_blocked') return { status: 'blocked', connectLink };
    return abandonedResult(state, problem?.errorType === 'window_closed' ? undefined : problem);
  } finally {
    frame.remove();
    if (focusedBefore instanceof HTMLElement) focusedBefore.focus();
  }
}

interface FrameEnding {
  readonly confirmationHandle: string | undefined;
  /** The last problem reported by the frame; a closed window counts only where nothing gave a reason. */
  readonly problem: ConnectProblem | undefined;
}

/** Resolves when the frame has reported its end or shows no sign of life. */
function frameEnding(
  frame: HTMLIFrameElement,
  origin: string,
  token: string,
  options: ConnectOptions,
): Promise<FrameEnding | 'silent'> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      stop();
      clearTimeout(timer);
      frame.removeEventListener('load', onLoad);
      signal?.removeEventListener('abort', onAbort);
      action();
    };
    const onAbort = (): void => settle(() => reject(signal?.reason));
    const silentAfter = (ms: number) => setTimeout(() => settle(() => resolve('silent')), ms);
    let isReady = false;
    let problem: ConnectProblem | undefined;
    let timer = silentAfter(READY_TIMEOUT_MS);
    const onLoad = (): void => {
      if (isReady) return;
      clearTimeout(timer);
      timer = silentAfter(READY_AFTER_LOAD_MS);
    };
    frame.addEventListener('load', onLoad);
    const onMessage = ({ type, payload }: PageMessage): void => {
      const target = frame.contentWindow;
      if (type === 'ready' && target !== null) {
        isReady = true;
        clearTimeout(timer);
        answerPage(target, origin, token);
        frame.focus();
      } else if (type === 'error') {
        const reported = problemOf(payload);
        // A window closed after a problem was closed because of it; a blocked window has opened since.
        if (reported.errorType !== 'window_closed' || problem?.errorType === 'popup_blocked') problem = reported;
        options.onProblem?.(reported);
      } else if (type === 'connect' || type === 'close') {
        settle(() => resolve({ confirmationHandle: confirmationHandleOf(payload), problem }));
      }
    };
    const stop = listenTo(() => frame.contentWindow, origin, onMessage);
    signal?.addEventListener('abort', onAbort);
  });
}

function showFrame(options: ConnectOptions, baseUrl: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  const { theme, language } = options;
  const look = new URLSearchParams({
    ...(theme === undefined ? {} : { theme }),
    ...(language === undefined ? {} : { language }),
  }).toString();
  frame.src = `${baseUrl}/connect${look === '' ? '' : `?${look}`}`;
  frame.title = 'Connect your account';
  const place =
    options.container === undefined
      ? { position: 'fixed', inset: '0', width: '100%', height: '100%', zIndex: '2147483647' }
      : { width: '100%', height: '100%' };
  Object.assign(frame.style, { border: '0', colorScheme: 'normal', ...place });
  (options.container ?? document.body).append(frame);
  return frame;
}

function notFramed(origin: string, connectLink: string): ConnectResult {
  return {
    status: 'failed',
    connectLink,
    errorType: 'unreachable',
    message: `The connect page did not load in a frame. Is ${location.origin} among the connectAllowedOrigins of ${origin}?`,
  };
}
