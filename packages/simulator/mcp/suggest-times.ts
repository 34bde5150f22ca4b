import { isRecord } from '../parse.ts';
import { numberArgument, requiredText, ToolError, type ToolRun, textsArgument } from './tool.ts';

/** Suggestions of an answer. */
const SUGGESTIONS_MAX = 5;
/** Suggestions begin at quarters of an hour. */
const STEP_MS = 15 * 60_000;

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

function momentOf(call: ToolRun, name: string): number {
  const ms = Date.parse(requiredText(call, name));
  if (Number.isNaN(ms)) throw new ToolError(`Argument ${name} must be a time with an offset.`);
  return ms;
}

function busySpans(calendars: unknown): Span[] {
  const all = isRecord(calendars) ? Object.values(calendars).filter(isRecord) : [];
  const entries = all.flatMap(({ busy }) => (Array.isArray(busy) ? busy.filter(isRecord) : []));
  return entries.map(({ start, end }) => ({ startMs: Date.parse(String(start)), endMs: Date.parse(String(end)) }));
}

/** The first times in a span that begin at a quarter of an hour and meet nothing busy. */
function freeTimes({ startMs, endMs }: Span, durationMs: number, busy: readonly Span[]): Span[] {
  const found: Span[] = [];
  let at = Math.ceil(startMs / STEP_MS) * STEP_MS;
  while (at + durationMs <= endMs && found.length < SUGGESTIONS_MAX) {
    const taken = busy.find((one) => one.startMs < at + durationMs && one.endMs > at);
    if (taken === undefined) {
      found.push({ startMs: at, endMs: at + durationMs });
      at += Math.ceil(durationMs / STEP_MS) * STEP_MS;
    } else {
      at = Math.ceil(taken.endMs / STEP_MS) * STEP_MS;
    }
  }
  return found;
}

/** `suggest_time`: times at which everybody is free, from the API's free/busy query. */
export async function suggestTimes(call: ToolRun): Promise<Record<string, unknown>> {
  const span = { startMs: momentOf(call, 'startTime'), endMs: momentOf(call, 'endTime') };
  const durationMs = numberArgument(call, 'durationMinutes', 30) * 60_000;
  if (durationMs <= 0) throw new ToolError('Argument durationMinutes must be above 0.');
  const body = {
    timeMin: new Date(span.startMs).toISOString(),
    timeMax: new Date(span.endMs).toISOString(),
    items: (textsArgument(call, 'attendeeEmails') ?? []).map((id) => ({ id })),
  };
  const { resource } = await call.api({ method: 'POST', target: '/calendar/v3/freeBusy', body });
  const found = freeTimes(span, durationMs, busySpans(resource.calendars));
  return {
    timeSlots: found.map(({ startMs, endMs }) => ({
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(endMs).toISOString(),
    })),
  };
}
