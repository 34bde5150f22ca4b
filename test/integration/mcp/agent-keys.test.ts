/** Whose keys assistants have, where they work, and what they never show. */
import { describe, expect, test } from 'vitest';
import { KEY_FAMILIES } from '../../../lambdas/gateway/core/contract.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';

import { failed, runGateway } from '../../support/command-line.ts';
import { connectAccount, finishFlow, startFlow } from '../../support/connect.ts';
import { askMcp, assistant, mcpMessage } from '../../support/mcp-client.ts';
import { control } from '../../support/simulator.ts';
import { changeItem } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { keyOfAccount } from '../api/keys.ts';

const gateway = useTestGateway();

const bound = (integration_id: string, connection_id = gateway.connectionId(integration_id)) => ({
  integration_id,
  connection_id,
});
const create = (body: Record<string, unknown>, key?: string) =>
  gateway.json('POST', '/account/agents', { name: 'Assistant', ...body }, key);

async function agent(body: Record<string, unknown> = { end_user_id: 'first-user' }) {
  const made = await create(body);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body.data;
}

describe('making an agent key', () => {
  test('GA-21, GA-25: a new agent key may make 500 calls a day unless its limits differ, and its response and readiness quote Google’s rule', {
    tags: ['long'],
  }, async () => {
    const made = await agent();
    expect(made.limits.day.calls).toBe(500);
    expect(made.warnings).toEqual([
      { path: 'agent.connections', message: expect.stringContaining('requiring MCP when AI agents') },
    ]);
    const chosen = await agent({ end_user_id: 'first-user', limits: { mode: 'enforce', day: { calls: 7 } } });
    expect(chosen.limits.day).toEqual({ calls: 7 });
    const { body } = await gateway.json('GET', '/integrations/google-drive/readiness');
    expect(body.data.risks).toContain(made.warnings[0].message);
  });

  test('MC-20: binds it to one end user’s connections, one of a provider, and limits it', async () => {
    const made = await agent();
    expect(made).toMatchObject({
      agent_key: expect.stringMatching(/^ak_default_[\w-]{43}$/),
      mcp_url: `${gateway.gateway.gatewayUrl}/mcp`,
      right: 'proxy',
      agent: { end_user_id: 'first-user', connections: [bound('google-calendar'), bound('google-drive')], tools: null },
      limits: {
        mode: 'enforce',
        allow: ['drive:read', 'calendar:read'],
        minute: { calls: 60 },
        day: { calls: 500, units: 200_000, bytes: 100_000_000 },
      },
    });
    const days = (Date.parse(made.limits.expires_at) - Date.now()) / (24 * 3600 * 1000);
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    const { body } = await gateway.json('GET', '/account/keys');
    const listed = body.data.find(({ id }: { id: string }) => id === made.id);
    expect(listed).toMatchObject({ agent: made.agent, limits: made.limits });
    expect(JSON.stringify(body)).not.toContain(made.agent_key);
  });

  test('AP-20: a new agent key has a journal unless that is switched off, by the API and by the command line, which offers no observing', {
    tags: ['long'],
  }, async () => {
    expect((await agent()).limits.journal).toBe(true);
    const off = await agent({ end_user_id: 'first-user', limits: { mode: 'enforce', journal: false } });
    expect(off.limits.journal ?? false).toBe(false);
    const created = async (name: string, ...options: string[]) => {
      const ended = await runGateway(gateway, ['agents', 'create', name, '--user', 'first-user', ...options]);
      const { body } = await gateway.json('GET', '/account/keys');
      return { ended, key: body.data.find((key: { name: string }) => key.name === name) };
    };
    expect((await created('Of the command line')).key.limits.journal).toBe(true);
    expect((await created('Without a journal', '--no-journal')).key.limits.journal ?? false).toBe(false);
    const observing = await created('Observed', '--observe');
    expect(observing.key).toBeUndefined();
    expect(observing.ended).toEqual(expect.objectContaining(failed(2, '--observe')));
  });

  test('MC-20: refuses what is of two end users, two of a provider, or of nobody', async () => {
    const other = await connectAccount(gateway, 'google-drive', undefined, { end_user: { id: 'other-user' } });
    const problems = async (body: Record<string, unknown>) => {
      const answer = await create(body);
      expect(answer.status).toBe(400);
      return answer.body.error.errors.map(({ path }: { path: string }) => path);
    };
    expect(await problems({ connections: [bound('google-calendar'), bound('google-drive', other)] })).toEqual([
      'connections',
    ]);
    expect(await problems({ connections: [bound('google-drive'), bound('google-drive', other)] })).toContain(
      'connections[1]',
    );
    expect(await problems({ connections: [bound('google-drive', 'none')] })).toEqual(['connections[0]']);
    expect(await problems({ end_user_id: 'nobody' })).toEqual(['end_user_id']);
    expect(await problems({})).toEqual(['end_user_id']);
    expect(await problems({ end_user_id: 'first-user', connections: [bound('google-drive')] })).toEqual([
      'end_user_id',
    ]);
    expect(await problems({ end_user_id: 'first-user', tools: ['rm'] })).toEqual(['tools[0]']);
    expect(await problems({ end_user_id: 'first-user', limits: { mode: 'observe', allow: ['drive:read'] } })).toEqual([
      'limits.mode',
    ]);
    // Of two connections of a provider, the one that is tagged.
    const second = await connectAccount(gateway, 'google-drive', undefined, { end_user: { id: 'other-user' } });
    expect(await problems({ end_user_id: 'other-user' })).toEqual(['end_user_id']);
    const tagged = await gateway.json('PATCH', `/connections/${second}?provider_config_key=google-drive`, {
      tags: { agent: 'primary' },
    });
    expect(tagged.status).toBe(200);
    expect((await agent({ end_user_id: 'other-user' })).agent.connections).toEqual([bound('google-drive', second)]);
    // Another account sees nothing of this one.
    const foreign = await create({ connections: [bound('google-drive')] }, await keyOfAccount(gateway, 'other'));
    expect(foreign).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
  });

  test('MC-20: leaves it with limits, which can be changed and enforced alone', async () => {
    const { id } = await agent();
    const change = (limits: unknown) => gateway.json('PATCH', `/account/keys/${id}`, { limits });
    expect((await change(null)).status).toBe(409);
    expect((await change({ mode: 'observe', allow: ['drive:read'] })).status).toBe(409);
    expect((await change({ mode: 'enforce', allow: ['drive:metadata'] })).status).toBe(200);
  });
});

