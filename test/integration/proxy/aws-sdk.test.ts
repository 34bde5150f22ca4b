// @module-tag long
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildFunctions } from '../../../dev/tools/build.ts';
import { createGatewayApp } from '../../../lib/gateway-app.ts';
import { connectAccount } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { forgetRequests, tokenCalls } from '../../support/simulator.ts';
import { changeConnection, readConnection } from '../../support/table.ts';

const INTEGRATION = 'google-drive';
const FILES = '/drive/v3/files?pageSize=1';

let folder: string;
let gateway: TestGateway;
/** What the proxy's bundle was made of. */
let inputs: readonly string[];

const nowSec = () => Math.floor(Date.now() / 1000);

describe('LA-1: built with BUILD_AWS_CLIENT=sdk, the proxy', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-sdk-'));
    vi.stubEnv('BUILD_AWS_CLIENT', 'sdk');
    vi.stubEnv('CDK_VALIDATION', 'false');
    await buildFunctions({ outputRoot: folder });
    const [outdir, bundlesPath] = [join(folder, 'cdk'), join(folder, 'lambdas')];
    (await createGatewayApp({ environment: {}, checkRules: false, outdir, bundlesPath })).synth();
    inputs = Object.keys(JSON.parse(readFileSync(join(folder, 'meta', 'proxy.json'), 'utf8')).inputs);
    gateway = await startTestGateway({ assemblyFolder: outdir });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await gateway?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('built with BUILD_AWS_CLIENT=sdk, the proxy has the SDK in its bundle, and nothing of the lean client', () => {
    expect(inputs.some((path) => path.includes('node_modules/@aws-sdk/client-dynamodb/'))).toBe(true);
    expect(inputs.filter((path) => path.includes('platform/lean/'))).toEqual([]);
  });

  test('passes calls on', async () => {
    const answer = await gateway.proxy(INTEGRATION, FILES);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toHaveProperty('files');
  });

  test('refuses an unknown connection and a wrong key', async () => {
    expect((await gateway.proxyAs(INTEGRATION, 'nobody', FILES)).status).toBe(404);
    const headers = { authorization: `Bearer ${gateway.gateway.secretKey.slice(0, -4)}AAAA` };
    expect((await gateway.proxy(INTEGRATION, FILES, { headers })).status).toBe(401);
  });

  test('refreshes an expired token once for callers at once, and stores it', async () => {
    const id = await connectAccount(gateway, INTEGRATION);
    const ended = nowSec() - 60;
    await changeConnection(gateway, INTEGRATION, id, {
      accessTokenExpiresAtEpochSec: ended,
      lastRefreshedAtEpochSec: ended - 3600,
      consentedAtEpochSec: ended - 3600,
    });
    await forgetRequests(gateway);
    const answers = await Promise.all(Array.from({ length: 4 }, () => gateway.proxyAs(INTEGRATION, id, FILES)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await tokenCalls(gateway)).toHaveLength(1);
    const stored = await readConnection(gateway, INTEGRATION, id);
    expect(Number(stored.accessTokenExpiresAtEpochSec)).toBeGreaterThan(nowSec());
  });
});
