import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowOf } from '../../../lambdas/gateway/calls/admission.ts';
import { callTotals } from '../../../lambdas/gateway/calls/call-totals.store.ts';
import { type CallSums, PageFold, startOf } from '../../../lambdas/gateway/calls/page.rules.ts';
import { pageStore } from '../../../lambdas/gateway/calls/page.store.ts';
import { quotaDay } from '../../../lambdas/gateway/calls/quota.rules.ts';
import { providerDayMs } from '../../../lambdas/gateway/calls/tool-day.rules.ts';
import { DAY_WINDOW_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { BOOK_CURSOR_KEY } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { type ManagementGateway, managementGateway, member, secretKey } from './support/gateway.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');

const CALL: CallSums = {
  account: 'default',
  integration: 'google-drive',
  connection: 'user-1',
  key: '0a1b2c3d4e5f',
  provider: 'google-drive',
  project: '123456789012',
  class: 'ok',
  calls: 1,
  bytesIn: 0,
  bytesOut: 1_000,
  totalMs: 10,
  refreshed: 0,
  units: 5,
  lastEndedAtMs: NOW,
};

/** Writes the pages that the roll-up would: of the last minutes, and of hours that are over. */
async function roll(gateway: ManagementGateway, calls: readonly CallSums[], untilMs = NOW): Promise<void> {
  const pages = pageStore(gateway.memory.table, async () => {});
  for (const level of ['minute', 'hour'] as const) {
    const times = Map.groupBy(calls, ({ lastEndedAtMs }) => startOf(level, lastEndedAtMs));
    for (const [startMs, own] of times) {
      const isThere = level === 'hour' ? startMs + HOUR <= untilMs : startMs >= untilMs - 2 * HOUR;
      if (!isThere) continue;
      const fold = new PageFold();
      for (const one of own) fold.addSums(one);
      await pages.write('default', { level, startMs }, fold.page());
    }
  }
  const cursor = { ...BOOK_CURSOR_KEY, type: 'book_cursor', version: 1, countedUntilMs: untilMs, progress: '{}' };
  gateway.memory.put(cursor);
}

async function quotaOf(gateway: ManagementGateway, key?: string): Promise<Record<string, unknown>> {
  const reply = await gateway.call('GET', '/quota', key === undefined ? {} : { key });
  expect(reply.status).toBe(200);
  return Object(member(reply.body, 'data'));
}

