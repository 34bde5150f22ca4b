import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON } from '../../../dev/support/option-samples.ts';
import { resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';
import { DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';

const scheduleSchema = z.looseObject({
  GroupName: z.string(),
  ScheduleExpression: z.string(),
  FlexibleTimeWindow: z.unknown(),
  Target: z.looseObject({ Input: z.string(), RetryPolicy: z.unknown() }),
});
const sliceSchema = z.strictObject({ slice: z.strictObject({ index: z.int(), count: z.int() }) });

/** Schedules of one function, by the start of their names. */
function schedulesOf(template: Template, prefix = 'GatewaySchedule'): z.output<typeof scheduleSchema>[] {
  return Object.entries(resourcesOf(template, 'AWS::Scheduler::Schedule'))
    .filter(([logicalId]) => logicalId.startsWith(prefix))
    .map(([, { Properties }]) => scheduleSchema.parse(Properties));
}

const template = await synthesize(EVERYTHING_ON);

describe('SweepSchedule', () => {
  it.each([
    [1, {}],
    [8, { refreshSlices: 8 }],
    [64, EVERYTHING_ON],
  ])('covers each shard of the due index exactly once with %i slices', async (count, options) => {
    const slices = schedulesOf(await synthesize(options)).map(
      ({ Target }) => sliceSchema.parse(JSON.parse(Target.Input)).slice,
    );
    expect(slices).toHaveLength(count);
    const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => shard);
    const covered = slices.flatMap(({ index, count }) => shards.filter((shard) => shard % count === index));
    expect(covered.toSorted((a, b) => a - b)).toEqual(shards);
  });

  it('ticks every minute, sharply, and never repeats a tick', () => {
    const schedules = schedulesOf(template);
    expect(schedules).toHaveLength(64);
    for (const { ScheduleExpression, FlexibleTimeWindow, Target } of schedules) {
      expect(ScheduleExpression).toBe('rate(1 minute)');
      expect(FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
      expect(Target.RetryPolicy).toEqual({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
    }
  });

  it('alarms on missing calls of its function and on failing sweeps', () => {
    const [schedule] = schedulesOf(template);
    const [functionId] = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).parse(schedule?.Target.Arn)[
      'Fn::GetAtt'
    ];
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/Lambda',
      MetricName: 'Invocations',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: functionId } }],
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', { Namespace: 'AWS/Lambda', MetricName: 'Errors' });
  });

  it('waits for its group', () => {
    const groups = Object.keys(resourcesOf(template, 'AWS::Scheduler::ScheduleGroup'));
    for (const { DependsOn } of Object.values(resourcesOf(template, 'AWS::Scheduler::Schedule'))) {
      expect(groups.some((group) => DependsOn?.includes(group))).toBe(true);
    }
  });

  it('SH-2: sweeps feeds on a schedule and in a function of their own', () => {
    const [feeds, ...more] = schedulesOf(template, 'GatewayFeedSchedule');
    const [tokens] = schedulesOf(template);
    expect(more).toEqual([]);
    expect(feeds?.ScheduleExpression).toBe('rate(1 minute)');
    expect(feeds?.Target.Arn).not.toEqual(tokens?.Target.Arn);
    expect(feeds?.GroupName).not.toEqual(tokens?.GroupName);
  });
});
