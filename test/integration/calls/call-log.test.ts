import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callLogClearing, callLogReader, callLogWriter } from '../../../lambdas/gateway/calls/call-log.store.ts';
import { type CallRecord, failureOf } from '../../../lambdas/gateway/calls/call-record.rules.ts';
import { ulid } from '../../../lambdas/gateway/core/identifiers.ts';
import { CALL_LOG_COUNTED_BY } from '../../../lambdas/gateway/core/limits.ts';
import { jsonAt, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { type FaultProxy, startFaultProxy } from '../../faults/support/fault-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { signIn } from '../../support/operator.ts';
import { type ProxyGateway, startProxyGateway } from '../../support/proxy-gateway.ts';
import type { RawAnswer } from '../../support/raw-http.ts';
import { countCalls } from '../../support/roll-up.ts';
import { tableClient } from '../../support/table.ts';
import { keyWith } from '../api/keys.ts';

let proxy: ProxyGateway;
let table: FaultProxy;
let logTable: string;
beforeAll(async () => {
  proxy = await startProxyGateway({
    maxChildrenPerFunction: 1,
    endpointOverrides: {
      async dynamodb(real) {
        table = await startFaultProxy(real);
        return table.endpoint;
      },
    },
  });
  const { TableNames = [] } = await tableClient(proxy.test).send(new ListTablesCommand({}));
  logTable = TableNames.find((name) => name.includes('CallLog')) ?? '';
});
afterEach(() => table?.clear());
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await table?.close();
});

const callsOf = (integrationId: string, more = '') =>
  `/connections/${encodeURIComponent(proxy.test.connectionId(integrationId))}/calls${more}?provider_config_key=${integrationId}`;

/** The rows of a connection once one of them is of this request: a row is written after the last byte. */
async function rowOf(integrationId: string, requestId: string): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const rows = await listed(callsOf(integrationId));
    const row = rows.find((one) => one.request_id === requestId);
    if (row === undefined) throw new Error('The call has no row yet');
    return row;
  });
}

type Rows = readonly Record<string, unknown>[];
const listed = async (path: string): Promise<Rows> => (await proxy.test.json('GET', path)).body.data;

