import { beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { connectAccount, setScopes } from '../../support/connect.ts';
import { signIn } from '../../support/operator.ts';
import { forgetRequests, requests } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { keyWith } from '../api/keys.ts';
import { stored } from '../api/secrecy/stored.ts';
import { approvalRows, approvalTools, browser, WRITING } from './support.ts';

describe('calls that a person has to approve', () => {
  const gateway = useTestGateway({ rules: true, fresh: true, seedScopes: WRITING });
  const tools = approvalTools(gateway);
  let operator: string;
  let key: string;
  beforeAll(async () => {
    operator = (await signIn(gateway.gateway)).accessToken;
    key = await keyWith(gateway, {
      name: 'Assistant',
      right: 'proxy',
      limits: { mode: 'enforce', approve: ['delete', 'share'] },
    });
  });

  test('AP-16: a call that asks first is refused with where to decide, and nothing of it is sent', async () => {
    const file = await tools.newFile('plan.txt');
    const refused = await tools.drive(key, 'DELETE', `/files/${file}`);
    expect([refused.status, refused.headers.get('x-gateway-error')]).toEqual([403, 'approval_required']);
    const { approval, limit } = refused.body.error;
    expect(limit).toEqual({ name: 'approve', method: 'drive.files.delete' });
    expect(approval).toEqual({
      approval_id: expect.stringMatching(/^apr_/),
      url: expect.stringMatching(/\/approve\/[A-Za-z0-9_-]{43}$/),
      expires_at: expect.any(String),
    });
    expect(await tools.isThere(file)).toBe(true);
    // The same request is the same approval, no matter who asks for it again with the key.
    const again = await tools.drive(key, 'DELETE', `/files/${file}`, { headers: { prefer: 'respond-async' } });
    expect(again.status).toBe(202);
    expect(again.headers.get('location')).toBe(`${gateway.gateway.gatewayUrl}/approvals/${approval.approval_id}`);
    expect(again.headers.get('retry-after')).toBe('10');
    expect(again.body).toEqual({ status: 'pending', ...approval });
  });

  test('AP-14: an operator sees what will happen to what, approves, and it runs once with its result for the key alone', async () => {
    const file = await tools.newFile('report.txt');
    const { approval_id: id } = await tools.hold(key, 'DELETE', `/files/${file}`);
    expect((await gateway.json('GET', `/approvals/${id}`, undefined, key)).status).toBe(202);
    const shown = await gateway.json('GET', `/approvals/${id}`, undefined, operator);
    expect(shown.body.data).toMatchObject({
      status: 'pending',
      key_name: 'Assistant',
      about: { sentence: 'Delete “report.txt” for good', is_certain: true, seen: expect.stringMatching(/^version:/) },
    });
    const listed = await gateway.json('GET', '/approvals', undefined, operator);
    expect(listed.body.data.map((one: { id: string }) => one.id)).toContain(id);
    const decided = await gateway.json(
      'POST',
      `/approvals/${id}/decision`,
      { decision: 'approve', seen: shown.body.data.about.seen },
      operator,
    );
    expect([decided.status, decided.body.data?.status]).toEqual([200, 'approved']);
    await expect.poll(() => tools.statusOf(id)).toBe('done');
    expect(await tools.isThere(file)).toBe(false);
    const result = await gateway.json('GET', `/approvals/${id}`, undefined, key);
    expect(result.status).toBe(200);
    expect(result.body.data.result).toMatchObject({ status: 204, body: '' });
    const others = await gateway.json('GET', `/approvals/${id}`, undefined, operator);
    expect(others.body.data.result).toBeNull();
    const again = await gateway.json('POST', `/approvals/${id}/decision`, { decision: 'refuse' }, operator);
    expect([again.status, textAt(again.body, 'error', 'code')]).toEqual([409, 'conflict']);
  });

  test('AP-14: what changed since it was approved is left alone', async () => {
    const file = await tools.newFile('draft.txt');
    const { approval_id: id } = await tools.hold(key, 'PATCH', `/files/${file}`, { trashed: true });
    const shown = await gateway.json('GET', `/approvals/${id}`, undefined, operator);
    expect(shown.body.data.about.sentence).toBe('Move “draft.txt” to the trash');
    await tools.drive(gateway.gateway.secretKey, 'PATCH', `/files/${file}`, { json: { name: 'final.txt' } });
    const late = await gateway.json(
      'POST',
      `/approvals/${id}/decision`,
      { decision: 'approve', seen: shown.body.data.about.seen },
      operator,
    );
    expect([late.status, textAt(late.body, 'error', 'code')]).toEqual([409, 'approval_stale']);
    expect(await tools.statusOf(id)).toBe('pending');
  });

  test('AP-15: what nobody decides on ends by the schedule, with an event, once', async () => {
    const file = await tools.newFile('late.txt');
    const { approval_id: id } = await tools.hold(key, 'DELETE', `/files/${file}`);
    await approvalRows(gateway).letPass(id, 'expiresAtMs');
    await gateway.gateway.tick('refresh');
    const ended = await gateway.gateway.waitForEvent(
      ({ 'detail-type': type, detail }) => type === 'ApprovalEnded' && Object(detail).approval_id === id,
    );
    expect(ended.detail).toMatchObject({ outcome: 'expired', method: 'drive.files.delete' });
    expect(await tools.statusOf(id)).toBe('expired');
    await gateway.gateway.tick('refresh');
    const all = gateway.gateway.events.filter(
      ({ 'detail-type': type, detail }) => type === 'ApprovalEnded' && Object(detail).approval_id === id,
    );
    expect(all).toHaveLength(1);
    expect(await tools.isThere(file)).toBe(true);
  });

  test('AP-15: goes with its connection, to the last row', async () => {
    await setScopes(gateway, 'google-drive', ['drive']);
    const connection = await connectAccount(gateway, 'google-drive');
    const answer = await gateway.proxyAs('google-drive', connection, '/drive/v3/files/none', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    });
    const { approval } = Object(await answer.json()).error;
    const rows = approvalRows(gateway);
    expect((await rows.about(approval.approval_id, connection)).length).toBeGreaterThanOrEqual(5);
    const deleted = await gateway.json('DELETE', `/connections/${connection}?provider_config_key=google-drive`);
    expect(deleted.status).toBe(200);
    expect((await browser(gateway).get(approval.url)).status).toBe(404);
    await rows.letClearingsPass();
    await gateway.gateway.tick('refresh');
    // What is left says when to look, and names the key alone.
    const left = await rows.about(approval.approval_id, connection);
    expect(left.map(({ pk }) => String(pk).split('#')[0])).toEqual(['APPROVALDUE']);
  });

  test('AP-15: a call that waits for a person is kept encrypted: nothing that is stored, logged or sent says what waits', async () => {
    const { approval_id: id } = await tools.hold(key, 'DELETE', '/files/none?fields=canary-5d1e');
    const told = JSON.stringify([gateway.gateway.logs(), gateway.gateway.events]);
    expect(told).not.toContain('canary-5d1e');
    for (const { name, text } of stored(gateway.gateway.dataDir)) {
      expect([name, text.includes('canary-5d1e')]).toEqual([name, false]);
    }
    expect(await tools.statusOf(id)).toBe('pending');
  });

  test('AP-37: of forty calls that come at once twenty wait, and a decision makes room for one more', {
    tags: ['long'],
  }, async () => {
    const busy = await keyWith(gateway, { right: 'proxy', limits: { mode: 'enforce', approve: ['delete'] } });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => tools.drive(busy, 'DELETE', `/files/at-once-${i}`)),
    );
    const codes = answers.map(({ body }) => body.error.code);
    expect(codes.filter((code) => code === 'approval_required')).toHaveLength(20);
    expect(codes.filter((code) => code === 'budget_spent')).toHaveLength(20);
    const [first] = answers.filter(({ body }) => body.error.approval !== undefined);
    const id = first?.body.error.approval.approval_id;
    await gateway.json('POST', `/approvals/${id}/decision`, { decision: 'refuse' }, operator);
    expect((await tools.hold(busy, 'DELETE', '/files/another')).approval_id).toMatch(/^apr_/);
  });

  test('AP-30: a call with a part that nobody could be shown is refused by its name, and nothing waits', async () => {
    const strict = await keyWith(gateway, { right: 'proxy', limits: { mode: 'enforce', approve: ['write'] } });
    const file = await tools.newFile('strict.txt');
    for (const [path, json, member] of [
      [`/files/${file}`, { name: 'a', moon: 1 }, 'moon'],
      [`/files/${file}?moon=1`, { name: 'a' }, 'moon'],
      [`/files/${file}?addParents=root`, { trashed: false }, 'addParents'],
      [`/files/${file}`, { capabilities: {} }, 'capabilities'],
    ] as const) {
      const { status, body } = await tools.drive(strict, 'PATCH', path, { json });
      expect([status, body.error.code, body.error.limit]).toEqual([
        ...[403, 'approval_impossible'],
        { name: 'approve', method: 'drive.files.update', member },
      ]);
    }
  });

  test('AP-34: after the decision the record keeps sentence, outcome and who decided, and events name the object', async () => {
    const file = await tools.newFile('kept-record.txt');
    const { approval_id: id } = await tools.hold(key, 'DELETE', `/files/${file}`);
    await gateway.json('POST', `/approvals/${id}/decision`, { decision: 'approve' }, operator);
    await expect.poll(() => tools.statusOf(id)).toBe('done');
    const listed = await gateway.json('GET', '/approvals', undefined, operator);
    const record = listed.body.data.find((one: { id: string }) => one.id === id);
    expect(record).toMatchObject({
      object: { kind: 'file', id: file },
      outcome: '204',
      decided_by: expect.stringMatching(/^operator:/),
      about: { sentence: 'Delete “kept-record.txt” for good', request: null },
    });
    const decided = await gateway.gateway.waitForEvent(
      ({ 'detail-type': type, detail }) => type === 'ApprovalDecided' && Object(detail).approval_id === id,
    );
    expect(decided.detail).toMatchObject({ object_kind: 'file', object_id: file });
  });

  test('AP-32: waiting calls are a row of the overview, and a list without what they do reads nothing at Google', async () => {
    const row = async () => {
      const { status, body } = await gateway.json('GET', '/overview', undefined, operator);
      expect(status).toBe(200);
      return body.data.attention.find(({ kind, reason }: Row) => kind === 'approval' && reason === 'waiting');
    };
    interface Row {
      readonly kind: string;
      readonly reason: string;
    }
    const before = (await row())?.count ?? 0;
    const file = await tools.newFile('counted.txt');
    const { approval_id: id } = await tools.hold(key, 'DELETE', `/files/${file}`);
    expect(await row()).toMatchObject({
      ...{ severity: 'warning', count: before + 1, title: expect.stringMatching(/calls? waits? for approval$/) },
      steps: [expect.any(String)],
    });
    await forgetRequests(gateway);
    const listed = async (query: string, as = operator) => {
      const { status, body } = await gateway.json('GET', `/approvals${query}`, undefined, as);
      return [status, body.data?.find((one: { id: string }) => one.id === id)];
    };
    const counted = [200, expect.objectContaining({ id, status: 'pending', about: null })];
    expect(await listed('?about=false')).toEqual(counted);
    expect(await listed('?about=false', gateway.gateway.secretKey)).toEqual(counted);
    expect(await requests(gateway, 'api')).toEqual([]);
    const about = expect.objectContaining({ sentence: 'Delete “counted.txt” for good' });
    for (const query of ['', '?about=true']) {
      expect(await listed(query)).toEqual([200, expect.objectContaining({ id, about })]);
    }
    expect(await requests(gateway, 'api')).not.toEqual([]);
    for (const query of ['?about=no', '?about=', '?about=true&about=false', '?more=1']) {
      const { status, body } = await gateway.json('GET', `/approvals${query}`, undefined, operator);
      expect([query, status, textAt(body, 'error', 'code')]).toEqual([query, 400, 'invalid_query_params']);
    }
    await gateway.json('POST', `/approvals/${id}/decision`, { decision: 'refuse' }, operator);
    expect((await row())?.count ?? 0).toBe(before);
  });

  test('AP-15: twenty of a key wait at most, and the refusal of one more says so', { tags: ['long'] }, async () => {
    const busy = await keyWith(gateway, { right: 'proxy', limits: { mode: 'enforce', approve: ['delete'] } });
    for (let i = 0; i < 20; i++) await tools.hold(busy, 'DELETE', `/files/none-${i}`);
    const full = await tools.drive(busy, 'DELETE', '/files/one-more');
    expect([full.status, full.body.error.code]).toEqual([403, 'budget_spent']);
    expect(full.body.error.limit).toMatchObject({ name: 'approve', most: 20 });
    expect((await tools.hold(busy, 'DELETE', '/files/none-3')).approval_id).toMatch(/^apr_/);
  });
});