describe('GET /quota', () => {
  it('PC-25: GET /quota has what is free where nothing was called', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ integrationId: 'drive', clientId: '4711-a.apps.googleusercontent.com' });
    expect(await quotaOf(gateway)).toEqual({
      counted_until: null,
      day: '2026-03-01',
      resets_at: '2026-03-02T08:00:00.000Z',
      projects: [
        {
          provider: 'google-drive',
          cloud_project: '4711',
          integrations: ['drive'],
          counted_in: 'units',
          units: { used: 0, limit: 400_000_000, share: 0, forecast: 0, forecast_share: 0 },
          bytes_out: { used: 0, limit: 1e12, share: 0, forecast: 0, forecast_share: 0 },
          calls: { used: 0, forecast: 0 },
          answered: { used: 0, forecast: 0 },
          tier: 'standard',
          limits_end: null,
          background_units: 0,
          busiest_minute: null,
          units_per_minute_and_user: 325_000,
          reached: [],
        },
      ],
      billing: [],
      tools: [],
      integrations: [],
      keys: [],
    });
  });

  it('GA-25: GET /quota has the day at Google’s MCP server of each project with an agentic integration', async () => {
    const gateway = managementGateway();
    const clientId = '42-a.apps.googleusercontent.com';
    const calendar = { provider: 'google-calendar', clientId } as const;
    const quota = { toolRequestsPerDay: 1_000, toolKeys: 4 };
    gateway.addIntegration({ ...calendar, integrationId: 'assistant', agentic: true, quota });
    gateway.addIntegration({ ...calendar, integrationId: 'calendar' });
    const totals = callTotals(gateway.memory.table);
    const window = windowOf(providerDayMs(NOW), DAY_WINDOW_SEC);
    await totals.add({ kind: 'day_tools', id: 'google-calendar#42' }, window, 300);
    await totals.add({ kind: 'day_tools_common', id: 'google-calendar#42' }, window, 120);
    expect((await quotaOf(gateway)).tools).toEqual([
      {
        provider: 'google-calendar',
        cloud_project: '42',
        integrations: ['assistant'],
        used: 300,
        limit: 1_000,
        share: 0.3,
        keys: 4,
        per_key: 125,
        common: { used: 120, limit: 500 },
      },
    ]);
  });

  it('GA-25: shows the numbers that agentic integrations set, whatever others of the project set, and no more used than there are', async () => {
    const gateway = managementGateway();
    const calendar = { provider: 'google-calendar', clientId: '42-a.apps.googleusercontent.com' } as const;
    gateway.addIntegration({ ...calendar, integrationId: 'a-calendar', quota: { tier: 'internal' } });
    const quota = { toolRequestsPerDay: 1_000, toolKeys: 4 };
    gateway.addIntegration({ ...calendar, integrationId: 'assistant', agentic: true, quota });
    const totals = callTotals(gateway.memory.table);
    const window = windowOf(providerDayMs(NOW), DAY_WINDOW_SEC);
    // Each process that Google refuses adds what it believes to be left.
    await totals.add({ kind: 'day_tools', id: 'google-calendar#42' }, window, 1_700);
    await totals.add({ kind: 'day_tools_common', id: 'google-calendar#42' }, window, 503);
    expect((await quotaOf(gateway)).tools).toMatchObject([
      { used: 1_000, limit: 1_000, share: 1, keys: 4, per_key: 125, common: { used: 500, limit: 500 } },
    ]);
  });

  it('GA-28: distinguishes calls from 2xx answers, and shows answers above the allowance of a billing account without a price', async () => {
    const gateway = managementGateway();
    const scaled = { tier: 'scaled', billingAccount: '01ABCD-234567-89EFAB' };
    for (const project of ['42', '43']) {
      const clientId = `${project}-a.apps.googleusercontent.com`;
      gateway.addIntegration({ integrationId: `c${project}`, provider: 'google-calendar', clientId, quota: scaled });
    }
    gateway.addIntegration({
      integrationId: 'drive',
      clientId: '44-a.apps.googleusercontent.com',
      quota: { tier: 'scaled', perMinute: 2_000_000 },
    });
    const call = (project: string, calls: number, changes: Partial<CallSums>): CallSums => ({
      ...CALL,
      ...{ provider: 'google-calendar', integration: `c${project}`, project, calls, units: calls },
      lastEndedAtMs: NOW - 30_000,
      ...changes,
    });
    await roll(gateway, [
      call('42', 700_000, { has2xx: true }),
      call('42', 100_000, { class: 'providerRefused' }),
      // 304 and 308 are no 2xx.
      call('42', 50_000, { has2xx: false }),
      call('43', 400_000, { has2xx: true, class: 'brokenOff' }),
    ]);
    const { projects, billing } = await quotaOf(gateway);
    const counted = [projects]
      .flat()
      .map((one) => [Object(one).cloud_project, Object(one).calls.used, Object(one).answered.used]);
    expect(counted).toEqual([
      ['42', 850_000, 700_000],
      ['43', 400_000, 400_000],
      ['44', 0, 0],
    ]);
    expect(billing).toEqual([
      {
        provider: 'google-calendar',
        billing_account: '01ABCD-234567-89EFAB',
        cloud_projects: ['42', '43'],
        answered: { used: 1_100_000, forecast: expect.any(Number) },
        allowance: 1_000_000,
        above_allowance: { used: 100_000, forecast: expect.any(Number) },
        usd: null,
        charged_from: '2027-04-01',
        prices_read_on: '2026-11-28',
      },
      {
        provider: 'google-drive',
        billing_account: null,
        cloud_projects: ['44'],
        answered: { used: 0, forecast: 0 },
        allowance: null,
        above_allowance: null,
        usd: null,
        charged_from: '2027-04-01',
        prices_read_on: '2026-11-28',
      },
    ]);
  });

  it('PC-25: GET /quota has today’s units and bytes by project and API, what the day will come to, and the busiest minute', async () => {
    const gateway = managementGateway();
    const hours = Array.from({ length: 8 * 24 }, (_, at) => NOW - at * HOUR - 1);
    await roll(gateway, [
      // A week of a million units an hour, and today up to noon UTC, which is four in the morning there.
      ...hours.map((lastEndedAtMs) => ({ ...CALL, units: 1_000_000, bytesOut: 2_000, lastEndedAtMs })),
      { ...CALL, provider: 'google-calendar', integration: 'calendar', units: 7, lastEndedAtMs: NOW - 30_000 },
    ]);
    const { projects, integrations, keys } = await quotaOf(gateway);
    expect(projects).toEqual([
      expect.objectContaining({
        provider: 'google-drive',
        cloud_project: '123456789012',
        units: { used: 4_000_000, limit: 400_000_000, share: 0.01, forecast: 24_000_000, forecast_share: 0.06 },
        bytes_out: { used: 8_000, limit: 1e12, share: 0, forecast: 48_000, forecast_share: 0 },
        busiest_minute: { at: '2026-03-01T11:59:00.000Z', units: 1_000_000, limit: 1_000_000, share: 1 },
        units_per_minute_and_user: 325_000,
      }),
      expect.objectContaining({
        provider: 'google-calendar',
        units: expect.objectContaining({ used: 7, limit: 1_000_000 }),
        bytes_out: expect.objectContaining({ limit: null, share: null }),
        units_per_minute_and_user: 600,
      }),
    ]);
    expect(integrations).toEqual([
      { provider_config_key: 'google-drive', units: 4_000_000, bytes_out: 8_000 },
      { provider_config_key: 'calendar', units: 7, bytes_out: 1_000 },
    ]);
    expect(keys).toEqual([{ key_id: '0a1b2c3d4e5f', units: 4_000_007, bytes_out: 9_000 }]);
  });

  it('PC-25: GET /quota has when shares of today were passed, of each project and API', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ integrationId: 'drive', clientId: '4711-a.apps.googleusercontent.com' });
    const told = (quota: string, percent: string, day: string, toldAt: string, project = '4711') => {
      const says = { provider: 'google-drive', cloud_project: project, quota, percent, day };
      const sk = `THRESHOLD#${project}${quota}#${day}#${percent}`;
      gateway.memory.put({ pk: 'ACCOUNT#default', sk, type: 'threshold', toldAt, about: {}, says });
    };
    told('units', '80', '2026-03-01', '2026-03-01T11:30:00.000Z');
    told('units', '50', '2026-03-01', '2026-03-01T09:00:00.000Z');
    told('bytes_out', '50', '2026-03-01', '2026-03-01T10:00:00.000Z');
    told('units', '50', '2026-02-28', '2026-02-28T20:00:00.000Z');
    told('units', '50', '2026-03-01', '2026-03-01T08:30:00.000Z', '4712');
    expect((await quotaOf(gateway)).projects).toMatchObject([
      {
        reached: [
          { of: 'units', percent: 50, at: '2026-03-01T09:00:00.000Z' },
          { of: 'bytes_out', percent: 50, at: '2026-03-01T10:00:00.000Z' },
          { of: 'units', percent: 80, at: '2026-03-01T11:30:00.000Z' },
        ],
      },
    ]);
  });

  it('PC-3: counts against what an integration says of its Cloud project, and requests where the project counts these', async () => {
    const gateway = managementGateway();
    const quota = { countedIn: 'requests', perMinute: 12_000, perDay: null };
    const clientId = '123456789012-a.apps.googleusercontent.com';
    gateway.addIntegration({ integrationId: 'google-drive', clientId, quota });
    await roll(gateway, [{ ...CALL, units: 700, calls: 7, lastEndedAtMs: NOW - 30_000 }]);
    const { projects } = await quotaOf(gateway);
    expect(projects).toEqual([
      expect.objectContaining({
        counted_in: 'requests',
        units: expect.objectContaining({ used: 7, limit: null, share: null }),
        busiest_minute: { at: '2026-03-01T11:59:00.000Z', units: 7, limit: 12_000, share: 0.0006 },
        units_per_minute_and_user: 325_000,
      }),
    ]);
  });

  it('PC-25: finds the busiest of the last sixty minutes, in this hour and the one before, by project', async () => {
    const gateway = managementGateway();
    const untilMs = NOW - HOUR / 2;
    const at = (agoMin: number, units: number, more: Partial<CallSums> = {}) => ({
      ...CALL,
      units,
      lastEndedAtMs: untilMs - agoMin * 60_000,
      ...more,
    });
    const calendar = { provider: 'google-calendar', integration: 'calendar' };
    await roll(
      gateway,
      [at(20, 50), at(50, 80), at(70, 500), at(10, 60, calendar), at(5, 60, calendar), at(90, 0, { project: '77' })],
      untilMs,
    );
    const { projects } = await quotaOf(gateway);
    const busiest = [projects].flat().map((one) => [Object(one).provider, Object(one).busiest_minute]);
    expect(busiest).toEqual([
      ['google-calendar', expect.objectContaining({ at: '2026-03-01T11:20:00.000Z', units: 60 })],
      ['google-drive', expect.objectContaining({ at: '2026-03-01T10:40:00.000Z', units: 80 })],
      ['google-drive', null],
    ]);
  });

  it('lists those who took most first, and of those who took the same the first by name', async () => {
    const gateway = managementGateway();
    const taken = { b: 5, small: 1, a: 5, large: 9 };
    await roll(
      gateway,
      Object.entries(taken).map(([integration, units]) => ({ ...CALL, integration, units, lastEndedAtMs: NOW - 1 })),
    );
    const { integrations } = await quotaOf(gateway);
    expect([integrations].flat().map((one) => Object(one).provider_config_key)).toEqual(['large', 'a', 'b', 'small']);
  });

  it('PC-21: agrees with a recount of the calls, however they lie in minutes, hours and days', async () => {
    const calls = fc.record({
      agoMs: fc.integer({ min: 1, max: 40 * HOUR }),
      units: fc.nat(5_000),
      bytesOut: fc.nat(1_000_000),
      integration: fc.constantFrom('a', 'b', 'c'),
      key: fc.constantFrom('k1', 'k2'),
      provider: fc.constantFrom('google-drive', 'google-calendar'),
      project: fc.constantFrom('1', '2', undefined),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { maxLength: 60 }), fc.nat(90), async (random, lateMin) => {
        const gateway = managementGateway();
        const untilMs = NOW - lateMin * 60_000;
        const made = random.map(({ agoMs, ...call }) => ({ ...CALL, ...call, lastEndedAtMs: untilMs - agoMs }));
        await roll(gateway, made, untilMs);
        const today = made.filter(({ lastEndedAtMs }) => lastEndedAtMs >= quotaDay(NOW).startMs);
        const read = await quotaOf(gateway);
        const sumsBy = (of: (call: CallSums) => string | undefined) => {
          const sums: Record<string, readonly number[]> = {};
          for (const call of today) {
            const id = of(call);
            const [units = 0, bytes = 0] = sums[id ?? ''] ?? [];
            if (id !== undefined) sums[id] = [units + call.units, bytes + call.bytesOut];
          }
          return Object.entries(sums)
            .filter(([, [units, bytes]]) => units !== 0 || bytes !== 0)
            .sort();
        };
        const rows = (name: string) => [read[name]].flat().map(Object);
        const some = (id: string, units: unknown, bytes: unknown): [string, unknown[]][] =>
          units === 0 && bytes === 0 ? [] : [[id, [units, bytes]]];
        const uses = (name: string, of: string) =>
          rows(name)
            .flatMap((one) => some(String(one[of]), one.units, one.bytes_out))
            .sort();
        expect(uses('integrations', 'provider_config_key')).toEqual(sumsBy(({ integration }) => integration));
        expect(uses('keys', 'key_id')).toEqual(sumsBy(({ key }) => key));
        const projects = rows('projects').flatMap((one) =>
          some(`${one.provider} ${one.cloud_project}`, one.units.used, one.bytes_out.used),
        );
        expect(projects.sort()).toEqual(
          sumsBy(({ provider, project }) => (project === undefined ? undefined : `${provider} ${project}`)),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('shows a key that is limited to integrations nothing of others', async () => {
    const gateway = managementGateway();
    await roll(gateway, [{ ...CALL, lastEndedAtMs: NOW - 1 }]);
    const key = gateway.addKey(secretKey('limited'), { right: 'read', integrationIds: ['another'] });
    expect(await quotaOf(gateway, key)).toMatchObject({ projects: [], integrations: [], keys: null });
  });
});
