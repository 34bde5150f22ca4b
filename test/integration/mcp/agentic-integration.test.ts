/** An integration whose OAuth client is marked for AI agents: all that a connection has, and no REST calls. */
import { beforeAll, expect, test } from 'vitest';
import { connectAccount, connectSession, startFlow } from '../../support/connect.ts';
import { control } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const CLIENT = { clientId: '123456789012-agents.apps.googleusercontent.com', clientSecret: 'GOCSPX-agents' };
const INTEGRATION = 'calendar-agents';

const gateway = useTestGateway();
let connectionId: string;

beforeAll(async () => {
  const redirectUris = [`${gateway.gateway.gatewayUrl}/oauth/callback`];
  await control(gateway, 'POST', '/clients', { ...CLIENT, redirectUris });
  const made = await gateway.json('POST', '/integrations', {
    provider: 'google-calendar',
    unique_key: INTEGRATION,
    agentic: true,
    scopes: ['calendar.events'],
    credentials: { type: 'OAUTH2', client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret },
  });
  expect(made).toMatchObject({ status: 200, body: { data: { agentic: true } } });
  connectionId = await connectAccount(gateway, INTEGRATION, undefined, { end_user: { id: 'ann' } });
});

const named = () => `?provider_config_key=${INTEGRATION}`;

test('GA-20: users of an agentic integration consent offline, so that a refresh token comes', async () => {
  const token = await connectSession(gateway, { allowed_integrations: [INTEGRATION] });
  const { searchParams } = new URL((await startFlow(gateway, token, INTEGRATION)).authorizationUrl);
  expect(searchParams.get('access_type')).toBe('offline');
  expect(searchParams.get('prompt')).toBe('consent');
  const refreshed = await gateway.json('POST', `/connections/${connectionId}/refresh${named()}`);
  expect(refreshed).toMatchObject({ status: 200, body: { connection_id: connectionId } });
});

test('GA-20: a check of an agentic connection refreshes it and calls no REST API', async () => {
  const checked = await gateway.json('POST', `/connections/${connectionId}/check${named()}`);
  expect(checked.body.data).toMatchObject({ works: true, reason: 'not_called', upstream_status: null });
});

test('GA-20: proxied calls, tried calls and feeds of an agentic integration are refused with why and what to do', async () => {
  const refusal = {
    status: 403,
    body: {
      error: { code: 'agentic_integration', message: expect.stringMatching(/REST.*Create another integration/) },
    },
  };
  const path = '/calendar/v3/users/me/calendarList';
  const headers = { 'Provider-Config-Key': INTEGRATION, 'Connection-Id': connectionId };
  const proxied = await gateway.call(`/proxy${path}`, { headers });
  expect({ status: proxied.status, body: await proxied.json() }).toMatchObject(refusal);
  expect(proxied.headers.get('x-gateway-error')).toBe('agentic_integration');
  expect(await gateway.json('POST', `/connections/${connectionId}/try${named()}`, { path })).toMatchObject(refusal);
  const feed = { provider_config_key: INTEGRATION, connection_id: connectionId, resource: 'calendar:primary' };
  expect(await gateway.json('POST', '/feeds', feed)).toMatchObject(refusal);
});

test('GA-29: readiness of an agentic integration says what was seen to work', async () => {
  const { body } = await gateway.json('GET', `/integrations/${INTEGRATION}/readiness`);
  expect(body.data.agents.seen).toEqual([expect.stringContaining('Google has accepted the OAuth client since')]);
  expect(body.data.risks.join(' ')).not.toContain('requiring MCP');
});
