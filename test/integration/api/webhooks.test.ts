import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { webhookSecretContext } from '../../../lambdas/features/webhooks/attempt-delivery.ts';
import { deliveryItemKey, webhookItemKey } from '../../../lambdas/features/webhooks/keys.store.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { openTable } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { kmsDataKeys, tokenCipher } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { GatewayClient } from '../../../packages/client/src/index.ts';
import { localAws, runGateway } from '../../support/command-line.ts';
import { fastestMs } from '../../support/fastest.ts';
import { ownerOf } from '../../support/simulator.ts';
import { changeItem, readItem } from '../../support/table.ts';
import { useTestGateway, useWebhookReceiver } from '../../support/use-gateway.ts';

type Json = Record<string, unknown>;

const receiver = useWebhookReceiver();
const test1 = useTestGateway({ rules: true });
const ask = (method: string, path: string, body?: Json) => test1.json(method, path, body);
const dataOf = ({ body }: { body: { data: Json } }) => body.data;

/** An enabled webhook at a path of the receiver. */
async function makeWebhook(path: string, wish: Json = {}): Promise<{ id: string; secret: string }> {
  const made = await ask('POST', '/webhooks', { url: receiver.address + path, ...wish });
  expect(made.status).toBe(201);
  const { id, secret } = dataOf(made);
  const enabled = { status: 200, body: { data: { status: 'enabled' } } };
  expect(await ask('POST', `/webhooks/${id}/enable`)).toMatchObject(enabled);
  return { id: String(id), secret: String(secret) };
}

async function deliveriesOf(id: string, query = ''): Promise<Json[]> {
  return (await ask('GET', `/webhooks/${id}/deliveries${query}`)).body.data;
}

/** Causes one event of the account, and returns its id on the bus. */
async function causeEvent(name: string): Promise<string> {
  const before = test1.gateway.events.length;
  expect((await ask('POST', '/account/keys', { name, right: 'read' })).status).toBe(201);
  const event = await test1.gateway.waitForEvent(
    (one) => one['detail-type'] === 'SecretKeyCreated' && test1.gateway.events.indexOf(one) >= before,
  );
  return String((event.detail as Json).event_id);
}

const typeOf = (message: { body: string }) => (JSON.parse(message.body) as Json).type;

/** Seals a webhook's secret as 0.2.0 did, under the account's data keys of tokens. */
async function sealAsBefore(id: string, secret: string): Promise<{ pk: string; sk: string }> {
  const { gateway } = test1;
  for (const [name, value] of Object.entries(localAws(test1))) vi.stubEnv(name, value);
  const keys = kmsDataKeys(openTable(gateway.tableName), gateway.tokenKeyArn, systemClock, { count: () => {} });
  const context = webhookSecretContext({ accountId: 'default', webhookId: id });
  const encryptedSecret = await tokenCipher(keys, systemRandom).encrypt({ ...context, purpose: 'tokens' }, secret);
  vi.unstubAllEnvs();
  const place = webhookItemKey('default', id);
  await changeItem(test1, place, { encryptedSecret });
  return place;
}

