import { fieldsOf, recordList, text } from '../../http/fields.ts';
import type { CreateOptions, Manage } from '../../management/manage.ts';
import { limitsBody, readSecretKey } from '../../management/read-secret-key.ts';
import type { CreatedAgent, NewAgent } from './agent-types.ts';

/** Methods for keys of assistants. */
export interface AgentKeys {
  /**
   * Makes a key for an assistant, which calls tools at `mcpUrl` with it. Its text is in the answer and nowhere else. It is listed, limited
   * and revoked with the keys.
   *
   * @throws GatewayError `invalid_body` for an end user without connections, or with several of one provider
   *
   * @example
   * const { agentKey, mcpUrl } = await client.keys.createAgent({ name: 'Assistant', endUserId: 'user-42' });
   */
  createAgent(agent: NewAgent, options?: CreateOptions): Promise<CreatedAgent>;
}

/** They belong to `client.keys`, because such a key is listed, limited and revoked with the others. */
export const keys = (manage: Manage): AgentKeys => ({
  async createAgent(agent, options) {
    const body = {
      name: agent.name,
      end_user_id: agent.endUserId,
      integrations: agent.integrations,
      connections: agent.connections?.map(({ integrationId, connectionId }) => {
        return { integration_id: integrationId, connection_id: connectionId };
      }),
      tools: agent.tools,
      limits: agent.limits === undefined ? undefined : limitsBody(agent.limits),
    };
    const data = fieldsOf((await manage('createAgent', { body, options })).data, 'data');
    return {
      ...readSecretKey(data),
      agentKey: text(data, 'agent_key'),
      mcpUrl: text(data, 'mcp_url'),
      warnings: recordList(data, 'warnings').map((warning) => text(warning, 'message')),
    };
  },
});
