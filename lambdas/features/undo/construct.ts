import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { acknowledge } from '../../../lib/constructs/acknowledge.ts';
import type { FeatureProps } from '../../../lib/constructs/feature.ts';
import type { GatewayFunction } from '../../../lib/constructs/function.ts';
import type { TokenKey } from '../../../lib/constructs/token-key.ts';
import { feature } from './feature.ts';
import { BY_KEY, JOURNAL_TABLE } from './rows.rules.ts';

/** The journal, with the rights of the functions that write, undo and delete its rows. */
export function construct(gateway: Construct, { functions, tokenKey }: FeatureProps): void {
  const journal = new Journal(gateway, 'Journal', tokenKey);
  journal.grantWrite(functions.proxy);
  journal.grantUndo(functions.grants);
  for (const fn of [functions.proxy, functions.grants])
    tokenKey.grantFieldEncryption(fn, feature.keyPurposes, 'WrapJournalDataKeys');
  journal.grantClearing(functions.refresh);
}

/**
 * The table of journalled keys' changes, separate from the main table: its rows enter no stream, no backup and no restore, live for
 * seven days and are deleted with the stack. The proxy may add rows but read none.
 */
class Journal extends Construct {
  readonly #table: TableV2;

  constructor(scope: Construct, id: string, tokenKey: TokenKey) {
    super(scope, id);
    this.#table = new TableV2(this, 'Table', {
      partitionKey: { name: JOURNAL_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: JOURNAL_TABLE.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: JOURNAL_TABLE.timeToLive,
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(tokenKey.key),
      removalPolicy: RemovalPolicy.DESTROY,
      globalSecondaryIndexes: [
        {
          indexName: BY_KEY.name,
          partitionKey: { name: BY_KEY.partitionKey, type: AttributeType.STRING },
          sortKey: { name: BY_KEY.sortKey, type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
      ],
    });
    acknowledge(
      this.#table,
      'AwsSolutions-DDB3',
      'Rows live for a week: a restore must not bring back names and texts of deleted connections.',
    );
  }

  /** Rights of a function that makes writes for keys. */
  grantWrite(fn: GatewayFunction): void {
    const actions = ['dynamodb:PutItem', 'dynamodb:UpdateItem'];
    fn.allow({ sid: 'WriteJournal', actions, resources: [this.#table.tableArn] });
    this.#configure(fn);
  }

  /** Rights of the function that lists rows and undoes them. */
  grantUndo(fn: GatewayFunction): void {
    const actions = ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'];
    fn.allow({
      sid: 'UndoFromJournal',
      actions: actions.map((name) => `dynamodb:${name}`),
      resources: [this.#table.tableArn],
    });
    fn.allow({
      sid: 'QueryJournalByKey',
      actions: ['dynamodb:Query'],
      resources: [`${this.#table.tableArn}/index/${BY_KEY.name}`],
    });
    this.#configure(fn);
  }

  /** Rights of the refresh function, which deletes rows of deleted connections. */
  grantClearing(fn: GatewayFunction): void {
    const actions = ['dynamodb:DeleteItem', 'dynamodb:Query'];
    fn.allow({ sid: 'ClearJournal', actions, resources: [this.#table.tableArn] });
    this.#configure(fn);
  }

  #configure(fn: GatewayFunction): void {
    fn.setEnvironment(feature.environment.journalTableName, this.#table.tableName);
  }
}
