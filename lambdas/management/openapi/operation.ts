import type * as z from 'zod';
import type { GatewayErrorCode } from '../../gateway/core/errors.ts';

/** Groups of the reference, in its order. */
export const TAGS = {
  Connections: 'Links between your end users and their Google accounts.',
  Feeds: 'Resources under watch and what changes in them.',
  'Connect sessions': 'How an end user makes or renews a connection.',
  Integrations: 'A provider with your OAuth client and scopes.',
  Providers: 'The catalogue: providers and what their scopes mean.',
  'Secret keys': 'What your servers authenticate with.',
  Webhooks: 'Events of the gateway, signed and sent to your own endpoints.',
  'Test credentials': 'The OAuth clients that quickstart integrations run on.',
  Calls: 'The call log: what was proxied, without content.',
  Proxy: 'Calls to Google as a connection’s user.',
  Browser: 'Addresses that a browser opens while a user connects.',
  Service: 'The gateway itself.',
} as const;

export type Tag = keyof typeof TAGS;

/** One request as it can be sent, and the answer to it. */
export interface Example {
  /** Path parameters by name, decoded. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly answer?: unknown;
}

/** Text that is not JSON: a page, or a page's script. */
export type TextAnswer = 'html' | 'javascript';

/** What the document says of a route beyond its method, path, callers and input. */
export interface RouteDescription<Answer extends z.ZodType | TextAnswer = z.ZodType | TextAnswer> {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Beyond the summary. */
  readonly description?: string;
  /** Of what the handler returns: its type follows from it. */
  readonly answer: Answer;
  /** Codes beyond those that every such route has: key, query, body, fault. */
  readonly errors: readonly GatewayErrorCode[];
  readonly example: Example;
}
