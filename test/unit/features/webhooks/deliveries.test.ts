import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { webhookSecretContext } from '../../../../lambdas/features/webhooks/attempt-delivery.ts';
import { readInvocation } from '../../../../lambdas/features/webhooks/deliver/invocation.rules.ts';
import { sweepDeliveries } from '../../../../lambdas/features/webhooks/deliver/sweep-deliveries.ts';
import { type DeliverDependencies, deliverNow } from '../../../../lambdas/features/webhooks/deliver.ts';
import {
  disabledRemedy,
  disablingReason,
  excerptOf,
  restSec,
  retryAfterSec,
  retryDelaySec,
  statusError,
} from '../../../../lambdas/features/webhooks/delivery.rules.ts';
import { DELIVERY_SHARDS, deliveryStore } from '../../../../lambdas/features/webhooks/delivery.store.ts';
import { WEBHOOK_RETRY_DELAYS_SEC } from '../../../../lambdas/features/webhooks/limits.rules.ts';
import { messageBody, secretText, type Webhook } from '../../../../lambdas/features/webhooks/webhook.rules.ts';
import { webhookStore } from '../../../../lambdas/features/webhooks/webhook.store.ts';
import { type Upstream, UpstreamError, type UpstreamRequest } from '../../../../lambdas/gateway/core/http-message.ts';
import { newEvent } from '../../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { memoryCipher } from '../../management/support/memory-cipher.ts';
import { countingRandom } from '../../management/support/time-and-chance.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const START = Date.parse('2026-11-22T08:00:00Z');
const DAY = 24 * 3600;

type Answer = {
  readonly status: number;
  readonly headers?: [string, string][];
  readonly body?: string;
  readonly tookMs?: number;
};

/** Endpoints, deliveries and a scripted internet. */
function world() {
  const time = new VirtualTime(START);
  const memory = new MemoryTable();
  const [clock, random] = [{ nowMs: () => time.nowMs }, countingRandom()];
  const [webhooks, deliveries] = [webhookStore(memory.table), deliveryStore(memory.table)];
  const requests: { readonly atMs: number; readonly request: UpstreamRequest }[] = [];
  const answers = new Map<string, (request: UpstreamRequest) => Answer | 'timeout'>();
  const counted: string[] = [];
  const endpointEgress: Upstream = {
    async send(request) {
      requests.push({ atMs: time.nowMs, request });
      const answer = answers.get(request.origin)?.(request) ?? { status: 204 };
      if (answer === 'timeout') {
        await time.sleep(15_000);
        throw new UpstreamError('timeout', true, false, new Error('deadline'));
      }
      await time.sleep(answer.tookMs ?? 300);
      return {
        status: answer.status,
        headers: answer.headers ?? [],
        body: (async function* () {
          yield Buffer.from(answer.body ?? '');
        })(),
        abandon: () => {},
      };
    },
    close: () => {},
  };
  const deps: DeliverDependencies = {
    clock,
    random,
    logger: {
      info: () => {},
      warn: () => {},
      error: (message, _fields, error) => counted.push(`${message} ${String(error)}`),
    },
    metrics: { count: (name, dimensions = {}) => counted.push([name, ...Object.values(dimensions)].join(' ')) },
    cipher: memoryCipher,
    endpointEgress,
    endpointTargets: { ownHosts: [], allowLoopback: false },
    webhooks,
    deliveries,
  };
  return {
    time,
    memory,
    requests,
    answers,
    counted,
    deps,
    async add(webhookId: string, more: Partial<Webhook> = {}): Promise<Webhook> {
      const webhook: Webhook = {
        accountId: 'default',
        webhookId,
        url: `https://${webhookId}.example.com/hook`,
        description: undefined,
        types: undefined,
        integrationIds: undefined,
        status: 'enabled',
        disabledBecause: undefined,
        disabledAtEpochSec: undefined,
        enabledAtEpochSec: START / 1000,
        encryptedSecret: await memoryCipher.encrypt(
          webhookSecretContext({ accountId: 'default', webhookId }),
          secretText(new Uint8Array(32)),
        ),
        encryptedPreviousSecret: undefined,
        previousSecretUntilEpochSec: undefined,
        lastSuccessAtEpochSec: undefined,
        failuresInARow: 0,
        restUntilEpochSec: undefined,
        version: 0,
        createdAt: '2026-11-22T08:00:00.000Z',
        updatedAt: '2026-11-22T08:00:00.000Z',
        ...more,
      };
      const facts = { subject: { accountId: 'default' }, sequence: 1, requestId: 'r' };
      await webhooks.create(webhook, newEvent(clock, random, 'WebhookCreated', facts));
      return webhook;
    },
    deliver: (webhook: Webhook, number: number) => time.run(deliverNow(deps, webhook, event(number), 'run')),
    sweep() {
      const shards = new Set(memory.ofType('webhook_delivery').map(({ dueShard }) => Number(dueShard)));
      const known = DELIVERY_SHARDS.filter((shard) => shards.has(shard));
      return time.run(
        sweepDeliveries(deps, { shards: known, count: 1, isHeld: () => true }, time.nowMs + 300_000, 'run'),
      );
    },
    log: async (webhookId: string) =>
      (await deliveries.list({ accountId: 'default', webhookId }, 100, undefined, undefined)).deliveries,
    stored: (webhookId: string, number: number) =>
      deliveries.get({ accountId: 'default', webhookId, eventId: event(number).eventId }),
  };
}

