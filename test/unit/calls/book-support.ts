import type { CallLimits } from '../../../lambdas/gateway/calls/admission.ts';
import { CallBook, type CallBookDependencies } from '../../../lambdas/gateway/calls/book.ts';
import { type CallLine, readCallLine } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import type { CallRecord } from '../../../lambdas/gateway/calls/call-record.rules.ts';
import { LimitsJudge } from '../../../lambdas/gateway/calls/judge-limits.ts';
import { ProxyPacing } from '../../../lambdas/gateway/calls/proxy-pacing.ts';
import type { CallFault, Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { Caller } from '../../../lambdas/gateway/keys/authenticate-caller.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { CHANGES } from '../../../lambdas/gateway/providers/changes.ts';
import { integration } from '../refresh/support/connection.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';
import { secretKeyRecord } from '../support/secret-key.ts';

/** Books of processes over one table in memory, and all that they wrote. */
export function callBooks(
  options: Partial<Pick<CallBookDependencies, 'callLogMode' | 'totals'>> & {
    readonly broken?: boolean;
    readonly limits?: Partial<CallLimits>;
  } = {},
) {
  const { broken = false, callLogMode = 'errors', totals = memoryCallTotals() } = options;
  const lines: string[] = [];
  const rows: CallRecord[] = [];
  const faults: string[] = [];
  const counted: string[] = [];
  const counts = new Map<number, number>();
  const clock = { ms: NOW_EPOCH_SEC * 1000, nowMs: () => clock.ms };
  let made = 0;
  const deps: CallBookDependencies = {
    totals,
    lines: { append: (line) => void lines.push(line) },
    callLog: {
      write: async (record) => void rows.push(record),
      count: async (_ref, day, calls) => {
        if (broken) throw new Error('throttled');
        counts.set(day, (counts.get(day) ?? 0) + calls);
        return counts.get(day) ?? 0;
      },
    },
    callLogMode,
    openJudge: async (deps) => new LimitsJudge({ ...deps, changes: CHANGES, thresholds: { report: async () => true } }),
    openPacing: async (deps) => new ProxyPacing(deps),
    newItems: { putNew: async () => true },
    callFaults: {
      mark: async (_connection: Connection, { status }: CallFault) => void faults.push(`marked ${status}`),
      clear: async () => void faults.push('cleared'),
    },
    providers: PROVIDERS,
    clock,
    random: { bytes: (length) => new Uint8Array(length).fill(made++ % 256), number: () => 0.5 },
    metrics: { count: (name) => void counted.push(name) },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  };
  const none = { perKey: 0, perConnection: 0, perAddress: 0, longPerKey: 0, longPerConnection: 0 };
  const limits = { ...none, ...options.limits };
  const process = () => new CallBook(deps, limits);
  const loggedCalls = (): (CallLine | undefined)[] => lines.map(readCallLine);
  return { deps, lines, rows, faults, counted, clock, process, loggedCalls };
}

/** Somebody who calls. @param changes of their connection */
export function callerWith(changes: Partial<Connection> = {}): Caller {
  return {
    key: secretKeyRecord(),
    integration: integration(),
    live: { connection: connection(changes), accessToken: undefined },
  };
}
