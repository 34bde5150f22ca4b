import { expect } from 'vitest';
import { WEBHOOKS_MAX } from '../../../lambdas/features/webhooks/limits.rules.ts';
import { quietNowMs } from '../../support/quiet-time.ts';
import { changeItem } from '../../support/table.ts';
import type { Endpoint } from '../support/endpoint.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, type Subject, THROTTLED, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';
import { describeConnection, triggerOf } from './events.ts';

const TYPES = ['ConnectionUpdated'];
const LIVE = WEBHOOKS_MAX - 1;
const EVENTS = 3;

const writes = {
  queue: ({ caller, operation, body }: AwsCall) =>
    caller === 'deliver' && operation === 'PutItem' && body.includes('DELIVERY#'),
  settle: ({ caller, operation, body }: AwsCall) =>
    caller === 'deliver' && operation === 'UpdateItem' && body.includes('attempts = :attempts'),
} as const;

/** Receivers, processes and services that fail while webhooks are delivered; for worlds with rules. */
export const deliveryRows: readonly FaultRow[] = [
  {
    id: 'F109',
    claim:
      'a receiver that fails, resets, refuses, redirects or hangs gets the same message again, and takes it once when it is back',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const receiver = await world.receiver();
      const endpoint = await world.endpoint('/faulty', TYPES);
      const row = { pk: 'ACCOUNT#default', sk: `WEBHOOK#${endpoint.id}` };
      const [eventId] = await failing(world, subject, endpoint, (response) => response.writeHead(503).end());
      const seen = [await attemptsOf(endpoint, eventId)];
      const again = async (prepare: () => unknown, repair: () => unknown = () => {}) => {
        await prepare();
        await endpoint.letTimePass();
        await world.gateway.gateway.tick('deliver');
        await repair();
        seen.push(await attemptsOf(endpoint, eventId));
      };
      await again(() => receiver.answer('/faulty', (response) => response.socket?.resetAndDestroy()));
      const url = `${receiver.address}/faulty`;
      await again(
        () => changeItem(world.gateway, row, { url: 'http://127.0.0.1:1/faulty' }),
        () => changeItem(world.gateway, row, { url }),
      );
      await again(() =>
        receiver.answer('/faulty', (response) => response.writeHead(307, { location: '/elsewhere' }).end()),
      );
      await again(() => receiver.answer('/faulty', () => {}));
      receiver.answer('/faulty', (response) => response.writeHead(204).end());
      expect(seen).toEqual([1, 2, 3, 4, 5]);
      expect(receiver.messages.some(({ path }) => path === '/elsewhere')).toBe(false);
      expect(new Set(endpoint.messages().map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]));
    },
  },
  {
    id: 'F110',
    claim: `a dead endpoint among ${LIVE} live ones delays none of their ${LIVE * EVENTS} messages`,
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const receiver = await world.receiver();
      const dead = await world.endpoint('/dead', TYPES);
      const live: Endpoint[] = [];
      for (let i = 0; i < LIVE; i++) live.push(await world.endpoint(`/live-${i}`, TYPES));
      receiver.answer('/dead', () => {});
      const startedMs = quietNowMs();
      for (let i = 0; i < EVENTS; i++) await describeConnection(world, subject, `event ${i}`);
      const taken = () => live.every((one) => one.messages().filter(({ status }) => status === 204).length === EVENTS);
      await until('every live endpoint has every message', taken);
      expect(quietNowMs() - startedMs).toBeLessThan(9_000);
      expect(dead.messages().every(({ status }) => status === undefined)).toBe(true);
      // Its time-outs are on record before it answers again: what is sent twice would be of its own making.
      await until(
        'the dead one has failed',
        async () => (await dead.deliveries()).every(({ tries }) => tries === 1),
        30_000,
      );
      receiver.answer('/dead', (response) => response.writeHead(204).end());
    },
  },
  {
    id: 'F111',
    claim:
      'a delivery whose process dies before the answer is sent again when its claim is over; behind the answer, at most once more under its id',
    runs: 'test',
    spareDeliveries: 1,
    async run(world) {
      const subject = await world.connect({ expired: false });
      const receiver = await world.receiver();
      const endpoint = await world.endpoint('/killed', TYPES);
      receiver.answer('/killed', () => {});
      await describeConnection(world, subject, 'never answered');
      await until('the message is there', () => endpoint.messages().length === 1);
      await world.killBusy('deliver');
      receiver.answer('/killed', (response) => response.writeHead(204).end());
      const settling = world.table.add(writes.settle, { kind: 'hold', side: 'before' });
      await describeConnection(world, subject, 'answered and not noted');
      await settling.met;
      await world.killBusy('deliver');
      settling.release('drop');
      expect((await endpoint.deliveries()).map(({ state, tries }) => [state, tries])).toEqual([
        ['pending', 0],
        ['pending', 0],
      ]);
      await world.gateway.gateway.tick('deliver');
      expect(endpoint.messages(), 'claims hold').toHaveLength(2);
    },
  },
  {
    id: 'F112',
    claim:
      'an event that the bus brings three times is sent once; one that could not be stored is sent when the bus brings it again',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const endpoint = await world.endpoint('/repeated', TYPES);
      triggerOf(world).repeat = 2;
      await describeConnection(world, subject, 'three times');
      await until('it came', () => endpoint.messages().length === 1);
      triggerOf(world).repeat = 0;
      const queueing = world.table.add(writes.queue, THROTTLED, 1_000);
      await describeConnection(world, subject, 'cannot be stored');
      await queueing.met;
      const isFree = () =>
        world.gateway.gateway
          .children()
          .every(({ functionName, state }) => functionName !== 'deliver' || state === 'idle');
      await until('the function has failed', isFree);
      expect(await endpoint.deliveries()).toHaveLength(1);
      world.table.clear();
      const event = world.gateway.gateway.events.findLast((one) => one['detail-type'] === 'ConnectionUpdated');
      if (event === undefined) throw new Error('The bus has no such event');
      await world.gateway.gateway.tick('deliver', { ...event });
      await until('it came, too', () => endpoint.messages().length === 2);
    },
  },
  {
    id: 'F114',
    claim: 'without the key service nothing is sent unsigned; deliveries wait and go out when it is back',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const endpoint = await world.endpoint('/unsigned', TYPES);
      await world.restart('deliver');
      const { kms } = world.gateway.gateway.switches;
      Object.assign(kms, { disabled: true });
      await describeConnection(world, subject, 'cannot be signed');
      await until('it is queued', async () => (await endpoint.deliveries()).length === 1);
      await endpoint.letTimePass();
      await world.gateway.gateway.tick('deliver');
      expect(await endpoint.deliveries()).toMatchObject([{ state: 'pending', tries: 0 }]);
      expect(endpoint.messages()).toEqual([]);
      Object.assign(kms, { disabled: false });
      await endpoint.letTimePass();
      await world.gateway.gateway.tick('deliver');
      expect(await endpoint.deliveries()).toMatchObject([{ state: 'delivered' }]);
    },
  },
];

/** Causes one event while the endpoint answers so. @returns the event's id */
async function failing(
  world: FaultWorld,
  subject: Subject,
  endpoint: Endpoint,
  answer: Parameters<Awaited<ReturnType<FaultWorld['receiver']>>['answer']>[1],
): Promise<[eventId: string]> {
  (await world.receiver()).answer(endpoint.path, answer);
  await describeConnection(world, subject, 'told to a receiver in trouble');
  await until('the first attempt is noted', async () => (await endpoint.deliveries())[0]?.tries === 1);
  return [String((await endpoint.deliveries())[0]?.eventId)];
}

async function attemptsOf(endpoint: Endpoint, eventId: string): Promise<number | undefined> {
  return (await endpoint.deliveries()).find((delivery) => delivery.eventId === eventId)?.tries;
}
