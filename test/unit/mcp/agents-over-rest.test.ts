import { describe, expect, test } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { storedAgent } from '../../../lambdas/features/agents/agent.rules.ts';
import { AgentDirectory } from '../../../lambdas/features/agents/authenticate-agent.ts';
import { risks as risksOf } from '../../../lambdas/features/agents/risks.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { secretKeyRecord } from '../support/secret-key.ts';

const KEY = `ak_default_${'A'.repeat(43)}`;
const record = secretKeyRecord({
  accountId: 'default',
  keyHash: sha256Hex(KEY),
  agent: storedAgent({ connections: [{ integrationId: 'google-drive', connectionId: 'c1' }] }),
  limits: {},
});

function directory(agentsOverRest: 'allow' | 'refuse', agentic?: true) {
  return new AgentDirectory({
    callers: { load: async () => fake({ key: record }) },
    gate: fake({ countKey: () => {} }),
    clock: { nowMs: () => 0 },
    tokens: undefined,
    agentsOverRest,
    integrations: { get: async () => fake({ agentic: agentic ?? false }) },
  });
}
const as = (key: string) =>
  fake<Parameters<AgentDirectory['resolve']>[0]>({ headers: [['authorization', `Bearer ${key}`]] });

describe('an assistant over the REST APIs', () => {
  test('GA-21: an assistant over the REST APIs is served unless the deployment refuses it, also with a key from before', async () => {
    expect(await directory('allow').resolve(as(KEY))).toMatchObject({ connections: [{ connectionId: 'c1' }] });
    await expect(directory('refuse').resolve(as(KEY))).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('GA-20, GA-21: an assistant over the REST APIs is served with the connections of agentic integrations where the deployment refuses REST', async () => {
    expect(await directory('refuse', true).resolve(as(KEY))).toMatchObject({ connections: [{ connectionId: 'c1' }] });
  });

  test('GA-21: learns nothing of the option with a wrong key', async () => {
    await expect(directory('refuse').resolve(as('ak_wrong'))).rejects.toMatchObject({ code: 'invalid_secret_key' });
  });
});

describe('the readiness of an integration', () => {
  const risks = (integrationId: string, signedIn: readonly string[] = []) =>
    risksOf(
      {
        secretKeys: fake({ list: async () => [record] }),
        without: new Set(),
        forFeatures: fake({
          config: { setting: () => (signedIn.length === 0 ? '' : JSON.stringify({ integrations: signedIn })) },
        }),
      },
      { accountId: 'default', integrationId },
    );

  test('GA-21: quotes Google’s rule where an assistant uses the integration by a key or by signing in', async () => {
    expect(await risks('google-drive')).toEqual([expect.stringContaining('requiring MCP when AI agents')]);
    expect(await risks('google-calendar')).toEqual([]);
    expect(await risks('google-calendar', ['google-calendar'])).toHaveLength(1);
  });
});
