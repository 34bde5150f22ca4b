import { describe, expect, it, vi } from 'vitest';
import { FEEDS_PER_CONNECTION_MAX } from '../../../lambdas/features/feeds/limits.rules.ts';
import { WEBHOOK_TESTS_PER_MINUTE, WEBHOOKS_MAX } from '../../../lambdas/features/webhooks/limits.rules.ts';
import { UpstreamError } from '../../../lambdas/gateway/core/http-message.ts';
import { SECRET_KEYS_MAX } from '../../../lambdas/gateway/core/limits.ts';
import { connectedGateway, type ManagementGateway, managementGateway, textAt } from './support/gateway.ts';

const ENDPOINT = { url: 'https://hooks.example.com/gateway' };

async function withEndpoint(): Promise<{ readonly gateway: ManagementGateway; readonly path: string }> {
  const nobody = {
    send: () => Promise.reject(new UpstreamError('unreachable', false, false, undefined)),
    close: async () => {},
  };
  const gateway = managementGateway({ endpointEgress: nobody });
  const { body } = await gateway.call('POST', '/webhooks', { body: ENDPOINT });
  return { gateway, path: `/webhooks/${textAt(body, 'data', 'id')}` };
}

/** How many of many creations at once were made; all others have been refused with 409. */
async function madeAtOnce(create: (i: number) => Promise<{ readonly status: number }>): Promise<number> {
  const statuses = (await Promise.all(Array.from({ length: 40 }, (_, i) => create(i)))).map(({ status }) => status);
  expect([...new Set(statuses)].sort()).toEqual([expect.toSatisfy((one) => one < 300), 409]);
  return statuses.filter((status) => status < 300).length;
}

