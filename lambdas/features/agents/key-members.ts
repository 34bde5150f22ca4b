import type { SecretKeyRecord, StoredBinding } from '../../gateway/keys/credentials.rules.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { readAgentBinding } from './agent.rules.ts';
import type { agentAnswer } from './described-key.ts';

/** The member `agent` of a secret key in a response. */
export function keyMembers({ agent }: SecretKeyRecord) {
  return { agent: agentOnTheWire(agent) };
}

/** A binding in the API's spelling; one of an unknown form grants nothing, and is shown as such. */
function agentOnTheWire(stored: StoredBinding | undefined): AnswerOf<typeof agentAnswer> | null {
  if (stored === undefined) return null;
  const { endUserId: id, connections = [], tools } = readAgentBinding(stored) ?? {};
  return {
    end_user_id: id ?? null,
    connections: connections.map(({ integrationId: integration_id, connectionId: connection_id }) => {
      return { integration_id, connection_id };
    }),
    tools: tools === undefined ? null : [...tools],
  };
}
