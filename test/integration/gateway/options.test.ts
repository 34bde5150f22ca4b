// @module-tag long
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createGatewayApp } from '../../../lib/gateway-app.ts';
import { connectAccount } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateway-options-'));
let gateway: TestGateway;
beforeAll(async () => {
  vi.stubEnv('CDK_VALIDATION', 'false');
  const app = await createGatewayApp({
    environment: {},
    checkRules: false,
    outdir: folder,
    context: {
      'gateway:stackName': 'Second',
      'gateway:webAcl': 'make',
      'gateway:provisionedConcurrency': 2,
      'gateway:tracing': true,
      'gateway:eventBusArn': 'arn:aws:events:us-east-1:111122223333:event-bus/product',
      'gateway:keepAliveDays': 7,
    },
  });
  app.synth();
  gateway = await startTestGateway({ assemblyFolder: folder });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await gateway?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('a template with web ACL, kept processes, traces and a given bus serves calls and sends its events there', async () => {
  const connectionId = await connectAccount(gateway, 'google-drive', { account: 'second.user@example.com' });
  expect((await gateway.proxyAs('google-drive', connectionId, '/drive/v3/files?pageSize=1')).status).toBe(200);
  const event = await gateway.gateway.waitForEvent(
    ({ detail }) => typeof detail === 'object' && detail !== null && JSON.stringify(detail).includes(connectionId),
  );
  expect(event['detail-type']).toBe('ConnectionCreated');
});
