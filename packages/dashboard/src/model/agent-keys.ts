import type { AgentBinding, SecretKey } from '../gateway/library.ts';

/** Whether a key is an agent's: an assistant's, or one whose writes wait for approval or can be undone. */
export function isOfAgent({ agent, limits }: Pick<SecretKey, 'agent' | 'limits'>): boolean {
  return agent !== undefined || limits?.journal !== undefined || limits?.approve !== undefined;
}

/** An assistant's key in a few words. */
export function agentInWords({ endUserId, connections }: AgentBinding): string {
  const integrations = connections.map(({ integrationId }) => integrationId).join(', ');
  return `Assistant${endUserId === undefined ? '' : ` of ${endUserId}`} with ${integrations}`;
}
