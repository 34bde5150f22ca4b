import { managementUrl } from '../../../client/src/http/address.ts';
import { bodyBytes } from '../../../client/src/http/answer-body.ts';
import { answerError } from '../../../client/src/http/answer-error.ts';
import { send } from '../../../client/src/http/exchange.ts';
import { type Fields, fieldsOf } from '../../../client/src/http/fields.ts';
import { addIdentity } from '../../../client/src/http/headers.ts';
import type { QueryParams } from '../../../client/src/http/query.ts';
import { requestBody } from '../../../client/src/http/request-body.ts';
import type { Settings } from '../../../client/src/settings.ts';

/** One request that only operators make. */
export interface OperatorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with its variable segments encoded. */
  readonly path: string;
  readonly params?: QueryParams;
  readonly body?: Fields;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request and returns the member `data` of its answer. */
export type SendOperatorRequest = (request: OperatorRequest) => Promise<unknown>;

/**
 * The function behind every operator call, on the parts that the client library's own calls are made of.
 *
 * @throws (the returned function) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export function operatorRequests(settings: Settings): SendOperatorRequest {
  return async ({ method, path, params, body, signal }) => {
    const headers = new Headers({ accept: 'application/json' });
    if (body !== undefined) headers.set('content-type', 'application/json');
    addIdentity(headers, settings.secretKey);
    const answer = await send(settings, {
      method,
      url: managementUrl(settings.baseUrl, path, params),
      headers,
      body: requestBody(body, undefined),
      timeoutMs: settings.timeoutMs,
      signal,
    });
    if (!answer.response.ok) throw await answerError(answer);
    return fieldsOf(JSON.parse(new TextDecoder().decode(await bodyBytes(answer))), 'JSON object').data;
  };
}
