/** What is needed to tell who calls: their keys, the records of a call, operators. */
import type { Connection } from '../connections/connection.rules.ts';
import type { UnconfirmedGrant } from '../connections/unconfirmed-grant.rules.ts';
import type { StoredDayUse } from '../core/budget.ts';
import type { GatewayErrorCode, GatewayErrorDetails, LimitStanding } from '../core/errors.ts';
import type { ConnectionRef, IntegrationRef } from '../core/identifiers.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { Operator, SecretKeyRecord } from './credentials.rules.ts';
import type { StoredLimits } from './key-limits.rules.ts';

/** Where the deployment's first secret key lies in clear, for the deployer alone. */
export interface FirstSecretKey {
  read(): Promise<string | undefined>;
  /** Stores the key unless there is one; returns the one that counts. */
  writeOnce(secretKey: string): Promise<string>;
}

/** The three records a proxied call stands on. */
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
  /** Account whose day is wanted, alongside the others. */
  readonly dayUseOf?: string | undefined;
  /** Whether everything that was written before the read must be in it. @default false */
  readonly isConsistent?: boolean;
}

export interface CallerStore {
  /** All wanted records in one read. */
  load(query: CallerQuery): Promise<CallerRecords>;
  /** What will be a connection once it is confirmed; strongly consistent. Asked only where there is no connection. */
  unconfirmed(ref: ConnectionRef): Promise<UnconfirmedGrant | undefined>;
}

export interface SecretKeyStore {
  find(keyHash: string): Promise<SecretKeyRecord | undefined>;
  /** False when the hash exists already, of keys also one that is revoked. */
  create(record: SecretKeyRecord, event: LifecycleEvent): Promise<boolean>;
  /** Keys that are live, the newest first. */
  list(accountId: string): Promise<SecretKeyRecord[]>;
  /** The same with those that are revoked, until their rows leave. */
  listAll(accountId: string): Promise<SecretKeyRecord[]>;
  /** @param keepsRow the row stays for ever; otherwise it leaves after `REVOKED_KEY_RETENTION_SEC` */
  revoke(
    accountId: string,
    keyHash: string,
    revoked: { readonly at: string; readonly keepsRow: boolean },
    event: LifecycleEvent,
  ): Promise<boolean>;
  /** Gives rows that an earlier version revoked their place among the revoked and their end. */
  retireRevoked(accountId: string): Promise<void>;
  /** Sets or takes away the limits of a live key of the right `proxy`; false where there is none. */
  setLimits(
    accountId: string,
    keyHash: string,
    limits: StoredLimits | undefined,
    event: LifecycleEvent,
  ): Promise<boolean>;
  /** Notes a key's use; a revoked or unknown key is left alone. */
  noteUse(keyHash: string, nowEpochSec: number): Promise<void>;
}

/** What a verifier says of an operator's token. `unavailable`: the issuer's keys are out of reach. */
export type OperatorTokenJudgement =
  | { readonly kind: 'valid'; readonly operator: Operator }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unavailable' };

export interface OperatorTokenVerifier {
  /** Judges an access token of the deployment's issuer; never throws for what a token may be. */
  verify(token: string): Promise<OperatorTokenJudgement>;
  /** The e-mail address in an ID token of the operator, undefined for any other token; throws for nothing a token may be. */
  emailIn(idToken: string, subject: string): Promise<string | undefined>;
}

/** How operators are called in the audit trail: e-mail addresses, by the issuer's name for them. */
export interface OperatorNames {
  all(accountId: string): Promise<ReadonlyMap<string, string>>;
  put(accountId: string, subject: string, email: string): Promise<void>;
}

/** Where a call goes, before anything is known of what it asks. */
export interface CallReach {
  readonly sourceIp: string;
  readonly integrationId: string;
  readonly connectionId: string;
  /** Of the connection; undefined where there is none. */
  readonly tags: Readonly<Record<string, string>> | undefined;
}

/** Why a limited key's call may not begin. Plain data: what judges is loaded alongside the bundle and shares no class with it. */
export interface LimitRefusal {
  readonly code: GatewayErrorCode;
  readonly message: string;
  readonly details: GatewayErrorDetails & { readonly limit: LimitStanding };
  /** The key only observes: the call passes and is counted. */
  readonly isObserved: boolean;
}

/** Holds limited keys to where they may go. */
export interface ReachGate {
  /**
   * @returns the limit that refuses the call where the key only observes
   * @throws GatewayError `key_expired`, `limited_by_key`, `unknown_connection`
   */
  reach(key: SecretKeyRecord, to: CallReach, nowMs: number): Promise<string | undefined>;
}

/** Whether calls may begin. A call that may counts. */
export interface KeyGate {
  /** Counts a call of a good key. @throws GatewayError `rate_limited` */
  countKey(keyHash: string, nowMs: number): void;
}

/** The same of calls that name a connection. */
export interface CallerGate extends KeyGate {
  /** Whether an address has sent so many wrong keys that nothing but the key is looked up for it. */
  isSuspect(sourceIp: string, nowMs: number): boolean;
  /** Counts a call on a connection. @param id injective text of the connection @throws GatewayError `rate_limited` */
  countConnection(id: string, ref: ConnectionRef, provider: Integration['provider'], nowMs: number): void;
}
