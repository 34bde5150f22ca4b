// Finds files of a folder by words of their names: prints what matches each line that you type.
import { createInterface } from 'node:readline';
import { GatewayClient, ProviderError } from '@integration-gateway/client';

const { GATEWAY_BASE_URL, GATEWAY_SECRET_KEY, CONNECTION_ID, FOLDER_ID } = process.env;
const gateway = new GatewayClient({ baseUrl: GATEWAY_BASE_URL, secretKey: GATEWAY_SECRET_KEY });
const connection = { providerConfigKey: 'google-drive', connectionId: CONNECTION_ID };
const params = { supportsAllDrives: true, fields: 'id,name,mimeType,trashed,parents' };
const index = new Map();

let feed = await gateway.feeds.create({ ...connection, resource: `folder:${FOLDER_ID}` });
while (feed.state === 'starting') feed = await gateway.feeds.pull(feed.id);
await addBelow(FOLDER_ID);
console.log(`indexed ${index.size}`);
createInterface({ input: process.stdin }).on('line', (word) => {
  for (const { id, name } of index.values()) if (name.includes(word)) console.log(`found ${id} ${name}`);
});

for await (const { kind, changes } of gateway.feeds.changes(feed.id, { after: feed.lastSequence })) {
  if (kind === 'gap') await addBelow(FOLDER_ID, index.clear());
  for (const change of changes) await apply(change);
}

async function addBelow(folder) {
  const where = {
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
    q: `'${folder}' in parents and trashed = false`,
  };
  const query = { ...params, ...where, fields: `nextPageToken,files(${params.fields})` };
  for await (const file of gateway.items({ ...connection, endpoint: '/drive/v3/files', params: query }))
    await add(file);
}

async function add(file, isMoved = true) {
  const hasBelow = file.mimeType.endsWith('.folder') && (isMoved || !index.has(file.id));
  if (file.id !== FOLDER_ID) index.set(file.id, file);
  if (hasBelow) await addBelow(file.id);
}

async function apply({ id, removed, subtree }) {
  const file = removed ? undefined : await read(id);
  const isBelow = id === FOLDER_ID || file?.parents?.some((parent) => parent === FOLDER_ID || index.has(parent));
  if (file?.trashed === false && isBelow) await add(file, subtree);
  else drop(id);
  console.log(`${id} ${index.get(id)?.name ?? 'is gone'}`);
}

function drop(id) {
  index.delete(id);
  for (const file of index.values()) if (file.parents?.includes(id)) drop(file.id);
}

async function read(id) {
  try {
    return (await gateway.get({ ...connection, endpoint: `/drive/v3/files/${id}`, params })).data;
  } catch (error) {
    if (!(error instanceof ProviderError && error.status === 404)) throw error;
  }
}
