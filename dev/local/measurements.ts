/** CloudWatch's measurements: calls of functions and of rules' targets, and the metrics in functions' log lines. */
import { isObject, type Json, tryParseJson } from '../tools/json.ts';
import type { LocalAlarm } from './template/alarms.ts';

/** One value of a metric. `atMs` is milliseconds since the epoch. */
export interface Measurement {
  namespace: string;
  metricName: string;
  dimensions: Readonly<Record<string, string>>;
  value: number;
  atMs: number;
}

export interface Measurements {
  add(measurement: Omit<Measurement, 'atMs'>): void;
  /** Takes the counters of a line in CloudWatch's embedded metric format; any other line holds none. */
  readLine(text: string): void;
  /** The latest, oldest first. */
  all(): readonly Measurement[];
}

const KEPT = 50_000;

/** Keeps the latest 50,000 values. */
export function openMeasurements(): Measurements {
  const kept: Measurement[] = [];
  const add = (measurement: Omit<Measurement, 'atMs'>): void => {
    kept.push({ ...measurement, atMs: Date.now() });
    if (kept.length > KEPT) kept.shift();
  };
  return {
    add,
    readLine(text) {
      if (text.includes('"CloudWatchMetrics"')) for (const one of embeddedIn(tryParseJson(text))) add(one);
    },
    all: () => kept,
  };
}

/** Values of a line, as its directives name them (Specification: Embedded metric format). */
function embeddedIn(line: Json | undefined): Omit<Measurement, 'atMs'>[] {
  if (!isObject(line) || !isObject(line._aws) || !Array.isArray(line._aws.CloudWatchMetrics)) return [];
  const values: Omit<Measurement, 'atMs'>[] = [];
  for (const directive of line._aws.CloudWatchMetrics) {
    if (!isObject(directive) || !Array.isArray(directive.Metrics) || !Array.isArray(directive.Dimensions)) continue;
    for (const set of directive.Dimensions) {
      const names = Array.isArray(set) ? set.map(String) : [];
      for (const metric of directive.Metrics) {
        const metricName = isObject(metric) ? String(metric.Name) : '';
        const value = line[metricName];
        if (typeof value !== 'number') continue;
        const dimensions = Object.fromEntries(names.map((name) => [name, String(line[name])]));
        values.push({ namespace: String(directive.Namespace), metricName, dimensions, value });
      }
    }
  }
  return values;
}

/**
 * The state of an alarm at a moment: each of its periods is the sum of its measurements, and one without measurements counts as the
 * alarm defines. CloudWatch's own periods begin at full minutes; these end at the moment.
 */
export function isAlarming(alarm: LocalAlarm, measurements: readonly Measurement[], atMs: number): boolean {
  const own = measurements.filter(
    ({ namespace, metricName, dimensions }) =>
      namespace === alarm.namespace &&
      metricName === alarm.metricName &&
      Object.keys(dimensions).length === Object.keys(alarm.dimensions).length &&
      Object.entries(alarm.dimensions).every(([name, value]) => dimensions[name] === value),
  );
  let breaching = 0;
  for (let period = 0; period < alarm.evaluationPeriods; period += 1) {
    const untilMs = atMs - period * alarm.periodSec * 1000;
    const values = own.filter((one) => one.atMs > untilMs - alarm.periodSec * 1000 && one.atMs <= untilMs);
    const sum = values.reduce((total, { value }) => total + value, 0);
    const breaches = values.length === 0 ? alarm.missingDataBreaches : alarm.breaches(sum);
    if (breaches) breaching += 1;
  }
  return breaching >= alarm.datapointsToAlarm;
}
