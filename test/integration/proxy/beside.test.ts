import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { loadProxy, type ProxyAnswer, type ProxyInvocation } from '../../support/in-process-proxy.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { control } from '../../support/simulator.ts';
import { changeConnection, readConnection } from '../../support/table.ts';

const INTEGRATION = 'google-drive';
const nowSec = () => Math.floor(Date.now() / 1000);

let gateway: TestGateway;
let upstream: ScriptedUpstream;
let invoke: (invocation: ProxyInvocation) => Promise<ProxyAnswer>;
beforeAll(async () => {
  // The functions write metrics to standard output.
  vi.spyOn(console, 'log').mockImplementation(() => {});
  upstream = await startScriptedUpstream();
  gateway = await startTestGateway();
  const { dynamodbEndpoint, awsEndpoint } = gateway.gateway;
  invoke = await loadProxy(gateway, { dynamodb: dynamodbEndpoint, aws: awsEndpoint, googleApi: upstream.origin });
  // Longer than any answer below takes: what is not awaited is not done when the function ends.
  const match = { origin: 'token', tokenKind: 'refresh' };
  await control(gateway, 'POST', '/faults', { match, action: { delayMs: 500 } });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await gateway?.[Symbol.asyncDispose]();
  await upstream?.[Symbol.asyncDispose]();
});

/** Status of a call, or `broken` where its answer was cut. */
async function call(connectionId: string): Promise<number | 'broken'> {
  const headers = {
    authorization: `Bearer ${gateway.gateway.secretKey}`,
    'provider-config-key': INTEGRATION,
    'connection-id': connectionId,
  };
  return invoke({ path: '/proxy/drive/v3/files', headers }).then(
    ({ status }) => status,
    () => 'broken' as const,
  );
}

describe('F61: when the function ends, nothing it began is still running', () => {
  test.each<[string, number | 'broken', (response: ServerResponse) => void]>([
    ['an answer', 200, (response) => response.end('{}')],
    ['a call whose connection broke', 502, (response) => response.socket?.destroy()],
    [
      'an answer announced as too large',
      502,
      (response) => response.writeHead(200, { 'content-length': 3e8 }).write('a'),
    ],
    [
      'an answer that the provider cuts off',
      'broken',
      (response) => response.writeHead(200, { 'content-length': 10 }).write('a', () => response.socket?.destroy()),
    ],
  ])('F61: the refresh alongside %s has stored its tokens and given its lease back', async (_, status, script) => {
    upstream.answer((_request, response) => script(response));
    const id = await connectAccount(gateway, INTEGRATION);
    const ending = nowSec() + 60;
    // A token of an hour in its last minute: how early it is refreshed follows from its life.
    await changeConnection(gateway, INTEGRATION, id, {
      accessTokenExpiresAtEpochSec: ending,
      lastRefreshedAtEpochSec: ending - 3600,
      consentedAtEpochSec: ending - 3600,
    });
    expect(await call(id)).toBe(status);
    const row = await readConnection(gateway, INTEGRATION, id);
    expect(Number(row.accessTokenExpiresAtEpochSec)).toBeGreaterThan(ending);
    expect(row.refreshLease).toBeUndefined();
  });

  test('F61: the note of a use is in the table, also of a call that failed', async () => {
    upstream.answer((_request, response) => void response.socket?.destroy());
    const id = await connectAccount(gateway, INTEGRATION);
    const startedSec = nowSec();
    await changeConnection(gateway, INTEGRATION, id, { lastUsedAtEpochSec: 1 });
    expect(await call(id)).toBe(502);
    const { lastUsedAtEpochSec } = await readConnection(gateway, INTEGRATION, id);
    expect(Number(lastUsedAtEpochSec)).toBeGreaterThanOrEqual(startedSec);
  });
});
