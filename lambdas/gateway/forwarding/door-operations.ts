import type { Call, CallBook } from '../calls/book.ts';
import type { DoorAlias } from '../core/contract.ts';
import { GatewayError } from '../core/errors.ts';
import type { GatewayResponse } from '../core/http-message.ts';
import type { CallContext } from '../core/ports.ts';
import type { Caller, CallerDirectory } from '../keys/authenticate-caller.ts';
import type { BoundCallers } from '../keys/ports.ts';
import type { UpstreamPlan } from '../proxying/upstream-request.rules.ts';
import type { ConnectionRefresher } from '../tokens/refresher.ts';
import type { CallControl } from './proxy-call.ts';

/** Takes what an operation reports before its answer, for an asking function that wants it. */
export type ReportPart = (part: unknown) => void;

/** Answers one kind of question. @param input as it came, of any form */
export type DoorOperation = (input: unknown, context: CallContext, report: ReportPart) => Promise<GatewayResponse>;

/** What one function may ask. */
export interface Door {
  /** The name under which it invokes the proxy. */
  readonly alias: DoorAlias;
  readonly operations: DoorOperations;
}

/** What operations stand on, in addition to what all functions share: calls as the proxy makes them. */
export interface DoorDependencies {
  readonly book: CallBook;
  readonly directory: CallerDirectory;
  readonly boundCallers: BoundCallers;
  /** The one refresher of the process. */
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  /** @throws GatewayError for every answer of the gateway itself */
  readonly forwardCall: (
    call: Call,
    control: CallControl,
    caller: Caller,
    context: CallContext,
  ) => Promise<GatewayResponse>;
  /** @throws GatewayError for every answer of the gateway itself */
  readonly forwardPlan: (
    call: Call,
    control: CallControl,
    caller: Caller,
    plan: UpstreamPlan,
    context: CallContext,
  ) => Promise<GatewayResponse>;
}

/**
 * What one function may ask of the proxy, by the operation's name. An operation judges the credential that it is given, or a row that the
 * asking function cannot write, and never returns a token (TB-2, TB-3).
 */
export type DoorOperations = Readonly<Record<string, DoorOperation>>;

/**
 * A door whose operations are opened with the first question, because most processes meet none.
 *
 * @param open loads them; tried again after a failure
 */
export function lazyDoor<Name extends string>(
  alias: DoorAlias,
  names: readonly Name[],
  open: () => Promise<Readonly<Record<Name, DoorOperation>>>,
): Door {
  let opened: Promise<Readonly<Record<Name, DoorOperation>>> | undefined;
  const operation =
    (name: Name): DoorOperation =>
    async (input, context, report) => {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return (await opened)[name](input, context, report);
    };
  return { alias, operations: Object.fromEntries(names.map((name) => [name, operation(name)])) };
}

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
