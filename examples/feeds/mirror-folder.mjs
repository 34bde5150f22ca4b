// Keeps a copy of the files in a folder by id, as docs/changes.md explains. It survives restarts.
import { GatewayClient, ProviderError } from '@integration-gateway/client';

const { GATEWAY_BASE_URL, GATEWAY_SECRET_KEY, CONNECTION_ID, FOLDER_ID } = process.env;
const gateway = new GatewayClient({ baseUrl: GATEWAY_BASE_URL, secretKey: GATEWAY_SECRET_KEY });
const connection = { providerConfigKey: 'google-drive', connectionId: CONNECTION_ID };
const fields = 'id,name,trashed,parents';
const copy = new Map();

const { id } = await gateway.feeds.create({ ...connection, resource: 'drive' });
await listAll();

for await (const batch of gateway.feeds.changes(id, { cursor: 'mirror' })) {
  if (batch.kind === 'gap') await listAll();
  for (const change of batch.changes) await apply(change);
}

async function listAll() {
  copy.clear();
  const where = { corpora: 'allDrives', includeItemsFromAllDrives: true, supportsAllDrives: true };
  const params = {
    ...where,
    q: `'${FOLDER_ID}' in parents and trashed = false`,
    fields: `nextPageToken,files(${fields})`,
  };
  for await (const file of gateway.items({ ...connection, endpoint: '/drive/v3/files', params }))
    copy.set(file.id, file.name);
  console.log(`listed ${copy.size}`);
}

async function apply({ id, removed }) {
  const file = removed ? undefined : await read(`/drive/v3/files/${id}?supportsAllDrives=true&fields=${fields}`);
  if (file?.trashed === false && file.parents?.includes(FOLDER_ID)) copy.set(id, file.name);
  else copy.delete(id);
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
