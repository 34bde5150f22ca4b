import type { SessionOutcome } from '../connections/authorized-session.rules.ts';
import type { EndUser } from '../connections/connection.rules.ts';
import { CONNECT_STARTS_MAX } from '../core/limits.ts';
import type { Language } from '../languages/language.rules.ts';
import type { PickOptions } from './pick.rules.ts';

/** State of a connect session; `expired` follows from the clock. */
export const CONNECT_SESSION_STATUSES = [
  'pending',
  'authorizing',
  'pending_confirmation',
  'connected',
  'cancelled',
  'refused',
  'failed',
] as const;
export type ConnectSessionStatus = (typeof CONNECT_SESSION_STATUSES)[number];

/** Values that the backend fixed for one integration of a session. */
export interface SessionIntegrationDefaults {
  /** Scopes instead of the integration's own. */
  readonly scopes: readonly string[] | undefined;
  /** Extra authorization parameters: `login_hint`, `hd`, `prompt`, `include_granted_scopes`. */
  readonly authorizationParams: Readonly<Record<string, string>>;
}

/** The customer of the app for whose administrator a session is; another customer's administrator cannot check its domains. */
export interface SessionOrganization {
  readonly id: string;
  readonly displayName: string | undefined;
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
  /** Connections of its end user whose grant had ended: a consent with the account of one reauthorizes it. */
  readonly reusable?: readonly { readonly integrationId: string; readonly connectionId: string }[] | undefined;
  /** Whether a reconnect may end with another provider account. */
  readonly allowAccountChange: boolean;
  readonly returnUrl: string | undefined;
  /** Whether its grant waits until the app's backend confirms it (CS-15). */
  readonly confirm?: boolean | undefined;
  /** Set when its user is to pick files, for the connection in `reconnect` or for a new one. */
  readonly pick?: PickOptions | undefined;
  /** Set when an administrator only lists a service account and checks it, for the one integration allowed. */
  readonly admin?: { readonly organization: SessionOrganization } | undefined;
  /** SHA-256 of the handle that only the finishing browser has. */
  readonly confirmationHash?: string | undefined;
  /** Until then the handle counts. */
  readonly confirmUntilEpochSec?: number | undefined;
  /** Language of its pages, whatever the browser prefers. */
  readonly language?: Language | undefined;
  readonly status: ConnectSessionStatus;
  readonly outcome: SessionOutcome | undefined;
  /** SHA-256 of the binding cookie of the browser that started first: no other may start again. */
  readonly browserHash: string | undefined;
  /** How often it was started. */
  readonly startCount?: number | undefined;
  /** End of the latest start: a browser that has not returned by then will not. */
  readonly authorizingUntilEpochSec?: number | undefined;
  /** Its connection lacks scopes, so the same browser may request them again. */
  readonly mayAskAgain?: boolean | undefined;
  readonly createdAtEpochSec: number;
  readonly expiresAtEpochSec: number;
}

/** The connection that a session authorizes again: the one it is for, or the one it has created that lacks scopes. */
export function reconnectTarget(session: ConnectSession): ConnectSession['reconnect'] {
  if (session.status !== 'connected' || session.mayAskAgain !== true) return session.reconnect;
  const { integrationId, connectionId } = session.outcome ?? {};
  return integrationId === undefined || connectionId === undefined
    ? session.reconnect
    : { integrationId, connectionId };
}

/** Whether the outcome of the session is a connection that existed before it. */
export function isReconnected({ reconnect, reusable = [], outcome }: ConnectSession): boolean {
  return (
    reconnect !== undefined ||
    reusable.some((one) => one.integrationId === outcome?.integrationId && one.connectionId === outcome.connectionId)
  );
}

/** The Workspace domain required of the account: the integration's; a session may narrow it where that is any domain or none. */
export function requiredDomain(
  integrationDomain: string | undefined,
  fixedBySession: string | undefined,
): string | undefined {
  return integrationDomain === undefined || integrationDomain === '*'
    ? (fixedBySession ?? integrationDomain)
    : integrationDomain;
}

/**
 * Why this browser may not start the session: after the first start no other may, and the number of starts is limited.
 *
 * @param browserHash SHA-256 of the binding cookie that the browser sent, if it sent one
 */
export function startObstacle(
  session: ConnectSession,
  browserHash: string | undefined,
): 'link_started_elsewhere' | 'link_started_too_often' | undefined {
  if (session.browserHash !== undefined && session.browserHash !== browserHash) return 'link_started_elsewhere';
  return (session.startCount ?? 0) < CONNECT_STARTS_MAX ? undefined : 'link_started_too_often';
}

/** The visible status: the row shows what happened, the clock what can no longer happen. */
export type VisibleStatus = ConnectSessionStatus | 'expired' | 'timed_out' | 'not_confirmed';

/**
 * A grant that was not confirmed in time is `not_confirmed`. A start without a callback is `timed_out`; such a session may be started
 * again until it is `expired`. A flow under way may end after its session's time.
 */
export function visibleStatus(session: ConnectSession, nowEpochSec: number): VisibleStatus {
  if (session.status === 'connected') return 'connected';
  if (session.status === 'pending_confirmation') {
    return nowEpochSec < (session.confirmUntilEpochSec ?? 0) ? 'pending_confirmation' : 'not_confirmed';
  }
  const until = session.authorizingUntilEpochSec ?? session.expiresAtEpochSec;
  if (session.status === 'authorizing' && nowEpochSec < until) return 'authorizing';
  if (session.expiresAtEpochSec <= nowEpochSec) return 'expired';
  return session.status === 'authorizing' ? 'timed_out' : session.status;
}

/** The kind of authorization that shows a picker. */
export interface PendingPick {
  /** `online`: the connection keeps its tokens. `offline`: the pick's tokens become the connection's. */
  readonly access: 'online' | 'offline';
}

/** Between the start and the callback: everything the callback needs, named by the hash of `state`. */
export interface PendingAuthorization {
  readonly stateHash: string;
  readonly accountId: string;
  readonly integrationId: string;
  readonly connectionId: string;
  readonly sessionHash: string;
  readonly isReconnect: boolean;
  /** Set when the user is to pick files: only then does the callback read any (PK-11). */
  readonly pick?: PendingPick | undefined;
  /** Pinned at the start: the callback uses no other (OA-6). */
  readonly clientId: string;
  readonly issuer: string;
  readonly redirectUri: string;
  /** Scopes that the connection should have in the end; more than requested in a scope upgrade. */
  readonly requestedScopes: readonly string[];
  /** Scopes in the authorization request: the grant, if the token answer names none (RFC 6749 section 5.1). */
  readonly askedScopes: readonly string[];
  /** The integration's scopes at the start: a change meanwhile ends the flow (CS-13). */
  readonly integrationScopes: readonly string[];
  /** Workspace domain required of the account, from the session or the integration. */
  readonly hostedDomain?: string | undefined;
  readonly encryptedCodeVerifier: string;
  readonly nonce: string;
  /** SHA-256 of the binding cookie (CS-3). */
  readonly browserHash: string;
  /** Listed origin of the window that waits for the result, if one has reported it (CS-9). */
  readonly openerOrigin: string | undefined;
  /** Language of the page that started it, for the page that ends it. */
  readonly language?: Language | undefined;
  readonly createdAtEpochSec: number;
  readonly expiresAtEpochSec: number;
}
