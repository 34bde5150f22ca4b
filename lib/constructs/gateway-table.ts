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
  INTERNET_WRITES,
  type KeyFamily,
  partitionsOf,
  TABLE,
  type WriteAction,
} from '../../lambdas/gateway/core/contract.ts';
import { acknowledge } from './acknowledge.ts';
import { protection } from './deletion-protection.ts';
import type { GatewayFunction } from './function.ts';
import type { TokenKey } from './token-key.ts';

/** The longest that DynamoDB keeps. */
const RECOVERY_DAYS = 35;

type IndexName = keyof typeof TABLE.indexes;

interface TableRights {
  /** Actions on the base table, without the `dynamodb:` prefix. */
  readonly items: readonly string[];
  /** Indexes the function may query. */
  readonly indexes: readonly IndexName[];
  /** Families of items that the actions are limited to. @default all */
  readonly families?: readonly KeyFamily[];
  /** Indexes it may read as a whole: those that hold nothing but keys. @default none */
  readonly scans?: readonly IndexName[];
}

/** Limits a statement to items by their partition keys ("Using IAM policy conditions for fine-grained access control"). */
function leadingKeys(families: readonly KeyFamily[]): Record<string, Record<string, readonly string[]>> {
  return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': families.map(partitionsOf) } };
}

/** The key that encrypts the table, and what becomes of both. */
export interface GatewayTableProps {
  readonly tokenKey: TokenKey;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The one table. Nobody may scan it, only the functions with ticks its index of due work, which holds keys; and each function has exactly these rights (transactions need item actions only). What the
 * first four and the inbox may write, by family of items, is `INTERNET_WRITES` of the contract:
 *
 * | Function | Items | Queries |
 * |---|---|---|
 * | proxy | get, batch get, condition check; put and update of some families | byGrant: who else a dead grant takes down |
 * | mcp | the same: what assistants do are proxied calls; put of connect sessions, by which a grant is given again | base table, lists alone (connections of an end user); byGrant |
 * | approvals | as the proxy: it sends calls as the proxy does | byGrant, as the proxy |
 * | oauth-callback | the same: a pending authorization is spent, not removed | byGrant: refresh tokens one account holds |
 * | connect | get; put, update and delete of some families: an end user may end a session | base table, accounts alone: the integrations a session without a list may choose among |
 * | management | all but scan: connections, integrations and keys come and go | base table (timelines, lists of integrations), byAccount (lists, events to be replayed), byGrant (whom a revocation takes down) |
 * | refresh | the same: unfinished writes and revocations end here | base table (integrations and counters of changes, for the count of connections), due (the sweep), byGrant, byAccount (the count of connections) |
 * | deliver | get, put, update: nothing is deleted | base table (an account’s webhooks), due (the sweep) |
 * | feeds | the same as refresh | base table, feeds alone (cursors, batches, those of a connection), due (the sweep), byGrant: refreshing a token may find a dead grant |
 * | inbox | get of channels and of projects that have security events; put of statements, update of evidence, marks and those projects: no feed, no connection | none |
 * | events | none: it reads the stream | none |
 * | roll-up | get and put of pages and of its own progress; query of integrations, for their quotas, and of data keys, for the age of the account; put of events about quotas and of how full the day is; update of the notes of ticks | base table, pages and progress alone |
 */
export class GatewayTable extends Construct {
  readonly #table: TableV2;
  readonly #tokenKey: TokenKey;

  constructor(scope: Construct, id: string, props: GatewayTableProps) {
    super(scope, id);
    this.#tokenKey = props.tokenKey;
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
    this.#grant(fn, { items: ['BatchGetItem', 'ConditionCheckItem', 'GetItem'], indexes: ['byGrant'] });
    this.#grantWrites(fn, INTERNET_WRITES.proxy);
  }

