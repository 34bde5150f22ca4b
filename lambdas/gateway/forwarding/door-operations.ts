import type { Call, CallBook } from '../calls/book.ts';
import type { DoorAlias } from '../core/contract.ts';
import type { DoorOperation, DoorOperations } from '../core/door.ts';
import type { GatewayResponse } from '../core/http-message.ts';
import type { CallContext } from '../core/ports.ts';
import type { Caller, CallerDirectory } from '../keys/authenticate-caller.ts';
import type { BoundCallers } from '../keys/ports.ts';
import type { UpstreamPlan } from '../proxying/upstream-request.rules.ts';
import type { ConnectionRefresher } from '../tokens/refresher.ts';
import type { CallControl } from './proxy-call.ts';

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
