import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { CALL_LOG_TABLE, ENVIRONMENT } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayConfig } from '../gateway-options.ts';
import { acknowledge } from './acknowledge.ts';
import type { GatewayFunction } from './function.ts';
import type { TokenKey } from './token-key.ts';

/** The key that encrypts the rows, which calls leave one, and for how long. */
export interface CallLogProps extends Pick<GatewayConfig, 'callLog' | 'callLogRetentionDays'> {
  readonly tokenKey: TokenKey;
}

/**
 * The table of proxied calls, separate from the main table: its rows enter no stream, no backup and no restore, and are deleted with
 * the stack. The proxy may add rows but read none.
 */
export class CallLog extends Construct {
  readonly #table: TableV2;
  readonly #props: CallLogProps;

  constructor(scope: Construct, id: string, props: CallLogProps) {
    super(scope, id);
    this.#props = props;
    const { byRequest, failures } = CALL_LOG_TABLE;
    this.#table = new TableV2(this, 'Table', {
      partitionKey: { name: CALL_LOG_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: CALL_LOG_TABLE.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: CALL_LOG_TABLE.timeToLive,
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(props.tokenKey.key),
      removalPolicy: RemovalPolicy.DESTROY,
      globalSecondaryIndexes: [
        {
          indexName: byRequest.name,
          partitionKey: { name: byRequest.partitionKey, type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
        {
          indexName: failures.name,
          partitionKey: { name: failures.partitionKey, type: AttributeType.STRING },
          sortKey: { name: failures.sortKey, type: AttributeType.STRING },
          projectionType: ProjectionType.ALL,
        },
      ],
    });
    acknowledge(
      this.#table,
      'AwsSolutions-DDB3',
      'Rows live for days and can be done without: a restore must not bring back the calls of deleted connections.',
    );
  }

  /** Rights of the proxy function: rows of calls, and of features. */
  grantWrite(fn: GatewayFunction): void {
    const actions = ['dynamodb:PutItem', 'dynamodb:UpdateItem'];
    fn.allow({ sid: 'WriteCallLog', actions, resources: [this.#table.tableArn] });
    this.#setSettings(fn);
  }

  /** Rights of the management function: reading. */
  grantRead(fn: GatewayFunction): void {
    this.#grantReads(fn, ['dynamodb:GetItem', 'dynamodb:Query']);
    this.#setSettings(fn);
  }

  /** Rights of the function with the routes that use grants: also recording that a connection's rows have to be deleted. */
  grantUse(fn: GatewayFunction): void {
    this.#grantReads(fn, ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query']);
    this.#setSettings(fn);
  }

  #grantReads(fn: GatewayFunction, actions: string[]): void {
    fn.allow({
      sid: 'ReadCallLog',
      actions,
      resources: [this.#table.tableArn],
    });
    fn.allow({
      sid: 'QueryCallLogIndexes',
      actions: ['dynamodb:Query'],
      resources: [CALL_LOG_TABLE.byRequest, CALL_LOG_TABLE.failures].map(
        ({ name }) => `${this.#table.tableArn}/index/${name}`,
      ),
    });
  }

  /** Rights of the refresh function, which deletes rows of deleted connections. */
  grantClearing(fn: GatewayFunction): void {
    fn.allow({
      sid: 'ClearCallLog',
      actions: ['dynamodb:DeleteItem', 'dynamodb:Query'],
      resources: [this.#table.tableArn],
    });
    fn.setEnvironment(ENVIRONMENT.callLogTableName, this.#table.tableName);
  }

  /** Rights on rows of a feature. @param families the first parts of their partition keys */
  grantRows(fn: GatewayFunction, sid: string, actions: readonly string[], families: readonly string[]): void {
    const patterns = families.map((family) => `${family}#*`);
    fn.allow({
      sid,
      actions: actions.map((name) => `dynamodb:${name}`),
      resources: [this.#table.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } },
    });
  }

  #setSettings(fn: GatewayFunction): void {
    fn.setEnvironment(ENVIRONMENT.callLogTableName, this.#table.tableName);
    fn.setEnvironment(ENVIRONMENT.callLog, this.#props.callLog);
    fn.setEnvironment(ENVIRONMENT.callLogRetentionDays, String(this.#props.callLogRetentionDays));
  }
}
