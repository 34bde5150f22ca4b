import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { openTable } from '../../lambdas/gateway/platform/dynamodb/client.ts';
import { printJson, printLine } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { useLocalTable } from './local-table.ts';

/**
 * Copies every row of the local gateway's table into a new one, which is what point-in-time recovery makes on AWS.
 *
 * @throws CommandProblem where there is no local gateway, or a table of this name already
 */
export async function copyLocalTable(
  name: string,
  options: { readonly data: string; readonly json?: boolean },
): Promise<void> {
  const { tableName } = useLocalTable(options.data, 'use point-in-time recovery (docs/operations.md)');
  const from = openTable(tableName);
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
    if (!(error instanceof Error) || error.name !== 'ResourceInUseException') throw error;
    throw new CommandProblem(`The table ${name} already exists. Choose another name.`, EXIT.refused);
  }
  let rows = 0;
  let position: Record<string, unknown> | undefined;
  do {
    const page = { TableName: tableName, ConsistentRead: true, ...(position && { ExclusiveStartKey: position }) };
    const { Items = [], LastEvaluatedKey } = await from.client.send(new ScanCommand(page));
    await Promise.all(Items.map((Item) => from.client.send(new PutCommand({ TableName: name, Item }))));
    rows += Items.length;
    position = LastEvaluatedKey;
  } while (position !== undefined);
  if (options.json === true) printJson({ table: name, rows });
  else printLine(`Copied ${rows} rows of ${tableName} into ${name}. To restore from it later: restore --from ${name}`);
}
