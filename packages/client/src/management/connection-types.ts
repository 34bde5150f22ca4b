import type { ConnectionDiagnosis } from '../errors.ts';
import type { ConnectionRef } from '../http/headers.ts';
import type { Budget } from './budget.ts';

/** The end user of a connection on your side. */
export interface EndUser {
  id: string;
  email?: string;
  displayName?: string;
  tags?: Readonly<Record<string, string>>;
}

/** The organization of an end user. */
export interface Organization {
  id: string;
  displayName?: string;
}

/** A connection as lists show it. */
export interface ConnectionSummary extends ConnectionRef {
  /** Stable number, unique in the account. */
  readonly id: number;
  readonly provider: string;
  /** `active` or `reauthorization_required`. */
  readonly status: string;
  /** Why it has to be authorized again. */
  readonly cause: string | undefined;
  readonly endUser: (EndUser & { readonly organization?: Organization }) | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Stored by the caller; never interpreted. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly providerAccount: { readonly subject: string; readonly email: string | undefined } | undefined;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** Whether its calls work, and why not; undefined from a gateway that does not send it. */
  readonly health?: ConnectionHealth | undefined;
  /** ISO 8601 UTC, to ten minutes. In lists only on request. */
  readonly lastUsedAt?: string | undefined;
}

/** A connection with all known facts. Times are ISO 8601 UTC. */
export interface Connection extends ConnectionSummary {
  readonly updatedAt: string;
  /** Present while it has to be authorized again. */
  readonly diagnosis: ConnectionDiagnosis | undefined;
  readonly requestedScopes: readonly string[];
  readonly grantedScopes: readonly string[];
  /** Asked for and not granted. */
  readonly missingScopes: readonly string[];
  readonly consentedAt: string | undefined;
  readonly accessTokenExpiresAt: string | undefined;
  readonly lastUsedAt: string | undefined;
  readonly lastRefreshedAt: string | undefined;
  readonly health: ConnectionHealth | undefined;
  /** Set while Google does not renew its token and has ended nothing by that. */
  readonly refreshRefusal: RefreshRefusal | undefined;
  /** Budget of its calls; undefined: unlimited. */
  readonly budget?: Budget | undefined;
  /** Set while Google refuses its calls. */
  readonly callFault: CallFault | undefined;
  /** Other connections that end together with this one's grant; undefined when it is not known. */
  readonly sharesGrantWith: number | undefined;
  readonly forecasts: ConnectionForecasts;
  /** Undefined unless the secret key may read credentials. */
  readonly credentials: Credentials | undefined;
}

/** Whether a connection works. Times are ISO 8601 UTC. */
export interface ConnectionHealth {
  /** `active`, `not_used_yet`, `failing`, `ends_soon`, `refused_by_provider`, `client_refused` or `dead`. */
  readonly status: string;
  /** Cause of the death, Google's reason of refused calls, its error about the OAuth client or the token, or why the grant ends. */
  readonly reason: string | undefined;
  /** Of a death: false where the cause is only likely. */
  readonly certain: boolean | undefined;
  readonly since: string | undefined;
  /** Of a grant that ends soon. */
  readonly endsAt: string | undefined;
}

