/** A deployment that serves no assistants over the REST APIs. */
import { expect, test } from 'vitest';
import { useTestGateway } from '../../support/use-gateway.ts';

const gateway = useTestGateway({ environmentOverrides: { AGENTS_OVER_REST: 'refuse' } });

test('GA-21: with agentsOverRest refuse, no agent key is created', async () => {
  const made = await gateway.json('POST', '/account/agents', { name: 'Assistant', end_user_id: 'first-user' });
  expect(made).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(made.body.error.message).toContain('gateway:agentsOverRest');
});
