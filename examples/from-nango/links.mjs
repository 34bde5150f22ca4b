// Prints a connect link for each user of rest.jsonl (docs/from-nango.md).
import { readFileSync } from 'node:fs';
import { GatewayClient } from '@integration-gateway/client';

const gateway = new GatewayClient();
for (const line of readFileSync('rest.jsonl', 'utf8').split('\n').filter(Boolean)) {
  const { end_user: user, provider_config_key: key, connection_id: id } = JSON.parse(line);
  const endUser = { id: user?.id ?? id, ...(user?.email ? { email: user.email } : {}) };
  const { connectLink } = await gateway.connectSessions.create({ endUser, allowedIntegrations: [key] });
  console.log(endUser.id, connectLink);
}
