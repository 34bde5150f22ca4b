import { describe, expect, test } from 'vitest';
import { SIGNABLE_REQUESTS } from '../../../dev/support/signable-requests.ts';
import { MethodFinder } from '../../../lambdas/gateway/calls/find-methods.rules.ts';
import { textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { connectAccount } from '../../support/connect.ts';
import { byDoor } from '../../support/door.ts';
import { type RawAnswer, type RawRequest, rawRequest } from '../../support/raw-http.ts';
import { countCalls } from '../../support/roll-up.ts';
import { useProxyGateway } from '../../support/use-gateway.ts';
import { keyWith } from '../api/keys.ts';

const objectAt = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const FILES = '/drive/v3/files';
const BATCH = 'multipart/mixed; boundary=b';

/** A batch of requests, each with its line and headers. */
function batchOf(...lines: string[]): Buffer {
  const parts = lines.map((line) => `--b\r\nContent-Type: application/http\r\n\r\n${line}\r\n\r\n\r\n`);
  return Buffer.from(`${parts.join('')}--b--\r\n`);
}

describe('keys with limits', () => {
  const proxy = useProxyGateway({ maxChildrenPerFunction: 1 });

  const limited = (limits: Record<string, unknown>) =>
    keyWith(proxy.test, { right: 'proxy', limits: { mode: 'enforce', ...limits } });

  /** A proxied call of another key. */
  function call(key: string, request: RawRequest, connectionId?: string): Promise<RawAnswer> {
    const identity = [
      ...proxy.identity().slice(1, 2),
      ['Connection-Id', connectionId ?? proxy.test.connectionId('google-drive')],
    ];
    return rawRequest(proxy.test.gateway.proxyUrl, {
      ...request,
      path: `/proxy${request.path}`,
      headers: [
        ['Authorization', `Bearer ${key}`],
        ...identity.map(([name = '', value = '']): [string, string] => [name, value]),
        ...(request.headers ?? []),
      ],
    });
  }

  const errorOf = (answer: RawAnswer) => objectAt(objectAt(answer.json()).error);

  test('a key of some files and folders calls what names them; all else is refused before a byte leaves', async () => {
    const key = await limited({ resources: ['file:doc1', 'file:folder1'] });
    const json: RawRequest['headers'] = [['Content-Type', 'application/json']];
    const made = (parents: string[]): RawRequest => {
      return { method: 'POST', path: FILES, headers: json, body: JSON.stringify({ parents }) };
    };
    for (const request of [{ path: `${FILES}/doc1?alt=media` }, made(['folder1'])]) {
      expect([request.path, (await call(key, request)).status]).toEqual([request.path, 200]);
    }
    const sent = proxy.upstream.requests.length;
    for (const request of [{ path: `${FILES}/doc2` }, { path: FILES }, made(['folder2']), made([])]) {
      const answer = await call(key, request);
      expect([request.path, answer.status, answer.header('x-gateway-error')]).toEqual([
        request.path,
        403,
        'limited_by_key',
      ]);
      expect(errorOf(answer).limit).toEqual({ name: 'resources', allowed: ['file:doc1', 'file:folder1'] });
    }
    expect(proxy.upstream.requests).toHaveLength(sent);
  });

  test('LK-13: a key that may look calls what it names; all else is refused before a byte leaves, in every spelling', async () => {
    const key = await limited({ allow: ['drive:metadata'], deny: ['drive.changes.*'] });
    expect((await call(key, { path: FILES })).status).toBe(200);
    expect((await call(key, { path: `${FILES}/1?fields=id` })).status).toBe(200);
    const sent = proxy.upstream.requests.length;
    const refused: [string, RawRequest, string][] = [
      ['limited_by_key', { method: 'DELETE', path: `${FILES}/1` }, 'drive.files.delete'],
      ['limited_by_key', { method: 'DELETE', path: `${FILES}/%74rash` }, 'drive.files.delete'],
      ['limited_by_key', { path: `${FILES}/1?alt=media` }, 'drive.files.get#media'],
      ['limited_by_key', { path: `${FILES}/1?%61lt=media` }, 'drive.files.get#media'],
      ['limited_by_key', { path: '/download/drive/v3/files/1' }, 'drive.files.get#media'],
      ['limited_by_key', { path: '/drive/v3/changes?pageToken=1' }, 'drive.changes.list'],
      [
        'limited_by_key',
        { method: 'PUT', path: '/upload/drive/v3/files?upload_id=1', body: Buffer.from('x') },
        'drive.files.create',
      ],
      ['unknown_method', { path: '/drive/v3/moons' }, ''],
      ['unknown_method', { path: '/drive/v3/files/' }, ''],
      ['unknown_method', { path: '/drive/v3//files' }, ''],
      ['unknown_method', { path: FILES, headers: [['X-HTTP-Method', 'DELETE']] }, ''],
    ];
    for (const [code, request, method] of refused) {
      const answer = await call(key, request);
      expect([request.path, answer.status, answer.header('x-gateway-error')]).toEqual([request.path, 403, code]);
      const limit = {
        name: 'methods',
        ...(method === '' ? {} : { method }),
        allowed: ['drive:metadata'],
        denied: ['drive.changes.*'],
      };
      expect(errorOf(answer).limit).toEqual(limit);
    }
    expect(proxy.upstream.requests).toHaveLength(sent);
  });

  test('LK-13: a batch with one part that may not be asked is refused whole, also under a method that a header names', async () => {
    const key = await limited({ allow: ['drive:metadata'] });
    const batch = (...lines: string[]) =>
      call(key, {
        method: 'POST',
        path: '/batch/drive/v3',
        headers: [['Content-Type', BATCH]],
        body: batchOf(...lines),
      });
    const sent = proxy.upstream.requests.length;
    const deleting = await batch(`GET ${FILES} HTTP/1.1`, `DELETE ${FILES}/1 HTTP/1.1`);
    expect([deleting.status, errorOf(deleting).code]).toEqual([403, 'limited_by_key']);
    const overriding = await batch(`POST ${FILES}/1 HTTP/1.1\r\nX-HTTP-Method-Override: PATCH`);
    expect(errorOf(overriding).limit).toMatchObject({ method: 'drive.files.update' });
    expect(proxy.upstream.requests).toHaveLength(sent);
    await batch(`GET ${FILES} HTTP/1.1`, `GET ${FILES}/1 HTTP/1.1`);
    expect(proxy.upstream.requests).toHaveLength(sent + 1);
  });

  test('LK-17: a key for reading one user’s calendars and 5,000 units a day passes nothing else of all that can be asked, and not one unit more', {
    tags: ['long'],
  }, async () => {
    // Of its own: another test sets a budget of the seeded one, which no process may have read before.
    const connectionId = await connectAccount(proxy.test, 'google-calendar');
    const key = await limited({
      allow: ['calendar:read'],
      integrations: ['google-calendar'],
      connections: [connectionId],
      day: { units: 5_000 },
    });
    const headersOf = (integrationId: string, connection: string, headers: readonly [string, string][] = []) => [
      ['Authorization', `Bearer ${key}`] as [string, string],
      ['Provider-Config-Key', integrationId] as [string, string],
      ['Connection-Id', connection] as [string, string],
      ...headers,
    ];
    const ask = (
      { headers = [], ...request }: RawRequest,
      integrationId = 'google-calendar',
      connection = connectionId,
    ) =>
      rawRequest(proxy.test.gateway.proxyUrl, {
        ...request,
        path: `/proxy${request.path}`,
        headers: headersOf(integrationId, connection, headers as [string, string][]),
      });
    const from = proxy.upstream.requests.length;
    const drive = proxy.test.connectionId('google-drive');
    const json: [string, string] = ['Content-Type', 'application/json'];
    for (const { method, path, body } of SIGNABLE_REQUESTS) {
      const request = { method, path, ...(body === undefined ? {} : { body: Buffer.from(body), headers: [json] }) };
      await ask(request);
      expect((await ask(request, 'google-drive', drive)).status).toBeGreaterThanOrEqual(403);
    }
    const events = '/calendar/v3/calendars/primary/events';
    const writes: RawRequest[] = [
      { method: 'POST', path: '/upload/drive/v3/files?uploadType=resumable', body: Buffer.from('{}'), headers: [json] },
      { method: 'PUT', path: '/upload/drive/v3/files?uploadType=resumable&upload_id=1', body: Buffer.from('x') },
      { method: 'POST', path: events, body: Buffer.from('{}'), headers: [json, ['X-HTTP-Method-Override', 'PUT']] },
      { method: 'POST', path: events, body: Buffer.from('{}'), headers: [json] },
      {
        method: 'POST',
        path: '/batch/calendar/v3',
        headers: [['Content-Type', BATCH]],
        body: batchOf(`GET ${events} HTTP/1.1`, `DELETE ${events}/1 HTTP/1.1`),
      },
    ];
    for (const request of writes) {
      // A function URL takes no name of another method at all (docs/front-doors.md).
      const overrides = request.headers?.some(([name]) => name === 'X-HTTP-Method-Override') === true;
      expect((await ask(request)).status).toBe(overrides ? byDoor(403, 400) : 403);
    }
    // Each of Google's methods that were sent is a read of calendars.
    const sent = () => proxy.upstream.requests.slice(from);
    const finder = new MethodFinder(PROVIDERS['google-calendar'].methods ?? []);
    const catalogue = (await proxy.test.json('GET', '/account/limits/catalogue')).body.data;
    const reads = new Set(
      catalogue.flatMap(({ id, set }: { id: string; set: string }) =>
        ['calendar:read', 'calendar:metadata'].includes(set) ? [id] : [],
      ),
    );
    expect(reads.size).toBe(10);
    expect(sent().length).toBeGreaterThan(0);
    for (const { method, target } of sent()) {
      const found = finder.find({ method, target }).map(({ id }) => id);
      expect([target, found.length > 0 && found.every((id) => reads.has(id))]).toEqual([target, true]);
    }
    let units = sent().length;
    const PARTS = 50;
    const batch = batchOf(...Array.from({ length: PARTS }, () => `GET ${events} HTTP/1.1`));
    for (;;) {
      const answer = await ask({
        method: 'POST',
        path: '/batch/calendar/v3',
        headers: [['Content-Type', BATCH]],
        body: batch,
      });
      if (answer.status !== 200) {
        expect([answer.status, errorOf(answer).code]).toEqual([403, 'budget_spent']);
        break;
      }
      units += PARTS;
    }
    for (;;) {
      const { status } = await ask({ path: events });
      if (status !== 200) break;
      units += 1;
    }
    expect(units).toBe(5_000);
  });

  test('LK-12: a read that is sent as a form is judged by its form', async () => {
    const key = await limited({ allow: ['drive:metadata'] });
    const form = (text: string) =>
      call(key, {
        method: 'POST',
        path: `${FILES}/1`,
        headers: [
          ['X-HTTP-Method-Override', 'GET'],
          ['Content-Type', 'application/x-www-form-urlencoded'],
        ],
        body: Buffer.from(text),
      });
    expect((await form('fields=id')).status).toBe(200);
    expect(errorOf(await form('fields=id&alt=media')).limit).toMatchObject({ method: 'drive.files.get#media' });
  });

  test('LK-13: a connection that the key may not reach looks like one that is not there', async () => {
    const key = await limited({ connections: ['someone-else'] });
    const bare = (answer: RawAnswer) => ({ ...errorOf(answer), request_id: '' });
    const there = await call(key, { path: FILES });
    expect(there.status).toBe(404);
    expect(bare(there)).toEqual(bare(await call(key, { path: FILES }, 'nobody')));
    const unlimited = await keyWith(proxy.test, { right: 'proxy' });
    expect(bare(there)).toEqual(bare(await call(unlimited, { path: FILES }, 'nobody')));
  });

  test('LK-16: a budget says what is left and when all of it is free again; of a day with 403, which no library repeats', async () => {
    const key = await limited({ day: { units: 250 } });
    expect([(await call(key, { path: FILES })).status, (await call(key, { path: FILES })).status]).toEqual([200, 200]);
    const spent = await call(key, { path: FILES });
    expect([spent.status, errorOf(spent).code, spent.header('retry-after')]).toEqual([403, 'budget_spent', undefined]);
    const limit = { name: 'day.units', most: 250, left: 50, resets_at: expect.stringMatching(/T00:00:00\.000Z$/) };
    expect(errorOf(spent).limit).toEqual(limit);
    expect(spent.header('ratelimit')).toMatch(/^"key-day-units";r=50;t=\d+$/);
    // What still fits passes.
    expect((await call(key, { path: `${FILES}/1` })).status).toBe(200);
  });

  test('PC-25: budgets of an integration and a connection are set through the API and hold for every key', async () => {
    // No other test calls this integration, so no process remembers it without a budget.
    const integrationId = 'google-calendar';
    const connectionId = proxy.test.connectionId(integrationId);
    const connection = `/connections/${connectionId}?provider_config_key=${integrationId}`;
    const set = (path: string, budget: unknown) => proxy.test.json('PATCH', path, { budget });
    const bad = await set(`/integrations/${integrationId}`, { day: {}, when_spent: 'later' });
    expect([bad.status, bad.body.error.errors.length]).toEqual([400, 2]);
    const integration = await set(`/integrations/${integrationId}`, { day: { units: 1_000_000 } });
    expect(integration.body.data.budget).toEqual({ day: { units: 1_000_000 }, when_spent: 'warn' });
    expect((await set(connection, { day: { calls: 2 }, when_spent: 'stop' })).status).toBe(200);
    expect((await proxy.test.json('GET', connection)).body.budget).toEqual({ day: { calls: 2 }, when_spent: 'stop' });
    const callAs = (key: string) => {
      const headers: [string, string][] = [
        ['Authorization', `Bearer ${key}`],
        ['Provider-Config-Key', integrationId],
        ['Connection-Id', connectionId],
      ];
      return rawRequest(proxy.test.gateway.proxyUrl, { path: '/proxy/calendar/v3/users/me/calendarList', headers });
    };
    const keys = [await keyWith(proxy.test, { right: 'proxy' }), await limited({ allow: ['calendar:read'] })];
    for (const key of keys) expect((await callAs(key)).status).toBe(200);
    for (const key of keys) {
      const spent = await callAs(key);
      expect(spent.status).toBe(403);
      expect(errorOf(spent)).toMatchObject({
        code: 'budget_spent',
        limit: { name: 'connection.day.calls', most: 2, left: 0, resets_at: expect.stringMatching(/T00:00:00\.000Z$/) },
      });
      expect(spent.header('ratelimit')).toMatch(/^"connection-day-calls";r=0;t=\d+$/);
    }
    // Written alongside the calls, after their last byte.
    const told = async () =>
      (await proxy.test.json('GET', '/events?type=BudgetReached')).body.data
        .map(({ data }: { data: Record<string, string> }) => data)
        .filter((data: Record<string, string>) => data.connection_id === connectionId)
        .map(
          ({ budget, percent, when_spent: whenSpent }: Record<string, string>) => `${budget} ${percent} ${whenSpent}`,
        )
        .sort();
    const shares = ['100', '50', '80'].map((percent) => `connection.day.calls ${percent} stop`);
    await expect.poll(told).toEqual(shares);
    const { attention } = (await proxy.test.json('GET', '/overview')).body.data;
    expect(attention).toContainEqual(
      expect.objectContaining({ kind: 'budget', severity: 'error', reason: 'connection.day.calls', id: connectionId }),
    );
    expect((await set(`/integrations/${integrationId}`, null)).body.data.budget).toBeNull();
    expect((await set(connection, null)).status).toBe(200);
    expect((await proxy.test.json('GET', connection)).body.budget).toBeNull();
  });

  test('LK-10: a key from another network, one that has ended and one for other integrations are refused', async () => {
    const codes = async (limits: Record<string, unknown>) =>
      errorOf(await call(await limited(limits), { path: FILES })).code;
    expect(await codes({ sources: ['198.51.100.0/24'] })).toBe('limited_by_key');
    expect(await codes({ sources: ['127.0.0.0/8'] })).toBeUndefined();
    expect(await codes({ expires_at: new Date(Date.now() - 1000).toISOString() })).toBe('key_expired');
    expect(await codes({ integrations: ['google-calendar'] })).toBe('limited_by_key');
  });

  test('LK-15: a key that observes passes whatever it would refuse', async () => {
    const key = await keyWith(proxy.test, {
      right: 'proxy',
      limits: { mode: 'observe', allow: [], connections: ['x'], minute: { calls: 1 } },
    });
    for (let i = 0; i < 3; i++) expect((await call(key, { method: 'DELETE', path: `${FILES}/1` })).status).toBe(200);
  });

  test('LK-15: what a key that observes would refuse is counted by method, and by limit', async () => {
    const limits = { mode: 'observe', deny: ['drive.files.delete'], day: { units: 5 } };
    const key = await keyWith(proxy.test, { right: 'proxy', name: 'Observer', limits });
    for (let i = 0; i < 3; i++) expect((await call(key, { path: FILES })).status).toBe(200);
    expect((await call(key, { path: `${FILES}/1` })).status).toBe(200);
    expect((await call(key, { method: 'DELETE', path: `${FILES}/1` })).status).toBe(200);
    expect((await call(key, { path: '/drive/v3/moons' })).status).toBe(200);
    await countCalls(proxy.test);
    const { data: keys } = (await proxy.test.json('GET', '/account/keys')).body;
    const { id } = keys.find((one: { name: string }) => one.name === 'Observer');
    const { status, body } = await proxy.test.json('GET', `/account/keys/${id}/observed`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ calls: 6, would_refuse: 5 });
    const rows = body.data.rows.map(({ limit, method, calls }: Record<string, unknown>) => [limit, method, calls]);
    expect(rows[0]).toEqual(['day.units', 'drive.files.list', 3]);
    expect(rows).toHaveLength(3);
    expect(rows).toContainEqual(['methods', 'drive.files.delete', 1]);
    expect(rows).toContainEqual(['methods', null, 1]);
    expect((await proxy.test.json('GET', `/account/keys/${'0'.repeat(64)}/observed`)).status).toBe(404);
  });

  test('LK-14: a warm call of a key that is limited by method makes no AWS call', async () => {
    const key = await limited({ allow: ['drive:read'] });
    await call(key, { path: FILES });
    const awsCalls = () =>
      proxy.test.gateway
        .awsCalls()
        .filter(({ functionName, operation }) => functionName === 'proxy' && operation !== 'PutItem');
    // A refusal leaves its row in the call log, as every failed call does. What earlier calls do in the background may still be under way.
    await expect
      .poll(async () => {
        const before = JSON.stringify(awsCalls());
        expect((await call(key, { path: FILES })).status).toBe(200);
        expect((await call(key, { method: 'DELETE', path: `${FILES}/1` })).status).toBe(403);
        return JSON.stringify(awsCalls()) === before;
      })
      .toBe(true);
  });

  test('LK-10: a key without limits calls everything, as before', async () => {
    const key = await keyWith(proxy.test, { right: 'proxy' });
    for (const path of [FILES, '/drive/v3/moons', '/drive/v3//files', `${FILES}/1?alt=media`]) {
      expect((await call(key, { path })).status).toBe(200);
    }
  });

  test('LK-10, LK-20: limits are set and removed, only for keys with the right proxy, and are shown in the list', async () => {
    const made = await proxy.test.json('POST', '/account/keys', { name: 'bot', right: 'proxy' });
    const id = textAt(made.body, 'data', 'id');
    const limits = {
      mode: 'enforce',
      allow: ['calendar:read'],
      end_users: { end_user_id: 'u1' },
      minute: { calls: 5 },
    };
    const set = await proxy.test.json('PATCH', `/account/keys/${id}`, { limits });
    expect(set).toMatchObject({ status: 200, body: { data: { id, right: 'proxy', limits } } });
    const { data } = (await proxy.test.json('GET', '/account/keys')).body;
    const listed = data.find((key: { id: string }) => key.id === id);
    expect(listed.limits).toMatchObject(limits);
    expect(listed.limits.methods).toHaveLength(10);
    const gone = await proxy.test.json('PATCH', `/account/keys/${id}`, { limits: null });
    expect(gone.body.data).toMatchObject({ right: 'proxy', limits: null });
    const full = await proxy.test.json('POST', '/account/keys', { name: 'all', right: 'full' });
    const refused = await proxy.test.json('PATCH', `/account/keys/${textAt(full.body, 'data', 'id')}`, { limits });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
    for (const right of ['read', 'full']) {
      const other = await proxy.test.json('POST', '/account/keys', { name: 'x', right, limits });
      expect([right, other.status, other.body.error.errors]).toEqual([
        ...[right, 400, [{ path: 'limits', message: expect.stringContaining('keys with the right proxy') }]],
      ]);
    }
    const bad = await proxy.test.json('POST', '/account/keys', {
      name: 'x',
      right: 'read',
      limits: { mode: 'enforce', allow: ['drive:all'], sources: ['here'], moon: 1, day: {} },
    });
    expect(bad.status).toBe(400);
    const { errors } = bad.body.error;
    expect(errors.map(({ path }: { path: string }) => path).toSorted()).toEqual(
      expect.arrayContaining(['limits.allow[0]', 'limits.day', 'limits.sources[0]']),
    );
  });
});
