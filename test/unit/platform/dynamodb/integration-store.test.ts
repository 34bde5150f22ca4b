import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, expect, test } from 'vitest';
import { integrationStore } from '../../../../lambdas/gateway/integrations/integration.store.ts';
import { integrationToItem } from '../../../../lambdas/gateway/integrations/integration-item.store.ts';
import { openTable } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import { INTEGRATION } from '../../authorization/support.ts';

const client = mockClient(DynamoDBDocumentClient);
afterAll(() => client.restore());
const items = Array.from({ length: 250 }, (_, i) =>
  integrationToItem({ ...INTEGRATION, integrationId: `drive-${String(i).padStart(3, '0')}` }),
);

/** Answers as DynamoDB does: a page ends at the limit or, here, after 60 items. */
function answerPages(): void {
  client.reset();
  client.on(QueryCommand).callsFake(({ Limit = 60, ExclusiveStartKey }) => {
    const start = ExclusiveStartKey?.at ?? 0;
    const end = start + Math.min(Limit, 60);
    return { Items: items.slice(start, end), ...(end < items.length ? { LastEvaluatedKey: { at: end } } : {}) };
  });
}

test.each([
  [100, 100, 2],
  [1, 1, 1],
  [undefined, 250, 5],
])('CS-19: a list of at most %s integrations reads %i of 250, in %i calls', async (most, read, calls) => {
  answerPages();
  const listed = await integrationStore(openTable('table')).list('default', most);
  expect(listed).toHaveLength(read);
  expect(client.calls()).toHaveLength(calls);
});
