// Sends each connection of the gateway to Nango, with its tokens (docs/from-nango.md).
import { GatewayClient } from '@integration-gateway/client';

const { NANGO_HOST = 'https://api.nango.dev', NANGO_SECRET_KEY } = process.env;
const headers = { authorization: `Bearer ${NANGO_SECRET_KEY}`, 'content-type': 'application/json' };
const gateway = new GatewayClient();

for await (const listed of gateway.connections.all({ status: 'active' })) {
  const { credentials, endUser, tags, metadata } = await gateway.connections.get(listed, { refreshToken: true });
  const body = JSON.stringify({
    provider_config_key: listed.providerConfigKey,
    connection_id: listed.connectionId,
    credentials: {
      type: 'OAUTH2',
      access_token: credentials.accessToken,
      refresh_token: credentials.refreshToken,
      expires_at: credentials.expiresAt,
    },
    end_user: endUser && { id: endUser.id, email: endUser.email, display_name: endUser.displayName },
    tags,
    metadata,
  });
  await send(listed.connectionId, body);
}

async function send(id, body) {
  const answer = await fetch(`${NANGO_HOST}/connections`, { method: 'POST', headers, body });
  if (answer.status === 429) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('retry-after') ?? 5)));
    return send(id, body);
  }
  console.log(`${id}: ${answer.ok ? 'moved' : `${answer.status} ${await answer.text()}`}`);
}
