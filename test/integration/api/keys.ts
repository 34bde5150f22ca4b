import { randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { signIn } from '../../support/operator.ts';
import { tableClient } from '../../support/table.ts';

/**
 * A secret key made through the API; full and without limits unless said otherwise. One that may read credentials is made by
 * an operator, because the first key may not give that right.
 */
export async function keyWith(gateway: TestGateway, settings: Record<string, unknown> = {}): Promise<string> {
  const maker = settings.can_read_credentials === true ? (await signIn(gateway.gateway)).accessToken : undefined;
  const made = await gateway.json('POST', '/account/keys', { name: 'test', right: 'full', ...settings }, maker);
  return textAt(made.body, 'data', 'secret_key');
}

/** The refresh token of a seeded connection, read with a key that may. */
export async function refreshTokenOf(gateway: TestGateway, integrationId: string): Promise<string> {
  const key = await keyWith(gateway, { can_read_credentials: true });
  const target = `/connections/${gateway.connectionId(integrationId)}?provider_config_key=${integrationId}`;
  const { body } = await gateway.json('GET', `${target}&refresh_token=true`, undefined, key);
  return textAt(body, 'credentials', 'refresh_token');
}

/** A full key of an account that has none yet, written as the gateway writes its own. */
export async function keyOfAccount(gateway: TestGateway, accountId: string): Promise<string> {
  const secretKey = `sk_${accountId}_${randomBytes(32).toString('base64url')}`;
  const keyHash = sha256Hex(secretKey);
  const createdAt = new Date().toISOString();
  const Item = {
    pk: `KEY#${keyHash}`,
    sk: 'KEY',
    type: 'secret_key',
    accountId,
    keyHash,
    name: 'First key',
    keyRight: 'full',
    canReadCredentials: true,
    createdAt,
    accountListKey: `ACCOUNT#${accountId}#KEY`,
    listSortKey: `${createdAt}#${keyHash}`,
  };
  await tableClient(gateway).send(new PutCommand({ TableName: gateway.gateway.tableName, Item }));
  return secretKey;
}
