/** Third parties the gateway knows. */
export type ProviderId = 'google-drive' | 'google-calendar';

export const PROVIDER_IDS: readonly ProviderId[] = ['google-drive', 'google-calendar'];

export function isProviderId(value: string): value is ProviderId {
  return (PROVIDER_IDS as readonly string[]).includes(value);
}

/** How strictly the provider reviews an app that asks for a scope. */
export type ReviewClass = 'non-sensitive' | 'sensitive' | 'restricted';

/** One scope of the catalogue. */
export interface ScopeDefinition {
  readonly scope: string;
  readonly reviewClass: ReviewClass;
  /** What it lets the app do, in an end user's words. */
  readonly meaning: string;
}

/** What stands between an app and restricted scopes, and the way round them. */
export interface RestrictedScopes {
  /** The kinds of app that may have them at all, as sentences. */
  readonly permittedApps: string;
  /** Scope of the catalogue that needs no review. */
  readonly insteadScope: string;
  /** What asking for it instead means, as sentences. */
  readonly instead: string;
}

/** How users pick files for an app whose scope opens no others (Google, "Integrate the Google Picker into desktop and mobile apps"). */
export interface FilePicker {
  /** The one scope that a picker is shown for; it needs no review. */
  readonly scope: string;
  /** Path and query of the API that says whose token it is, as `user.permissionId` and `user.emailAddress`. */
  readonly aboutPath: string;
  /** Path of the API under which a file's id names it; answers `id` and `mimeType`. */
  readonly filesPath: string;
  /**
   * What a pick for a connection that exists asks for. `online`: a picked file opens to every token of the Cloud project, so
   * the connection's own stays and no refresh token is made. `offline`: it opens to the pick's own token only, which then
   * replaces the connection's.
   */
  readonly accessToWiden: 'online' | 'offline';
}

/** The origins an API has: members of `ProviderEndpoints`. */
export type ApiOrigin = 'apiOrigin' | 'driveActivityOrigin' | 'calDavOrigin';

/** A path at the provider that the proxy may reach, and the origin it belongs to. */
export interface ApiPath {
  /** Covers what is below it when it ends in a slash, otherwise exactly itself. */
  readonly prefix: string;
  readonly origin: ApiOrigin;
  /** Methods it takes besides those that every path takes. @default none */
  readonly moreMethods?: readonly string[];
}

/** A provider as plain data; its network addresses come from the deployment (`ProviderEndpoints`). */
export interface Provider {
  readonly id: ProviderId;
  readonly displayName: string;
  readonly docsUrl: string;
  readonly logoUrl: string;
  readonly categories: readonly string[];
  /**
   * Every spelling under which the provider's issuer names itself, in callbacks and ID tokens. A deployment with another
   * issuer knows that one spelling only.
   */
  readonly issuerSpellings: readonly string[];
  /** What the proxy may reach; the first that fits counts. */
  readonly apiPaths: readonly ApiPath[];
  /** Prefixes among them that take uploads: a `Location` there is rewritten to the gateway. */
  readonly uploadPathPrefixes: readonly string[];
  /** Exact paths of batch endpoints, and how many parts each takes. */
  readonly batchPaths: readonly string[];
  readonly batchMaxParts: number;
  /** What parts of a batch may reach: a batch serves one API. */
  readonly batchPartPrefixes: readonly string[];
  readonly scopes: readonly ScopeDefinition[];
  /** Asked for when an integration names none. */
  readonly defaultScopes: readonly string[];
  /** What Google permits restricted scopes for, and what to ask for instead; absent where no scope is restricted. */
  readonly restrictedScopes?: RestrictedScopes;
  /** Absent where the provider has no picker. */
  readonly picker?: FilePicker;
  /**
   * Every path of the provider's methods, `{}` for each id: what may be kept of a path. From the discovery documents' `path` of
   * each method, and the pages of what those do not cover.
   */
  readonly pathPatterns: readonly string[];
  /** A cheap read any working connection can do. */
  readonly healthCheckPath: string;
}

/** The spellings an answer may name this issuer by: the provider's own, or just this one where it is not the provider's. */
export function issuerSpellingsOf(provider: Provider, issuer: string): readonly string[] {
  return provider.issuerSpellings.includes(issuer) ? provider.issuerSpellings : [issuer];
}

/** Where a provider is reached: data of the deployment, never of a request. */
export interface ProviderEndpoints {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string;
  readonly userinfoEndpoint: string;
  readonly jwksUri: string;
  /** Origins only, no path. */
  readonly apiOrigin: string;
  readonly driveActivityOrigin: string;
  readonly calDavOrigin: string;
}
