/** Ids that are too long, at every address that is no route of the management API; its routes are in test/unit/management/hostile-input.test.ts. */
import { expect, test } from 'vitest';
import { rawRequest } from '../../support/raw-http.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const gateway = useTestGateway({ seed: false });
const LONG = 'x'.repeat(3_000);
const CHANNEL = [
  ['x-goog-channel-id', LONG],
  ['x-goog-channel-token', LONG],
  ['x-goog-resource-state', 'change'],
] as const;
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: LONG, arguments: { file_id: LONG } } };

test.each<[string, string, string, readonly (readonly [string, string])[], string?]>([
  [
    'the proxy, a connection',
    'GET',
    '/proxy/drive/v3/files',
    [
      ['connection-id', LONG],
      ['provider-config-key', 'drive'],
    ],
  ],
  [
    'the proxy, an integration',
    'GET',
    '/proxy/drive/v3/files',
    [
      ['connection-id', 'c'],
      ['provider-config-key', LONG],
    ],
  ],
  [
    'the proxy, a user',
    'GET',
    '/proxy/drive/v3/files',
    [
      ['connection-id', `subject:${LONG}`],
      ['provider-config-key', 'drive'],
    ],
  ],
  ['the connect page’s session', 'GET', '/connect/session', [['authorization', `Bearer ${LONG}`]]],
  [
    'the start of an authorization',
    'POST',
    '/connect/authorizations',
    [['content-type', 'application/json']],
    `{"integration_id":"${LONG}"}`,
  ],
  ['a direct link', 'GET', `/oauth/connect/${LONG}?session_token=${LONG}`, []],
  ['the callback’s state', 'GET', `/oauth/callback?state=${LONG}&code=${LONG}`, []],
  ['the callback’s error', 'GET', `/oauth/callback?state=${LONG}&error=${LONG}`, []],
  ['a page of an approval', 'GET', `/approve/${LONG}`, []],
  ['a message of a channel', 'POST', '/inbox/google/channel', CHANNEL],
  ['a security event', 'POST', '/inbox/google/security-events', [['content-type', 'application/secevent+jwt']], LONG],
  [
    'the tools of assistants',
    'POST',
    '/mcp',
    [
      ['content-type', 'application/json'],
      ['authorization', `Bearer ak_default_${LONG}`],
    ],
    JSON.stringify(CALL),
  ],
])('DS-12: %s with a long id is refused and is no failure of the gateway', async (_, method, path, headers, body) => {
  const base = new URL(gateway.gateway.gatewayUrl);
  const own = headers.some(([name]) => name === 'authorization')
    ? []
    : [['authorization', `Bearer ${gateway.gateway.secretKey}`] as const];
  const answer = await rawRequest(base.origin, {
    method,
    path: base.pathname.replace(/\/$/, '') + path,
    headers: [...headers, ...own],
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status, answer.body.toString()).toBeGreaterThanOrEqual(400);
  expect(answer.status, answer.body.toString()).toBeLessThan(500);
});
