import { ERROR_HEADER, GatewayError, type GatewayErrorCode } from './errors.ts';
import { type GatewayResponse, type HeaderPairs, headerValue } from './http-message.ts';

/** A request of the proxy by its inner door. */
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

/** The proxy's answer, refusals included, whose body is the error envelope. */
export interface DoorAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/** Asks the proxy. @throws GatewayError where there is no answer: `service_unavailable`, `request_too_large`, `upstream_timeout` */
export type InnerDoor = (question: DoorQuestion) => Promise<DoorAnswer>;

/** A refusal of the proxy, which the asking function passes on unchanged. */
export class RefusedAtDoor extends GatewayError {
  readonly response: GatewayResponse;
  constructor(code: GatewayErrorCode, response: GatewayResponse) {
    super(code, 'The proxy refuses the request');
    this.response = response;
  }
}

/** What an operation answers, read as JSON. @throws RefusedAtDoor */
export function doorJson(answer: DoorAnswer): unknown {
  const refused = headerValue(answer.headers, ERROR_HEADER);
  if (refused !== undefined) throw new RefusedAtDoor(refused as GatewayErrorCode, answer);
  return JSON.parse(Buffer.from(answer.body).toString('utf8'));
}
