import { doorJson, type InnerDoor } from '../../../gateway/core/door.ts';
import { GatewayError } from '../../../gateway/core/errors.ts';
import { jsonObject } from '../called-object.rules.ts';
import { isObject } from '../read-call.rules.ts';

export interface RunApprovedDependencies {
  readonly door: InnerDoor;
  readonly pause: (ms: number) => Promise<void>;
}

/** How long to wait before the proxy is asked again, and the least time in which it can run a call. */
const ASK_AGAIN_MS = 2_000;
const RUN_WITHIN_MS = 15_000;

/**
 * Asks the proxy to send what an event of the bus says was approved. While the proxy is busy it is asked again: Lambda repeats a failed
 * invocation only twice.
 *
 * @param remainingMs milliseconds until the proxy's answer must be there
 * @throws GatewayError where the proxy gave no answer
 */
export async function runApproved(
  { door, pause }: RunApprovedDependencies,
  event: unknown,
  requestId: string,
  remainingMs: () => number,
): Promise<unknown> {
  const approved = approvedIn(event);
  if (approved === undefined) return { state: 'none' };
  for (;;) {
    try {
      return doorJson(await door({ operation: 'run', input: approved, requestId, withinMs: remainingMs() }));
    } catch (error) {
      const isUnsent = error instanceof GatewayError && error.applied === 'no';
      if (!isUnsent || remainingMs() < ASK_AGAIN_MS + RUN_WITHIN_MS) throw error;
      await pause(ASK_AGAIN_MS);
    }
  }
}

/** The approval that an event of the bus says was approved; undefined for any other event. */
function approvedIn(event: unknown): { readonly accountId: string; readonly id: string } | undefined {
  const detail = isObject(event) ? event.detail : undefined;
  const read = typeof detail === 'string' ? jsonObject(detail) : detail;
  if (!isObject(read) || read.outcome !== 'approved') return undefined;
  const { account_id: accountId, approval_id: id } = read;
  return typeof accountId === 'string' && typeof id === 'string' ? { accountId, id } : undefined;
}
