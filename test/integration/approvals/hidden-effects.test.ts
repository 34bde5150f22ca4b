// @module-tag long
import { beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { connectAccount, finishFlow, reconnectSession, setScopes, startFlow } from '../../support/connect.ts';
import { signIn } from '../../support/operator.ts';
import { forgetRequests, requests } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { keyWith } from '../api/keys.ts';
import { approvalTools, WRITING } from './support.ts';

const WEB = 'Everyone on the internet can then see it.';
const PUBLIC_PLACE = 'Everyone who has the link, or everyone on the internet, can open what is there.';

describe('an approval of a call that hides its effect', () => {
  const gateway = useTestGateway({ rules: true, fresh: true, seedScopes: WRITING });
  const tools = approvalTools(gateway);
  let operator: string;
  let key: string;
  beforeAll(async () => {
    operator = (await signIn(gateway.gateway)).accessToken;
    key = await keyWith(gateway, { right: 'proxy', limits: { mode: 'enforce', approve: ['write'] } });
  });

  const whole = () => gateway.gateway.secretKey;
  const about = async (id: string) =>
    (await gateway.json('GET', `/approvals/${id}`, undefined, operator)).body.data.about;
  /** What an operator reads of a call of the calendar that waits. */
  async function readOf(method: string, path: string, json?: unknown) {
    const { body } = await tools.calendar(key, method, path, json === undefined ? {} : { json });
    expect(body.error.code).toBe('approval_required');
    return about(body.error.approval.approval_id);
  }

  test('AP-31: a rule for everyone is named as public, by its body and by its path, and one with an address is refused', async () => {
    const rule = { role: 'reader', scope: { type: 'default' } };
    const made = await readOf('POST', '/calendars/primary/acl', rule);
    expect([made.sentence, made.risks]).toEqual([expect.stringContaining('everyone on the internet'), [WEB]]);
    const both = { role: 'reader', scope: { type: 'default', value: 'second.user@example.com' } };
    const refused = await tools.calendar(key, 'POST', '/calendars/primary/acl', { json: both });
    expect([refused.body.error.code, refused.body.error.limit.member]).toEqual(['approval_impossible', 'scope.value']);
    await tools.calendar(whole(), 'POST', '/calendars/primary/acl', { json: rule });
    const changed = await readOf('PATCH', '/calendars/primary/acl/default', { role: 'writer' });
    expect([changed.sentence, changed.risks]).toEqual([expect.stringContaining('everyone on the internet'), [WEB]]);
  });

  test('AP-32, AP-35: a move into a calendar that is public names the calendar and its readers', async () => {
    const { body: calendar } = await tools.calendar(whole(), 'POST', '/calendars', { json: { summary: 'Open days' } });
    const path = `/calendars/${encodeURIComponent(calendar.id)}`;
    const rule = { role: 'reader', scope: { type: 'default' } };
    await tools.calendar(whole(), 'POST', `${path}/acl`, { json: rule });
    const times = { start: { date: '2027-03-01' }, end: { date: '2027-03-02' } };
    const made = await tools.calendar(whole(), 'POST', '/calendars/primary/events', {
      json: { summary: 'Salaries', ...times },
    });
    const move = `/calendars/primary/events/${made.body.id}/move?destination=${encodeURIComponent(calendar.id)}`;
    const read = await readOf('POST', move);
    expect(read.risks).toEqual([PUBLIC_PLACE]);
    expect(read.facts).toContainEqual(expect.objectContaining({ name: 'Calendar', after: 'Open days' }));
  });

  test('AP-31: an upload with two boundaries is refused by the gateway, and makes nothing', async () => {
    const parts = ['{"name": "harmless.txt"}', 'text'].map(
      (part, at) => `--a\r\nContent-Type: ${at === 0 ? 'application/json' : 'text/plain'}\r\n\r\n${part}\r\n`,
    );
    const answer = await gateway.proxy('google-drive', '/upload/drive/v3/files?uploadType=multipart', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/related; boundary=a; boundary=b' },
      body: `${parts.join('')}--a--`,
    });
    const { error } = await answer.json();
    expect([answer.status, error.code, error.limit.member]).toEqual([403, 'approval_impossible', 'content-type']);
    const { body } = await tools.drive(whole(), 'GET', `/files?q=${encodeURIComponent("name = 'harmless.txt'")}`);
    expect(body.files).toEqual([]);
  });

  test('AP-33: an If-Match of the caller never replaces the version that the person saw', async () => {
    const EVENTS = '/calendars/primary/events';
    const times = { start: { date: '2027-03-01' }, end: { date: '2027-03-02' } };
    const made = await tools.calendar(whole(), 'POST', EVENTS, { json: { summary: 'Board', ...times } });
    const path = `${EVENTS}/${made.body.id}`;
    const read = async () => (await tools.calendar(whole(), 'GET', path)).body;
    /** Has a change approved that its caller asks for at a version, and reads how that ended. */
    const approved = async (summary: string, version: string) => {
      const headers = { 'if-match': version };
      const { body } = await tools.calendar(key, 'PATCH', path, { json: { summary }, headers });
      const id = body.error.approval.approval_id;
      const { seen } = await about(id);
      await forgetRequests(gateway);
      const decision = { decision: 'approve', seen };
      expect((await gateway.json('POST', `/approvals/${id}/decision`, decision, operator)).status).toBe(200);
      await expect.poll(() => tools.statusOf(id)).toMatch(/^(?:done|stale|failed)$/);
      const sent = (await requests(gateway, 'api')).filter(({ method }) => method === 'PATCH');
      const versions = sent.flatMap(({ headers: all }) => all.filter(([name]) => name.toLowerCase() === 'if-match'));
      return { status: await tools.statusOf(id), versions: versions.map(([, value]) => value) };
    };
    const { etag } = await read();
    expect(await approved('Any version', '*')).toEqual({ status: 'done', versions: [etag] });
    const now = await read();
    expect(now.summary).toBe('Any version');
    // The caller's version is older than what the person saw.
    expect(await approved('An older version', etag)).toEqual({ status: 'stale', versions: [] });
    expect((await read()).summary).toBe('Any version');
    expect(await approved('The same version', now.etag)).toEqual({ status: 'done', versions: [now.etag] });
  });

  test('AP-33: what waits for one Google account is not done to another that the connection is of since', async () => {
    await setScopes(gateway, 'google-drive', ['drive']);
    const connection = await connectAccount(gateway, 'google-drive');
    const asKey = (of: string, method: string, path: string, json?: unknown) =>
      gateway.proxyAs('google-drive', connection, path, {
        method,
        headers: { authorization: `Bearer ${of}`, 'content-type': 'application/json' },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
    const { id: file } = await (await asKey(whole(), 'POST', '/drive/v3/files', { name: 'mine.txt' })).json();
    const { error } = await (await asKey(key, 'DELETE', `/drive/v3/files/${file}`)).json();
    const id = error.approval.approval_id;
    const seen = (await about(id)).seen;
    const token = await reconnectSession(gateway, 'google-drive', connection, { allow_account_change: true });
    const page = await finishFlow(await startFlow(gateway, token), { account: 'second.user@example.com' });
    expect(page.status).toBe(200);
    const decided = await gateway.json('POST', `/approvals/${id}/decision`, { decision: 'approve', seen }, operator);
    expect([decided.status, textAt(decided.body, 'error', 'code')]).toEqual([409, 'approval_stale']);
    expect(await tools.statusOf(id)).toBe('stale');
  });
});
