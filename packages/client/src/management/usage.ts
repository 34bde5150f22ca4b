import { fieldsOf, number, optionalNumber, optionalText, recordList, text, type Unread } from '../http/fields.ts';
import type { CallOptions, Manage } from './manage.ts';
import { readChanges } from './overview.ts';
import type { ChangeDay, CountedChanges } from './overview-types.ts';
import type * as wire from './wire.ts';

/** Calls of one day (UTC), of one integration, connection or secret key. */
export interface UsageDay {
  /** Such as `2026-03-01`. */
  readonly day: string;
  readonly providerConfigKey: string | undefined;
  readonly connectionId: string | undefined;
  /** First 12 characters of the secret key's id. */
  readonly keyId: string | undefined;
  readonly calls: number;
  readonly ok: number;
  /** Google answered 4xx, other than 429. */
  readonly providerRefused: number;
  /** Google answered 5xx. */
  readonly providerFailed: number;
  /** Google answered 429. */
  readonly rateLimited: number;
  /** The gateway answered itself. */
  readonly gatewayRefused: number;
  /** Those of them that the gateway answered with 5xx. */
  readonly gatewayFailed: number;
  /** The answer did not reach its end. */
  readonly brokenOff: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly meanMs: number;
  /** Calls that waited for a new access token. */
  readonly refreshed: number;
  /** Units that the calls took of Google's quotas. */
  readonly units: number;
}

/** Criteria of a count. Days are such as `2026-03-01`, both included. */
export interface UsageQuery {
  /** @default 14 days up to `to` */
  from?: string;
  /** @default today */
  to?: string;
  /** @default 'integration' */
  by?: 'integration' | 'connection' | 'key';
  /** With `by: 'connection'` always. */
  providerConfigKey?: string;
  connectionId?: string;
}

/** Days that have a count; one without calls is not among them. */
export interface Usage {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly UsageDay[];
  /** Calls that ended before are in the rows. ISO 8601; undefined before the first minute is counted. */
  readonly countedUntil: string | undefined;
  /** Calls of these days, of any caller, that left no line to be counted by. */
  readonly missingCalls: number;
  /** Times of these days whose calls could not be counted. ISO 8601. */
  readonly incomplete: readonly { readonly from: string; readonly to: string }[];
}

/** Reads calls by day. */
export type ReadUsage = (query?: UsageQuery, options?: CallOptions) => Promise<Usage>;

/**
 * The function behind `GatewayClient.usage`.
 *
 * @throws (the returned function) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export function usageReader(manage: Manage): ReadUsage {
  return async ({ providerConfigKey, connectionId, from, to, ...plain } = {}, options) => {
    const query = {
      since: from,
      until: to,
      ...plain,
      provider_config_key: providerConfigKey,
      connection_id: connectionId,
    };
    const { data } = await manage('readUsage', { query, options });
    const fields = fieldsOf(data, 'data');
    return {
      from: text(fields, 'from'),
      to: text(fields, 'to'),
      rows: recordList(fields, 'rows').map(readDay),
      countedUntil: optionalText(fields, 'counted_until'),
      // Gateways up to 0.2 do not say.
      missingCalls: optionalNumber(fields, 'missing_calls') ?? 0,
      incomplete:
        fields.incomplete === undefined
          ? []
          : recordList(fields, 'incomplete').map((one) => ({ from: text(one, 'from'), to: text(one, 'to') })),
    };
  };
}

/** Criteria of changes of connections. Days are such as `2026-03-01`, both included. */
export interface ConnectionCountsQuery {
  /** @default 14 days up to `to` */
  from?: string;
  /** @default today */
  to?: string;
  /** @default all that the secret key reaches */
  providerConfigKey?: string;
}

/** Changes of connections by day and integration; days without a change are omitted. */
export interface ConnectionCounts {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly (ChangeDay & { readonly providerConfigKey: string })[];
  readonly total: CountedChanges;
}

/** Reads what became of connections by day. */
export type ReadConnectionCounts = (query?: ConnectionCountsQuery, options?: CallOptions) => Promise<ConnectionCounts>;

/**
 * The function behind `GatewayClient.connectionCounts`.
 *
 * @throws (the returned function) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export function connectionCountsReader(manage: Manage): ReadConnectionCounts {
  return async ({ providerConfigKey, ...plain } = {}, options) => {
    const query = { ...plain, provider_config_key: providerConfigKey };
    const { data } = await manage('readConnectionCounts', { query, options });
    const fields = fieldsOf(data, 'data');
    return {
      from: text(fields, 'from'),
      to: text(fields, 'to'),
      rows: recordList(fields, 'rows').map((one) => ({
        day: text(one, 'day'),
        providerConfigKey: text(one, 'provider_config_key'),
        ...readChanges(one),
      })),
      total: readChanges(fieldsOf(fields.total, 'total')),
    };
  };
}

function readDay(fields: Unread<wire.UsageRow>): UsageDay {
  return {
    day: text(fields, 'day'),
    providerConfigKey: optionalText(fields, 'provider_config_key'),
    connectionId: optionalText(fields, 'connection_id'),
    keyId: optionalText(fields, 'key_id'),
    calls: number(fields, 'calls'),
    ok: number(fields, 'ok'),
    providerRefused: number(fields, 'provider_refused'),
    providerFailed: number(fields, 'provider_failed'),
    rateLimited: number(fields, 'rate_limited'),
    gatewayRefused: number(fields, 'gateway_refused'),
    gatewayFailed: optionalNumber(fields, 'gateway_failed') ?? 0,
    brokenOff: number(fields, 'broken_off'),
    bytesIn: number(fields, 'bytes_in'),
    bytesOut: number(fields, 'bytes_out'),
    meanMs: number(fields, 'mean_ms'),
    refreshed: optionalNumber(fields, 'refreshed') ?? 0,
    units: optionalNumber(fields, 'units') ?? 0,
  };
}
