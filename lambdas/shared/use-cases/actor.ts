import type { ConnectSession } from '../domain/connect-session.ts';
import type { SecretKeyRecord } from '../domain/secret-key.ts';

/** A key's name in the audit trail: the start of its digest, which names it without being it. */
export function actorOf(key: Pick<SecretKeyRecord, 'keyHash'>): string {
  return `key:${key.keyHash.slice(0, 12)}`;
}

/** A connect session's name in the audit trail, likewise. */
export function sessionActor(session: Pick<ConnectSession, 'sessionHash'>): string {
  return `session:${session.sessionHash.slice(0, 12)}`;
}
