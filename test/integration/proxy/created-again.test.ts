import { expect, test } from 'vitest';
import { useTestGateway } from '../../support/use-gateway.ts';
import { refreshTokenOf } from '../api/keys.ts';

const PROCESSES = 3;
const gateway = useTestGateway({ maxChildrenPerFunction: PROCESSES });
const ID = 'customer-7';

/** Statuses of calls at the same time: as many as it takes for all processes to answer some. */
async function calls(): Promise<Set<number>> {
  const one = () => gateway.proxyAs('google-drive', ID, '/drive/v3/about?fields=user');
  const answers = await Promise.all(Array.from({ length: 4 * PROCESSES }, one));
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return new Set(answers.map(({ status }) => status));
}

test('a connection that is deleted and imported again under the same id works at once in all processes', async () => {
  const refresh_token = await refreshTokenOf(gateway, 'google-drive');
  const credentials = { type: 'OAUTH2', refresh_token };
  const imported = { provider_config_key: 'google-drive', connection_id: ID, credentials };
  const create = () => gateway.json('POST', '/connections', imported);
  expect((await create()).status).toBe(201);
  expect((await gateway.json('DELETE', `/connections/${ID}?provider_config_key=google-drive`)).status).toBe(200);
  expect(await calls(), 'all processes have read the deleted row').toEqual(new Set([404]));
  expect((await create()).status).toBe(201);
  expect(await calls()).toEqual(new Set([200]));
});
