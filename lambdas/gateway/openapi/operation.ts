import type * as z from 'zod';
import { FEATURE_TAGS } from '../../features/index.ts';
import type { GatewayErrorCode } from '../core/errors.ts';
import type { Documented } from './documented.ts';
import type { Components, Json } from './json-schema.ts';

/** Groups of the reference, in its order. */
export const TAGS = {
  Connections: 'Links between your end users and their Google accounts.',
  'Connect sessions': 'How an end user creates or renews a connection.',
  Integrations: 'A provider with your OAuth client and scopes.',
  Providers: 'Providers and what their scopes mean.',
  'Secret keys': 'Keys with which your servers authenticate.',
  ...FEATURE_TAGS,
  'Test credentials': 'The OAuth clients that quickstart integrations use.',
  Calls: 'The call log: proxied calls, without content.',
  Proxy: 'Calls to Google as the user of a connection.',
  Browser: 'Addresses that a browser opens while an end user connects.',
  Service: 'The gateway itself.',
} as const;

export type Tag = keyof typeof TAGS;

/** A request that can be sent, with its response. */
export interface Example {
  /** Path parameters by name, decoded. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly answer?: unknown;
}

/** Text that is not JSON: a page, or a page's script. */
export type TextAnswer = 'html' | 'javascript';

/** A route's description beyond its method, path, callers and input. */
export interface RouteDescription<Answer extends z.ZodType | TextAnswer = z.ZodType | TextAnswer> {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Beyond the summary. */
  readonly description?: string;
  /** Schema of the handler's result, whose type follows from it. */
  readonly answer: Answer;
  /** Codes beyond those of every such route: key, query, body, internal failure. */
  readonly errors: readonly GatewayErrorCode[];
  readonly example: Example;
}

/** Announcement that a part of the API will be removed, as docs/versions.md describes. */
export interface Deprecation {
  /** Day of the version that announced it, YYYY-MM-DD. */
  readonly since: string;
  /** First day on which it may be removed, YYYY-MM-DD. @default unknown, at least two minor versions later */
  readonly sunset?: string | undefined;
  /** The replacement, as a sentence. */
  readonly instead: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Callers of a route. `account` also refuses keys that are limited to some integrations. */
export interface Access {
  readonly right: 'anyone' | 'read' | 'full';
  /** Whether a connect session's token is accepted, too; `admin`: only an administrator's. */
  readonly session?: boolean | 'admin';
  readonly account?: boolean;
  /** Whether keys with the right `proxy` may call it, too, which may call no other route. */
  readonly proxyKey?: boolean;
  /** An operator must have signed in within the last minutes (UI-6). */
  readonly recentSignIn?: boolean;
  /** Resources of CloudFormation stacks may call it, which may call no other. */
  readonly stack?: boolean;
}

/** Everything the document needs about one route. */
export interface DescribedRoute {
  readonly method: Method;
  readonly pattern: string;
  readonly access: Access;
  /** Of the answer where nothing failed. */
  readonly status: number;
  /** Whether it may be 202 with the same body: the requested result is still pending. */
  readonly mayWait?: boolean | undefined;
  readonly query: z.ZodType | undefined;
  /** Former spellings of parameters that keep working, with the documented ones. */
  readonly formerQuery?: Readonly<Record<string, string>> | undefined;
  readonly body: z.ZodType | undefined;
  /** Whether it takes an `Idempotency-Key`. */
  readonly creates?: boolean | undefined;
  readonly deprecated?: Deprecation | undefined;
  readonly describe: Documented<RouteDescription>;
}

/** A path whose operations are described separately: pages, their scripts' calls, the proxy. */
export interface DescribedPath {
  readonly pattern: string;
  /** Makes the path's item (OpenAPI 3.1.0, "Path Item Object"). */
  readonly describe: Documented<(components: Components) => Json>;
}

/** The type that a handler may return for such a schema: exactly its members; lists may be read-only. */
export type Sent<Schema extends z.ZodType> = SentValue<z.output<Schema>>;
type SentValue<T> = unknown extends T
  ? T
  : T extends readonly (infer Element)[]
    ? readonly SentValue<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]: SentValue<T[Name]> }
      : T;

/** The same for a schema that exists only in the document. */
export type AnswerOf<Schema extends Documented<z.ZodType>> = Sent<ReturnType<Schema>>;
