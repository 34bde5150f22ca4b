/** Who calls, and their keys. */
import type { CallSubject } from '../domain/call-count.ts';
import type { Connection } from '../domain/connection.ts';
import type { ConnectionRef, IntegrationRef } from '../domain/identifiers.ts';
import type { Integration } from '../domain/integration.ts';
import type { LifecycleEvent } from '../domain/lifecycle-event.ts';
import type { SecretKeyRecord } from '../domain/secret-key.ts';
import type { UnconfirmedGrant } from '../domain/unconfirmed-grant.ts';

/** Calls of all processes together, per secret key or connection and window of `RATE_WINDOW_SEC`. */
export interface CallTotals {
  /** Adds calls to a window. Their total with those of every other process. */
  add(subject: CallSubject, window: number, calls: number): Promise<number>;
}

/** The three records a proxied call stands on. */
export interface CallerRecords {
  readonly key: SecretKeyRecord | undefined;
  readonly integration: Integration | undefined;
  readonly connection: Connection | undefined;
}

/** Which of them are wanted. */
export interface CallerQuery {
  readonly keyHash: string | undefined;
  readonly integration: IntegrationRef | undefined;
  readonly connection: ConnectionRef | undefined;
}

export interface CallerStore {
  /** All wanted records in one read; eventually consistent. */
  load(query: CallerQuery): Promise<CallerRecords>;
  /** What will be a connection once it is confirmed; strongly consistent. Asked only where there is no connection. */
  unconfirmed(ref: ConnectionRef): Promise<UnconfirmedGrant | undefined>;
}

export interface SecretKeyStore {
  find(keyHash: string): Promise<SecretKeyRecord | undefined>;
  /** False when the hash exists already, revoked or not. */
  create(record: SecretKeyRecord, event: LifecycleEvent): Promise<boolean>;
  list(accountId: string): Promise<SecretKeyRecord[]>;
  revoke(accountId: string, keyHash: string, revokedAt: string, event: LifecycleEvent): Promise<boolean>;
  /** Notes a key's use; a revoked or unknown key is left alone. */
  noteUse(keyHash: string, nowEpochSec: number): Promise<void>;
}
