/** What a feature is: one value of plain data, which the core's registries take their rows from. */
export interface Feature {
  /** Name of its folder. */
  readonly id: string;
  /** What it does: a few words. */
  readonly title: string;
  /** Ids of the features that it imports. */
  readonly needs: readonly string[];
  /** First segments of the paths of its routes in the management API. */
  readonly paths: readonly string[];
  /** Its error codes, with their HTTP status. */
  readonly errors: Readonly<Record<string, number>>;
  /** When each comes: a sentence. */
  readonly errorWords: Readonly<Record<string, string>>;
  /** Those that a proxied call can get. */
  readonly callErrors: readonly string[];
  /** Types of its lifecycle events. */
  readonly events: readonly string[];
  /** Members that only its events have. */
  readonly eventMembers: readonly string[];
  /** Its metrics: their names in CloudWatch, by their names in code. */
  readonly metrics: Readonly<Record<string, string>>;
  /** Modules that functions load when they first need them: their names, and whose bundles they lie next to. */
  readonly lazy: Readonly<Record<string, readonly string[]>>;
  /** Its environment variables, by the names of its settings. */
  readonly environment: Readonly<Record<string, string>>;
  /** Limits of keys that it acts on. */
  readonly keyLimits: Readonly<Record<string, FeatureKeyLimit>>;
  /** What it seals, and for how many seconds that is kept outside the main table. */
  readonly sealedFields: Readonly<Record<string, { readonly keptElsewhereSec: number }>>;
  /** Those of them that are positions in lists of the management API. */
  readonly cursors: readonly string[];
  /** Groups of its routes in the API's document: a sentence each. */
  readonly tags: Readonly<Record<string, string>>;
  /** What is claimed about its security: a sentence for each id. */
  readonly statements: readonly { readonly title: string; readonly statements: Readonly<Record<string, string>> }[];
  /** Its tables, which hold nothing of other features. */
  readonly tables: readonly FeatureTable[];
}

/** A limit of keys: a feature acts on calls of keys that have it. */
export interface FeatureKeyLimit {
  /** What a key's record may hold; absent is off. */
  readonly values: readonly (true | string)[];
  /** What keys of agents have where nothing is said. */
  readonly ofAgents: true | string;
  /** The same in the API's document: what an agent's key has, and what switches it off. */
  readonly ofAgentsWords: string;
}

/** A table of a feature. Rows of deleted connections are deleted by the feature's `clearing.ts`. */
export interface FeatureTable {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Attribute with the epoch seconds after which DynamoDB may delete a row. */
  readonly timeToLive: string;
  readonly indexes: readonly { readonly name: string; readonly partitionKey: string; readonly sortKey: string }[];
}
