import { expect, test } from 'vitest';
import { NOTHING_MADE } from '../../../lambdas/declared/event.ts';
import { declaredStack, OTHER_STACK_ID, reasonOf } from './declared-stack.ts';

const DOCS = { Integration: 'drive', ConnectionId: 'service', Resource: 'drive', Delivery: 'pull' };
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';

async function withConnection() {
  const stack = declaredStack();
  stack.gateway.addIntegration({ integrationId: 'drive', scopes: [SCOPE] });
  for (const connectionId of ['service', 'second']) {
    await stack.gateway.addConnection({ integrationId: 'drive', connectionId, grantedScopes: [SCOPE] });
  }
  const feeds = async (): Promise<readonly Record<string, unknown>[]> =>
    Object((await stack.gateway.call('GET', '/feeds')).body).data;
  return { ...stack, feeds };
}

async function withDocs() {
  const stack = await withConnection();
  const made = await stack.send('Create', 'Feed', DOCS);
  expect(made).toMatchObject({ status: 'SUCCESS' });
  return { ...stack, id: made.physicalId };
}

test('a stack declares a feed of a connection, which names the stack in the API, and a repeated create finds it', async () => {
  const { send, feeds, id } = await withDocs();
  expect(await send('Create', 'Feed', DOCS)).toMatchObject({ status: 'SUCCESS', physicalId: id });
  expect(await feeds()).toMatchObject([
    {
      ...{ id, provider_config_key: 'drive', connection_id: 'service', resource: 'drive', delivery: 'pull' },
      managed_by: { stack: 'shop', resources: ['Declared1'] },
    },
  ]);
});

test.each([
  ['Delivery', 'bus', 'delivery', 'pull', 'bus'],
  ['SafetyIntervalSec', '600', 'safety_interval_sec', 21_600, 600],
  ['PollIntervalSec', '60', 'poll_interval_sec', 300, 60],
  ['Meaning', 'true', 'meaning', false, true],
  ['Seen', 'true', 'seen', false, true],
])(
  'an update of a feed changes %s, and the rollback restores the former value',
  async (name, value, member, before, after) => {
    const { send, feeds, id } = await withDocs();
    const next = { ...DOCS, [name]: value };
    for (let time = 0; time < 2; time++) {
      expect(await send('Update', 'Feed', next, { physicalId: id, old: DOCS })).toMatchObject({ physicalId: id });
      expect(await feeds()).toMatchObject([{ [member]: after }]);
    }
    expect(await send('Update', 'Feed', DOCS, { physicalId: id, old: next })).toMatchObject({ physicalId: id });
    expect(await feeds()).toMatchObject([{ [member]: before }]);
  },
);

test('another connection replaces the feed, and a rollback returns to the former one with its position', async () => {
  const { send, feeds, id } = await withDocs();
  const next = { ...DOCS, ConnectionId: 'second' };
  const { physicalId } = await send('Update', 'Feed', next, { physicalId: id, old: DOCS });
  expect(physicalId).not.toBe(id);
  expect(await feeds()).toHaveLength(2);
  expect(await send('Update', 'Feed', DOCS, { physicalId, old: next })).toMatchObject({ physicalId: id });
  await send('Delete', 'Feed', next, { physicalId });
  expect(await feeds()).toMatchObject([{ id }]);
});

test.each([{ Resource: 'folder:root' }, { ConnectionId: 'second' }])(
  'the rollback of an update to %j whose answer was lost deletes the feed that it made',
  async (changed) => {
    const { send, feeds, id } = await withDocs();
    const next = { ...DOCS, ...changed };
    // CloudFormation did not receive the answer, so the resource keeps its physical id.
    await send('Update', 'Feed', next, { physicalId: id, old: DOCS });
    expect(await feeds()).toHaveLength(2);
    expect(await send('Update', 'Feed', DOCS, { physicalId: id, old: next })).toMatchObject({ physicalId: id });
    expect(await feeds()).toMatchObject([{ id }]);
  },
);

test('a feed that others created fails the create, stays as it is, and its rollback deletes nothing', async () => {
  const { send, gateway, feeds } = await withConnection();
  const body = { provider_config_key: 'drive', connection_id: 'service', resource: 'drive' };
  expect(await gateway.call('POST', '/feeds', { body })).toMatchObject({ status: 200 });
  const failed = await send('Create', 'Feed', DOCS);
  expect(reasonOf(failed)).toMatch(/^ConnectionId: This connection has a feed of this resource, which this stack/);
  await send('Delete', 'Feed', DOCS, { physicalId: failed.physicalId });
  expect(await feeds()).toMatchObject([{ delivery: 'bus', managed_by: null }]);
});

test('neither another stack nor another resource deletes a feed, and a repeated delete succeeds', async () => {
  const { send, feeds, id } = await withDocs();
  const other = await send('Create', 'Feed', DOCS, { stackId: OTHER_STACK_ID });
  expect(reasonOf(other)).toMatch(/^ConnectionId: /);
  for (const sender of [{ stackId: OTHER_STACK_ID }, { resource: 'Another' }]) {
    const kept = await send('Delete', 'Feed', DOCS, { ...sender, physicalId: id });
    expect(kept).toMatchObject({ status: 'SUCCESS' });
  }
  expect(await feeds()).toHaveLength(1);
  for (let time = 0; time < 2; time++) {
    expect(await send('Delete', 'Feed', DOCS, { physicalId: id })).toMatchObject({ status: 'SUCCESS' });
    expect(await feeds()).toEqual([]);
  }
});

