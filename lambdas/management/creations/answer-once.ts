import { epochSecNow } from '../../gateway/core/clock.ts';
import { ERROR_HEADER, GatewayError, refusal } from '../../gateway/core/errors.ts';
import {
  type GatewayRequest,
  type GatewayResponse,
  type HeaderPairs,
  headerValues,
} from '../../gateway/core/http-message.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import { IDEMPOTENT_ANSWER_MAX_BYTES, IDEMPOTENT_RETRY_SEC } from '../../gateway/core/limits.ts';
import type { CipherContext, Clock, Logger, TokenCipher } from '../../gateway/core/ports.ts';
import { errorResponse } from '../../gateway/http/middlewares.ts';
import type { Caller } from '../route.ts';
import type { NotedRun, RequestNotes } from './ports.ts';

export interface AnswerOnceDependencies {
  readonly requestNotes: RequestNotes;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Marks a repeated response, with the header that others use. */
const REPLAYED: readonly [string, string] = ['idempotent-replayed', 'true'];

const KEY_RULE =
  'send 1 to 255 characters once, such as a UUID, in double quotes or of letters, digits and . _ ~ : + / = - without them';

/**
 * The value of `Idempotency-Key`: a string in quotes (RFC 8941 section 3.3.3), as in the draft, or bare, as many clients send it. Both
 * are the same key.
 *
 * @throws GatewayError `invalid_headers`
 */
export function idempotencyKey(headers: HeaderPairs): string {
  const values = headerValues(headers, 'idempotency-key');
  const value = values.length === 1 ? (values[0] ?? '').trim() : '';
  const quoted = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/.exec(value)?.[1]?.replaceAll(/\\(["\\])/g, '$1');
  const key = quoted ?? /^[A-Za-z0-9._~:+/=-]+$/.exec(value)?.[0];
  if (key === undefined || key.length > 255) {
    throw refusal('invalid_headers', [{ path: 'headers.Idempotency-Key', message: KEY_RULE }]);
  }
  return key;
}

/**
 * Executes a creating request once per `Idempotency-Key` of a caller (draft-ietf-httpapi-idempotency-key-header): a
 * repeat within 24 hours gets the first response. A request that changed nothing is not stored, so its key can be used again.
 *
 * @param work creates the response
 * @param repeated headers of a repeated response
 * @throws GatewayError `invalid_headers`, `request_in_progress`, `idempotency_key_reused`, `answer_not_kept`, and errors of `work`
 */
export async function answerOnce(
  deps: AnswerOnceDependencies,
  request: GatewayRequest,
  { accountId, key, actor }: Caller,
  work: () => Promise<GatewayResponse>,
  repeated: HeaderPairs,
): Promise<GatewayResponse> {
  const digest = sha256Hex(JSON.stringify([key?.keyHash ?? actor, idempotencyKey(request.headers)]));
  const body = sha256Hex(request.body ?? '');
  const requestHash = sha256Hex(JSON.stringify([request.method, request.rawPath, request.query, body]));
  const context: CipherContext = {
    accountId,
    integrationId: '',
    recordId: digest,
    field: 'idempotentAnswer',
    purpose: 'answers',
  };
  const note = await deps.requestNotes.begin(accountId, digest, requestHash, epochSecNow(deps.clock));
  switch (note.kind) {
    case 'begun':
      return runOnce(deps, request, context, note.run, work);
    case 'answered':
      return answerAgain(deps, context, note.answer, repeated);
    case 'made':
      throw notKept();
    case 'other_request':
      throw new GatewayError(
        'idempotency_key_reused',
        'This Idempotency-Key came with another path, query or body in the last 24 hours. Send a new key for a new request; to repeat a request, send it unchanged.',
      );
    case 'running':
      throw new GatewayError(
        'request_in_progress',
        'The first request with this Idempotency-Key is being carried out. Send it again after the time in Retry-After: you get its answer.',
        { retryAfterSec: IDEMPOTENT_RETRY_SEC },
      );
  }
}

async function runOnce(
  deps: AnswerOnceDependencies,
  { requestId }: GatewayRequest,
  context: CipherContext,
  run: NotedRun,
  work: () => Promise<GatewayResponse>,
): Promise<GatewayResponse> {
  try {
    const answer = await run.run(work);
    await noted(deps, () => keep(deps, context, run, answer));
    return answer;
  } catch (error) {
    const isRefusal = error instanceof GatewayError && error.status < 500;
    await noted(deps, async () => {
      if (!isRefusal) await run.end();
      // A refusal that changed something, such as ending a grant, is stored like any other response.
      else if (run.isMade()) await keep(deps, context, run, errorResponse(error, requestId));
      else await run.drop();
    });
    throw error;
  }
}

/** The response is returned even if it cannot be stored, because the change has been made. */
async function noted({ logger }: AnswerOnceDependencies, note: () => Promise<void>): Promise<void> {
  try {
    await note();
  } catch (error) {
    logger.error('an answer could not be noted', {}, error);
  }
}

async function keep(
  { cipher }: AnswerOnceDependencies,
  context: CipherContext,
  run: NotedRun,
  { status, headers, body }: GatewayResponse,
): Promise<void> {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '';
  if (Buffer.byteLength(text) > IDEMPOTENT_ANSWER_MAX_BYTES) return run.keepNone();
  const code = headerValues(headers, ERROR_HEADER)[0];
  // Encrypted, because it may show a secret for the only time, such as a new secret key or a session's token.
  await run.keep(await cipher.encrypt(context, JSON.stringify({ status, code, text })));
}

async function answerAgain(
  { cipher }: AnswerOnceDependencies,
  context: CipherContext,
  answer: string,
  repeated: HeaderPairs,
): Promise<GatewayResponse> {
  const { status, code, text } = keptIn(await opened(cipher, context, answer));
  return {
    status,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ...(code === undefined ? [] : [[ERROR_HEADER, code] as const]),
      ...repeated,
      REPLAYED,
    ],
    body: Buffer.from(text),
  };
}

/** @throws GatewayError `answer_not_kept` where the data key of the response is deleted */
async function opened(cipher: TokenCipher, context: CipherContext, answer: string): Promise<string> {
  try {
    return await cipher.decrypt(context, answer);
  } catch (error) {
    // An unavailable key service is a different error.
    if (error instanceof Error && '$metadata' in error) throw error;
    throw notKept();
  }
}

function keptIn(json: string): { readonly status: number; readonly code: string | undefined; readonly text: string } {
  const kept: unknown = JSON.parse(json);
  if (typeof kept !== 'object' || kept === null || !('status' in kept) || !('text' in kept)) throw notKept();
  const { status, text } = kept;
  if (typeof status !== 'number' || typeof text !== 'string') throw notKept();
  return { status, code: 'code' in kept && typeof kept.code === 'string' ? kept.code : undefined, text };
}

function notKept(): GatewayError {
  return new GatewayError(
    'answer_not_kept',
    'The first request with this Idempotency-Key has been carried out, and its answer is lost. Look up what it made in the list of such things; for another one, send a new key.',
  );
}
