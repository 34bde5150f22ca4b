/** Assistants whose users have signed in at the integrator's own issuer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FEATURE_ENVIRONMENT } from '../../../lambdas/features/index.ts';
import { type AgentIssuer, startAgentIssuer } from '../../support/agent-issuer.ts';
import { connectAccount, setScopes } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { askMcp, assistant, mcpMessage } from '../../support/mcp-client.ts';
import { signIn } from '../../support/operator.ts';

const AUDIENCE = 'https://gateway.example.com/mcp';
let issuer: AgentIssuer;
let gateway: TestGateway;

beforeAll(async () => {
  issuer = await startAgentIssuer();
  const settings = {
    issuer: issuer.issuer,
    audiences: [AUDIENCE],
    subjectClaim: 'user',
    integrations: ['google-drive', 'google-calendar'],
    limits: { deny: ['drive.files.copy'] },
  };
  gateway = await startTestGateway({
    environmentOverrides: { [FEATURE_ENVIRONMENT.agentSignIn]: JSON.stringify(settings) },
  });
  await setScopes(gateway, 'google-drive', ['drive']);
  await connectAccount(gateway, 'google-drive', undefined, { end_user: { id: 'ann' } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const now = () => Math.floor(Date.now() / 1000);
const claims = (others: Record<string, unknown> = {}) => ({
  iss: issuer.issuer,
  aud: AUDIENCE,
  exp: now() + 600,
  user: 'ann',
  scope: 'openid drive.read drive.write',
  ...others,
});
const statusOf = async (token: string) => (await askMcp(gateway, token, mcpMessage('modern', 'tools/list'))).status;

describe('an access token', () => {
  test('MC-30: an access token of the issuer gives its user’s connection the tools of its scopes, less what is limited', async () => {
    const { tools, call } = assistant(gateway, await issuer.sign(claims()));
    expect(await tools()).toEqual([
      'drive_search_files',
      'drive_list_recent_files',
      'drive_get_file_metadata',
      'drive_read_file_content',
      'drive_create_file',
      'drive_rename_or_move_file',
      'drive_update_file_content',
      'drive_trash_file',
      'gateway_approval_status',
    ]);
    const made = await call('drive_create_file', { name: 'signed in', kind: 'text', content: 'by ann' });
    const read = await call('drive_read_file_content', { file_id: made.structuredContent.id });
    expect(read.content[1].text).toBe('by ann');
    expect(await call('drive_copy_file', { file_id: made.structuredContent.id })).toMatchObject({ code: -32602 });
  });

  test('MC-30: counts as one of this issuer, for this gateway, now, and of no other kind', async () => {
    expect(await statusOf(await issuer.sign(claims(), 'ES256'))).toBe(200);
    expect(await statusOf(await issuer.sign(claims({ aud: ['other', AUDIENCE] })))).toBe(200);
    const wrong = [
      claims({ iss: 'https://evil.example' }),
      claims({ aud: 'https://other.example/mcp' }),
      claims({ aud: undefined }),
      claims({ exp: now() - 60 }),
      claims({ exp: undefined }),
      claims({ nbf: now() + 600 }),
      claims({ user: undefined }),
      claims({ user: '' }),
      claims({ user: ['ann'] }),
      claims({ nonce: 'n' }),
      claims({ at_hash: 'h' }),
      claims({ token_use: 'id' }),
    ];
    for (const one of wrong) expect([one, await statusOf(await issuer.sign(one))]).toEqual([one, 401]);
    expect(await statusOf(await issuer.sign(claims(), 'PS256'))).toBe(401);
    const [header, payload, signature] = (await issuer.sign(claims())).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const forged of [`${none}.${payload}.`, `${header}.${payload}.${signature?.slice(0, -4)}AAAA`]) {
      expect(await statusOf(forged)).toBe(401);
    }
    expect(await statusOf('an-opaque-token')).toBe(401);
    const { status } = await gateway.call('/connections', {
      headers: { authorization: `Bearer ${await issuer.sign(claims())}` },
    });
    expect(status).toBe(401);
  });

  test('MC-31: an access token without a scope of ours is refused, and none shares or deletes', async () => {
    expect(await statusOf(await issuer.sign(claims({ scope: 'openid email' })))).toBe(403);
    expect(await statusOf(await issuer.sign(claims({ scope: undefined, scp: ['drive.read'] })))).toBe(200);
    const all = { scope: 'drive.read drive.write calendar.read calendar.write drive.delete calendar.delete' };
    const tools = await assistant(gateway, await issuer.sign(claims(all))).tools();
    expect(tools).not.toContain('calendar_delete_event');
  });

  test('MC-31: asks a person before it replaces anything, and what is approved runs once, for its own user’s connection alone', async () => {
    const { call } = assistant(gateway, await issuer.sign(claims()));
    const { structuredContent: made } = await call('drive_create_file', { name: 'kept', kind: 'text', content: 'old' });
    const waiting = await call('drive_trash_file', { file_id: made.id });
    const { approval_id: id } = waiting.structuredContent;
    const operator = (await signIn(gateway.gateway)).accessToken;
    const listed = await gateway.json('GET', '/approvals', undefined, operator);
    expect(listed.body.data).toMatchObject([{ id, key_name: 'Assistant that signed in', status: 'pending' }]);
    const { about } = (await gateway.json('GET', `/approvals/${id}`, undefined, operator)).body.data;
    expect(about.sentence).toBe('Move “kept” to the trash');
    const decided = await gateway.json(
      'POST',
      `/approvals/${id}/decision`,
      { decision: 'approve', seen: about.seen },
      operator,
    );
    expect(decided.status).toBe(200);
    const detail = { account_id: 'default', approval_id: id, outcome: 'approved' };
    expect(await gateway.gateway.tick('approvals', { detail })).toEqual({ state: 'done' });
    expect((await call('drive_get_file_metadata', { file_id: made.id })).structuredContent.trashed).toBe(true);
    // The connection is another user's by the time of the run: nothing is sent.
    const { structuredContent: second } = await call('drive_create_file', { name: 'b', kind: 'text', content: 'x' });
    const other = (await call('drive_trash_file', { file_id: second.id })).structuredContent.approval_id;
    expect((await gateway.json('POST', `/approvals/${other}/decision`, { decision: 'approve' }, operator)).status).toBe(
      200,
    );
    const [{ connection_id: connection }] = (await gateway.json('GET', '/connections?end_user_id=ann')).body
      .connections;
    const path = `/connections/${connection}?provider_config_key=google-drive`;
    await gateway.json('PATCH', path, { end_user: { id: 'somebody' } });
    expect(await gateway.gateway.tick('approvals', { detail: { ...detail, approval_id: other } })).toEqual({
      state: 'failed',
    });
    await gateway.json('PATCH', path, { end_user: { id: 'ann' } });
  });

  test('MC-41: an access token of a user without a connection gets no link that the assistant could open itself', async () => {
    const token = await issuer.sign(claims({ user: 'new-user', scope: 'calendar.read' }));
    const { tools, call } = assistant(gateway, token);
    expect(await tools()).toEqual([
      'calendar_list_calendars',
      'calendar_list_events',
      'calendar_get_event',
      'calendar_find_free_time',
    ]);
    const failed = await call('calendar_list_calendars');
    expect(failed).toMatchObject({ isError: true, structuredContent: { code: 'not_connected' } });
    expect(failed.structuredContent).not.toHaveProperty('connect_url');
    await connectAccount(gateway, 'google-calendar', undefined, { end_user: { id: 'new-user' } });
    expect((await call('calendar_list_calendars')).structuredContent.calendars.length).toBeGreaterThan(0);
  });

  test('MC-30: an access token of a user whose connection names them only in the tag end_user_id reaches it', async () => {
    await connectAccount(gateway, 'google-drive', undefined, { end_user: undefined, tags: { end_user_id: 'tagged' } });
    const { call } = assistant(gateway, await issuer.sign(claims({ user: 'tagged' })));
    expect((await call('drive_list_recent_files')).structuredContent).toHaveProperty('files');
  });

  test('MC-30: an access token of a user with two connections of a provider asks to mark one, and reaches no connection of others', async () => {
    for (const _ of [1, 2]) await connectAccount(gateway, 'google-drive', undefined, { end_user: { id: 'two' } });
    const { call } = assistant(gateway, await issuer.sign(claims({ user: 'two' })));
    expect(await call('drive_list_recent_files')).toMatchObject({
      isError: true,
      structuredContent: { code: 'conflict' },
    });
    const stranger = assistant(gateway, await issuer.sign(claims({ user: 'Ann' })));
    expect(await stranger.call('drive_list_recent_files')).toMatchObject({
      structuredContent: { code: 'not_connected' },
    });
  });
});

describe('discovery', () => {
  test('MC-32: a bare 401 leads to the issuer, at both well-known addresses', async () => {
    const bare = await askMcp(gateway, undefined, mcpMessage('legacy', 'initialize'));
    expect(bare.status).toBe(401);
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) {
      const answer = await fetch(gateway.gateway.gatewayUrl + path);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        resource: `${gateway.gateway.gatewayUrl}/mcp`,
        authorization_servers: [issuer.issuer],
        scopes_supported: ['drive.read', 'drive.write', 'calendar.read', 'calendar.write'],
        bearer_methods_supported: ['header'],
      });
    }
    const other = await fetch(`${gateway.gateway.gatewayUrl}/.well-known/other`);
    expect(other.status).toBe(404);
  });

  test('MC-30: the issuer’s keys are fetched once, whatever is brought', async () => {
    expect(issuer.asked.filter((path) => path === '/keys').length).toBeLessThanOrEqual(3);
  });
});
