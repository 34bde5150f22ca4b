import { connectAccount } from '../../support/connect.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { connectOfficialClientTo, type OfficialOptions } from '../../support/official-mcp-client.ts';
import { control } from '../../support/simulator.ts';

/** Marked client that the simulator knows. */
export const AGENTS_CLIENT = {
  clientId: '123456789012-agents.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-agents',
};
export const CALENDAR_AGENTS = 'calendar-agents';
/** First part of the paths of Google's Calendar server at the simulator. */
export const CALENDAR_SERVER = '/calendarmcp.googleapis.com';
/** Account that connects. */
export const ANN = 'first.user@example.com';

/** Assistants with an official client at Google's own MCP servers, through the gateway. */
export function googleAgents(gateway: TestGateway) {
  async function agentKey(settings: Record<string, unknown> = {}): Promise<string> {
    const made = await gateway.json('POST', '/account/agents', { name: 'A', end_user_id: 'ann', ...settings });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    if (made.body.data.warnings.length > 0) throw new Error(JSON.stringify(made.body.data.warnings));
    return made.body.data.agent_key;
  }
  return {
    /** Creates an agentic integration, in which Ann connects. @returns the connection's id */
    async connect(
      provider: 'google-calendar' | 'google-drive' = 'google-calendar',
      integration = CALENDAR_AGENTS,
      scopes: readonly string[] = ['calendar.events'],
    ): Promise<string> {
      const { clientId, clientSecret } = AGENTS_CLIENT;
      const redirectUris = [`${gateway.gateway.gatewayUrl}/oauth/callback`];
      await control(gateway, 'POST', '/clients', { clientId, clientSecret, redirectUris, agentic: true });
      const made = await gateway.json('POST', '/integrations', {
        ...{ provider, unique_key: integration, agentic: true, scopes },
        credentials: { type: 'OAUTH2', client_id: clientId, client_secret: clientSecret },
      });
      if (made.status !== 200) throw new Error(JSON.stringify(made.body));
      return connectAccount(gateway, integration, undefined, { end_user: { id: 'ann' } });
    },
    agentKey,
    /** An assistant whose client can show forms unless it is said otherwise. */
    async assistant(
      settings?: Record<string, unknown>,
      options: OfficialOptions = { answer: () => ({ action: 'decline' }) },
    ) {
      const token = await agentKey(settings);
      const client = await connectOfficialClientTo(`${gateway.gateway.gatewayUrl}/mcp`, { token, ...options });
      const callTool = async (name: string, args: Record<string, unknown>) =>
        Object(await client.callTool({ name, arguments: args }));
      return {
        tools: async () => (await client.listTools()).tools,
        names: async () => (await client.listTools()).tools.map(({ name }) => name),
        callTool,
        client,
        call: (name: string, args: Record<string, unknown>) => callTool(`calendar_google_${name}`, args),
      };
    },
  };
}
