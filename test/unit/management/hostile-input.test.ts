import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addTallies, NOTHING_COUNTED, newCensus } from '../../../lambdas/gateway/connections/census.rules.ts';
import { JSON_BODY_MAX_BYTES } from '../../../lambdas/gateway/core/limits.ts';
import { tokenCipher } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { type AnyRoute, ROUTES } from '../../../lambdas/management/routes/index.ts';
import type { Services } from '../../../lambdas/management/services.ts';
import { drawn } from '../../support/draws.ts';
import { ProcessorTime } from '../../support/processor-time.ts';
import { FULL_KEY, type ManagementGateway, managementGateway, secretKey, textAt } from './support/gateway.ts';

const WITH_BODY = ROUTES.filter((route) => route.body !== undefined);
const NAMES = [
  ...['provider', 'unique_key', 'credentials', 'client_id', 'connection_id', 'provider_config_key', 'end_user', 'id'],
  ...['tags', 'metadata', 'name', 'right', 'type', 'refresh_token', 'allowed_integrations', 'scopes'],
];

/** JSON that looks like a body: known members, some of them nested, with values of every kind. */
const body = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.constantFrom('google-drive', 'drive', 'c-1', 'OAUTH2', 'full', '', ' ', '\u0000', '\ud800', `\${x}`, '<script>'),
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 3 })), tie('value'), { maxKeys: 5 }),
  ),
})).value;

function target(pattern: string): string {
  const names: Record<string, string> = {
    integrationId: 'drive',
    connectionId: 'c-1',
    provider: 'google-drive',
    cloudProject: '123456789012',
    keyId: 'k',
    webhookId: 'w',
    approvalId: 'apr_01KAMT0V5N7Z2Q4R8S6T1W3X5Yf3a1c5d2e4b6',
    feedId: '01JN8Z4H9V6Q3W2X1Y0ZABCDEF',
    name: 'mirror',
  };
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
  return pattern.startsWith('/connections/{') ? `${path}?provider_config_key=drive` : path;
}

const KINDS: readonly unknown[] = [null, true, 1.5, '', 'x', [], [[]], [{}], {}, { x: {} }];

