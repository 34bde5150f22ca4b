import { expect, test } from 'vitest';
import { CLIENT_SECRET_ARN, declaredStack, OTHER_STACK_ID, reasonOf, STACK_ID } from './declared-stack.ts';

const DRIVE = {
  Provider: 'google-drive',
  UniqueKey: 'drive',
  ClientId: '123456789012-a.apps.googleusercontent.com',
  ClientSecretArn: CLIENT_SECRET_ARN,
  Scopes: ['drive.file'],
};
const MADE = { physicalId: 'drive' };

/** A stack with the integration, which it has just made. */
async function withDrive() {
  const stack = declaredStack();
  expect(await stack.send('Create', 'Integration', DRIVE)).toMatchObject({ status: 'SUCCESS', physicalId: 'drive' });
  const show = async (id = 'drive') => {
    const { body } = await stack.gateway.call('GET', `/integrations/${id}?include=credentials`);
    return Object(body).data;
  };
  const storedSecret = () => [...stack.gateway.secrets.values()].map(({ clientSecret }) => clientSecret);
  return { ...stack, show, storedSecret };
}

test('a stack creates an integration with its client, and the API and the audit trail name the stack', async () => {
  const { gateway, show, storedSecret } = await withDrive();
  expect(await show()).toMatchObject({
    unique_key: 'drive',
    scopes: ['https://www.googleapis.com/auth/drive.file'],
    credentials: { client_id: DRIVE.ClientId },
    managed_by: { stack: 'shop', stack_id: STACK_ID, resources: ['Declared1'] },
  });
  expect(storedSecret()).toEqual(['GOCSPX-first']);
  expect(gateway.events.all.map(({ eventType, actor }) => [eventType, actor])).toEqual([
    ['IntegrationCreated', 'stack:shop'],
  ]);
});

test('the same create again has the same result and makes nothing twice', async () => {
  const { gateway, send } = await withDrive();
  expect(await send('Create', 'Integration', DRIVE)).toMatchObject({ status: 'SUCCESS', physicalId: 'drive' });
  expect(gateway.events.types().filter((type) => type === 'IntegrationCreated')).toHaveLength(1);
  expect(gateway.integrations.size).toBe(1);
});

test('no answer, log or reason contains the client secret', async () => {
  const { send, lines } = await withDrive();
  await send('Update', 'Integration', { ...DRIVE, Scopes: ['no.such.scope'] }, { ...MADE, old: DRIVE });
  await send('Delete', 'Integration', DRIVE, MADE);
  expect(lines.join('\n')).not.toContain('GOCSPX');
});

test.each([
  ['DisplayName', 'Reports', { display_name: 'Reports' }, { display_name: 'drive' }],
  ['PublicName', 'Your reports', { public_name: 'Your reports' }, { public_name: null }],
  ['PublishingStatus', 'production', { publishing_status: 'production' }, { publishing_status: 'testing' }],
  ['Audience', 'internal', { audience: 'internal' }, { audience: 'external' }],
  ['Mode', 'live', { mode: 'live' }, { mode: 'test' }],
  ['HostedDomain', 'example.com', { hosted_domain: 'example.com' }, { hosted_domain: null }],
  ['IncludeGrantedScopes', 'true', { include_granted_scopes: true }, { include_granted_scopes: false }],
  [
    'Scopes',
    ['drive.readonly'],
    { scopes: ['https://www.googleapis.com/auth/drive.readonly'] },
    { scopes: ['https://www.googleapis.com/auth/drive.file'] },
  ],
])('an update changes %s, and the rollback restores the former value', async (name, value, changed, former) => {
  const { send, show } = await withDrive();
  const next = { ...DRIVE, [name]: value };
  expect(await send('Update', 'Integration', next, { ...MADE, old: DRIVE })).toMatchObject({ status: 'SUCCESS' });
  expect(await show()).toMatchObject(changed);
  expect(await send('Update', 'Integration', DRIVE, { ...MADE, old: next })).toMatchObject({ status: 'SUCCESS' });
  expect(await show()).toMatchObject(former);
});

