import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';
import { delegatedDomainItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { connectSession, sessionState } from '../../support/connect.ts';
import {
  adminLink,
  connectUser,
  DOMAIN,
  DRIVE_SCOPE,
  EDITOR,
  list,
  makeIntegration,
  makeRobot,
  type Robot,
  VIEWER,
} from '../../support/delegation.ts';
import { withinOneWindow } from '../../support/one-window.ts';
import { control, forgetRequests, requests } from '../../support/simulator.ts';
import { readConnection, tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const gateway = useTestGateway();
const ABOUT = '/drive/v3/about?fields=user';

async function whoIs(integration: string, connectionId: string): Promise<string> {
  const answer = await gateway.proxyAs(integration, connectionId, ABOUT);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text).user.emailAddress;
}

describe.each(['aws', 'key'] as const)('an integration that acts by a service account, via %s', (via) => {
  let robot: Robot;
  let integration: string;

  beforeAll(async () => {
    robot = await makeRobot(gateway, `acts-${via}`);
    await list(gateway, robot, [DRIVE_SCOPE]);
    integration = await makeIntegration(gateway, robot, { via });
  });

  test('calls as the user of its connection, and keeps the token for an hour', async () => {
    const connectionId = await connectUser(gateway, integration, EDITOR);
    expect(connectionId).toMatch(/^sub_[\w-]{32}$/);
    expect(await whoIs(integration, connectionId)).toBe(EDITOR);
    await forgetRequests(gateway);
    expect(await whoIs(integration, connectionId)).toBe(EDITOR);
    expect(await requests(gateway, 'token')).toEqual([]);
    const other = await connectUser(gateway, integration, VIEWER);
    expect(await whoIs(integration, other)).toBe(VIEWER);
  });

  test('the same user is connected once, however often and however written', async () => {
    const id = await connectUser(gateway, integration, EDITOR);
    expect(await connectUser(gateway, integration, EDITOR.toUpperCase())).toBe(id);
  });

  test('a key of the right full may name the user instead of the connection', async () => {
    await connectUser(gateway, integration, EDITOR);
    expect(await whoIs(integration, `subject:${EDITOR}`)).toBe(EDITOR);
  });

  test('SA-20: users outside of its subjects are refused before anything is sent', async () => {
    await forgetRequests(gateway);
    for (const subject of [
      'editor@other.example',
      `editor@sub.${DOMAIN}`,
      `editor+x@${DOMAIN}`,
      `editor@${DOMAIN}.evil.example`,
      `editor@evil-${DOMAIN}`,
      'editor@workspacе.example',
      `editor@${DOMAIN}@other.example`,
      `editor@other.example@${DOMAIN}`,
      `editor@wor\u212aspace.example`,
      `editor\uff20${DOMAIN}`,
      `editor@xn--workspce-g8a.example`,
      `editor@${DOMAIN}.`,
      `editor%40${DOMAIN}`,
      ` editor@${DOMAIN}`,
      `editor@${DOMAIN}\n`,
      `"editor@${DOMAIN}"@other.example`,
      `editor@${DOMAIN},editor@other.example`,
    ]) {
      const answer = await gateway.json('POST', '/connections', { provider_config_key: integration, subject });
      expect([answer.status, answer.body.error.code], subject).toEqual([403, 'subject_not_allowed']);
    }
    for (const named of ['editor@other.example', `editor@${DOMAIN}.`, `editor@sub.${DOMAIN}`]) {
      const called = await gateway.proxyAs(integration, `subject:${named}`, ABOUT);
      expect([called.status, Object(await called.json()).error.code], named).toEqual([403, 'subject_not_allowed']);
    }
    expect(await requests(gateway)).toEqual([]);
  });

  test('SA-21, SA-22: administrators’ rights are refused, and the share of the quota is the user’s', async () => {
    const id = await connectUser(gateway, integration, EDITOR);
    for (const query of ['useDomainAdminAccess=true', 'use%44omainAdminAccess=true', '%24useDomainAdminAccess=true']) {
      const answer = await gateway.proxyAs(integration, id, `/drive/v3/drives?${query}`);
      expect([answer.status, Object(await answer.json()).error.code], query).toEqual([400, 'invalid_query_params']);
    }
    const part =
      'Content-Type: application/http\r\n\r\nGET /drive/v3/drives?useDomainAdminAccess=true HTTP/1.1\r\n\r\n';
    const batch = await gateway.proxyAs(integration, id, '/batch/drive/v3', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: `--b\r\n${part}\r\n--b--\r\n`,
    });
    expect([batch.status, Object(await batch.json()).error.code]).toEqual([400, 'invalid_body']);
    await forgetRequests(gateway);
    await gateway.proxyAs(integration, id, '/drive/v3/files?quotaUser=me&pageSize=1&userIp=1.2.3.4', {
      headers: { 'x-goog-quota-user': 'me' },
    });
    const [sent] = await requests(gateway, 'api');
    expect(sent?.target).toBe('/drive/v3/files?pageSize=1');
    expect(
      sent?.headers.filter(([name]) => name.toLowerCase() === 'x-goog-quota-user').map(([, value]) => value),
    ).toEqual([id]);
  });

  test('SA-25: a connection that nobody uses has no due entry and has asked for nothing', async () => {
    await forgetRequests(gateway);
    const id = await connectUser(gateway, integration, VIEWER);
    const unused = await readConnection(gateway, integration, id);
    expect(unused).not.toHaveProperty('dueShard');
    expect(unused).not.toHaveProperty('grantKey');
    expect(await requests(gateway)).toEqual([]);
    await whoIs(integration, id);
    expect(await readConnection(gateway, integration, id)).not.toHaveProperty('dueShard');
  });

  test('SA-26: no answer holds the key', async () => {
    const { body } = await gateway.json('GET', `/integrations/${integration}?include=credentials`);
    expect(JSON.stringify(body)).not.toContain('PRIVATE KEY');
    expect(body.data).toMatchObject({ kind: 'delegated', delegation: { via, client_id: robot.clientId } });
    expect(body.data.delegation.key_id).toBe(via === 'key' ? robot.key.private_key_id : null);
  });
});

