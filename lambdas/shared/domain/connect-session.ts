import type { EndUser } from './connection.ts';

/** Where a connect session stands; `expired` is told by the clock. */
export type ConnectSessionStatus = 'pending' | 'authorizing' | 'connected' | 'refused' | 'failed';

/** What the backend fixed for one integration of a session. */
export interface SessionIntegrationDefaults {
  /** Scopes instead of the integration's own. */
  readonly scopes: readonly string[] | undefined;
  /** Extra authorization parameters: `login_hint`, `hd`, `prompt`, `include_granted_scopes`. */
  readonly authorizationParams: Readonly<Record<string, string>>;
}

/** A short-lived right of one end user to connect. The token is stored only as its SHA-256. */
export interface ConnectSession {
  readonly sessionHash: string;
  readonly accountId: string;
  readonly endUser: EndUser | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Empty = every integration of the account. */
  readonly allowedIntegrations: readonly string[];
  readonly defaults: Readonly<Record<string, SessionIntegrationDefaults>>;
  /** The connection to authorize again, if the session is for one. */
  readonly reconnect: { readonly integrationId: string; readonly connectionId: string } | undefined;
  /** Whether a reconnect may end with another provider account. */
  readonly allowAccountChange: boolean;
  readonly returnUrl: string | undefined;
  readonly status: ConnectSessionStatus;
  readonly outcome: SessionOutcome | undefined;
  /** SHA-256 of the binding cookie of the browser that started first: no other may start again. */
  readonly browserHash: string | undefined;
  readonly createdAtEpochSec: number;
  readonly expiresAtEpochSec: number;
}

/** How a session ended. */
export interface SessionOutcome {
  readonly integrationId: string | undefined;
  readonly connectionId: string | undefined;
  readonly errorType: string | undefined;
  readonly message: string | undefined;
}

/** Between the start and the callback: everything the callback needs, named by the hash of `state`. */
export interface PendingAuthorization {
  readonly stateHash: string;
  readonly accountId: string;
  readonly integrationId: string;
  readonly connectionId: string;
  readonly sessionHash: string;
  readonly isReconnect: boolean;
  /** Pinned at the start: the callback uses no other (OA-6). */
  readonly clientId: string;
  readonly issuer: string;
  readonly redirectUri: string;
  readonly requestedScopes: readonly string[];
  readonly encryptedCodeVerifier: string;
  readonly nonce: string;
  /** SHA-256 of the binding cookie (CS-3). */
  readonly browserHash: string;
  readonly createdAtEpochSec: number;
  readonly expiresAtEpochSec: number;
}