/** A value, with itself or one of its parts replaced by a value of each kind. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* KINDS;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    for (const other of spoiled(member)) {
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function inhabited(instead: Partial<Services> = {}): Promise<ManagementGateway> {
  const gateway = managementGateway(instead);
  gateway.addIntegration({ integrationId: 'drive' });
  for (const connectionId of ['c-1', 'c-2', 'c-3']) await gateway.addConnection({ connectionId });
  await gateway.addConnection({ accountId: 'other', connectionId: 'foreign' });
  return gateway;
}

describe('DS-9: the answer to a request full of mistakes', () => {
  const LIMIT_BYTES = 64 * 1024;
  const filled = (unit: (i: number) => string, open: string, close: string): string => {
    let text = open;
    for (let i = 0; text.length < JSON_BODY_MAX_BYTES - 100; i++) text += `${i === 0 ? '' : ','}${unit(i)}`;
    return text + close;
  };
  const bodies = {
    'unknown members': filled((i) => `"x${i}":1`, '{', '}'),
    'one member with an endless name': `{"${'n'.repeat(JSON_BODY_MAX_BYTES - 100)}":1}`,
    'names that grow when they are escaped': filled((i) => `"${'\\u0001'.repeat(40)}${i}":1`, '{', '}'),
    'a list of wrong elements': filled(() => '5', '{"integration_ids":[', ']}'),
  };

  const cases = WITH_BODY.flatMap((route, i) =>
    Object.keys(bodies).map((kind, j) => [`${route.method} ${route.pattern}`, kind, route, (i + j) % 4 === 0] as const),
  );
  const answersBriefly = async (_: string, kind: string, route: AnyRoute) => {
    const gateway = await inhabited();
    const rawBody = Object(bodies)[kind];
    const reply = await gateway.raw(route.method, target(route.pattern), { rawBody });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.body?.length).toBeLessThanOrEqual(LIMIT_BYTES);
    expect(isJson(Buffer.from(reply.body ?? '').toString('utf8'))).toBe(true);
  };
  const [first, others] = [true, false].map((isFirst) => cases.filter(([, , , one]) => one === isFirst));
  it.each(first ?? [])('DS-9: %s with %s answers at most 64 KB', answersBriefly);
  it.each(others ?? [])('DS-9: %s with %s answers at most 64 KB', { tags: ['long'] }, answersBriefly);

  it('DS-9: names a hundred mistakes and says how many more there are', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x${i}`, 1]));
    const sent = { name: 'a', right: 'read', ...unknown };
    const { body, paths } = await managementGateway().call('POST', '/account/keys', { body: sent });
    const error = { errors_left_out: 900, message: expect.stringContaining('and 999 more') };
    expect(body).toMatchObject({ error });
    expect(paths).toHaveLength(100);
  });

  it('DS-9: a query of mistakes is answered with at most 64 KB', async () => {
    const query = Array.from({ length: 1_200 }, (_, i) => `x${'y'.repeat(i % 60)}=1`).join('&');
    const reply = await managementGateway().raw('GET', `/connections?${query}`);
    expect([reply.status, (reply.body?.length ?? 0) <= LIMIT_BYTES]).toEqual([400, true]);
  });
});

describe('hostile bodies', () => {
  const routes = WITH_BODY.map((route) => [`${route.method} ${route.pattern}`, route] as const);
  const answersWhatever = (numRuns: number) => async (_: string, route: AnyRoute) => {
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const gateway = await inhabited();
        const reply = await gateway.call(route.method, target(route.pattern), { body: value });
        expect([reply.status, gateway.logged.join()], JSON.stringify(value)).not.toContain(500);
        if (reply.status >= 400) expect(textAt(reply.body, 'error', 'code')).toMatch(/^[a-z_]+$/);
      }),
      { numRuns },
    );
  };
  const claim = 'AK-8: %s answers whatever JSON is generated, and never with an error of its own';
  it.each(routes)(claim, answersWhatever(3));
  it.each(routes)(`${claim}, in many tries`, { tags: ['long'] }, answersWhatever(80));

  it.each(WITH_BODY.map((route) => [`${route.method} ${route.pattern}`, route] as const))(
    'AK-8: %s answers its example with one member of another kind, and never with an error of its own',
    async (_, route) => {
      const gateway = await inhabited();
      for (const value of spoiled(route.describe().example.body ?? {})) {
        const reply = await gateway.call(route.method, target(route.pattern), { body: value });
        expect([reply.status, gateway.logged.join()], JSON.stringify(value)).not.toContain(500);
      }
    },
  );

  it.each(WITH_BODY.map((route) => [`${route.method} ${route.pattern}`, route] as const))(
    'AK-9: %s refuses bytes that are no JSON, and changes nothing',
    { tags: ['drawn'] },
    async (_, route) => {
      const gateway = await inhabited();
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 30 }), async (bytes) => {
          const rawBody = `{${Buffer.from(bytes).toString('latin1')}`;
          if (isJson(rawBody)) return;
          const reply = await gateway.call(route.method, target(route.pattern), { rawBody });
          expect(reply.status).toBe(400);
        }),
        { numRuns: drawn(40) },
      );
      expect(gateway.events.all).toEqual([]);
    },
  );
});

describe('ids and texts that are too long', () => {
  /** Longer than a sort key and than a partition key, short but long once it is encoded, and digits, as in numbers of projects. */
  const LONG = ['x'.repeat(1_024), 'x'.repeat(2_048), '漢'.repeat(255), '1'.repeat(2_048)];
  const routes = ROUTES.map((route) => [`${route.method} ${route.pattern}`, route] as const);

  /** A value, with each text in it replaced. */
  function* stretched(value: unknown, text: string): Generator<unknown> {
    if (typeof value === 'string') yield text;
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      for (const other of stretched(member, text)) {
        yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
      }
    }
  }

  const bodyOf = (route: AnyRoute) => (route.body === undefined ? undefined : (route.describe().example.body ?? {}));
  const send = async (gateway: ManagementGateway, route: AnyRoute, path: string, sent = bodyOf(route)) => {
    const reply = await gateway.call(route.method, path, sent === undefined ? {} : { body: sent });
    expect([reply.status, gateway.logged.join()], `${path} ${JSON.stringify(sent)}`).not.toContain(500);
    return reply;
  };

  it.each(routes)('DS-12: %s answers 404 to a long id in its path', async (_, route) => {
    const gateway = await inhabited();
    const parts = target(route.pattern).split(/[/?]/);
    for (const [at, part] of route.pattern.split('/').entries()) {
      if (!part.startsWith('{')) continue;
      for (const text of LONG) {
        const [, query] = target(route.pattern).split('?');
        const path = parts.slice(0, route.pattern.split('/').length).with(at, encodeURIComponent(text)).join('/');
        const reply = await send(gateway, route, query === undefined ? path : `${path}?${query}`);
        expect([reply.status, reply.code]).toEqual([404, 'not_found']);
        expect(textAt(reply.body, 'error', 'message')).toContain('characters');
      }
    }
  });

  it.each(routes)('DS-12: %s answers a long text in each parameter of its query', async (_, route) => {
    const shape = Object(route.query && z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' }));
    const gateway = await inhabited();
    for (const name of Object.keys(Object(shape.properties))) {
      for (const text of LONG) {
        const [path = '', query = ''] = target(route.pattern).split('?');
        const others = query.startsWith(`${name}=`) ? '' : query;
        await send(gateway, route, `${path}?${others}&${name}=${encodeURIComponent(text)}`.replace('?&', '?'));
      }
    }
  });

  it.each(WITH_BODY.map((route) => [`${route.method} ${route.pattern}`, route] as const))(
    'DS-12: %s answers a long text in each member of its body',
    async (_, route) => {
      for (const text of LONG) {
        for (const value of stretched(bodyOf(route), text)) {
          await send(await inhabited(), route, target(route.pattern), Object(value));
        }
      }
    },
  );
});

