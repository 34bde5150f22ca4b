import { GatewayError } from '../../gateway/core/errors.ts';

/** Google's quota overview, on or after 24 November 2026; read on 28 November 2026 (GA-1, GA-21). */
const RULE =
  'Google’s rules since 24 November 2026 name “requiring MCP when AI agents obtain data from Google Workspace APIs”';

/** The warning for creators of agent keys, repeated by readiness. Rules that Google has not published stay unknown. */
export const AGENTS_OVER_REST_WARNING = `${RULE}. The tools at /mcp call the REST APIs with an ordinary OAuth client. Whether that satisfies the rule is not known. See docs/agents.md, “What Google asks of agents”.`;

/** Refuses agents on ordinary OAuth clients where the deployment forbids them. @throws GatewayError `forbidden` */
export function refuseAgentsOverRest(agentsOverRest: 'allow' | 'refuse'): void {
  if (agentsOverRest === 'allow') return;
  throw new GatewayError(
    'forbidden',
    `This deployment serves no assistants over the REST APIs (gateway:agentsOverRest). ${RULE}.`,
  );
}
