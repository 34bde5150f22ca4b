// @module-tag long
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { runGateway } from '../../support/command-line.ts';
import { connectAccount } from '../../support/connect.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const WALK = { pk: 'ACCOUNT#default', sk: 'AUDIT' };
const DRIVE = 'google-drive';
const gateway = useTestGateway();

/** Attributes that version 0.1.0 did not write. */
const LATER = ['accountListKey', 'listSortKey', 'health', 'feedId', 'feedResource', 'batchKind', 'changes'];

interface Listed {
  readonly data: readonly { readonly event_id: string; readonly type: string; readonly connection_id: string | null }[];
  readonly complete_since: string | null;
}
const list = async (): Promise<Listed> => (await gateway.json('GET', '/events?limit=200')).body;
const tick = () => gateway.gateway.tick('refresh', { slice: { index: 0, count: 64 } });

/** Leaves the table as 0.1.0 would have left it: events alongside what they are about, none in a list, no walk. @returns ids of the events */
async function asBefore(): Promise<string[]> {
  const client = tableClient(gateway);
  const { tableName: TableName } = gateway.gateway;
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  await client.send(new DeleteCommand({ TableName, Key: WALK }));
  const events = Items.filter(({ type }) => type === 'event');
  await Promise.all(
    events.map(async (event) => {
      const Item = Object.fromEntries(Object.entries(event).filter(([name]) => !LATER.includes(name)));
      const pk = String(event.pk)
        .replace(/^EVENT(?=#[^#]+$)/, 'ACCOUNT')
        .replace(/^EVENT/, 'CONNECTION');
      await client.send(new DeleteCommand({ TableName, Key: { pk: event.pk, sk: event.sk } }));
      // As a row that changes: what is inserted as an event goes to the bus.
      await client.send(new PutCommand({ TableName, Item: { pk, sk: event.sk } }));
      await client.send(new PutCommand({ TableName, Item: { ...Item, pk } }));
    }),
  );
  return events.map(({ eventId }) => String(eventId)).sort();
}

test('after an upgrade the audit trail holds what is on record from before it, and says what it lacks', async () => {
  const gone = await connectAccount(gateway, DRIVE, { account: 'second.user@example.com' });
  expect((await gateway.json('DELETE', `/connections/${gone}?provider_config_key=${DRIVE}`)).status).toBe(200);
  const before = await asBefore();
  expect(before.length).toBeGreaterThan(4);
  expect((await list()).data).toEqual([]);

  // The new version's first event, and its first ticks.
  await gateway.json('POST', '/account/keys', { name: 'made after the upgrade', right: 'read' });
  const [first] = (await list()).data;
  await tick();
  const meanwhile = await list();
  expect(meanwhile.complete_since).toEqual(expect.any(String));
  await tick();
  await tick();

  const after = await list();
  const ids = after.data.map(({ event_id }) => event_id);
  expect(ids).toEqual(ids.toSorted().toReversed());
  expect(ids).toContain(first?.event_id);
  // Nobody can find a connection that is gone: the answer says from when on it has everything.
  const lacking = before.filter((id) => !ids.includes(id));
  expect(lacking.length).toBeGreaterThan(0);
  expect(after.data.some(({ connection_id }) => connection_id === gone)).toBe(false);
  expect(after.data.some(({ connection_id }) => connection_id === gateway.connectionId(DRIVE))).toBe(true);
  expect(after.data.filter(({ connection_id }) => connection_id === null).length).toBeGreaterThan(1);
  expect(after.complete_since).toBe(meanwhile.complete_since);
  expect(await runGateway(gateway, ['audit', '--type', 'SecretKeyCreated'])).toMatchObject({
    code: 0,
    err: expect.stringContaining(`before ${after.complete_since}`),
  });

  // It is over: nothing is written any more.
  await tick();
  expect(await list()).toEqual(after);

  // The timeline of a connection shows them, and what this version adds.
  const id = gateway.connectionId(DRIVE);
  const target = `/connections/${id}?provider_config_key=${DRIVE}`;
  expect((await gateway.json('PATCH', target, { tags: { plan: 'new' } })).status).toBe(200);
  const path = `/connections/${id}/events?provider_config_key=${DRIVE}`;
  const timeline: { type: string; event_id: string }[] = (await gateway.json('GET', path)).body.events;
  expect(timeline.map(({ type }) => type)).toEqual(['ConnectionUpdated', 'ConnectionCreated']);
  const [, ...older] = timeline;
  const page = (await gateway.json('GET', `${path}&limit=1`)).body;
  expect(page.events).toEqual(timeline.slice(0, 1));
  const rest = (await gateway.json('GET', `${path}&limit=9&cursor=${page.next_cursor}`)).body;
  expect(rest.events).toEqual(older);
});

test('a gateway that no earlier version has written to never reports missing events', async () => {
  await using own = await startTestGateway();
  await tableClient(own).send(new DeleteCommand({ TableName: own.gateway.tableName, Key: WALK }));
  for (let i = 0; i < 3; i++) {
    await own.gateway.tick('refresh', { slice: { index: 0, count: 64 } });
    expect((await own.json('GET', '/events')).body).toMatchObject({ complete_since: null });
  }
});
