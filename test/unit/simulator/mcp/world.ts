/** Google's simulated MCP servers, as an agent's user reaches them. */
import { expect, onTestFinished } from 'vitest';
import { mcpMessage } from '../../../support/mcp-client.ts';
import { connectOfficialClientTo, type OfficialOptions } from '../../../support/official-mcp-client.ts';
import { open, type User } from '../harness.ts';
import { AGENT, CLIENT } from '../names.ts';
import { record, text } from '../values.ts';

export const SCOPES = {
  drive: ['drive.readonly', 'drive.file'],
  calendar: ['calendar.calendarlist.readonly', 'calendar.events.freebusy', 'calendar.events'],
};

/** URLs of scopes, separated by spaces. */
export function scopeList(names: readonly string[]): string {
  return names.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ');
}

type Product = keyof typeof SCOPES;

/** A user who has let an agentic client use Drive and Calendar. */
export function openAgent(scopes: readonly string[] = [...SCOPES.drive, ...SCOPES.calendar]): Promise<User> {
  return open({ clients: [AGENT, CLIENT], scope: scopeList(scopes) });
}

/** Address of a server. */
export function endpointOf({ simulator }: Pick<User, 'simulator'>, product: Product, self = ''): string {
  return simulator.endpoints[`${product}_mcp_endpoint`] + self;
}

/** An official client at a server, closed after the test. */
export async function connect(user: User, product: Product, options: OfficialOptions & { self?: boolean } = {}) {
  const address = endpointOf(user, product, options.self === true ? 'self' : '');
  const client = await connectOfficialClientTo(address, { token: user.accessToken, ...options });
  onTestFinished(() => client.close());
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    /** What a tool answers, which must be no error. */
    async call(name: string, args: Record<string, unknown> = {}) {
      const result = record(await client.callTool({ name, arguments: args }));
      expect(result.isError, JSON.stringify(result)).not.toBe(true);
      return record(result.structuredContent);
    },
    /** The sentence of a tool's error. */
    async problem(name: string, args: Record<string, unknown> = {}) {
      const result = record(await client.callTool({ name, arguments: args }));
      expect(result.isError).toBe(true);
      return Array.isArray(result.content) ? text(record(result.content[0]).text) : '';
    },
  };
}

/** Sends one message as it is: for what official clients hide. */
export async function post(
  address: string,
  token: string | undefined,
  method: string,
  params: Record<string, unknown> = {},
  era: 'legacy' | 'modern' = 'modern',
) {
  const { headers, body } = mcpMessage(era, method, params);
  return fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
}

/** Calls a tool by such a message; status, challenge and Google's error of the answer. */
export async function refusedCall(address: string, token: string | undefined, name: string) {
  const answer = await post(address, token, 'tools/call', { name, arguments: {} });
  const body = record(await answer.json());
  const error = record(body.error ?? {});
  const [detail] = Array.isArray(error.details) ? error.details.map(record) : [];
  return {
    status: answer.status,
    challenge: answer.headers.get('www-authenticate'),
    message: error.message,
    reason: detail?.reason,
    metadata: detail?.metadata,
  };
}
