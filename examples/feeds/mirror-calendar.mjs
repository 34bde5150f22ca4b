// Keeps a copy of a calendar's events by id, as docs/changes.md explains. It survives restarts.
import { GatewayClient, ProviderError } from '@integration-gateway/client';

const { GATEWAY_BASE_URL, GATEWAY_SECRET_KEY, CONNECTION_ID } = process.env;
const gateway = new GatewayClient({ baseUrl: GATEWAY_BASE_URL, secretKey: GATEWAY_SECRET_KEY });
const connection = { providerConfigKey: 'google-calendar', connectionId: CONNECTION_ID };
const events = '/calendar/v3/calendars/primary/events';
const copy = new Map();

const { id } = await gateway.feeds.create({ ...connection, resource: 'calendar:primary' });
await listAll();

for await (const batch of gateway.feeds.changes(id, { cursor: 'mirror' })) {
  if (batch.kind === 'gap') await listAll();
  for (const change of batch.changes) await apply(change);
}

async function listAll() {
  copy.clear();
  const params = { fields: 'nextPageToken,items(id,summary)' };
  for await (const event of gateway.items({ ...connection, endpoint: events, params }))
    copy.set(event.id, event.summary);
  console.log(`listed ${copy.size}`);
}

async function apply({ id, removed }) {
  const event = removed ? undefined : await read(`${events}/${id}?fields=status,summary`);
  if (event === undefined || event.status === 'cancelled') copy.delete(id);
  else copy.set(id, event.summary);
  console.log(`${id} ${copy.get(id) ?? 'is gone'}`);
}

async function read(endpoint) {
  try {
    return (await gateway.get({ ...connection, endpoint })).data;
  } catch (error) {
    if (error instanceof ProviderError && [404, 410].includes(error.status)) return undefined;
    throw error;
  }
}