const event = (number: number) => ({
  accountId: 'default',
  eventId: `E${number}`,
  eventType: 'ConnectionCreated',
  integrationId: 'drive',
  body: messageBody('ConnectionCreated', '2026-11-22T08:00:00.000Z', { event_id: `E${number}` }),
});

describe('rules of deliveries', () => {
  it('WH-13: ten attempts over 75 hours, each a tenth early or late', () => {
    const sum = (chance: number) =>
      WEBHOOK_RETRY_DELAYS_SEC.reduce((total, _, i) => total + (retryDelaySec(i + 1, undefined, chance) ?? 0), 0);
    expect(WEBHOOK_RETRY_DELAYS_SEC).toHaveLength(9);
    expect(sum(0.5) / 3600).toBeCloseTo(75.6, 1);
    expect(sum(0) / sum(0.5)).toBeCloseTo(0.9, 2);
    expect(sum(1) / sum(0.5)).toBeCloseTo(1.1, 2);
    expect(retryDelaySec(10, undefined, 0.5)).toBeUndefined();
  });

  it('WH-13: a Retry-After lengthens a wait, up to a day, and never shortens it', () => {
    expect(retryDelaySec(1, 120, 0.5)).toBe(120);
    expect(retryDelaySec(3, 10, 0.5)).toBe(1800);
    expect(retryDelaySec(1, 10 * DAY, 0.5)).toBe(DAY);
  });

  it.each([
    [undefined, undefined],
    ['120', 120],
    [' 120 ', 120],
    ['Sun, 22 Nov 2026 08:01:00 GMT', 60],
    ['Sun, 22 Nov 2026 07:59:00 GMT', 0],
    ['soon', undefined],
    ['120 s', undefined],
    ['1000000000', undefined],
  ])('WH-13: Retry-After %j asks for %s seconds', (value, seconds) => {
    expect(retryAfterSec(value, START)).toBe(seconds);
  });

  it.each([
    [199, 'answered_with_error'],
    [200, undefined],
    [299, undefined],
    [300, 'redirect_not_followed'],
    [399, 'redirect_not_followed'],
    [400, 'answered_with_error'],
    [410, 'gone'],
    [500, 'answered_with_error'],
  ])('WH-12: the answer %i is logged with the error %s', (status, error) => {
    expect(statusError(status)).toBe(error);
  });

  it.each([
    ['gone', 'The endpoint answered 410 Gone.'],
    ['failing', 'The endpoint did not answer with 2xx for five days.'],
  ] as const)('WH-14: the owner of an endpoint that is disabled as %s reads why and what to do', (because, reason) => {
    const next =
      'Fix it, enable it again, then replay from the time when it was disabled. Deliveries are kept for 14 days.';
    expect(disabledRemedy(because)).toBe(`${reason} ${next}`);
  });

  it('an endpoint rests after five failures in a row, twice as long after each, an hour at most', () => {
    expect([4, 5, 6, 7, 30].map(restSec)).toEqual([undefined, 30, 60, 120, 3600]);
  });

  it('WH-14: 410 disables at once; five days without a success do with twenty failures', () => {
    const now = START / 1000;
    const webhook = { enabledAtEpochSec: now - 6 * DAY, lastSuccessAtEpochSec: now - 5 * DAY, failuresInARow: 20 };
    expect(disablingReason({ ...webhook, failuresInARow: 1 }, { status: 410 }, now)).toBe('gone');
    expect(disablingReason(webhook, { status: 500 }, now)).toBe('failing');
    expect(disablingReason({ ...webhook, failuresInARow: 19 }, { status: 500 }, now)).toBeUndefined();
    expect(disablingReason({ ...webhook, lastSuccessAtEpochSec: now - DAY }, { status: 500 }, now)).toBeUndefined();
    const young = { ...webhook, lastSuccessAtEpochSec: undefined, enabledAtEpochSec: now - DAY };
    expect(disablingReason(young, { status: 500 }, now)).toBeUndefined();
  });

  it('WH-12: what is kept of an answer is 500 characters without control or direction characters', () => {
    const hostile = Buffer.from(`\u001b[2Jno\r\n\u202Eevil ${'x'.repeat(4000)}`);
    const kept = excerptOf(hostile) ?? '';
    expect(kept).toMatch(/^\\u001b\[2Jno\\u000d\\u000a\\u202eevil x+$/);
    expect(kept.length).toBeLessThan(530);
    expect(excerptOf(new Uint8Array())).toBeUndefined();
  });

  it('an event in the form of an earlier version is sent in the form of this one', () => {
    const detail = { account_id: 'default', event_id: 'E1', time: '2026-11-22T08:00:00.000Z' };
    const sent = (type: string, more: object) => {
      const read = readInvocation({ 'detail-type': type, detail: { ...detail, ...more } });
      return read.kind === 'event' ? JSON.parse(read.event.body).data : undefined;
    };
    const older = { cause: 'key:f3a1c5d2e4b6', remedy: '', connection_id: '', feed_id: '' };
    expect(sent('SecretKeyRevoked', older)).toEqual({ ...detail, cause: older.cause, key_id: 'f3a1c5d2e4b6' });
    const present = { reason: 'gone', webhook_id: 'wh_1', cause: 'wh_1' };
    expect(sent('WebhookDisabled', present)).toEqual({ ...detail, ...present });
    expect(sent('ConnectionRecovered', { cause: 'unknown' })).toEqual({ ...detail, cause: 'unknown' });
  });

  it('an event without an id, or with one that holds a dot, is no event of the gateway', () => {
    const detail = { account_id: 'default', event_id: 'E1', time: '2026-11-22T08:00:00.000Z', integration_id: 'drive' };
    const bus = (more: object) =>
      readInvocation({ 'detail-type': 'ConnectionCreated', detail: { ...detail, ...more } });
    expect(bus({})).toMatchObject({ kind: 'event', event: { eventId: 'E1', integrationId: 'drive' } });
    expect(() => bus({ event_id: 'E1.1795334400' })).toThrow('neither');
    expect(() => bus({ event_id: undefined })).toThrow('neither');
    expect(() => readInvocation({})).toThrow('neither');
    expect(readInvocation({ slice: { index: 0, count: 1 } })).toEqual({ kind: 'sweep' });
  });
});

describe('deliveries', () => {
  it('WH-15: an endpoint that has not proved itself gets nothing, and nothing is kept for it', async () => {
    const one = world();
    await one.deliver(await one.add('new', { status: 'unproven' }), 1);
    expect([one.requests.length, one.memory.ofType('webhook_delivery').length]).toEqual([0, 0]);
  });

  it('WH-13: a dead endpoint is tried ten times, then given up', async () => {
    const one = world();
    const webhook = await one.add('dead', { enabledAtEpochSec: START / 1000 });
    one.answers.set('https://dead.example.com', () => ({ status: 503 }));
    await one.deliver(webhook, 1);
    for (let minute = 0; minute < 100 * 60; minute++) {
      const { state, dueAtEpochSec: due = 0 } = (await one.stored('dead', 1)) ?? {};
      if (state !== 'pending') break;
      one.time.nowMs = Math.max(one.time.nowMs + 60_000, due * 1000);
      await one.sweep();
    }
    expect(await one.stored('dead', 1)).toMatchObject({ state: 'failed', tries: 10, dueAtEpochSec: undefined });
    expect(one.requests).toHaveLength(10);
    const ids = one.requests.map(({ request }) => new Map(request.headers).get('webhook-id'));
    expect(new Set(ids)).toEqual(new Set(['E1']));
    const hours = (one.time.nowMs - START) / 3_600_000;
    expect(hours).toBeGreaterThan(65);
    expect(hours).toBeLessThan(85);
  });

  it('WH-12: a redirect is a failure, and nobody goes where it leads', async () => {
    const one = world();
    const answer: Answer = { status: 302, headers: [['location', 'http://169.254.169.254/']] };
    one.answers.set('https://moved.example.com', () => answer);
    await one.deliver(await one.add('moved'), 1);
    expect(one.requests).toHaveLength(1);
    expect((await one.stored('moved', 1))?.attempts).toMatchObject([{ status: 302, error: 'redirect_not_followed' }]);
  });

  it('an event that the bus brings twice is sent once', async () => {
    const one = world();
    const webhook = await one.add('live');
    await one.deliver(webhook, 1);
    await one.deliver(webhook, 1);
    expect(one.requests).toHaveLength(1);
  });

  it('SH-3: a process that dies behind storing a delivery costs it a minute, not the delivery', async () => {
    const one = world();
    const webhook = await one.add('live');
    const endpointEgress = { ...one.deps.endpointEgress, send: () => Promise.reject(new Error('killed')) };
    await one.time.run(deliverNow({ ...one.deps, endpointEgress }, webhook, event(1), 'run'));
    expect(await one.stored('live', 1)).toMatchObject({ state: 'pending', tries: 0 });
    await one.sweep();
    expect(one.requests).toHaveLength(0);
    one.time.nowMs += 61_000;
    await one.sweep();
    expect(await one.stored('live', 1)).toMatchObject({ state: 'delivered', tries: 1 });
  });

  it('two sweeps at the same time make one attempt', async () => {
    const one = world();
    const webhook = await one.add('live', { restUntilEpochSec: START / 1000 + 30 });
    await one.deliver(webhook, 1);
    one.time.nowMs += 31_000;
    await Promise.all([one.sweep(), one.sweep()]);
    expect(one.requests).toHaveLength(1);
  });

  it('WH-14: what waits for a disabled endpoint is not tried, and one event reports it however many fail at once', async () => {
    const one = world();
    const webhook = await one.add('gone');
    one.answers.set('https://gone.example.com', () => ({ status: 410 }));
    await one.time.run(Promise.all([1, 2, 3].map((number) => deliverNow(one.deps, webhook, event(number), 'run'))));
    const events = one.memory.ofType('event').filter(({ eventType }) => eventType !== 'WebhookCreated');
    expect(events).toMatchObject([{ eventType: 'WebhookDisabled', cause: 'gone' }]);
    const states = [1, 2, 3].map(async (number) => (await one.stored('gone', number))?.state);
    expect(await Promise.all(states)).toEqual(['waiting', 'waiting', 'waiting']);
    expect((await one.stored('gone', 1))?.attempts).toMatchObject([{ status: 410, error: 'gone' }]);
    one.time.nowMs += DAY * 1000;
    await one.sweep();
    expect(one.requests).toHaveLength(3);
  });

  it('WH-16: the old secret signs for a day after a rotation, and not a second longer', async () => {
    const one = world();
    const before = await one.add('rotated');
    const previousSecretUntilEpochSec = START / 1000 + DAY;
    const webhook = { ...before, encryptedPreviousSecret: before.encryptedSecret, previousSecretUntilEpochSec };
    await one.deliver(webhook, 1);
    one.time.nowMs = START + DAY * 1000;
    await one.deliver(webhook, 2);
    const signatures = one.requests.map(({ request }) => new Map(request.headers).get('webhook-signature'));
    expect(signatures.map((text) => text?.split(' ').length)).toEqual([2, 1]);
  });

  it('WH-17: two rotations overlap, and each former secret signs for its own day', async () => {
    const one = world();
    const webhook = await one.add('rotated');
    const signers = async (row: Webhook, number: number) => {
      await one.deliver(row, number);
      return new Map(one.requests.at(-1)?.request.headers).get('webhook-signature')?.split(' ').length;
    };
    const twice = {
      ...webhook,
      encryptedPreviousSecret: webhook.encryptedSecret,
      previousSecretUntilEpochSec: START / 1000 + DAY + 3600,
      encryptedEarlierSecret: webhook.encryptedSecret,
      earlierSecretUntilEpochSec: START / 1000 + DAY,
    };
    expect(await signers(twice, 1)).toBe(3);
    one.time.nowMs = START + DAY * 1000;
    expect(await signers(twice, 2)).toBe(2);
    one.time.nowMs = START + (DAY + 3600) * 1000;
    expect(await signers(twice, 3)).toBe(1);
  });

  it('WH-13: a dead endpoint with thousands of due deliveries keeps none of 1,000 live ones waiting for a minute', async () => {
    const one = world();
    one.answers.set('https://dead0.example.com', () => 'timeout');
    await one.add('dead0');
    const due = START / 1000;
    const times = { dueAtEpochSec: due, createdAtEpochSec: due };
    const queue = (webhookId: string, number: number) =>
      one.deps.deliveries.put({ ...event(number), webhookId, state: 'pending', tries: 1, attempts: [], ...times });
    for (let number = 0; number < 2_000; number++) await queue('dead0', number);
    for (let i = 1; i <= 1_000; i++) {
      await one.add(`live${i}`);
      await queue(`live${i}`, i);
    }
    const report = await one.sweep();
    expect(report.delivered).toBe(1_000);
    const live = one.requests.filter(({ request }) => request.origin.includes('live'));
    expect(live).toHaveLength(1_000);
    const slowest = Math.max(...live.map(({ atMs }) => atMs - START));
    expect(slowest).toBeLessThan(60_000);
    const dead = one.requests.length - live.length;
    expect(dead).toBeLessThan(20);
    expect(one.counted.filter((text) => text.startsWith('a due'))).toEqual([]);
  });

  it('ends every delivery in one state, whatever the endpoints answer and however often the bus repeats itself', async () => {
    const answer = fc.constantFrom<Answer | 'timeout'>(
      { status: 204 },
      { status: 500 },
      { status: 429, headers: [['retry-after', '90']] },
      'timeout',
      { status: 410 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(5), { maxLength: 12 }),
        async (script, numbers) => {
          const one = world();
          await one.add('odd');
          let turn = 0;
          one.answers.set('https://odd.example.com', () => script[turn++ % script.length] ?? { status: 204 });
          for (const number of numbers) {
            const webhook = await one.deps.webhooks.get({ accountId: 'default', webhookId: 'odd' });
            if (webhook !== undefined) await one.deliver(webhook, number);
          }
          for (let sweep = 0; sweep < 60; sweep++) {
            one.time.nowMs += 3 * 3_600_000;
            await one.sweep();
          }
          for (const row of await one.log('odd')) {
            expect(row.dueAtEpochSec).toBeUndefined();
            expect(row.tries).toBeLessThanOrEqual(10);
            const last = row.attempts.at(-1);
            if (row.state === 'delivered') expect(last?.status).toBe(204);
            else expect(['failed', 'waiting']).toContain(row.state);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