describe('names that every object inherits', () => {
  const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf'];
  /** One that is a function, and one that is set and read in its own way. */
  const OF_EACH_KIND = ['constructor', '__proto__'];
  const routes = ROUTES.map((route) => [`${route.method} ${route.pattern}`, route] as const);
  const withBody = WITH_BODY.map((route) => [`${route.method} ${route.pattern}`, route] as const);
  const AN_OBJECT_TOO = ['tags', 'params', 'authorization_params', 'constructor'];
  const withOwn = (value: object, name: string) => Object.fromEntries([...Object.entries(value), [name, { x: 1 }]]);

  /** A value with a further member, once at the top and once in each object below, and with each text replaced. */
  function* haunted(value: unknown, name: string): Generator<unknown> {
    if (typeof value === 'string') yield name;
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) yield withOwn(value, name);
    for (const [key, member] of Object.entries(value)) {
      for (const other of haunted(member, name)) {
        yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
      }
    }
  }

  /** A gateway whose integration and connection have such a name, and which has counted them. */
  async function named(name: string): Promise<ManagementGateway> {
    const gateway = await inhabited();
    gateway.addIntegration({ integrationId: name });
    await gateway.addConnection({ integrationId: name, connectionId: name });
    const counted = { ...NOTHING_COUNTED, from: { day: '2026-03-01', changes: {} }, countedAtEpochSec: 1_772_000_000 };
    gateway.census.set('default', { ...newCensus('default'), sofar: NOTHING_COUNTED, counted });
    return gateway;
  }

  const takesThem = (names: readonly string[]) => async (_: string, route: AnyRoute) => {
    for (const name of names) {
      const gateway = await named(name);
      const { query } = route;
      const known = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
      const inPath = route.pattern.replaceAll(/\{\w+\}/g, name);
      const body = route.body === undefined ? undefined : (route.describe().example.body ?? {});
      // What the fakes of this test lack, such as a provider that answers, they lack without these names, too.
      const usual = (await (await inhabited()).raw(route.method, target(route.pattern), { body })).status;
      const targets = [
        ...[target(route.pattern), inPath, `${inPath}?provider_config_key=${name}`],
        ...[name, `${name}[${name}]`, ...AN_OBJECT_TOO.map((one) => `${one}[${name}]`), ...known].map(
          (one) => `${target(route.pattern).split('?')[0]}?${encodeURIComponent(one)}=${name}`,
        ),
      ];
      for (const one of targets) {
        for (const key of [FULL_KEY, undefined]) {
          const headers = ['Origin', 'Accept-Language', 'If-None-Match', 'Provider-Config-Key', name]
            .filter((header) => /^[\w-]+$/.test(header))
            .map((header) => [header, name] as const);
          const reply = await gateway.raw(route.method, one, {
            key,
            headers,
            ...(body === undefined ? {} : { body }),
          });
          if (reply.status !== usual) expect(reply.status, one).toBeLessThan(500);
        }
      }
    }
  };
  it.each(routes)(
    'AK-16: %s takes them in a query, a path or a header for names that nobody has, and never fails of its own',
    takesThem(OF_EACH_KIND),
  );
  it.each(routes)('AK-16: %s takes every one of them so', { tags: ['long'] }, takesThem(INHERITED));

  const refusesThem = (names: readonly string[]) => async (_: string, route: AnyRoute) => {
    for (const name of names) {
      const gateway = await named(name);
      for (const value of haunted(route.describe().example.body ?? {}, name)) {
        const reply = await gateway.call(route.method, target(route.pattern), { body: value });
        expect(reply.status, JSON.stringify(value)).toBeLessThan(500);
      }
    }
  };
  it.each(withBody)(
    'AK-16: %s refuses or ignores them as members and values of a body, at any depth',
    refusesThem(OF_EACH_KIND),
  );
  it.each(withBody)('AK-16: %s refuses or ignores every one of them so', { tags: ['long'] }, refusesThem(INHERITED));

  it.each(INHERITED)('AK-16: an integration named %s is an integration like any other', async (name) => {
    const gateway = await named(name);
    const list = await gateway.call('GET', `/connections?integrationId=${name}`);
    expect(list.body).toMatchObject({ connections: [{ connection_id: name, provider_config_key: name }] });
    const session = { end_user: { id: 'u' }, allowed_integrations: [name] };
    expect((await gateway.call('POST', '/connect/sessions', { body: session })).status).toBe(201);
    const counts = { [name]: { active: 1, failing: 0, causes: {}, endsByDay: {} } };
    expect(addTallies(NOTHING_COUNTED, { ...NOTHING_COUNTED, integrations: counts }).integrations).toEqual(counts);
  });
});

