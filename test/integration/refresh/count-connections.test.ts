import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { changeItem, connectionKey, readConnection, tableClient } from '../../support/table.ts';

const CENSUS = { pk: 'ACCOUNT#default', sk: 'CENSUS' };
/** More than one index page of 1 MB, at 30 KB an entry. */
const LARGE_ROWS = 40;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

async function census(): Promise<Record<string, unknown>> {
  const { Item } = await tableClient(gateway).send(
    new GetCommand({ TableName: gateway.gateway.tableName, Key: CENSUS, ConsistentRead: true }),
  );
  return Item ?? {};
}

/** Values of the gauge so far, by status. */
function published(status: string): number[] {
  return gateway.gateway
    .logs()
    .filter(
      ({ functionName, text }) => functionName === 'refresh' && text.includes(`"status":"${status}","Connections":`),
    )
    .map(({ text }) => Number(/"Connections":(\d+)/.exec(text)?.[1]));
}

test('the tick counts connections by status, page by page, and publishes the totals', async () => {
  const seeded = gateway.gateway.connections.length;
  await gateway.gateway.tick('refresh');
  expect(await census()).toMatchObject({ counted: { active: seeded, causes: {} } });
  expect(published('active').at(-1)).toBe(seeded);

  const row = await readConnection(gateway, 'google-drive', gateway.connectionId('google-drive'));
  const metadata = { note: 'x'.repeat(30_000) };
  const { dueShard: _, refreshAt: __, ...listed } = row;
  const client = tableClient(gateway);
  const put = (i: number) => {
    const dead = i % 10 === 0 ? { status: 'reauthorization_required', cause: 'user_revoked' } : {};
    const key = connectionKey('google-drive', `many-${i}`);
    const place = { connectionId: `many-${i}`, listSortKey: `2026-01-01#${i + 1e6}` };
    const Item = { ...listed, ...key, ...dead, ...place, metadata };
    return client.send(new PutCommand({ TableName: gateway.gateway.tableName, Item }));
  };
  await Promise.all(Array.from({ length: LARGE_ROWS }, (_, i) => put(i)));
  // As if the rest between two counts were over.
  await changeItem(gateway, CENSUS, { counted: { active: seeded, causes: {}, countedAtEpochSec: 1 } });
  await gateway.gateway.tick('refresh');
  const total = LARGE_ROWS + seeded;
  expect(await census()).toMatchObject({
    counted: { active: total - LARGE_ROWS / 10, causes: { user_revoked: LARGE_ROWS / 10 } },
  });
  expect(await census()).not.toHaveProperty('position');
  expect(published('reauthorization_required').at(-1)).toBe(LARGE_ROWS / 10);
});
