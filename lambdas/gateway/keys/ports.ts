/** Ports of authentication: keys, the records of a call, operators. */
import type { Connection } from '../connections/connection.rules.ts';
import type { UnconfirmedGrant } from '../connections/unconfirmed-grant.rules.ts';
import type { StoredDayUse } from '../core/budget.ts';
import type { GatewayErrorCode, GatewayErrorDetails, LimitStanding } from '../core/errors.ts';
import type { ConnectionRef, IntegrationRef } from '../core/identifiers.ts';
import type { ManagedBy } from '../core/managed-by.rules.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { Operator, SecretKeyRecord } from './credentials.rules.ts';
import type { StoredLimits } from './key-limits.rules.ts';

/** The deployment's first secret key in clear, for the deployer. */
export interface FirstSecretKey {
  read(): Promise<string | undefined>;
  /** Stores the key unless there is one; returns the stored one. */
  writeOnce(secretKey: string): Promise<string>;
}

/** The three records that a proxied call needs. */
export interface CallerRecords {
  readonly key: SecretKeyRecord | undefined;
  readonly integration: Integration | undefined;
  readonly connection: Connection | undefined;
  /** How full the provider's day of the account is, where that is known. */
  readonly dayUse?: StoredDayUse | undefined;
}

/** Which of them are wanted. */
export interface CallerQuery {
  readonly keyHash: string | undefined;
  readonly integration: IntegrationRef | undefined;
  readonly connection: ConnectionRef | undefined;
  /** Account whose day's use is wanted, too. */
  readonly dayUseOf?: string | undefined;
  /** Whether the read must include every earlier write. @default false */
  readonly isConsistent?: boolean;
}

export interface CallerStore {
  /** All wanted records in one read. */
  load(query: CallerQuery): Promise<CallerRecords>;
  /** The grant that becomes a connection once confirmed; strongly consistent. Read only where there is no connection. */
  unconfirmed(ref: ConnectionRef): Promise<UnconfirmedGrant | undefined>;
}

export interface SecretKeyStore {
  find(keyHash: string): Promise<SecretKeyRecord | undefined>;
  /** False when the hash exists already, including that of a revoked key. */
  create(record: SecretKeyRecord, event: LifecycleEvent): Promise<boolean>;
  /** Keys that are live, the newest first. */
  list(accountId: string): Promise<SecretKeyRecord[]>;
  /** The same including revoked ones, until their rows are deleted. */
  listAll(accountId: string): Promise<SecretKeyRecord[]>;
  /** @param keepsRow the row stays for ever; otherwise it is deleted after `REVOKED_KEY_RETENTION_SEC` */
  revoke(
    accountId: string,
    keyHash: string,
    revoked: { readonly at: string; readonly keepsRow: boolean },
    event: LifecycleEvent,
  ): Promise<boolean>;
  /** Gives rows that an earlier version revoked their place among the revoked and their TTL. */
  retireRevoked(accountId: string): Promise<void>;
  /** Sets or removes the limits of an active key of the right `proxy`; false without one. */
  setLimits(
    accountId: string,
    keyHash: string,
    limits: StoredLimits | undefined,
    event: LifecycleEvent,
    /** Undefined: as it is. */
    managedBy?: ManagedBy | undefined,
  ): Promise<boolean>;
  /** Records a key's use; does nothing for a revoked or unknown one. */
  noteUse(key: Pick<SecretKeyRecord, 'accountId' | 'keyHash'>, nowEpochSec: number): Promise<void>;
}

/** A verifier's judgement of an operator's token. `unavailable`: the issuer's keys cannot be reached. */
export type OperatorTokenJudgement =
  | { readonly kind: 'valid'; readonly operator: Operator }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unavailable' };

export interface OperatorTokenVerifier {
  /** Judges an access token of the deployment's issuer; never throws for any token. */
  verify(token: string): Promise<OperatorTokenJudgement>;
  /** The e-mail address in the operator's ID token, undefined for any other token; never throws for any token. */
  emailIn(idToken: string, subject: string): Promise<string | undefined>;
}

/** Names of operators in the audit trail: e-mail addresses, by the issuer's id. */
export interface OperatorNames {
  all(accountId: string): Promise<ReadonlyMap<string, string>>;
  put(accountId: string, subject: string, email: string): Promise<void>;
}

/** The destination of a call, before its requests are known. */
export interface CallReach {
  readonly sourceIp: string;
  readonly integrationId: string;
  readonly connectionId: string;
  /** Of the connection; undefined where there is none. */
  readonly tags: Readonly<Record<string, string>> | undefined;
}

/** Why a limited key's call may not begin. Plain data, because the judge is a lazily loaded module and shares no class with the bundle. */
export interface LimitRefusal {
  readonly code: GatewayErrorCode;
  readonly message: string;
  readonly details: GatewayErrorDetails & { readonly limit: LimitStanding };
  /** The key only observes: the call passes and is counted. */
  readonly isObserved: boolean;
}

/** Restricts limited keys to their allowed connections, addresses and times. */
export interface ReachGate {
  /**
   * @returns the limit that refuses the call where the key only observes
   * @throws GatewayError `key_expired`, `limited_by_key`, `unknown_connection`
   */
  reach(key: SecretKeyRecord, to: CallReach, nowMs: number): Promise<string | undefined>;
}

/** Admits and counts calls. */
export interface KeyGate {
  /** Counts a call of a valid key. @throws GatewayError `rate_limited` */
  countKey(keyHash: string, nowMs: number): void;
}

/** The same of calls that name a connection. */
export interface CallerGate extends KeyGate {
  /** Whether an address has sent so many wrong keys that only the key is looked up for it. */
  isSuspect(sourceIp: string, nowMs: number): boolean;
  /** Counts a call on a connection. @param id injective text of the connection @throws GatewayError `rate_limited` */
  countConnection(id: string, ref: ConnectionRef, provider: Integration['provider'], nowMs: number): void;
}

/** Callers that act for one end user: by a key that is bound to them, or by a sign-in elsewhere. */
export interface BoundCallers {
  /**
   * The record that stands for callers whose user signed in elsewhere, as far as that is still trusted.
   *
   * @param keyHash of the record when it called
   */
  signedIn(user: string, keyHash: string, nowMs: number): Promise<SecretKeyRecord | undefined>;
  /** Whether a connection is of the end user that a caller acts for. */
  isOf(key: SecretKeyRecord, connection: Connection): boolean;
}
