import { expect, test } from 'vitest';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { declaredStack, KEY_SECRET_ARN, OTHER_STACK_ID, reasonOf, SIGNING_SECRET_ARN } from './declared-stack.ts';

const ETL = { SecretArn: KEY_SECRET_ARN, Allow: ['drive:read'], Integrations: ['drive'], Day: { Units: '500000' } };

async function withKeys() {
  const stack = declaredStack();
  stack.gateway.addIntegration({ integrationId: 'drive' });
  stack.secrets.set(KEY_SECRET_ARN, 'random first value of Secrets Manager');
  const keys = async () => {
    const { body } = await stack.gateway.call('GET', '/account/keys');
    const all: readonly Record<string, unknown>[] = Object(body).data;
    return all.filter(({ created_by, revoked_at }) => created_by === 'stack:shop' && revoked_at === null);
  };
  const held = () => sha256Hex(stack.secrets.get(KEY_SECRET_ARN) ?? '');
  const idIn = ({ physicalId }: { readonly physicalId: string }) => physicalId.split('/', 1)[0] ?? '';
  return { ...stack, keys, held, idIn };
}

async function withEtl() {
  const stack = await withKeys();
  const made = await stack.send('Create', 'Key', ETL);
  expect(made).toMatchObject({ status: 'SUCCESS' });
  return { ...stack, id: made.physicalId };
}

test('a stack creates a key with limits and the right proxy, whose text is in the secret of the stack alone', async () => {
  const { keys, held, secrets, lines, id } = await withEtl();
  expect(await keys()).toMatchObject([
    {
      ...{ id, name: 'Declared1', right: 'proxy', can_read_credentials: false, role_arn: null },
      limits: { mode: 'enforce', allow: ['drive:read'], integrations: ['drive'], day: { units: 500_000 } },
      managed_by: { stack: 'shop', resources: ['Declared1'] },
    },
  ]);
  expect(secrets.get(KEY_SECRET_ARN)).toMatch(/^sk_/);
  expect(held()).toBe(id);
  expect(lines.join()).not.toMatch(/sk_/);
});

test('a repeated create of a key returns the one that the secret holds', async () => {
  const { send, keys, held, id } = await withEtl();
  expect(await send('Create', 'Key', ETL)).toMatchObject({ status: 'SUCCESS', physicalId: id });
  expect(await keys()).toHaveLength(1);
  expect(held()).toBe(id);
});

test('limits of a key change in place, and a rollback restores them', async () => {
  const { send, keys, held, id } = await withEtl();
  const next = { ...ETL, Allow: ['drive:metadata'], Day: undefined };
  for (let time = 0; time < 2; time++) {
    expect(await send('Update', 'Key', next, { physicalId: id, old: ETL })).toMatchObject({ physicalId: id });
    expect(await keys()).toMatchObject([{ limits: { allow: ['drive:metadata'] } }]);
  }
  await send('Update', 'Key', ETL, { physicalId: id, old: next });
  expect(await keys()).toMatchObject([{ id, limits: { allow: ['drive:read'], day: { units: 500_000 } } }]);
  expect(held()).toBe(id);
});

test('another version is another key, the former one works until it is deleted, and a repetition makes no third', async () => {
  const { send, keys, held, idIn, id } = await withEtl();
  const next = { ...ETL, Version: '2' };
  const replaced = await send('Update', 'Key', next, { physicalId: id, old: ETL });
  expect(idIn(replaced)).not.toBe(id);
  expect(held()).toBe(idIn(replaced));
  expect(await send('Update', 'Key', next, { physicalId: id, old: ETL })).toMatchObject(replaced);
  expect(await keys()).toHaveLength(2);
  await send('Delete', 'Key', ETL, { physicalId: id });
  expect(await keys()).toMatchObject([{ id: idIn(replaced) }]);
});

test('the rollback of another version restores the former key and its text', async () => {
  const { send, keys, held, id } = await withEtl();
  const next = { ...ETL, Version: '2' };
  const { physicalId } = await send('Update', 'Key', next, { physicalId: id, old: ETL });
  expect(await send('Update', 'Key', ETL, { physicalId, old: next })).toMatchObject({ physicalId: id });
  expect(held()).toBe(id);
  await send('Delete', 'Key', next, { physicalId });
  expect(await keys()).toMatchObject([{ id }]);
});

test.each([['no former version'], ['version 1']])(
  'the rollback of a failed update to another version keeps the former key with its text, and no other (%s)',
  async (which) => {
    const { send, keys, held, idIn } = await withKeys();
    const first = which === 'version 1' ? { ...ETL, Version: '1' } : ETL;
    const made = await send('Create', 'Key', first);
    const { physicalId } = made;
    const next = { ...first, Version: '2' };
    // CloudFormation did not receive the answer, so the resource keeps its physical id.
    await send('Update', 'Key', next, { physicalId, old: first });
    expect(await keys()).toHaveLength(2);
    for (let time = 0; time < 2; time++) {
      const rolledBack = await send('Update', 'Key', first, { physicalId, old: next });
      expect(rolledBack).toMatchObject({ status: 'SUCCESS', physicalId });
      expect(await keys()).toMatchObject([{ id: idIn(made) }]);
      expect(held()).toBe(idIn(made));
    }
  },
);