describe('bodies beyond every use', () => {
  const bodyOf = (bytes: number) => `{"name":"${'a'.repeat(bytes - 11)}"}`;

  it.each([
    ['a million names', `{${Array.from({ length: 1_000_000 }, (_, i) => `"${i}":0`).join(',')}}`],
    ['one byte above the limit', bodyOf(JSON_BODY_MAX_BYTES + 1)],
  ])('DS-1, DS-6: %s: refused by size, unread', async (_, rawBody) => {
    const gateway = managementGateway();
    const time = new ProcessorTime(500);
    for (const _ of time) {
      const reply = await gateway.call('POST', '/account/keys', { rawBody });
      expect(reply).toMatchObject({ status: 413, code: 'request_too_large' });
    }
    expect(time.ms).toBeLessThan(500);
  });

  it.each([0, -1])('DS-1: a body of the limit and %i bytes is read', async (more) => {
    const rawBody = bodyOf(JSON_BODY_MAX_BYTES + more);
    const reply = await managementGateway().call('POST', '/account/keys', { rawBody });
    expect(reply).toMatchObject({ status: 400, code: 'invalid_body' });
  });
});

describe('hostile cursors', () => {
  it('AK-10: one that was changed in any place is refused; none shows another account’s connections', {
    tags: ['drawn'],
  }, async () => {
    const key = randomBytes(32);
    const keys = { current: async () => ({ keyNumber: 1, key }), byNumber: async () => key };
    const random = { bytes: (length: number) => randomBytes(length), number: () => 0.5 };
    const gateway = await inhabited({ cipher: tokenCipher(keys, random) });
    const { body: page } = await gateway.call('GET', '/connections?limit=1');
    const cursor = textAt(page, 'next_cursor');
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc
            .tuple(fc.nat(cursor.length - 1), fc.string({ minLength: 1, maxLength: 1 }))
            .map(([at, one]) => cursor.slice(0, at) + one + cursor.slice(at + 1)),
          fc.nat(cursor.length - 1).map((at) => cursor.slice(0, at)),
          fc.string().map((more) => cursor + more),
          fc.string(),
        ),
        async (changed) => {
          if (changed === cursor || changed === '') return;
          const reply = await gateway.call('GET', `/connections?limit=10&cursor=${encodeURIComponent(changed)}`);
          expect(reply).toMatchObject({ status: 400 });
          expect(JSON.stringify(reply.body)).not.toContain('foreign');
        },
      ),
      { numRuns: drawn(300) },
    );
  });
});

describe('hostile credentials', () => {
  const form = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      '',
      'Bearer',
      'Bearer ',
      'Basic x',
      `Bearer ${FULL_KEY} `,
      `Bearer ${FULL_KEY},${FULL_KEY}`,
      `bearer${FULL_KEY}`,
    ),
    fc.nat(FULL_KEY.length - 1).map((at) => `Bearer ${FULL_KEY.slice(0, at)}`),
    fc
      .tuple(fc.nat(FULL_KEY.length - 1), fc.string({ minLength: 1, maxLength: 1 }))
      .map(([at, one]) => `Bearer ${FULL_KEY.slice(0, at)}${one}${FULL_KEY.slice(at + 1)}`),
    fc.string().map((random) => `Bearer ${secretKey(random)}`),
    fc.string({ maxLength: 50 }).map((random) => `Bearer cs_${random}`),
  );

  it('AK-3: no key or session token but the very one opens anything, and every refusal is a 401', {
    tags: ['drawn'],
  }, async () => {
    const gateway = await inhabited();
    await fc.assert(
      fc.asyncProperty(form, async (value) => {
        // Blanks around the value are no part of it (RFC 9110 section 5.5); the scheme has no case.
        if (value.trim().replace(/^bearer +/i, '') === FULL_KEY && /^bearer /i.test(value.trim())) return;
        const headers = [['Authorization', value]] as const;
        const reply = await gateway.call('GET', '/connections', { key: undefined, headers });
        expect(reply.status, JSON.stringify(value)).toBe(401);
        expect(JSON.stringify(reply.body)).not.toContain('c-1');
      }),
      { numRuns: drawn(400) },
    );
    expect((await gateway.call('GET', '/connections')).status).toBe(200);
  });
});