describe('what Google refuses', () => {
  let robot: Robot;
  let integration: string;
  const codeOf = async (connectionId: string) => {
    const answer = await gateway.proxyAs(integration, connectionId, ABOUT);
    const body = Object(await answer.json());
    return [answer.status, body.error?.code, body.error?.connection?.cause].join(' ');
  };

  beforeAll(async () => {
    robot = await makeRobot(gateway, 'refused');
    integration = await makeIntegration(gateway, robot, { via: 'key' });
  });

  test('SA-23: a domain that does not list it is waited for as a whole, and comes back as a whole', async () => {
    const [first, second] = [
      await connectUser(gateway, integration, EDITOR),
      await connectUser(gateway, integration, VIEWER),
    ];
    expect(await codeOf(first)).toContain('424 reauthorization_required delegation_pending');
    await forgetRequests(gateway);
    expect(await codeOf(second)).toContain('424 reauthorization_required delegation_pending');
    expect(await requests(gateway, 'token')).toEqual([]);
    const { body } = await gateway.json('GET', `/connections/${second}?provider_config_key=${integration}`);
    expect(body).toMatchObject({
      cause: 'delegation_pending',
      health: { status: 'dead', reason: 'delegation_pending' },
    });
    const listed = await gateway.json('GET', `/connections?provider_config_key=${integration}`);
    expect(listed.body.connections.map((one: { health: { reason: string } }) => one.health.reason)).toEqual([
      'delegation_pending',
      'delegation_pending',
    ]);
    await list(gateway, robot, [DRIVE_SCOPE]);
    const check = await gateway.json('POST', `/integrations/${integration}/delegation/check`, { address: EDITOR });
    expect(check.body.data).toMatchObject({ works: true, domain: DOMAIN });
    // A process asks after its domain once a second, and the two calls may meet two processes.
    await expect.poll(() => whoIs(integration, second)).toBe(VIEWER);
    await expect.poll(() => whoIs(integration, first)).toBe(EDITOR);
    const events = gateway.gateway.events.map(({ 'detail-type': type }) => type);
    expect(events.filter((type) => type.startsWith('Delegation'))).toEqual(
      expect.arrayContaining(['DelegationLost', 'DelegationGranted']),
    );
  });

  test('a check names the scope that is missing', async () => {
    await gateway.json('PATCH', `/integrations/${integration}`, { scopes: ['drive', 'drive.activity'] });
    const { body } = await gateway.json('POST', `/integrations/${integration}/delegation/check`, { address: EDITOR });
    expect(body.data).toMatchObject({
      works: false,
      cause: 'delegation_incomplete',
      scopes: [{ status: 'listed' }, { status: 'not_listed' }],
    });
    await gateway.json('PATCH', `/integrations/${integration}`, { scopes: ['drive'] });
  });

  test('SA-24: a user who is gone is the user’s death, and a key that is refused the integration’s', async () => {
    const id = await connectUser(gateway, integration, `nobody@${DOMAIN}`);
    expect(await codeOf(id)).toContain('424 reauthorization_required subject_unknown');
    await control(gateway, 'POST', '/delegates', { email: robot.email, deleteKeys: [robot.key.private_key_id] });
    await control(gateway, 'POST', '/tokens/expire', { kind: 'access', account: EDITOR });
    const editor = await connectUser(gateway, integration, EDITOR);
    expect(await codeOf(editor)).toContain('424 integration_credentials_rejected');
    const { body } = await gateway.json('GET', `/integrations/${integration}`);
    expect(body.data.health).toMatchObject({ status: 'refused', reason: 'service_account_key_refused' });
    const again = Object(await control(gateway, 'POST', '/delegates', { email: robot.email, createKey: true }));
    await gateway.json('PATCH', `/integrations/${integration}`, { delegation: { key: again.key } });
    // Asked for by hand, past the pause that a refused token has.
    await gateway.json('POST', `/connections/${editor}/refresh?provider_config_key=${integration}`);
    expect(await whoIs(integration, editor)).toBe(EDITOR);
  });
});

