import type * as z from 'zod';
import type { ConnectSession } from '../gateway/authorization/connect-session.rules.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway/core/http-message.ts';
import type { Operator, SecretKeyRecord } from '../gateway/keys/credentials.rules.ts';
import { readJsonBody } from './request-body.ts';
import { readQuery, validate } from './request-input.ts';
import type { Services } from './services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call a route. `account` also refuses keys that are limited to some integrations. */
export interface Access {
  readonly right: 'anyone' | 'read' | 'full';
  /** A connect session's token opens it too. */
  readonly session?: boolean;
  readonly account?: boolean;
  /** An operator must have signed in within the last minutes (UI-6). */
  readonly recentSignIn?: boolean;
}

/** An authenticated caller: a secret key, an operator, or an end user's connect session. */
export interface Caller {
  readonly accountId: string;
  /** Integrations the caller is limited to; undefined = all of the account. */
  readonly integrationIds: readonly string[] | undefined;
  readonly key: SecretKeyRecord | undefined;
  readonly operator: Operator | undefined;
  readonly session: ConnectSession | undefined;
  /** For the audit trail. */
  readonly actor: string;
}

export interface Answer {
  readonly status: number;
  /** Sent as JSON; absent = no body. */
  readonly body?: unknown;
}

/** What a route's handler works with, everything checked. */
export interface RouteCall<Query, Body> {
  readonly caller: Caller;
  /** Path parameters by name, decoded once. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly requestId: string;
}

/** One row of the route table: drives routing, validation and the authentication matrix. */
export interface Route {
  readonly method: Method;
  readonly pattern: string;
  readonly access: Access;
  readonly summary: string;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  /** @param caller undefined on routes that anyone may call */
  run(
    request: GatewayRequest,
    caller: Caller | undefined,
    params: Readonly<Record<string, string>>,
    services: Services,
  ): Promise<Answer | GatewayResponse>;
}

interface Description {
  readonly method: Method;
  readonly pattern: string;
  readonly access: Access;
  readonly summary: string;
}

type Handle<Query, Body> = (call: RouteCall<Query, Body>, services: Services) => Promise<Answer> | Answer;

/** A row without a body; one that is sent is not read. */
export function bareRoute<Query>(
  definition: Description & { readonly query: z.ZodType<Query>; readonly handle: Handle<Query, undefined> },
): Route {
  const { handle, ...row } = definition;
  return {
    ...row,
    body: undefined,
    async run(request, caller, params, services) {
      const query = validate(row.query, readQuery(request.query), 'invalid_query_params');
      return handle({ caller: known(caller), params, query, body: undefined, requestId: request.requestId }, services);
    },
  };
}

/** A row with a JSON body; its handler sees the types its schemas promise. */
export function bodyRoute<Query, Body>(
  definition: Description & {
    readonly query: z.ZodType<Query>;
    readonly body: z.ZodType<Body>;
    readonly handle: Handle<Query, Body>;
  },
): Route {
  const { handle, ...row } = definition;
  return {
    ...row,
    async run(request, caller, params, services) {
      const query = validate(row.query, readQuery(request.query), 'invalid_query_params');
      const body = validate(row.body, readJsonBody(request), 'invalid_body');
      return handle({ caller: known(caller), params, query, body, requestId: request.requestId }, services);
    },
  };
}

/** A row that needs no caller and reads neither query nor body; it may answer with a whole response, such as a page. */
export function openRoute(
  definition: Omit<Description, 'access'> & {
    readonly handle: (services: Services, request: GatewayRequest) => Promise<Answer | GatewayResponse> | Answer;
  },
): Route {
  const { handle, ...row } = definition;
  return {
    ...row,
    access: { right: 'anyone' },
    query: undefined,
    body: undefined,
    run: async (request, _caller, _params, services) => handle(services, request),
  };
}

/** Authentication comes before every handler; a row reached without it is a defect, never a default identity (IN-2). */
function known(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new Error('A route was reached without an authenticated caller');
  return caller;
}

/** What the table says of a path and a method. */
export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  /** The path exists under other methods. */
  | { readonly kind: 'other_methods'; readonly methods: readonly Method[] }
  | { readonly kind: 'none' };

/**
 * Finds a path's route. Literal segments must be written exactly so: no decoding, no case folding, no merging of slashes
 * (IN-2). A literal beats a parameter; parameters are taken from the raw path and decoded once, and one that is not valid
 * percent-encoding matches nothing. HEAD is answered by GET.
 */
export function matchRoute(routes: readonly Route[], method: string, rawPath: string): RouteMatch {
  const segments = rawPath.split('/').slice(1);
  const candidates: { readonly route: Route; readonly params: Record<string, string>; readonly literals: number }[] =
    [];
  for (const route of routes) {
    const params = matchSegments(route.pattern.split('/').slice(1), segments);
    if (params !== undefined) {
      candidates.push({ route, params, literals: segments.length - Object.keys(params).length });
    }
  }
  if (candidates.length === 0) return { kind: 'none' };
  const wanted = method === 'HEAD' ? 'GET' : method;
  const best = candidates.filter(({ route }) => route.method === wanted).sort((a, b) => b.literals - a.literals)[0];
  if (best !== undefined) return { kind: 'found', route: best.route, params: best.params };
  return { kind: 'other_methods', methods: [...new Set(candidates.map(({ route }) => route.method))] };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, wanted] of pattern.entries()) {
    const segment = segments[i] ?? '';
    const name = /^\{(\w+)\}$/.exec(wanted)?.[1];
    if (name === undefined) {
      if (segment !== wanted) return undefined;
      continue;
    }
    const value = decodeOnce(segment);
    if (value === undefined || value === '') return undefined;
    params[name] = value;
  }
  return params;
}

function decodeOnce(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
