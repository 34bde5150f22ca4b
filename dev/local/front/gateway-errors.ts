/** The answers API Gateway gives by itself, with the stack's gateway responses applied. */
import type { LocalGatewayResponse } from '../template/rest-api.ts';
import type { ResponseHead } from './function-response.ts';

/** Why the front answers by itself. */
export type GatewayErrorKind =
  | 'missing-token'
  | 'forbidden'
  | 'invalid-signature'
  | 'expired-token'
  | 'bad-request'
  | 'request-too-large'
  | 'uri-too-long'
  | 'headers-too-large'
  | 'length-required'
  | 'unknown-transfer-coding'
  | 'throttled'
  | 'bad-response'
  | 'integration-timeout';

interface GatewayError {
  status: number;
  /** Gateway response type, where API Gateway has one. */
  type?: string;
  /**
   * No gateway response applies: the answer is given before API Gateway knows which API is called, or takes no customising.
   */
  fixed?: true;
  message: string;
}

const ERRORS: Record<GatewayErrorKind, GatewayError> = {
  'missing-token': { status: 403, type: 'MISSING_AUTHENTICATION_TOKEN', message: 'Missing Authentication Token' },
  forbidden: { status: 403, type: 'ACCESS_DENIED', message: 'Forbidden' },
  'invalid-signature': { status: 403, type: 'INVALID_SIGNATURE', message: 'The request signature is not valid.' },
  'expired-token': {
    status: 403,
    type: 'EXPIRED_TOKEN',
    message: 'The security token included in the request is expired',
  },
  'bad-request': { status: 400, fixed: true, message: 'Bad Request' },
  // "Amazon API Gateway important notes": customising 413 REQUEST_TOO_LARGE is not supported.
  'request-too-large': { status: 413, fixed: true, message: 'Request Too Long' },
  'uri-too-long': { status: 414, fixed: true, message: 'Request-URI Too Long' },
  'headers-too-large': { status: 431, fixed: true, message: 'Request Header Fields Too Large' },
  // The same page has "Exception" for Transfer-Encoding in front of Lambda and names no status: these texts name the problem.
  'length-required': { status: 411, fixed: true, message: 'Length Required' },
  'unknown-transfer-coding': { status: 501, fixed: true, message: 'Not Implemented' },
  // "Handling Lambda errors with an API Gateway API": 500 when Lambda rejects the call, 502 when the function fails.
  throttled: { status: 500, type: 'INTEGRATION_FAILURE', message: 'Internal server error' },
  'bad-response': { status: 502, message: 'Internal server error' },
  'integration-timeout': { status: 504, type: 'INTEGRATION_TIMEOUT', message: 'Endpoint request timed out' },
};

/**
 * Builds one such answer: the response of its own type, else DEFAULT_4XX or DEFAULT_5XX, else API Gateway's own.
 *
 * @param message instead of the kind's own
 */
export function gatewayError(
  kind: GatewayErrorKind,
  configured: readonly LocalGatewayResponse[],
  requestId: string,
  message?: string,
): ResponseHead & { body: Buffer } {
  const error = message === undefined ? ERRORS[kind] : { ...ERRORS[kind], message };
  const applying = error.fixed === true ? [] : configured;
  const byType = applying.find((one) => error.type !== undefined && one.type === error.type);
  const response = byType ?? applying.find((one) => one.type === (error.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'));
  const body =
    response?.template === undefined
      ? JSON.stringify({ message: error.message })
      : fill(response.template, error, requestId);
  const headers = Object.entries(response?.headers ?? {}).map(([name, value]): [string, string] => [
    name,
    value === 'context.requestId' ? requestId : value.slice(1, -1),
  ]);
  return {
    // Only a response of the error's own type may change the status; a default applies to many.
    status: byType?.status ?? error.status,
    headers: [['Content-Type', 'application/json'], ...headers],
    body: Buffer.from(body, 'utf8'),
  };
}

/** Refuses templates with variables that are not supported. @throws Error naming the variable. */
export function requireKnownTemplates(configured: readonly LocalGatewayResponse[]): void {
  for (const { template, type } of configured) {
    if (template !== undefined) fill(template, { status: 400, type, message: '' }, '');
  }
}

function fill(template: string, error: GatewayError, requestId: string): string {
  const values: Record<string, string> = {
    'context.error.messageString': JSON.stringify(error.message),
    'context.error.message': error.message,
    'context.error.responseType': error.type ?? '',
    'context.requestId': requestId,
  };
  return template.replaceAll(/\$([a-zA-Z]+(?:\.[a-zA-Z]+)*)/g, (variable, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new Error(`The gateway response template uses ${variable}, which is not supported locally.`);
    return value;
  });
}
