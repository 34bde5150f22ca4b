import { GatewayError, refusal } from '../core/errors.ts';
import { type GatewayRequest, type HeaderPairs, headerValues } from '../core/http-message.ts';
import { REQUEST_BODY_MAX_BYTES } from '../core/limits.ts';
import type { ApiPath, Provider, ProviderEndpoints } from '../providers/provider.rules.ts';
import type { ProviderId } from '../providers/provider-ids.rules.ts';
import { type BatchPart, rewriteBatchRequest } from './batch.rules.ts';
import {
  adminKeyProblem,
  type DelegatedCall,
  delegatedHeaders,
  delegatedQuery,
  isQuotaKey,
} from './delegated.rules.ts';
import { upstreamRequestHeaders } from './headers.rules.ts';
import {
  rawQueryProblems,
  upstreamMethod,
  upstreamPath,
  upstreamQuery,
  withMethodOverride,
} from './request-line.rules.ts';

/** A request ready for the provider, except the identity. */
export interface UpstreamPlan {
  /** Scheme, host and port of the path (TK-10). */
  readonly origin: string;
  readonly method: string;
  /** The method that the provider executes: differs from `method` for a GET sent as a form. */
  readonly effectiveMethod: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
  /** The requests of a batch's parts. */
  readonly parts?: readonly BatchPart[];
  /** The query of a read that is sent as a form. */
  readonly form?: string;
  /** Of a call to the provider's MCP server: the request of the REST API that limits and units are judged by. */
  readonly standIn?: ProviderCall;
  /** Of such a call: the tool. */
  readonly tool?: ServedTool;
}

/** A tool of a provider's MCP server, as the account has accepted it. */
export interface ServedTool {
  readonly provider: ProviderId;
  /** As the server names it. */
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  /** SHA-256 of all that assistants read of it. */
  readonly hash: string;
  /** `self`: the server's endpoint for clients that cannot show its forms. */
  readonly endpoint: 'full' | 'self';
  /** Whether the server may ask its user in a form after a person has approved the call here. */
  readonly asksToo: boolean;
}

/** A request of the provider's API that is judged and never sent. */
export interface ProviderCall {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
  /** It stands for a call of a tool, by which limits judge that call. */
  readonly isStandIn?: true;
}

/** Origin of a path in this deployment. */
export function originOf(
  { origin }: ApiPath,
  endpoints: Pick<ProviderEndpoints, 'apiOrigin' | 'otherOrigins'>,
): string {
  return (origin === undefined ? undefined : endpoints.otherOrigins[origin]) ?? endpoints.apiOrigin;
}

/**
 * Turns a proxied request into the provider's. Refuses forbidden parts before any I/O.
 *
 * @param baseUrl the gateway's public address, which clients write into the parts of a batch
 * @param origins the provider's API origins, no trailing slash
 * @param delegated set where a service account acts for the connection's user
 * @throws GatewayError with every problem of the part that is refused
 */
export function planUpstreamRequest(
  request: GatewayRequest,
  provider: Provider,
  baseUrl: string,
  origins: Pick<ProviderEndpoints, 'apiOrigin' | 'otherOrigins'>,
  delegated?: DelegatedCall,
): UpstreamPlan {
  let body = request.body;
  if (body !== undefined && body.length > REQUEST_BODY_MAX_BYTES) {
    throw new GatewayError(
      'request_too_large',
      `A request body may have at most ${REQUEST_BODY_MAX_BYTES} bytes; this one has ${body.length}. Send larger files with a resumable upload in chunks of 4 MiB.`,
    );
  }
  const { path, api } = upstreamPath(request.rawPath, provider);
  const origin = originOf(api, origins);
  const sent = upstreamMethod(request.method, request.headers, body !== undefined, api.moreMethods);
  const { method, effectiveMethod } = sent;
  const target = path + upstreamQuery(queryOf(request, delegated));
  const passed = withMethodOverride(upstreamRequestHeaders(request.headers), sent, body !== undefined);
  const headers = delegated === undefined ? passed : delegatedHeaders(passed, delegated);
  // The form is the query of the read that it represents.
  let form = method === effectiveMethod || body === undefined ? undefined : latin1(body);
  const problems = form === undefined ? [] : rawQueryProblems(form);
  if (form !== undefined) {
    const forUser = delegatedQuery(form, delegated);
    problems.push(...forUser.problems);
    form = forUser.query;
    body = Buffer.from(form, 'latin1');
  }
  if (problems.length > 0) throw refusal('invalid_query_params', problems);
  // With any method: the parts may contain the secret key, so they are never sent unchanged.
  if (provider.batchPaths.includes(path) && (method === 'POST' || body !== undefined)) {
    const batch = planBatch(headers, body, provider, baseUrl, origin, delegated);
    return { origin, method, effectiveMethod, target, ...batch };
  }
  return { origin, method, effectiveMethod, target, headers, body, ...(form === undefined ? {} : { form }) };
}

/** The query of a user's call, without the caller's quota keys; refused with the rights of an administrator. */
function queryOf({ query }: GatewayRequest, delegated: DelegatedCall | undefined): GatewayRequest['query'] {
  if (delegated === undefined) return query;
  const problems = query.flatMap(([key]) => adminKeyProblem(key, delegated) ?? []);
  if (problems.length > 0) throw refusal('invalid_query_params', problems);
  return query.filter(([key]) => !isQuotaKey(key));
}

function latin1(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
}

/** Headers from which some servers take a method, or another kind of upload. */
const OVERRIDES = /^(?:x-http-method(?:-override)?|x-method(?:-override)?|x-goog-upload-.*)$/i;

/** Body and headers of a batch with every part rewritten (PX-22). */
function planBatch(
  headers: HeaderPairs,
  body: Uint8Array | undefined,
  provider: Provider,
  baseUrl: string,
  apiOrigin: string,
  delegated: DelegatedCall | undefined,
): Required<Pick<UpstreamPlan, 'headers' | 'body' | 'parts'>> {
  const overrides = headers.filter(([name]) => OVERRIDES.test(name));
  if (overrides.length > 0) {
    const message = 'Headers of a batch count for each of its parts. Give each part its own method.';
    throw refusal(
      'invalid_headers',
      overrides.map(([path]) => ({ path, message })),
    );
  }
  const types = headerValues(headers, 'content-type');
  const batch = rewriteBatchRequest({
    body: body ?? new Uint8Array(),
    contentType: types.length === 1 ? (types[0] ?? '') : '',
    provider,
    baseUrl,
    apiOrigin,
    delegated,
  });
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  return { headers: [...others, ['content-type', batch.contentType]], body: batch.body, parts: batch.parts };
}
