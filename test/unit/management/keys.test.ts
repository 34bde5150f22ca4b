import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { FULL_KEY, integratedGateway, managementGateway, member, secretKey, textAt } from './support/gateway.ts';
import { OPERATOR_SUBJECT, OPERATOR_TOKEN, operatorGateway } from './support/operator.ts';

describe('AK-14: the right to read credentials', () => {
  const body = { name: 'export', right: 'read', can_read_credentials: true };

  it('AK-14: the right to read credentials cannot be given by a key that does not have it, whatever else the key may', async () => {
    const gateway = managementGateway();
    const reply = await gateway.call('POST', '/account/keys', { body });
    expect(reply).toMatchObject({ status: 403, code: 'forbidden' });
    expect(textAt(reply.body, 'error', 'message')).toMatch(/dashboard/);
    expect([...gateway.keys.keys()]).toEqual([sha256Hex(FULL_KEY)]);
    expect(gateway.events.all).toEqual([]);
  });

  it('AK-14: the right to read credentials is given by a key that has it, and by an operator', async () => {
    const { gateway, send } = operatorGateway();
    const reader = gateway.addKey(secretKey('reader'), { canReadCredentials: true });
    for (const token of [reader, OPERATOR_TOKEN]) {
      const made = await send('POST', '/account/keys', { body, token });
      expect(made).toMatchObject({ status: 201, body: { data: { can_read_credentials: true } } });
    }
  });

  it('AK-14: a key names its maker in its record, in lists and in its event', async () => {
    const { gateway, send } = operatorGateway();
    await gateway.services.operatorNames.put('default', OPERATOR_SUBJECT, 'first.operator@example.com');
    const makers = {
      [FULL_KEY]: `key:${sha256Hex(FULL_KEY).slice(0, 12)}`,
      [OPERATOR_TOKEN]: `operator:${OPERATOR_SUBJECT}`,
    };
    for (const [token, maker] of Object.entries(makers)) {
      const made = await send('POST', '/account/keys', { body: { name: 'k', right: 'read' }, token });
      expect(member(made.body, 'data', 'created_by')).toBe(maker);
      expect(gateway.keys.get(textAt(made.body, 'data', 'id'))?.createdBy).toBe(maker);
      expect(gateway.events.all.at(-1)).toMatchObject({ eventType: 'SecretKeyCreated', actor: maker });
    }
    const { data } = Object(await send('GET', '/account/keys')).body;
    const shown = new Set(data.map((key: { created_by: unknown }) => key.created_by));
    // The first one is from before makers were kept.
    expect(shown).toEqual(new Set([null, ...Object.values(makers)]));
    const names = new Map(data.map((key: Record<string, string>) => [key.created_by, key.created_by_name]));
    expect(names.get(makers[OPERATOR_TOKEN])).toBe('first.operator@example.com');
    expect(names.get(makers[FULL_KEY])).toBe(gateway.keys.get(sha256Hex(FULL_KEY))?.name);
    expect(names.get(null)).toBe(null);
  });
});