test('SA-27: only so many users an hour are new, and those who are connected stay so', async () => {
  const { integration, answer } = await withinOneWindow(async (attempt) => {
    const robot = await makeRobot(gateway, `few-${attempt}`);
    const limited = await makeIntegration(gateway, robot, { new_subjects_per_hour: 1 });
    await connectUser(gateway, limited, EDITOR);
    const body = { provider_config_key: limited, subject: VIEWER };
    return { integration: limited, answer: await gateway.json('POST', '/connections', body) };
  }, 3_600);
  expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  await connectUser(gateway, integration, EDITOR);
});

describe('an administrator who takes the account off the list', () => {
  let robot: Robot;
  let integration: string;
  let editor: string;
  let viewer: string;
  const healthOf = async (id: string) =>
    (await gateway.json('GET', `/connections/${id}?provider_config_key=${integration}`)).body.health.status;
  const eventsOf = (type: string) =>
    gateway.gateway.events.filter(
      (one) => one['detail-type'] === type && Object(one.detail).integration_id === integration,
    );

  /** Ten minutes go by for the row of a domain that is lost, or an hour for one that works. */
  const tenMinutesLater = () =>
    tableClient(gateway).send(
      new UpdateCommand({
        TableName: gateway.gateway.tableName,
        Key: delegatedDomainItemKey({ accountId: 'default', integrationId: integration }, DOMAIN),
        UpdateExpression: 'SET refreshAt = :past',
        ConditionExpression: 'attribute_exists(refreshAt)',
        ExpressionAttributeValues: { ':past': 1 },
      }),
    );
  /** The schedule's run over the part of the due index that holds domains. */
  const tick = () => gateway.gateway.tick('refresh', { slice: { index: 0, count: DUE_SHARDS } });

  beforeAll(async () => {
    robot = await makeRobot(gateway, 'removed');
    await list(gateway, robot, [DRIVE_SCOPE]);
    integration = await makeIntegration(gateway, robot, { via: 'key' });
    editor = await connectUser(gateway, integration, EDITOR);
    viewer = await connectUser(gateway, integration, VIEWER);
    for (const id of [editor, viewer]) await whoIs(integration, id);
  });

  test('SA-23: an administrator who takes the account off the list is noticed by every connection, and ten minutes after listing it again all are back though nobody calls', async () => {
    await list(gateway, robot, null);
    const refused = await gateway.proxyAs(integration, editor, ABOUT);
    expect([refused.status, Object(await refused.json()).error.connection.cause]).toEqual([424, 'delegation_pending']);
    expect([await healthOf(editor), await healthOf(viewer)]).toEqual(['dead', 'dead']);
    const { body } = await gateway.json('GET', '/overview');
    const rows = body.data.attention.filter(
      (row: { provider_config_key: string }) => row.provider_config_key === integration,
    );
    expect(rows).toMatchObject([
      { kind: 'delegation', severity: 'warning', who: 'workspace_admin', reason: 'delegation_pending', id: DOMAIN },
    ]);
    const readiness = await gateway.json('GET', `/integrations/${integration}/readiness`);
    const listed = readiness.body.data.steps.find(({ id }: { id: string }) => id === 'listed');
    expect(listed).toMatchObject({ done: false, what: expect.stringContaining(DOMAIN) });
    expect([readiness.body.data.ready, readiness.body.data.alternatives]).toEqual([false, []]);
    await list(gateway, robot, [DRIVE_SCOPE]);
    await forgetRequests(gateway);
    await tick();
    expect(await requests(gateway, 'token')).toEqual([]);
    await tenMinutesLater();
    await tick();
    expect(await requests(gateway, 'token')).toHaveLength(1);
    // The health of a connection is recorded after the response.
    for (const id of [editor, viewer]) await expect.poll(() => healthOf(id)).toBe('active');
    await tick();
    expect(await requests(gateway, 'token')).toHaveLength(1);
    // Another process takes what it read of the domain as it is for a second.
    await expect.poll(() => whoIs(integration, viewer)).toBe(VIEWER);
    expect(await whoIs(integration, editor)).toBe(EDITOR);
    await expect.poll(() => [eventsOf('DelegationLost').length, eventsOf('DelegationGranted').length]).toEqual([1, 2]);
  });

  test('SA-23: shows within an hour though nobody calls', { tags: ['long'] }, async () => {
    await list(gateway, robot, null);
    await forgetRequests(gateway);
    await tick();
    expect(await requests(gateway, 'token')).toEqual([]);
    expect([await healthOf(editor), await healthOf(viewer)]).toEqual(['active', 'active']);
    await tenMinutesLater();
    await tick();
    expect([await healthOf(editor), await healthOf(viewer)]).toEqual(['dead', 'dead']);
    await list(gateway, robot, [DRIVE_SCOPE]);
    await tenMinutesLater();
    await tick();
    for (const id of [editor, viewer]) await expect.poll(() => healthOf(id)).toBe('active');
  });

  test('SA-23: an administrator who takes the account off the list is asked for another user where the one asked for last is not connected any more', {
    tags: ['long'],
  }, async () => {
    await list(gateway, robot, null);
    await gateway.json('POST', `/connections/${viewer}/refresh?provider_config_key=${integration}`);
    expect(await healthOf(editor)).toBe('dead');
    await gateway.json('DELETE', `/connections/${viewer}?provider_config_key=${integration}`);
    // It is still not listed: the question is used up, and the next one comes in ten minutes.
    await tenMinutesLater();
    await tick();
    expect(await healthOf(editor)).toBe('dead');
    await list(gateway, robot, [DRIVE_SCOPE]);
    await tick();
    expect(await healthOf(editor)).toBe('dead');
    await tenMinutesLater();
    await tick();
    await expect.poll(() => healthOf(editor)).toBe('active');
  });
});

