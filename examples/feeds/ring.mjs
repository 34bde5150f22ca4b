// Prints a line ten minutes before each meeting. It survives restarts.
import { GatewayClient } from '@integration-gateway/client';

const { GATEWAY_BASE_URL, GATEWAY_SECRET_KEY, CONNECTION_ID } = process.env;
const gateway = new GatewayClient({ baseUrl: GATEWAY_BASE_URL, secretKey: GATEWAY_SECRET_KEY });
const connection = { providerConfigKey: 'google-calendar', connectionId: CONNECTION_ID };
const reminders = [10];

const feed = await gateway.feeds.create({ ...connection, resource: 'calendar:primary', reminders });
// A feed that was there keeps its settings.
await gateway.feeds.update(feed.id, { reminders });
const { lastSequence, cursors } = await gateway.feeds.get(feed.id);
if (!cursors.some(({ name }) => name === 'ring')) await gateway.feeds.moveCursor(feed.id, 'ring', lastSequence);
console.log('waiting for meetings');

for await (const { kind, changes } of gateway.feeds.changes(feed.id, { cursor: 'ring' })) {
  if (kind !== 'starts') continue;
  for (const { id, time } of changes) await ring(id, time);
}

async function ring(id, time) {
  const endpoint = `/calendar/v3/calendars/primary/events/${id}?fields=summary`;
  const { data } = await gateway.get({ ...connection, endpoint });
  const minutes = Math.round((Date.parse(time) - Date.now()) / 60_000);
  console.log(`"${data.summary}" starts in ${minutes} minutes`);
}
