import { expect, test } from 'vitest';
import { declaredStack, OTHER_STACK_ID, reasonOf } from './declared-stack.ts';

const SYNC = {
  RoleArn: 'arn:aws:iam::111122223333:role/jobs/sync',
  RoleId: 'AROAEXAMPLEEXAMPLE123',
  Allow: ['drive:read'],
  Integrations: ['drive'],
  Day: { Units: '500000' },
};

async function withSync() {
  const stack = declaredStack();
  stack.gateway.addIntegration({ integrationId: 'drive' });
  const made = await stack.send('Create', 'Caller', SYNC);
  expect(made).toMatchObject({ status: 'SUCCESS' });
  const roles = async () => {
    const { body } = await stack.gateway.call('GET', '/account/keys');
    const keys: readonly Record<string, unknown>[] = Object(body).data;
    return keys.filter(({ role_arn, revoked_at }) => role_arn !== null && revoked_at === null);
  };
  return { ...stack, roles, id: made.physicalId };
}

test('a stack registers a role as a caller with its limits and no more rights', async () => {
  const { roles, id } = await withSync();
  expect(await roles()).toEqual([
    expect.objectContaining({
      ...{ id, right: 'proxy', can_read_credentials: false, role_arn: SYNC.RoleArn, role_id: SYNC.RoleId },
      limits: expect.objectContaining({
        mode: 'enforce',
        allow: ['drive:read'],
        integrations: ['drive'],
        day: { units: 500_000 },
      }),
      managed_by: expect.objectContaining({ stack: 'shop' }),
      created_by: 'stack:shop',
    }),
  ]);
});

test('updates limits, restores them in a rollback, and repeats without effect', async () => {
  const { send, roles, id } = await withSync();
  const next = { ...SYNC, Allow: ['drive:metadata'], Day: undefined, Minute: { Calls: '10' } };
  for (let time = 0; time < 2; time++) {
    expect(await send('Update', 'Caller', next, { physicalId: id, old: SYNC })).toMatchObject({ physicalId: id });
    expect(await roles()).toMatchObject([{ limits: { allow: ['drive:metadata'], minute: { calls: 10 } } }]);
  }
  await send('Update', 'Caller', SYNC, { physicalId: id, old: next });
  expect(await roles()).toMatchObject([{ limits: { allow: ['drive:read'], day: { units: 500_000 } } }]);
  expect(await send('Create', 'Caller', SYNC)).toMatchObject({ status: 'SUCCESS', physicalId: id });
});

test('another role replaces the caller, and a role that was made again under its name has the new unique id', async () => {
  const { send, roles, id } = await withSync();
  const next = { ...SYNC, RoleArn: 'arn:aws:iam::111122223333:role/jobs/sync-2' };
  const replaced = await send('Update', 'Caller', next, { physicalId: id, old: SYNC });
  expect(replaced.physicalId).not.toBe(id);
  await send('Delete', 'Caller', SYNC, { physicalId: id });
  expect(await roles()).toMatchObject([{ role_arn: next.RoleArn }]);
  const again = { ...next, RoleId: 'AROAEXAMPLEEXAMPLE456' };
  await send('Update', 'Caller', again, { physicalId: replaced.physicalId, old: next });
  expect(await roles()).toMatchObject([{ role_arn: next.RoleArn, role_id: again.RoleId }]);
});

test('a role that was registered by hand or by another stack stays as it is', async () => {
  const { send, roles, gateway } = declaredStackWithRole();
  await gateway.call('POST', '/account/roles', { body: { name: 'By hand', right: 'full', role_arn: SYNC.RoleArn } });
  const outcome = await send('Create', 'Caller', SYNC);
  expect(reasonOf(outcome)).toMatch(/^RoleArn: this role is registered already, and not by this stack/);
  await send('Delete', 'Caller', SYNC, { physicalId: outcome.physicalId });
  expect(await roles()).toHaveLength(1);
  const own = await withSync();
  expect(reasonOf(await own.send('Create', 'Caller', SYNC, { stackId: OTHER_STACK_ID }))).toMatch(/^RoleArn: /);
  await own.send('Delete', 'Caller', SYNC, { stackId: OTHER_STACK_ID, physicalId: own.id });
  expect(await own.roles()).toHaveLength(1);
});

function declaredStackWithRole() {
  const stack = declaredStack();
  const roles = async () => {
    const { body } = await stack.gateway.call('GET', '/account/keys');
    return Object(body).data.filter((key: Record<string, unknown>) => key.role_arn !== null && key.revoked_at === null);
  };
  return { ...stack, roles };
}

test('a resource that moves keeps the caller, and the last one that goes revokes it', async () => {
  const { send, roles, id } = await withSync();
  const moved = { resource: 'Moved' };
  expect(await send('Create', 'Caller', SYNC, moved)).toMatchObject({ status: 'SUCCESS', physicalId: id });
  await send('Delete', 'Caller', SYNC, { physicalId: id });
  expect(await roles()).toMatchObject([{ id, managed_by: { resources: ['Moved'] } }]);
  await send('Delete', 'Caller', SYNC, { ...moved, physicalId: id });
  expect(await roles()).toEqual([]);
  expect(await send('Delete', 'Caller', SYNC, { ...moved, physicalId: id })).toMatchObject({ status: 'SUCCESS' });
});

test.each([
  [{ ...SYNC, RoleArn: 'arn:aws:iam::111122223333:role/*' }, /^RoleArn: must be the ARN of one IAM role/],
  [{ ...SYNC, Allow: ['drive:everything'] }, /^Allow\[0\]: names no method/],
  [{ ...SYNC, Day: { Units: 'many' } }, /^Day\.Units: /],
  [{ ...SYNC, Allow: undefined }, /^Allow: must be a list/],
])('refuses %j with a sentence that begins with the property', async (properties, sentence) => {
  const { send, roles } = declaredStackWithRole();
  expect(reasonOf(await send('Create', 'Caller', properties))).toMatch(sentence);
  expect(await roles()).toEqual([]);
});

test('limits that a stack declares are changed by hand only where that is forced', async () => {
  const { gateway, id } = await withSync();
  const body = { limits: { mode: 'enforce', allow: ['drive:metadata'] } };
  expect(await gateway.call('PATCH', `/account/keys/${id}`, { body })).toMatchObject({ status: 409 });
  expect(await gateway.call('PATCH', `/account/keys/${id}?force=true`, { body })).toMatchObject({ status: 200 });
  // Revoking is for emergencies, so it needs no further word.
  expect(await gateway.call('DELETE', `/account/keys/${id}`)).toMatchObject({ status: 200 });
});
