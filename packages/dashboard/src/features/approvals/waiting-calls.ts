import { createSharedValue, type SharedValue } from '../../data/shared-value.ts';
import type { Gateway } from '../../gateway/gateway.ts';

/** The number of calls that wait for approval; 0 until it is known. */
export type WaitingCalls = SharedValue<number>;

/** The count that the navigation shows. @param nowMs the time, epoch milliseconds */
export function createWaitingCalls({ approvals }: Pick<Gateway, 'approvals'>, nowMs?: () => number): WaitingCalls {
  const count = async () => {
    const all = await approvals.list({ about: false });
    return all.filter(({ status }) => status === 'pending').length;
  };
  return createSharedValue(0, count, nowMs);
}

const counts = new WeakMap<Gateway, WaitingCalls>();

/** The count of a gateway, which all pages share. */
export function waitingCallsOf(gateway: Gateway): WaitingCalls {
  const known = counts.get(gateway) ?? createWaitingCalls(gateway);
  counts.set(gateway, known);
  return known;
}
