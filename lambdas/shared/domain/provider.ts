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

/** A provider as plain data; its network addresses come from the deployment (`ProviderEndpoints`). */
export interface Provider {
  readonly id: ProviderId;
  readonly displayName: string;
  readonly docsUrl: string;
  readonly logoUrl: string;
  readonly categories: readonly string[];
  /** Raw path prefixes the proxy may reach. */
  readonly apiPathPrefixes: readonly string[];
  /** Prefixes among them that take uploads: a `Location` there is rewritten to the gateway. */
  readonly uploadPathPrefixes: readonly string[];
  /** Exact paths of batch endpoints, and how many parts each takes. */
  readonly batchPaths: readonly string[];
  readonly batchMaxParts: number;
  readonly scopes: readonly ScopeDefinition[];
  /** Asked for when an integration names none. */
  readonly defaultScopes: readonly string[];
  /** A cheap read any working connection can do. */
  readonly healthCheckPath: string;
}

/** Where a provider is reached: data of the deployment, never of a request. */
export interface ProviderEndpoints {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string;
  readonly userinfoEndpoint: string;
  readonly jwksUri: string;
  /** Origin only, no path. */
  readonly apiOrigin: string;
}
