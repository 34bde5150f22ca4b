import { CfnElement, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct, type IDependable } from 'constructs';
import {
  ENVIRONMENT,
  type FeatureFunction,
  type KeyFamily,
  partitionsOf,
  TABLE,
} from '../../lambdas/gateway/core/contract.ts';
import {
  familiesOf,
  queriedForFeatures,
  readsAnyRow,
  TABLE_READS,
  TABLE_WRITES,
  type WriteRights,
} from '../../lambdas/gateway/core/table-rights.ts';
import { acknowledge } from './acknowledge.ts';
import { protection } from './deletion-protection.ts';
import type { GatewayFunction } from './function.ts';
import type { TokenKey } from './token-key.ts';

/** The longest that DynamoDB keeps. */
const RECOVERY_DAYS = 35;

type IndexName = keyof typeof TABLE.indexes;

interface TableRights {
  /** Reading actions on the base table, without the `dynamodb:` prefix. */
  readonly items: readonly string[];
  /** Indexes the function may query. @default none */
  readonly indexes?: readonly IndexName[];
  /** Families of items that the actions are limited to. @default all */
  readonly families?: readonly KeyFamily[];
  /** Indexes that it may scan: those with only keys. @default none */
  readonly scans?: readonly IndexName[];
  readonly writes: WriteRights;
}

/** Reads of items by their keys: single, in batches and as conditions of transactions. */
const READS = ['BatchGetItem', 'ConditionCheckItem', 'GetItem'] as const;

/** The key that encrypts the table, and the removal policy of both. */
export interface GatewayTableProps {
  readonly tokenKey: TokenKey;
  readonly removalPolicy: RemovalPolicy;
  /** Ids of features that are left out. */
  readonly without: readonly string[];
}

/**
 * The one table. No function may scan it; those with ticks may scan its index of due work, which contains only keys. What each may
 * write is `TABLE_WRITES` of `core/table-rights.ts`, by family of items; four read only the families of `TABLE_READS`. The rest is
 * here:
 *
 * | Function | Reads | Queries |
 * |---|---|---|
 * | proxy | get, batch get, condition check | lists (connections of an assistant's end user); byGrant: other connections of a dead grant |
 * | oauth-callback | the same | byGrant: refresh tokens one account holds |
 * | connect | get of some families | accounts: integrations, for sessions without a list |
 * | management | get, batch get, condition check | base table (timelines, lists of integrations), byAccount (lists, events to be replayed), byGrant (connections that share a grant) |
 * | grants | the same | base table (timelines, lists of integrations, rows of features), byAccount (lists), byGrant (connections that a revocation ends) |
 * | refresh | the same | base table (integrations and counters of changes, for the count of connections), due (the sweep), byGrant, byAccount (the count of connections) |
 * | those of features | get of some families, or those of proxy | some families; due (the sweep) |
 * | core | those of proxy | families of features; byGrant: refreshing a token may find a dead grant |
 * | inbox | get of some families | none |
 * | events, mcp, approvals | none: the first reads the stream, the others ask the proxy | none |
 * | roll-up | get of pages and of its own progress | the same; accounts: quotas of their integrations, and data keys, for the age of the account |
 */
export class GatewayTable extends Construct {
  readonly #table: TableV2;
  readonly #tokenKey: TokenKey;
  /** Families of features that are left out. */
  readonly #leftOut: ReadonlySet<string>;

  constructor(scope: Construct, id: string, props: GatewayTableProps) {
    super(scope, id);
    this.#tokenKey = props.tokenKey;
    this.#leftOut = familiesOf(props.without);
    const { byAccount, due, byGrant } = TABLE.indexes;
    this.#table = new TableV2(this, 'Table', {
      partitionKey: { name: TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: TABLE.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: TABLE.timeToLive,
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(props.tokenKey.key),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: RECOVERY_DAYS },
      ...protection(props.removalPolicy),
      globalSecondaryIndexes: [
        {
          indexName: byAccount.name,
          partitionKey: { name: byAccount.partitionKey, type: AttributeType.STRING },
          sortKey: { name: byAccount.sortKey, type: AttributeType.STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: [...byAccount.projected],
        },
        {
          indexName: due.name,
          partitionKey: { name: due.partitionKey, type: AttributeType.NUMBER },
          sortKey: { name: due.sortKey, type: AttributeType.NUMBER },
          projectionType: ProjectionType.KEYS_ONLY,
        },
        {
          indexName: byGrant.name,
          partitionKey: { name: byGrant.partitionKey, type: AttributeType.STRING },
          sortKey: { name: byGrant.sortKey, type: AttributeType.STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: [...byGrant.projected],
        },
      ],
    });
  }

  /** Name of the table, for its metrics. */
  get tableName(): string {
    return this.#table.tableName;
  }

  /** ARN of the table's stream. */
  get streamArn(): string {
    const arn = this.#table.tableStreamArn;
    if (arn === undefined) {
      throw new Error('The table has no stream.');
    }
    return arn;
  }

