// @module-tag long
import { BatchGetItemCommand, DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { person } from '../../../dev/bench/lists/people.ts';
import { NOTHING_COUNTED, newCensus } from '../../../lambdas/gateway/connections/census.rules.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { callFaults, connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { listedRowsOf, listedSubject } from '../../../lambdas/gateway/connections/index-rows.rules.ts';
import type { DeathCause } from '../../../lambdas/gateway/core/grant-death.ts';
import { listSortKey } from '../../../lambdas/gateway/core/identifiers.ts';
import { type LifecycleEvent, newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import {
  censusItemKey,
  type ItemKey,
  listedPk,
  searchCheckItemKey,
} from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { changeItem, tableClient } from '../../support/table.ts';
import type { TableCall } from '../../support/table-recorder.ts';
import { useRecordedGateway } from '../../support/use-gateway.ts';

const gateway = useRecordedGateway();
let units: DynamoDBClient;
/** Connections that are there, with their places in the list as ids. */
const all: Connection[] = [];

beforeAll(() => {
  const { dynamodbEndpoint: endpoint, credentials } = gateway.gateway;
  units = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: credentials.operator });
});
afterAll(() => units?.destroy());

const COMMON = 'google-drive';
const RARE = 'google-calendar';
const OLDEST_SEC = Date.parse('2026-01-01T00:00:00Z') / 1000;
const DAY_SEC = 86_400;
/** Connections that are there from the start. */
const FIRST = 200;

/** More connections: of the first few are dead, failing or of the rare integration, of later ones nobody is. */
function more(count: number): Connection[] {
  const from = all.length;
  const made = Array.from({ length: count }, (_, i): Connection => {
    const number = from + i;
    const one = person(number, 10_000, OLDEST_SEC + 400 * DAY_SEC);
    const createdAt = new Date((OLDEST_SEC + number * 60) * 1000).toISOString();
    const isRare = number % 100 === 7;
    const cause: DeathCause = number % 50 === 0 ? 'password_changed' : 'user_revoked';
    const death = one.death === undefined ? undefined : { ...one.death, cause, since: createdAt };
    return {
      ...one,
      ...{ createdAt, updatedAt: createdAt, numericId: (OLDEST_SEC + number * 60) * 1000 * 1024 },
      integrationId: isRare && from === 0 ? RARE : COMMON,
      provider: isRare && from === 0 ? 'google-calendar' : 'google-drive',
      status: death === undefined || from > 0 ? 'active' : 'reauthorization_required',
      death: from > 0 ? undefined : death,
      callFault: from > 0 ? undefined : one.callFault,
    };
  });
  all.push(...made);
  return made;
}

async function put(items: readonly Record<string, unknown>[]): Promise<void> {
  const TableName = gateway.gateway.tableName;
  for (let start = 0; start < items.length; start += 25) {
    const puts = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await tableClient(gateway).send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  }
}

/** Stores connections as an earlier version did, without entry and rows: the walk adds them. */
async function add(count: number): Promise<void> {
  await put(more(count).map(connectionToItem));
  await changeItem(gateway, searchCheckItemKey('default'), { walkedAtEpochSec: 0 });
  await gateway.gateway.tick('refresh');
}

/** Stores connections with their rows. */
async function addWithRows(count: number): Promise<void> {
  const rowsOf = ({ accountId, integrationId, connectionId, ...one }: Connection) =>
    listedRowsOf(listedSubject({ accountId, integrationId, connectionId, ...one })).map(({ list, place }) => ({
      ...{ pk: listedPk(accountId, list), sk: place, type: 'listed', integrationId, connectionId },
    }));
  const made = more(count);
  await put([...made.map(connectionToItem), ...made.flatMap(rowsOf)]);
}

interface Listed {
  readonly connection_id: string;
  readonly provider_config_key: string;
  readonly status: string;
  readonly cause: string | null;
  readonly health: { readonly status: string };
  readonly tags: Readonly<Record<string, string>>;
  readonly end_user: { readonly id: string; readonly organization: { readonly id: string } | null } | null;
}

interface Page {
  readonly connections: readonly Listed[];
  readonly next_cursor: string | null;
  readonly total?: number;
  readonly total_is_complete?: boolean;
}

