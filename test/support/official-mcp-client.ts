import { createRequire } from 'node:module';
import type { TestGateway } from './gateway.ts';

/** A tool as the client lists it. */
interface OfficialTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: { readonly required?: readonly string[] };
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** How far a call is, as the client reads it. */
export interface OfficialProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The used part of the official client, whose types belong to its own build. */
interface OfficialClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly OfficialTool[] }>;
  callTool(
    call: { readonly name: string; readonly arguments: Record<string, unknown> },
    options?: { readonly onprogress?: (progress: OfficialProgress) => void; readonly signal?: AbortSignal },
  ): Promise<unknown>;
  getServerVersion(): { readonly name: string } | undefined;
  setRequestHandler(method: string, handler: (request: { readonly params: unknown }) => unknown): void;
  close(): Promise<void>;
}

const official: {
  readonly Client: new (
    identity: { readonly name: string; readonly version: string },
    options: {
      readonly versionNegotiation: { readonly mode: OfficialMode };
      readonly capabilities?: Readonly<Record<string, unknown>>;
    },
  ) => OfficialClient;
  readonly StreamableHTTPClientTransport: new (address: URL, options: { readonly requestInit: RequestInit }) => object;
} = createRequire(import.meta.url)('@modelcontextprotocol/client');

/** How the client agrees on a version of the protocol. */
export type OfficialMode = 'legacy' | 'auto' | { readonly pin: string };

/** Modes of the client: a handshake of 2025, its own choice, and only 2026-07-28. */
export const OFFICIAL_MODES: readonly (readonly [name: string, mode: OfficialMode])[] = [
  ['legacy', 'legacy'],
  ['auto', 'auto'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

/** Options of an official client's connection. */
export interface OfficialOptions {
  /** @default none */
  readonly token?: string | undefined;
  /** @default 2026-07-28 */
  readonly mode?: OfficialMode;
  /** Answers the forms that the server shows; without it the client can show none. */
  readonly answer?: (form: unknown) => unknown;
}

/** The official TypeScript client of the Model Context Protocol, connected to a server. */
export async function connectOfficialClientTo(
  address: string,
  { token, mode = { pin: '2026-07-28' }, answer }: OfficialOptions = {},
): Promise<OfficialClient> {
  const client = new official.Client(
    { name: 'everyday', version: '1' },
    { versionNegotiation: { mode }, ...(answer === undefined ? {} : { capabilities: { elicitation: { form: {} } } }) },
  );
  if (answer !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => answer(params));
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const transport = new official.StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } });
  await client.connect(transport);
  return client;
}

/** The same, connected to a gateway as the holder of an agent key. */
export function connectOfficialClient(test: TestGateway, key: string): Promise<OfficialClient> {
  return connectOfficialClientTo(`${test.gateway.gatewayUrl}/mcp`, { token: key });
}