  /** Rights of the proxy function. */
  grantProxyAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: READS, indexes: ['byGrant'], writes: TABLE_WRITES.proxy });
    // Connections of an access token's end user.
    this.#grantQuery(fn, 'QueryLists', ['listed']);
  }

  /** Rights of the callback function. */
  grantCallbackAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: READS, indexes: ['byGrant'], writes: TABLE_WRITES['oauth-callback'] });
  }

  /** Rights of the connect function. */
  grantConnectAccess(fn: GatewayFunction): void {
    const { GetItem, Query } = TABLE_READS.connect;
    this.#grant(fn, { items: ['GetItem'], families: GetItem, writes: TABLE_WRITES.connect });
    this.#grantQuery(fn, 'QueryAccounts', Query);
  }

  /** Rights of the management function. */
  grantManagementAccess(fn: GatewayFunction): void {
    const items = [...READS, 'Query'];
    this.#grant(fn, { items, indexes: ['byAccount', 'byGrant'], writes: TABLE_WRITES.management });
  }

  /** Rights of the function with the routes that use grants. */
  grantGrantsAccess(fn: GatewayFunction): void {
    const items = [...READS, 'Query'];
    this.#grant(fn, { items, indexes: ['byAccount', 'byGrant'], writes: TABLE_WRITES.grants });
  }

  /** Rights of the refresh function. */
  grantRefreshAccess(fn: GatewayFunction): void {
    this.#grant(fn, {
      items: [...READS, 'Query'],
      indexes: ['due', 'byGrant', 'byAccount'],
      scans: ['due'],
      writes: TABLE_WRITES.refresh,
    });
  }

  /** Rights of a function of a feature, those that the feature declares: to its own rows, and to due work. */
  grantFeatureAccess(fn: GatewayFunction, name: FeatureFunction): void {
    const { GetItem, Query } = TABLE_READS[name];
    const reads = readsAnyRow(name) ? { items: READS } : { items: ['GetItem'], families: GetItem };
    this.#grant(fn, { ...reads, indexes: ['due'], scans: ['due'], writes: TABLE_WRITES[name] });
    this.#grantQuery(fn, 'QueryRows', Query);
  }

  /** Rights of the function that makes calls in the background. */
  grantCoreAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: READS, indexes: ['byGrant'], writes: TABLE_WRITES.core });
    this.#grantQuery(fn, 'QueryRows', queriedForFeatures('core'));
  }

  /** Rights of the inbox, which anyone may call: it reaches rows of features only (SH-4). */
  grantInboxAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: ['GetItem'], families: TABLE_READS.inbox.GetItem, writes: TABLE_WRITES.inbox });
  }

  /** Rights of the function that counts calls: it reads no connection or token, of integrations what their projects may take, and writes events of accounts. */
  grantRollUpAccess(fn: GatewayFunction): void {
    const { GetItem, Query } = TABLE_READS['roll-up'];
    this.#grant(fn, { items: ['GetItem'], families: GetItem, writes: TABLE_WRITES['roll-up'] });
    this.#grantQuery(fn, 'QueryPages', Query);
  }

  /**
   * Lets a trigger read the table's stream for a function. Every stream of this table: one that is enabled again, as after a restore,
   * has another name.
   *
   * @returns what the trigger must depend on
   */
  grantStreamRead(fn: GatewayFunction): IDependable[] {
    const streams = `${this.#table.tableArn}/stream/*`;
    const reading = fn.allow({
      sid: 'ReadTableStream',
      actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((name) => `dynamodb:${name}`),
      resources: [streams],
    });
    const table = this.#table.node.defaultChild;
    if (!CfnElement.isCfnElement(table)) throw new Error('The table is no resource.');
    acknowledge(
      fn,
      `AwsSolutions-IAM5[Resource::<${Stack.of(this).getLogicalId(table)}.Arn>/stream/*]`,
      'A stream that is enabled again has another name: each is a stream of this table.',
    );
    return [reading, this.#tokenKey.grantStreamRead(fn)];
  }

  #grant(fn: GatewayFunction, rights: TableRights): void {
    fn.allow({
      sid: 'UseTable',
      actions: rights.items.map((name) => `dynamodb:${name}`),
      resources: [this.#table.tableArn],
      ...(rights.families === undefined ? {} : { conditions: this.#leadingKeys(rights.families) }),
    });
    const { indexes = [] } = rights;
    if (indexes.length > 0) {
      fn.allow({
        sid: 'QueryIndexes',
        actions: ['dynamodb:Query'],
        resources: indexes.map((name) => `${this.#table.tableArn}/index/${TABLE.indexes[name].name}`),
      });
    }
    if (rights.scans !== undefined) {
      fn.allow({
        sid: 'ScanIndexes',
        actions: ['dynamodb:Scan'],
        resources: rights.scans.map((name) => `${this.#table.tableArn}/index/${TABLE.indexes[name].name}`),
      });
    }
    this.#grantWrites(fn, rights.writes);
    this.#tokenKey.grantTableUse(fn);
    fn.setEnvironment(ENVIRONMENT.tableName, this.#table.tableName);
  }

  /** Limits a statement to items by their partition keys ("Using IAM policy conditions for fine-grained access control"). */
  #leadingKeys(families: readonly KeyFamily[]): Record<string, Record<string, readonly string[]>> {
    const reached = families.filter((family) => !this.#leftOut.has(family));
    return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': reached.map(partitionsOf) } };
  }

  /** Queries of the base table, in some families only. */
  #grantQuery(fn: GatewayFunction, sid: string, families: readonly KeyFamily[]): void {
    const resources = [this.#table.tableArn];
    fn.allow({ sid, actions: ['dynamodb:Query'], resources, conditions: this.#leadingKeys(families) });
  }

  /** One statement for each action: in a transaction each member is judged by its own action and its own key. */
  #grantWrites(fn: GatewayFunction, writes: WriteRights): void {
    for (const action of ['DeleteItem', 'PutItem', 'UpdateItem'] as const) {
      const families = writes[action]?.filter((family) => !this.#leftOut.has(family)) ?? [];
      if (families.length === 0) continue;
      fn.allow({
        sid: action,
        actions: [`dynamodb:${action}`],
        resources: [this.#table.tableArn],
        conditions: this.#leadingKeys(families),
      });
    }
  }
}
