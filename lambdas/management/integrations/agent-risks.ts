import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { readAgentBinding } from '../../gateway/keys/agent.rules.ts';
import { AGENTS_OVER_REST_WARNING } from '../../gateway/keys/agents-over-rest.rules.ts';
import type { Services } from '../services.ts';

/** Repeats Google's rule for agents where an assistant uses the integration, with a key or by sign-in (GA-21). */
export async function agentRisks(
  { secretKeys, agentSignIn }: Pick<Services, 'secretKeys' | 'agentSignIn'>,
  { accountId, integrationId, agentic }: Pick<Integration, 'accountId' | 'integrationId' | 'agentic'>,
): Promise<string[]> {
  if (agentic === true) return [];
  if (agentSignIn?.integrations.includes(integrationId) === true) return [AGENTS_OVER_REST_WARNING];
  const keys = await secretKeys.list(accountId);
  const isUsed = keys.some(
    ({ agent }) =>
      agent !== undefined && readAgentBinding(agent)?.connections.some((one) => one.integrationId === integrationId),
  );
  return isUsed ? [AGENTS_OVER_REST_WARNING] : [];
}
