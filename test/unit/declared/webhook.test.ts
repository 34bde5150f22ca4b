import { expect, test } from 'vitest';
import { NOTHING_MADE } from '../../../lambdas/declared/event.ts';
import { declaredStack, OTHER_STACK_ID, reasonOf, SIGNING_SECRET_ARN } from './declared-stack.ts';

const CRM = {
  Url: 'https://crm.example.com/gateway',
  Events: ['ConnectionReauthorizationRequired'],
  SigningSecretArn: SIGNING_SECRET_ARN,
};

/** A stack whose endpoint answers its first tests with these statuses. */
function withEndpoint(...statuses: readonly number[]) {
  const stack = declaredStack();
  stack.secrets.set(SIGNING_SECRET_ARN, 'random first value of Secrets Manager');
  stack.gateway.provider.answers.push(...statuses.map((status) => ({ status, body: {} })));
  const webhooks = async () => {
    const { body } = await stack.gateway.call('GET', '/webhooks');
    return Object(body).data;
  };
  return { ...stack, webhooks };
}

test('a stack creates a webhook that has proved itself, and its signing secret is in the secret of the stack alone', async () => {
  const { send, webhooks, secrets, lines } = withEndpoint(204);
  const made = await send('Create', 'Webhook', CRM);
  expect(made).toMatchObject({ status: 'SUCCESS', physicalId: expect.stringMatching(/^wh_/) });
  expect(await webhooks()).toMatchObject([
    { id: made.physicalId, url: CRM.Url, types: CRM.Events, status: 'enabled', managed_by: { stack: 'shop' } },
  ]);
  expect(secrets.get(SIGNING_SECRET_ARN)).toMatch(/^whsec_/);
  expect(lines.join()).not.toContain('whsec_');
});

test('an endpoint that does not answer fails the create, with what it answered, and leaves no webhook', async () => {
  const { send, webhooks } = withEndpoint(503);
  const outcome = await send('Create', 'Webhook', CRM);
  expect(reasonOf(outcome)).toMatch(/^Url: The endpoint could not be verified: it answered 503/);
  expect(await webhooks()).toEqual([]);
  expect(await send('Delete', 'Webhook', CRM, { physicalId: outcome.physicalId })).toMatchObject({ status: 'SUCCESS' });
});

test('a secret that the function may not write fails the create and leaves no webhook', async () => {
  const { send, webhooks, secrets } = withEndpoint();
  secrets.delete(SIGNING_SECRET_ARN);
  expect(reasonOf(await send('Create', 'Webhook', CRM))).toMatch(/^SigningSecretArn: .*PutSecretValue/);
  expect(await webhooks()).toEqual([]);
});

test('a repeated create finds its webhook and stores a secret that signs', async () => {
  const { send, webhooks, secrets } = withEndpoint(204);
  const made = await send('Create', 'Webhook', CRM);
  const first = secrets.get(SIGNING_SECRET_ARN);
  expect(await send('Create', 'Webhook', CRM)).toMatchObject({ status: 'SUCCESS', physicalId: made.physicalId });
  expect(await webhooks()).toHaveLength(1);
  expect(secrets.get(SIGNING_SECRET_ARN)).not.toBe(first);
});

test('filters change in place, and the rollback restores them', async () => {
  const { send, webhooks, secrets } = withEndpoint(204);
  const { physicalId } = await send('Create', 'Webhook', CRM);
  const held = secrets.get(SIGNING_SECRET_ARN);
  const next = { ...CRM, Events: undefined, Description: 'All of it' };
  expect(await send('Update', 'Webhook', next, { physicalId, old: CRM })).toMatchObject({ physicalId });
  expect(await webhooks()).toMatchObject([{ types: null, description: 'All of it' }]);
  await send('Update', 'Webhook', CRM, { physicalId, old: next });
  expect(await webhooks()).toMatchObject([{ types: CRM.Events, description: null, status: 'enabled' }]);
  expect(secrets.get(SIGNING_SECRET_ARN)).toBe(held);
});

test('another address replaces the webhook: one that fails leaves the former at work, and a rollback returns to it', async () => {
  const { send, webhooks } = withEndpoint(204, 500, 204);
  const { physicalId: former } = await send('Create', 'Webhook', CRM);
  const next = { ...CRM, Url: 'https://crm.example.com/v2' };
  const failed = await send('Update', 'Webhook', next, { physicalId: former, old: CRM });
  expect(failed).toMatchObject({ status: 'FAILED', physicalId: former });
  expect(await webhooks()).toMatchObject([{ id: former, status: 'enabled' }]);
  const replaced = await send('Update', 'Webhook', next, { physicalId: former, old: CRM });
  expect(replaced.physicalId).not.toBe(former);
  const back = await send('Update', 'Webhook', CRM, { physicalId: replaced.physicalId, old: next });
  expect(back).toMatchObject({ status: 'SUCCESS', physicalId: former });
  await send('Delete', 'Webhook', next, { physicalId: replaced.physicalId });
  expect(await webhooks()).toMatchObject([{ id: former, status: 'enabled' }]);
});