describe('webhooks over HTTP', () => {
  test('IN-12: a secret that 0.2.0 stored is sealed again by the next tick, and its deliveries wait for that', async () => {
    const { id, secret } = await makeWebhook('/older', { types: ['SecretKeyCreated'] });
    const place = await sealAsBefore(id, secret);
    expect((await readItem(test1, place))?.encryptedSecret).toMatch(/^v1\./);
    const eventId = await causeEvent('a key while the secret is older');
    await expect.poll(async () => (await deliveriesOf(id))[0]).toMatchObject({ event_id: eventId, state: 'pending' });
    await test1.gateway.tick('refresh');
    expect((await readItem(test1, place))?.encryptedSecret).toMatch(/^we\./);
    expect(await deliveriesOf(id)).toMatchObject([{ event_id: eventId, attempts: [] }, { state: 'delivered' }]);
    await changeItem(test1, deliveryItemKey('default', id, eventId), { refreshAt: 1 });
    await test1.gateway.tick('deliver');
    const message = await receiver.waitFor((one) => one.headers['webhook-id'] === eventId);
    expect(new Webhook(secret).verify(message.body, message.headers)).toMatchObject({ type: 'SecretKeyCreated' });
    expect((await ask('DELETE', `/webhooks/${id}`)).status).toBe(200);
  });

  test('WH-10 and WH-15: an endpoint proves itself, then gets an event signed, and the log shows its delivery', async () => {
    const { id, secret } = await makeWebhook('/first', { types: ['SecretKeyCreated'] });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const proof = await receiver.waitFor((one) => one.path === '/first' && typeOf(one) === 'endpoint.test');
    expect(new Webhook(secret).verify(proof.body, proof.headers)).toMatchObject({ type: 'endpoint.test' });

    const eventId = await causeEvent('a key to be told about');
    const message = await receiver.waitFor((one) => one.headers['webhook-id'] === eventId);
    const verified = new Webhook(secret).verify(message.body, message.headers);
    const details = test1.gateway.events.map((one) => one.detail as Json);
    const detail = details.find(({ event_id }) => event_id === eventId) ?? {};
    expect(verified).toEqual({
      type: 'SecretKeyCreated',
      timestamp: detail.time,
      data: detail,
    });
    expect(() => new Webhook(secret).verify(message.body.replace('Created', 'Revoked'), message.headers)).toThrow();

    await expect.poll(async () => (await deliveriesOf(id, '?state=delivered')).length).toBe(2);
    expect(await deliveriesOf(id)).toMatchObject([
      { event_id: eventId, type: 'SecretKeyCreated', state: 'delivered', attempts: [{ status: 204, error: null }] },
      { type: 'endpoint.test', state: 'delivered' },
    ]);
  });

  test('WH-13: a failed delivery is tried again when it is due, with the same id', async () => {
    const { id } = await makeWebhook('/mended', { types: ['SecretKeyCreated'] });
    receiver.answer('/mended', (response) => response.writeHead(500).end('out of\u0007order'));
    const eventId = await causeEvent('a key that is told about twice');
    await receiver.waitFor((one) => one.path === '/mended' && one.headers['webhook-id'] === eventId);
    await expect
      .poll(async () => (await deliveriesOf(id))[0])
      .toMatchObject({
        state: 'pending',
        attempts: [{ status: 500, error: 'answered_with_error', answer: 'out of\\u0007order' }],
      });
    receiver.answer('/mended', (response) => response.writeHead(200).end());
    await changeItem(test1, { pk: `WEBHOOK#default#${id}`, sk: `DELIVERY#${eventId}` }, { refreshAt: 1 });
    await test1.gateway.tick('deliver');
    expect((await deliveriesOf(id))[0]).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 500 }, { status: 200 }],
    });
  });

  test('WH-14: 410 disables an endpoint with one event; enabled again, a replay sends what was missed', async () => {
    const { id } = await makeWebhook('/gone', { types: ['SecretKeyCreated'] });
    receiver.answer('/gone', (response) => response.writeHead(410).end());
    const first = await causeEvent('a key nobody is notified of');
    await test1.gateway.waitForEvent(
      (one) => one['detail-type'] === 'WebhookDisabled' && (one.detail as Json).cause === id,
    );
    const second = await causeEvent('another one');
    await expect.poll(async () => (await deliveriesOf(id, '?state=waiting')).length).toBe(2);
    expect(dataOf(await ask('GET', `/webhooks/${id}`))).toMatchObject({ status: 'disabled', disabled_because: 'gone' });
    expect((await ask('POST', `/webhooks/${id}/enable`)).status).toBe(409);
    receiver.answer('/gone', (response) => response.writeHead(204).end());
    expect((await ask('POST', `/webhooks/${id}/enable`)).status).toBe(200);
    const from = new Date(Date.now() - 60_000).toISOString();
    const replay = await ask('POST', `/webhooks/${id}/replay?from=${from}`);
    expect(replay).toMatchObject({ status: 202, body: { data: { next_from: null } } });
    await test1.gateway.tick('deliver');
    const delivered = (await deliveriesOf(id, '?state=delivered')).map(({ event_id }) => event_id);
    expect(delivered).toEqual(expect.arrayContaining([first, second]));
  });

  test('WH-16: after a rotation messages carry two signatures, and each secret verifies', async () => {
    const { id, secret } = await makeWebhook('/rotated', { types: ['SecretKeyCreated'] });
    const rotated = dataOf(await ask('POST', `/webhooks/${id}/rotate-secret`));
    expect(rotated.previous_secret_until).not.toBeNull();
    const eventId = await causeEvent('a key after the rotation');
    const message = await receiver.waitFor((one) => one.path === '/rotated' && one.headers['webhook-id'] === eventId);
    expect(message.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const one of [secret, String(rotated.secret)]) {
      expect(new Webhook(one).verify(message.body, message.headers)).toMatchObject({ type: 'SecretKeyCreated' });
    }
    expect(JSON.stringify(await ask('GET', `/webhooks/${id}`))).not.toContain('whsec_');
  });

  test('AK-10: another account’s webhooks, and malformed ids, are not found', async () => {
    for (const id of ['wh_01KAMT0V5N7Z2Q4R8S6T1W3X5Y', 'nonsense', '..%2Fintegrations']) {
      expect((await ask('GET', `/webhooks/${id}`)).status).toBe(404);
      expect((await ask('POST', `/webhooks/${id}/test`)).status).toBe(404);
    }
  });

  test('a changed address has to prove itself again, a deleted webhook gets nothing more', async () => {
    const { id } = await makeWebhook('/before', { types: ['SecretKeyCreated'] });
    const moved = await ask('PATCH', `/webhooks/${id}`, { url: `${receiver.address}/after`, types: null });
    expect(dataOf(moved)).toMatchObject({ status: 'unproven', types: null });
    expect((await ask('POST', `/webhooks/${id}/replay`)).status).toBe(409);
    expect((await ask('DELETE', `/webhooks/${id}`)).status).toBe(200);
    expect((await ask('GET', `/webhooks/${id}`)).status).toBe(404);
  });

  test('CF-30: an edited file and an edited event are on the bus, at a webhook and with the client within three seconds', {
    tags: ['long'],
  }, async () => {
    await makeWebhook('/changes', { types: ['FeedChanged'] });
    const asOwner = await ownerOf(test1);
    const client = new GatewayClient({ baseUrl: test1.gateway.gatewayUrl, secretKey: test1.gateway.secretKey });
    const end = new AbortController();
    const day = { start: { date: '2027-01-01' }, end: { date: '2027-01-02' } };
    const walks = [
      [
        'google-drive',
        'drive',
        '/drive/v3/files',
        { name: 'draft', mimeType: 'text/plain' },
        (n: number) => ({ name: `final ${n}` }),
      ],
      [
        'google-calendar',
        'calendar:primary',
        '/calendar/v3/calendars/primary/events',
        day,
        (n: number) => ({ summary: `moved ${n}` }),
      ],
    ] as const;
    const tookMs = await Promise.all(
      walks.map(async ([integration, resource, path, first, edited]) => {
        const connection = { providerConfigKey: integration, connectionId: test1.connectionId(integration) };
        const feed = await client.feeds.create({ ...connection, resource });
        const read: string[] = [];
        const reading = (async () => {
          for await (const batch of client.feeds.changes(feed.id, { intervalMs: 500, signal: end.signal })) {
            read.push(...batch.changes.map(({ id }) => `${batch.sequence} ${id}`));
          }
        })().catch((error: unknown) => {
          if (!end.signal.aborted) throw error;
        });
        const { id } = await asOwner('POST', path, first);
        /** Waits until a batch that names the id has gone all three ways. */
        const arrivesBehind = async (sequence: number): Promise<number> => {
          const isMeant = (detail: Json) => detail.feed_id === feed.id && Number(detail.sequence) > sequence;
          const onBus = await test1.gateway.waitForEvent(({ detail }) => isMeant(detail as Json));
          const eventId = (onBus.detail as Json).event_id;
          await receiver.waitFor((one) => one.path === '/changes' && one.headers['webhook-id'] === eventId);
          const found = Number((onBus.detail as Json).sequence);
          await expect.poll(() => read, { interval: 20 }).toContain(`${found} ${id}`);
          return found;
        };
        // The first change starts the processes; what is measured begins when the feed has rested.
        let last = await arrivesBehind(0);
        const rested = async () => {
          const { lastPullAt = '' } = await client.feeds.get(feed.id);
          await expect.poll(() => Date.now() - Date.parse(lastPullAt)).toBeGreaterThan(2_000);
        };
        const took = await fastestMs(3_000, rested, async (attempt) => {
          await asOwner('PATCH', `${path}/${id}`, edited(attempt));
          last = await arrivesBehind(last);
        });
        return { took, reading };
      }),
    );
    end.abort();
    await Promise.all(tookMs.map(({ reading }) => reading));
    expect(Math.max(...tookMs.map(({ took }) => took))).toBeLessThan(3_000);
  });

  test('the commands of docs/webhooks.md work', async () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'webhooks.md'), 'utf8');
    const [, snippet = ''] = /^```bash webhook\n([\s\S]*?)^```/m.exec(page) ?? [];
    const [create = '', list = ''] = snippet.split('\n').map((line) => line.split('gateway -- ')[1]);
    const cli = (...args: string[]) => runGateway(test1, args);
    const made = await cli(...create.replace('http://127.0.0.1:4000/', `${receiver.address}/commands`).split(' '));
    expect(made.out.trim()).toMatch(/^whsec_/);
    const id = /wh_\w+/.exec(made.err)?.[0] ?? '';
    expect((await cli('webhooks', 'enable', id)).out).toMatch(/Status\tenabled/);
    const eventId = await causeEvent('a key for the commands of the page');
    await receiver.waitFor((one) => one.path === '/commands' && one.headers['webhook-id'] === eventId);
    expect((await cli(...list.split(' '))).out).toContain(id);
    await expect
      .poll(async () => (await cli('webhooks', 'deliveries', id)).out)
      .toMatch(new RegExp(`${eventId}.*delivered`));
    await cli('webhooks', 'delete', id, '--yes');
  });
});
