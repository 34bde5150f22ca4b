// @module-tag long
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { signingKey } from '../../../dev/local/issuer/signing-key.ts';
import { issueTokens } from '../../../dev/local/issuer/tokens.ts';
import { jsonAt, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { type AnyRoute, ROUTES } from '../../../lambdas/management/routes/index.ts';
import { connectSession } from '../../support/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { signIn } from '../../support/operator.ts';
import { connectionKey, readConnection, tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { approvalTools } from '../approvals/support.ts';
import { keyOfAccount, keyWith } from './keys.ts';

const PROTECTED = ROUTES.filter(({ access }) => access.right !== 'anyone');
const nameOf = ({ method, pattern }: AnyRoute) => `${method} ${pattern}`;

/**
 * What a full key of another account gets when it names what belongs to the first: status, and code of a refusal. A route
 * without a row fails the test below.
 */
const SEEN_BY_ANOTHER: Readonly<Record<string, string>> = {
  'GET /integrations': '200',
  'POST /integrations': '200',
  'POST /integrations/quickstart': '200',
  'GET /integrations/{integrationId}': '404 unknown_integration',
  'PATCH /integrations/{integrationId}': '404 unknown_integration',
  'DELETE /integrations/{integrationId}': '404 unknown_integration',
  'GET /integrations/{integrationId}/readiness': '404 unknown_integration',
  'GET /integrations/{integrationId}/delegation': '404 unknown_integration',
  'POST /integrations/{integrationId}/delegation/check': '404 unknown_integration',
  'GET /connections': '200',
  'POST /connections': '404 unknown_integration',
  'GET /connections/{connectionId}': '404 unknown_integration',
  'PATCH /connections/{connectionId}': '404 unknown_integration',
  'DELETE /connections/{connectionId}': '404 unknown_integration',
  'POST /connections/metadata': '404 unknown_integration',
  'PATCH /connections/metadata': '404 unknown_integration',
  'POST /connections/{connectionId}/refresh': '404 unknown_integration',
  'POST /connections/{connectionId}/check': '404 unknown_integration',
  'POST /connections/{connectionId}/try': '404 unknown_integration',
  'GET /connections/{connectionId}/events': '404 unknown_connection',
  'GET /connections/{connectionId}/calls': '404 unknown_integration',
  'POST /connections/{connectionId}/calls/record': '404 unknown_integration',
  'DELETE /connections/{connectionId}/calls/record': '404 unknown_integration',
  'GET /calls': '200',
  'GET /journal': '404 unknown_integration',
  'POST /undo': '200',
  'GET /calls/{requestId}': '404 not_found',
  'GET /search': '200',
  'POST /feeds': '404 unknown_integration',
  'GET /feeds': '400 invalid_query_params',
  'GET /feeds/{feedId}': '404 not_found',
  'PATCH /feeds/{feedId}': '404 not_found',
  'DELETE /feeds/{feedId}': '404 not_found',
  'POST /feeds/{feedId}/pull': '404 not_found',
  'GET /feeds/{feedId}/changes': '404 not_found',
  'PUT /feeds/{feedId}/cursors/{name}': '404 not_found',
  'DELETE /feeds/{feedId}/cursors/{name}': '404 not_found',
  'GET /webhooks': '200',
  'POST /webhooks': '400 invalid_body',
  'GET /webhooks/{webhookId}': '404 not_found',
  'PATCH /webhooks/{webhookId}': '404 not_found',
  'DELETE /webhooks/{webhookId}': '404 not_found',
  'POST /webhooks/{webhookId}/rotate-secret': '404 not_found',
  'POST /webhooks/{webhookId}/enable': '404 not_found',
  'POST /webhooks/{webhookId}/test': '404 not_found',
  'GET /webhooks/{webhookId}/deliveries': '404 not_found',
  'POST /webhooks/{webhookId}/replay': '404 not_found',
  'POST /connect/reconnect-links': '201',
  'GET /connect/reconnect-links': '200',
  'GET /connect/reconnect-links/{batchId}': '404 not_found',
  'DELETE /connect/reconnect-links/{batchId}': '404 not_found',
  'GET /usage': '200',
  'GET /usage/minutes': '200',
  'GET /usage/connections': '200',
  'GET /quota': '200',
  'GET /events': '200',
  'PUT /account/operator': '403 forbidden',
  'GET /revocations': '400 invalid_query_params',
  'DELETE /connect/sessions': '200',
  'POST /connect/sessions': '400 invalid_body',
  'POST /connect/sessions/admin': '404 unknown_integration',
  'POST /connect/sessions/reconnect': '400 invalid_body',
  'POST /connect/sessions/confirm': '404 not_found',
  'GET /overview': '200',
  'GET /providers': '200',
  'GET /providers/{provider}': '200',
  'POST /providers/{provider}/check-client': '200',
  'GET /account/keys': '200',
  'POST /account/keys': '201',
  'POST /account/roles': '403 forbidden',
  'POST /account/agents': '400 invalid_body',
  'PATCH /account/keys/{keyId}': '404 not_found',
  'GET /account/keys/{keyId}/observed': '404 not_found',
  'GET /account/limits/catalogue': '200',
  'DELETE /account/keys/{keyId}': '404 not_found',
  'GET /test-credentials/{provider}': '403 forbidden',
  'PUT /test-credentials/{provider}': '403 forbidden',
  'DELETE /test-credentials/{provider}': '403 forbidden',
  'GET /agent-tools': '200',
  'POST /agent-tools/fetch': '200',
  'POST /agent-tools/{provider}/accept': '409 conflict',
  'GET /approvals': '200',
  'GET /approvals/{approvalId}': '404 not_found',
  'POST /approvals/{approvalId}/decision': '403 forbidden',
  'POST /approvals/{approvalId}/session': '404 not_found',
  'GET /security-events': '200',
  'PUT /security-events/{cloudProject}': '404 not_found',
  'DELETE /security-events/{cloudProject}': '404 not_found',
};

describe('two accounts of one gateway', () => {
  // More wrong keys in a minute than one address may send.
  const gateway = useTestGateway({ environmentOverrides: { WRONG_KEYS_PER_MINUTE_PER_ADDRESS: '0' } });
  let otherKey: string;
  /** What names things of the first account, in paths and queries. */
  let names: Record<string, string>;
  beforeAll(async () => {
    otherKey = await keyOfAccount(gateway, 'second');
    const keys = await gateway.json('GET', '/account/keys');
    const { data } = jsonAt(keys.body);
    const connection = {
      provider_config_key: 'google-drive',
      connection_id: gateway.connectionId('google-drive'),
    };
    names = {
      integrationId: 'google-drive',
      connectionId: gateway.connectionId('google-drive'),
      provider: 'google-drive',
      cloudProject: '1234567890',
      requestId: await failedCall(),
      keyId: textAt(Array.isArray(data) ? data[0] : undefined, 'id'),
      feedId: await made('/feeds', { ...connection, resource: 'drive' }),
      name: 'mirror',
      approvalId: (await approvalTools(gateway).parkOfNewKey('google-drive')).approval_id,
      webhookId: await made('/webhooks', { url: 'https://hooks.example.com/gateway' }),
      batchId: await made('/connect/reconnect-links', { connections: [connection] }),
    };
  });

  /** Makes something of the first account. @returns its id */
  async function made(path: string, body: object): Promise<string> {
    const answer = await gateway.json('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return textAt(answer.body, 'data', 'id');
  }

  /** The request id of a call of the first account that is in the call log. */
  async function failedCall(): Promise<string> {
    const refused = await gateway.proxy('google-drive', '/gmail/v1/users/me');
    const requestId = refused.headers.get('x-request-id') ?? '';
    await eventually(async () => expect((await gateway.json('GET', `/calls/${requestId}`)).status).toBe(200));
    return requestId;
  }

  /** A request of a route that names what the first account has. */
  function send(route: AnyRoute, headers: Record<string, string>): Promise<Response> {
    const { example } = route.describe();
    const path = route.pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
    const body = JSON.stringify(example.body)?.replaceAll('user-42-drive', names.connectionId ?? '');
    // The feed has no batch yet, and a position beyond its last one is refused.
    const query = example.query?.after === undefined ? example.query : { ...example.query, after: '0' };
    return fetch(`${gateway.gateway.gatewayUrl}${path}?${new URLSearchParams(query)}`, {
      method: route.method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
    });
  }

  async function outcome(answer: Response): Promise<string> {
    await answer.text();
    const code = answer.headers.get('x-gateway-error');
    return code === null ? String(answer.status) : `${answer.status} ${code}`;
  }

  /** Everything the first account can see of itself. */
  async function firstAccount(): Promise<unknown> {
    const paths = ['/integrations', '/connections', '/account/keys', '/test-credentials/google-drive'];
    const parts = await Promise.all(paths.map(async (path) => (await gateway.json('GET', path)).body));
    // The time of last use moves by itself.
    return JSON.parse(JSON.stringify(parts, (name, value) => (name.startsWith('last_used') ? undefined : value)));
  }

  test('AK-5: the matrix has a row for every route', () => {
    const advice = PROTECTED.map(nameOf)
      .filter((name) => !(name in SEEN_BY_ANOTHER))
      .map((name) => `${name} has no row: say in SEEN_BY_ANOTHER of this file what another account gets there.`);
    expect(advice.join('\n')).toBe('');
    expect(Object.keys(SEEN_BY_ANOTHER).sort()).toEqual(PROTECTED.map(nameOf).sort());
  });

  test('AK-5: another account sees nothing of the first, and changes nothing', async () => {
    const before = await firstAccount();
    for (const route of PROTECTED) {
      const answer = await send(route, { authorization: `Bearer ${otherKey}` });
      const text = await answer.clone().text();
      expect(`${nameOf(route)}: ${await outcome(answer)}`).toBe(`${nameOf(route)}: ${SEEN_BY_ANOTHER[nameOf(route)]}`);
      for (const secret of [names.connectionId ?? '', names.keyId ?? '', 'first.user@example.com']) {
        if (route.method === 'GET') expect(text, nameOf(route)).not.toContain(secret);
      }
    }
    expect(await firstAccount()).toEqual(before);
  });

  test('AK-5: an integration of the same name opens nothing of the first account either', async () => {
    const before = await firstAccount();
    const mine = { provider: 'google-drive', unique_key: 'google-drive' };
    expect((await gateway.json('POST', '/integrations/quickstart', mine, otherKey)).status).toBe(200);
    const ofConnections = PROTECTED.filter(({ pattern }) => /^\/connections\/(\{|metadata)/.test(pattern));
    expect(ofConnections.length).toBeGreaterThan(7);
    for (const route of ofConnections) {
      const answer = await send(route, { authorization: `Bearer ${otherKey}` });
      expect(`${nameOf(route)}: ${await outcome(answer)}`).toBe(`${nameOf(route)}: 404 unknown_connection`);
    }
    const headers = { 'provider-config-key': 'google-drive', 'connection-id': names.connectionId ?? '' };
    const proxied = await fetch(`${gateway.gateway.gatewayUrl}/proxy/drive/v3/files`, {
      headers: { authorization: `Bearer ${otherKey}`, ...headers },
    });
    expect(await outcome(proxied)).toBe('404 unknown_connection');
    expect((await gateway.json('DELETE', '/integrations/google-drive', undefined, otherKey)).status).toBe(200);
    expect(await firstAccount()).toEqual(before);
  });

  test('DS-7: a list of 7 MB comes in pages of at most 4 MB, each complete', async () => {
    const template = await readConnection(gateway, 'google-drive', names.connectionId ?? '');
    const COUNT = 225;
    const rows = Array.from({ length: COUNT }, (_, i) => {
      const [createdAt, numericId] = [new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(), 1_000 + i];
      return {
        ...template,
        ...connectionKey('google-drive', `large-${i}`, 'large'),
        accountId: 'large',
        connectionId: `large-${i}`,
        metadata: { text: 'x'.repeat(31 * 1024) },
        createdAt,
        numericId,
        accountListKey: 'ACCOUNT#large#CONNECTION',
        listSortKey: `${createdAt}#${numericId}`,
        dueShard: undefined,
      };
    });
    const table = tableClient(gateway);
    for (let start = 0; start < COUNT; start += 25) {
      const puts = rows.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
      await table.send(new BatchWriteCommand({ RequestItems: { [gateway.gateway.tableName]: puts } }));
    }
    const headers = { authorization: `Bearer ${await keyOfAccount(gateway, 'large')}` };
    const seen: string[] = [];
    for (let query = ''; ; ) {
      const answer = await fetch(`${gateway.gateway.gatewayUrl}/connections${query}`, { headers });
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(text.length).toBeLessThanOrEqual(4 * 1024 * 1024);
      const { connections, next_cursor } = JSON.parse(text);
      seen.push(...connections.map((one: { connection_id: string }) => one.connection_id));
      if (next_cursor === null) break;
      query = `?cursor=${encodeURIComponent(next_cursor)}`;
    }
    expect(seen).toEqual(Array.from({ length: COUNT }, (_, i) => `large-${COUNT - 1 - i}`));
  });

  describe('every kind of caller', () => {
    type Expectation = (route: AnyRoute) => RegExp;
    const always =
      (outcome: string): Expectation =>
      () =>
        new RegExp(`^${outcome}$`);
    const letIn = /^(200|201|202|400 invalid_body|40[49] \w+|424 \w+|503 \w+)$/;

    const callers: readonly (readonly [
      kind: string,
      headers: () => Promise<Record<string, string>> | Record<string, string>,
      expectation: Expectation,
    ])[] = [
      ['nobody', () => ({}), always('401 missing_auth_header')],
      ['a cookie alone', () => ({ cookie: `token=${gateway.gateway.secretKey}` }), always('401 missing_auth_header')],
      ['a malformed key', () => bearer('sk_default_short'), always('401 invalid_secret_key')],
      ['an unknown key', () => bearer(`sk_default_${'A'.repeat(43)}`), always('401 invalid_secret_key')],
      [
        'a key under another account’s name',
        () => bearer(otherKey.replace('second', 'default')),
        always('401 invalid_secret_key'),
      ],
      ['a revoked key', revoked, always('401 invalid_secret_key')],
      [
        'a key for the proxy alone',
        async () => bearer(await keyWith(gateway, { right: 'proxy' })),
        ({ access }) => (access.proxyKey === true ? /^404 not_found$/ : /^403 forbidden$/),
      ],
      [
        'a reading key',
        async () => bearer(await keyWith(gateway, { right: 'read' })),
        ({ access }) => (access.right === 'read' ? letIn : /^403 forbidden$/),
      ],
      [
        'a key of another integration',
        async () => bearer(await keyWith(gateway, { integration_ids: ['google-calendar'] })),
        ({ access, pattern }) =>
          access.account === true || /^\/(conn|feeds$)/.test(pattern)
            ? pattern === '/connect/sessions/confirm' || pattern.endsWith('{batchId}')
              ? // Which integration it is for is known of a handle that exists, and this one does not.
                /^404 not_found$/
              : /^(403 forbidden|200|201|400 invalid_body)$/
            : letIn,
      ],
      ['an operator', async () => bearer((await signIn(gateway.gateway)).accessToken), () => letIn],
      [
        'an operator’s ID token',
        async () => bearer((await signIn(gateway.gateway)).idToken),
        always('401 invalid_operator_token'),
      ],
      ['an operator with a token of the same form as the next two', () => bearer(operatorToken('own', 0)), () => letIn],
      [
        'an operator whose token has ended',
        () => bearer(operatorToken('own', -3600)),
        always('401 invalid_operator_token'),
      ],
      [
        'an operator of another issuer',
        () => bearer(operatorToken('foreign', 0)),
        always('401 invalid_operator_token'),
      ],
      [
        'a connect session',
        async () => bearer(await connectSession(gateway, { allowed_integrations: ['google-drive'] })),
        ({ access }) => (access.session === true ? letIn : /^401 invalid_session_token$/),
      ],
      [
        'a connect session of another account',
        async () => {
          const made = await gateway.json('POST', '/connect/sessions', { end_user: { id: 'u' } }, otherKey);
          return bearer(textAt(made.body, 'data', 'token'));
        },
        ({ access }) => (access.session === true ? letIn : /^401 invalid_session_token$/),
      ],
    ];

    function bearer(value: string): Record<string, string> {
      return { authorization: `Bearer ${value}` };
    }

    async function revoked(): Promise<Record<string, string>> {
      const made = await gateway.json('POST', '/account/keys', { name: 'gone', right: 'full' });
      await gateway.json('DELETE', `/account/keys/${textAt(made.body, 'data', 'id')}`);
      return bearer(textAt(made.body, 'data', 'secret_key'));
    }

    /** An access token of the local issuer's form. @param shiftSec moves its times */
    function operatorToken(signer: 'own' | 'foreign', shiftSec: number): string {
      const stored: unknown = JSON.parse(readFileSync(join(gateway.gateway.dataDir, 'issuer-key.json'), 'utf8'));
      const own = createPrivateKey(textAt(stored, 'private_key'));
      const key = signingKey(signer === 'own' ? own : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
      const now = Math.floor(Date.now() / 1000) + shiftSec;
      const operator = { subject: 'someone', email: 'operator@example.com' };
      const grant = {
        operator,
        clientId: 'local-dashboard',
        scopes: ['openid'],
        authTimeEpochSec: now,
        originId: 'o',
        nonce: undefined,
      };
      return issueTokens(key, `${gateway.gateway.dashboardUrl}/issuer`, grant, now).accessToken;
    }

    /** Each is refused, or let in, where another of the list is. */
    const alike = ['an unknown key', 'an operator with a token of the same form as the next two', 'a connect session'];
    const likeAnother = ([kind]: (typeof callers)[number]) => alike.includes(kind);
    test.each(callers.filter((caller) => !likeAnother(caller)))('AK-5: %s', isTakenAtEveryRoute);
    test.each(callers.filter(likeAnother))('AK-5: another of a kind: %s', isTakenAtEveryRoute);

    async function isTakenAtEveryRoute(...[_, headersOf, expectation]: (typeof callers)[number]): Promise<void> {
      const headers = await headersOf();
      // Nothing is deleted here: those who are let in name things that do not exist.
      const kept = { ...names };
      names = { ...names, integrationId: 'none', connectionId: 'none', keyId: 'none', provider: 'none' };
      try {
        for (const route of PROTECTED) {
          expect(`${nameOf(route)} ${await outcome(await send(route, headers))}`).toMatch(
            new RegExp(`^${nameOf(route).replace(/[{}/]/g, '\\$&')} ${expectation(route).source.slice(1)}`),
          );
        }
      } finally {
        names = kept;
      }
    }
  });
});
