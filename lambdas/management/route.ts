import type * as z from 'zod';
import type { ConnectSession } from '../shared/domain/connect-session.ts';
import type { GatewayRequest } from '../shared/domain/http-message.ts';
import type { SecretKeyRecord } from '../shared/domain/secret-key.ts';
import { readJsonBody } from './read-body.ts';
import { readQuery } from './read-query.ts';
import type { Services } from './services.ts';
import { validate } from './validate.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Who may call a route. `account` also refuses keys that are limited to some integrations. */
export interface Access {
  readonly right: 'anyone' | 'read' | 'full';
  /** A connect session's token opens it too. */
  readonly session?: boolean;
  readonly account?: boolean;
}

/** An authenticated caller: a secret key, or an end user's connect session. */
export interface Caller {
  readonly accountId: string;
  /** Integrations the caller is limited to; undefined = all of the account. */
  readonly integrationIds: readonly string[] | undefined;
  readonly key: SecretKeyRecord | undefined;
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
  run(
    request: GatewayRequest,
    caller: Caller,
    params: Readonly<Record<string, string>>,
    services: Services,
  ): Promise<Answer>;
}

interface Definition<Query, Body> {
  readonly method: Method;
  readonly pattern: string;
  readonly access: Access;
  readonly summary: string;
  readonly query: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  handle(call: RouteCall<Query, Body>, services: Services): Promise<Answer> | Answer;
}

/** A row whose handler sees the types its schemas promise. A route without a body schema ignores bodies. */
export function defineRoute<Query, Body = undefined>(definition: Definition<Query, Body>): Route {
  const { method, pattern, access, summary, query, body, handle } = definition;
  return {
    method,
    pattern,
    access,
    summary,
    query,
    body,
    async run(request, caller, params, services) {
      const checkedQuery = validate(query, readQuery(request.query), 'invalid_query_params');
      const call = { caller, params, query: checkedQuery, requestId: request.requestId };
      if (body === undefined) return handle({ ...call, body: noBody() }, services);
      return handle({ ...call, body: validate(body, readJsonBody(request), 'invalid_body') }, services);
    },
  };
}
