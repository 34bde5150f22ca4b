import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { control, forgetRequests, requests } from '../../support/simulator.ts';

const cursor = z.object({ name: z.string(), sequence: z.number(), lag: z.number() });
const feed = z.object({
  data: z.looseObject({
    id: z.string(),
    state: z.string(),
    reason: z.string().nullable(),
    remedy: z.string().nullable(),
    last_sequence: z.number(),
    channel_ends_at: z.string().nullable(),
    messages: z.number(),
    cursors: z.array(cursor),
  }),
});
const changes = z.object({
  data: z.array(
    z.object({
      sequence: z.number(),
      kind: z.string(),
      changes: z.array(z.object({ id: z.string(), kind: z.string(), removed: z.boolean() }).loose()),
    }),
  ),
  last_sequence: z.number(),
  has_more: z.boolean(),
});

let test_: TestGateway;
beforeAll(async () => {
  test_ = await startTestGateway();
  const minted = await control(test_, 'POST', '/tokens', { account: 'first.user@example.com' });
  ownerToken = z.object({ access_token: z.string() }).parse(minted).access_token;
});
afterAll(() => test_[Symbol.asyncDispose]());

async function json(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await test_.call(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function watch(integration: string, resource: string): Promise<z.output<typeof feed>['data']> {
  const made = await json('POST', '/feeds', {
    provider_config_key: integration,
    connection_id: test_.connectionId(integration),
    resource,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return feed.parse(made.body).data;
}

/** Waits for a batch behind `after` that says something of an id. */
async function changeOf(feedId: string, after: number, id: string) {
  for (const endAt = Date.now() + 10_000; Date.now() < endAt; ) {
    const { data } = changes.parse((await json('GET', `/feeds/${feedId}/changes?after=${after}`)).body);
    const found = data.flatMap((batch) => batch.changes.map((change) => ({ ...change, sequence: batch.sequence })));
    const wanted = found.find((change) => change.id === id);
    if (wanted !== undefined) return wanted;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No change of ${id} came`);
}

/** Google's API as the account's owner would use it, beside the gateway. */
let ownerToken: string;
async function asOwner(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(test_.gateway.simulatorUrl + path, {
    method,
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

const named = z.object({ id: z.string() });

async function newFile(name: string): Promise<string> {
  return named.parse(await asOwner('POST', '/drive/v3/files', { name, mimeType: 'text/plain' })).id;
}

async function newEvent(summary: string): Promise<string> {
  const start = { dateTime: '2027-01-01T10:00:00Z' };
  const end = { dateTime: '2027-01-01T11:00:00Z' };
  return named.parse(await asOwner('POST', '/calendar/v3/calendars/primary/events', { summary, start, end })).id;
}

describe('a feed of a Drive', () => {
  test('CF-24, CF-25: a new file arrives on the bus and through the route within seconds, by its id alone', async () => {
    const made = await watch('google-drive', 'drive');
    expect(made).toMatchObject({ state: 'watching', reason: null, last_sequence: 0 });
    const id = await newFile('a name that nobody is told');
    const change = await changeOf(made.id, 0, id);
    expect(change).toMatchObject({ kind: 'file', removed: false, mime_type: 'text/plain' });
    const event = await test_.gateway.waitForEvent((one) => {
      const detail = z.looseObject({ feed_id: z.string(), changes: z.string() }).safeParse(one.detail);
      return one['detail-type'] === 'FeedChanged' && (detail.data?.changes ?? '').includes(id);
    });
    expect(JSON.stringify(event)).not.toContain('a name that nobody');
    expect(event.detail).toMatchObject({ feed_id: made.id, resource: 'drive', kind: 'changes' });
  });
});

describe('a feed of a calendar', () => {
  test('CF-24: tells new and cancelled events, and none of what was there before', async () => {
    const before = await newEvent('was there before');
    const made = await watch('google-calendar', 'calendar:primary');
    expect(made).toMatchObject({ state: 'watching', last_sequence: 0 });
    const id = await newEvent('a title that nobody is told');
    const added = await changeOf(made.id, 0, id);
    expect(added).toMatchObject({ kind: 'event', removed: false });
    await asOwner('DELETE', `/calendar/v3/calendars/primary/events/${id}`);
    expect(await changeOf(made.id, added.sequence, id)).toMatchObject({ removed: true });
    const all = changes.parse((await json('GET', `/feeds/${made.id}/changes?after=0`)).body);
    expect(JSON.stringify(all)).not.toContain(before);
    expect(all.data.map(({ sequence }) => sequence)).toEqual(all.data.map((_, index) => index + 1));
  });

  test('the same resource twice gives the first feed', async () => {
    const first = await watch('google-calendar', 'calendar:primary');
    expect(await watch('google-calendar', 'calendar:primary')).toMatchObject({ id: first.id });
  });
});

describe('the inbox', () => {
  const send = (headers: Record<string, string>, init: RequestInit = {}) =>
    fetch(`${test_.gateway.gatewayUrl}/inbox/google/channel`, { method: 'POST', headers, ...init });

  test('CF-22: answers 404 to what names no channel or no token of it, and 405 to what is no message', async () => {
    await watch('google-drive', 'drive');
    for (const headers of [
      {},
      { 'x-goog-channel-id': 'made-up', 'x-goog-channel-token': 'made-up', 'x-goog-resource-state': 'change' },
    ]) {
      const answer = await send(headers);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-gateway-error')).toBe('not_found');
    }
    expect((await send({}, { method: 'GET' })).status).toBe(405);
    expect((await send({}, { body: 'x'.repeat(70_000) })).status).toBe(413);
  });

  test('CF-23: a storm of messages leads to a few pulls, and nothing of it is missed', async () => {
    const made = await watch('google-drive', 'drive');
    const from = made.last_sequence;
    await forgetRequests(test_);
    const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => newFile(`storm ${index}`)));
    await Promise.all(ids.map((id) => changeOf(made.id, from, id)));
    const pulls = (await requests(test_, 'api')).filter(({ target }) => target.startsWith('/drive/v3/changes?'));
    expect(pulls.length).toBeGreaterThan(0);
    expect(pulls.length).toBeLessThanOrEqual(4);
  });
});
