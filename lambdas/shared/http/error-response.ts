import { GatewayError } from '../domain/errors.ts';
import type { GrantDeath } from '../domain/grant-death.ts';
import type { GatewayResponse } from '../domain/http-message.ts';

/** Marks every answer the gateway itself makes; the provider's never have it (PR-8). */
export const ERROR_HEADER = 'x-gateway-error';

/** Any failure as the error envelope; what is not a `GatewayError` tells nothing but the request id (LG-6). */
export function errorResponse(error: unknown, requestId: string): GatewayResponse {
  const known =
    error instanceof GatewayError
      ? error
      : new GatewayError('internal_error', 'The gateway failed. Its log has the details under this request id.');
  const body = {
    error: {
      code: known.code,
      message: known.message,
      status: known.status,
      request_id: requestId,
      ...(known.applied === undefined ? {} : { applied: known.applied }),
      ...(known.problems === undefined ? {} : { errors: known.problems }),
      ...(known.death === undefined ? {} : { connection: deathOnTheWire(known.death) }),
    },
  };
  return {
    status: known.status,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      [ERROR_HEADER, known.code],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
      ['x-request-id', requestId],
      ...(known.retryAfterSec === undefined ? [] : [['retry-after', String(known.retryAfterSec)] as const]),
    ],
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** A dead grant in the API's spelling. */
export function deathOnTheWire(death: GrantDeath): Record<string, unknown> {
  return {
    status: death.status,
    cause: death.cause,
    certain: death.certain,
    likely_causes: death.likelyCauses.map(({ cause, likelihood, who, explanation, remedy }) => ({
      cause,
      likelihood,
      who,
      explanation,
      remedy,
    })),
    remedy: death.remedy,
    provider_error: death.providerError,
    since: death.since,
  };
}
