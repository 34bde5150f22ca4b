/** A feature, as one value of plain data from which the core's registries take their rows. What it has none of is absent. */
export interface Feature {
  /** Name of its folder. */
  readonly id: string;
  /** A short title of what it does. */
  readonly title: string;
  /** Ids of the features that it imports; a deployment that leaves one of them out leaves it out, too. */
  readonly needs?: readonly string[];
  /** Functions of its own: each is made from `<name>/handler.ts` of its folder. */
  readonly functions?: readonly string[];
  /** Those of them that ask the proxy by its inner door, and reach nothing else of the gateway. */
  readonly doorAliases?: readonly string[];
  /** Those of them that ask the function `core` by its inner door, which makes calls in the background. A gateway has that function for them only. */
  readonly coreAliases?: readonly string[];
  /** Those of them that read any row of the main table by its key, such as connections. */
  readonly readsAnyRow?: readonly string[];
  /** Their memory in MB. */
  readonly memoryMb?: Readonly<Record<string, number>>;
  /** Those of them that sweep every minute, each with the feature's id: the sweeps of all functions watch each other. */
  readonly sweeps?: Readonly<Record<string, string>>;
  /** First path segments of its routes in the management API. */
  readonly paths?: readonly string[];
  /** Paths below `/inbox/` that anyone may post its messages to. A gateway has the function `inbox` for them only. */
  readonly messagePaths?: readonly string[];
  /** Paths of those routes that use grants, as resources of API Gateway. */
  readonly grantPaths?: readonly string[];
  /** Where a browser continues that returns to the callback from a sign-in of the feature's, by the prefix of its state. */
  readonly callbackStates?: Readonly<Record<string, string>>;
  /** Its error codes, with their HTTP status. */
  readonly errors?: Readonly<Record<string, number>>;
  /** When each comes: a sentence. */
  readonly errorWords?: Readonly<Record<string, string>>;
  /** Those that a proxied call can get. */
  readonly callErrors?: readonly string[];
  /** Types of its lifecycle events. */
  readonly events?: readonly string[];
  /** Members that only its events have. */
  readonly eventMembers?: readonly string[];
  /** Members that say what an event is about, by the attributes of its item. One that ends in `_id` is found in the audit trail. */
  readonly eventAttributes?: Readonly<Record<string, string>>;
  /** Members that `cause` repeated until 0.4.0, by type. */
  readonly formerCauses?: Readonly<Record<string, string>>;
  /** Its metrics: their names in CloudWatch, by their names in code. */
  readonly metrics?: Readonly<Record<string, string>>;
  /** Its metrics that alarms watch, with the entry of the runbook. */
  readonly alarms?: readonly FeatureAlarm[];
  /** Entries of the runbook that only it has, and their meanings. */
  readonly alarmMeanings?: Readonly<Record<string, string>>;
  /** Graphs of its metrics in the dashboard of operations, a row of three: `by` dimensions, or the largest value. */
  readonly graphs?: readonly { readonly title: string; readonly metric: string; readonly by?: readonly string[] }[];
  /** Kinds of problems in the overview that it adds. */
  readonly attention?: readonly string[];
  /** Lazily loaded modules: their names, and the functions next to whose bundles they are. */
  readonly lazy?: Readonly<Record<string, readonly string[]>>;
  /** Its environment variables, by the names of its settings. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Names, in metrics and answers, of limits on how often single things of it are used. */
  readonly rateLimits?: readonly string[];
  /** Limits of keys that it acts on. */
  readonly keyLimits?: Readonly<Record<string, FeatureKeyLimit>>;
  /** Limits of keys that the core judges, and whose calls only the feature lets pass: without it, no new key gets them. */
  readonly servedLimits?: readonly string[];
  /** Purposes of its data keys, which no other feature uses. */
  readonly keyPurposes?: readonly string[];
  /** Purposes of data keys that the stack grants with those of the core, by function. */
  readonly dataKeys?: Readonly<Record<string, readonly string[]>>;
  /** Its encrypted fields, as rows of `core/sealed-fields.ts`. */
  readonly sealedFields?: Readonly<
    Record<string, { readonly purpose: string; readonly keptElsewhereSec?: number; readonly inPieces?: true }>
  >;
  /** Those of them that are positions in lists of the management API. */
  readonly cursors?: readonly string[];
  /** Groups of its routes in the API's document: a sentence each. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Claims about its security: a sentence for each id. */
  readonly statements?: readonly { readonly title: string; readonly statements: Readonly<Record<string, string>> }[];
  /** Families of its rows in the main table: the first part of their partition keys. The rows stay when a deployment leaves the feature out. */
  readonly families?: Readonly<Record<string, string>>;
  /** Actions on its families, by function. */
  readonly rights?: Readonly<Record<string, FeatureRights>>;
  /** First partitions of its kinds of due work, one for each of 64 shards. */
  readonly duePartitions?: Readonly<Record<string, number>>;
  /** Its tables, which contain nothing of other features. */
  readonly tables?: readonly FeatureTable[];
}

/** Families of rows by the action that a function may do to them. Functions that read any row need no `GetItem`. */
export type FeatureRights = Readonly<
  Partial<Record<'DeleteItem' | 'GetItem' | 'PutItem' | 'Query' | 'UpdateItem', readonly string[]>>
>;

/** What a count of a metric means for the alarms, as `AlarmSignal` of the contract. */
export interface FeatureAlarm {
  readonly metric: string;
  readonly entry: string;
  readonly signal: string;
  readonly above?: number;
  readonly enough?: number;
  readonly where?: Readonly<Record<string, readonly string[]>>;
}

/** A limit of keys: the feature acts on calls of keys that have it. */
export interface FeatureKeyLimit {
  /** Possible values in a key's record; absent is off. */
  readonly values: readonly (true | string)[];
  /** Default for keys that are bound to one end user. */
  readonly ofBoundKeys: true | string;
  /** The same in the API's document: the default, and how to switch it off. */
  readonly ofBoundKeysWords: string;
}

/** A table of a feature. Rows of deleted connections are deleted by the feature's `clearing.ts`. */
export interface FeatureTable {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Attribute with the epoch seconds after which DynamoDB may delete a row. */
  readonly timeToLive: string;
  readonly indexes: readonly { readonly name: string; readonly partitionKey: string; readonly sortKey: string }[];
}

/** A feature with a value for every member. */
export type WholeFeature = Required<Feature>;

/** Fills in what a feature has none of. */
export function whole(feature: Feature): WholeFeature {
  return {
    ...{
      needs: [],
      functions: [],
      doorAliases: [],
      coreAliases: [],
      readsAnyRow: [],
      memoryMb: {},
      sweeps: {},
      paths: [],
      messagePaths: [],
      grantPaths: [],
      callbackStates: {},
      callErrors: [],
      events: [],
      eventMembers: [],
      cursors: [],
      servedLimits: [],
      statements: [],
      tables: [],
    },
    ...{
      errors: {},
      errorWords: {},
      metrics: {},
      lazy: {},
      environment: {},
      keyLimits: {},
      sealedFields: {},
      tags: {},
    },
    ...{
      alarms: [],
      alarmMeanings: {},
      graphs: [],
      rateLimits: [],
      formerCauses: {},
      eventAttributes: {},
      dataKeys: {},
    },
    ...{ attention: [], keyPurposes: [], families: {}, rights: {}, duePartitions: {} },
    ...feature,
  };
}