test('another address that fails its test leaves the signing secret of the former webhook in the secret of the stack', async () => {
  const { send, secrets } = withEndpoint(204, 500);
  const { physicalId } = await send('Create', 'Webhook', CRM);
  const held = secrets.get(SIGNING_SECRET_ARN);
  const next = { ...CRM, Url: 'https://crm.example.com/v2' };
  expect(await send('Update', 'Webhook', next, { physicalId, old: CRM })).toMatchObject({ status: 'FAILED' });
  expect(secrets.get(SIGNING_SECRET_ARN)).toBe(held);
  expect(await send('Update', 'Webhook', CRM, { physicalId, old: next })).toMatchObject({ physicalId });
  expect(secrets.get(SIGNING_SECRET_ARN)).toBe(held);
});

test('the rollback of another address whose answer was lost deletes its webhook and stores a secret that signs', async () => {
  const { send, webhooks, secrets } = withEndpoint(204, 204);
  const { physicalId } = await send('Create', 'Webhook', CRM);
  const next = { ...CRM, Url: 'https://crm.example.com/v2' };
  // CloudFormation did not receive the answer, so the resource keeps its physical id.
  await send('Update', 'Webhook', next, { physicalId, old: CRM });
  const ofNext = secrets.get(SIGNING_SECRET_ARN);
  for (let time = 0; time < 2; time++) {
    const rolledBack = await send('Update', 'Webhook', CRM, { physicalId, old: next });
    expect(rolledBack).toMatchObject({ status: 'SUCCESS', physicalId });
    expect(await webhooks()).toMatchObject([{ id: physicalId, status: 'enabled' }]);
  }
  expect(secrets.get(SIGNING_SECRET_ARN)).not.toBe(ofNext);
  expect(secrets.get(SIGNING_SECRET_ARN)).toMatch(/^whsec_/);
});

test('with Verify false a webhook waits for its endpoint, and another stack can do nothing to it', async () => {
  const { send, webhooks } = withEndpoint();
  const { physicalId } = await send('Create', 'Webhook', { ...CRM, Verify: 'false' });
  expect(await webhooks()).toMatchObject([{ status: 'unproven' }]);
  await send('Delete', 'Webhook', CRM, { physicalId, stackId: OTHER_STACK_ID });
  expect(await webhooks()).toHaveLength(1);
  await send('Delete', 'Webhook', CRM, { physicalId });
  expect(await webhooks()).toEqual([]);
});

test.each([
  [{ ...CRM, Url: 'http://crm.example.com/' }, /^Url: /],
  [{ ...CRM, Events: ['NoSuchEvent'] }, /^Events\[0\]: there is no event/],
  [{ ...CRM, SigningSecretArn: undefined }, /^SigningSecretArn: is required/],
])('refuses %j with a sentence that begins with the property', async (properties, sentence) => {
  const { send, webhooks } = withEndpoint();
  expect(reasonOf(await send('Create', 'Webhook', properties))).toMatch(sentence);
  expect(await webhooks()).toEqual([]);
});

test('a webhook that a stack declares is changed by hand only where that is forced', async () => {
  const { send, gateway } = withEndpoint();
  const { physicalId } = await send('Create', 'Webhook', { ...CRM, Verify: false });
  const body = { types: null };
  const refused = await gateway.call('PATCH', `/webhooks/${physicalId}`, { body });
  expect(refused).toMatchObject({ status: 409 });
  expect(await gateway.call('DELETE', `/webhooks/${physicalId}`)).toMatchObject({ status: 409 });
  expect(await gateway.call('PATCH', `/webhooks/${physicalId}?force=true`, { body })).toMatchObject({ status: 200 });
  expect(await gateway.call('DELETE', `/webhooks/${physicalId}?force=true`)).toMatchObject({ status: 200 });
});

test('a stack can go though the gateway was deployed without webhooks in the meantime', async () => {
  const { send } = declaredStack({ without: new Set(['webhooks']) });
  expect(await send('Create', 'Webhook', CRM)).toMatchObject({ status: 'FAILED' });
  for (const physicalId of ['whk_1', NOTHING_MADE])
    expect(await send('Delete', 'Webhook', CRM, { physicalId })).toMatchObject({ status: 'SUCCESS' });
});