async function page(query: Readonly<Record<string, string>>): Promise<Page> {
  const { status, body } = await gateway.json('GET', `/connections?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Every page of a list, one after another. @param between called after each page but the last */
async function pages(query: Readonly<Record<string, string>>, between = async () => {}): Promise<Listed[]> {
  const found: Listed[] = [];
  let cursor: string | null = null;
  do {
    const answer: Page = await page({ ...query, ...(cursor === null ? {} : { cursor }) });
    found.push(...answer.connections);
    cursor = answer.next_cursor;
    if (cursor !== null) await between();
  } while (cursor !== null);
  return found;
}

/** Whether the API's own words about a connection fit a query. */
function fits(one: Listed, query: Readonly<Record<string, string>>): boolean {
  return (
    (query.integrationId?.split(',').includes(one.provider_config_key) ?? true) &&
    (query.status === undefined || one.status === query.status) &&
    (query.health === undefined || one.health.status === query.health) &&
    (query['tags[plan]'] === undefined || one.tags.plan === query['tags[plan]']) &&
    (query['tags[ticket]'] === undefined || one.tags.ticket === query['tags[ticket]']) &&
    (query.cause === undefined || one.cause === query.cause) &&
    (query.connectionId === undefined || one.connection_id === query.connectionId) &&
    (query.endUserId === undefined || (one.end_user?.id ?? one.tags.end_user_id) === query.endUserId) &&
    (query.endUserOrganizationId === undefined || one.end_user?.organization?.id === query.endUserOrganizationId)
  );
}

const ids = (list: readonly Listed[]) => list.map(({ connection_id }) => connection_id);

/** What an end user is called by its number, and its organization. */
const endUser = (number: number) => person(number, 10_000, 0).endUser;

const filters = fc.record(
  {
    integrationId: fc.constantFrom(COMMON, RARE, `${COMMON},${RARE}`),
    status: fc.constantFrom('active', 'reauthorization_required'),
    cause: fc.constantFrom('user_revoked', 'password_changed', 'unknown'),
    endUserId: fc.nat(FIRST - 1).map((number) => endUser(number)?.id ?? ''),
    endUserOrganizationId: fc.nat(FIRST - 1).map((number) => endUser(number)?.organization?.id ?? ''),
    health: fc.constantFrom('dead', 'failing'),
    'tags[plan]': fc.constantFrom('free', 'team', 'nobody has this'),
    'tags[ticket]': fc.nat(FIRST - 1).map((number) => person(number, 10_000, 0).tags.ticket ?? ''),
    connectionId: fc.nat(FIRST - 1).map((number) => person(number, 10_000, 0).connectionId),
  },
  { requiredKeys: [] },
);
const ORDERS = ['-created', 'created'] as const;

describe('lists of connections', () => {
  beforeAll(() => add(FIRST));

  const claim = 'a list with any filter, order and size of pages is the filtered whole, and its total counts it';
  test(claim, () => isFilteredWhole(12));
  test(`${claim}, in more cases`, () => isFilteredWhole(40));

  async function isFilteredWhole(numRuns: number): Promise<void> {
    const whole = await pages({ limit: '2000' });
    expect(whole.length).toBeGreaterThan(FIRST);
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom(...ORDERS),
        fc.integer({ min: 1, max: 70 }),
        async (filter, sort, limit) => {
          const expected = ids(whole.filter((one) => fits(one, filter)));
          if (sort === 'created') expected.reverse();
          // Pages of one are many calls: a few of them say the same.
          const size = String(Math.max(limit, Math.ceil(expected.length / 5)));
          expect(ids(await pages({ ...filter, sort, limit: size }))).toEqual(expected);
          const { total, total_is_complete } = await page({ ...filter, limit: '1', include: 'total' });
          expect({ total, total_is_complete }).toEqual({ total: expected.length, total_is_complete: true });
          const second = await page({ ...filter, sort, limit: size, page: '1' });
          expect(ids(second.connections)).toEqual(expected.slice(Number(size), 2 * Number(size)));
        },
      ),
      { numRuns },
    );
  }

  test('a list of what changes between its pages has each connection once: all that stay, and none that never belonged', async () => {
    const table = { client: tableClient(gateway), tableName: gateway.gateway.tableName, onUnreadable: () => {} };
    const store = connectionStore(table);
    const nowSec = Math.floor(Date.now() / 1000);
    const lease = async (row: Connection) => {
      const asked = { owner: 'test', attemptId: String(row.epoch), attemptHash: 'x', nowEpochSec: nowSec };
      const result = await store.takeLease(row, { ...asked, expiresAtEpochSec: nowSec + 60, evenIfDead: true });
      if (!result.taken) throw new Error('The lease was refused');
      return result.lease;
    };
    const event = (row: Connection, type: LifecycleEvent['eventType']) =>
      newEvent(systemClock, systemRandom, type, {
        subject: { accountId: row.accountId, integrationId: row.integrationId, connectionId: row.connectionId },
        sequence: row.sequence + 1,
        endUserId: row.endUser?.id,
        requestId: 'test',
      });
    /** A living connection dies and a dead one lives again, by the writes of the refresh. */
    const turn = async ({ connection_id: connectionId, provider_config_key: integrationId }: Listed) => {
      const row = await store.read({ accountId: 'default', integrationId, connectionId });
      if (row === undefined) throw new Error('No such connection');
      const held = await lease(row);
      const death = all.find((one) => one.death?.cause === 'user_revoked')?.death;
      if (row.death === undefined && death !== undefined) {
        expect(await store.markDead(row, held, death, event(row, 'ConnectionReauthorizationRequired'))).toBe(true);
        return;
      }
      const tokens = {
        ...{ encryptedAccessToken: 'v1.0.x', encryptedRefreshToken: undefined, tokenPrints: row.tokenPrints },
        grantedScopes: row.grantedScopes,
        ...{ accessTokenExpiresAtEpochSec: nowSec + 3600, refreshAtEpochSec: nowSec + 3000, nowEpochSec: nowSec },
      };
      expect(await store.storeTokens(row, held, tokens, [event(row, 'ConnectionRecovered')])).toBe(true);
    };
    const before = (await pages({ limit: '2000' })).filter(({ connection_id }) => connection_id.startsWith('conn-'));
    for (const filter of [
      { status: 'reauthorization_required' },
      { cause: 'user_revoked', integrationId: COMMON },
    ] as const) {
      const start = (await pages({ limit: '2000' })).filter(({ connection_id }) => connection_id.startsWith('conn-'));
      const turned = new Set<string>();
      const seen = await pages({ ...filter, limit: '3' }, async () => {
        for (const one of [
          start.find((row) => row.status === 'active' && !turned.has(row.connection_id)),
          start.findLast((row) => row.cause === 'user_revoked' && !turned.has(row.connection_id)),
        ]) {
          if (one === undefined) continue;
          turned.add(one.connection_id);
          await turn(one);
        }
      });
      const found = ids(seen);
      expect(turned.size).toBeGreaterThan(4);
      expect(new Set(found).size).toBe(found.length);
      const staying = ids(start.filter((one) => fits(one, filter))).filter((id) => !turned.has(id));
      expect(found.filter((id) => !turned.has(id))).toEqual(staying);
      const { total } = await page({ ...filter, limit: '1', include: 'total' });
      expect(total).toBe((await pages({ limit: '2000' })).filter((one) => fits(one, filter)).length);
    }
    expect(before).not.toEqual([]);
  });

  test('a connection that gets another end user, or is deleted, leaves the lists it was in', async () => {
    const [, one] = (await pages({ limit: '2000', integrationId: COMMON })).filter(
      ({ status, connection_id }) => status === 'active' && connection_id.startsWith('conn-'),
    );
    const path = `/connections/${one?.connection_id}?provider_config_key=${COMMON}`;
    const found = async (query: Record<string, string>) =>
      page({ ...query, limit: '1', include: 'total' }).then(({ connections, total }) => [ids(connections), total]);
    const body = { end_user: { id: 'Somebody else' }, organization: { id: 'Elsewhere' } };
    expect((await gateway.json('PATCH', path, body)).status).toBe(200);
    expect(await found({ endUserId: one?.end_user?.id ?? '' })).toEqual([[], 0]);
    expect(await found({ endUserId: 'Somebody else' })).toEqual([[one?.connection_id], 1]);
    expect(await found({ endUserOrganizationId: 'Elsewhere' })).toEqual([[one?.connection_id], 1]);
    expect((await gateway.call(`${path}&revoke=false`, { method: 'DELETE' })).status).toBe(200);
    expect(await found({ endUserId: 'Somebody else' })).toEqual([[], 0]);
    expect(await found({ endUserOrganizationId: 'Elsewhere' })).toEqual([[], 0]);
  });

  test('a connection is among the failing from the first refusal that is noted until its calls work again', async () => {
    const table = { client: tableClient(gateway), tableName: gateway.gateway.tableName, onUnreadable: () => {} };
    const faults = callFaults(table);
    const row = all.find(({ status, callFault }) => status === 'active' && callFault === undefined);
    const connection = row === undefined ? undefined : await connectionStore(table).read(row);
    if (connection === undefined) throw new Error('No living connection');
    const failing = async () => ids((await page({ health: 'failing' })).connections);
    const before = await failing();
    const fault = { status: 403, reason: 'insufficientPermissions', sinceEpochSec: 1 };
    await faults.mark(connection, fault);
    await faults.mark(connection, { ...fault, sinceEpochSec: 2 });
    expect((await failing()).toSorted()).toEqual([...before, connection.connectionId].toSorted());
    expect((await page({ health: 'failing', limit: '1', include: 'total' })).total).toBe(before.length + 1);
    await faults.clear(connection, '2026-03-01T12:00:00.000Z');
    expect(await failing()).toEqual(before);
    const list = { kind: 'FAILING', value: '' } as const;
    const Key = { pk: listedPk('default', list), sk: listSortKey(connection) };
    const { Item } = await table.client.send(new GetCommand({ TableName: table.tableName, Key }));
    expect(Item).toMatchObject({ left: true, expiresAtEpochSec: expect.any(Number) });
  });

  test('a list with its total asks at most once whether lists are complete, and at most once for the count of all', async () => {
    const asking: readonly { query: Record<string, string>; complete: number; counted: number }[] = [
      { query: { status: 'reauthorization_required' }, complete: 1, counted: 1 },
      { query: { integrationId: RARE }, complete: 1, counted: 1 },
      { query: { status: 'active', integrationId: COMMON }, complete: 1, counted: 1 },
      { query: { endUserId: endUser(150)?.id ?? '' }, complete: 1, counted: 0 },
      { query: { sort: 'name' }, complete: 0, counted: 1 },
    ];
    for (const { query, complete, counted } of asking) {
      const before = gateway.recorder.calls.length;
      await page({ ...query, limit: '20', include: 'total' });
      const asked = gateway.recorder.calls.slice(before).map(({ request }) => JSON.stringify(request));
      const times = ({ pk, sk }: ItemKey) =>
        asked.filter((request) => request.includes(JSON.stringify({ pk: { S: pk }, sk: { S: sk } }))).length;
      const read = { complete: times(searchCheckItemKey('default')), counted: times(censusItemKey('default')) };
      expect(read, JSON.stringify(query)).toEqual({ complete, counted });
    }
  });

  test('a list of something rare reads as much of a table however many connections it has', async () => {
    const rare: readonly Record<string, string>[] = [
      { endUserId: endUser(150)?.id ?? '' },
      { integrationId: RARE },
      { cause: 'password_changed' },
      { status: 'reauthorization_required' },
      { health: 'dead' },
      { health: 'failing' },
      { 'tags[ticket]': 'T-100150' },
      { connectionId: person(150, 10_000, 0).connectionId },
      { sort: 'name' },
      {},
    ];
    const measured = async () => {
      const of: Record<string, unknown> = {};
      for (const query of rare) {
        const before = gateway.recorder.calls.length;
        await page({ ...query, limit: '20', include: 'total' });
        // A process keeps the caller's key and data keys for a while, and a busy gateway starts another process.
        const calls = gateway.recorder.calls
          .slice(before)
          .filter(({ request }) => !/"(?:DATA)?KEY(?:OF)?#/.test(JSON.stringify(request)));
        of[JSON.stringify(query)] = await readUnits(calls);
      }
      return of;
    };
    // A count of all connections that says the list by name is long.
    const counted = {
      ...NOTHING_COUNTED,
      active: 100_000,
      countedAtEpochSec: 1,
      from: { day: '2026-01-01', changes: {} },
    };
    await put([{ ...censusItemKey('default'), type: 'census', ...newCensus('default'), version: 1, counted }]);
    const few = await measured();
    await addWithRows(300);
    expect(await measured()).toEqual(few);
  });
});

/** What calls of the table read: its own account of the same calls, asked once more. */
async function readUnits(calls: readonly TableCall[]): Promise<{ units: number; items: number }> {
  let read = 0;
  let items = 0;
  for (const { operation, request } of calls) {
    // biome-ignore lint/suspicious/noExplicitAny: a request as the SDK made it
    const asked = { ...request, ReturnConsumedCapacity: 'TOTAL' } as any;
    if (operation === 'Query') {
      const { ConsumedCapacity, ScannedCount = 0 } = await units.send(new QueryCommand(asked));
      read += ConsumedCapacity?.CapacityUnits ?? Number.NaN;
      items += ScannedCount;
    } else if (operation === 'GetItem') {
      read += (await units.send(new GetItemCommand(asked))).ConsumedCapacity?.CapacityUnits ?? Number.NaN;
      items++;
    } else if (operation === 'BatchGetItem') {
      const { ConsumedCapacity = [], Responses = {} } = await units.send(new BatchGetItemCommand(asked));
      for (const { CapacityUnits = Number.NaN } of ConsumedCapacity) read += CapacityUnits;
      items += Object.values(Responses).flat().length;
    }
  }
  return { units: read, items };
}
