import { ERROR_HEADER, GatewayError, type GatewayErrorCode } from './errors.ts';
import { type GatewayResponse, type HeaderPairs, headerValue } from './http-message.ts';
import type { CallContext } from './ports.ts';

/** A request to the proxy or to `core` by its inner door. */
export interface DoorQuestion {
  readonly operation: string;
  readonly input: unknown;
  /** Of the request that it is made for, so that both logs have the same. */
  readonly requestId: string;
  /** Milliseconds until the answer must be there. */
  readonly withinMs: number;
  /** Receives what the operation reports before its answer. */
  readonly onPart?: (part: unknown) => void;
}

/** Media type of an answer in parts: lines of JSON, each a `DoorLine`, of which the last one has the answer. */
export const DOOR_LINES_TYPE = 'application/x-ndjson';

/** A line of such an answer. */
export type DoorLine =
  | { readonly part: unknown }
  | { readonly end: Pick<DoorAnswer, 'status' | 'headers'> & { readonly body: string } };

/** The response, refusals included, whose body is the error envelope. */
export interface DoorAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/** Sends a request by an inner door. @throws GatewayError where there is no response: `service_unavailable`, `request_too_large`, `upstream_timeout` */
export type InnerDoor = (question: DoorQuestion) => Promise<DoorAnswer>;

/** A refusal by the asked function, which the asking function passes on unchanged. */
export class RefusedAtDoor extends GatewayError {
  readonly response: GatewayResponse;
  constructor(code: GatewayErrorCode, response: GatewayResponse) {
    super(code, 'The function that was asked refuses the request');
    this.response = response;
  }
}

/** What an operation answers, read as JSON. @throws RefusedAtDoor */
export function doorJson(answer: DoorAnswer): unknown {
  const refused = headerValue(answer.headers, ERROR_HEADER);
  if (refused !== undefined) throw new RefusedAtDoor(refused as GatewayErrorCode, answer);
  return JSON.parse(Buffer.from(answer.body).toString('utf8'));
}

/** Takes what an operation reports before its answer, for an asking function that wants it. */
export type ReportPart = (part: unknown) => void;

/** Answers one kind of question. @param input as it came, of any form */
export type DoorOperation = (input: unknown, context: CallContext, report: ReportPart) => Promise<GatewayResponse>;

/**
 * What one function may ask, by the operation's name. An operation judges the credential that it is given, or a row that the
 * asking function cannot write, and never returns a token (TB-2, TB-3).
 */
export type DoorOperations = Readonly<Record<string, DoorOperation>>;

/** An operation's answer. @param value as JSON; undefined is null */
export function jsonAnswer(value: unknown): GatewayResponse {
  const headers = [['content-type', 'application/json; charset=utf-8']] as const;
  return { status: 200, headers, body: Buffer.from(JSON.stringify(value ?? null)) };
}

/**
 * Answers a request by the inner door. The name by which the function was invoked decides which operations there are; nothing in the
 * event does.
 *
 * @throws GatewayError `not_found` for every other event, such as one of a front door
 */
export async function answerAtDoor(
  operations: DoorOperations | undefined,
  event: object,
  context: CallContext,
  report: ReportPart,
): Promise<GatewayResponse> {
  const operation = 'operation' in event && typeof event.operation === 'string' ? event.operation : '';
  const input = 'input' in event ? event.input : undefined;
  const asked = operations !== undefined && Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (asked === undefined) throw new GatewayError('not_found', 'This door has no such operation.');
  return asked(input, context, report);
}
