/**
 * `node clients.mjs <package.json of the installed packages> <address of /mcp>`, the agent's key in AGENT_KEY: both official clients list the
 * tools, read and create a file, and fail to delete an event, in each of their modes. Writes what each has seen as a line of JSON.
 */
import { createRequire } from 'node:module';

const [manifest, address] = process.argv.slice(2);
const require = createRequire(manifest);
const headers = { authorization: `Bearer ${process.env.AGENT_KEY}` };

const first = () => {
  const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const client = new Client({ name: 'opinion', version: '1' });
  return { client, transport: new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }) };
};

const second = (mode) => () => {
  const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
  const client = new Client({ name: 'opinion', version: '1' }, { versionNegotiation: { mode } });
  return { client, transport: new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }) };
};

const MODES = {
  'sdk 1': first,
  'client 2, legacy': second('legacy'),
  'client 2, auto': second('auto'),
  'client 2, modern': second({ pin: '2026-07-28' }),
};

for (const [name, open] of Object.entries(MODES)) {
  const { client, transport } = open();
  await client.connect(transport);
  const { tools } = await client.listTools();
  const call = (tool, args) => client.callTool({ name: tool, arguments: args });
  const made = await call('drive_create_file', { name: `by ${name}`, kind: 'text', content: `written by ${name}` });
  const read = await call('drive_read_file_content', { file_id: made.structuredContent.id });
  const refused = await call('drive_get_file_metadata', { file_id: 'nothing' });
  const removal = await call('calendar_delete_event', { event_id: 'any' }).catch((error) => ({ code: error.code }));
  console.log(
    JSON.stringify({
      name,
      server: client.getServerVersion()?.name,
      tools: tools.map((tool) => tool.name),
      read: read.content.at(-1).text,
      refused: [refused.isError, refused.structuredContent.code],
      removal: removal.code,
    }),
  );
  await client.close();
}
