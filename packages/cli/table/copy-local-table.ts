import { CreateTableCommand, DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type Item, openTable, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import { Progress } from '../bulk/progress.ts';
import { printJson, printLine } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { inBatches } from './batches.ts';
import { explainAwsError } from './explain-aws-error.ts';
import { useLocalTable } from './local-table.ts';
import { scanTable } from './scan.ts';

const AT_A_TIME = 4;
/**
 * Copies every row of the local gateway's table into a new one, which is what point-in-time recovery makes on AWS. A copy
 * that fails on its way is removed.
 *
 * @throws CommandProblem where there is no local gateway, or a table of this name already
 */
export async function copyLocalTable(
  name: string,
  options: { readonly data: string; readonly json?: boolean },
): Promise<void> {
  const { tableName } = useLocalTable(options.data, 'use point-in-time recovery (docs/operations.md)');
  const from = openTable(tableName, undefined, OPERATOR_LIMITS);
  try {
    await from.client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'S' },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceInUseException') throw explainAwsError(error);
    throw new CommandProblem(`The table ${name} already exists. Choose another name.`, EXIT.refused);
  }
  let rows = 0;
  const progress = new Progress('copying');
  try {
    await inParallel(inBatches(scanTable(from)), AT_A_TIME, async (batch) => {
      await putAll(from, name, batch);
      rows += batch.length;
      progress.update({ rows });
    });
  } catch (error) {
    await from.client.send(new DeleteTableCommand({ TableName: name })).catch(() => {});
    throw explainAwsError(error);
  }
  if (options.json === true) printJson({ table: name, rows });
  else printLine(`Copied ${rows} rows of ${tableName} into ${name}. To restore from it later: restore --from ${name}`);
}

/** The local database writes a transaction three times as fast as the same rows one by one or by `BatchWriteItem`. */
async function putAll({ client }: Table, name: string, rows: readonly Item[]): Promise<void> {
  const puts = rows.map((Item) => ({ Put: { TableName: name, Item } }));
  await client.send(new TransactWriteCommand({ TransactItems: puts }));
}