test('another secret receives another key, and the rollback of a failed update keeps the former one', async () => {
  const { send, keys, secrets, id } = await withEtl();
  secrets.set(SIGNING_SECRET_ARN, 'first value of another secret');
  const next = { ...ETL, SecretArn: SIGNING_SECRET_ARN };
  const replaced = await send('Update', 'Key', next, { physicalId: id, old: ETL });
  expect(sha256Hex(secrets.get(SIGNING_SECRET_ARN) ?? '')).toBe(replaced.physicalId);
  expect(await send('Update', 'Key', ETL, { physicalId: id, old: next })).toMatchObject({ physicalId: id });
  expect(await keys()).toMatchObject([{ id }]);
});

test('the rollback of a key that moves to another logical id leaves the text of the former key in their secret', async () => {
  const { send, keys, held, id } = await withEtl();
  const moved = await send('Create', 'Key', ETL, { resource: 'Moved' });
  expect(held()).toBe(moved.physicalId);
  await send('Delete', 'Key', ETL, { resource: 'Moved', physicalId: moved.physicalId });
  expect(await keys()).toMatchObject([{ id }]);
  expect(held()).toBe(id);
});

test('a key that has moved to another logical id stays in their secret when the former one is deleted', async () => {
  const { send, keys, held, id } = await withEtl();
  const moved = await send('Create', 'Key', ETL, { resource: 'Moved' });
  await send('Delete', 'Key', ETL, { physicalId: id });
  expect(await keys()).toMatchObject([{ id: moved.physicalId }]);
  expect(held()).toBe(moved.physicalId);
});

test('a key is revoked although its secret can no longer be read', async () => {
  const { send, keys, denied, id } = await withEtl();
  denied.add(KEY_SECRET_ARN);
  expect(await send('Delete', 'Key', ETL, { physicalId: id })).toMatchObject({ status: 'SUCCESS' });
  expect(await keys()).toEqual([]);
});

test.each(['Create', 'Update'] as const)(
  'a repeated %s revokes the key whose text the interrupted attempt before it did not store',
  async (type) => {
    const { send, keys, held, idIn, secrets } = await withKeys();
    const sent = type === 'Create' ? {} : { physicalId: (await send('Create', 'Key', ETL)).physicalId, old: ETL };
    const former = type === 'Create' ? [] : [held()];
    const wanted = { ...ETL, Version: '2' };
    const before = secrets.get(KEY_SECRET_ARN) ?? '';
    await send(type, 'Key', wanted, sent);
    // The function ended before it stored the text.
    secrets.set(KEY_SECRET_ARN, before);
    const made = await send(type, 'Key', wanted, sent);
    expect((await keys()).map(({ id }) => id).toSorted()).toEqual([...former, idIn(made)].toSorted());
    expect(held()).toBe(idIn(made));
  },
);

test('a key that was revoked by hand is replaced by the next update', async () => {
  const { send, gateway, keys, held, id } = await withEtl();
  expect(await gateway.call('DELETE', `/account/keys/${id}`)).toMatchObject({ status: 200 });
  const { physicalId } = await send('Update', 'Key', ETL, { physicalId: id, old: ETL });
  expect(physicalId).not.toBe(id);
  expect(await keys()).toMatchObject([{ id: physicalId }]);
  expect(held()).toBe(physicalId);
});

test('a secret that the function may not write fails the create of a key and leaves none', async () => {
  const { send, secrets, keys } = await withKeys();
  secrets.delete(KEY_SECRET_ARN);
  const outcome = await send('Create', 'Key', ETL);
  expect(reasonOf(outcome)).toMatch(/^SecretArn: .*PutSecretValue/);
  expect(await keys()).toEqual([]);
  expect(await send('Delete', 'Key', ETL, { physicalId: outcome.physicalId })).toMatchObject({ status: 'SUCCESS' });
});

test('the delete of a key is idempotent, and neither another stack nor a failed create revokes it', async () => {
  const { send, gateway, keys, id } = await withEtl();
  await send('Delete', 'Key', ETL, { stackId: OTHER_STACK_ID, physicalId: id });
  await send('Delete', 'Key', ETL, { resource: 'Another', physicalId: id });
  await gateway.call('POST', '/account/keys', { body: { name: 'By hand', right: 'proxy' } });
  const failed = await send('Create', 'Key', { ...ETL, Allow: ['drive:everything'] }, { resource: 'Another' });
  expect(reasonOf(failed)).toMatch(/^Allow\[0\]: names no method/);
  await send('Delete', 'Key', ETL, { resource: 'Another', physicalId: failed.physicalId });
  expect(await keys()).toMatchObject([{ id }]);
  for (let time = 0; time < 2; time++) {
    expect(await send('Delete', 'Key', ETL, { physicalId: id })).toMatchObject({ status: 'SUCCESS' });
    expect(await keys()).toEqual([]);
  }
});

test.each([
  [{ ...ETL, SecretArn: undefined }, /^SecretArn: is required/],
  [{ ...ETL, Allow: undefined }, /^Allow: must be a list/],
  [{ ...ETL, Day: { Units: 'many' } }, /^Day\.Units: /],
  [{ ...ETL, Right: 'full' }, /^Right: there is no such property/],
])('refuses a key of %j with a sentence that begins with the property', async (properties, sentence) => {
  const { send, keys } = await withKeys();
  expect(reasonOf(await send('Create', 'Key', properties))).toMatch(sentence);
  expect(await keys()).toEqual([]);
});

test('limits of a key that a stack declares are changed by hand only where that is forced', async () => {
  const { gateway, id } = await withEtl();
  const body = { limits: { mode: 'enforce', allow: ['drive:metadata'] } };
  const refused = await gateway.call('PATCH', `/account/keys/${id}`, { body });
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('The stack shop declares this key (resource Declared1)') } },
  });
  expect(await gateway.call('PATCH', `/account/keys/${id}?force=true`, { body })).toMatchObject({ status: 200 });
});
