/** The pools of all functions, found by ARN or by any of their names. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../tools/json.ts';
import type { FunctionSettings } from './lambda/environment.ts';
import type { Inspector } from './lambda/inspector.ts';
import type { LogSink } from './lambda/log-lines.ts';
import type { InvocationOutcome } from './lambda/outcome.ts';
import { type ChildInfo, type FunctionPool, invokeForResult, openPool } from './lambda/pool.ts';
import type { Measurements } from './measurements.ts';
import { type LocalFunction, withoutQualifier } from './template/functions.ts';

export interface FunctionPools {
  /** @param arn with or without an alias or version. @throws Error when no function has that ARN. */
  byArn(arn: string): FunctionPool;
  byName(name: string): FunctionPool | undefined;
  invoke(arn: string, event: Json): Promise<Json>;
  run(arn: string, event: Json): Promise<InvocationOutcome>;
  warmUp(): void;
  children(): ChildInfo[];
  pending(): number;
  stop(): Promise<void>;
}

export interface FunctionPoolsOptions {
  functions: readonly LocalFunction[];
  settings: Omit<FunctionSettings, 'runtimeApi'>;
  preloads: readonly string[];
  /** See {@link LocalClock.aheadMs}. */
  clockAheadMs: () => number;
  maxChildrenPerFunction: number;
  logs: LogSink;
  /** Of functions that are open to debuggers, each of which has one process: a call that is halted halts the next ones, too. */
  inspectors: readonly Inspector[];
  measure: Measurements['add'];
}

/** Opens one pool per function; no process runs yet. */
export function openFunctionPools(options: FunctionPoolsOptions): FunctionPools {
  const pools = options.functions.map((fn) => {
    const inspector = options.inspectors.find(({ functionName }) => functionName === fn.displayName);
    return openPool({
      fn,
      settings: options.settings,
      preloads: options.preloads,
      maxChildren: inspector === undefined ? options.maxChildrenPerFunction : 1,
      logs: options.logs,
      inspector,
      clockAheadMs: options.clockAheadMs,
      measure: options.measure,
    });
  });
  const byArn = (arn: string): FunctionPool => {
    const found = pools.find((pool) => pool.fn.arn === withoutQualifier(arn));
    if (found === undefined) throw new Error(`There is no function ${arn} in the template.`);
    return found;
  };
  return {
    byArn,
    byName: (name) => pools.find(({ fn }) => fn.displayName === name || fn.name === name || fn.logicalId === name),
    invoke: (arn, event) => invokeForResult(byArn(arn), event, arn),
    run: (arn, event) => byArn(arn).invoke(JSON.stringify(event), '', arn),
    warmUp() {
      for (const pool of pools) pool.warmUp();
    },
    children: () => pools.flatMap((pool) => pool.children()),
    pending: () => pools.reduce((sum, pool) => sum + pool.pending(), 0),
    async stop() {
      await Promise.all(pools.map((pool) => pool.stop()));
    },
  };
}

const DRAIN_MS = 5_000;
const DRAIN_POLL_MS = 20;

/** Waits until no call is in flight, five seconds at most. */
export async function drained(pools: FunctionPools): Promise<void> {
  const giveUpAt = Date.now() + DRAIN_MS;
  while (pools.pending() > 0 && Date.now() < giveUpAt) await delay(DRAIN_POLL_MS);
}