describe('an agent key', () => {
  test('MC-20: works at /mcp alone, and no other credential does', async () => {
    const { agent_key: key } = await agent();
    const list = mcpMessage('modern', 'tools/list');
    expect((await askMcp(gateway, key, list)).status).toBe(200);
    const asKey = { authorization: `Bearer ${key}` };
    const elsewhere = await Promise.all([
      gateway.call('/connections', { headers: asKey }),
      gateway.call('/account/keys', { headers: asKey }),
      gateway.proxy('google-drive', '/drive/v3/about?fields=user', { headers: asKey }),
      gateway.call('/connect/session', { headers: asKey }),
    ]);
    expect(elsewhere.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(await elsewhere[2]?.text()).toContain('works at /mcp alone');
    const session = await gateway.json('POST', '/connect/sessions', { end_user: { id: 'first-user' } });
    for (const other of [
      gateway.gateway.secretKey,
      session.body.data.token,
      `ak_default_${'A'.repeat(43)}`,
      'x',
      `sk${key.slice(2)}`,
    ]) {
      const { status, headers, body } = await askMcp(gateway, other, list);
      expect([status, headers.get('x-gateway-error')]).toEqual([401, 'invalid_secret_key']);
      expect(JSON.stringify(body)).not.toContain(other);
    }
    // A record under another form of text is none.
    const asSecret = `ak_default_${gateway.gateway.secretKey.split('_').at(-1)}`;
    expect((await askMcp(gateway, asSecret, list)).status).toBe(401);
  });

  test('MC-32: an agent key is asked for before the body is read, for every message', async () => {
    for (const message of ['initialize', 'server/discover', 'tools/list']) {
      expect(await askMcp(gateway, undefined, mcpMessage('legacy', message))).toMatchObject({ status: 401 });
    }
    expect(await askMcp(gateway, undefined, { headers: {}, body: 'x'.repeat(100_000) })).toMatchObject({ status: 401 });
    const got = await gateway.call('/mcp');
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await gateway.call('/mcp', { method: 'DELETE' })).status).toBe(405);
    const foreign = await gateway.call('/mcp', { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
  });

  test('AK-4: an agent key is refused once it is revoked or over', async () => {
    const { agent_key: key, id } = await agent();
    await gateway.json('DELETE', `/account/keys/${id}`);
    expect(await askMcp(gateway, key, mcpMessage('legacy', 'ping'))).toMatchObject({ status: 401 });
    const limits = { mode: 'enforce', expires_at: new Date(Date.now() - 1_000).toISOString() };
    const over = await agent({ end_user_id: 'first-user', limits });
    const { status, headers } = await askMcp(gateway, over.agent_key, mcpMessage('legacy', 'ping'));
    expect([status, headers.get('x-gateway-error')]).toEqual([401, 'key_expired']);
  });

  test('MC-20: bound or limited in a form that is not known has nothing', async () => {
    const unbound = await agent();
    await changeItem(gateway, rowOf(unbound.agent_key), { agent: { v: 9, connections: [] } });
    expect((await askMcp(gateway, unbound.agent_key, mcpMessage('legacy', 'ping'))).status).toBe(401);
    const unlimited = await agent();
    await changeItem(gateway, rowOf(unlimited.agent_key), { limits: { v: 9, mode: 'observe' } });
    expect(await assistant(gateway, unlimited.agent_key).tools()).toEqual([]);
  });

  test('MC-20: takes headers that name one of its connections, and no other', async () => {
    const { agent_key: key } = await agent();
    const { headers, body } = mcpMessage('modern', 'tools/list');
    const list = async (more: Record<string, string>) =>
      askMcp(gateway, key, { headers: { ...headers, ...more }, body });
    const names = async (more: Record<string, string>) =>
      (await list(more)).body.result.tools.map(({ name }: { name: string }) => name.split('_')[0]);
    const drive = { 'provider-config-key': 'google-drive', 'connection-id': gateway.connectionId('google-drive') };
    expect(new Set(await names(drive))).toEqual(new Set(['drive']));
    expect(new Set(await names({ 'provider-config-key': 'google-calendar' }))).toEqual(new Set(['calendar']));
    const foreign = await connectAccount(gateway, 'google-drive', undefined, { end_user: { id: 'else' } });
    for (const other of [
      { ...drive, 'connection-id': foreign },
      { ...drive, 'provider-config-key': 'none' },
    ]) {
      const { status, headers: answered } = await list(other);
      expect([status, answered.get('x-gateway-error')]).toEqual([404, 'unknown_connection']);
    }
  });

  test('MC-20: an agent key does not reach a connection that is another end user’s by now', async () => {
    const mine = await connectAccount(gateway, 'google-drive', undefined, { end_user: { id: 'mine' } });
    const { agent_key: key } = await agent({ connections: [bound('google-drive', mine)] });
    const path = `/connections/${mine}?provider_config_key=google-drive`;
    expect((await gateway.json('PATCH', path, { end_user: { id: 'theirs' } })).status).toBe(200);
    const { call, tools } = assistant(gateway, key);
    expect(await tools()).toEqual([]);
    expect(await call('drive_list_recent_files')).toMatchObject({ code: -32602 });
  });

  test('MC-34: gets the link by which its user grants access again, to the same account alone', {
    tags: ['long'],
  }, async () => {
    const account = 'viewer@workspace.example';
    const id = await connectAccount(gateway, 'google-drive', { account }, { end_user: { id: 'gone' } });
    const { agent_key: key } = await agent({ connections: [bound('google-drive', id)] });
    const { call } = assistant(gateway, key);
    expect(await call('drive_list_recent_files', { page_size: 1 })).not.toHaveProperty('isError');
    await control(gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
    const failed = await call('drive_list_recent_files');
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'reauthorization_required',
        connect_url: expect.stringContaining('/connect#session_token=cs_'),
      },
    });
    // Asked again, it is the same link.
    const { connect_url: link } = failed.structuredContent;
    expect((await call('drive_list_recent_files')).structuredContent.connect_url).toBe(link);
    const flow = await startFlow(gateway, link.split('=').at(-1) ?? '');
    expect((await finishFlow(flow, { account: 'second.user@example.com' })).status).toBe(409);
    const again = await startFlow(gateway, link.split('=').at(-1) ?? '', undefined, flow.cookie);
    expect((await finishFlow(again, { account })).status).toBe(200);
    expect(await call('drive_list_recent_files', { page_size: 1 })).not.toHaveProperty('isError');
  });

  test('MC-26: an agent key is named by its calls in usage, and leaves no argument or content in a log', async () => {
    const { agent_key: key, id } = await agent();
    const canary = 'canary-7f3a';
    const { call } = assistant(gateway, key);
    await call('drive_search_files', { name: canary });
    const lines = JSON.stringify(gateway.gateway.logs());
    expect(lines).toContain(`"route":"drive_search_files"`.replaceAll('"', '\\"'));
    expect(lines).not.toContain(canary);
    expect(lines).not.toContain(key);
    expect(lines).toContain(id.slice(0, 12));
  });

  test('MC-25: no text that an assistant sees before it calls a tool holds anything of a user', async () => {
    const { agent_key: key } = await agent();
    const { ask } = assistant(gateway, key);
    const seen = JSON.stringify([
      (await ask('server/discover')).body,
      (await ask('tools/list')).body,
      (await assistant(gateway, key, 'legacy').ask('initialize', { protocolVersion: '2025-11-25' })).body,
      await assistant(gateway, key).call('drive_delete_everything'),
    ]);
    const connections = (await gateway.json('GET', '/connections')).body.connections;
    for (const { connection_id, provider_config_key, end_user } of connections) {
      expect(seen).not.toContain(connection_id);
      expect(seen).not.toContain(`"${provider_config_key}"`);
      if (end_user !== null) expect(seen).not.toContain(end_user.id);
    }
    expect(seen).not.toContain('@');
  });
});

const rowOf = (key: string) => ({ pk: `${KEY_FAMILIES.key}#${sha256Hex(key)}`, sk: 'KEY' });
