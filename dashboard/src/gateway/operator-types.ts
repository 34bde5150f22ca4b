import type { ConnectionDiagnosis } from './library.ts';

/** What a secret key may do. */
export type KeyRight = 'proxy' | 'read' | 'full';

/** A secret key without its text. Times are ISO 8601 UTC. */
export interface SecretKey {
  readonly id: string;
  readonly name: string;
  readonly right: string;
  /** Integrations it is limited to; undefined = all. */
  readonly integrationIds: readonly string[] | undefined;
  readonly canReadCredentials: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | undefined;
  readonly revokedAt: string | undefined;
}

/** A secret key to make. */
export interface NewSecretKey {
  name: string;
  right: KeyRight;
  integrationIds?: readonly string[];
  canReadCredentials?: boolean;
}

/** One event of a connection's timeline. */
export interface ConnectionEvent {
  readonly eventId: string;
  /** Such as `ConnectionCreated`. */
  readonly type: string;
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly cause: string | undefined;
  readonly remedy: string | undefined;
  /** Who asked for it; undefined for the gateway's own work. */
  readonly actor: string | undefined;
  readonly requestId: string;
}

/** Events, newest first. */
export interface EventPage {
  readonly events: readonly ConnectionEvent[];
  /** Give it back to read older ones. */
  readonly nextBefore: string | undefined;
}

/** What one harmless provider call found. */
export interface CheckReport {
  readonly works: boolean;
  /** Such as `ok` or `api_not_enabled`. */
  readonly reason: string;
  readonly message: string;
  readonly who: string | undefined;
  readonly remedy: string | undefined;
  readonly upstreamStatus: number | undefined;
  readonly connection: ConnectionDiagnosis | undefined;
}

/** One thing going live takes. */
export interface ReadinessStep {
  readonly id: string;
  readonly needed: boolean;
  /** Undefined where only the provider's console shows it. */
  readonly done: boolean | undefined;
  readonly what: string;
}

/** How far an integration is from serving end users for good. */
export interface Readiness {
  readonly ready: boolean;
  readonly redirectUri: string;
  readonly strictestClass: string;
  readonly steps: readonly ReadinessStep[];
  readonly risks: readonly string[];
}

/** A provider's answer to a tried call. */
export interface TriedCall {
  readonly status: number;
  /** Content type, empty where there is none. */
  readonly contentType: string;
  /** The body as text, cut at the gateway's limit. */
  readonly body: string;
  readonly truncated: boolean;
  /** How long the provider took, in milliseconds. */
  readonly durationMs: number;
}
