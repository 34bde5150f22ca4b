// @module-tag long
/** Google's simulated MCP servers, as the local gateway is set up for them. */
import { expect, test } from 'vitest';
import { connectAccount } from '../support/connect.ts';
import { connectOfficialClientTo } from '../support/official-mcp-client.ts';
import { control } from '../support/simulator.ts';
import { useTestGateway } from '../support/use-gateway.ts';

const gateway = useTestGateway();

test('GA-27: the OAuth client of an agentic integration is marked as an agent’s at the simulator, and that of an ordinary one is not', async () => {
  const made = async (name: string, agentic: boolean) => {
    const [client_id, client_secret] = [`123456789012-${name}.apps.googleusercontent.com`, `GOCSPX-${name}`];
    const answer = await gateway.json('POST', '/integrations', {
      ...{ provider: 'google-drive', unique_key: name, agentic, scopes: ['drive.readonly'] },
      credentials: { type: 'OAUTH2', client_id, client_secret },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await connectAccount(gateway, name);
    const { access_token: token } = Object(
      await control(gateway, 'POST', '/tokens', {
        ...{ account: 'first.user@example.com', clientId: client_id },
        scopes: ['https://www.googleapis.com/auth/drive.readonly'],
      }),
    );
    const address = gateway.gateway.simulator?.endpoints.drive_mcp_endpoint ?? '';
    const client = await connectOfficialClientTo(address, { token });
    try {
      return await client.callTool({ name: 'list_recent_files', arguments: { pageSize: 1 } });
    } finally {
      await client.close();
    }
  };
  expect(await made('agents', true)).toMatchObject({ structuredContent: { files: [{}] } });
  await expect(made('people', false)).rejects.toThrow('403');
});
