import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTable } from '../../../lambdas/shared/adapters/dynamodb/client.ts';
import { kmsDataKeys } from '../../../lambdas/shared/adapters/kms/data-keys.ts';
import { tokenCipher } from '../../../lambdas/shared/adapters/kms/token-cipher.ts';
import { systemClock, systemRandom } from '../../../lambdas/shared/adapters/system.ts';
import { accessTokenContext, refreshTokenContext } from '../../../lambdas/shared/use-cases/cipher-contexts.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { changeConnection, readConnection } from '../../support/table.ts';

const LAST_PERIOD = { nowMs: () => Date.now() - 8 * 24 * 3600 * 1000 };
const uncounted = { count: () => {} };
const keyOf = (value: unknown) => String(value).split('.')[1];

let gateway: TestGateway;
let keyArn: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('AWS_ENDPOINT_URL', gateway.gateway.awsEndpoint);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', gateway.gateway.dynamodbEndpoint);
  keyArn = gateway.gateway.tokenKeyArn;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await gateway?.[Symbol.asyncDispose]();
});

test('CR-5: a row of the last period is read under its own key and rewritten under the new one at its next refresh', async () => {
  const ref = {
    accountId: 'default',
    integrationId: 'google-drive',
    connectionId: gateway.connectionId('google-drive'),
  };
  const table = openTable(gateway.gateway.tableName);
  const now = tokenCipher(kmsDataKeys(table, keyArn, systemClock, uncounted), systemRandom);
  const then = tokenCipher(kmsDataKeys(table, keyArn, LAST_PERIOD, uncounted), systemRandom);
  const row = await readConnection(gateway, ref.integrationId, ref.connectionId);
  const refreshToken = await now.decrypt(refreshTokenContext(ref), String(row.encryptedRefreshToken));
  const accessToken = await now.decrypt(accessTokenContext(ref), String(row.encryptedAccessToken));
  const old = {
    encryptedRefreshToken: await then.encrypt(refreshTokenContext(ref), refreshToken),
    encryptedAccessToken: await then.encrypt(accessTokenContext(ref), accessToken),
  };
  expect(keyOf(old.encryptedRefreshToken)).not.toBe(keyOf(row.encryptedRefreshToken));
  await changeConnection(gateway, ref.integrationId, ref.connectionId, old);
  expect((await gateway.proxy('google-drive', '/drive/v3/files?pageSize=1')).status).toBe(200);

  await changeConnection(gateway, ref.integrationId, ref.connectionId, { refreshAt: 1 });
  expect(await gateway.gateway.tick('refresh')).toMatchObject({ refreshed: 1 });
  const after = await readConnection(gateway, ref.integrationId, ref.connectionId);
  expect([keyOf(after.encryptedAccessToken), keyOf(after.encryptedRefreshToken)]).toEqual([
    keyOf(row.encryptedAccessToken),
    keyOf(row.encryptedAccessToken),
  ]);
  expect(await now.decrypt(refreshTokenContext(ref), String(after.encryptedRefreshToken))).toBe(refreshToken);
});
