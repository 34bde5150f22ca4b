import * as z from 'zod';
import type { ConnectSession } from '../gateway/authorization/connect-session.rules.ts';
import { GatewayError, type Problem, refusal } from '../gateway/core/errors.ts';
import type { GatewayRequest, GatewayResponse, HeaderPairs } from '../gateway/core/http-message.ts';
import { PATH_ID_MAX_BYTES } from '../gateway/core/limits.ts';
import type { StackResource } from '../gateway/core/managed-by.rules.ts';
import { ownMember } from '../gateway/core/own-member.ts';
import type { Operator, SecretKeyRecord } from '../gateway/keys/credentials.rules.ts';
import type { Documented } from '../gateway/openapi/documented.ts';
import type {
  Access,
  Deprecation,
  DescribedRoute,
  Method,
  RouteDescription,
  Sent,
} from '../gateway/openapi/operation.ts';
import { judge, readJsonBody, readQuery, type ValidPart, validate, withFurtherProblems } from './request-input.ts';
import { noQuery } from './schemas/common.ts';
import type { GrantServices, Services } from './services.ts';

type NoQuery = z.output<typeof noQuery>;

/** An authenticated caller: a secret key, an operator, or an end user's connect session. */
export interface Caller {
  readonly accountId: string;
  /** Integrations the caller is limited to; undefined = all of the account. */
  readonly integrationIds: readonly string[] | undefined;
  readonly key: SecretKeyRecord | undefined;
  readonly operator: Operator | undefined;
  readonly session: ConnectSession | undefined;
  /** A resource of a CloudFormation stack; the other three are undefined then. */
  readonly stack?: StackResource | undefined;
  /** For the audit trail. */
  readonly actor: string;
}

export interface Answer {
  readonly status: number;
  /** Sent as JSON; absent = no body. */
  readonly body?: unknown;
}

/** Seconds since the epoch as ISO 8601 UTC. */
export function isoTime(epochSec: number): string {
  return new Date(epochSec * 1000).toISOString();
}

/** The same, null where there is none. */
export function isoTimeOrNull(epochSec: number | undefined): string | null {
  return epochSec === undefined ? null : isoTime(epochSec);
}

