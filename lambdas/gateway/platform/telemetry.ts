import { ALARM_SIGNALS, type MetricName, SIGNAL_POINTS, type SignalMetric } from '../core/contract.ts';
import type { LogFields, Logger, Metrics } from '../core/ports.ts';

// Without a listener a closed reader would end the process.
process.stdout.on('error', () => {});

/** Writes one line to standard output. Without a reader the line is lost, never the request (F72). */
export function writeLine(line: string): void {
  try {
    process.stdout.write(`${line}\n`);
  } catch {
    // There is no other place to report this.
  }
}

type Write = (line: string) => void;

const ALLOWED: readonly (keyof LogFields)[] = [
  'requestId',
  'accountId',
  'integrationId',
  'code',
  'status',
  'outcome',
  'cause',
  'route',
  'durationMs',
  'count',
  'upstreamStatus',
];

/**
 * One JSON object per line, with allow-listed members only. Of an error it writes name and code, never message, cause,
 * configuration, request or response: those may contain secrets (LG-2). JSON escapes line breaks and controls (LG-4).
 *
 * Lambda's own fields come first: without a `timestamp` of RFC 3339 it files a line under INFO, whatever its `level`, and a
 * function set to keep only warnings would lose them (Log-level filtering, AWS Lambda Developer Guide).
 */
export function jsonLogger(functionName: string, write: Write = writeLine): Logger {
  const log = (level: string, message: string, fields: LogFields = {}, error?: unknown) => {
    const timestamp = new Date().toISOString();
    const entry: Record<string, unknown> = { timestamp, level, function: functionName, message };
    for (const name of ALLOWED) if (fields[name] !== undefined) entry[name] = fields[name];
    if (error !== undefined) entry.error = describeError(error);
    write(JSON.stringify(entry).replace(/[\u007f-\u009f\u2028\u2029]/g, escapeCharacter));
  };
  return {
    info: (message, fields) => log('INFO', message, fields),
    warn: (message, fields) => log('WARN', message, fields),
    error: (message, fields, error) => log('ERROR', message, fields, error),
  };
}

/** Name and stable codes of an error, and the file positions of its stack without the message. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code: unknown = 'code' in error ? error.code : undefined;
  return { name: error.name, ...(typeof code === 'string' ? { code } : {}), at: frames(error) };
}

/** A message may look like stack frames, so nothing before its end is read, and without a message nothing is. */
function frames(error: Error): string[] {
  const stack = error.stack ?? '';
  const messageAt = stack.indexOf(error.message);
  if (messageAt < 0) return [];
  return stack
    .slice(messageAt + error.message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .map((line) => line.trim());
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Counters in CloudWatch's embedded metric format: one log line each, without a call during the request. A count that is a signal
 * (`ALARM_SIGNALS`) also counts under the name that an alarm watches, and its line names the runbook's `entry`.
 *
 * @param namespace the deployment's own, so that several gateways do not mix
 */
export function embeddedMetrics(namespace: string, write: (line: string) => void = writeLine): Metrics {
  const directive = (name: string, dimensions: readonly string[]) => ({
    Namespace: namespace,
    Dimensions: [dimensions],
    Metrics: [{ Name: name, Unit: 'Count' }],
  });
  return {
    count(name, dimensions = {}, value = 1) {
      const alarming = signalOf(name, dimensions, value);
      const directives = [directive(name, Object.keys(dimensions))];
      if (alarming !== undefined) directives.push(directive(alarming.signal, []));
      write(
        JSON.stringify({
          _aws: { Timestamp: Date.now(), CloudWatchMetrics: directives },
          ...dimensions,
          [name]: value,
          ...(alarming === undefined ? {} : { [alarming.signal]: alarming.points, entry: alarming.entry }),
        }),
      );
    },
  };
}

/**
 * The points that a count adds to one of the four counters, and the entry that its line names; undefined where it is no signal.
 *
 * @param value the count, or the value of a gauge
 */
export function signalOf(
  metric: MetricName,
  dimensions: Readonly<Record<string, string>>,
  value: number,
): { readonly signal: SignalMetric; readonly points: number; readonly entry: string } | undefined {
  const row = ALARM_SIGNALS.find(
    (one) =>
      one.metric === metric &&
      (one.above === undefined ? value > 0 : value > one.above) &&
      Object.entries(one.where ?? {}).every(([name, values]) => values.includes(dimensions[name] ?? '')),
  );
  if (row === undefined) return undefined;
  const counts = row.above === undefined ? value : 1;
  return { signal: row.signal, points: Math.ceil((counts * SIGNAL_POINTS) / (row.enough ?? 1)), entry: row.entry };
}
