// Writes the connections of a Nango account to connections.jsonl, and those without a working refresh token to rest.jsonl (docs/from-nango.md).
import { writeFileSync } from 'node:fs';

const { NANGO_HOST = 'https://api.nango.dev', NANGO_SECRET_KEY } = process.env;
const headers = { authorization: `Bearer ${NANGO_SECRET_KEY}` };
const moved = [];
const rest = [];

for (let page = 0, found = 1; found > 0; page++) {
  const { connections } = await read(`/connections?limit=100&page=${page}`);
  found = connections.length;
  for (const listed of connections) {
    const { connection_id: id, provider_config_key: key } = listed;
    const query = new URLSearchParams({ provider_config_key: key, refresh_token: 'true' });
    const connection = await read(`/connections/${encodeURIComponent(id)}?${query}`);
    if (connection?.credentials?.refresh_token) moved.push(connection);
    else rest.push(listed);
  }
}
for (const [file, lines] of Object.entries({ 'connections.jsonl': moved, 'rest.jsonl': rest })) {
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  console.log(`${file}: ${lines.length}`);
}

/** Undefined for a connection that Nango cannot refresh (400, 424) or does not have any more (404). */
async function read(path) {
  for (;;) {
    const answer = await fetch(NANGO_HOST + path, { headers });
    if (answer.ok) return answer.json();
    if ([400, 404, 424].includes(answer.status) && path.startsWith('/connections/')) return undefined;
    if (answer.status !== 429 && answer.status < 500) throw new Error(`Nango: ${answer.status} ${await answer.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('retry-after') ?? 5)));
  }
}
