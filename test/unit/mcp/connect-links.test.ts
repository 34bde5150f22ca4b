import { expect, test } from 'vitest';
import type { Agent } from '../../../lambdas/features/agents/agent.ts';
import { ConnectLinks, type ConnectLinksDependencies } from '../../../lambdas/features/agents/connect-links.ts';
import type { ConnectSession } from '../../../lambdas/gateway/authorization/connect-session.rules.ts';
import { connectionRow } from '../management/support/rows.ts';
import { secretKeyRecord } from '../support/secret-key.ts';

const key = secretKeyRecord({ right: 'proxy' });
const agent: Agent = { key, endUserId: 'u1', connections: [], tools: undefined, missing: [] };
const ref = { accountId: key.accountId, integrationId: 'drive', connectionId: 'c1' };

/** The links of a deployment, and the sessions that they made. */
async function linksOf(confirmUrl: string | undefined, connection: Record<string, unknown> = {}) {
  const made: ConnectSession[] = [];
  const row = { ...(await connectionRow({ endUser: undefined, tags: { end_user_id: 'u1' } })), ...connection };
  const deps = {
    ...{ baseUrl: 'https://gateway.example.com', confirmUrl, clock: { nowMs: () => 0 } },
    random: { bytes: (count: number) => new Uint8Array(count) },
    sessions: { create: async (session: ConnectSession) => void made.push(session) },
    rates: { count: async () => true },
    connections: { read: async () => row },
  } as unknown as ConnectLinksDependencies;
  return { links: new ConnectLinks(deps), made };
}

test('MC-41: a link for a new connection needs the app’s backend to confirm who came back, or is not made', async () => {
  const without = await linksOf(undefined);
  expect(await without.links.connect('drive', agent, 'r')).toBeUndefined();
  expect(without.made).toEqual([]);
  const { links, made } = await linksOf('https://app.example.com/connected');
  expect(await links.connect('drive', agent, 'r')).toContain('/connect#session_token=cs_');
  expect(made).toMatchObject([
    { confirm: true, returnUrl: 'https://app.example.com/connected', endUser: { id: 'u1' } },
  ]);
});

test('MC-41: a link for an existing connection takes only the account that it has, and needs one', async () => {
  const { links, made } = await linksOf(undefined, { providerAccount: { sub: '1', email: 'a@example.com' } });
  expect(await links.reconnect(ref, agent, 'r')).toContain('/connect#session_token=cs_');
  expect(made).toMatchObject([{ allowAccountChange: false, reconnect: { connectionId: 'c1' } }]);
  const unknown = await linksOf(undefined, { providerAccount: undefined });
  expect(await unknown.links.reconnect(ref, agent, 'r')).toBeUndefined();
});
