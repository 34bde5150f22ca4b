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
  /** Types of its lifecycle events. */
  readonly events: readonly string[];
  /** Members that only its events have. */
  readonly eventMembers: readonly string[];
  /** Its metrics: their names in CloudWatch, by their names in code. */
  readonly metrics: Readonly<Record<string, string>>;
  /** Its environment variables, by the names of its settings. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its tables, which hold nothing of other features. */
  readonly tables: readonly FeatureTable[];
}

/** A table of a feature: its keys, and what becomes of its rows. */
export interface FeatureTable {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Attribute with the epoch seconds after which DynamoDB may delete a row. */
  readonly timeToLive: string;
  readonly indexes: readonly { readonly name: string; readonly partitionKey: string; readonly sortKey: string }[];
  /** What deletes its rows, in addition to their age. */
  readonly deletedWith: readonly ('connection' | 'key' | 'account')[];
}
