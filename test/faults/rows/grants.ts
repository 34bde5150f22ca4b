import { expect } from 'vitest';
import { finishFlow, reconnectSession, startFlow } from '../../support/connect.ts';
import { control, forgetRequests, tokenCalls } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import {
  breakWrite,
  type FaultWorld,
  INVALID_GRANT,
  nowSec,
  REFRESH,
  type Subject,
  statusesOf,
  writes,
} from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

/** Answers of the token endpoint and the API, and what they may and may not do to a connection. */
export const grantRows: readonly FaultRow[] = [
  {
    id: 'F16',
    claim: 'an invalid_grant that arrives after another process stored newer tokens marks nothing',
    runs: 'long',
    async run(world) {
      const subject = await world.connect();
      await world.provider(REFRESH, INVALID_GRANT, { times: 1 });
      const isRead = ({ operation, body }: AwsCall) => operation === 'GetItem' && body.includes('"CONNECTION"');
      const reading = breakWrite(world, subject, isRead, { kind: 'hold', side: 'before' });
      const first = subject.call();
      await reading.met;
      expect((await callUntilServed(subject)).status).toBe(200);
      reading.release();
      expect((await first).status).toBe(200);
      expect(await subject.row()).toMatchObject({ status: 'active' });
      expect(await subject.events()).toHaveLength(1);
    },
  },
  {
    id: 'F17',
    claim: 'a genuine invalid_grant marks once with one event, and later calls are answered without a token call',
    runs: 'test',
    async run(world) {
      const subject = await world.connect({ account: 'viewer@workspace.example' });
      await control(world.gateway, 'POST', '/grants/kill', {
        account: 'viewer@workspace.example',
        reason: 'user_revoked',
      });
      const answer = await subject.call();
      expect(answer.status).toBe(424);
      const { error } = await answer.json();
      expect(error).toMatchObject({
        code: 'reauthorization_required',
        connection: { cause: 'user_revoked', certain: false, provider_error: 'invalid_grant' },
      });
      expect(error.connection.likely_causes.length).toBeGreaterThan(1);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
      expect(await statusesOf(20, () => subject.call())).toEqual(new Set([424]));
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
      expect((await subject.events()).map(({ type }) => type)).toEqual([
        'ConnectionCreated',
        'ConnectionReauthorizationRequired',
      ]);
    },
  },
  {
    id: 'F17-restricted',
    claim: 'TK-4: access_denied ends the connection that got it and can be asked again; its integration keeps working',
    runs: 'test',
    // The question that the operator asks.
    spareTokenCalls: 1,
    async run(world) {
      const unlucky = await world.connect({ account: 'viewer@workspace.example' });
      const other = await world.connect({ account: 'editor@workspace.example' });
      const restricted = { account: 'viewer@workspace.example', reason: 'account_restricted' };
      await control(world.gateway, 'POST', '/grants/kill', restricted);
      const answer = await unlucky.call();
      expect(answer.status).toBe(424);
      // An account of a Workspace: an administrator's rule is likelier than Google itself, and neither is named.
      expect((await answer.json()).error).toMatchObject({
        code: 'reauthorization_required',
        message: expect.stringContaining('Probably: '),
        connection: {
          cause: 'context_aware_access',
          certain: false,
          provider_error: 'access_denied',
          can_be_checked_again: true,
        },
      });
      expect((await other.call()).status).toBe(200);
      expect((await unlucky.call()).status).toBe(424);
      expect(await tokenCalls(world.gateway), 'not asked again by itself').toHaveLength(2);
      const { credentials_fault } = await integrationOf(world, unlucky);
      expect(credentials_fault).toBeNull();
      await control(world.gateway, 'POST', '/grants/restore', { account: restricted.account });
      expect((await askAgain(world, unlucky)).status, 'asked again').toBe(200);
      expect((await unlucky.call()).status).toBe(200);
      expect((await unlucky.events()).map(({ type }) => type)).toEqual([
        'ConnectionCreated',
        'ConnectionReauthorizationRequired',
        'ConnectionRecovered',
      ]);
    },
  },
  {
    id: 'F18',
    claim: 'a re-authorization beats an invalid_grant that is being recorded',
    runs: 'long',
    async run(world) {
      const subject = await world.connect();
      await world.provider(REFRESH, INVALID_GRANT, { times: 1 });
      const marking = breakWrite(world, subject, writes.transition, { kind: 'hold', side: 'before' });
      const call = subject.call();
      await marking.met;
      await reconnect(world, subject);
      marking.release();
      expect((await call).status).toBe(200);
      expect(await subject.row()).toMatchObject({ status: 'active' });
      expect((await subject.events()).map(({ type }) => type)).toEqual(['ConnectionCreated', 'ConnectionReauthorized']);
    },
  },
  {
    id: 'F19',
    claim: 'invalid_client marks the integration once, no connection, and heals',
    runs: 'long',
    async run(world) {
      const subjects = await world.connectMany(5, { integrationId: 'google-calendar' });
      const [first] = subjects;
      if (first === undefined) throw new Error();
      const error = { status: 401, error: 'invalid_client', error_description: 'The OAuth client was not found.' };
      await world.provider(REFRESH, { oauthError: error });
      await Promise.all(subjects.map((subject) => subject.set({ refreshAt: nowSec() - 5 })));
      await forgetRequests(world.gateway);
      const report = await world.gateway.gateway.tick('refresh');
      expect(report).toMatchObject({ refreshed: 0, dead: 0, failed: 0, putOff: 5 });
      expect(await tokenCalls(world.gateway), 'the first refresh of an integration goes alone').toHaveLength(1);
      const answer = await first.call();
      expect(answer.status).toBe(424);
      expect((await answer.json()).error.code).toBe('integration_credentials_rejected');
      for (const subject of subjects) expect((await subject.row()).status).toBe('active');
      const rejected = await world.gateway.gateway.waitForEvent((event) => isRejection(event));
      expect(rejected.detail).toMatchObject({ integration_id: 'google-calendar', cause: 'invalid_client' });
      await world.calm();
      // A forced refresh of an operator ignores the cool-down, and finds that the client works again.
      expect((await forceRefresh(world, first)).status).toBe(200);
      await world.gateway.gateway.waitForEvent((event) => event['detail-type'] === 'IntegrationRecovered');
      expect(world.gateway.gateway.events.filter(isRejection)).toHaveLength(1);
    },
  },
  {
    id: 'F19-unlisted',
    claim:
      'TK-4: an answer of no list makes its own connection wait; three that agree mark the integration, one success clears it',
    runs: 'long',
    recovery: 'forced',
    async run(world) {
      const [first, second, third, well] = await world.connectMany(4);
      if (first === undefined || second === undefined || third === undefined || well === undefined) throw new Error();
      const answer = { oauthError: { status: 400, error: 'something_new', error_description: 'Never seen before' } };
      const refused = async (subject: Subject) => {
        await world.provider(REFRESH, answer, { times: 1 });
        const reply = await subject.call();
        expect(reply.status).toBe(503);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
        expect((await reply.json()).error).toMatchObject({
          code: 'token_refresh_unavailable',
          message: expect.stringContaining('something_new'),
        });
        expect(await subject.row()).toMatchObject({ status: 'active', failureCount: 1 });
      };
      await refused(first);
      await refused(second);
      expect((await first.call()).status).toBe(503);
      expect(await tokenCalls(world.gateway), 'backed off').toHaveLength(2);
      expect((await integrationOf(world, first)).credentials_fault).toBeNull();
      await refused(third);
      expect((await integrationOf(world, first)).credentials_fault).toMatchObject({ error: 'something_new' });
      const rejected = await world.gateway.gateway.waitForEvent(
        (event) => isRejection(event) && isAbout(event, 'something_new'),
        5_000,
      );
      expect(rejected.detail).toMatchObject({ integration_id: 'google-drive' });
      // The schedule has read the mark: it pauses nobody, and the success takes it away.
      await well.set({ refreshAt: nowSec() - 5 });
      expect(await sweep(world.gateway, well)).toMatchObject({ refreshed: 1 });
      expect((await well.call()).status).toBe(200);
      expect((await integrationOf(world, first)).credentials_fault).toBeNull();
    },
  },
  {
    id: 'F20',
    claim: '429, 500, 503 and an HTML 403 never kill a connection, and Retry-After is honoured',
    runs: 'long',
    // Retry-After names two minutes.
    recovery: 'forced',
    async run(world) {
      const subject = await world.connect({ expired: false });
      for (const action of [
        { status: 429, headers: { 'Retry-After': '120' } },
        { status: 503, headers: { 'Retry-After': '120' } },
        { status: 500 },
        { status: 403, body: '<html><title>User Rate Limit Exceeded</title></html>' },
        { oauthError: { status: 400, error: 'internal_failure' } },
      ]) {
        await subject.set({ accessTokenExpiresAtEpochSec: nowSec() + 60 });
        await world.provider(REFRESH, action);
        expect((await forceRefresh(world, subject)).status).toBe(503);
        const row = await subject.row();
        expect(row).toMatchObject({ status: 'active' });
        expect(row.retryAt).toBeGreaterThan(nowSec() + ('headers' in action ? 100 : 5));
        expect((await subject.call()).status, 'the old token still serves').toBe(200);
        await world.calm();
      }
      const expired = await world.connect();
      await world.provider(REFRESH, { status: 503, headers: { 'Retry-After': '120' } });
      const answer = await expired.call();
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(100);
      expect((await expired.call()).status).toBe(503);
      expect((await tokenCalls(world.gateway)).length, 'backed off').toBe(1);
    },
  },
  {
    id: 'F21',
    claim: 'a 200 with rubbish stores nothing malformed and kills nothing; odd lifetimes are bounded',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const token = { access_token: 'ya29.odd', token_type: 'Bearer' };
      const rubbish = [
        '<html></html>',
        '',
        '{}',
        '[]',
        'null',
        '{"access_token":',
        ...[0, -5].map((n) => JSON.stringify({ ...token, expires_in: n })),
      ];
      for (const rawBody of rubbish) {
        const before = await subject.row();
        await world.provider(REFRESH, { rawBody, contentType: 'application/json', status: 200 });
        expect((await forceRefresh(world, subject)).status, rawBody).toBe(503);
        const row = await subject.row();
        expect(row.encryptedAccessToken, rawBody).toBe(before.encryptedAccessToken);
        expect(row.status).toBe('active');
        await world.calm();
      }
      for (const expires_in of ['3600', 1e12, null]) {
        await world.provider(
          REFRESH,
          { rawBody: JSON.stringify({ ...token, expires_in }), contentType: 'application/json' },
          { times: 1 },
        );
        expect((await forceRefresh(world, subject)).status, String(expires_in)).toBe(200);
        const left = Number((await subject.row()).accessTokenExpiresAtEpochSec) - nowSec();
        expect(left).toBeGreaterThan(3_500);
        expect(left).toBeLessThanOrEqual(24 * 3600);
        await world.calm();
      }
    },
  },
  {
    id: 'F22',
    claim: 'a delete during a refresh is final',
    runs: 'test',
    async run(world) {
      const subject = await world.connect();
      const storing = breakWrite(world, subject, writes.tokens, { kind: 'hold', side: 'before' });
      const call = subject.call();
      await storing.met;
      expect((await world.gateway.call(subject.path, { method: 'DELETE' })).status).toBe(200);
      storing.release();
      expect((await call).status).toBe(404);
      expect(await subject.row()).toMatchObject({ status: 'deleted' });
      expect((await subject.events()).map(({ type }) => type)).toEqual(['ConnectionCreated', 'ConnectionDeleted']);
    },
  },
  {
    id: 'F29',
    claim: 'a token the API refuses is refreshed once and the call replayed once',
    runs: 'test',
    async run(world) {
      const subject = await world.connect({ expired: false });
      await control(world.gateway, 'POST', '/tokens/expire', { kind: 'access' });
      expect((await subject.call()).status).toBe(200);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
    },
  },
  {
    id: 'F30-revoked',
    claim:
      'TK-6: a grant revoked within seconds of a refresh is asked for once, and its callers get 424 with the cause',
    runs: 'test',
    async run(world) {
      const account = 'viewer@workspace.example';
      const subject = await world.connect({ account });
      expect((await subject.call()).status).toBe(200);
      await control(world.gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
      const [answer, ...more] = await Promise.all(Array.from({ length: 20 }, () => subject.call()));
      expect(new Set([answer, ...more].map((one) => one?.status))).toEqual(new Set([424]));
      const body = await answer?.json();
      expect(body).toMatchObject({ error: { connection: { cause: 'user_revoked', certain: false } } });
      expect(await tokenCalls(world.gateway), 'the refresh, and one question').toHaveLength(2);
      expect((await subject.call()).status).toBe(424);
      expect(await tokenCalls(world.gateway)).toHaveLength(2);
    },
  },
];