describe('secret keys', () => {
  it('secret keys are shown once and stored as a digest', async () => {
    const gateway = managementGateway();
    const reply = await gateway.call('POST', '/account/keys', { body: { name: 'Backend', right: 'full' } });
    expect(reply.status).toBe(201);
    const text = textAt(reply.body, 'data', 'secret_key');
    expect(text).toMatch(/^sk_default_[A-Za-z0-9_-]{43}$/);
    const shown = { name: 'Backend', right: 'full', integration_ids: null, can_read_credentials: false };
    expect(member(reply.body, 'data')).toMatchObject({ ...shown, id: sha256Hex(text), revoked_at: null });
    expect(JSON.stringify([...gateway.keys])).not.toContain(text);
    const listed = await gateway.call('GET', '/account/keys');
    expect(JSON.stringify(listed.body)).not.toContain(text.slice(11));
    expect((await gateway.call('GET', '/integrations', { key: text })).status).toBe(200);
    const cause = `key:${sha256Hex(text).slice(0, 12)}`;
    expect(gateway.events.all).toMatchObject([{ eventType: 'SecretKeyCreated', cause }]);
  });

  it('secret keys may be limited to integrations that exist', async () => {
    const gateway = integratedGateway();
    const body = { name: 'k', right: 'proxy', integration_ids: ['drive', 'nope'] };
    expect(await gateway.call('POST', '/account/keys', { body })).toMatchObject({
      status: 400,
      paths: ['integration_ids[1]'],
    });
    const twice = { ...body, integration_ids: ['drive', 'drive'] };
    const made = await gateway.call('POST', '/account/keys', { body: twice });
    expect(made.body).toMatchObject({ data: { integration_ids: ['drive'] } });
  });

  it('secret keys are limited by limits that name only integrations that exist, and so are roles and agent keys', async () => {
    const gateway = integratedGateway();
    await gateway.addConnection();
    const limits = { mode: 'enforce', integrations: ['drive', 'nope'] };
    const role = { role_arn: 'arn:aws:iam::111122223333:role/export' };
    const connections = [{ integration_id: 'drive', connection_id: 'first' }];
    const existing = textAt(
      (await gateway.call('POST', '/account/keys', { body: { name: 'k', right: 'proxy' } })).body,
      'data',
      'id',
    );
    const { length } = [...gateway.keys];
    for (const [method, path, body] of [
      ['POST', '/account/keys', { name: 'k', right: 'proxy', limits }],
      ['POST', '/account/roles', { name: 'k', right: 'proxy', ...role, limits }],
      ['POST', '/account/agents', { name: 'k', connections, limits }],
      ['PATCH', `/account/keys/${existing}`, { limits }],
    ] as const) {
      const { status, paths } = await gateway.call(method, path, { body });
      expect([path, status, paths]).toEqual([path, 400, ['limits.integrations[1]']]);
    }
    expect([...gateway.keys]).toHaveLength(length);
    const known = { limits: { ...limits, integrations: ['drive'] } };
    expect((await gateway.call('PATCH', `/account/keys/${existing}`, { body: known })).status).toBe(200);
  });

  it('secret keys are made for an assistant of an end user that a connection names only in its tag', async () => {
    const gateway = integratedGateway();
    await gateway.addConnection({ endUser: undefined, tags: { end_user_id: 'u' } });
    const made = await gateway.call('POST', '/account/agents', { body: { name: 'k', end_user_id: 'u' } });
    expect(made.body).toMatchObject({
      data: { agent: { end_user_id: 'u', connections: [{ integration_id: 'drive', connection_id: 'first' }] } },
    });
  });

  it('secret keys are limited in number', async () => {
    const gateway = managementGateway();
    for (let i = 0; i < 99; i++) gateway.addKey(secretKey(`k${i}`), { right: 'read' });
    const body = { name: 'one more', right: 'read' };
    expect((await gateway.call('POST', '/account/keys', { body })).status).toBe(409);
    const revoked = sha256Hex(secretKey('k0'));
    await gateway.call('DELETE', `/account/keys/${revoked}`);
    expect((await gateway.call('POST', '/account/keys', { body })).status).toBe(201);
  });

  it('secret keys stop working once revoked', async () => {
    const gateway = managementGateway();
    const text = gateway.addKey(secretKey('second'));
    expect((await gateway.call('GET', '/providers', { key: text })).status).toBe(200);
    const path = `/account/keys/${sha256Hex(text)}`;
    expect(await gateway.call('DELETE', path)).toMatchObject({ status: 200, body: { success: true } });
    expect((await gateway.call('GET', '/providers', { key: text })).status).toBe(401);
    expect((await gateway.call('DELETE', path)).status).toBe(200);
    expect(gateway.events.types()).toEqual(['SecretKeyRevoked']);
  });

  it('secret keys are rotated without downtime: the new one revokes the old one', async () => {
    const gateway = managementGateway();
    const made = await gateway.call('POST', '/account/keys', { body: { name: 'next', right: 'full' } });
    const key = textAt(made.body, 'data', 'secret_key');
    expect((await gateway.call('DELETE', `/account/keys/${sha256Hex(FULL_KEY)}`, { key })).status).toBe(200);
    expect((await gateway.call('GET', '/account/keys')).status).toBe(401);
    expect((await gateway.call('GET', '/account/keys', { key })).status).toBe(200);
  });

  it('AK-18: secret keys leave the table 90 days after they were revoked, and only live ones are read where revoked ones do not count', async () => {
    const gateway = managementGateway();
    const { clock, memory, services } = gateway;
    const rows: number[] = [];
    for (let day = 0; day < 200; day += 5) {
      const made = await gateway.call('POST', '/account/keys', { body: { name: `of day ${day}`, right: 'proxy' } });
      await gateway.call('DELETE', `/account/keys/${textAt(made.body, 'data', 'id')}`);
      clock.advanceSec(5 * 86_400);
      for (const item of memory.ofType('secret_key')) {
        if (Number(item.expiresAtEpochSec ?? Number.POSITIVE_INFINITY) < clock.nowEpochSec()) memory.delete(item);
      }
      // It knows what was created in the last minute of the computer's clock.
      for (const gate of memory.ofType('creation_gate')) memory.delete(gate);
      rows.push(memory.ofType('secret_key').length);
    }
    // The key that calls, and the keys of the last 90 days.
    expect([rows[20], rows.at(-1)]).toEqual([19, 19]);
    expect(await services.secretKeys.list('default')).toHaveLength(1);
    expect(await services.secretKeys.listAll('default')).toHaveLength(19);
    const shown = JSON.stringify((await gateway.call('GET', '/account/keys')).body);
    expect([shown.includes('of day 195'), shown.includes('of day 100')]).toEqual([true, false]);
  });

  it('AK-18: the key that the gateway would create again from its secret keeps its row', async () => {
    const gateway = managementGateway();
    const first = sha256Hex(gateway.addKey(secretKey('first'), { createdBy: 'gateway' }));
    await gateway.call('DELETE', `/account/keys/${first}`);
    const row = gateway.memory.ofType('secret_key').find(({ keyHash }) => keyHash === first);
    expect(row).toMatchObject({ revokedAt: expect.any(String), accountListKey: 'ACCOUNT#default#REVOKED_KEY' });
    expect(row).not.toHaveProperty('expiresAtEpochSec');
  });

  it('AK-18: rows that an earlier version revoked get their end when the next key is created', async () => {
    const gateway = managementGateway();
    const { memory } = gateway;
    const old = sha256Hex(gateway.addKey(secretKey('old'), { createdBy: 'key:0123456789ab' }));
    const rowOf = () => memory.ofType('secret_key').find(({ keyHash }) => keyHash === old) ?? {};
    memory.put({ ...rowOf(), revokedAt: '2026-02-01T00:00:00.000Z' });
    expect(rowOf()).toMatchObject({ accountListKey: 'ACCOUNT#default#KEY' });
    await gateway.call('POST', '/account/keys', { body: { name: 'next', right: 'proxy' } });
    const gone = Date.parse('2026-02-01T00:00:00.000Z') / 1000 + 90 * 86_400;
    expect(rowOf()).toMatchObject({ accountListKey: 'ACCOUNT#default#REVOKED_KEY', expiresAtEpochSec: gone });
  });

  it('secret keys cannot all be revoked: the last one that can make others stays', async () => {
    const gateway = managementGateway();
    gateway.addKey(secretKey('reader'), { right: 'read' });
    gateway.addKey(secretKey('limited'), { integrationIds: ['drive'] });
    gateway.addKey(secretKey('gone'), { revokedAt: '2026-01-01T00:00:00.000Z' });
    const reply = await gateway.call('DELETE', `/account/keys/${sha256Hex(FULL_KEY)}`);
    expect(reply).toMatchObject({ status: 409, code: 'conflict' });
    expect((await gateway.call('GET', '/account/keys')).status).toBe(200);
  });

  it('secret keys of another account look as if they were not there', async () => {
    const gateway = managementGateway();
    const foreign = gateway.addKey(secretKey('foreign', 'other'), { accountId: 'other' });
    const theirs = await gateway.call('DELETE', `/account/keys/${sha256Hex(foreign)}`);
    const none = await gateway.call('DELETE', `/account/keys/${'0'.repeat(64)}`);
    expect(theirs).toMatchObject({ status: 404, body: none.body });
    expect(JSON.stringify((await gateway.call('GET', '/account/keys')).body)).not.toContain(sha256Hex(foreign));
  });

  it('note their use at most every ten minutes', async () => {
    const gateway = managementGateway();
    const text = gateway.addKey(secretKey('used'), { lastUsedAtEpochSec: undefined });
    const noted = () => gateway.keys.get(sha256Hex(text))?.lastUsedAtEpochSec;
    await gateway.call('GET', '/providers', { key: text });
    const first = noted();
    expect(first).toBe(gateway.clock.nowEpochSec());
    gateway.clock.advanceSec(120);
    await gateway.call('GET', '/providers', { key: text });
    expect(noted()).toBe(first);
    gateway.clock.advanceSec(600);
    await gateway.call('GET', '/providers', { key: text });
    expect(noted()).toBe(gateway.clock.nowEpochSec());
  });
});