/** Google does not renew a connection's token; the gateway keeps asking. */
export interface RefreshRefusal {
  /** Google's error code, or the kind of its answer, such as `http_403`. */
  readonly providerError: string;
  readonly whatHappened: string;
  readonly remedy: string;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/** Google refuses a connection's calls, while its grant is valid. */
export interface CallFault {
  /** Google's reason, or the status where it gives none. */
  readonly reason: string;
  readonly whatHappened: string;
  /** `end_user`, `developer` or `workspace_admin`. */
  readonly who: string;
  readonly remedy: string;
  /** Where at Google it is fixed; undefined where it is not in a console. */
  readonly consoleUrl: string | undefined;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/** Forecasts for an active grant. */
export interface ConnectionForecasts {
  /** Google ends grants of apps in testing seven days after consent. */
  readonly testingModeEndsAt: string | undefined;
  /** The user granted access for a limited time. */
  readonly accessEndsAt: string | undefined;
  /** Present near Google's limit of refresh tokens. */
  readonly refreshTokenLimit: { readonly live: number; readonly limit: number } | undefined;
}

/** Tokens of a connection. */
export interface Credentials {
  readonly accessToken: string;
  readonly expiresAt: string;
  /** Only where it was asked for. */
  readonly refreshToken: string | undefined;
}

/** Criteria of a list. */
export interface ConnectionFilter {
  connectionId?: string;
  /** Words, each part of a name, e-mail, id, organization, provider account or tag; case and accents do not matter. */
  search?: string;
  /** Order, `-` turns it round; up to 2000 connections have another than by creation. @default '-created' */
  sort?: 'created' | '-created' | 'name' | '-name' | 'last_used' | '-last_used';
  /** Members of the response in addition to the connections themselves. */
  include?: readonly ('total' | 'last_used')[];
  endUserId?: string;
  endUserOrganizationId?: string;
  /** One integration or several. */
  integrationId?: string | readonly string[];
  status?: 'active' | 'reauthorization_required';
  /** Whether their calls work, such as `failing`; looks at every connection of a status, so pages may be short. */
  health?:
    | 'active'
    | 'not_used_yet'
    | 'failing'
    | 'ends_soon'
    | 'refused_by_provider'
    | 'client_refused'
    | 'dead'
    | 'working'
    | (string & {});
  /** Why it has to be authorized again, such as `user_revoked`. */
  cause?: string;
  tags?: Readonly<Record<string, string>>;
  /** At most 2000, which is the default. */
  limit?: number;
  /** From 0; use `cursor` for long lists. */
  page?: number;
  /** `nextCursor` of the page before. */
  cursor?: string;
}

/** One page of connections. */
export interface ConnectionPage {
  readonly connections: readonly ConnectionSummary[];
  readonly nextCursor: string | undefined;
  /** Number of connections in the whole list; undefined unless requested. */
  readonly total: number | undefined;
  /** False where there are more than were counted. */
  readonly totalIsComplete: boolean;
}

/** Results of one search over the account, best match first. */
export interface Findings {
  readonly connections: readonly ConnectionSummary[];
  /** Connections that match, of which the best are in `connections`. */
  readonly total: number;
  /** False where there are more than a search finds. */
  readonly totalIsComplete: boolean;
  readonly integrations: readonly {
    readonly uniqueKey: string;
    readonly displayName: string;
    readonly provider: string;
  }[];
  /** Empty for secret keys that may not list keys. */
  readonly keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly right: string;
    readonly revokedAt: string | undefined;
  }[];
}

/** A connection to make from a refresh token that exists already; the gateway uses it once to prove it. */
export interface ConnectionImport {
  providerConfigKey: string;
  /** @default made by the gateway */
  connectionId?: string;
  refreshToken: string;
  /** ISO 8601: when the user consented; forecasts count from here. @default now */
  consentedAt?: string;
  metadata?: Readonly<Record<string, unknown>>;
  endUser?: EndUser;
  organization?: Organization;
  tags?: Readonly<Record<string, string>>;
}

/** A user of a Workspace domain, for a service account to act for. */
export interface SubjectConnection extends Omit<ConnectionImport, 'connectionId' | 'refreshToken' | 'consentedAt'> {
  /** The user's first address. */
  subject: string;
}

/** Changes of a connection; omitted members stay. */
export interface ConnectionChanges {
  endUser?: EndUser;
  /** Goes with `endUser`. */
  organization?: Organization;
  tags?: Readonly<Record<string, string>>;
  /** Budget of its calls; null removes it. */
  budget?: Budget | null;
}

/** Outcome of revoking the grant at the provider after a deletion. */
export interface Revocation {
  /** `not_requested`, `revoked`, `pending` or `skipped`. */
  readonly status: string;
  readonly reason: string | undefined;
  readonly retryAt: string | undefined;
  readonly sharesGrantWith: number | undefined;
}

/** Result of one harmless call to the provider. */
export interface ConnectionCheck {
  readonly works: boolean;
  /** `ok`, or why not. */
  readonly reason: string;
  readonly message: string;
  /** The party that can fix it. */
  readonly who: string | undefined;
  readonly remedy: string | undefined;
  /** HTTP status of the provider, where it was asked. */
  readonly upstreamStatus: number | undefined;
  /** Present when the connection has to be authorized again. */
  readonly diagnosis: ConnectionDiagnosis | undefined;
}

/** The provider's answer to a tried call. */
export interface TriedCall {
  /** HTTP status of the provider. */
  readonly status: number;
  /** Names in lower case, repeats joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  /** The body as text, cut at the gateway's limit. */
  readonly body: string;
  readonly truncated: boolean;
  /** How long the provider took, in milliseconds. */
  readonly durationMs: number;
}

/** Something that happened to a connection. */
export interface ConnectionEvent {
  readonly eventId: string;
  /** Such as `ConnectionCreated`. */
  readonly type: string;
  /** Counts up per connection. */
  readonly sequence: number;
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly endUserId: string | undefined;
  /** Why the grant died. Of other types deprecated, gone in 0.4.0: read `data`. */
  readonly cause: string | undefined;
  readonly remedy: string | undefined;
  /** The actor. */
  readonly actor: string | undefined;
  /** E-mail address of the operator or name of the key; undefined where it is not known. */
  readonly actorName: string | undefined;
  readonly requestId: string | undefined;
  /** Members of the event, as on the bus and as `data` of its webhook: see the type `<type>Event`. */
  readonly data: Readonly<Record<string, string>>;
}

/** One page of a timeline, newest first. */
export interface EventPage {
  readonly events: readonly ConnectionEvent[];
  /** `before` of the next page. */
  readonly nextBefore: string | undefined;
}
