import type { Context } from 'aws-lambda';
import type { RollUpReport } from './roll-up.ts';
import { openRollUp } from './wiring.ts';

const { rollUp, ticks, clock } = openRollUp();

/** One tick of the schedule, for the time in `{"at"}`, or else for now. */
export async function handler(event: unknown, context: Context): Promise<RollUpReport> {
  const requestId = context.awsRequestId;
  const nowMs = timeOf(event) ?? clock.nowMs();
  const report = await rollUp.tick(nowMs, clock.nowMs() + context.getRemainingTimeInMillis(), requestId);
  // Only along with a write of progress, because a table call at another time would cost one more call of its key.
  if (report.written) await ticks.ended({ sweep: 'roll-up' }, requestId);
  return report;
}

function timeOf(event: unknown): number | undefined {
  const at: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, 'at') : undefined;
  const ms = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
