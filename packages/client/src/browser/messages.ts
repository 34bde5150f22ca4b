import type { ConnectProblem } from './types.ts';

/** A message of the gateway's pages; none of them carries a token or a code. A finished one may carry the handle that your backend confirms. */
export interface PageMessage {
  readonly type: string;
  readonly payload: unknown;
}

/**
 * Listens only to one window of the gateway: source and origin must both match.
 *
 * @returns stops listening
 */
export function listenTo(
  source: () => Window | null,
  origin: string,
  onMessage: (message: PageMessage) => void,
): () => void {
  const listener = (event: MessageEvent<unknown>): void => {
    const { data } = event;
    if (event.origin !== origin || event.source === null || event.source !== source()) return;
    if (typeof data !== 'object' || data === null || !('type' in data) || typeof data.type !== 'string') return;
    onMessage({ type: data.type, payload: 'payload' in data ? data.payload : undefined });
  };
  window.addEventListener('message', listener);
  return () => window.removeEventListener('message', listener);
}

/** The handle in a message's payload, where it has one. */
export function confirmationHandleOf(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('confirmationHandle' in payload)) return undefined;
  return typeof payload.confirmationHandle === 'string' ? payload.confirmationHandle : undefined;
}

/** The problem in a message of type `error`. */
export function problemOf(payload: unknown): ConnectProblem {
  const members = typeof payload === 'object' && payload !== null ? new Map(Object.entries(payload)) : new Map();
  return {
    errorType: String(members.get('errorType') ?? 'unknown_err'),
    message: String(members.get('errorMessage') ?? ''),
  };
}

/** Confirms that the handle has arrived: without it the page returns the handle to the app another way, or shows the failure. */
export function confirmReceipt(target: Window, origin: string): void {
  target.postMessage({ type: 'received' }, origin);
}

/** Answers a page of the gateway that is ready, which makes this window the one it reports to. */
export function answerPage(target: Window, origin: string, sessionToken: string): void {
  target.postMessage({ type: 'session_token', sessionToken }, origin);
}