describe('a link for the administrator of a domain', () => {
  let robot: Robot;
  let integration: string;
  const SECOND_DOMAIN = 'second.example';
  const checkWith = (token: string, address: string) =>
    gateway.json('POST', `/integrations/${integration}/delegation/check`, { address }, token);

  beforeAll(async () => {
    robot = await makeRobot(gateway, 'linked');
    await list(gateway, robot, [DRIVE_SCOPE]);
    integration = await makeIntegration(gateway, robot, {
      via: 'key',
      subjects: { domains: [DOMAIN, SECOND_DOMAIN] },
    });
  });

  test('lives for seven days, has what to list, and connects nobody', async () => {
    const token = await adminLink(gateway, integration);
    const state = Object(await sessionState(gateway, token));
    expect(state.admin).toEqual({
      organization: { id: 'acme', display_name: 'Acme' },
      client_id: robot.clientId,
      scopes: [DRIVE_SCOPE],
      admin_url: expect.stringContaining(`clientIdToAdd=${robot.clientId}`),
    });
    const days = (Date.parse(state.expires_at) - Date.now()) / 86_400_000;
    expect([days > 6.99, days <= 7]).toEqual([true, true]);
    const start = await fetch(`${gateway.gateway.gatewayUrl}/connect/authorizations`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        origin: gateway.gateway.gatewayUrl,
      },
      body: JSON.stringify({ provider_config_key: integration }),
    });
    expect([start.status, Object(await start.json()).error.code]).toEqual([400, 'invalid_body']);
  });

  test('a link for the administrator of a domain is refused for an integration whose users consent, and other sessions may check no domain', async () => {
    const body = { integration_id: 'google-drive', organization: { id: 'acme' } };
    const made = await gateway.json('POST', '/connect/sessions/admin', body);
    expect([made.status, made.body.error.code]).toEqual([404, 'not_supported']);
    const plain = { end_user: { id: 'somebody' }, allowed_integrations: [integration] };
    const refused = await gateway.json('POST', '/connect/sessions', plain);
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_body']);
    const token = await connectSession(gateway, { allowed_integrations: ['google-drive'] });
    const checked = await checkWith(token, EDITOR);
    expect([checked.status, checked.body.error.code]).toEqual([401, 'invalid_session_token']);
    const state = Object(await sessionState(gateway, token));
    expect([state.admin, JSON.stringify(state).includes(integration)]).toEqual([null, false]);
  });

  test('SA-20: a session sees no domains of an integration, its administrator’s neither', async () => {
    for (const token of [await connectSession(gateway, {}), await adminLink(gateway, integration)]) {
      for (const path of [`/integrations/${integration}`, '/integrations']) {
        const { status, body } = await gateway.json('GET', path, undefined, token);
        expect([status, JSON.stringify(body).includes(SECOND_DOMAIN)], path).toEqual([200, false]);
      }
      const read = await gateway.json('GET', `/integrations/${integration}/delegation`, undefined, token);
      expect(read.status).toBe(401);
    }
  });

  test('SA-20: a domain belongs to the organization that checked it first, and another one learns nothing of it', async () => {
    const [acme, other] = [
      await adminLink(gateway, integration),
      await adminLink(gateway, integration, { organization: { id: 'other' } }),
    ];
    expect((await checkWith(acme, EDITOR)).body.data).toMatchObject({ works: true, domain: DOMAIN });
    await forgetRequests(gateway);
    const refused = await checkWith(other, EDITOR);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
    expect(JSON.stringify(refused.body)).not.toMatch(/acme/i);
    expect(await requests(gateway)).toEqual([]);
    expect((await checkWith(acme, VIEWER)).body.data).toMatchObject({ works: true });
  });

  test('SA-20: users of one organization’s integration are nobody for that of another, whose domain lists the same account', async () => {
    await list(gateway, robot, [DRIVE_SCOPE], { domain: SECOND_DOMAIN });
    const stranger = await makeIntegration(gateway, robot, {
      via: 'key',
      uniqueKey: 'strangers',
      subjects: { domains: [SECOND_DOMAIN] },
    });
    const id = await connectUser(gateway, integration, EDITOR);
    await forgetRequests(gateway);
    const refused = await gateway.json('POST', '/connections', { provider_config_key: stranger, subject: EDITOR });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'subject_not_allowed']);
    const codes = [];
    for (const connectionId of [id, `subject:${EDITOR}`, `subject:${EDITOR.toUpperCase()}`]) {
      const answer = await gateway.proxyAs(stranger, connectionId, ABOUT);
      codes.push(Object(await answer.json()).error.code);
    }
    expect(codes).toEqual(['unknown_connection', 'subject_not_allowed', 'subject_not_allowed']);
    const token = await adminLink(gateway, stranger, { organization: { id: 'stranger' } });
    expect((await checkWith(token, EDITOR)).body.error.code).toBe('unknown_integration');
    const own = await gateway.json('POST', `/integrations/${stranger}/delegation/check`, { address: EDITOR }, token);
    expect([own.status, own.body.error.code]).toEqual([403, 'subject_not_allowed']);
    expect(await requests(gateway)).toEqual([]);
  });

  test('checks only so often a minute', async () => {
    const answers = await withinOneWindow(async (attempt) => {
      const token = await adminLink(gateway, integration, { organization: { id: `eager-${attempt}` } });
      return Promise.all(Array.from({ length: 12 }, () => checkWith(token, `x@nowhere.example`)));
    });
    expect(answers.map(({ status }) => status)).toContain(429);
    expect(answers.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(10);
  });
});
