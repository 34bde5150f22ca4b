/** EventBridge schedules of the template -> what the timers run. */
import { asObject, asString, isObject, type Json, numberOr } from '../../tools/json.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

/** A `rate()` schedule. `input` is the text of the event; ages in seconds. */
export interface LocalSchedule {
  logicalId: string;
  name: string;
  arn: string;
  intervalMs: number;
  enabled: boolean;
  functionArn: string;
  /** The role that Scheduler assumes to invoke it. */
  roleArn: string;
  /** ARN of its group, which Scheduler names when it assumes the role. */
  groupArn: string;
  input: string;
  maximumRetryAttempts: number;
  maximumEventAgeSec: number;
}

const KNOWN_PROPERTIES = [
  'Description',
  'FlexibleTimeWindow',
  'GroupName',
  'Name',
  'ScheduleExpression',
  'ScheduleExpressionTimezone',
  'State',
  'Target',
];
const KNOWN_TARGET = ['Arn', 'DeadLetterConfig', 'Input', 'RetryPolicy', 'RoleArn'];
const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Reads `rate(5 minutes)` as milliseconds. @throws Error for `cron()`, `at()` and malformed rates. */
export function parseRate(expression: string, where: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  if (count === undefined || unitMs === undefined || Number(count) === 0) {
    throw new Error(`${where} is ${expression}; only rate(<number> minutes|hours|days) runs locally.`);
  }
  return Number(count) * unitMs;
}

/** Reads one schedule. @throws Error for a flexible window or a target that is not a function. */
export function readSchedule({ logicalId, name, arn, properties }: ResolvedResource): LocalSchedule {
  requireKnownProperties(properties, KNOWN_PROPERTIES, logicalId);
  const window = asObject(properties.FlexibleTimeWindow, `${logicalId}.FlexibleTimeWindow`);
  if (window.Mode !== 'OFF') throw new Error(`${logicalId} has a flexible time window, which does not run locally.`);
  const target = asObject(properties.Target, `${logicalId}.Target`);
  requireKnownProperties(target, KNOWN_TARGET, `${logicalId}.Target`);
  const retry = isObject(target.RetryPolicy) ? target.RetryPolicy : {};
  const group =
    properties.GroupName === undefined ? 'default' : asString(properties.GroupName, `${logicalId}.GroupName`);
  const expression = asString(properties.ScheduleExpression, `${logicalId}.ScheduleExpression`);
  return {
    logicalId,
    name,
    arn,
    intervalMs: parseRate(expression, `${logicalId}.ScheduleExpression`),
    enabled: properties.State !== 'DISABLED',
    functionArn: functionArnOf(target.Arn, `${logicalId}.Target.Arn`),
    roleArn: asString(target.RoleArn, `${logicalId}.Target.RoleArn`),
    groupArn: `${arn.slice(0, arn.indexOf(':schedule/'))}:schedule-group/${group}`,
    input: target.Input === undefined ? '{}' : asString(target.Input, `${logicalId}.Target.Input`),
    maximumRetryAttempts: numberOr(retry.MaximumRetryAttempts, 185, `${logicalId}.MaximumRetryAttempts`),
    maximumEventAgeSec: numberOr(retry.MaximumEventAgeInSeconds, 86_400, `${logicalId}.MaximumEventAgeInSeconds`),
  };
}

/** The ARN of a function. @throws Error naming `where` for anything else. */
export function functionArnOf(value: Json | undefined, where: string): string {
  const arn = asString(value, where);
  if (!/^arn:aws:lambda:[^:]*:[^:]*:function:[^:]+$/.test(arn)) throw new Error(`${where} is ${arn}, not a function.`);
  return arn;
}
