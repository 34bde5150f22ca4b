import { answerPage, confirmationHandleOf, listenTo, type PageMessage } from './messages.ts';
import { abandonedResult, finalResult, readSession } from './session-state.ts';
import type { ConnectOptions, ConnectResult } from './types.ts';

/** A gateway that does not list this page's origin is not shown in a frame and never says that it is ready. */
const READY_TIMEOUT_MS = 15_000;

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
    if (ending === 'silent') return notFramed(origin);
    const { confirmationHandle } = ending;
    const state = await readSession(baseUrl, token, signal).catch(() => undefined);
    return (state === undefined ? undefined : finalResult(state, confirmationHandle)) ?? abandonedResult(state);
  } finally {
    frame.remove();
    if (focusedBefore instanceof HTMLElement) focusedBefore.focus();
  }
}

/** Resolves when the frame has reported its end or shows no sign of life. */
function frameEnding(
  frame: HTMLIFrameElement,
  origin: string,
  token: string,
  options: ConnectOptions,
): Promise<{ readonly confirmationHandle: string | undefined } | 'silent'> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      stop();
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      action();
    };
    const onAbort = (): void => settle(() => reject(signal?.reason));
    const timer = setTimeout(() => settle(() => resolve('silent')), READY_TIMEOUT_MS);
    const onMessage = ({ type, payload }: PageMessage): void => {
      const target = frame.contentWindow;
      if (type === 'ready' && target !== null) {
        clearTimeout(timer);
        answerPage(target, origin, token);
        frame.focus();
      } else if (type === 'error') {
        options.onProblem?.(problemOf(payload));
      } else if (type === 'connect' || type === 'close') {
        settle(() => resolve({ confirmationHandle: confirmationHandleOf(payload) }));
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

function notFramed(origin: string): ConnectResult {
  return {
    status: 'failed',
    errorType: 'unreachable',
    message: `The connect page did not load in a frame. Is ${location.origin} among the connectAllowedOrigins of ${origin}?`,
  };
}

function problemOf(payload: unknown): { errorType: string; message: string } {
  const members = typeof payload === 'object' && payload !== null ? new Map(Object.entries(payload)) : new Map();
  return {
    errorType: String(members.get('errorType') ?? 'unknown_err'),
    message: String(members.get('errorMessage') ?? ''),
  };
}
