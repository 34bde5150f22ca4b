/**
 * `node google-servers.mjs <package.json of the installed packages>`, with DRIVE_ENDPOINT and TOKEN: the first generation of the official
 * TypeScript client at Google's simulated Drive server. Writes a line of JSON for each check, as google_servers.py does.
 */
import { createRequire } from 'node:module';

const require = createRequire(process.argv[2]);
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');

const check = (name, actual, expected) =>
  console.log(JSON.stringify({ check: name, problem: actual === expected ? null : `${actual} is not ${expected}` }));

async function connect(headers) {
  const client = new Client({ name: 'opinion', version: '1' });
  const address = new URL(process.env.DRIVE_ENDPOINT);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  return client;
}

const stranger = await connect({});
const { tools } = await stranger.listTools();
check('lists tools without a token', tools.length, 8);
const recent = { name: 'list_recent_files', arguments: { pageSize: 3 } };
const refusal = await stranger.callTool(recent).catch((error) => error);
check('is refused without a token', refusal.code, 401);
const user = await connect({ authorization: `Bearer ${process.env.TOKEN}` });
const listed = await user.callTool(recent);
check('lists files with one', listed.structuredContent.files.length, 3);
await Promise.all([stranger.close(), user.close()]);