/** All rows of a list, a few at a time. @param path with the size of its pages */
async function pageByPage(path: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await proxy.test.json('GET', path + cursor);
    rows.push(...body.data);
    if (body.next_cursor === null) return rows;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

const NOT_FOUND = JSON.stringify({
  error: { code: 404, message: 'File not found: canary-file', errors: [{ domain: 'global', reason: 'notFound' }] },
});
const answerWith = (status: number, body: string) =>
  proxy.upstream.answer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
const answerNotFound = () => answerWith(404, NOT_FOUND);
const answerFine = () => answerWith(200, '{"canary":"canary-answer"}');

describe('the call log', () => {
  test('CL-10: the call log has a failed call with what it was and none of what it said', async () => {
    answerNotFound();
    const answer = await proxy.send({
      method: 'PATCH',
      path: '/drive/v3/files/canary-file/permissions/canary-person?fields=canary-query',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Canary', 'canary-header'],
      ],
      body: '{"name":"canary-body"}',
    });
    expect(answer.status).toBe(404);
    const row = await rowOf('google-drive', requestIdOf(answer));
    expect(row).toMatchObject({
      provider_config_key: 'google-drive',
      connection_id: proxy.test.connectionId('google-drive'),
      key_id: expect.stringMatching(/^[0-9a-f]{12}$/),
      method: 'PATCH',
      path: '/drive/v3/files/{}/permissions/{}',
      status: 404,
      answered_by: 'provider',
      error_code: null,
      reason: 'notFound',
      head_ms: expect.any(Number),
      attempts: 1,
      refreshed: false,
      bytes_in: 22,
      bytes_out: NOT_FOUND.length,
      complete: true,
      stands_for: 1,
    });
    const { Items } = await tableClient(proxy.test).send(new ScanCommand({ TableName: logTable }));
    expect(Items).not.toEqual([]);
    expect(JSON.stringify(Items)).not.toMatch(/canary/i);
  });

  test('CL-11: keeps nothing of a path that no method has', async () => {
    answerNotFound();
    const answer = await proxy.send({ path: '/drive/v3/canary-unknown/thing' });
    const row = await rowOf('google-drive', requestIdOf(answer));
    expect(row).toMatchObject({ path: '{unmatched}', status: 404 });
  });

  test('the call log has a refusal of the gateway’s own, and the request id that its error prints leads to it', async () => {
    const answer = await proxy.send({ path: '/gmail/v1/users/me/messages' });
    expect(answer.status).toBe(403);
    const requestId = textAt(JSON.parse(answer.body.toString()), 'error', 'request_id');
    const row = await rowOf('google-drive', requestId);
    expect(row).toMatchObject({ answered_by: 'gateway', error_code: 'path_not_allowed', head_ms: null, attempts: 0 });
    const found = await proxy.test.json('GET', `/calls/${requestId}`);
    expect(found).toMatchObject({ status: 200, body: { data: row } });
    const limited = await keyWith(proxy.test, { right: 'read', integration_ids: ['google-calendar'] });
    expect((await proxy.test.json('GET', `/calls/${requestId}`, undefined, limited)).status).toBe(404);
    expect((await proxy.test.json('GET', '/calls/no-such-request')).status).toBe(404);
  });

  test('CL-12: a warm call that succeeds makes no AWS call and leaves no row', async () => {
    answerFine();
    await proxy.send({ path: '/drive/v3/about' });
    const callsOfProxy = () =>
      JSON.stringify(proxy.test.gateway.awsCalls().filter(({ functionName }) => functionName === 'proxy'));
    const before = callsOfProxy();
    const rows = await listed(callsOf('google-drive'));
    expect((await proxy.send({ path: '/drive/v3/about' })).status).toBe(200);
    expect(callsOfProxy()).toBe(before);
    expect(await listed(callsOf('google-drive'))).toEqual(rows);
  });

  test('CL-12: a table in trouble changes no call and is asked once', async () => {
    answerNotFound();
    const failures = () => proxy.test.gateway.logs().filter(({ text }) => text.includes('"CallLogFailed":1')).length;
    for (const action of [
      { kind: 'error', name: 'ProvisionedThroughputExceededException' },
      { kind: 'error', name: 'ResourceNotFoundException' },
      { kind: 'hold', side: 'before' },
    ] as const) {
      const before = failures();
      const fault = table.add(({ body }) => body.includes(logTable), action, 10);
      const answer = await proxy.send({ path: '/drive/v3/files/x' });
      expect([answer.status, answer.body.toString()]).toEqual([404, NOT_FOUND]);
      await eventually(() => expect(failures()).toBe(before + 1));
      expect(fault.count()).toBe(1);
      fault.release('drop');
      table.clear();
    }
  });

  test('CL-13: the call log has every call of a connection for an hour once somebody asked for that', async () => {
    const begun = await proxy.test.json('POST', callsOf('google-calendar', '/record'));
    const until = Date.parse(textAt(begun.body, 'data', 'recording_until'));
    expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(60_000);
    answerFine();
    const answer = await proxy.send({ path: '/calendar/v3/calendars/canary%40example.com/events' }, 'google-calendar');
    const row = await rowOf('google-calendar', requestIdOf(answer));
    expect(row).toMatchObject({ status: 200, path: '/calendar/v3/calendars/{}/events', reason: null });
    expect((await proxy.test.json('GET', callsOf('google-calendar'))).body).toMatchObject({
      log: { mode: 'errors', retention_days: 7, recording_until: new Date(until).toISOString() },
    });
    const ended = await proxy.test.json('DELETE', callsOf('google-calendar', '/record'));
    expect(ended.body).toEqual({ data: { recording_until: null } });
  });

  test('the call log is listed newest first, by status and time, page by page', async () => {
    answerNotFound();
    for (let i = 0; i < 3; i++) await proxy.send({ path: `/drive/v3/files/${i}` });
    const last = requestIdOf(await proxy.send({ path: '/gmail/v1' }));
    await rowOf('google-drive', last);
    const of = callsOf('google-drive');
    const all = await listed(of);
    expect(all[0]?.request_id).toBe(last);
    expect(all.map(({ id }) => String(id))).toEqual(
      all
        .map(({ id }) => String(id))
        .toSorted()
        .toReversed(),
    );
    expect(new Set((await listed(`${of}&status=403`)).map(({ status }) => status))).toEqual(new Set([403]));
    expect(await listed(`${of}&status=4xx`)).toEqual(all);
    expect(await listed(`${of}&status=ok`)).toEqual([]);
    expect(await listed(`${of}&since=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`)).toEqual([]);
    expect(await listed(`${of}&limit=2`)).toHaveLength(2);
    expect(await pageByPage(`${of}&limit=2`)).toEqual(all);
    // A cursor that everything of its page has outlived, as the days of a row pass between two pages.
    expect(await listed(`${of}&since=2026-03-01T00:00:00Z&cursor=${'0'.repeat(26)}`)).toEqual([]);
    for (const wrong of ['status=fine', 'since=yesterday', 'cursor=x', 'limit=201']) {
      expect((await proxy.test.json('GET', `${of}&${wrong}`)).status).toBe(400);
    }
  });

  test('lists the failed calls of all connections, by how, why, when and with which key they failed', async () => {
    answerNotFound();
    const drive = requestIdOf(await proxy.send({ path: '/drive/v3/files/x' }));
    answerWith(503, '{"error":{"errors":[{"reason":"backendError"}]}}');
    const calendar = requestIdOf(await proxy.send({ path: '/calendar/v3/colors' }, 'google-calendar'));
    answerFine();
    const fine = requestIdOf(await proxy.send({ path: '/drive/v3/about' }));
    await rowOf('google-drive', drive);
    const row = await rowOf('google-calendar', calendar);
    const all = await pageByPage('/calls?limit=7').then((rows) => rows.map((one) => Object(one)));
    const both = [
      ...(await pageByPage(`${callsOf('google-drive')}&status=failed`)),
      ...(await pageByPage(`${callsOf('google-calendar')}&status=failed`)),
    ];
    const idOf = (one: unknown) => textAt(one, 'id');
    expect(all.map(idOf)).toEqual(both.map(idOf).toSorted().toReversed());
    expect(all.map(({ request_id }) => request_id)).not.toContain(fine);
    expect(all[0]).toEqual({ ...row, failure: 'provider_failed', connection_name: expect.any(String) });
    const idsOf = async (query: string) => (await listed(`/calls?${query}`)).map(({ request_id }) => request_id);
    expect(await idsOf('failure=provider_failed')).toEqual([calendar]);
    expect(await idsOf('reason=backendError')).toEqual([calendar]);
    expect(await idsOf('status=503')).toEqual([calendar]);
    expect(await idsOf('provider_config_key=google-calendar')).toEqual([calendar]);
    expect(await idsOf(`connection_id=${row.connection_id}`)).toEqual([calendar]);
    expect(await idsOf('connection_id=another')).toEqual([]);
    expect(await idsOf(`key_id=${row.key_id}&limit=2`)).toEqual([calendar, drive]);
    expect(await idsOf('key_id=000000000000')).toEqual([]);
    expect((await idsOf('failure=refused'))[0]).toBe(drive);
    const end = encodeURIComponent(new Date(Date.parse(String(row.time)) - 60_000).toISOString());
    expect(await idsOf(`until=${end}`)).toEqual([]);
    expect(await idsOf(`since=${end}&limit=1`)).toEqual([calendar]);
    const limited = await keyWith(proxy.test, { right: 'read', integration_ids: ['google-calendar'] });
    const seen = await proxy.test.json('GET', '/calls', undefined, limited);
    expect(seen.body.data.map(({ request_id }: { request_id: string }) => request_id)).toEqual([calendar]);
    expect((await proxy.test.json('GET', '/calls?provider_config_key=google-drive', undefined, limited)).status).toBe(
      403,
    );
    for (const wrong of ['failure=unlucky', 'status=99', 'key_id=x', 'provider_config_key=unknown', 'cause=x']) {
      expect((await proxy.test.json('GET', `/calls?${wrong}`)).status).toBeGreaterThanOrEqual(400);
    }
  });

  test('lists failed calls over days, page by page, newest first, and none twice', { tags: ['long'] }, async () => {
    const store = { client: tableClient(proxy.test), tableName: logTable, onUnreadable: () => {} };
    const nowMs = Date.parse('2026-03-08T00:00:00Z');
    const ref = { accountId: 'days', integrationId: 'drive', connectionId: 'c' };
    const writer = callLogWriter(() => store, 100_000);
    const reader = callLogReader(store, { nowMs: () => nowMs }, 7);
    const HOUR_MS = 3_600_000;
    // The last is exactly at the beginning of a day; every fifth call went well.
    const records = Array.from({ length: 60 }, (_, i): CallRecord => {
      const endedAtMs = nowMs - i * 2.5 * HOUR_MS;
      return {
        ...ref,
        callId: ulid(endedAtMs, new Uint8Array(10).fill(i)),
        requestId: `days-${i}`,
        startedAt: new Date(endedAtMs).toISOString(),
        keyId: '0a1b2c3d4e5f',
        method: 'GET',
        path: '/drive/v3/files',
        status: i % 5 === 0 ? 200 : i % 7 === 0 ? 500 : 404,
        gatewayCode: undefined,
        reason: undefined,
        headMs: 1,
        totalMs: 1,
        attempts: 1,
        refreshed: false,
        bytesIn: 0,
        bytesOut: 0,
        complete: true,
        standsFor: 1,
      };
    });
    // A row that a busy machine does not take in time is lost for the log, by design, and written again here.
    for (const record of records) await eventually(() => writer.write(record));
    const every = {
      kind: undefined,
      reason: undefined,
      status: undefined,
      keyId: undefined,
      integrationIds: undefined,
      connectionId: undefined,
    };
    const walk = async (limit: number, filter = {}) => {
      const found: string[] = [];
      let before: string | undefined;
      do {
        const wanted = { ...every, sinceMs: undefined, untilMs: undefined, ...filter };
        const page = await reader.failures('days', wanted, limit, before);
        expect(page.calls.length).toBeLessThanOrEqual(limit);
        found.push(...page.calls.map(({ requestId }) => requestId));
        before = page.next;
      } while (before !== undefined);
      return found;
    };
    const failed = records.filter((one) => failureOf(one) !== undefined);
    const named = (some: readonly CallRecord[]) => some.map(({ requestId }) => requestId);
    for (const limit of [1, 4, 200]) expect(await walk(limit)).toEqual(named(failed));
    const broken = failed.filter(({ status }) => status === 500);
    expect(await walk(2, { kind: 'provider_failed' })).toEqual(named(broken));
    const [sinceMs, untilMs] = [nowMs - 80 * HOUR_MS, nowMs - 20 * HOUR_MS];
    const between = failed.filter(
      ({ startedAt }) => Date.parse(startedAt) >= sinceMs && Date.parse(startedAt) < untilMs,
    );
    expect(await walk(3, { sinceMs, untilMs })).toEqual(named(between));
  });

  test('CL-12: the table has every hundredth call that leaves a row counted, for the other processes', {
    tags: ['long'],
  }, async () => {
    answerNotFound();
    for (let i = 0; i < CALL_LOG_COUNTED_BY; i++) await proxy.send({ path: '/drive/v3/files/x' });
    await eventually(async () => {
      const { Items = [] } = await tableClient(proxy.test).send(
        new ScanCommand({
          TableName: logTable,
          FilterExpression: 'begins_with(pk, :counts)',
          ExpressionAttributeValues: { ':counts': 'CALLCOUNTS#' },
        }),
      );
      expect(Items).toEqual([
        {
          pk: expect.stringContaining(proxy.test.connectionId('google-drive')),
          sk: expect.stringMatching(/^\d{5}$/),
          calls: CALL_LOG_COUNTED_BY,
          expiresAtEpochSec: expect.any(Number),
        },
      ]);
    });
  });

  test('CL-13: shows no row past its days, whether or not it has been deleted', async () => {
    const store = { client: tableClient(proxy.test), tableName: logTable, onUnreadable: () => {} };
    const ref = {
      accountId: 'default',
      integrationId: 'google-drive',
      connectionId: proxy.test.connectionId('google-drive'),
    };
    const filter = { statuses: undefined, sinceMs: undefined };
    const rows = (laterMs: number) =>
      callLogReader(store, { nowMs: () => Date.now() + laterMs }, 7).list(ref, filter, 50, undefined);
    expect((await rows(0)).calls.length).toBeGreaterThan(0);
    expect(await rows(7 * 24 * 3_600_000 + 60_000)).toEqual({ calls: [], next: undefined });
  });

  test('CL-15: a deleted connection’s calls are seen no more, and are cleared away', async () => {
    const of = callsOf('google-drive');
    const [row] = await listed(of);
    const path = of.replace('/calls', '');
    expect((await proxy.test.json('DELETE', path)).status).toBe(200);
    expect((await proxy.test.json('GET', of)).status).toBe(404);
    expect((await proxy.test.json('GET', `/calls/${row?.request_id}`)).status).toBe(404);
    const clearing = callLogClearing({ client: tableClient(proxy.test), tableName: logTable, onUnreadable: () => {} });
    const [noted] = await clearing.pending();
    if (noted === undefined) throw new Error('The deletion was not noted');
    expect(noted.connectionId).toBe(row?.connection_id);
    while (await clearing.clearSome(noted, Date.now() + 60_000));
    await clearing.done(noted);
    const { Items = [] } = await tableClient(proxy.test).send(new ScanCommand({ TableName: logTable }));
    expect(Items.filter(({ integrationId }) => integrationId === 'google-drive')).toEqual([]);
    expect(await clearing.pending()).toEqual([]);
  });
});

