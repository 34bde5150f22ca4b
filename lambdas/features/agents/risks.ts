import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { Services } from '../../management/services.ts';
import { readAgentBinding } from './agent.rules.ts';
import { feature } from './feature.ts';
import { AGENTS_OVER_REST_WARNING } from './over-rest.rules.ts';
import { signInOf } from './settings.rules.ts';

/** Repeats Google's rule for agents where an assistant uses the integration, with a key or by sign-in (GA-21). */
export async function risks(
  {
    secretKeys,
    forFeatures,
    without,
  }: Pick<Services, 'secretKeys' | 'without'> & { readonly forFeatures: Pick<Services['forFeatures'], 'config'> },
  { accountId, integrationId, agentic }: Pick<Integration, 'accountId' | 'integrationId' | 'agentic'>,
): Promise<readonly string[]> {
  if (agentic === true || without.has(feature.id)) return [];
  if (signInOf(forFeatures.config)?.integrations.includes(integrationId) === true) return [AGENTS_OVER_REST_WARNING];
  const keys = await secretKeys.list(accountId);
  const isUsed = keys.some(
    ({ agent }) =>
      agent !== undefined && readAgentBinding(agent)?.connections.some((one) => one.integrationId === integrationId),
  );
  return isUsed ? [AGENTS_OVER_REST_WARNING] : [];
}