/** A refresh an operator asks for: past every back-off. */
export function forceRefresh(world: FaultWorld, subject: Subject): Promise<Response> {
  return world.gateway.call(`${subject.path}&force_refresh=true`);
}

/** The question to the provider that an operator can have asked for a dead connection too. */
function askAgain(world: FaultWorld, subject: Subject): Promise<Response> {
  const of = `provider_config_key=${subject.integrationId}`;
  return world.gateway.call(`/connections/${subject.connectionId}/refresh?${of}`, { method: 'POST' });
}

/** The user consents again, with the same account unless the session permits another. */
export async function reconnect(
  { gateway, ledger }: FaultWorld,
  { integrationId, connectionId, key }: Subject,
  account = 'first.user@example.com',
  body: Record<string, unknown> = {},
): Promise<void> {
  const token = await reconnectSession(gateway, integrationId, connectionId, body);
  const page = await ledger.adopt(
    async () => finishFlow(await startFlow(gateway, token, integrationId), { account }),
    () => key,
  );
  expect(page.status, await page.text()).toBeLessThan(400);
}

/** Calls until a lease of somebody else no longer stands in the way. */
async function callUntilServed(subject: Subject): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const answer = await subject.call();
    if (answer.status !== 503 || attempt === 5) return answer;
    await answer.body?.cancel();
  }
}

function isRejection(event: { readonly 'detail-type': string }): boolean {
  return event['detail-type'] === 'IntegrationCredentialsRejected';
}

function isAbout({ detail }: { readonly detail: unknown }, cause: string): boolean {
  return typeof detail === 'object' && detail !== null && 'cause' in detail && detail.cause === cause;
}

/** The integration of a connection, as the API shows it. */
async function integrationOf(world: FaultWorld, { integrationId }: Subject): Promise<Record<string, unknown>> {
  const answer = await world.gateway.call(`/integrations/${integrationId}`);
  return (await answer.json()).data;
}