describe('the health of a connection', () => {
  const healthOf = async (integrationId: string) =>
    jsonAt((await proxy.test.json('GET', callsOf(integrationId).replace('/calls', ''))).body, 'health');
  const INSUFFICIENT = JSON.stringify({ error: { errors: [{ domain: 'global', reason: 'insufficientPermissions' }] } });

  test('the health of a connection is failing after three calls in a row that Google refused, with its reason, until one succeeds', async () => {
    const call = () => proxy.send({ path: '/calendar/v3/users/me/calendarList' }, 'google-calendar');
    answerFine();
    await call();
    await eventually(async () => expect(await healthOf('google-calendar')).toMatchObject({ status: 'active' }));
    answerWith(403, INSUFFICIENT);
    await call();
    await call();
    expect(await healthOf('google-calendar')).toMatchObject({ status: 'active' });
    await call();
    await eventually(async () => {
      expect(await healthOf('google-calendar')).toMatchObject({
        status: 'failing',
        reason: 'insufficientPermissions',
        since: expect.any(String),
      });
    });
    answerFine();
    await call();
    await eventually(async () => expect(await healthOf('google-calendar')).toMatchObject({ status: 'active' }));
  });
});

describe('usage', () => {
  test('the last hour by minute adds up to what was called, and its verdict names the reasons in the log', async () => {
    await countCalls(proxy.test);
    const { data: hour } = (await proxy.test.json('GET', '/usage/minutes')).body;
    expect(hour.minutes).toHaveLength(60);
    const sum = (name: string) =>
      hour.minutes.reduce((all: number, minute: Record<string, number>) => all + Number(minute[name]), 0);
    const days = (await proxy.test.json('GET', '/usage?by=integration')).body.data.rows;
    const ofDays = (name: string) =>
      days.reduce((all: number, row: Record<string, number>) => all + Number(row[name]), 0);
    expect(sum('calls')).toBe(ofDays('calls'));
    expect(sum('ok')).toBe(ofDays('ok'));
    expect(sum('provider_failed')).toBe(ofDays('provider_failed'));
    expect(sum('rate_limited')).toBe(ofDays('rate_limited'));
    expect(sum('gateway_failed')).toBe(ofDays('gateway_failed'));
    expect(sum('refused')).toBe(ofDays('provider_refused') + ofDays('gateway_refused') - ofDays('gateway_failed'));
    expect(hour.verdict).toBe('callers');
    expect(hour.evidence.join(' ')).toContain(
      `Of ${sum('calls')} calls, ${sum('provider_failed')} got 5xx from Google`,
    );
    const limited = await keyWith(proxy.test, { right: 'read', integration_ids: ['google-calendar'] });
    const own = (await proxy.test.json('GET', '/usage/minutes', undefined, limited)).body.data;
    const calendar = (await proxy.test.json('GET', '/usage/minutes?provider_config_key=google-calendar')).body.data;
    expect(own.minutes).toEqual(calendar.minutes);
    expect((await proxy.test.json('GET', '/usage/minutes?provider_config_key=no-such')).status).toBe(400);
  });

  const CLASSES = ['ok', 'provider_refused', 'provider_failed', 'rate_limited', 'gateway_refused', 'broken_off'];
  const rowsOf = async (query: string, key?: string): Promise<Rows> =>
    (await proxy.test.json('GET', `/usage?${query}`, undefined, key)).body.data.rows;
  const today = () => new Date().toISOString().slice(0, 10);

  test('CL-14: usage has the calls of a day by integration, connection and key, each in one class', async () => {
    await countCalls(proxy.test);
    const [ofIntegration] = await rowsOf('by=integration&provider_config_key=google-drive');
    expect(ofIntegration).toMatchObject({ day: today(), provider_config_key: 'google-drive', connection_id: null });
    const classes = CLASSES.map((name) => Number(ofIntegration?.[name]));
    expect(Number(ofIntegration?.calls)).toBeGreaterThan(0);
    expect(classes.reduce((sum, one) => sum + one, 0)).toBe(ofIntegration?.calls);
    expect(Number(ofIntegration?.provider_refused)).toBeGreaterThan(0);
    const id = encodeURIComponent(proxy.test.connectionId('google-drive'));
    const ofConnection = await rowsOf(`by=connection&provider_config_key=google-drive&connection_id=${id}`);
    expect(ofConnection).toMatchObject([{ calls: ofIntegration?.calls, bytes_out: ofIntegration?.bytes_out }]);
    expect(await rowsOf('by=key')).toContainEqual(expect.objectContaining({ key_id: expect.any(String) }));
  });

  test('PC-21: what calls take of Google’s quotas is in the day of their Cloud project, integration and key', async () => {
    const quota = async () => {
      await countCalls(proxy.test);
      const { data } = (await proxy.test.json('GET', '/quota')).body;
      const project = data.projects.find((one: Record<string, unknown>) => one.provider === 'google-calendar');
      const drive = data.integrations.find(
        (one: Record<string, unknown>) => one.provider_config_key === 'google-calendar',
      );
      const keys = data.keys.reduce((sum: number, { units }: { units: number }) => sum + units, 0);
      return { day: data.day, project, units: [project.units.used, drive?.units ?? 0, keys] };
    };
    const listThrice = async () => {
      const before = await quota();
      for (let call = 0; call < 3; call++)
        await proxy.send({ path: '/calendar/v3/users/me/calendarList' }, 'google-calendar');
      return { before, after: await quota() };
    };
    let { before, after } = await listThrice();
    // Midnight Pacific Time came between.
    if (before.day !== after.day) ({ before, after } = await listThrice());
    expect(after.units.map((units, of) => units - (before.units[of] ?? 0))).toEqual([3, 3, 3]);
    expect(after.project.cloud_project).toMatch(/^[0-9]+$/);
    expect(after.project.integrations).toContain('google-calendar');
    expect(after.project.units.forecast).toBeGreaterThanOrEqual(after.project.units.used);
    expect(after.project.busiest_minute).toMatchObject({ limit: 10_000 });
  });

  test('PC-21: the check of a connection is in the day of its Cloud project, and in that of no key', async () => {
    answerFine();
    const quota = async () => {
      await countCalls(proxy.test);
      const { data } = (await proxy.test.json('GET', '/quota')).body;
      const project = data.projects.find((one: Record<string, unknown>) => one.provider === 'google-calendar');
      const keys = data.keys.reduce((sum: number, { units }: { units: number }) => sum + units, 0);
      return { day: data.day, used: [project?.units.used ?? 0, project?.background_units ?? 0, keys] };
    };
    const lines = () => proxy.test.gateway.logs().filter(({ text }) => text.includes('"key":"checks"')).length;
    const checkOnce = async () => {
      const [before, written] = [await quota(), lines()];
      const id = encodeURIComponent(proxy.test.connectionId('google-calendar'));
      const { body } = await proxy.test.json('POST', `/connections/${id}/check?provider_config_key=google-calendar`);
      expect(body.data).toMatchObject({ works: true });
      await eventually(() => expect(lines()).toBeGreaterThan(written));
      return { before, after: await quota() };
    };
    let { before, after } = await checkOnce();
    // Midnight Pacific Time came between.
    if (before.day !== after.day) ({ before, after } = await checkOnce());
    expect(after.used.map((units, of) => units - before.used[of])).toEqual([1, 1, 0]);
  });

  test('usage has nothing of days without calls, and refuses what it cannot count', async () => {
    expect(await rowsOf('from=2026-01-01&to=2026-01-31')).toEqual([]);
    for (const wrong of [
      'from=2026-02-01&to=2026-01-01',
      'from=2025-01-01&to=2026-01-01',
      'by=connection',
      'from=today',
    ]) {
      expect((await proxy.test.json('GET', `/usage?${wrong}`)).status).toBe(400);
    }
    const limited = await keyWith(proxy.test, { right: 'read', integration_ids: ['google-calendar'] });
    const seen = await rowsOf('', limited);
    expect(seen.filter((row) => row.provider_config_key === 'google-drive')).toEqual([]);
    expect((await proxy.test.json('GET', '/usage?by=key', undefined, limited)).status).toBe(403);
  });
});

