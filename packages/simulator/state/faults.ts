import type { HandlerEffects, Origin } from '../http/exchange.ts';
import {
  count,
  flag,
  listOf,
  number,
  object,
  oneOf,
  optional,
  type Parser,
  recordOf,
  ShapeError,
  text,
} from '../parse.ts';
import { randomText } from '../random.ts';

/** Kind of credential a request carries. */
export type TokenKind = 'access' | 'refresh' | 'code';

/** What fault switches and the recorder can tell about a request. */
export interface RequestFacts {
  origin: Origin;
  method: string;
  path: string;
  clientId?: string;
  /** E-mail. */
  account?: string;
  tokenKind?: TokenKind;
  /** SHA-256 hex of the token or code, when it is one the simulator issued. */
  tokenSha256?: string;
}

const statusCode: Parser<number> = (value, place) => {
  const status = number(value, place);
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new ShapeError(`${place} must be a status code from 200 to 599.`);
};

/** Answer of an API fault; the members of Google's error envelope. */
const apiError = object({ code: statusCode, reason: text, message: optional(text) });

const oauthError = object({
  status: statusCode,
  error: text,
  error_description: optional(text),
  error_subtype: optional(text),
});

const callbackError = object({ error: text, error_description: optional(text) });

/** What a fault switch does; several members combine. */
const faultAction = object({
  status: optional(statusCode),
  headers: optional(recordOf(text)),
  body: optional(text),
  apiError: optional(apiError),
  oauthError: optional(oauthError),
  rawBody: optional(text),
  contentType: optional(text),
  redirect: optional(text),
  delayMs: optional(count),
  hang: optional(flag),
  dripBytesPerSec: optional(count),
  resetAfterBytes: optional(count),
  truncateAfterBytes: optional(count),
  closeBeforeApply: optional(flag),
  closeAfterApply: optional(flag),
  rotateRefreshToken: optional(oneOf('strict', 'grace')),
  refreshScope: optional(text),
  omitRefreshToken: optional(flag),
  callbackError: optional(callbackError),
  iss: optional(text),
  refreshTokenExpiresInSec: optional(count),
});
export type FaultAction = ReturnType<typeof faultAction>;

const faultMatch = object({
  origin: optional(oneOf('accounts', 'token', 'api')),
  method: optional(text),
  pathPrefix: optional(text),
  clientId: optional(text),
  account: optional(text),
  tokenKind: optional(oneOf('access', 'refresh', 'code')),
});

const faultShape = object({
  id: optional(text),
  match: optional(faultMatch),
  times: optional(count),
  after: optional(count),
  action: faultAction,
});

/** An active switch; `times` counts down, absent means lasting. */
export interface Fault {
  id: string;
  match: NonNullable<ReturnType<typeof faultMatch>>;
  times?: number;
  /** Matching requests to let pass first; counts down. */
  after: number;
  action: FaultAction;
}

/** Reads a fault of a control request; one without any action is refused. */
const parseFault: Parser<Fault> = (value, place) => {
  const shape = faultShape(value, place);
  if (Object.values(shape.action).every((member) => member === undefined)) {
    throw new ShapeError(`${place}.action must do something, for example {"status": 503}.`);
  }
  const { times } = shape;
  return {
    id: shape.id ?? randomText(6),
    match: shape.match ?? faultMatch({}, `${place}.match`),
    ...(times === undefined ? {} : { times }),
    after: shape.after ?? 0,
    action: shape.action,
  };
};

/** Several faults at once. */
export const parseFaults: Parser<Fault[]> = (value, place) =>
  Array.isArray(value) ? listOf(parseFault)(value, place) : [parseFault(value, place)];

/** The switches that are on. */
export interface FaultBoard {
  faults: Map<string, Fault>;
}

/** No switch on. */
export function createFaultBoard(): FaultBoard {
  return { faults: new Map() };
}

function matches(fault: Fault, facts: RequestFacts): boolean {
  const { origin, method, pathPrefix, clientId, account, tokenKind } = fault.match;
  return (
    (origin === undefined || origin === facts.origin) &&
    (method === undefined || method.toUpperCase() === facts.method) &&
    (pathPrefix === undefined || facts.path.startsWith(pathPrefix)) &&
    (clientId === undefined || clientId === facts.clientId) &&
    (account === undefined || account === facts.account) &&
    (tokenKind === undefined || tokenKind === facts.tokenKind)
  );
}

/** Members that stand in each other's way: of each group one switch acts per request, the next waits its turn. */
const GROUPS: readonly (readonly (keyof FaultAction)[])[] = [
  ['status', 'headers', 'body', 'apiError', 'oauthError', 'rawBody', 'contentType', 'redirect'],
  ['hang', 'dripBytesPerSec', 'resetAfterBytes', 'truncateAfterBytes', 'closeBeforeApply', 'closeAfterApply'],
  ['delayMs'],
  ['rotateRefreshToken'],
  ['refreshScope'],
  ['omitRefreshToken'],
  ['callbackError'],
  ['iss'],
  ['refreshTokenExpiresInSec'],
];

function touchedGroups(action: FaultAction): number[] {
  return GROUPS.flatMap((members, index) => (members.some((member) => action[member] !== undefined) ? [index] : []));
}

/** True when the switch acts now; its counters go down. */
function isDue(board: FaultBoard, fault: Fault): boolean {
  if (fault.after > 0) {
    fault.after -= 1;
    return false;
  }
  if (fault.times === undefined) return true;
  fault.times -= 1;
  if (fault.times <= 0) board.faults.delete(fault.id);
  return fault.times >= 0;
}

/**
 * What the switches do to this request, the earliest first; `undefined` when none acts. Several one-shot answers thus
 * form a queue, while a delay and an answer combine.
 */
export function takeFaultAction(board: FaultBoard, facts: RequestFacts): FaultAction | undefined {
  const taken = new Set<number>();
  let combined: FaultAction | undefined;
  for (const fault of [...board.faults.values()]) {
    const groups = touchedGroups(fault.action);
    if (!matches(fault, facts) || groups.some((group) => taken.has(group)) || !isDue(board, fault)) continue;
    for (const group of groups) taken.add(group);
    const set = Object.entries(fault.action).filter(([, member]) => member !== undefined);
    combined = { ...fault.action, ...combined, ...Object.fromEntries(set) };
  }
  return combined;
}

/** The part of an action that handlers carry out. */
export function handlerEffects(action: FaultAction | undefined): HandlerEffects {
  const { rotateRefreshToken, refreshScope, omitRefreshToken, callbackError, iss, refreshTokenExpiresInSec } =
    action ?? {};
  return {
    ...(rotateRefreshToken === undefined ? {} : { rotateRefreshToken }),
    ...(refreshScope === undefined ? {} : { refreshScope }),
    ...(omitRefreshToken === undefined ? {} : { omitRefreshToken }),
    ...(callbackError === undefined ? {} : { callbackError }),
    ...(iss === undefined ? {} : { iss }),
    ...(refreshTokenExpiresInSec === undefined ? {} : { refreshTokenExpiresInSec }),
  };
}
