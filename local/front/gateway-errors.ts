/** The answers API Gateway gives by itself, with the stack's gateway responses applied. */
import type { LocalGatewayResponse } from '../template/rest-api.ts';
import type { ResponseHead } from './function-response.ts';

/** Why the front answers by itself. */
export type GatewayErrorKind =
  | 'missing-token'
  | 'forbidden'
  | 'bad-request'
  | 'request-too-large'
  | 'uri-too-long'
  | 'headers-too-large'
  | 'throttled'
  | 'bad-response'
  | 'integration-timeout';

interface GatewayError {
  status: number;
  /** Gateway response type, where API Gateway has one. */
  type: string | undefined;
  message: string;
}

const ERRORS: Record<GatewayErrorKind, GatewayError> = {
  'missing-token': { status: 403, type: 'MISSING_AUTHENTICATION_TOKEN', message: 'Missing Authentication Token' },
  forbidden: { status: 403, type: 'ACCESS_DENIED', message: 'Forbidden' },
  'bad-request': { status: 400, type: 'BAD_REQUEST_PARAMETERS', message: 'Bad Request' },
  'request-too-large': { status: 413, type: 'REQUEST_TOO_LARGE', message: 'Request Too Long' },
  'uri-too-long': { status: 414, type: undefined, message: 'Request-URI Too Long' },
  'headers-too-large': { status: 431, type: undefined, message: 'Request Header Fields Too Large' },
  throttled: { status: 429, type: 'THROTTLED', message: 'Too Many Requests' },
  'bad-response': { status: 502, type: undefined, message: 'Internal server error' },
  'integration-timeout': { status: 504, type: 'INTEGRATION_TIMEOUT', message: 'Endpoint request timed out' },
};

/** Builds one such answer: the response of its own type, else DEFAULT_4XX or DEFAULT_5XX, else API Gateway's own. */
export function gatewayError(
  kind: GatewayErrorKind,
  configured: readonly LocalGatewayResponse[],
  requestId: string,
): ResponseHead & { body: Buffer } {
  const error = ERRORS[kind];
  const byType = configured.find((one) => error.type !== undefined && one.type === error.type);
  const response =
    byType ?? configured.find((one) => one.type === (error.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'));
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

/** Refuses templates with variables that are not implemented. @throws Error naming the variable. */
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
      throw new Error(`The gateway response template uses ${variable}, which is not implemented locally.`);
    return value;
  });
}
