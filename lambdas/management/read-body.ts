import { GatewayError, refusal } from '../gateway/core/errors.ts';
import { type GatewayRequest, headerValues } from '../gateway/core/http-message.ts';
import { JSON_BODY_MAX_BYTES } from '../gateway/core/limits.ts';
import { JsonRefusal, parseStrictJson } from './strict-json.ts';

/**
 * A request's JSON document; undefined where there is no body.
 *
 * @throws GatewayError `request_too_large`; `invalid_body` for another content type or character set, text that is not UTF-8,
 *   or JSON that is broken or ambiguous
 */
export function readJsonBody(request: GatewayRequest): unknown {
  const { body } = request;
  if (body === undefined || body.length === 0) return undefined;
  if (body.length > JSON_BODY_MAX_BYTES) {
    throw new GatewayError(
      'request_too_large',
      `The body has ${body.length} bytes; at most ${JSON_BODY_MAX_BYTES} are taken.`,
    );
  }
  // A form of another site can send text/plain without asking first; JSON it cannot (UI-3).
  const types = headerValues(request.headers, 'content-type');
  if (types.length !== 1 || !/^application\/json\s*(;|$)/i.test(types[0] ?? '')) {
    throw refusal('invalid_body', [{ path: 'body', message: 'send JSON with Content-Type: application/json' }]);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(types[0] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw refusal('invalid_body', [{ path: 'body', message: 'send JSON in UTF-8' }]);
  }
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    if (error instanceof JsonRefusal) throw refusal('invalid_body', [error.problem]);
    if (error instanceof TypeError) throw refusal('invalid_body', [{ path: 'body', message: 'is not valid UTF-8' }]);
    throw error;
  }
}