describe('the audit trail', () => {
  const events = async (query: string) => listed(`/events?${query}`);

  test('says who did what, by name', async () => {
    const operator = await signIn(proxy.test.gateway);
    const { idToken, accessToken } = operator;
    const introduced = await proxy.test.json('PUT', '/account/operator', { id_token: idToken }, accessToken);
    expect(introduced.status).toBe(200);
    const key = { name: 'Audited key', right: 'read' };
    const made = await proxy.test.json('POST', '/account/keys', key, accessToken);
    const id = textAt(made.body, 'data', 'id');
    expect(textAt(made.body, 'data', 'secret_key').slice(-4)).toBe(textAt(made.body, 'data', 'hint'));
    const claims: unknown = JSON.parse(Buffer.from(operator.idToken.split('.')[1] ?? '', 'base64url').toString());
    const email = textAt(claims, 'email');
    const [event] = await events(`actor=${encodeURIComponent(email.toUpperCase())}`);
    expect(event).toMatchObject({
      type: 'SecretKeyCreated',
      actor: `operator:${textAt(claims, 'sub')}`,
      actor_name: email,
      cause: `key:${id.slice(0, 12)}`,
    });
    expect(await events(`type=SecretKeyCreated&object=key:${id.slice(0, 12)}`)).toEqual([event]);
    expect((await events('actor=First%20key')).length).toBeGreaterThan(0);
    const until = encodeURIComponent(String(event?.time));
    expect((await events(`until=${until}`)).find(({ event_id }) => event_id === event?.event_id)).toBeUndefined();
    expect((await events(`since=${until}`)).find(({ event_id }) => event_id === event?.event_id)).toEqual(event);
  });

  test('takes a name from the ID token of the same operator alone', async () => {
    const operator = await signIn(proxy.test.gateway);
    const introduce = (id_token: string, key?: string) =>
      proxy.test.json('PUT', '/account/operator', { id_token }, key);
    expect((await introduce(operator.accessToken, operator.accessToken)).status).toBe(400);
    const [head, , signature] = operator.idToken.split('.');
    const forged = Buffer.from(JSON.stringify({ email: 'other@example.com' })).toString('base64url');
    expect((await introduce(`${head}.${forged}.${signature}`, operator.accessToken)).status).toBe(400);
    expect((await introduce(operator.idToken)).status).toBe(403);
  });

  test('the audit trail is read page by page, whole, and by keys of the whole account alone', async () => {
    const all = await events('limit=200');
    expect(await pageByPage('/events?limit=3')).toEqual(all);
    expect(all.length).toBeGreaterThan(3);
    expect(await events(`since=2026-03-01T00:00:00Z&cursor=${'0'.repeat(26)}`)).toEqual([]);
    const limited = await keyWith(proxy.test, { right: 'read', integration_ids: ['google-calendar'] });
    expect((await proxy.test.json('GET', '/events', undefined, limited)).status).toBe(403);
    for (const wrong of ['type=Nothing', 'since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z']) {
      expect((await proxy.test.json('GET', `/events?${wrong}`)).status).toBe(400);
    }
  });
});

function requestIdOf(answer: RawAnswer): string {
  return answer.header('x-request-id') ?? '';
}
