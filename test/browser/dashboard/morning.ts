import { expect } from 'vitest';
import { webhookItemKey } from '../../../lambdas/features/webhooks/keys.store.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { DeathCause } from '../../../lambdas/gateway/core/grant-death.ts';
import { integrationItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { putConnections, putItems } from '../../support/many-connections.ts';
import { changeItem } from '../../support/table.ts';
import { connection } from '../../unit/support/connection.ts';

const NOW_SEC = Math.floor(Date.now() / 1000);
const HOUR = 3600;
const JSON_TYPE = { 'content-type': 'application/json' };
const iso = (epochSec: number) => new Date(epochSec * 1000).toISOString();

/** The user whose calls Google refuses, and the user who has disconnected the app. */
export const [FAILING_USER, GONE_USER] = ['user-180', 'user-250'];

/** Three hundred connections as an operator finds them on a bad morning. */
function morning(): Connection[] {
  const all: Connection[] = [];
  const add = (count: number, fieldsOf: (at: number) => Partial<Connection>) => {
    for (let at = 0; at < count; at++) {
      const number = all.length;
      const createdAt = iso(NOW_SEC - 30 * 24 * HOUR + number);
      all.push(
        connection({
          accountId: 'default',
          integrationId: 'google-drive',
          connectionId: `many-${number}`,
          numericId: 5_000_000 + number,
          endUser: {
            id: `user-${number}`,
            email: `user.${number}@example.com`,
            displayName: null,
            tags: null,
            organization: null,
          },
          refreshAtEpochSec: NOW_SEC + 24 * HOUR,
          lastUsedAtEpochSec: NOW_SEC - HOUR,
          lastRefreshedAtEpochSec: NOW_SEC - HOUR,
          createdAt,
          updatedAt: createdAt,
          ...fieldsOf(at),
        }),
      );
    }
  };
  const dead = (cause: DeathCause, sinceEpochSec: number): Partial<Connection> => ({
    status: 'reauthorization_required',
    refreshAtEpochSec: undefined,
    death: {
      status: 'reauthorization_required',
      cause,
      certain: true,
      likelyCauses: [],
      remedy: 'Ask the user to connect again.',
      providerError: 'invalid_grant',
      since: iso(sinceEpochSec),
    },
  });
  add(179, () => ({}));
  add(6, () => ({ callFault: { status: 403, reason: 'domainPolicy', sinceEpochSec: NOW_SEC - 2 * HOUR } }));
  add(16, () => ({ integrationId: 'refused' }));
  add(12, (at) => ({
    integrationId: 'google-calendar',
    provider: 'google-calendar',
    ...dead('testing_mode_expired', NOW_SEC - 3 * HOUR + at * 60),
  }));
  add(87, (at) => dead('user_revoked', NOW_SEC - 10 * HOUR * (at + 1)));
  return all;
}

/** Puts them into a gateway, with an OAuth client that Google refuses and a webhook that fails, and has all of them counted. */
export async function seedMorning(test: TestGateway): Promise<void> {
  const body = {
    unique_key: 'refused',
    provider: 'google-drive',
    display_name: 'Back office',
    credentials_source: 'test',
    scopes: ['drive.readonly'],
  };
  const made = await test.call('/integrations', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
  expect(await made.json()).toMatchObject({ data: { unique_key: 'refused' } });
  const clientFault = { error: 'invalid_client', sinceEpochSec: NOW_SEC - HOUR, retryAtEpochSec: NOW_SEC + HOUR };
  await changeItem(test, integrationItemKey({ accountId: 'default', integrationId: 'refused' }), { clientFault });
  const webhookId = 'wh_01JN8Z4H9V6Q3W2X1Y0ZABCDEF';
  const webhook = {
    ...webhookItemKey('default', webhookId),
    type: 'webhook',
    accountId: 'default',
    webhookId,
    url: 'https://hooks.example.com/gateway',
    status: 'enabled',
    // Nothing is sent there while tests run.
    types: ['RefreshTokenLimitNear'],
    enabledAtEpochSec: NOW_SEC - 48 * HOUR,
    lastSuccessAtEpochSec: NOW_SEC - 5 * HOUR,
    encryptedSecret: 'unread',
    failuresInARow: 9,
    version: 1,
    createdAt: iso(NOW_SEC - 48 * HOUR),
    updatedAt: iso(NOW_SEC - 48 * HOUR),
  };
  await putItems(test, [webhook]);
  await putConnections(test, morning());
}
