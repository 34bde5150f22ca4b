/** The answer of a window that opened or framed this page. */
export interface WindowAnswer {
  readonly origin: string;
  readonly token: string;
  /** Origin of the page that the window acts for: its own, or the listed one around our frame. */
  readonly appOrigin: string;
}

/**
 * Sends the waiting window a `ready` message and passes on its answer. The message contains nothing and may go to any origin; an answer
 * counts only from that window and a listed origin (CS-9).
 */
export function askWaitingWindow(
  waiting: Window,
  allowedOrigins: readonly string[],
  onAnswer: (answer: WindowAnswer) => void,
): void {
  const intervalMs = 300;
  const attempts = 40;
  let left = attempts;
  let isAnswered = false;
  window.addEventListener('message', (event) => {
    if (event.source !== waiting || !allowedOrigins.includes(event.origin)) return;
    const data: unknown = event.data;
    if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'session_token') return;
    if (!('sessionToken' in data) || typeof data.sessionToken !== 'string') return;
    isAnswered = true;
    // Only our own frame may name another page's origin.
    const named = event.origin === location.origin && 'appOrigin' in data ? data.appOrigin : undefined;
    const isListed = typeof named === 'string' && allowedOrigins.includes(named);
    onAnswer({ origin: event.origin, token: data.sessionToken, appOrigin: isListed ? named : event.origin });
  });
  // Repeated, because the other side may start to listen after this page has loaded.
  const ask = (): void => {
    if (isAnswered || left === 0) return;
    left -= 1;
    waiting.postMessage({ type: 'ready' }, '*');
    setTimeout(ask, intervalMs);
  };
  ask();
}
