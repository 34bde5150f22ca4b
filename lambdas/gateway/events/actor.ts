/** A key's name in the audit trail: the start of its digest, which names it without being it. */
export function actorOf(key: { readonly keyHash: string }): string {
  return `key:${key.keyHash.slice(0, 12)}`;
}

/** A connect session's name in the audit trail, likewise. */
export function sessionActor(session: { readonly sessionHash: string }): string {
  return `session:${session.sessionHash.slice(0, 12)}`;
}
