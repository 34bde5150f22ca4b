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
  /** What it permits, in words for end users. */
  readonly meaning: string;
}

/** Requirements of restricted scopes, and the alternative. */
export interface RestrictedScopes {
  /** Kinds of app that Google permits them, as sentences. */
  readonly permittedApps: string;
  /** Scope of the catalogue that needs no review. */
  readonly insteadScope: string;
  /** Consequences of requesting it instead, as sentences. */
  readonly instead: string;
}

/** How users pick files for an app whose scope opens no others (Google, "Integrate the Google Picker into desktop and mobile apps"). */
export interface FilePicker {
  /** The one scope that a picker is shown for; it needs no review. */
  readonly scope: string;
  /** Path and query of the API that returns a token's account, as `user.permissionId` and `user.emailAddress`. */
  readonly aboutPath: string;
  /** Path of the API before a file's id; returns `id` and `mimeType`. */
  readonly filesPath: string;
  /**
   * Access requested by a pick for an existing connection. `online`: a picked file opens to every token of the Cloud project, so the
   * connection keeps its own and no refresh token is created. `offline`: it opens only to the pick's own token, which then replaces the
   * connection's.
   */
  readonly accessToWiden: 'online' | 'offline';
}

/** A path at the provider that the proxy may reach, and the origin it belongs to. */
export interface ApiPath {
  /** Includes everything below it when it ends in a slash, otherwise only itself. */
  readonly prefix: string;
  /** Name of one of the provider's `otherOrigins`. @default the server's `apiBaseUrl` */
  readonly origin?: string;
  /** Further HTTP methods that it supports. @default none */
  readonly moreMethods?: readonly string[];
}

/** A provider's own server of the Model Context Protocol. */
export interface ToolServerAddress {
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
 * A method of a provider's API: its id, HTTP method, path pattern, the units of a call, and those of a call for a file's bytes
 * (`alt=media`) where they differ.
 */
export type ApiMethod =
  | readonly [id: string, method: string, pattern: string, units: number]
  | readonly [id: string, method: string, pattern: string, units: number, mediaUnits: number];

/**
 * The provider's quota for the Cloud project of an OAuth client, in the units of `methods`. Its days begin at midnight Pacific Time.
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

/** Sets of an API's methods: reading metadata, reading contents, changing, sharing, deleting permanently, and effects that outlive a call. */
export const METHOD_SETS = ['metadata', 'read', 'write', 'share', 'delete', 'admin'] as const;

/** Suffix of a method's id where its answer is a file's bytes. */
export const MEDIA = '#media';

/** A method that limits of keys can name. */
export interface MethodMeaning {
  /** Id, with `MEDIA` for the same method answering with a file's bytes. */
  readonly id: string;
  /** The set it belongs to, such as `drive:read`. */
  readonly set: `${string}:${(typeof METHOD_SETS)[number]}`;
  /** Its effect, in words for operators. */
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
   * Pages where a developer creates an OAuth client, where the API is enabled, if necessary, and where its server for AI agents is; absent
   * where the provider has none.
   */
  readonly console: {
    readonly clientsUrl: string;
    readonly enableApiUrl?: string;
    readonly enableToolServerUrl?: string;
  };
  /** Origins of APIs on hosts of their own, by name in lower case with underscores. @default none */
  readonly otherOrigins?: Readonly<Record<string, string>>;
  /** The provider's own server of the Model Context Protocol for this API. @default none */
  readonly toolServer?: ToolServerAddress;
  /** Paths that the proxy may reach; the first match counts. */
  readonly apiPaths: readonly ApiPath[];
  /** Prefixes among them for uploads, whose `Location` is rewritten to the gateway. */
  readonly uploadPathPrefixes: readonly string[];
  /** Exact paths of batch endpoints, and their maximum of parts. */
  readonly batchPaths: readonly string[];
  readonly batchMaxParts: number;
  /** Paths that parts of a batch may reach: a batch serves one API. */
  readonly batchPartPrefixes: readonly string[];
  readonly scopes: readonly ScopeDefinition[];
  /** Asked for when an integration names none. */
  readonly defaultScopes: readonly string[];
  /** Apps that Google permits restricted scopes, and the alternative; absent where no scope is restricted. */
  readonly restrictedScopes?: RestrictedScopes;
  /** Absent where the provider has no picker. */
  readonly picker?: FilePicker;
  /**
   * Every path of the provider's methods, `{}` for each id, in which paths are stored. From the discovery documents' `path` of each
   * method, and the pages about those that are missing there.
   */
  readonly pathPatterns: readonly string[];
  /**
   * Units of each method's calls. A call of an unknown method counts as the most expensive one.
   * @default every call takes one unit
   */
  readonly methods?: readonly ApiMethod[];
  /** Absent where the provider names none. */
  readonly quota?: ApiQuota;
  /** Methods that limits of keys can name. @default keys of this provider are not limited by method */
  readonly methodMeanings?: readonly MethodMeaning[];
  /** Calls that miss existing things without a parameter, as their path and query, and the hint for a 404. */
  readonly missesWithout?: { readonly calls: RegExp; readonly hint: string };
  /** A cheap read that works for any connection. */
  readonly healthCheckPath: string;
  /** Suggested first call, path and query. */
  readonly firstCall: string;
  readonly sampleCalls: readonly SampleCall[];
  /** Scopes of the first integration on a laptop, in any spelling. @default `defaultScopes` */
  readonly firstTryScopes?: readonly string[];
}

/** A provider of the catalogue. */
export type Provider = ProviderDefinition<ProviderId>;

/** Every provider of the catalogue, by its id. */
export type Providers = Readonly<Record<ProviderId, Provider>>;
