import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { TestGateway } from './gateway.ts';
import { ownerOf } from './simulator.ts';
import { tableClient } from './table.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

const DRIVE = 'google-drive';

/** Everyday use of a gateway: a connection, a feed with a consumer, a webhook. */
export interface EverydayUse {
  readonly connectionId: string;
  readonly feedId: string;
  readonly webhookId: string;
}

interface Batch {
  readonly sequence: number;
  readonly kind: string;
  readonly reason: string | null;
  readonly changes: readonly { readonly id: string }[];
}

/** Starts to use a gateway that runs with `rules: true`. @param path of the receiver, only for this webhook */
export async function useEveryDay(test: TestGateway, receiver: WebhookReceiver, path: string): Promise<EverydayUse> {
  const connectionId = test.connectionId(DRIVE);
  const made = await test.json('POST', '/webhooks', { url: receiver.address + path });
  const webhookId = String(made.body.data.id);
  expect(await test.json('POST', `/webhooks/${webhookId}/enable`)).toMatchObject({ status: 200 });
  const feed = await test.json('POST', '/feeds', {
    provider_config_key: DRIVE,
    connection_id: connectionId,
    resource: 'drive',
    delivery: 'pull',
  });
  expect(feed.status, JSON.stringify(feed.body)).toBe(200);
  const feedId = String(feed.body.data.id);
  return { connectionId, feedId, webhookId };
}

/** Makes a file as the owner of the account and has the feed pulled until it has the change. @returns the file's id */
export async function changeDrive(test: TestGateway, feedId: string, name: string): Promise<string> {
  const asOwner = await ownerOf(test);
  const { id } = await asOwner('POST', '/drive/v3/files', { name, mimeType: 'text/plain' });
  const near = async () => {
    await test.json('POST', `/feeds/${feedId}/pull`);
    const { last_sequence } = (await test.json('GET', `/feeds/${feedId}`)).body.data;
    const answer = await test.json('GET', `/feeds/${feedId}/changes?after=${Math.max(0, last_sequence - 1)}`);
    return JSON.stringify(answer.body);
  };
  await expect.poll(near).toContain(id);
  return id;
}

/** Batches of a feed behind a number. */
export async function batchesOf(test: TestGateway, feedId: string, after: number): Promise<readonly Batch[]> {
  const answer = await test.json('GET', `/feeds/${feedId}/changes?after=${after}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

/**
 * Expectations after a restore: a proxied call works, search finds the connection, a list shows it, the feed delivers a change, and an
 * event reaches the webhook.
 */
export async function expectEverydayUse(
  test: TestGateway,
  receiver: WebhookReceiver,
  { connectionId, feedId }: EverydayUse,
  name: string,
): Promise<void> {
  const called = await test.proxyAs(DRIVE, connectionId, '/drive/v3/files?pageSize=1');
  expect(called.status, await called.text()).toBe(200);
  const isIt = expect.objectContaining({ connection_id: connectionId });
  const found = await test.json('GET', `/search?q=${connectionId}`);
  expect(found.body.data.connections).toContainEqual(isIt);
  const listed = await test.json('GET', `/connections?integrationId=${DRIVE}`);
  expect(listed.body.connections).toContainEqual(isIt);
  const before = Number((await test.json('GET', `/feeds/${feedId}`)).body.data.last_sequence);
  const file = await changeDrive(test, feedId, name);
  expect(JSON.stringify(await batchesOf(test, feedId, before))).toContain(file);
  await expectEventAtWebhook(test, receiver, name);
}

/** Causes an event and waits until it reaches the webhook. */
export async function expectEventAtWebhook(test: TestGateway, receiver: WebhookReceiver, name: string): Promise<void> {
  const key = await test.json('POST', '/account/keys', { name, right: 'read' });
  expect(key.status, JSON.stringify(key.body)).toBe(201);
  const { data } = (await test.json('GET', '/events?type=SecretKeyCreated&limit=1')).body;
  await receiver.waitFor((one) => one.headers['webhook-id'] === data[0].event_id);
}

/** Takes rows out of a table, as an accident does. @returns how many */
export async function loseRows(
  test: TestGateway,
  isLost: (row: Record<string, unknown>) => boolean,
  tableName = test.gateway.tableName,
): Promise<number> {
  const client = tableClient(test);
  const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand({ TableName: tableName }));
  if (LastEvaluatedKey !== undefined) throw new Error('The table is larger than one page');
  const lost = Items.filter(isLost);
  const remove = ({ pk, sk }: Record<string, unknown>) =>
    client.send(new DeleteCommand({ TableName: tableName, Key: { pk, sk } }));
  await Promise.all(lost.map(remove));
  return lost.length;
}
