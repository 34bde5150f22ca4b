/** EventBridge schedules with `rate()`: timers that invoke functions, overlapping as on AWS. */
import { randomUUID } from 'node:crypto';
import { errorMessage, type Json, parseJson } from '../../tools/json.ts';
import type { LocalSchedule } from '../template/schedules.ts';

export interface Schedules {
  /** Starts the timers; each fires first after one interval. */
  start(): void;
  /** Stops the timers; runs in flight continue. */
  stop(): void;
  /** Fires one schedule now, once and without retries. @returns the function's result. @throws its error. */
  fire(schedule: LocalSchedule, input?: Json): Promise<Json>;
  /** The schedule of that name or logical id. */
  find(name: string): LocalSchedule | undefined;
  /** The first schedule of a function. */
  ofFunction(functionArn: string): LocalSchedule | undefined;
}

export interface SchedulesOptions {
  schedules: readonly LocalSchedule[];
  invoke: (functionArn: string, event: Json) => Promise<Json>;
  onFailure: (message: string) => void;
  /** Clock of the runs. @default the machine's */
  nowMs?: () => number;
}

const RETRY_BASE_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/** Reads the schedules' inputs once. @throws Error for an input that is not JSON or has an unknown placeholder. */
export function openSchedules(options: SchedulesOptions): Schedules {
  const timers: NodeJS.Timeout[] = [];
  const stopped = new AbortController();
  const nowMs = options.nowMs ?? Date.now;
  for (const schedule of options.schedules) scheduleInput(schedule, new Date(0), 1);

  async function runWithRetries(schedule: LocalSchedule): Promise<void> {
    const dueAt = new Date(nowMs());
    for (let attempt = 1; !stopped.signal.aborted; attempt += 1) {
      try {
        await options.invoke(schedule.functionArn, scheduleInput(schedule, dueAt, attempt));
        return;
      } catch (error) {
        const ageSec = (nowMs() - dueAt.getTime()) / 1000;
        const last = attempt > schedule.maximumRetryAttempts || ageSec > schedule.maximumEventAgeSec;
        options.onFailure(`${schedule.name} attempt ${attempt}${last ? ' (last)' : ''}: ${errorMessage(error)}`);
        if (last) return;
        const pauseMs = Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** (attempt - 1));
        await pause(pauseMs, stopped.signal);
      }
    }
  }

  return {
    start() {
      for (const schedule of options.schedules.filter((one) => one.enabled)) {
        timers.push(setInterval(() => void runWithRetries(schedule), schedule.intervalMs));
      }
    },
    stop() {
      stopped.abort();
      for (const timer of timers) clearInterval(timer);
    },
    fire: (schedule, input) =>
      options.invoke(schedule.functionArn, input ?? scheduleInput(schedule, new Date(nowMs()), 1)),
    find: (name) => options.schedules.find((one) => one.name === name || one.logicalId === name),
    ofFunction: (functionArn) => options.schedules.find((one) => one.functionArn === functionArn),
  };
}

/**
 * The event of one run: the schedule's input with `<aws.scheduler.*>` replaced.
 * @throws Error for an input that is not JSON or a placeholder Scheduler does not have.
 */
export function scheduleInput(schedule: LocalSchedule, scheduledAt: Date, attempt: number): Json {
  const values: Record<string, string> = {
    'schedule-arn': schedule.arn,
    'scheduled-time': scheduledAt.toISOString().replace(/\.\d+Z$/, 'Z'),
    'execution-id': randomUUID(),
    'attempt-number': String(attempt),
  };
  const text = schedule.input.replaceAll(/<aws\.scheduler\.([^>]*)>/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${schedule.logicalId}.Target.Input: ${placeholder} is unknown.`);
    return value;
  });
  return parseJson(text, `${schedule.logicalId}.Target.Input`);
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stopped.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