test('a resource that moves to another logical id keeps its feed, and the last one that goes deletes it', async () => {
  const { send, feeds, id } = await withDocs();
  const moved = { resource: 'Moved' };
  const changed = await send('Create', 'Feed', { ...DOCS, Delivery: 'bus' }, moved);
  expect(reasonOf(changed)).toMatch(/^Resource: the resource Declared1 of this stack declares this feed/);
  expect(await send('Create', 'Feed', DOCS, moved)).toMatchObject({ status: 'SUCCESS', physicalId: id });
  await send('Delete', 'Feed', DOCS, { physicalId: id });
  expect(await feeds()).toMatchObject([{ id, managed_by: { resources: ['Moved'] } }]);
  await send('Delete', 'Feed', DOCS, { ...moved, physicalId: id });
  expect(await feeds()).toEqual([]);
});

test.each([
  [{ ...DOCS, Integration: 'nothing' }, /^Integration: /],
  [{ ...DOCS, ConnectionId: 'nobody' }, /^ConnectionId: /],
  [{ ...DOCS, Resource: 'calendar:primary' }, /^Resource: an integration of google-drive has no such resource/],
  [{ ...DOCS, Reminders: ['5'] }, /^Reminders: only events of a calendar/],
  [{ ...DOCS, PollIntervalSec: '1' }, /^PollIntervalSec: must be at least 60/],
  [{ ...DOCS, Resource: undefined }, /^Resource: is required/],
])('refuses a feed of %j with a sentence that begins with the property', async (properties, sentence) => {
  const { send, feeds } = await withConnection();
  expect(reasonOf(await send('Create', 'Feed', properties))).toMatch(sentence);
  expect(await feeds()).toEqual([]);
});

test('a feed that a stack declares is changed and deleted by hand only where that is forced', async () => {
  const { gateway, id } = await withDocs();
  const body = { delivery: 'bus' };
  expect(await gateway.call('PATCH', `/feeds/${id}`, { body })).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('The stack shop declares this feed (resource Declared1)') } },
  });
  expect(await gateway.call('DELETE', `/feeds/${id}`)).toMatchObject({ status: 409 });
  expect(await gateway.call('PATCH', `/feeds/${id}?force=true`, { body })).toMatchObject({ status: 200 });
  expect(await gateway.call('DELETE', `/feeds/${id}?force=true`)).toMatchObject({ status: 200 });
});

test('a stack lists the feeds that it declares and no others', async () => {
  const { gateway, calls, send } = await withDocs();
  await gateway.call('POST', '/feeds', {
    body: { provider_config_key: 'drive', connection_id: 'service', resource: 'folder:root' },
  });
  calls.length = 0;
  expect(reasonOf(await send('Create', 'Feed', { ...DOCS, Resource: 'folder:root' }))).toMatch(/^ConnectionId: /);
  expect(calls).toEqual(['GET /feeds', 'POST /feeds']);
});

test('the audit trail names the stack, or the caller that forces it, for each change of a declared feed', async () => {
  const { send, gateway, id } = await withDocs();
  await send('Update', 'Feed', { ...DOCS, Delivery: 'bus' }, { physicalId: id, old: DOCS });
  await gateway.call('PATCH', `/feeds/${id}?force=true`, { body: { meaning: true } });
  const subject = { integrationId: 'drive', connectionId: 'service' };
  const about = { feed_id: id, resource: 'drive' };
  expect(gateway.events.all.filter(({ eventType }) => eventType === 'FeedUpdated')).toMatchObject([
    { subject, about, actor: 'stack:shop' },
    { subject, about, actor: expect.stringMatching(/^(key|operator):/) },
  ]);
});

test('creation and deletion of a declared feed are in the audit trail with the stack, its connection and its resource', async () => {
  const { send, gateway, id } = await withDocs();
  await send('Create', 'Feed', DOCS);
  await send('Delete', 'Feed', DOCS, { physicalId: id });
  const ends = gateway.events.all.filter(({ eventType }) => /^Feed(Created|Deleted)$/.test(eventType));
  const facts = {
    actor: 'stack:shop',
    subject: { integrationId: 'drive', connectionId: 'service' },
    about: { feed_id: id, resource: 'drive' },
  };
  expect(ends).toMatchObject([
    { eventType: 'FeedCreated', ...facts },
    { eventType: 'FeedDeleted', ...facts },
  ]);
  expect(ends.map(({ says }) => says?.reason)).toEqual([undefined, undefined]);
});

test('a feed that goes with its connection is reported as deleted, with that reason and the caller who deleted the connection', async () => {
  const { gateway, feeds, id } = await withDocs();
  expect(await gateway.call('DELETE', '/connections/service?provider_config_key=drive')).toMatchObject({ status: 200 });
  expect(await feeds()).toEqual([]);
  expect(gateway.events.all.filter(({ eventType }) => eventType === 'FeedDeleted')).toMatchObject([
    { about: { feed_id: id }, says: { reason: 'connection_deleted' }, actor: expect.stringMatching(/^key:/) },
  ]);
});

test('a stack can go though the gateway was deployed without feeds in the meantime', async () => {
  const { send } = declaredStack({ without: new Set(['feeds']) });
  expect(await send('Create', 'Feed', DOCS)).toMatchObject({ status: 'FAILED' });
  for (const physicalId of ['fed_1', NOTHING_MADE])
    expect(await send('Delete', 'Feed', DOCS, { physicalId })).toMatchObject({ status: 'SUCCESS' });
});
