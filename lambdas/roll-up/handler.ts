import type { Context } from 'aws-lambda';
import type { RollUpReport } from './roll-up.ts';
import { openRollUp } from './wiring.ts';

const { rollUp, ticks, clock } = openRollUp();

/** One tick of the schedule, `{"at"}`: the time that it is for. Without one, the tick is for now. */
export async function handler(event: unknown, context: Context): Promise<RollUpReport> {
  const requestId = context.awsRequestId;
  const nowMs = timeOf(event) ?? clock.nowMs();
  const report = await rollUp.tick(nowMs, clock.nowMs() + context.getRemainingTimeInMillis(), requestId);
  // Together with the note of progress: each call of the table by itself costs one of its key, too.
  if (report.written) await ticks.ended({ sweep: 'roll-up' }, requestId);
  return report;
}

function timeOf(event: unknown): number | undefined {
  const at: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, 'at') : undefined;
  const ms = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
