import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { ENVIRONMENT, JOURNAL_TABLE } from '../../lambdas/gateway/core/contract.ts';
import { acknowledge } from './acknowledge.ts';
import type { GatewayFunction } from './function.ts';
import type { TokenKey } from './token-key.ts';

/** The key that encrypts the rows. */
export interface JournalProps {
  readonly tokenKey: TokenKey;
}

/**
 * The table of what writes of journalled keys changed, apart from the one that matters: its rows enter no stream, no backup and no
 * restore, live for seven days and go with the stack. Who makes writes may add rows and read none.
 */
export class Journal extends Construct {
  readonly #table: TableV2;

  constructor(scope: Construct, id: string, { tokenKey }: JournalProps) {
    super(scope, id);
    const { byKey } = JOURNAL_TABLE;
    this.#table = new TableV2(this, 'Table', {
      partitionKey: { name: JOURNAL_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: JOURNAL_TABLE.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: JOURNAL_TABLE.timeToLive,
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(tokenKey.key),
      removalPolicy: RemovalPolicy.DESTROY,
      globalSecondaryIndexes: [
        {
          indexName: byKey.name,
          partitionKey: { name: byKey.partitionKey, type: AttributeType.STRING },
          sortKey: { name: byKey.sortKey, type: AttributeType.STRING },
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
    this.#tell(fn);
  }

  /** Rights of the management function, which lists rows and undoes them. */
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
      resources: [`${this.#table.tableArn}/index/${JOURNAL_TABLE.byKey.name}`],
    });
    this.#tell(fn);
  }

  /** Rights of the refresh function, which clears what deleted connections leave. */
  grantClearing(fn: GatewayFunction): void {
    const actions = ['dynamodb:DeleteItem', 'dynamodb:Query'];
    fn.allow({ sid: 'ClearJournal', actions, resources: [this.#table.tableArn] });
    this.#tell(fn);
  }

  #tell(fn: GatewayFunction): void {
    fn.setEnvironment(ENVIRONMENT.journalTableName, this.#table.tableName);
  }
}