test('another SecretVersion reads the secret again, and the former one stays valid as the previous', async () => {
  const { send, secrets, gateway } = await withDrive();
  secrets.set(
    CLIENT_SECRET_ARN,
    JSON.stringify({ web: { client_id: DRIVE.ClientId, client_secret: 'GOCSPX-second' } }),
  );
  await send('Update', 'Integration', { ...DRIVE, SecretVersion: '2' }, { ...MADE, old: DRIVE });
  expect([...gateway.secrets.values()]).toEqual([
    { clientId: DRIVE.ClientId, clientSecret: 'GOCSPX-second', previousClientSecret: 'GOCSPX-first' },
  ]);
});

test('another unique key renames an integration without connections, and the delete of the former name deletes nothing', async () => {
  const { send, show, gateway } = await withDrive();
  const next = { ...DRIVE, UniqueKey: 'files' };
  expect(await send('Update', 'Integration', next, { ...MADE, old: DRIVE })).toMatchObject({ physicalId: 'files' });
  // The same request again, as after a lost answer.
  expect(await send('Update', 'Integration', next, { ...MADE, old: DRIVE })).toMatchObject({ physicalId: 'files' });
  expect(await send('Delete', 'Integration', DRIVE, MADE)).toMatchObject({ status: 'SUCCESS' });
  expect(await show('files')).toMatchObject({ unique_key: 'files' });
  const back = await send('Update', 'Integration', DRIVE, { physicalId: 'files', old: next });
  expect(back).toMatchObject({ status: 'SUCCESS', physicalId: 'drive' });
  expect(gateway.integrations.size).toBe(1);
});

test('an integration with connections keeps its unique key and its connections', async () => {
  const { send, gateway } = await withDrive();
  await gateway.addConnection({ integrationId: 'drive' });
  const outcome = await send('Update', 'Integration', { ...DRIVE, UniqueKey: 'files' }, { ...MADE, old: DRIVE });
  expect(outcome).toMatchObject({ status: 'FAILED', physicalId: 'drive' });
  expect(reasonOf(outcome)).toMatch(/^UniqueKey: cannot be changed while the integration has connections/);
  expect(gateway.connections.size).toBe(1);
});

test('deletes an unused integration, and one with connections only where DeleteConnections says so', async () => {
  const { send, gateway } = await withDrive();
  await gateway.addConnection({ integrationId: 'drive' });
  const refused = await send('Delete', 'Integration', DRIVE, MADE);
  expect(reasonOf(refused)).toMatch(/^DeleteConnections: the integration has connections/);
  expect(gateway.integrations.size).toBe(1);
  const deleted = await send('Delete', 'Integration', { ...DRIVE, DeleteConnections: 'true' }, MADE);
  expect(deleted).toMatchObject({ status: 'SUCCESS' });
  expect(gateway.integrations.size).toBe(0);
  // Again, as CloudFormation may.
  expect(await send('Delete', 'Integration', DRIVE, MADE)).toMatchObject({ status: 'SUCCESS' });
});

test('a create that meets an integration of others fails, and its rollback deletes nothing', async () => {
  const { send, gateway } = declaredStack();
  gateway.addIntegration({ integrationId: 'drive' });
  const outcome = await send('Create', 'Integration', DRIVE);
  expect(reasonOf(outcome)).toMatch(/^UniqueKey: There is already an integration with this unique_key/);
  await send('Delete', 'Integration', DRIVE, { physicalId: outcome.physicalId });
  expect(gateway.integrations.size).toBe(1);
});

test('another stack can neither take, change nor delete an integration', async () => {
  const { send, gateway, show } = await withDrive();
  const other = { stackId: OTHER_STACK_ID };
  expect(reasonOf(await send('Create', 'Integration', DRIVE, other))).toMatch(/^UniqueKey: /);
  const update = await send('Update', 'Integration', { ...DRIVE, Mode: 'live' }, { ...MADE, ...other, old: DRIVE });
  expect(reasonOf(update)).toBe(
    'UniqueKey: The stack shop declares this integration, so another stack cannot change it.',
  );
  expect(await send('Delete', 'Integration', DRIVE, { ...MADE, ...other })).toMatchObject({ status: 'SUCCESS' });
  expect(gateway.integrations.size).toBe(1);
  expect(await show()).toMatchObject({ mode: 'test' });
});