/** Input of a route's handler, fully validated. */
export interface RouteCall<Query, Body> {
  readonly caller: Caller;
  /** Path parameters by name, decoded once. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly requestId: string;
}

/** One row of the route table: drives routing, validation, the authentication matrix and the API's document. */
export interface Route<Needs = Services> extends DescribedRoute {
  /** A property, not a method: a route that needs more than a function has must not type-check there. @param caller undefined on routes that anyone may call */
  readonly run: (
    request: GatewayRequest,
    caller: Caller | undefined,
    params: Readonly<Record<string, string>>,
    services: Needs,
  ) => Promise<Answer | GatewayResponse>;
}

/** Names of returned members that the response's schema lacks, at any depth; `never` without any. */
type Undocumented<Returned, Known> = unknown extends Known
  ? never
  : Returned extends readonly (infer Element)[]
    ? Undocumented<Element, ElementOf<Known>>
    : Returned extends object
      ? string extends KeyOf<Known>
        ? never
        : {
            [Name in keyof Returned & string]: Name extends KeyOf<Known>
              ? Undocumented<Returned[Name], Member<Known, Name>>
              : Name;
          }[keyof Returned & string]
      : never;
type ElementOf<Known> = Known extends readonly (infer Element)[] ? Element : never;
type KeyOf<Known> = Known extends object ? keyof Known : never;
type Member<Known, Name extends PropertyKey> = Known extends { readonly [Key in Name]?: infer Value } ? Value : never;

/**
 * The complete definition of a route.
 *
 * @typeParam Schema of the response, from `describe`: the type of `handle`'s result
 */
export interface RouteDefinition<Query, Body, Schema extends z.ZodType, Returned = Sent<Schema>, Needs = Services> {
  readonly method: Method;
  /** Path with parameters in braces, such as `/integrations/{integrationId}`. */
  readonly pattern: string;
  readonly access: Access;
  /** @default 200 */
  readonly status?: 200 | 201 | 202;
  /** For a response with another status. @default `status` */
  statusOf?(answer: Sent<Schema>): 200 | 202;
  /** @default a query is refused */
  readonly query?: z.ZodType<Query>;
  /**
   * Spellings of parameters from Nango's client or earlier versions, with the documented one: they are not in the document.
   * @default none
   */
  readonly formerQuery?: Readonly<Record<string, string>>;
  /** Schema of a required JSON document. @default a body is not read */
  readonly body?: z.ZodType<Body>;
  /**
   * Problems that `handle` would find in the valid members, requested only where others are invalid, so that a caller gets all of them
   * at once.
   * @default nothing
   */
  furtherProblems?(
    call: RouteCall<Query, ValidPart<Body>>,
    services: Needs,
  ): Promise<readonly Problem[]> | readonly Problem[];
  /** Whether each request creates something, so that it accepts an `Idempotency-Key`. @default false */
  readonly creates?: boolean;
  /** Announces the removal of the route; a deprecated member is marked by `deprecated()` in its schema. @default none */
  readonly deprecated?: Deprecation;
  /** For the API's document: descriptions, the response's schema, errors, an example. */
  readonly describe: Documented<RouteDescription<Schema>>;
  /** Returns the response's JSON. All its input is validated. */
  handle(call: RouteCall<Query, Body>, services: Needs): Promise<Returned> | Returned;
}

/** Refuses a definition that returns what its schema lacks. */
type Whole<Schema extends z.ZodType, Returned> = [Undocumented<Returned, Sent<Schema>>] extends [never]
  ? unknown
  : { readonly notInTheAnswersSchema: Undocumented<Returned, Sent<Schema>> };

/** A row of the route table from its definition; the handler gets the schemas' types. */
export function route<Schema extends z.ZodType, const Returned extends Sent<Schema>, Query = NoQuery, Body = undefined>(
  definition: RouteDefinition<Query, Body, Schema, Returned> & Whole<Schema, Returned>,
): Route;
export function route(definition: RouteDefinition<unknown, unknown, z.ZodType>): Route {
  return defined(definition);
}

/** The same for a route that uses a grant or the secret of a client (`GRANT_PATHS`). */
export function grantRoute<
  Schema extends z.ZodType,
  const Returned extends Sent<Schema>,
  Query = NoQuery,
  Body = undefined,
>(
  definition: RouteDefinition<Query, Body, Schema, Returned, GrantServices> & Whole<Schema, Returned>,
): Route<GrantServices>;
export function grantRoute(
  definition: RouteDefinition<unknown, unknown, z.ZodType, unknown, GrantServices>,
): Route<GrantServices> {
  return defined(definition);
}

function defined<Needs>(definition: RouteDefinition<unknown, unknown, z.ZodType, unknown, Needs>): Route<Needs> {
  const {
    method,
    pattern,
    access,
    status = 200,
    query = noQuery,
    formerQuery,
    body,
    creates,
    deprecated,
    describe,
  } = definition;
  return {
    method,
    pattern,
    access,
    status,
    mayWait: definition.statusOf !== undefined,
    query,
    formerQuery,
    body,
    creates,
    deprecated,
    describe,
    async run(request, caller, params, services) {
      const call = {
        caller: known(caller),
        params,
        query: validate(query, respelled(readQuery(request.query), formerQuery), 'invalid_query_params'),
        body: undefined,
        requestId: request.requestId,
      };
      if (body === undefined) {
        const answer = await definition.handle(call, services);
        return { status: definition.statusOf?.(answer) ?? status, body: answer };
      }
      const judged = judge(body, readJsonBody(request), 'body');
      if (judged.ok) return { status, body: await definition.handle({ ...call, body: judged.value }, services) };
      const { problems, valid } = judged;
      const more = isPart(valid)
        ? await whatElse(() => definition.furtherProblems?.({ ...call, body: valid }, services))
        : [];
      throw refusal('invalid_body', withFurtherProblems(problems, more));
    },
  };
}

/** A query with the documented names; where both spellings are given, the former one stays and is reported as unknown. */
function respelled(query: Record<string, unknown>, former: Readonly<Record<string, string>> = {}) {
  const nameOf = (name: string) => {
    const current = ownMember(former, name);
    return current === undefined || Object.hasOwn(query, current) ? name : current;
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [nameOf(name), value]));
}

/** A row without authentication, query or body; it may return a whole response, such as a page. */
export function openRoute(
  definition: Pick<Route, 'method' | 'pattern' | 'describe'> & {
    readonly handle: (services: Services, request: GatewayRequest) => Promise<Answer | GatewayResponse> | Answer;
  },
): Route {
  const { handle, ...row } = definition;
  return {
    ...row,
    access: { right: 'anyone' },
    status: 200,
    query: undefined,
    body: undefined,
    run: async (request, _caller, _params, services) => handle(services, request),
  };
}

