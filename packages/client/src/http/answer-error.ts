import {
  type Applied,
  type ConnectionDiagnosis,
  type DeathEvidence,
  GatewayError,
  type LikelyCause,
  type Problem,
  ProviderError,
  requestTooLarge,
  UnexpectedAnswerError,
  type WaitingApproval,
} from '../errors.ts';
import { bodyBytes } from './answer-body.ts';
import { type IncomingAnswer, isRead } from './exchange.ts';
import {
  type Fields,
  isFields,
  optionalBoolean,
  optionalFields,
  optionalNumber,
  optionalText,
  recordList,
} from './fields.ts';

/** Marks every answer the gateway itself makes; the provider's never have it. */
const GATEWAY_ERROR_HEADER = 'x-gateway-error';
/** Error bodies are small; a page larger than this explains nothing more. */
const MAX_ERROR_BYTES = 256 * 1024;
/** Gateway failures that leave open whether the provider saw the request, where the answer does not say. */
const OPEN_OUTCOME = new Set([
  'upstream_unreachable',
  'upstream_invalid_response',
  'upstream_timeout',
  'internal_error',
]);

/** Reads the body of a failed answer to a proxied call and makes its error. @throws NetworkError, TimeoutError when that breaks too */
export async function answerError(
  answer: IncomingAnswer,
): Promise<GatewayError | ProviderError | UnexpectedAnswerError> {
  const body = await failedBody(answer);
  const code = answer.response.headers.get(GATEWAY_ERROR_HEADER);
  if (code !== null) return gatewayError(answer, code, body);
  return frontDoorError(answer, body) ?? noStageError(answer, body) ?? providerError(answer, body);
}

/** The same for the gateway's own routes, which never pass on a provider's text. @throws NetworkError, TimeoutError */
export async function ownRouteError(answer: IncomingAnswer): Promise<GatewayError | UnexpectedAnswerError> {
  const body = await failedBody(answer);
  const { headers, status } = answer.response;
  const code = headers.get(GATEWAY_ERROR_HEADER);
  const error = code === null ? frontDoorError(answer, body) : gatewayError(answer, code, body);
  if (error !== undefined) return error;
  const noStage = noStageError(answer, body);
  if (noStage !== undefined) return noStage;
  const { origin, pathname } = new URL(answer.request.url);
  return new UnexpectedAnswerError(
    `${origin}${pathname} answered with status ${status}, and not as the gateway does: something in front of it answered, or baseUrl is not its address.`,
    { status },
  );
}

async function failedBody(answer: IncomingAnswer): Promise<unknown> {
  return parsed(new TextDecoder().decode(await bodyBytes(answer, MAX_ERROR_BYTES)));
}

/**
 * API Gateway's own response to a body over its limit, which cannot be marked or changed ("Amazon API Gateway important notes").
 * Google's has its envelope or is a page.
 */
function frontDoorError({ response }: IncomingAnswer, body: unknown): GatewayError | undefined {
  const members = isFields(body) ? Object.keys(body) : [];
  const isTooLarge = response.status === 413 && members.length === 1 && /^message$/i.test(members[0] ?? '');
  return isTooLarge ? requestTooLarge(requestId(response)) : noProcessFree(response, members);
}

/** Lambda's own response at a function URL while no process is free: the gateway has not received the call (Lambda guide, "Troubleshooting"). */
function noProcessFree(response: Response, members: readonly string[]): GatewayError | undefined {
  const type = response.headers.get('x-amzn-errortype') ?? '';
  if (response.status !== 429 || !members.includes('Message') || !/^TooManyRequests/.test(type)) return undefined;
  return new GatewayError('The gateway refused the call (rate_limited): no process of its proxy is free', {
    code: 'rate_limited',
    status: 429,
    requestId: requestId(response),
    problems: [],
    connection: undefined,
    retryAfterSec: retryAfterSec(response.headers) ?? 1,
    applied: undefined,
    mayHaveBeenApplied: false,
  });
}

/** API Gateway's own response to an address without a stage, or with an unknown one: the gateway has not received the call. */
function noStageError({ request, response }: IncomingAnswer, body: unknown): UnexpectedAnswerError | undefined {
  const type = response.headers.get('x-amzn-errortype') ?? '';
  const isItsOwn = response.status === 403 && isFields(body) && Object.keys(body).join() === 'message';
  if (!isItsOwn || !/^(Forbidden|MissingAuthenticationToken)Exception/.test(type)) return undefined;
  return new UnexpectedAnswerError(
    `Amazon API Gateway has nothing at ${new URL(request.url).origin} under this path: does baseUrl end in the stage, as in https://….execute-api.….amazonaws.com/v1?`,
  );
}

