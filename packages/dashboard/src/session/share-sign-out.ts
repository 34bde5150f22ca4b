import type { Session } from './session.ts';

/** Carries sign-outs to all tabs of this dashboard in this browser. Nothing of a sign-in is in the message. */
const CHANNEL = 'operator-sign-out';

/** Has this tab leave when the operator signs out in another one, and the other tabs when it is here. */
export function shareSignOut(session: Pick<Session, 'onSignOut' | 'leave'>): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', () => void session.leave());
  session.onSignOut(() => channel.postMessage(''));
}
