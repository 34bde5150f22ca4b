/** What a window that opened or framed this page has said of itself. */
export interface Greeting {
  readonly origin: string;
  readonly token: string;
  /** The page on whose behalf the window asks: its own origin, or the listed one around our frame. */
  readonly appOrigin: string;
}

/**
 * Greets the window that waits for the result and reports its answer. The greeting holds nothing and may go to any
 * origin; an answer counts only from that very window and a listed origin (CS-9).
 */
export function greetWaitingWindow(
  waiting: Window,
  allowedOrigins: readonly string[],
  onAnswer: (greeting: Greeting) => void,
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
    // Our own frame says whom it stands in for; nobody else can speak for another page.
    const named = event.origin === location.origin && 'appOrigin' in data ? data.appOrigin : undefined;
    const isListed = typeof named === 'string' && allowedOrigins.includes(named);
    onAnswer({ origin: event.origin, token: data.sessionToken, appOrigin: isListed ? named : event.origin });
  });
  // Repeated, because the other side may start to listen after this page has loaded.
  const greet = (): void => {
    if (isAnswered || left === 0) return;
    left -= 1;
    waiting.postMessage({ type: 'ready' }, '*');
    setTimeout(greet, intervalMs);
  };
  greet();
}
