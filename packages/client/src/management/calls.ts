import {
  fieldsList,
  fieldsOf,
  number,
  optionalNumber,
  optionalText,
  text,
  textList,
  type Unread,
} from '../http/fields.ts';
import type { ConnectionRef } from '../http/headers.ts';
import { type CallOptions, type Manage, onTheWire } from './manage.ts';
import type * as wire from './wire.ts';

/** One proxied call of the call log: facts about it, without content. */
export interface LoggedCall extends ConnectionRef {
  readonly id: string;
  /** `x-request-id` of its answer. */
  readonly requestId: string;
  /** When it began, ISO 8601 UTC. */
  readonly time: string;
  /** First 12 characters of the secret key's id. */
  readonly keyId: string;
  readonly method: string;
  /** Pattern of the path, such as `/drive/v3/files/{}`; `{unmatched}` for a path Google does not document. */
  readonly path: string;
  readonly status: number;
  readonly answeredBy: 'provider' | 'gateway';
  /** Code of the gateway's own answer. */
  readonly errorCode: string | undefined;
  /** Google's reason of a failure. */
  readonly reason: string | undefined;
  /** Milliseconds until Google's status line. */
  readonly headMs: number | undefined;
  /** Milliseconds until the last byte had left. */
  readonly totalMs: number;
  /** Requests sent to Google. */
  readonly attempts: number;
  /** Whether the call waited for a new access token. */
  readonly refreshed: boolean;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** False where the answer broke off. */
  readonly complete: boolean;
  /** 10 where only one call in ten left a row. */
  readonly standsFor: number;
}

/** One page of a connection's calls, newest first. */
export interface CallPage {
  readonly calls: readonly LoggedCall[];
  /** `cursor` of the next page. */
  readonly nextCursor: string | undefined;
  readonly log: {
    /** Which calls of the deployment leave a row. */
    readonly mode: 'off' | 'errors' | 'all';
    readonly retentionDays: number;
    /** Until when every call of the connection leaves a row. */
    readonly recordingUntil: string | undefined;
  };
}

/**
 * How a call failed: `provider_failed` 5xx of Google, `rate_limited` 429 of Google, `gateway_failed` 5xx of the gateway, `refused` any
 * other 4xx, `broken_off` an answer that was cut off.
 */
export type CallFailure = wire.FailedCall['failure'];

/** A failed call of any connection. */
export interface FailedCall extends LoggedCall {
  readonly failure: CallFailure;
  /** Name, e-mail address or id of the end user, or the connection's id where nothing else is known. */
  readonly connectionName: string;
}

/** One page of the account's failed calls, newest first. */
export interface FailedCallPage {
  readonly calls: readonly FailedCall[];
  /** `cursor` of the next page. */
  readonly nextCursor: string | undefined;
  readonly log: Pick<CallPage['log'], 'mode' | 'retentionDays'>;
}

/** Which failed calls. */
export interface FailedCallFilter {
  failure?: CallFailure | (string & {});
  /** Google's reason, or the code of the gateway's own answer. */
  reason?: string;
  status?: number;
  /** Id of a secret key, or its first 12 characters. */
  keyId?: string;
  providerConfigKey?: string;
  connectionId?: string;
  /** ISO 8601: what ended then or later. */
  since?: string;
  /** ISO 8601: what ended before. */
  until?: string;
  /** At most so many, up to 200. @default 50 */
  limit?: number;
  cursor?: string;
}

/** Calls of a minute by how they ended. */
export interface MinuteOfCalls {
  /** When the minute began, ISO 8601 UTC. */
  readonly time: string;
  readonly calls: number;
  readonly ok: number;
  readonly providerFailed: number;
  readonly rateLimited: number;
  readonly gatewayFailed: number;
  readonly refused: number;
  readonly brokenOff: number;
}

/** The last hour that is counted, and what makes its calls fail. */
export interface LastHour {
  readonly minutes: readonly MinuteOfCalls[];
  /** Calls that ended before are counted. */
  readonly countedUntil: string | undefined;
  readonly verdict: string;
  /** The verdict in a sentence. */
  readonly text: string;
  /** Its reasons, as sentences. */
  readonly evidence: readonly string[];
}

/** Which calls. */
export interface CallFilter {
  /** `404`, `4xx`, `ok` (below 400) or `failed`. */
  status?: string;
  /** ISO 8601: what ended then or later. */
  since?: string;
  /** At most so many, up to 200. @default 50 */
  limit?: number;
  cursor?: string;
}

