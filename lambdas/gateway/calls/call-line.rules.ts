import type { CallLogMode } from '../core/contract.ts';
import { fnv1a } from '../core/identifiers.ts';

/** How calls end: every call belongs to exactly one class. */
export const CALL_CLASSES = [
  'ok',
  'providerRefused',
  'providerFailed',
  'rateLimited',
  'gatewayRefused',
  'brokenOff',
] as const;
export type CallClass = (typeof CALL_CLASSES)[number];

/** The classes of lines, with the 5xx among the gateway's own answers as one more. */
export const LINE_CLASSES = [...CALL_CLASSES, 'gatewayFailed'] as const;
export type LineClass = (typeof LINE_CLASSES)[number];

/** How a call ended. */
export interface EndOfCall {
  readonly status: number;
  /** Whether the answer was the gateway's own. */
  readonly isGateways: boolean;
  /** The call waits for a person's approval: it is counted as successful, and once more when it is made. */
  readonly isHeld?: boolean;
  /** Whether the whole answer left. */
  readonly complete: boolean;
}

/** Whether a call that the gateway answered with a code waits for a person's approval: it has not failed. */
export function isHeldCall(gatewayCode: string | undefined): boolean {
  return gatewayCode === 'approval_required';
}

/** The class of a call. */
export function classOfCall({ status, isGateways, isHeld = false, complete }: EndOfCall): LineClass {
  if (isHeld) return 'ok';
  if (isGateways) return status >= 500 ? 'gatewayFailed' : 'gatewayRefused';
  if (status === 429) return 'rateLimited';
  if (status >= 500) return 'providerFailed';
  if (status >= 400) return 'providerRefused';
  return complete ? 'ok' : 'brokenOff';
}

/** Work for which the gateway calls a provider itself; such calls have the name of the work instead of a key. */
export const BACKGROUND_WORK = ['feeds', 'checks'] as const;
export type BackgroundWork = (typeof BACKGROUND_WORK)[number];

/** Facts that decide whether a call leaves a row. */
export interface CallOutcome {
  readonly status: number;
  readonly complete: boolean;
  /** Until when an operator wants every call of the connection, epoch seconds. */
  readonly recordedUntilEpochSec: number | undefined;
  readonly endedAtEpochSec: number;
}

/**
 * Whether a call leaves a row: in mode `errors` every call that broke off or ended with neither 2xx nor 3xx, and all calls while
 * they are recorded (CL-13).
 */
export function leavesRow(mode: CallLogMode, outcome: CallOutcome): boolean {
  if (mode === 'off') return false;
  if (mode === 'all') return true;
  if (outcome.status >= 400 || !outcome.complete) return true;
  const { recordedUntilEpochSec: until } = outcome;
  return until !== undefined && outcome.endedAtEpochSec < until;
}

/** The counted facts of one proxied call with a known caller: ids, outcome and sizes; no text that the caller wrote. */
export interface CallLine {
  readonly account: string;
  readonly integration: string;
  readonly connection: string;
  /** Start of the secret key's digest, as in the audit trail; the name of the work for calls of the gateway itself. */
  readonly key: string;
  readonly provider: string;
  /** Number of the client's Google Cloud project; null where the client id does not contain it. */
  readonly project: string | null;
  readonly class: LineClass;
  /** Of the answer. */
  readonly status: number;
  /** When the last byte had left, whole milliseconds since 1970. */
  readonly endedAtMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Milliseconds from the call's arrival to its last byte. */
  readonly totalMs: number;
  /** 1 when the call waited for a new access token. */
  readonly refreshed: 0 | 1;
  /** The provider's units that the call took of its quotas. */
  readonly units: number;
  /** ULID of the end: no two calls have the same. */
  readonly callId: string;
  /** The limit, with the method where it is one, that would have refused the call if its key did not only observe. */
  readonly observed?: string;
  /** The call was made for a question by the inner door, which has a line of its own. */
  readonly door?: 1;
}

/** Parts of all connections, so that one query of the log never has to return all of them. */
export const CALL_SLICES = 64;

/** The part a connection falls into, 0 to 63: the same in every process. */
export function sliceOfConnection(integration: string, connection: string): number {
  return fnv1a(`${integration}\n${connection}`) % CALL_SLICES;
}

/**
 * One call as one line of a function's log, without its line break. Its members are below `call`, so that CloudWatch Logs
 * Insights names them `call.account` and so on. Lambda's own fields come first, as in every line of `jsonLogger`: they file the
 * line under INFO, which the template keeps.
 */
export function callLine(call: CallLine): string {
  const { account, integration, connection, key, provider, project, status, endedAtMs } = call;
  const { bytesIn, bytesOut, totalMs, refreshed, units, callId } = call;
  return JSON.stringify({
    timestamp: new Date(endedAtMs).toISOString(),
    level: 'INFO',
    // Each member is copied by name, so that one added by a caller never reaches the log.
    call: {
      account,
      integration,
      connection,
      key,
      provider,
      project,
      class: call.class,
      status,
      endedAtMs,
      bytesIn,
      bytesOut,
      totalMs,
      refreshed,
      units,
      callId,
      slice: sliceOfConnection(integration, connection),
      // Left out where it is undefined.
      observed: call.observed,
      door: call.door,
    },
  });
}

/**
 * The line of a call whose caller is not known, or of a question by the inner door. With it every invocation of the proxy has one line, so lines that Lambda lost
 * show as the difference to Lambda's own count.
 */
export function strangerLine({ endedAtMs, totalMs }: Pick<CallLine, 'endedAtMs' | 'totalMs'>): string {
  return JSON.stringify({ timestamp: new Date(endedAtMs).toISOString(), level: 'INFO', call: { endedAtMs, totalMs } });
}

/** The call that a line of the log reports; undefined for every other line. */
export function readCallLine(text: string): CallLine | undefined {
  const { call } = jsonObject(text);
  if (!isObject(call)) return undefined;
  const { account, integration, connection, key, provider, project, status, endedAtMs } = call;
  const { bytesIn, bytesOut, totalMs, refreshed, units, callId } = call;
  const kind = LINE_CLASSES.find((name) => name === call.class);
  const isComplete =
    isText(account) &&
    isText(integration) &&
    isText(connection) &&
    isText(key) &&
    isText(provider) &&
    (project === null || isText(project)) &&
    kind !== undefined &&
    isCount(status) &&
    isCount(endedAtMs) &&
    isCount(bytesIn) &&
    isCount(bytesOut) &&
    isCount(totalMs) &&
    (refreshed === 0 || refreshed === 1) &&
    isCount(units) &&
    typeof callId === 'string' &&
    /^[0-9A-HJKMNP-TV-Z]{26}$/.test(callId);
  if (!isComplete) return undefined;
  return {
    account,
    integration,
    connection,
    key,
    provider,
    project,
    class: kind,
    status,
    endedAtMs,
    bytesIn,
    bytesOut,
    totalMs,
    refreshed,
    units,
    callId,
  };
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
