// @module-tag long
/** Client secrets that are rows of the table, in a deployment that changes its mind twice. */
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { control } from '../../support/simulator.ts';
import { readItem, tableClient } from '../../support/table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KEY = 'shop-calendar';
const CLIENT = { clientId: '123456789012-shop.apps.googleusercontent.com', clientSecret: 'GOCSPX-first-of-the-shop' };

/** Where the integration's secret is, by its record. */
async function placeOf(gateway: TestGateway) {
  const row = await readItem(gateway, { pk: 'ACCOUNT#default', sk: `INTEGRATION#${KEY}` });
  const name = String(row?.secretId);
  const { Items = [] } = await tableClient(gateway).send(
    new ScanCommand({
      TableName: gateway.gateway.tableName,
      FilterExpression: '#type = :type',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: { ':type': 'client_secret' },
    }),
  );
  expect(JSON.stringify(Items)).not.toContain(CLIENT.clientSecret);
  const { awsEndpoint, credentials } = gateway.gateway;
  const secrets = new SecretsManagerClient({
    ...{ region: 'us-east-1', endpoint: awsEndpoint, credentials: credentials.operator, maxAttempts: 1 },
  });
  const { SecretList = [] } = await secrets.send(new ListSecretsCommand({ MaxResults: 100 }));
  secrets.destroy();
  const own = SecretList.filter((one) => one.Name?.includes(`/integration/default/${KEY}/`));
  return { name: name.split(/[:/]/)[0], rows: Items.length, secrets: own.length };
}

const change = async (gateway: TestGateway, body: object) =>
  expect((await gateway.json('PATCH', `/integrations/${KEY}`, body)).status).toBe(200);

test('a deployment moves client secrets into its table and back, each with the next change, and no refresh fails', async () => {
  const dataDir = temporaryFolder();
  let connectionId = '';
  const refreshes = async (gateway: TestGateway) => {
    const path = `/connections/${connectionId}/refresh?provider_config_key=${KEY}`;
    const { status, body } = await gateway.json('POST', path);
    expect(status, JSON.stringify(body)).toBe(200);
  };
  const withPlace = async (place: string, work: (gateway: TestGateway) => Promise<void>) => {
    await using gateway = await startTestGateway({
      ...{ dataDir, environmentOverrides: { CLIENT_SECRETS: place } },
    });
    await work(gateway);
  };
  await withPlace('secrets-manager', async (gateway) => {
    const redirectUris = [`${gateway.gateway.gatewayUrl}/oauth/callback`];
    await control(gateway, 'POST', '/clients', { ...CLIENT, redirectUris });
    const made = await gateway.json('POST', '/integrations', {
      ...{ provider: 'google-calendar', unique_key: KEY },
      credentials: { type: 'OAUTH2', client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    connectionId = await connectAccount(gateway, KEY);
    expect(await placeOf(gateway)).toMatchObject({ rows: 0, secrets: 1 });
  });
  await withPlace('table', async (gateway) => {
    await refreshes(gateway);
    await change(gateway, { display_name: 'Shop' });
    expect(await placeOf(gateway)).toEqual({ name: 'row', rows: 1, secrets: 0 });
    await refreshes(gateway);
    await change(gateway, { credentials: { type: 'OAUTH2', client_secret: CLIENT.clientSecret } });
    expect(await placeOf(gateway)).toEqual({ name: 'row', rows: 1, secrets: 0 });
  });
  await withPlace('secrets-manager', async (gateway) => {
    await refreshes(gateway);
    await change(gateway, { display_name: 'Shop' });
    expect(await placeOf(gateway)).toMatchObject({ rows: 0, secrets: 1 });
    await refreshes(gateway);
  });
});

test('a deployment with the table keeps new client secrets there from the start, and deletes them with the integration', async () => {
  await using gateway = await startTestGateway({ environmentOverrides: { CLIENT_SECRETS: 'table' } });
  const made = await gateway.json('POST', '/integrations', {
    ...{ provider: 'google-calendar', unique_key: KEY },
    credentials: { type: 'OAUTH2', client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  expect(await placeOf(gateway)).toEqual({ name: 'row', rows: 1, secrets: 0 });
  await gateway.json('DELETE', `/integrations/${KEY}`);
  expect(await placeOf(gateway)).toMatchObject({ rows: 0, secrets: 0 });
});
