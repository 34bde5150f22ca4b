import type { FaultWorld, Subject } from '../faults/support/fault-world.ts';
import { type Outcome, outcomeOf, type WholeAnswer } from './outcome.ts';

/** A call that takes longer hangs: every deadline met in the run is shorter. */
const HANG_MS = 60_000;

export interface CallInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
}

/** One proxied call, read to the end of its body. */
export interface Called {
  readonly outcome: Outcome;
  /** Present where an answer came whole. */
  readonly answer: WholeAnswer | undefined;
}

/**
 * Calls the provider through the gateway as one connection.
 *
 * @throws Error when a short body looked whole (I9), or the call hung (I11)
 */
export function callProxy(world: FaultWorld, subject: Subject, path: string, init: CallInit = {}): Promise<Called> {
  const { integrationId, connectionId } = subject;
  return callGateway(world, `/proxy${path}`, {
    ...init,
    headers: { 'provider-config-key': integrationId, 'connection-id': connectionId, ...init.headers },
  });
}

/** Calls any route with the secret key; throws as `callProxy` does. */
export async function callGateway(world: FaultWorld, path: string, init: CallInit = {}): Promise<Called> {
  const signal = AbortSignal.timeout(HANG_MS);
  const body = await readWhole(() => world.gateway.call(path, { ...init, signal }));
  if (body !== undefined) return { outcome: outcomeOf(body), answer: body };
  if (signal.aborted) throw new Error(`${path} hung for ${HANG_MS / 1000} s`);
  return { outcome: { kind: 'cut' }, answer: undefined };
}

/** @returns undefined where the connection ended before the answer did */
async function readWhole(call: () => Promise<Response>): Promise<WholeAnswer | undefined> {
  let answer: WholeAnswer;
  try {
    const response = await call();
    const { status, headers } = response;
    answer = { status, headers, body: Buffer.from(await response.arrayBuffer()) };
  } catch {
    return undefined;
  }
  const announced = answer.headers.get('x-upstream-content-length');
  const hasBody = answer.status !== 204 && answer.status !== 304;
  if (announced !== null && hasBody && Number(announced) !== answer.body.length) {
    throw new Error(`I9: ${answer.body.length} of ${announced} bytes, and the call looked whole`);
  }
  return answer;
}