/** Further problems; none where they cannot be determined, because their input is missing or out of the caller's reach. */
async function whatElse(
  find: () => Promise<readonly Problem[]> | readonly Problem[] | undefined,
): Promise<readonly Problem[]> {
  try {
    return (await find()) ?? [];
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

/** Whether any part of a body could be read: a body that is no object has no members to check. */
function isPart(valid: unknown): valid is object {
  return typeof valid === 'object' && valid !== null;
}

/** Authentication comes before every handler; a row reached without it is a defect, never a default identity (IN-2). */
function known(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new Error('A route was reached without an authenticated caller');
  return caller;
}

/** The row for a path and a method. */
export type RouteMatch<Needs = Services> =
  | { readonly kind: 'found'; readonly route: Route<Needs>; readonly params: Readonly<Record<string, string>> }
  /** A route's path with an id that is too long to exist. */
  | { readonly kind: 'long_id'; readonly name: string; readonly length: number }
  /** The path exists under other methods. */
  | { readonly kind: 'other_methods'; readonly methods: readonly Method[] }
  | { readonly kind: 'none' };

/**
 * Finds a path's route. Literal segments must match exactly: no decoding, no case folding, no merging of slashes (IN-2). A literal
 * beats a parameter; parameters are taken from the raw path and decoded once, and invalid percent-encoding matches nothing. HEAD uses
 * GET's route.
 */
export function matchRoute<Needs>(routes: readonly Route<Needs>[], method: string, rawPath: string): RouteMatch<Needs> {
  const segments = rawPath.split('/').slice(1);
  const candidates: {
    readonly route: Route<Needs>;
    readonly params: Record<string, string>;
    readonly literals: number;
  }[] = [];
  for (const route of routes) {
    const params = matchSegments(route.pattern.split('/').slice(1), segments);
    if (params !== undefined) {
      candidates.push({ route, params, literals: segments.length - Object.keys(params).length });
    }
  }
  if (candidates.length === 0) return { kind: 'none' };
  const wanted = method === 'HEAD' ? 'GET' : method;
  const best = candidates.filter(({ route }) => route.method === wanted).sort((a, b) => b.literals - a.literals)[0];
  if (best !== undefined) return foundOrLong(best);
  return { kind: 'other_methods', methods: [...new Set(candidates.map(({ route }) => route.method))] };
}

function foundOrLong<Needs>({
  route,
  params,
}: {
  route: Route<Needs>;
  params: Readonly<Record<string, string>>;
}): RouteMatch<Needs> {
  const long = Object.entries(params).find(([, id]) => Buffer.byteLength(id) > PATH_ID_MAX_BYTES);
  if (long === undefined) return { kind: 'found', route, params };
  const [name, id] = long;
  return { kind: 'long_id', name, length: id.length };
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

/** Deprecations of the API, reported to callers that use them: in response headers and in the document (docs/versions.md). */

/** Key of a deprecation in a schema's metadata; an extension of the document's (OpenAPI 3.1.0, "Specification Extensions"). */
const ABOUT = 'x-deprecated';
const deprecation = z.object({ since: z.string(), sunset: z.string().optional(), instead: z.string() });

/**
 * A deprecated member of a body, or parameter of a query. Wraps the whole schema of the member.
 *
 * @param about since when, and the replacement
 */
export function deprecated<Schema extends z.ZodType>(schema: Schema, about: Deprecation): Schema {
  const description = `Deprecated since ${about.since}. ${about.instead}`;
  return schema.meta({ deprecated: true, description, [ABOUT]: about });
}

/** The deprecations that a request uses: of its route, members and parameters. */
export function deprecationsOf(
  route: Pick<DescribedRoute, 'deprecated' | 'query' | 'body'>,
  request: GatewayRequest,
): Deprecation[] {
  return [
    ...(route.deprecated === undefined ? [] : [route.deprecated]),
    ...namedIn(route.query, () => readQuery(request.query)),
    ...namedIn(route.body, () => readJsonBody(request)),
  ];
}

/** Parses the request only where something of it is deprecated. */
function namedIn(schema: z.ZodType | undefined, read: () => unknown): Deprecation[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const marked = Object.entries(schema.shape).flatMap(([name, member]) => {
    const found = member instanceof z.ZodType ? deprecation.safeParse(member.meta()?.[ABOUT]) : undefined;
    return found?.success === true ? [{ name, about: found.data }] : [];
  });
  if (marked.length === 0) return [];
  let sent: unknown;
  try {
    sent = read();
  } catch {
    // The response reports the problem.
    return [];
  }
  if (typeof sent !== 'object' || sent === null) return [];
  const given = sent;
  return marked.flatMap(({ name, about }) => (Object.hasOwn(given, name) ? [about] : []));
}

/** `Deprecation` (RFC 9745) and, where an end is set, `Sunset` (RFC 8594); of several the earliest. */
export function deprecationHeaders(deprecations: readonly Deprecation[]): HeaderPairs {
  const since = earliest(deprecations.map((one) => one.since));
  const sunset = earliest(deprecations.flatMap((one) => one.sunset ?? []));
  return [
    ...(since === undefined ? [] : ([['deprecation', `@${since.getTime() / 1000}`]] as const)),
    ...(sunset === undefined ? [] : ([['sunset', sunset.toUTCString()]] as const)),
  ];
}

function earliest(days: readonly string[]): Date | undefined {
  const [first] = days.toSorted();
  return first === undefined ? undefined : new Date(`${first}T00:00:00Z`);
}