describe('secrets of an endpoint', () => {
  it('WH-17: secrets of an endpoint may be replaced twice within a day, a third time only by force, and again when the oldest has had its day', async () => {
    const { gateway, path } = await withEndpoint();
    const rotate = (query = '') => gateway.call('POST', `${path}/rotate-secret${query}`);
    const stored = () => gateway.memory.ofType('webhook')[0] ?? {};
    const first = stored().encryptedSecret;
    expect((await rotate()).status).toBe(200);
    gateway.clock.advanceSec(3600);
    expect((await rotate()).status).toBe(200);
    const { encryptedSecret: third, encryptedPreviousSecret: second, encryptedEarlierSecret: earlier } = stored();
    expect(earlier).toBe(first);
    expect(Number(stored().previousSecretUntilEpochSec) - Number(stored().earlierSecretUntilEpochSec)).toBe(3600);
    expect(await rotate()).toMatchObject({ status: 409, code: 'conflict' });
    expect(stored()).toMatchObject({ encryptedSecret: third, encryptedEarlierSecret: first });
    expect((await rotate('?force=true')).status).toBe(200);
    expect(stored()).toMatchObject({ encryptedPreviousSecret: third, encryptedEarlierSecret: second });
    gateway.clock.advanceSec(24 * 3600);
    expect(await rotate()).toMatchObject({ status: 200 });
  });

  it('WH-17: a webhook is tested ten times a minute, other webhooks as often', async () => {
    const { gateway, path } = await withEndpoint();
    const other = await gateway.call('POST', '/webhooks', { body: ENDPOINT });
    for (let i = 0; i < WEBHOOK_TESTS_PER_MINUTE; i++) {
      expect((await gateway.call('POST', `${path}/test`)).status).toBe(200);
    }
    expect(await gateway.call('POST', `${path}/test`)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(await gateway.call('POST', `${path}/enable`)).toMatchObject({ status: 429 });
    expect((await gateway.call('POST', `/webhooks/${textAt(other.body, 'data', 'id')}/test`)).status).toBe(200);
    gateway.clock.advanceSec(60);
    expect((await gateway.call('POST', `${path}/test`)).status).toBe(200);
  });
});

describe('what an account may have only so many of', () => {
  it('WH-17: webhooks stay within their number under 40 creations at once', async () => {
    const gateway = managementGateway();
    expect(await madeAtOnce(() => gateway.call('POST', '/webhooks', { body: ENDPOINT }))).toBe(WEBHOOKS_MAX);
    expect(gateway.memory.ofType('webhook')).toHaveLength(WEBHOOKS_MAX);
  });

  it('WH-17: secret keys do, though the list of keys lags behind', async () => {
    const lagging = managementGateway();
    const { list } = lagging.services.secretKeys;
    const before = await list('default');
    const behind = { ...lagging.services.secretKeys, list: async () => before };
    const gateway = managementGateway({ secretKeys: { ...behind, create: lagging.services.secretKeys.create } });
    const create = (i: number) => gateway.call('POST', '/account/keys', { body: { name: `k${i}`, right: 'read' } });
    for (let i = 1; i < SECRET_KEYS_MAX - 20; i++) expect((await create(i)).status).toBeLessThan(300);
    expect(await madeAtOnce(create)).toBe(20);
  });

  it('WH-17: feeds of a connection do', async () => {
    const gateway = await connectedGateway();
    const create = (i: number) => {
      const body = { provider_config_key: 'drive', connection_id: 'first', resource: `drive:0A${i}` };
      return gateway.call('POST', '/feeds', { body });
    };
    for (let i = 0; i < FEEDS_PER_CONNECTION_MAX - 20; i++) expect((await create(100 + i)).status).toBeLessThan(300);
    expect(await madeAtOnce(create)).toBe(20);
    expect(gateway.memory.ofType('feed')).toHaveLength(FEEDS_PER_CONNECTION_MAX);
  });
});

describe('feeds', () => {
  const wanted = { provider_config_key: 'drive', connection_id: 'first', resource: 'drive' };

  it('CF-31: a position beyond the last batch is refused with the last sequence, to read from and to keep', async () => {
    const gateway = await connectedGateway();
    const made = await gateway.call('POST', '/feeds', { body: wanted });
    const feed = `/feeds/${textAt(made.body, 'data', 'id')}`;
    const last = /last batch, whose sequence is 0/;
    const read = await gateway.call('GET', `${feed}/changes?after=1`);
    expect(read).toMatchObject({ status: 400, code: 'invalid_query_params', paths: ['after'] });
    expect(textAt(read.body, 'error', 'message')).toMatch(last);
    const kept = await gateway.call('PUT', `${feed}/cursors/mirror`, { body: { sequence: 1 } });
    expect(kept).toMatchObject({ status: 400, code: 'invalid_body', paths: ['sequence'] });
    expect(textAt(kept.body, 'error', 'message')).toMatch(last);
    expect((await gateway.call('GET', `${feed}/changes?after=0`)).status).toBe(200);
    expect((await gateway.call('PUT', `${feed}/cursors/mirror`, { body: { sequence: 0 } })).status).toBe(200);
  });

  it('CF-32: batches behind which a damaged row has fallen are read and kept like any others', async () => {
    const gateway = await connectedGateway();
    const made = await gateway.call('POST', '/feeds', { body: wanted });
    const feedId = textAt(made.body, 'data', 'id');
    const { feeds } = gateway.services.parts.feeds;
    const feed = await feeds.read({ accountId: 'default', feedId });
    if (feed === undefined) throw new Error('The feed is gone');
    const storedAt = new Date(gateway.services.clock.nowMs()).toISOString();
    const batches = [1, 2].map((sequence) => ({
      sequence,
      kind: 'changes' as const,
      reason: undefined,
      changes: [],
      storedAt,
      eventId: `batch-${sequence}`,
      requestId: 'r',
    }));
    expect(await feeds.save({ ...feed, sequence: 2 }, { batches })).toBe(true);
    const [row = {}] = gateway.memory.ofType('feed');
    gateway.memory.put({ ...row, sequence: 0 });
    const read = (after: number) => gateway.call('GET', `/feeds/${feedId}/changes?after=${after}`);
    expect(await read(2)).toMatchObject({ status: 200, body: { data: [], last_sequence: 2, has_more: false } });
    expect(await read(1)).toMatchObject({ status: 200, body: { data: [{ sequence: 2 }], last_sequence: 2 } });
    expect(await read(3)).toMatchObject({ status: 400, paths: ['after'] });
    const kept = await gateway.call('PUT', `/feeds/${feedId}/cursors/mirror`, { body: { sequence: 2 } });
    expect(kept).toMatchObject({ status: 200, body: { data: { sequence: 2, lag: 0 } } });
  });

  it('a pull that waits for Google’s quota says so in its answer, with the reason and until when, and so do the feed and the list', async () => {
    const gateway = await connectedGateway();
    const made = await gateway.call('POST', '/feeds', { body: wanted });
    const feed = `/feeds/${textAt(made.body, 'data', 'id')}`;
    const [row = {}] = gateway.memory.ofType('feed');
    gateway.memory.put({ ...row, feedState: 'watching' });
    const untilEpochSec = Math.floor(gateway.services.clock.nowMs() / 1000) + 240;
    const wait = { reason: 'rate_limited', untilEpochSec } as const;
    vi.spyOn(gateway.services.parts.feeds.quota, 'admit').mockResolvedValue(wait);
    const shown = {
      state: 'waiting',
      reason: 'rate_limited',
      explanation: expect.stringContaining('because a quota is used up'),
      remedy: expect.stringContaining('next_pull_at'),
      next_pull_at: new Date(untilEpochSec * 1000).toISOString(),
    };
    expect((await gateway.call('POST', `${feed}/pull`)).body).toMatchObject({ data: shown });
    expect((await gateway.call('GET', feed)).body).toMatchObject({ data: shown });
    expect((await gateway.call('GET', '/feeds')).body).toMatchObject({ data: [shown] });
  });

  it('CH-25: a feed of drives is refused to a connection whose scopes cannot list drives, and says which can', async () => {
    const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
    const gateway = await connectedGateway({ grantedScopes: ['openid', scope('drive.file')] });
    const body = { ...wanted, resource: 'drives' };
    const refused = await gateway.call('POST', '/feeds', { body });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_body', paths: ['resource'] });
    expect(JSON.stringify(refused.body)).toContain('neither drive.readonly nor drive');
    expect(gateway.memory.ofType('feed')).toEqual([]);
    expect((await gateway.call('POST', '/feeds', { body: wanted })).status).toBe(200);
    for (const name of ['drive', 'drive.readonly']) {
      const able = await connectedGateway({ grantedScopes: [scope(name)] });
      expect((await able.call('POST', '/feeds', { body })).status).toBe(200);
    }
  });

  it('CF-31: creations at once of a feed that the provider refuses are all refused, and leave none behind', async () => {
    const usual = await connectedGateway();
    const refused = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { kind: 'refusal', refusal: 'refused', status: 403, retryAfterSec: undefined } as const;
    };
    const gateway = managementGateway({
      parts: { feeds: { ...usual.services.parts.feeds, caller: { call: refused } } },
    });
    gateway.addIntegration();
    await gateway.addConnection();
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => gateway.call('POST', '/feeds', { body: wanted })),
    );
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(usual.memory.ofType('feed')).toEqual([]);
  });
});
