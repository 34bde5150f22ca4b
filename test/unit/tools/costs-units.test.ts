import { describe, expect, test } from 'vitest';
import { person } from '../../../dev/bench/lists/people.ts';
import { CLIENT_ID, cipher, INTEGRATION, idleConnection } from '../../../dev/bench/sweep/fixtures.ts';
import { fake } from '../../../dev/support/fake.ts';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { storedBytes, TableUnits } from '../../../dev/support/table-units.ts';
import { type Approval, approvalId } from '../../../lambdas/features/approvals/approval.rules.ts';
import { approvalStore, approvalUpkeep } from '../../../lambdas/features/approvals/approval.store.ts';
import {
  openPlan,
  openResult,
  sealAbout,
  sealRequest,
  sealResult,
} from '../../../lambdas/features/approvals/held-request.ts';
import { answerCalls } from '../../../lambdas/features/feeds/answer-calls.ts';
import { type FeedSettings, feedDueAt } from '../../../lambdas/features/feeds/feed.rules.ts';
import { feedStore, feedToItem } from '../../../lambdas/features/feeds/feed.store.ts';
import { feedOfItemKey } from '../../../lambdas/features/feeds/feed-keys.store.ts';
import { feedPlaces } from '../../../lambdas/features/feeds/feed-places.store.ts';
import { feedQuota } from '../../../lambdas/features/feeds/feed-quota.store.ts';
import { workOnFeed } from '../../../lambdas/features/feeds/work-on-feed.ts';
import { newDelivery } from '../../../lambdas/features/webhooks/deliver.ts';
import { deliveryStore } from '../../../lambdas/features/webhooks/delivery.store.ts';
import { callTotals } from '../../../lambdas/gateway/calls/call-totals.store.ts';
import { Pacing } from '../../../lambdas/gateway/calls/pacing.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { writeConnection } from '../../../lambdas/gateway/connections/connection-write.store.ts';
import { BoundedCache } from '../../../lambdas/gateway/core/bounded-cache.ts';
import { DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';
import { dueShardOf, keptPrints, keyIdOf, sha256Hex, ulid } from '../../../lambdas/gateway/core/identifiers.ts';
import { USE_NOTE_INTERVAL_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { auditTrail } from '../../../lambdas/gateway/events/event.store.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { integrationStore } from '../../../lambdas/gateway/integrations/integration.store.ts';
import { integrationToItem } from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import { systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import type { UpstreamPlan } from '../../../lambdas/gateway/proxying/upstream-request.rules.ts';
import { accessTokenContext, refreshTokenContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { consentLog } from '../../../lambdas/gateway/tokens/consent-log.store.ts';
import { DEFAULT_REFRESH_POLICY, refreshTiming } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { LeaseHolderDependencies } from '../../../lambdas/gateway/tokens/lease.ts';
import { ConnectionRefresher, LeaseHolder } from '../../../lambdas/gateway/tokens/refresher.ts';
import { refreshStores } from '../../../lambdas/gateway/wiring.ts';
import { mirroredTags } from '../../../lambdas/management/connections/update-description.ts';
import { refreshDueConnections } from '../../../lambdas/refresh/sweep.ts';
import { millionMessages, millionRefreshes, refreshesPerMonth } from '../../../packages/cli/costs/cost-model.ts';
import { ASSUMPTIONS as A, PRICES as P } from '../../../packages/cli/costs/prices.ts';
import { aboutOf } from '../features/approvals/scenes.ts';
import { DrivesWorld } from '../features/feeds/support/drives-world.ts';
import { FolderWorld, ROOT } from '../features/feeds/support/folder-world.ts';
import { StartsWorld } from '../features/feeds/support/starts-world.ts';
import { World } from '../features/feeds/support/world.ts';
import { managementGateway } from '../management/support/gateway.ts';
import { endpointsAt } from '../support/google.ts';

const REFRESH_TOKEN = `1//${'r'.repeat(100)}`;
const ACCESS_TOKEN = `ya29.${'a'.repeat(200)}`;
const DAY_SEC = 86_400;
const DAYS_A_MONTH = A.monthSec / DAY_SEC;
const MIDNIGHT_SEC = Date.UTC(2026, 2, 2) / 1000;
const CLOCK = { nowMs: () => MIDNIGHT_SEC * 1000 };
const UUID = '3f0c2a8e-7b1d-4c5e-9f00-a1b2c3d4e5f6';
const SCOPES = [
  'openid',
  'https://www.googleapis.com/auth/userinfo.email',
  'https://www.googleapis.com/auth/drive.readonly',
];
/** Connections of the day: they share its table, and nothing else. */
const CONNECTIONS = 5;

/** A table whose calls are counted. */
function countedTable() {
  const memory = new MemoryTable();
  const units = new TableUnits();
  memory.units = units;
  return { memory, units };
}

/** What something takes of the table. */
async function unitsOf(units: TableUnits, work: () => Promise<unknown>) {
  const { written, readItems, queried } = units;
  await work();
  return { written: units.written - written, read: units.readItems - readItems, queried: units.queried - queried };
}

/** A connection of a person as it is in the table, with tokens as long as Google's. */
async function personsConnection(number: number, dueAtSec: number): Promise<Connection> {
  const { endUser, providerAccount } = person(number, 1_000, MIDNIGHT_SEC);
  const connectionId = `3f0c2a8e-7b1d-4c5e-9f00-${String(number).padStart(12, '0')}`;
  const row = { ...idleConnection(number, dueAtSec), connectionId, endUser, providerAccount };
  return {
    ...row,
    tags: mirroredTags({}, endUser),
    requestedScopes: SCOPES,
    grantedScopes: SCOPES,
    encryptedAccessToken: await cipher.encrypt(accessTokenContext(row), ACCESS_TOKEN),
    encryptedRefreshToken: await cipher.encrypt(refreshTokenContext(row), REFRESH_TOKEN),
    tokenPrints: keptPrints(REFRESH_TOKEN, true),
  };
}

function people(): Promise<Connection[]> {
  return Promise.all(
    Array.from({ length: CONNECTIONS }, (_, number) => personsConnection(number, MIDNIGHT_SEC + number * 240)),
  );
}

/** Connections of people, with everything that is written when one is made. */
async function connectedPeople(changes: Partial<Connection> = {}) {
  const counted = countedTable();
  const { memory } = counted;
  memory.put(integrationToItem(INTEGRATION));
  const rows = await people();
  for (const row of rows) {
    const after = { ...row, ...changes };
    const created = newEvent(CLOCK, systemRandom, 'ConnectionCreated', {
      subject: { accountId: row.accountId, integrationId: row.integrationId, connectionId: row.connectionId },
      sequence: 1,
      endUserId: after.endUser?.id,
      health: 'not_used_yet',
      requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
      actor: 'session:216a9fad5515',
    });
    await writeConnection(memory.table, { happened: { kind: 'saved' }, before: undefined, after, events: [created] });
  }
  return { ...counted, rows };
}

/** The real sweep under a clock that goes from one due entry to the next, with a provider whose tokens live for an hour. */
function sweeping(memory: MemoryTable, rows: readonly Connection[]) {
  const shards = [...new Set(rows.map((row) => dueShardOf(row, DUE_SHARDS)))];
  let ticks = 0;
  const { table } = memory;
  let nowMs = MIDNIGHT_SEC * 1000;
  let refreshes = 0;
  const refresh = async () => {
    refreshes += 1;
    const body = JSON.stringify({ access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3599 });
    return { kind: 'answered', response: { status: 200, body, retryAfter: undefined } } as const;
  };
  const nothing = () => undefined;
  const deps = {
    ...refreshStores({ table }),
    connections: connectionStore(table),
    integrations: integrationStore(table),
    consents: consentLog(table),
    credentials: {
      get: async () => ({ clientId: CLIENT_ID, clientSecret: 'secret', previousClientSecret: undefined }),
    },
    tokenEndpoint: fake<LeaseHolderDependencies['tokenEndpoint']>({ refresh }),
    endpointsOf: () => endpointsAt({}),
    cipher,
    clock: { nowMs: () => nowMs },
    random: systemRandom,
    metrics: { count: nothing },
    logger: { info: nothing, warn: nothing, error: nothing },
    timing: refreshTiming(),
    refreshPolicy: DEFAULT_REFRESH_POLICY,
  };
  const refresher = new ConnectionRefresher({ ...deps, holder: new LeaseHolder(deps), owner: 'process' });
  const nextDueSec = () =>
    Math.min(...memory.ofType('connection').map(({ refreshAt }) => Number(refreshAt ?? Number.POSITIVE_INFINITY)));
  return {
    deps,
    refreshes: () => refreshes,
    ticks: () => ticks,
    /** Ticks of each minute in which something is due, until a time. */
    async until(endSec: number) {
      for (let dueSec = nextDueSec(); dueSec < endSec; dueSec = nextDueSec()) {
        nowMs = Math.max(nowMs, Math.ceil(dueSec / 60) * 60_000);
        ticks += 1;
        await refreshDueConnections(
          { ...deps, refresher, deathsInARow: new BoundedCache(1) },
          { shards: [...shards], count: 1, isHeld: () => true },
          nowMs + 60_000,
          'r',
        );
      }
      nowMs = endSec * 1000;
    },
  };
}

/** A feed of a person's calendar. */
const GROUP_CALENDAR = 'calendar:c_188ffa2e4b3e8i5lkq0v7dl9p4m2c@group.calendar.google.com';

function watchedCalendar(resource = GROUP_CALENDAR, settings: Partial<FeedSettings> = {}) {
  return watched(new World(resource, settings), 'google-calendar');
}

/** A feed of all that somebody sees, with so many shared drives. */
function watchedDrives(count: number) {
  const world = new DrivesWorld();
  world.members.clear();
  for (let number = 0; number < count; number++)
    world.members.add(`0AKf2b9QzXw${String(number).padStart(2, '0')}Uk9PVA`);
  return watched(world, 'google-drive');
}

/** A feed with its connection, worked on by the real code over the counted table, and a consumer of it. */
async function watched<Watched extends World>(world: Watched, provider: 'google-calendar' | 'google-drive') {
  const units = new TableUnits();
  world.memory.units = units;
  const { table } = world.memory;
  const row = { ...(await personsConnection(1, MIDNIGHT_SEC)), provider };
  const { accountId, integrationId, connectionId, endUser, providerAccount } = row;
  world.account = providerAccount?.subject ?? '';
  const connection = { accountId, integrationId, connectionId };
  world.memory.put(feedToItem({ ...world.feed, connection, endUserId: endUser?.id }));
  world.memory.put(integrationToItem({ ...INTEGRATION, provider }));
  world.memory.put(connectionToItem({ ...row, accessTokenExpiresAtEpochSec: MIDNIGHT_SEC + 30 * DAY_SEC }));
  const moveCursor = (sequence: number) =>
    feedStore(table).moveCursor(world.ref, { name: 'mirror', sequence, movedAt: new Date(world.nowMs).toISOString() });
  await moveCursor(0);
  const work = (starts = false) =>
    workOnFeed(
      {
        ...world.dependencies(),
        cipher,
        connections: connectionStore(table),
        integrations: integrationStore(table),
        quota: feedQuota(table, PROVIDERS, 20),
      },
      world.ref,
      { requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef', deadlineMs: world.nowMs + 60_000, starts },
    );
  const consume = () => moveCursor(world.feed.sequence);
  await work();
  return { world, units, work, consume };
}

/** Within 5 % of what was counted. */
function expectCounted(assumed: number, counted: number): void {
  expect(assumed / counted).toBeGreaterThan(0.95);
  expect(assumed / counted).toBeLessThan(1.05);
}

/** KB that items of a type take on average, with their entries in indexes. */
function storedKb(memory: MemoryTable, type: string): number {
  const items = memory.ofType(type);
  return items.reduce((sum, item) => sum + storedBytes(item), 0) / items.length / 1000;
}

describe('connections, by the units that a simulated day of them takes', () => {
  test('connections, by the units that a simulated day of them takes are refreshed as often, and at the price, that docs/costs.md says', async () => {
    const { memory, units, rows } = await connectedPeople();
    const { table } = memory;
    const sweep = sweeping(memory, rows);
    const morningSec = MIDNIGHT_SEC + 9 * 3600;
    const sweeps = [await unitsOf(units, () => sweep.until(morningSec))];
    let notes = 0;
    let noted = 0;
    for (let atSec = morningSec; atSec < morningSec + 3600; atSec += USE_NOTE_INTERVAL_SEC) {
      sweeps.push(await unitsOf(units, () => sweep.until(atSec)));
      for (const row of rows) {
        const current = await connectionStore(table).read(row);
        if (current?.refreshAtEpochSec === undefined) throw new Error('The connection is no longer refreshed');
        const { refreshAtEpochSec } = current;
        const note = () => connectionStore(table).noteUse(current, atSec, refreshAtEpochSec);
        noted += (await unitsOf(units, note)).written;
        notes += 1;
      }
    }
    sweeps.push(await unitsOf(units, () => sweep.until(MIDNIGHT_SEC + DAY_SEC)));
    const refreshes = sweep.refreshes();
    expectCounted(refreshesPerMonth(true) / DAYS_A_MONTH, refreshes / CONNECTIONS);
    const { 'DynamoDB writes': writes = 0, 'DynamoDB reads': reads = 0 } = millionRefreshes();
    const written = sweeps.reduce((sum, one) => sum + one.written, 0);
    expectCounted(writes / 1e6, (written / refreshes) * P.writeUnit);
    // Each tick reads the integration once, which here seldom has a second connection.
    const read = sweeps.reduce((sum, one) => sum + one.read, 0) - sweep.ticks();
    expectCounted(reads / 1e6, (read / refreshes) * P.readUnit);
    expectCounted(A.useNoteWriteUnits, noted / notes);
  });

  test('connections that nobody uses are kept alive as often as docs/costs.md says', async () => {
    const { memory, rows } = await connectedPeople({ lastUsedAtEpochSec: undefined });
    const sweep = sweeping(memory, rows);
    await sweep.until(MIDNIGHT_SEC + DAY_SEC);
    const first = sweep.refreshes();
    expect(first).toBe(CONNECTIONS);
    await sweep.until(MIDNIGHT_SEC + 720 * DAY_SEC);
    const counted = (sweep.refreshes() - first) / CONNECTIONS;
    expectCounted((720 / DAYS_A_MONTH) * refreshesPerMonth(false), counted);
  });

  test('connections, by the units that a simulated day of them takes take the room that docs/costs.md says, with their rows of lists, their entry in the search and an event', async () => {
    const { memory, rows } = await connectedPeople();
    await sweeping(memory, rows).until(MIDNIGHT_SEC + 3600);
    expectCounted(A.connectionKb, storedKb(memory, 'connection'));
    expect(A.listedRows).toBe(memory.ofType('listed').length / CONNECTIONS);
    expectCounted(A.listedRowKb, storedKb(memory, 'listed'));
    const entries = memory.ofType('search_bucket').map(({ entries }) => String(entries));
    expectCounted(A.searchEntryKb, Buffer.byteLength(entries.join('\n')) / 1000 / CONNECTIONS);
    expectCounted(A.eventKb, storedKb(memory, 'event'));
  });

  test('connections, by the units that a simulated day of them takes write as many units for their rows of lists as docs/costs.md says when they are made', async () => {
    const { memory, units } = countedTable();
    const [row] = await people();
    if (row === undefined) throw new Error('Nobody');
    const make = () => writeConnection(memory.table, { happened: { kind: 'saved' }, before: undefined, after: row });
    const made = await unitsOf(units, make);
    const others = units.of('connection') + units.of('search_bucket') + units.of('changes');
    expect(made.written - others).toBe(A.listedRows * A.listedRowWriteUnits);
    expect(units.of('changes')).toBe(A.changeCountWriteUnits);
  });
});

describe('a feed, by the units that a simulated week of it takes', () => {
  test('costs what the function that makes its calls reads for each', async () => {
    const { memory, units } = countedTable();
    const { table } = memory;
    const ref = { accountId: 'default', integrationId: 'google-drive', connectionId: 'c-1' };
    memory.put({ ...feedOfItemKey(ref, 'drive'), type: 'feed_place', accountId: 'default', feedId: 'f-1' });
    const operation = answerCalls({
      places: feedPlaces(table),
      connections: connectionStore(table),
      integrations: integrationStore(table),
      callerFor: () => ({ call: () => Promise.reject(new Error('There is no connection')) }),
      clock: { nowMs: Date.now },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    });
    const call = { ...ref, feedId: 'f-1', resource: 'drive', wish: { kind: 'list', token: 't' } };
    const ask = () => operation({ calls: [call] }, { requestId: 'r-1', waitUntil: () => {} }, () => {});
    const { written, readItems } = units;
    const answer = await ask();
    expect(Buffer.from(answer.body as Uint8Array).toString()).toContain('connection_gone');
    expectCounted(A.pullInCoreReadUnits, units.readItems - readItems);
    expect(units.written).toBe(written);
  });

  test('costs what docs/costs.md says, quiet and with messages', async () => {
    const { world, units, work, consume } = await watchedCalendar();
    const inbox = { written: 0, read: 0 };
    const pulls = { written: 0, read: 0 };
    for (let pull = 0; pull < 10; pull++) {
      world.pass(600);
      for (let message = 0; message < A.messagesPerPull; message++) {
        world.change(`${pull}${message}9t5klqcvbc2i3ai2l5jkj7o1`);
        add(inbox, await unitsOf(units, () => world.deliver(0, { wake: false })));
      }
      world.pass(3);
      add(pulls, await unitsOf(units, work));
      await consume();
    }
    const messages = 10 * A.messagesPerPull;
    const parts = millionMessages();
    const perMillion = 1e6 / messages;
    expectCounted(parts['DynamoDB writes'] ?? 0, (inbox.written + pulls.written) * perMillion * P.writeUnit);
    expectCounted(parts['DynamoDB reads'] ?? 0, (inbox.read + pulls.read) * perMillion * P.readUnit);
    expectCounted(A.feedBatchKb, storedKb(world.memory, 'event'));

    // A week in which nothing happens: pulls each six hours, and a channel that is replaced.
    const began = world.calls.length;
    const quiet = { written: 0, read: 0 };
    for (let hour = 0; hour < 7 * 24; hour++) {
      world.pass(3600);
      if (world.feed.pullAtEpochSec * 1000 <= world.nowMs) add(quiet, await unitsOf(units, work));
    }
    const asked = world.calls.slice(began).map(({ path }) => path);
    const watches = asked.filter((path) => path.endsWith('/watch')).length;
    const safetyPulls = asked.filter((path) => path.includes('syncToken')).length;
    expect([watches, safetyPulls]).toEqual([1, 28]);
    const assumed = safetyPulls * A.emptyPullWriteUnits + watches * A.channelWriteUnits;
    expectCounted(assumed, quiet.written);
    expectCounted(safetyPulls * A.emptyPullReadUnits, quiet.read);
    expectCounted(
      A.feedKb,
      ['feed', 'feed_place', 'feed_mark', 'feed_cursor', 'channel'].reduce(
        (sum, type) => sum + storedKb(world.memory, type),
        0,
      ),
    );
  });
});

describe('a call that a person approves', () => {
  test('takes what its rows, steps and events are', async () => {
    const { memory, units } = countedTable();
    const { table } = memory;
    const clock = { nowMs: () => MIDNIGHT_SEC * 1000 };
    const store = approvalStore(table, table);
    const upkeep = approvalUpkeep(table, table);
    const ref = { accountId: 'default', integrationId: 'google-drive', connectionId: UUID };
    const keyHash = sha256Hex('key');
    const place = { accountId: 'default', keyId: keyIdOf({ keyHash }), ulid: ulid(clock.nowMs(), Buffer.alloc(10)) };
    const body = Buffer.from(JSON.stringify({ trashed: true }));
    const target = `/drive/v3/files/${'f'.repeat(33)}?supportsAllDrives=true&fields=id%2Cname%2CmimeType%2Ctrashed`;
    const plan: UpstreamPlan = {
      ...{ origin: 'https://www.googleapis.com', method: 'PATCH', effectiveMethod: 'PATCH', target, body },
      headers: [['content-type', 'application/json'] as const, ['accept', '*/*'] as const],
    };
    const approval: Approval = {
      ...{ ...ref, ...place, keyHash, state: 'pending', methodId: 'drive.files.update', digest: sha256Hex(body) },
      ...{ tokenHash: sha256Hex('token'), requestedAtMs: clock.nowMs(), expiresAtMs: clock.nowMs() + 86_400_000 },
      ...{ objectKind: 'file', objectId: 'f'.repeat(33), boundTo: `sub:${'1'.repeat(21)}`, seat: 0 },
      ...{ signedInUser: undefined, decidedBy: undefined, decidedAtMs: undefined, seen: undefined, runId: undefined },
      ...{ runUntilMs: undefined, createdId: undefined, endedAtMs: undefined, outcome: undefined },
    };
    const event = (type: 'ApprovalRequested' | 'ApprovalDecided' | 'ApprovalEnded', outcome?: string) =>
      newEvent(clock, systemRandom, type, {
        ...{ subject: ref, sequence: 0, endUserId: 'user-42', requestId: UUID, actor: `key:${place.keyId}` },
        says: {
          approval_id: approvalId(approval),
          method: approval.methodId,
          key_id: place.keyId,
          ...(outcome && { outcome }),
        },
      });
    const { written, read, queried } = await unitsOf(units, async () => {
      // Asked for: the digest, the others of the day, the rows.
      await store.findSame('default', place.keyId, approval.digest);
      await store.ofKey('default', place.keyId, clock.nowMs() - 86_400_000);
      await store.freeSeats('default', place.keyId, clock.nowMs());
      const parts = await sealRequest({ cipher }, approval, plan, {
        token: 't'.repeat(43),
        sourceIp: '203.0.113.10',
      });
      expect(await store.create(approval, parts, undefined, event('ApprovalRequested'))).toBe(true);
      // Shown and decided: by its address, twice.
      for (const _ of ['shown', 'decided']) {
        await store.findByToken(approval.tokenHash, clock.nowMs());
        await openPlan({ cipher, approvals: store }, approval);
      }
      const decided = { decidedBy: 'end_user:x', decidedAtMs: clock.nowMs(), seen: 'version:12' };
      const about = await sealAbout({ cipher }, approval, aboutOf('drive.files.update', plan));
      expect(
        await store.step(approval, 'pending', 'approved', decided, {}, event('ApprovalDecided', 'approved'), about),
      ).toBe(true);
      await store.find(approval);
      const taken = { runId: 'a'.repeat(32), runUntilMs: clock.nowMs() + 60_000 };
      expect(await store.step(approval, 'approved', 'running', taken)).toBe(true);
      await openPlan({ cipher, approvals: store }, approval);
      const result = await sealResult({ cipher }, approval, {
        status: 200,
        headers: [],
        body: body.toString('base64'),
      });
      const ended = { endedAtMs: clock.nowMs(), outcome: '200' };
      expect(await store.step(approval, 'running', 'done', ended, {}, event('ApprovalEnded', 'done'), result)).toBe(
        true,
      );
      // Asked for, and looked at by the schedule at both times.
      await store.find(approval);
      await openResult({ cipher, approvals: store }, approval);
      for (const due of await upkeep.due('default', clock.nowMs() + 90_000_000)) {
        await upkeep.find(due);
        await upkeep.looked(due);
      }
    });
    expectCounted(A.approvalWriteUnits, written);
    expectCounted(A.approvalReadUnits, read + queried);
  });
});

describe('the logs of shared drives, by the units that a simulated week of them takes', () => {
  const LOGS = 10;

  test('CH-25: the logs of shared drives, by the units that a simulated week of them takes cost what docs/costs.md says, quiet and when a message names one', async () => {
    const { world, units, work } = await watchedDrives(LOGS);
    const [drive = ''] = world.members;
    const told = { written: 0, read: 0 };
    for (let pull = 0; pull < 10; pull++) {
      world.pass(600);
      world.put(`1${pull}9t5klqcvbc2i3ai2l5jkj7o1`, drive);
      await world.deliver(0, { wake: false });
      world.pass(3);
      add(told, await unitsOf(units, work));
    }
    expectCounted(A.pullWriteUnits + A.logPullWriteUnits, told.written / 10);
    expectCounted(A.pullReadUnits + A.logsReadUnits + LOGS * A.logReadUnits, told.read / 10);

    const began = world.calls.length;
    const quiet = { written: 0, read: 0 };
    let pulls = 0;
    for (let hour = 0; hour < 7 * 24; hour++) {
      world.pass(3600);
      const isDue = feedDueAt(world.feed) * 1000 <= world.nowMs;
      if (isDue) pulls += 1;
      if (isDue) add(quiet, await unitsOf(units, work));
    }
    const watches = world.calls.slice(began).filter(({ path }) => path.includes('/watch')).length;
    expect(watches).toBe(LOGS + 1);
    const channels = LOGS * A.logChannelWriteUnits + A.channelWriteUnits;
    expectCounted(pulls * (A.emptyPullWriteUnits + A.logsWriteUnits) + channels, quiet.written);
    expectCounted(pulls * (A.emptyPullReadUnits + A.logsReadUnits + LOGS * A.logReadUnits), quiet.read);
    expectCounted(A.logKb, storedKb(world.memory, 'feed_log') + storedKb(world.memory, 'channel'));
  });
});

describe('a feed of a folder', () => {
  const FOLDERS = 20;
  const FILES = 1_000;
  const idOf = (kind: string, number: number) => `${kind}-${String(number).padStart(33 - kind.length, 'x')}`;

  test('CH-23: costs what docs/costs.md says: its first listing, and pulls that find a change', async () => {
    const world = new FolderWorld();
    world.pageSize = 500;
    const { units, work } = await watched(world, 'google-drive');
    for (let number = 0; number < FOLDERS; number++) world.put(idOf('folder', number), ROOT);
    for (let number = 0; number < FILES; number++) world.put(idOf('file', number), idOf('folder', number % FOLDERS));
    // The feed that was watched began with an empty folder.
    await world.set({ statesSinceMs: undefined, pullAtEpochSec: 0 });
    world.pass(600);
    const listing = await unitsOf(units, work);
    expectCounted((FILES + FOLDERS) * A.folderFileWriteUnits, listing.written);
    expect(world.memory.ofType('feed_state').length).toBe(FILES + FOLDERS + 1);
    const sum = { written: 0, read: 0 };
    for (let pull = 0; pull < 10; pull++) {
      world.pass(600);
      world.edit(idOf('file', pull));
      world.messages.splice(0, world.messages.length - 1);
      await world.deliver(0, { wake: false });
      world.pass(3);
      add(sum, await unitsOf(units, work));
    }
    expectCounted(10 * (A.pullWriteUnits + A.folderPullWriteUnits), sum.written);
    expectCounted(10 * (A.pullReadUnits + A.folderPullReadUnits + FOLDERS * A.folderReadUnits), sum.read);
    expectCounted(A.stateKb, storedKb(world.memory, 'feed_state'));
  });
});

describe('feeds of one log', () => {
  const FEEDS = 10;

  test('CH-24: feeds of one log cost what docs/costs.md says: a message that is passed on to those that it does not concern', async () => {
    const world = new FolderWorld();
    const { units, work } = await watched(world, 'google-drive');
    const drive = world.addFeed('drive');
    await world.work(true, undefined, false, drive);
    const sum = { written: 0, read: 0 };
    const passed = async (count: number, add: 1 | -1) => {
      world.pass(30_000);
      world.put(`file-${count}`, 'own');
      world.messages.splice(0, world.messages.length - 1);
      await world.deliver(0, { wake: false });
      world.pass(3);
      const took = await unitsOf(units, work);
      sum.written += add * took.written;
      sum.read += add * (took.read + took.queried);
    };
    await passed(0, 1);
    await passed(1, -1);
    for (let number = 0; number < FEEDS; number++) {
      world.put(`root-${number}`, 'own');
      await world.work(true, undefined, false, world.addFeed(`folder:root-${number}`));
    }
    await passed(2, 1);
    await passed(3, 1);
    await passed(4, -1);
    expectCounted(FEEDS * A.passedOnWriteUnits, sum.written);
    expectCounted(FEEDS * A.passedOnReadUnits, sum.read);
  });
});

describe('what a feed with meaning remembers', () => {
  test('CH-21: costs what docs/costs.md says', async () => {
    const of = async (meaning: boolean) => {
      const { world, units, work } = await watchedCalendar('calendar:primary', { meaning });
      const sum = { written: 0, read: 0 };
      // The first sight of each thing, and the second, which finds it.
      for (let pull = 0; pull < 10; pull++) {
        world.pass(600);
        world.change(`${pull % 3}9t5klqcvbc2i3ai2l5jkj7o1`);
        await world.deliver(0, { wake: false });
        world.pass(3);
        add(sum, await unitsOf(units, work));
      }
      return { ...sum, kb: storedKb(world.memory, 'feed_state') };
    };
    const [plain, told] = [await of(false), await of(true)];
    expectCounted(10 * A.stateWriteUnits, told.written - plain.written);
    // And the key, once a pull.
    expectCounted(10 * A.stateReadUnits + 10, told.read - plain.read);
    expectCounted(A.stateKb, told.kb);
  });
});

describe('reminders of a calendar', () => {
  test('CH-26: reminders of a calendar cost what docs/costs.md says, each and a day in which there is none', async () => {
    const { world, units, work } = await watched(new StartsWorld([10]), 'google-calendar');
    const remind = () => work(true);
    const began = world.nowMs;
    for (let meeting = 0; meeting < 20; meeting++) {
      const startMs = began + (meeting + 2) * 3_600_000;
      world.meetings.set(`${meeting}9t5klqcvbc2i3ai2l5jkj7o1`, { startMs, isDeclined: false });
    }
    world.pass(3_600);
    await world.table.postponeStarts(world.ref, 9_999_999_999, 0);
    await remind();
    const sum = { written: 0, read: 0 };
    const listed = world.lists;
    for (let meeting = 0; meeting < 20; meeting++) {
      world.nowMs = began + (meeting + 2) * 3_600_000 - 600_000;
      await world.set({ pullAtEpochSec: 9_999_999_999 });
      add(sum, await unitsOf(units, remind));
    }
    expect(world.lists - listed).toBe(20);
    expect(world.told).toHaveLength(20);
    expectCounted(A.reminderWriteUnits, sum.written / 20);
    expectCounted(A.reminderReadUnits, sum.read / 20);
  });
});

describe('what else is stored and written', () => {
  test('a delivery takes the units and the room that docs/costs.md says', async () => {
    const { memory, units } = countedTable();
    const store = deliveryStore(memory.table);
    const webhook = { accountId: 'default', webhookId: '01KJKB3Q000000000000000000' };
    const event = {
      accountId: 'default',
      eventId: '01KJKB40RGSVQF5R2G6ZR1HS1Z',
      eventType: 'ConnectionCreated',
      integrationId: 'google-drive',
    };
    const delivery = newDelivery(webhook, { ...event, body: 'x'.repeat(1000) }, MIDNIGHT_SEC, MIDNIGHT_SEC + 60);
    const { written } = await unitsOf(units, async () => {
      await store.put(delivery);
      const attempt = { atEpochSec: MIDNIGHT_SEC, durationMs: 300, status: 200, error: undefined, excerpt: undefined };
      await store.settle(delivery, attempt, 'delivered', undefined);
    });
    expect(A.deliveryWriteUnits).toBe(written);
    expectCounted(A.deliveryRowKb, storedKb(memory, 'webhook_delivery'));
  });

  test('a connect session takes the units that docs/costs.md says, from its request to its row', async () => {
    const gateway = managementGateway();
    gateway.addIntegration(INTEGRATION);
    const units = new TableUnits();
    gateway.memory.units = units;
    const { endUser } = person(1, 1_000, MIDNIGHT_SEC);
    const { id, email, displayName: display_name } = endUser ?? {};
    const organization = { id: endUser?.organization?.id, display_name: endUser?.organization?.displayName };
    const body = { end_user: { id, email, display_name }, organization, allowed_integrations: ['google-drive'] };
    const { written } = await unitsOf(units, () => gateway.call('POST', '/connect/sessions', { body }));
    expect(gateway.sessions.size).toBe(1);
    expect(A.sessionWriteUnits).toBe(written);
  });

  test('PC-21: pacing takes the units that docs/costs.md says, alone, in a job and alongside calls', async () => {
    const startMs = (Math.floor(MIDNIGHT_SEC / 60) + 0.25) * 60_000;
    const owner = { provider: 'google-drive', cloudProject: '42', quota: PROVIDERS['google-drive'].quota } as const;
    const paced = async (calls: number, units: number, isBackground: boolean, apartMs: number) => {
      const { memory, units: counted } = countedTable();
      const clock = { ms: startMs, nowMs: () => clock.ms };
      const logger = { info() {}, warn() {}, error() {} };
      const pacing = new Pacing({ totals: callTotals(memory.table), clock, random: systemRandom, logger });
      const { written } = await unitsOf(counted, async () => {
        for (let call = 0; call < calls; call++) {
          // Of a job or of people: of many users.
          const whose = { ...owner, user: `user ${isBackground ? 1 : call}` };
          if (isBackground) expect(await pacing.mayBegin(whose, { units, requests: 1 })).toBeUndefined();
          pacing.took(whose, { units, requests: 1 });
          await pacing.pending();
          clock.ms += apartMs;
        }
      });
      return written / calls;
    };
    expect(await paced(1, 5, true, 0)).toBe(A.backgroundAloneWriteUnits);
    expect(await paced(400, 5, true, 100)).toBeCloseTo(A.backgroundJobWriteUnits, 1);
    expect(await paced(400, 100, false, 100)).toBeCloseTo(A.pacedListWriteUnits, 2);
  });

  test('an event costs one unit of the index of events, and a window of limits takes the room that docs/costs.md says', async () => {
    const { memory, units } = countedTable();
    const subject = { accountId: 'default' };
    const event = newEvent(CLOCK, systemRandom, 'SecretKeyCreated', { subject, sequence: 0, requestId: 'r' });
    const { written } = await unitsOf(units, () => auditTrail(memory.table).append(event));
    expect(written - 1).toBe(A.eventListWriteUnits);
    const connection = { accountId: 'default', integrationId: 'google-drive', connectionId: UUID };
    await callTotals(memory.table).add({ kind: 'connection', ref: connection }, 29_000_000, 10);
    expectCounted(A.windowCountKb, storedKb(memory, 'call_count'));
  });
});

function add(
  sum: { written: number; read: number },
  units: { readonly written: number; readonly read: number; readonly queried: number },
): void {
  sum.written += units.written;
  sum.read += units.read + units.queried;
}