test('a resource that moves to another logical id keeps the integration, forwards and back', async () => {
  const { send, show, gateway } = await withDrive();
  await gateway.addConnection({ integrationId: 'drive' });
  const moved = { resource: 'Declared2' };
  const changed = await send('Create', 'Integration', { ...DRIVE, Mode: 'live' }, moved);
  expect(reasonOf(changed)).toMatch(
    /^UniqueKey: the resource Declared1 of this stack declares drive with other properties/,
  );
  expect(await send('Create', 'Integration', DRIVE, moved)).toMatchObject({ status: 'SUCCESS' });
  // Rollback: the new resource is deleted, the former one never was.
  await send('Delete', 'Integration', DRIVE, { ...MADE, ...moved });
  expect(await show()).toMatchObject({ managed_by: { resources: ['Declared1'] } });
  // Forwards: the former one is deleted after the new one was made.
  await send('Create', 'Integration', DRIVE, moved);
  await send('Delete', 'Integration', DRIVE, MADE);
  expect(await show()).toMatchObject({ managed_by: { resources: ['Declared2'] } });
  expect(gateway.connections.size).toBe(1);
});

test.each([
  [{ ...DRIVE, Scopes: ['no.such.scope'] }, /^Scopes/],
  [{ ...DRIVE, Provider: 'dropbox' }, /^Provider: must be one of/],
  [{ ...DRIVE, Colour: 'red' }, /^Colour: there is no such property/],
  [{ ...DRIVE, ClientSecretArn: 'GOCSPX-in-the-template' }, /^ClientSecretArn: must be the ARN of a secret/],
  [{ ...DRIVE, ClientSecretArn: `${CLIENT_SECRET_ARN}-none` }, /^ClientSecretArn: there is no such secret/],
  [{ ...DRIVE, ClientId: 'x y' }, /^ClientId: /],
  [{ ...DRIVE, UniqueKey: undefined }, /^UniqueKey: is required/],
])('refuses %j with a sentence that begins with the property', async (properties, sentence) => {
  const { send, gateway } = declaredStack();
  const reason = reasonOf(await send('Create', 'Integration', properties));
  expect(reason).toMatch(sentence);
  expect(reason).not.toContain('GOCSPX');
  expect(gateway.integrations.size).toBe(0);
});

test('a provider that changes under the same unique key is refused', async () => {
  const { send } = await withDrive();
  const next = { ...DRIVE, Provider: 'google-calendar', Scopes: ['calendar.readonly'] };
  const outcome = await send('Update', 'Integration', next, { ...MADE, old: DRIVE });
  expect(reasonOf(outcome)).toMatch(/^Provider: drive belongs to google-drive/);
});

test('an integration that was deleted by hand is made again by the next update', async () => {
  const { send, show, gateway } = await withDrive();
  await gateway.call('DELETE', '/integrations/drive?force=true');
  expect(await send('Update', 'Integration', DRIVE, { ...MADE, old: DRIVE })).toMatchObject({ status: 'SUCCESS' });
  expect(await show()).toMatchObject({ managed_by: { stack: 'shop' } });
});

test('a change by hand is refused with the name of the stack unless it is forced', async () => {
  const { gateway } = await withDrive();
  for (const [method, body] of [
    ['PATCH', { display_name: 'Mine' }],
    ['DELETE', undefined],
  ] as const) {
    const refused = await gateway.call(method, '/integrations/drive', { body });
    expect(refused).toMatchObject({ status: 409, code: 'conflict' });
    expect(JSON.stringify(refused.body)).toContain('The stack shop declares this integration');
    expect(await gateway.call(method, '/integrations/drive?force=true', { body })).toMatchObject({ status: 200 });
  }
});

test('a failure of the gateway says where its reason is, and nothing of it', async () => {
  const { send, gateway, lines } = declaredStack();
  gateway.memory.fails = ({ type }) => type === 'integration';
  const outcome = await send('Create', 'Integration', DRIVE);
  expect(reasonOf(outcome)).toMatch(/^UniqueKey: The gateway failed/);
  expect(lines.join()).not.toContain('GOCSPX');
});
