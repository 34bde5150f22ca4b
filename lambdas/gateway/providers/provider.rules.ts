import type { AuthorizationServer } from './authorization-server.rules.ts';
import { isProviderId, PROVIDER_IDS, type ProviderId } from './provider-ids.rules.ts';

export type { ProviderEndpoints } from './authorization-server.rules.ts';
export { isProviderId, PROVIDER_IDS, type ProviderId };

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

/** A path at the provider that the proxy may reach, and the origin it belongs to. */
export interface ApiPath {
  /** Covers what is below it when it ends in a slash, otherwise exactly itself. */
  readonly prefix: string;
  /** Name of one of the provider's `otherOrigins`. @default the server's `apiBaseUrl` */
  readonly origin?: string;
  /** Methods it takes in addition to those that every path takes. @default none */
  readonly moreMethods?: readonly string[];
}

/** A provider's own server of the Model Context Protocol. */
export interface McpServerAddress {
  /** Name of its address for deployments that replace it, in lower case with underscores: `drive_mcp`. */
  readonly name: string;
  /** URL of its endpoint. */
  readonly endpoint: string;
}

/** A call to start from, for the dashboard. */
export interface SampleCall {
  readonly label: string;
  /** Path and query at the provider. */
  readonly target: string;
}

/**
 * A method of a provider's API: its id, HTTP method, pattern of its path, the units of the provider's quotas that a call of it
 * takes, and those of a call for a file's bytes (`alt=media`) where that differs.
 */
export type ApiMethod =
  | readonly [id: string, method: string, pattern: string, units: number]
  | readonly [id: string, method: string, pattern: string, units: number, mediaUnits: number];

/**
 * What a provider lets the Cloud project of an OAuth client take, in the units of `methods`. Its days begin at midnight Pacific Time.
 */
export interface ApiQuota {
  readonly perMinute: number;
  /** Of one user. */
  readonly perMinuteAndUser: number;
  /** @default unlimited */
  readonly perDay?: number;
  /** Bytes of answers. @default unlimited */
  readonly bytesOutPerDay?: number;
}

/** What methods of an API do: looking, reading what is inside, changing, sharing, deleting for good, and what stays beyond a call. */
export const METHOD_SETS = ['metadata', 'read', 'write', 'share', 'delete', 'admin'] as const;

/** What stands behind the id of a method whose answer is a file's bytes. */
export const MEDIA = '#media';

/** A method that limits of keys can name. */
export interface MethodMeaning {
  /** Id, with `MEDIA` where it is the same method answering with a file's bytes. */
  readonly id: string;
  /** The set it belongs to, such as `drive:read`. */
  readonly set: `${string}:${(typeof METHOD_SETS)[number]}`;
  /** What it does, as an operator is told. */
  readonly meaning: string;
}

/** A provider as plain data: one folder, one definition, under the folder's name as its id. */
export interface ProviderDefinition<Id extends string = string> {
  readonly id: Id;
  readonly displayName: string;
  /** Place in lists: lower first. */
  readonly place: number;
  readonly docsUrl: string;
  readonly logoUrl: string;
  readonly categories: readonly string[];
  readonly server: AuthorizationServer;
  /**
   * Page where a developer makes an OAuth client, where the API is switched on, if it has to be, and where its server for AI agents is;
   * absent where the provider has none.
   */
  readonly console: { readonly clientsUrl: string; readonly enableApiUrl?: string; readonly enableMcpUrl?: string };
  /** Origins of APIs on hosts of their own, by name in lower case with underscores. @default none */
  readonly otherOrigins?: Readonly<Record<string, string>>;
  /** The provider's own server of the Model Context Protocol for this API. @default none */
  readonly mcpServer?: McpServerAddress;
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
  /**
   * What calls take of the provider's quotas. A call of none of these takes as much as the dearest of them.
   * @default every call takes one unit
   */
  readonly methods?: readonly ApiMethod[];
  /** Absent where the provider names none. */
  readonly quota?: ApiQuota;
  /** What keys can be limited to. @default keys of this provider are not limited by method */
  readonly methodMeanings?: readonly MethodMeaning[];
  /** Calls that miss what is there for want of a parameter, as their path and query, and what a 404 to one hints at. */
  readonly missesWithout?: { readonly calls: RegExp; readonly hint: string };
  /** A cheap read any working connection can do. */
  readonly healthCheckPath: string;
  /** What a first call may be, path and query. */
  readonly firstCall: string;
  readonly sampleCalls: readonly SampleCall[];
  /** What the first integration of a laptop asks for, in any spelling. @default `defaultScopes` */
  readonly firstTryScopes?: readonly string[];
}

/** A provider of the catalogue. */
export type Provider = ProviderDefinition<ProviderId>;

/** Every provider of the catalogue, by its id. */
export type Providers = Readonly<Record<ProviderId, Provider>>;
