import { deliveryItemKey } from '../../../lambdas/features/webhooks/keys.store.ts';
import { connectAccount, finishFlow, startFlow } from '../../support/connect.ts';
import { DOMAIN, list, makeIntegration, makeRobot } from '../../support/delegation.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { putItems } from '../../support/many-connections.ts';
import { countCalls } from '../../support/roll-up.ts';
import { control } from '../../support/simulator.ts';
import type { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { seedMorning } from './morning.ts';

/** Proxied calls that fail because Google does, and because of what is called. */
export const [FAILED, REFUSED] = [6, 2];
export const CLIENT_SECRET = 'GOCSPX-of-the-operator';

/** Ids and names of what happened on a day, for an operator to find. */
export interface OperatorsDay {
  /** Request id of a call that Google refused. */
  readonly refusedId: string;
  /** A deleted connection, and its end user. */
  readonly deletedId: string;
  readonly deletedUser: string;
  /** Whose feed is paused: the only connection of its organization and Google account. */
  readonly paused: { readonly id: string; readonly name: string; readonly account: string };
  /** A file that an agent wrote, and files whose deletion waits for approval. */
  readonly fileId: string;
  /** A connection of the integration that agents write through. */
  readonly writerId: string;
  /** Webhook that works but has three deliveries that were given up. */
  readonly webhookId: string;
}

/** A gateway after a day with failures, agents, service accounts and three hundred connections. */
export async function seedOperatorsDay(test: TestGateway, receiver: WebhookReceiver): Promise<OperatorsDay> {
  const makeKey = async (name: string, more: object = {}): Promise<string> => {
    const made = await test.json('POST', '/account/keys', { name, right: 'full', ...more });
    return String(made.body.data.secret_key);
  };
  const call = async (path: string, key: string): Promise<string> => {
    const answer = await test.proxy('google-drive', path, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return answer.headers.get('x-request-id') ?? '';
  };
  const end = async (integration: string, id: string, account: string): Promise<void> => {
    await control(test, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
    await test.json('POST', `/connections/${id}/refresh?provider_config_key=${integration}`);
  };

  const usedKey = await makeKey('Backend in use');
  await makeKey('Forgotten script');
  await makeKey('Calendar bot', { right: 'proxy' });
  await call('/drive/v3/about?fields=user', usedKey);
  let refusedId = '';
  for (let i = 0; i < REFUSED; i += 1) refusedId = await call('/drive/v3/files/no-such-file', usedKey);
  await control(test, 'POST', '/faults', {
    match: { pathPrefix: '/drive/v3/files' },
    times: FAILED,
    action: { apiError: { code: 503, reason: 'backendError' } },
  });
  for (let i = 0; i < FAILED; i += 1) await call('/drive/v3/files', usedKey);

  // Agents.
  const writer = { provider: 'google-drive', unique_key: 'drive-writer', scopes: ['drive'] };
  await test.json('POST', '/integrations', { ...writer, credentials_source: 'test' });
  const end_user = { id: 'customer-7', email: 'customer.7@example.com' };
  const writerId = await connectAccount(test, 'drive-writer', undefined, { end_user });
  const drive = (key: string, method: string, path: string, body?: unknown) =>
    test.proxyAs('drive-writer', writerId, `/drive/v3/files${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const limits = { mode: 'enforce', approve: ['share', 'delete'], day: { calls: 500 }, journal: true };
  const agent = await makeKey('Research agent', { right: 'proxy', limits });
  const newFile = async (key: string, name: string): Promise<string> =>
    (await (await drive(key, 'POST', '', { name })).json()).id;
  const fileId = await newFile(agent, 'Plan');
  await (await drive(agent, 'PATCH', `/${fileId}`, { name: 'Plan of an agent' })).arrayBuffer();
  for (const name of ['Draft', 'Budget']) {
    await (await drive(agent, 'DELETE', `/${await newFile(agent, name)}`)).arrayBuffer();
  }
  await (await drive(agent, 'POST', `/${fileId}/permissions`, { role: 'reader', type: 'anyone' })).arrayBuffer();
  const observed = await makeKey('Nightly job', { right: 'proxy', limits: { mode: 'observe', allow: ['drive:read'] } });
  await newFile(observed, 'Report');
  await countCalls(test);

  // Connections that go and come back.
  const deletedId = await connectAccount(test, 'google-calendar', { account: 'viewer@workspace.example' });
  const leaving = await test.json('GET', `/connections/${deletedId}?provider_config_key=google-calendar`);
  await test.json('DELETE', `/connections/${deletedId}?provider_config_key=google-calendar`);
  const account = 'editor@workspace.example';
  const organization = { id: 'acme', display_name: 'Acme Corporation' };
  const pausedId = await connectAccount(
    test,
    'google-drive',
    { account },
    { end_user: { id: 'customer-8', display_name: 'Edda Example' }, organization },
  );
  for (const connection_id of [pausedId, test.connectionId('google-drive')]) {
    await test.json('POST', '/feeds', { provider_config_key: 'google-drive', connection_id, resource: 'drive' });
  }
  await end('google-drive', pausedId, account);
  const feeds = (await test.json('GET', `/feeds?provider_config_key=google-drive&connection_id=${pausedId}`)).body.data;
  await test.json('POST', `/feeds/${feeds[0].id}/pull`);
  const returning = { account: 'second.user@example.com' };
  const returnedId = await connectAccount(test, 'google-calendar', returning, {
    end_user: { id: 'customer-9', display_name: 'Rosa Return' },
  });
  await end('google-calendar', returnedId, returning.account);
  const links = await test.json('POST', '/connect/reconnect-links', {
    connections: [{ provider_config_key: 'google-calendar', connection_id: returnedId }],
  });
  const token = String(links.body.data.links[0].connect_link).split('session_token=')[1] ?? '';
  await finishFlow(await startFlow(test, token), returning);

  // A service account, whose second domain nobody has checked, and a client of its own.
  const robot = await makeRobot(test, 'reports');
  await list(test, robot, ['https://www.googleapis.com/auth/drive']);
  await makeIntegration(test, robot, {
    via: 'key',
    uniqueKey: 'drive-domain',
    subjects: { domains: [DOMAIN, 'second.example'] },
  });
  await test.json('POST', '/integrations/drive-domain/delegation/check', { address: account });
  const client_id = '123456789012-own.apps.googleusercontent.com';
  await control(test, 'POST', '/clients', {
    clientId: client_id,
    clientSecret: CLIENT_SECRET,
    redirectUris: [`${test.gateway.gatewayUrl}/oauth/callback`],
  });
  const own = { provider: 'google-calendar', unique_key: 'calendar-own', scopes: ['calendar.readonly'] };
  await test.json('POST', '/integrations', {
    ...own,
    credentials_source: 'own',
    credentials: { type: 'OAUTH2', client_id, client_secret: CLIENT_SECRET },
  });
  await test.json('PATCH', '/integrations/google-calendar', { publishing_status: 'testing', audience: 'external' });
  await test.json('PATCH', '/integrations/google-drive', { quota: { per_day: 100 } });

  const hook = await test.json('POST', '/webhooks', { url: `${receiver.address}/hook`, description: 'Shop' });
  const webhookId = String(hook.body.data.id);
  await test.json('POST', `/webhooks/${webhookId}/enable`);
  const events: { event_id: string; type: string }[] = (await test.json('GET', '/events?limit=200')).body.data;
  const sent = [...new Set(events.filter(({ type }) => !type.startsWith('Webhook')).map((one) => one.event_id))];
  const at = Math.floor(Date.now() / 1000) - 600;
  await putItems(
    test,
    sent.slice(0, 3).map((eventId) => ({
      ...deliveryItemKey('default', webhookId, eventId),
      ...{ type: 'webhook_delivery', accountId: 'default', webhookId, eventId },
      ...{ eventType: 'ConnectionCreated', integrationId: '', body: '{}', state: 'failed', tries: 10 },
      attempts: [{ atEpochSec: at, durationMs: 5, status: 500, error: 'answered_with_error' }],
      createdAtEpochSec: at,
    })),
  );
  await seedMorning(test);
  return {
    ...{ refusedId, deletedId, deletedUser: String(leaving.body.end_user.id), fileId, writerId, webhookId },
    paused: { id: pausedId, name: String(feeds[0].connection_name), account },
  };
}