function gatewayError({ request, response }: IncomingAnswer, headerCode: string, body: unknown): GatewayError {
  const envelope = isFields(body) && isFields(body.error) ? body.error : undefined;
  // The front door answers some requests before any function sees them, with a body of its own.
  const message = optionalText(envelope ?? body, 'message') ?? `status ${response.status}`;
  const code = optionalText(envelope, 'code') ?? headerCode;
  const applied = appliedOf(envelope);
  return new GatewayError(`The gateway refused the call (${code}): ${message}`, {
    code,
    status: response.status,
    requestId: optionalText(envelope, 'request_id') ?? requestId(response),
    problems: recordList(envelope, 'errors').map(problem),
    connection: isFields(envelope?.connection) ? diagnosis(envelope.connection) : undefined,
    retryAfterSec: retryAfterSec(response.headers),
    approval: approvalOf(envelope),
    applied,
    mayHaveBeenApplied: !isRead(request.method) && (applied === undefined ? OPEN_OUTCOME.has(code) : applied !== 'no'),
  });
}

/** The approval that a call waits for. */
function approvalOf(envelope: Fields | undefined): WaitingApproval | undefined {
  const fields = optionalFields(envelope, 'approval');
  const [id, url, expiresAt] = ['approval_id', 'url', 'expires_at'].map((name) => optionalText(fields, name));
  return id === undefined || url === undefined || expiresAt === undefined ? undefined : { id, url, expiresAt };
}

/** A word that is not known leaves the outcome open, as no answer would. */
function appliedOf(envelope: Fields | undefined): Applied | undefined {
  const value = optionalText(envelope, 'applied');
  return value === undefined || value === 'no' ? value : 'unknown';
}

function providerError({ request, response }: IncomingAnswer, body: unknown): ProviderError {
  const error = isFields(body) && isFields(body.error) ? body.error : undefined;
  const reason = optionalText(recordList(error, 'errors')[0], 'reason') ?? optionalText(error, 'status');
  const said = optionalText(error, 'message');
  const detail = `${reason === undefined ? '' : ` (${reason})`}${said === undefined ? '' : `: ${said}`}`;
  return new ProviderError(`Google answered ${request.method} with status ${response.status}${detail}`, {
    status: response.status,
    headers: response.headers,
    body,
    reason,
    requestId: requestId(response),
    retryAfterSec: retryAfterSec(response.headers),
  });
}

function problem(fields: Fields): Problem {
  return { path: optionalText(fields, 'path') ?? '', message: optionalText(fields, 'message') ?? '' };
}

/** Reads why a connection cannot be used. */
export function diagnosis(fields: Fields): ConnectionDiagnosis {
  const likelyCauses = recordList(fields, 'likely_causes').map(likelyCause);
  const certain = optionalBoolean(fields, 'certain') ?? false;
  const explanation = likelyCauses[0]?.explanation ?? '';
  return {
    status: optionalText(fields, 'status') ?? '',
    cause: optionalText(fields, 'cause') ?? 'unknown',
    certain,
    // A gateway of an earlier version sends only the parts.
    whatHappened:
      optionalText(fields, 'what_happened') ??
      (certain || explanation === '' ? explanation : `Probably: ${explanation}`),
    evidence: readEvidence(optionalFields(fields, 'evidence')),
    canBeCheckedAgain: optionalBoolean(fields, 'can_be_checked_again') ?? false,
    likelyCauses,
    remedy: optionalText(fields, 'remedy') ?? '',
    since: optionalText(fields, 'since'),
  };
}

function readEvidence(fields: Fields | undefined): DeathEvidence | undefined {
  if (fields === undefined) return undefined;
  return {
    type: optionalText(fields, 'type') ?? '',
    reason: optionalText(fields, 'reason'),
    statedAt: optionalText(fields, 'stated_at') ?? '',
  };
}

function likelyCause(fields: Fields): LikelyCause {
  return {
    cause: optionalText(fields, 'cause') ?? 'unknown',
    likelihood: optionalNumber(fields, 'likelihood') ?? 0,
    who: optionalText(fields, 'who') ?? '',
    explanation: optionalText(fields, 'explanation') ?? '',
    remedy: optionalText(fields, 'remedy') ?? '',
  };
}

function requestId(response: Response): string | undefined {
  // The second is API Gateway's own, for answers that it gives by itself.
  return response.headers.get('x-request-id') ?? response.headers.get('x-amzn-requestid') ?? undefined;
}

/** Seconds or an HTTP date (RFC 9110 section 10.2.3). */
function retryAfterSec(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
