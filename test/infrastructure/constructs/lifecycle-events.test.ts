import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVENT_DETAIL_ATTRIBUTES } from '../../../lambdas/gateway/contract.ts';
import { EVERYTHING_ON } from '../option-samples.ts';
import { flatten, onlyResource, resourcesOf, synthesize } from '../synthesize.ts';

const pipeSchema = z.looseObject({
  Source: z.unknown(),
  Target: z.unknown(),
  SourceParameters: z.looseObject({
    DynamoDBStreamParameters: z.unknown(),
    FilterCriteria: z.object({ Filters: z.tuple([z.object({ Pattern: z.string() })]) }),
  }),
  TargetParameters: z.looseObject({ InputTemplate: z.string(), EventBridgeEventBusParameters: z.unknown() }),
});

const alarmMetricsSchema = z.array(
  z.looseObject({
    Id: z.string(),
    Expression: z.string().optional(),
    MetricStat: z.looseObject({ Metric: z.looseObject({ MetricName: z.string() }), Stat: z.string() }).optional(),
  }),
);

const template = await synthesize();
const pipe = pipeSchema.parse(onlyResource(template, 'AWS::Pipes::Pipe').Properties);

describe('LifecycleEvents', () => {
  it('leads from the table’s stream to an own bus', () => {
    expect(flatten(pipe.Source)).toBe('<GatewayDataTable.StreamArn>');
    expect(flatten(pipe.Target)).toBe('<GatewayEventsBus.Arn>');
  });

  it('passes new event items and nothing else', () => {
    expect(JSON.parse(pipe.SourceParameters.FilterCriteria.Filters[0].Pattern)).toEqual({
      eventName: ['INSERT'],
      dynamodb: { NewImage: { type: { S: ['event'] } } },
    });
  });

  it('reads from the oldest record, splits failing batches and gives a record up after an hour', () => {
    expect(pipe.SourceParameters.DynamoDBStreamParameters).toEqual({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 10,
      OnPartialBatchItemFailure: 'AUTOMATIC_BISECT',
      MaximumRetryAttempts: 30,
      MaximumRecordAgeInSeconds: 3600,
    });
  });

  it('takes type and time of an event from its item', () => {
    expect(pipe.TargetParameters.EventBridgeEventBusParameters).toEqual({
      Source: 'integration-gateway',
      DetailType: '$.dynamodb.NewImage.eventType.S',
      Time: '$.dynamodb.NewImage.occurredAt.S',
    });
  });

  it('makes the detail of exactly the agreed attributes', () => {
    const quoted = pipe.TargetParameters.InputTemplate.replaceAll(/<([^>]+)>/g, '"$1"');
    expect(JSON.parse(quoted)).toEqual(
      Object.fromEntries(
        Object.entries(EVENT_DETAIL_ATTRIBUTES).map(([member, name]) => [member, `$.dynamodb.NewImage.${name}.S`]),
      ),
    );
  });

  it('leads to a bus that is given and makes none', async () => {
    const { eventBusArn } = EVERYTHING_ON;
    const given = await synthesize(EVERYTHING_ON);
    expect(resourcesOf(given, 'AWS::Events::EventBus')).toEqual({});
    expect(onlyResource(given, 'AWS::Pipes::Pipe').Properties.Target).toBe(eventBusArn);
    given.hasOutput('EventBusName', { Value: 'company/product' });
    given.hasOutput('EventBusArn', { Value: eventBusArn });
  });

  it('alarms on everything that AWS counts as records that did not reach the bus', () => {
    const [pipeId] = Object.keys(resourcesOf(template, 'AWS::Pipes::Pipe'));
    const [alarm] = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm'))
      .map(({ Properties }) => Properties)
      .filter(({ AlarmDescription }) => String(AlarmDescription).endsWith('#failed-deliveries'));
    const metrics = alarmMetricsSchema.parse(alarm?.Metrics);
    const [sum] = metrics.flatMap(({ Expression }) => (Expression === undefined ? [] : [Expression]));
    const counted = metrics.flatMap(({ Id, MetricStat }) => (MetricStat === undefined ? [] : [{ Id, ...MetricStat }]));
    // As the page Logging and monitoring Amazon EventBridge Pipes names them, with the one dimension of a single pipe.
    expect(counted.map(({ Metric }) => Metric.MetricName).toSorted()).toEqual([
      'ExecutionFailed',
      'ExecutionPartiallyFailed',
      'ExecutionThrottled',
      'ExecutionTimeout',
      'TargetStageFailed',
      'TargetStagePartiallyFailed',
    ]);
    for (const { Id, Metric, Stat } of counted) {
      expect(Metric).toMatchObject({
        Namespace: 'AWS/EventBridge/Pipes',
        Dimensions: [{ Name: 'PipeName', Value: { Ref: pipeId } }],
      });
      expect(Stat).toBe('Sum');
      expect(sum).toContain(`FILL(${Id},0)`);
    }
  });
});
