import { GatewayError, NetworkError, UnexpectedAnswerError } from '../errors.ts';
import { managementUrl } from '../http/address.ts';
import { bodyBytes } from '../http/answer-body.ts';
import { ownRouteError } from '../http/answer-error.ts';
import { type OutgoingRequest, send } from '../http/exchange.ts';
import { type Fields, fieldsList, fieldsOf, optionalText, type Unread } from '../http/fields.ts';
import { addIdentity, type ConnectionRef } from '../http/headers.ts';
import type { QueryValue } from '../http/query.ts';
import { requestBody } from '../http/request-body.ts';
import { readTimeoutMs, type Settings } from '../settings.ts';
import { backOffMs, pause } from '../upload/back-off.ts';
import { OPERATIONS, type Operations } from './operations.ts';

/** Options of every management call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds until the answer is complete. @default the client's */
  timeoutMs?: number;
}

/** Options of a creating call. */
export interface CreateOptions extends CallOptions {
  /**
   * Name of the request, new for each: the same within 24 hours makes nothing more and gives the first answer, also from another process.
   * The client itself repeats a request whose answer was lost, under the same name, at most twice. @default a new one
   */
  idempotencyKey?: string;
}

type OperationName = keyof Operations;

type OfOperation<Name extends OperationName, Part extends keyof Operations[Name]> = Operations[Name][Part];

/** Members that the gateway takes for clients of compatible APIs only: this library offers none of them. */
type ForOthers =
  | 'connection_config'
  | 'custom'
  | 'forward_webhooks'
  | 'integration_config'
  | 'overrides'
  | 'webhook_url_override';

/** A body with every member of the wire, so that none is forgotten: omitted ones are undefined. */
export type Sent<Body> = { readonly [Member in Exclude<keyof Body, ForOthers>]-?: unknown };

/** Arguments of an operation: the ids of its path, its body if it has one, and its query. */
export type OperationCall<Name extends OperationName> = ([OfOperation<Name, 'ids'>] extends [never]
  ? { readonly ids?: undefined }
  : { readonly ids: Readonly<Record<OfOperation<Name, 'ids'>, string>> }) &
  ([OfOperation<Name, 'body'>] extends [never]
    ? { readonly body?: undefined }
    : {
        /** Members that are undefined are left out. */
        readonly body: Sent<OfOperation<Name, 'body'>>;
      }) & {
    /** Parameters in the order in which they are sent. */
    readonly query?: { readonly [Parameter in OfOperation<Name, 'query'>]?: QueryValue | readonly QueryValue[] };
    /** Sent instead of the secret key. */
    readonly bearer?: string;
    readonly options: CreateOptions | undefined;
  };

/** Sends a request and returns the JSON object of its answer, empty where there is no body. */
export type Manage = <Name extends OperationName>(
  name: Name,
  call: OperationCall<Name>,
) => Promise<Unread<OfOperation<Name, 'answer'>>>;

/**
 * The function behind every management method.
 *
 * @throws (the returned function) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export function manager(settings: Settings): Manage {
  return async (name, { ids, query, body, bearer, options }) => {
    const [method, path, makes] = OPERATIONS[name];
    const headers = new Headers({ accept: 'application/json' });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (makes === 'once') headers.set('idempotency-key', quoted(options?.idempotencyKey ?? crypto.randomUUID()));
    addIdentity(headers, bearer ?? settings.secretKey);
    const request: OutgoingRequest = {
      method,
      url: managementUrl(bearer === undefined ? settings.baseUrl : settings.openUrl, withIds(path, ids), query),
      headers,
      body: requestBody(body, undefined),
      timeoutMs: readTimeoutMs(options?.timeoutMs, settings.timeoutMs),
      signal: options?.signal,
    };
    for (let repeat = 0; ; repeat++) {
      try {
        return await answerTo(settings, request);
      } catch (error) {
        if (makes !== 'once' || repeat === REPEATS || !mayPass(error)) throw error;
        const askedSec = error instanceof GatewayError ? error.retryAfterSec : undefined;
        await pause(backOffMs(repeat, askedSec, Math.random()), options?.signal);
      }
    }
  };
}

/** Repeats of a request that makes something; its key lets it do so once. */
const REPEATS = 2;
/** A gateway that asks for more is the caller's to wait for. */
const LONGEST_PAUSE_SEC = 5;

/** Whether the answer was lost, or is not there yet. */
function mayPass(error: unknown): boolean {
  if (error instanceof NetworkError) return error.mayHaveBeenApplied;
  if (error instanceof GatewayError) {
    const isPassing = error.code === 'request_in_progress' || error.code === 'service_unavailable';
    return isPassing && (error.retryAfterSec ?? 0) <= LONGEST_PAUSE_SEC;
  }
  return error instanceof UnexpectedAnswerError && [502, 503, 504].includes(error.status ?? 0);
}

/** A key as the header has it (RFC 8941 section 3.3.3). @throws TypeError */
function quoted(key: string): string {
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters, such as a UUID.');
  }
  return `"${key.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Sends a request to one of the gateway's own routes. @returns the JSON object of its answer, empty where there is no body */
export async function answerTo(settings: Settings, request: OutgoingRequest): Promise<Fields> {
  const answer = await send(settings, request);
  if (!answer.response.ok) throw await ownRouteError(answer);
  const text = new TextDecoder().decode(await bodyBytes(answer));
  return text === '' ? {} : fieldsOf(parsed(text), 'JSON object');
}

/** Lists that say where their next page begins. */
type PagedList = 'listIntegrations' | 'listSecretKeys';

/** The items of every page of a list, in order. */
export async function everyPage(manage: Manage, name: PagedList, options: CallOptions | undefined): Promise<Fields[]> {
  const items: Fields[] = [];
  let cursor: string | undefined;
  do {
    const answer = await manage(name, { query: { cursor }, options });
    items.push(...fieldsList(answer.data, 'data'));
    cursor = optionalText(answer, 'next_cursor');
  } while (cursor !== undefined);
  return items;
}

/** A connection in the path and the query of a call, and what else the query says. */
export function onTheWire<Query extends object>({ providerConfigKey, connectionId }: ConnectionRef, query?: Query) {
  return { ids: { connectionId }, query: { provider_config_key: providerConfigKey, ...query } };
}

/** A path with its variable segments, encoded. @throws TypeError for an empty id */
function withIds(path: string, ids: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name] ?? '';
    // URL parsers resolve dot segments however they are written.
    if (id === '' || id === '.' || id === '..') throw new TypeError('An id is empty or only dots.');
    return encodeURIComponent(id);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedAnswerError("The answer is not the gateway's JSON: is baseUrl its address?", { cause });
  }
}