  /** Rights of the function that serves assistants: those of the proxy, whose calls its tools are. */
  grantMcpAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: ['BatchGetItem', 'ConditionCheckItem', 'GetItem'], indexes: ['byGrant'] });
    // Connections of the end user that an access token names.
    this.#grantQuery(fn, 'QueryLists', ['listed']);
    this.#grantWrites(fn, INTERNET_WRITES.mcp);
  }

  /** Rights of the function that shows and runs approvals: it sends calls as the proxy does. */
  grantApprovalsAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: ['BatchGetItem', 'ConditionCheckItem', 'GetItem'], indexes: ['byGrant'] });
    this.#grantWrites(fn, INTERNET_WRITES.approvals);
  }

  /** Rights of the callback function. */
  grantCallbackAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: ['BatchGetItem', 'ConditionCheckItem', 'GetItem'], indexes: ['byGrant'] });
    this.#grantWrites(fn, INTERNET_WRITES['oauth-callback']);
  }

  /** Rights of the connect function. */
  grantConnectAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: ['GetItem'], indexes: [] });
    this.#grantQuery(fn, 'QueryAccounts', ['account']);
    this.#grantWrites(fn, INTERNET_WRITES.connect);
  }

  /** Rights of the management function. */
  grantManagementAccess(fn: GatewayFunction): void {
    this.#grant(fn, {
      items: ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      indexes: ['byAccount', 'byGrant'],
    });
  }

  /** Rights of the refresh function. */
  grantRefreshAccess(fn: GatewayFunction): void {
    this.#grant(fn, {
      items: ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      indexes: ['due', 'byGrant', 'byAccount'],
      scans: ['due'],
    });
  }

  /** Rights of the deliver function. */
  grantDeliverAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: ['GetItem', 'PutItem', 'Query', 'UpdateItem'], indexes: ['due'], scans: ['due'] });
  }

  /** Rights of the function that works on feeds. */
  grantFeedsAccess(fn: GatewayFunction): void {
    this.#grant(fn, {
      items: ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
      indexes: ['due', 'byGrant'],
      scans: ['due'],
    });
    // Cursors of consumers, how old the next batch of one is, and which feeds a connection has.
    this.#grantQuery(fn, 'QueryFeeds', ['feed', 'feedOf']);
  }

  /** Rights of the inbox, which anybody may call: it looks channels and projects up, marks feeds and keeps what Google signed (SH-4). */
  grantInboxAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: ['GetItem'], indexes: [], families: ['channel', 'securityProject'] });
    this.#grantWrites(fn, INTERNET_WRITES.inbox);
  }

  /** Rights of the function that counts calls: it reads no connection or token, of integrations what their projects may take, and writes events of accounts. */
  grantRollUpAccess(fn: GatewayFunction): void {
    this.#grant(fn, { items: ['GetItem', 'PutItem', 'Query'], indexes: [], families: ['book', 'page'] });
    this.#grantWrites(fn, { PutItem: ['account'], UpdateItem: ['ticks'] });
    fn.allow({
      sid: 'ReadQuotas',
      actions: ['dynamodb:Query'],
      resources: [this.#table.tableArn],
      conditions: leadingKeys(['account']),
    });
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
      ...(rights.families === undefined ? {} : { conditions: leadingKeys(rights.families) }),
    });
    if (rights.indexes.length > 0) {
      fn.allow({
        sid: 'QueryIndexes',
        actions: ['dynamodb:Query'],
        resources: rights.indexes.map((name) => `${this.#table.tableArn}/index/${TABLE.indexes[name].name}`),
      });
    }
    if (rights.scans !== undefined) {
      fn.allow({
        sid: 'ScanIndexes',
        actions: ['dynamodb:Scan'],
        resources: rights.scans.map((name) => `${this.#table.tableArn}/index/${TABLE.indexes[name].name}`),
      });
    }
    this.#tokenKey.grantTableUse(fn);
    fn.setEnvironment(ENVIRONMENT.tableName, this.#table.tableName);
  }

  /** Queries of the base table, in some families alone. */
  #grantQuery(fn: GatewayFunction, sid: string, families: readonly KeyFamily[]): void {
    const resources = [this.#table.tableArn];
    fn.allow({ sid, actions: ['dynamodb:Query'], resources, conditions: leadingKeys(families) });
  }

  /** One statement for each action: in a transaction each member is judged by its own action and its own key. */
  #grantWrites(fn: GatewayFunction, writes: Partial<Record<WriteAction, readonly KeyFamily[]>>): void {
    for (const action of ['DeleteItem', 'PutItem', 'UpdateItem'] as const) {
      const families = writes[action];
      if (families === undefined) continue;
      fn.allow({
        sid: action,
        actions: [`dynamodb:${action}`],
        resources: [this.#table.tableArn],
        conditions: leadingKeys(families),
      });
    }
  }
}
