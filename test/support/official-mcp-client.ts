import { createRequire } from 'node:module';
import type { TestGateway } from './gateway.ts';

/** What is used of the official client, whose types are those of its own build. */
interface OfficialClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const official: {
  readonly Client: new (
    identity: { readonly name: string; readonly version: string },
    options: { readonly versionNegotiation: { readonly mode: { readonly pin: string } } },
  ) => OfficialClient;
  readonly StreamableHTTPClientTransport: new (address: URL, options: { readonly requestInit: RequestInit }) => object;
} = createRequire(import.meta.url)('@modelcontextprotocol/client');

/** The official TypeScript client of the Model Context Protocol, connected to a gateway as the holder of an agent key. */
export async function connectOfficialClient(test: TestGateway, key: string): Promise<OfficialClient> {
  const client = new official.Client(
    { name: 'everyday', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(
    new official.StreamableHTTPClientTransport(new URL(`${test.gateway.gatewayUrl}/mcp`), { requestInit }),
  );
  return client;
}
