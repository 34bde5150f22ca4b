import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { RATE_WINDOW_SEC } from '../../../lambdas/gateway/core/limits.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { tableClient } from '../../support/table.ts';

/** As if the first account had had so many uses of this minute, and of the next, which may begin any moment. */
export async function setRate(gateway: TestGateway, use: string, useCount: number): Promise<void> {
  const window = Math.floor(Date.now() / 1000 / RATE_WINDOW_SEC);
  for (const at of [window, window + 1]) {
    await tableClient(gateway).send(
      new UpdateCommand({
        TableName: gateway.gateway.tableName,
        Key: { pk: 'ACCOUNT#default', sk: `RATE#${use}#${at}` },
        UpdateExpression: 'SET useCount = :count',
        ExpressionAttributeValues: { ':count': useCount },
      }),
    );
  }
}
