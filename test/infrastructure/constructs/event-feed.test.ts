import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON } from '../../../dev/support/option-samples.ts';
import { flatten, onlyResource, resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';
import { METRICS } from '../../../lambdas/gateway/core/contract.ts';
import { signalOf } from '../../../lambdas/gateway/platform/telemetry.ts';

const triggerSchema = z.looseObject({
  EventSourceArn: z.unknown(),
  FunctionName: z.unknown(),
  FilterCriteria: z.strictObject({ Filters: z.tuple([z.strictObject({ Pattern: z.string() })]) }),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.unknown() }) }),
});

const template = await synthesize();
const resource = onlyResource(template, 'AWS::Lambda::EventSourceMapping');
const trigger = triggerSchema.parse(resource.Properties);

/** Properties of the alarm with an entry of the runbook. */
function alarmOf(name: string): Record<string, unknown> {
  const [alarm] = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm'))
    .map(({ Properties }) => Properties)
    .filter(({ AlarmDescription }) => String(AlarmDescription).endsWith(`#${name}`));
  return alarm ?? {};
}

const FORWARDER = { FunctionName: { Ref: expect.stringMatching(/^GatewayEventsToBusFunction/) } };

describe('ST-20: EventFeed', () => {
  it('leads from the table’s stream to the function, and what is given up to the queue', () => {
    expect(flatten(trigger.EventSourceArn)).toBe('<GatewayDataTable.StreamArn>');
    expect(flatten(trigger.FunctionName)).toBe('<GatewayEventsToBusFunction>');
    expect(flatten(trigger.DestinationConfig.OnFailure.Destination)).toBe('<GatewayWebhooksDeadLetters.Arn>');
  });

  it('passes new event items and nothing else', () => {
    expect(JSON.parse(trigger.FilterCriteria.Filters[0].Pattern)).toEqual({
      eventName: ['INSERT'],
      dynamodb: { NewImage: { type: { S: ['event'] } } },
    });
  });

  it('reads from the oldest record, splits failing batches, takes partial failures and gives a record up after an hour', () => {
    const { EventSourceArn: _, FunctionName: __, FilterCriteria: ___, DestinationConfig: ____, ...settings } = trigger;
    expect(settings).toEqual({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 30,
      MaximumRecordAgeInSeconds: 3600,
    });
  });

  it('EventFeed is made when the function may read the stream and write to the queue', () => {
    const policies = Object.keys(resourcesOf(template, 'AWS::IAM::Policy'));
    const [policy] = policies.filter((id) => id.startsWith('GatewayEventsToBusRoleDefaultPolicy'));
    expect(resource.DependsOn).toContain(policy);
  });

  it('gives the function its bus, the address of EventBridge in the region, and the queue', () => {
    const functions = Object.entries(resourcesOf(template, 'AWS::Lambda::Function'));
    const [, forwarder] = functions.find(([id]) => id.startsWith('GatewayEventsToBusFunction')) ?? [];
    expect(forwarder?.Properties).toMatchObject({ MemorySize: 256, Timeout: 60 });
    const { Variables } = z
      .object({ Variables: z.record(z.string(), z.unknown()) })
      .parse(forwarder?.Properties.Environment);
    expect(Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, flatten(value)]))).toEqual({
      EVENT_BUS_ARN: '<GatewayEventsBus.Arn>',
      EVENT_BUS_ENDPOINT: 'https://events.us-east-1.<AWS::URLSuffix>',
      DEAD_LETTERS_URL: '<GatewayWebhooksDeadLetters>',
      METRIC_NAMESPACE: 'IntegrationGateway/IntegrationGateway',
    });
  });

  it('leads to a bus that is given and makes none', async () => {
    const { eventBusArn } = EVERYTHING_ON;
    const given = await synthesize(EVERYTHING_ON);
    expect(resourcesOf(given, 'AWS::Events::EventBus')).toEqual({});
    const environments = Object.values(resourcesOf(given, 'AWS::Lambda::Function')).map(({ Properties }) => Properties);
    expect(JSON.stringify(environments)).toContain(`"EVENT_BUS_ARN":"${eventBusArn}"`);
    given.hasOutput('EventBusName', { Value: 'company/product' });
    given.hasOutput('EventBusArn', { Value: eventBusArn });
  });

  it('alarms when the function fails; what it leaves behind it reports itself', () => {
    expect(alarmOf('failed-deliveries')).toMatchObject({ Namespace: 'AWS/Lambda', MetricName: 'Errors' });
    expect(signalOf(METRICS.eventNotForwarded, {}, 1)).toMatchObject({ entry: 'failed-deliveries' });
  });

  it('alarms when a record waits for a quarter of an hour', () => {
    expect(alarmOf('overdue-events')).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'IteratorAge',
      Dimensions: [{ Name: 'FunctionName', Value: FORWARDER.FunctionName }],
      Statistic: 'Maximum',
      Threshold: 900_000,
      ComparisonOperator: 'GreaterThanThreshold',
    });
  });
});