/**
 * The call log.
 *
 * @throws (every method) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export class Calls {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * Calls of a connection, newest first: those that failed, unless more are logged.
   *
   * @example
   * const { calls } = await client.calls.list(connection, { status: '4xx' });
   */
  async list(ref: ConnectionRef, filter: CallFilter = {}, options?: CallOptions): Promise<CallPage> {
    const answer = await this.#manage('listCalls', { ...onTheWire(ref, filter), options });
    const log = fieldsOf(answer.log, 'log');
    return {
      calls: fieldsList(answer.data, 'data').map(readCall),
      nextCursor: optionalText(answer, 'next_cursor'),
      log: {
        ...readLog(log),
        recordingUntil: optionalText(log, 'recording_until'),
      },
    };
  }

  /**
   * Failed calls of all connections, newest first. A page may be empty and still have a next one.
   *
   * @example
   * const { calls } = await client.calls.failed({ failure: 'provider_failed', since: '2026-03-01T00:00:00Z' });
   */
  async failed(filter: FailedCallFilter = {}, options?: CallOptions): Promise<FailedCallPage> {
    const { keyId, providerConfigKey, connectionId, ...plain } = filter;
    const query = {
      ...plain,
      key_id: keyId,
      provider_config_key: providerConfigKey,
      connection_id: connectionId,
    };
    const answer = await this.#manage('listFailedCalls', { query, options });
    return {
      calls: fieldsList(answer.data, 'data').map((one) => ({
        ...readCall(one),
        failure: readFailure(text(one, 'failure')),
        connectionName: text(one, 'connection_name'),
      })),
      nextCursor: optionalText(answer, 'next_cursor'),
      log: readLog(fieldsOf(answer.log, 'log')),
    };
  }

  /**
   * The last hour by minute, and whether Google, the gateway or callers make its calls fail.
   *
   * @example
   * const { text, evidence } = await client.calls.lastHour();
   */
  async lastHour(filter: { providerConfigKey?: string } = {}, options?: CallOptions): Promise<LastHour> {
    const query = { provider_config_key: filter.providerConfigKey };
    const { data } = await this.#manage('readLastHour', { query, options });
    const fields = fieldsOf(data, 'data');
    return {
      minutes: fieldsList(fields.minutes, 'minutes').map((one) => ({
        time: text(one, 'time'),
        calls: number(one, 'calls'),
        ok: number(one, 'ok'),
        providerFailed: number(one, 'provider_failed'),
        rateLimited: number(one, 'rate_limited'),
        gatewayFailed: number(one, 'gateway_failed'),
        refused: number(one, 'refused'),
        brokenOff: number(one, 'broken_off'),
      })),
      countedUntil: optionalText(fields, 'counted_until'),
      verdict: text(fields, 'verdict'),
      text: text(fields, 'text'),
      evidence: textList(fields, 'evidence'),
    };
  }

  /**
   * The call behind the request id of an answer.
   *
   * @throws GatewayError `not_found`
   *
   * @example
   * const { reason } = await client.calls.get('c1f2…');
   */
  async get(requestId: string, options?: CallOptions): Promise<LoggedCall> {
    const { data } = await this.#manage('getCall', { ids: { requestId }, options });
    return readCall(fieldsOf(data, 'data'));
  }

  /**
   * Has every call of a connection logged for an hour.
   *
   * @returns until when
   *
   * @example
   * const until = await client.calls.record(connection);
   */
  async record(ref: ConnectionRef, options?: CallOptions): Promise<string | undefined> {
    const { data } = await this.#manage('recordCalls', { ...onTheWire(ref), options });
    return optionalText(data, 'recording_until');
  }

  /**
   * Ends that before the hour is over.
   *
   * @example
   * await client.calls.stopRecording(connection);
   */
  async stopRecording(ref: ConnectionRef, options?: CallOptions): Promise<void> {
    await this.#manage('stopRecordingCalls', { ...onTheWire(ref), options });
  }
}

function readCall(fields: Unread<wire.Call>): LoggedCall {
  return {
    id: text(fields, 'id'),
    requestId: text(fields, 'request_id'),
    time: text(fields, 'time'),
    providerConfigKey: text(fields, 'provider_config_key'),
    connectionId: text(fields, 'connection_id'),
    keyId: text(fields, 'key_id'),
    method: text(fields, 'method'),
    path: text(fields, 'path'),
    status: number(fields, 'status'),
    answeredBy: fields.answered_by === 'gateway' ? 'gateway' : 'provider',
    errorCode: optionalText(fields, 'error_code'),
    reason: optionalText(fields, 'reason'),
    headMs: optionalNumber(fields, 'head_ms'),
    totalMs: number(fields, 'total_ms'),
    attempts: number(fields, 'attempts'),
    refreshed: fields.refreshed === true,
    bytesIn: number(fields, 'bytes_in'),
    bytesOut: number(fields, 'bytes_out'),
    complete: fields.complete !== false,
    standsFor: number(fields, 'stands_for'),
  };
}

const FAILURES: readonly CallFailure[] = ['provider_failed', 'rate_limited', 'gateway_failed', 'refused', 'broken_off'];

/** A kind that a later gateway may add counts as a refusal. */
function readFailure(kind: string): CallFailure {
  return FAILURES.find((one) => one === kind) ?? 'refused';
}

function readLog(log: Unread<wire.FailedCallPage['log']>): FailedCallPage['log'] {
  const mode = text(log, 'mode');
  return {
    mode: mode === 'off' || mode === 'all' ? mode : 'errors',
    retentionDays: number(log, 'retention_days'),
  };
}
