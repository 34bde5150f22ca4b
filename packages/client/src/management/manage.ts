import { UnexpectedAnswerError } from '../errors.ts';
import { managementUrl } from '../http/address.ts';
import { bodyBytes } from '../http/answer-body.ts';
import { ownRouteError } from '../http/answer-error.ts';
import { send } from '../http/exchange.ts';
import { type Fields, fieldsList, fieldsOf, optionalText } from '../http/fields.ts';
import { addIdentity } from '../http/headers.ts';
import type { QueryParams } from '../http/query.ts';
import { requestBody } from '../http/request-body.ts';
import { readTimeoutMs, type Settings } from '../settings.ts';

/** What every management call takes besides its own arguments. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds until the answer is complete. @default the client's */
  timeoutMs?: number;
}

/** One request to the gateway's own API. */
export interface ManagementCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its variable segments encoded. */
  readonly path: string;
  readonly params?: QueryParams;
  /** Members that are undefined are left out. */
  readonly body?: Fields;
  /** Sent instead of the secret key. */
  readonly bearer?: string;
  readonly options: CallOptions | undefined;
}

/** Sends a request and returns the JSON object of its answer, empty where there is no body. */
export type Manage = (call: ManagementCall) => Promise<Fields>;

/**
 * The function behind every management method.
 *
 * @throws (the returned function) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export function manager(settings: Settings): Manage {
  return async ({ method, path, params, body, bearer, options }) => {
    const headers = new Headers({ accept: 'application/json' });
    if (body !== undefined) headers.set('content-type', 'application/json');
    addIdentity(headers, bearer ?? settings.secretKey);
    const answer = await send(settings, {
      method,
      url: managementUrl(settings.baseUrl, path, params),
      headers,
      body: requestBody(body, undefined),
      timeoutMs: readTimeoutMs(options?.timeoutMs, settings.timeoutMs),
      signal: options?.signal,
    });
    if (!answer.response.ok) throw await ownRouteError(answer);
    const text = new TextDecoder().decode(await bodyBytes(answer));
    return text === '' ? {} : fieldsOf(parsed(text), 'JSON object');
  };
}

/** The items of every page of a list, in order. @param path a list that answers `data` and `next_cursor` */
export async function everyPage(manage: Manage, path: string, options: CallOptions | undefined): Promise<Fields[]> {
  const items: Fields[] = [];
  let cursor: string | undefined;
  do {
    const answer = await manage({ method: 'GET', path, params: { cursor }, options });
    items.push(...fieldsList(answer.data, 'data'));
    cursor = optionalText(answer, 'next_cursor');
  } while (cursor !== undefined);
  return items;
}

/** A path of literal segments and variable ones, which are encoded. @throws TypeError for an empty variable */
export function path(literals: TemplateStringsArray, ...variables: readonly string[]): string {
  return literals.reduce((text, literal, index) => {
    const variable = variables[index - 1] ?? '';
    // URL parsers resolve dot segments however they are written.
    if (variable === '' || variable === '.' || variable === '..') throw new TypeError('An id is empty or only dots.');
    return `${text}${encodeURIComponent(variable)}${literal}`;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedAnswerError("The answer is not the gateway's JSON: is baseUrl its address?", { cause });
  }
}
