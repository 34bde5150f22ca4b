import { GatewayError, type Problem, refusal } from '../core/errors.ts';
import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import { CONNECTION_ID_RULE, INTEGRATION_ID_RULE, isConnectionId, isIntegrationId } from '../core/identifiers.ts';
import { RETRIES_MAX } from '../core/limits.ts';
import { bearerToken } from './secret-key.rules.ts';

/** What a proxied request asks of the gateway itself. */
export interface ProxyControl {
  readonly secretKey: string;
  readonly integrationId: string;
  readonly connectionId: string;
  /** Extra attempts, 0 to 5. */
  readonly retries: number;
  /** Statuses the caller declared repeatable. */
  readonly retryOn: ReadonlySet<number>;
  /** One of the provider's own addresses, where the caller names it. */
  readonly baseUrlOverride: string | undefined;
}

/**
 * Reads the gateway's own headers from a proxied request, every problem at once (PX-9, PX-10, PX-24).
 *
 * @param apiOrigins the only addresses `Base-Url-Override` may name
 * @throws GatewayError `missing_auth_header`, `invalid_secret_key` or `invalid_headers`
 */
export function readProxyControl(headers: HeaderPairs, apiOrigins: readonly string[]): ProxyControl {
  const authorizations = headerValues(headers, 'authorization');
  if (authorizations.length === 0) {
    throw new GatewayError('missing_auth_header', 'Send the secret key as Authorization: Bearer <SECRET_KEY>.');
  }
  const problems: Problem[] = [];
  if (authorizations.length > 1) problems.push({ path: 'headers.Authorization', message: 'send it once' });
  const integrationId = single(headers, 'Provider-Config-Key', problems, isIntegrationId, INTEGRATION_ID_RULE);
  const connectionId = single(headers, 'Connection-Id', problems, isConnectionId, CONNECTION_ID_RULE);
  const retries = readRetries(headers, problems);
  const retryOn = readRetryOn(headers, problems);
  const baseUrlOverride = readBaseUrlOverride(headers, apiOrigins, problems);
  if (problems.length > 0) throw refusal('invalid_headers', problems);
  const secretKey = bearerToken(authorizations[0] ?? '');
  if (secretKey === undefined) throw invalidSecretKey();
  return { secretKey, integrationId, connectionId, retries, retryOn, baseUrlOverride };
}

/** One answer for every kind of wrong key (AK-3). */
export function invalidSecretKey(): GatewayError {
  return new GatewayError(
    'invalid_secret_key',
    'The secret key is not valid. Send it as Authorization: Bearer <SECRET_KEY>.',
  );
}

function single(
  headers: HeaderPairs,
  name: string,
  problems: Problem[],
  isValid: (value: string) => boolean,
  rule: string,
): string {
  const values = headerValues(headers, name);
  const value = values[0] ?? '';
  if (values.length === 0 || value === '')
    problems.push({ path: `headers.${name}`, message: 'this header is required' });
  else if (values.length > 1) problems.push({ path: `headers.${name}`, message: 'send it once' });
  else if (!isValid(value)) problems.push({ path: `headers.${name}`, message: rule });
  return value;
}

function readRetries(headers: HeaderPairs, problems: Problem[]): number {
  const value = lastNonEmpty(headers, 'Retries');
  if (value === undefined) return 0;
  if (!/^\d{1,6}$/.test(value)) {
    problems.push({ path: 'headers.Retries', message: `send a whole number from 0 to ${RETRIES_MAX}` });
    return 0;
  }
  return Math.min(Number(value), RETRIES_MAX);
}

function readRetryOn(headers: HeaderPairs, problems: Problem[]): ReadonlySet<number> {
  const value = lastNonEmpty(headers, 'Retry-On');
  const statuses = new Set<number>();
  if (value === undefined) return statuses;
  for (const part of value.split(',')) {
    const trimmed = part.trim();
    if (!/^[1-5]\d\d$/.test(trimmed)) {
      problems.push({ path: 'headers.Retry-On', message: 'send HTTP statuses separated by commas, such as 429,503' });
      break;
    }
    statuses.add(Number(trimmed));
  }
  return statuses;
}

function readBaseUrlOverride(
  headers: HeaderPairs,
  apiOrigins: readonly string[],
  problems: Problem[],
): string | undefined {
  let named: string | undefined;
  for (const value of headerValues(headers, 'Base-Url-Override')) {
    const trimmed = value.trim().replace(/\/$/, '');
    if (trimmed === '') continue;
    named = trimmed;
    if (apiOrigins.includes(trimmed)) continue;
    problems.push({
      path: 'headers.Base-Url-Override',
      message: "the gateway calls only the provider's own address; leave this header out",
    });
  }
  return named;
}

function lastNonEmpty(headers: HeaderPairs, name: string): string | undefined {
  return headerValues(headers, name)
    .map((value) => value.trim())
    .findLast((value) => value !== '');
}
