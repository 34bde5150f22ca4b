// @module-tag long
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import type { TableCall } from '../../support/table-recorder.ts';
import { useRecordedGateway } from '../../support/use-gateway.ts';
import { refreshTokenOf } from './keys.ts';

/** Ids that mean something in an expression: reserved words, placeholders, functions, whole clauses. */
const HOSTILE: readonly (readonly [integrationId: string, connectionId: string])[] = [
  ['SELECT', 'status'],
  ['NAME', 'Size'],
  [':active', ':epoch'],
  ['attribute_exists', 'attribute_exists[pk]'],
  [':account AND pk', 'SET epoch = :one REMOVE pk'],
  ['pk:sk', '| = :a || :b = :a'],
  ['@status', '[0].=+~ AND x'],
];

const gateway = useRecordedGateway();
let refreshToken: string;
beforeAll(async () => {
  refreshToken = await refreshTokenOf(gateway, 'google-drive');
});

/** Every expression of some calls, sorted, each once. */
function expressions(calls: readonly TableCall[]): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [name, member] of Object.entries(Object(value))) {
      if (name.endsWith('Expression') && typeof member === 'string') found.add(member);
      else if (typeof member === 'object' && member !== null) visit(member);
    }
  };
  for (const { request } of calls) visit(request);
  return [...found].sort();
}

/** Everything the API does with an integration and a connection of these names; the expressions it took. */
async function walk(integrationId: string, connectionId: string): Promise<string[]> {
  const before = gateway.recorder.calls.length;
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await gateway.json(method, path, body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const part = encodeURIComponent;
  const of = `?provider_config_key=${part(integrationId)}`;
  const one = `/connections/${part(connectionId)}`;
  await ask('POST', '/integrations/quickstart', { provider: 'google-drive', unique_key: integrationId });
  await ask('PATCH', `/integrations/${part(integrationId)}`, { display_name: connectionId });
  await ask('POST', '/connections', {
    provider_config_key: integrationId,
    connection_id: connectionId,
    credentials: { type: 'OAUTH2', refresh_token: refreshToken },
    end_user: { id: connectionId, tags: { status: connectionId } },
    tags: { size: connectionId },
  });
  expect(await ask('GET', one + of)).toMatchObject({ connection_id: connectionId });
  for (const query of [
    `connectionId=${part(connectionId)}`,
    `search=${part(connectionId)}`,
    `endUserId=${part(connectionId)}&integrationId=${part(integrationId)}`,
    `tags[size]=${part(connectionId)}`,
  ]) {
    const { connections } = jsonAt(await ask('GET', `/connections?${query}`));
    expect(connections, query).toEqual([expect.objectContaining({ connection_id: connectionId })]);
  }
  await ask('PATCH', one + of, { tags: { name: 'blue' } });
  await ask('POST', '/connections/metadata', {
    provider_config_key: integrationId,
    connection_id: connectionId,
    metadata: { [connectionId]: integrationId },
  });
  await ask('POST', `${one}/refresh${of}`);
  const proxied = await gateway.proxyAs(integrationId, connectionId, '/drive/v3/files?pageSize=1');
  expect(proxied.status).toBe(200);
  expect(jsonAt(await ask('GET', `${one}/events${of}`)).events).not.toEqual([]);
  await ask('DELETE', one + of);
  await ask('DELETE', `/integrations/${part(integrationId)}`);
  // Counts of calls are reported once in a while, so whether one comes in between depends on how long this takes.
  const own = gateway.recorder.calls.slice(before).filter(({ request }) => !JSON.stringify(request).includes('CALLS#'));
  // A search asks for each of its words in each of its forms, by placeholders that count them.
  const word = /\((?:(?: OR )?contains\(entries, :word\d+_\d+\))+\)(?: AND )?/g;
  return [...new Set(expressions(own).map((text) => text.replaceAll(word, 'word ').replace(/^(word )+$/, 'words')))];
}

describe('ids that are also expressions', () => {
  let plain: string[];
  beforeAll(async () => {
    plain = await walk('plain', 'one');
  });

  test.each(HOSTILE)(
    'AK-11: integration %j and connection %j take the expressions of any other, and mean themselves',
    async (integrationId, connectionId) => {
      expect(plain.length).toBeGreaterThan(15);
      const taken = await walk(integrationId, connectionId);
      // A warm process may save a read; it never asks anything else.
      expect(taken.filter((expression) => !plain.includes(expression))).toEqual([]);
      expect(taken.length).toBeGreaterThan(15);
    },
  );

  test.each(['#status', 'a#b', 'pk/sk', 'a\u0000b', "'1'='1'", '{pk}', '%'])('AK-11: %j is no id', async (id) => {
    const made = await gateway.json('POST', '/integrations/quickstart', { provider: 'google-drive', unique_key: id });
    expect(made.status).toBe(400);
    const credentials = { type: 'OAUTH2', refresh_token: refreshToken };
    const body = { provider_config_key: 'google-drive', connection_id: id, credentials };
    expect((await gateway.json('POST', '/connections', body)).status).toBe(400);
  });
});
