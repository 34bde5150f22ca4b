import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON, LITTLE } from '../../../dev/support/option-samples.ts';
import { resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';
import { FEATURE_IDS } from '../../../lambdas/features/index.ts';
import { ALARM_SIGNALS, FUNCTION_NAMES, METRICS } from '../../../lambdas/gateway/core/contract.ts';
import type { DeathCause } from '../../../lambdas/gateway/core/grant-death.ts';
import { embeddedMetrics, signalOf } from '../../../lambdas/gateway/platform/telemetry.ts';
import { ALARM_MEANINGS } from '../../../lib/constructs/alarm-catalog.ts';
import { SIGNAL_ALARMS } from '../../../lib/constructs/gateway-alarms.ts';
import { idleMonth, total } from '../../../packages/cli/costs/cost-model.ts';
import { LEAN_STACK, STACK } from '../../../packages/cli/costs/prices.ts';

const RUNBOOK = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'runbook.md'), 'utf8');

const alarmSchema = z.looseObject({
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.unknown()).default([]),
  OKActions: z.array(z.unknown()).default([]),
  TreatMissingData: z.string().optional(),
});

function alarmsOf(template: Template): Map<string, z.output<typeof alarmSchema>> {
  const alarms = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
    Object.values(resourcesOf(template, type)).map(({ Properties }) => alarmSchema.parse(Properties)),
  );
  return new Map(alarms.map((alarm) => [/#([a-z-]+)$/.exec(alarm.AlarmDescription)?.[1] ?? '', alarm]));
}

/** Entries of the runbook: heading and text. */
function runbookEntries(): Map<string, string> {
  const [, ...entries] = RUNBOOK.split(/^## /m);
  return new Map(entries.map((entry) => [entry.split('\n', 1)[0] ?? '', entry]));
}

const template = await synthesize();

/** Properties of the alarm of a name. */
const alarmOf = (name: string) =>
  Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm'))
    .map(({ Properties }) => Properties)
    .find(({ AlarmDescription }) => String(AlarmDescription).endsWith(`#${name}`));

describe('Monitoring', () => {
  it('reaches every entry of the catalogue by an alarm of its name or by a signal, and no other (ST-25)', () => {
    const alarms = alarmsOf(template);
    const signalled = new Set(ALARM_SIGNALS.map(({ entry }) => entry));
    const reached = new Set([...alarms.keys(), ...signalled]);
    expect([...reached].toSorted()).toEqual(Object.keys(ALARM_MEANINGS).toSorted());
    for (const [name, { AlarmDescription }] of alarms) {
      const meaning = Object.entries(ALARM_MEANINGS).find(([entry]) => entry === name)?.[1];
      expect(AlarmDescription).toBe(`${meaning} What to do: docs/runbook.md#${name}`);
    }
  });

  it.each(ALARM_SIGNALS)('rings for $entry when $metric is counted, by its share', (row) => {
    const dimensions = Object.fromEntries(Object.entries(row.where ?? {}).map(([name, [value = '']]) => [name, value]));
    const enough = row.above === undefined ? (row.enough ?? 1) : row.above + 1;
    const less = row.above === undefined ? enough - 1 : row.above;
    const alarm = alarmOf(SIGNAL_ALARMS[row.signal]);
    expect(alarm).toMatchObject({ MetricName: row.signal, Threshold: 99, ComparisonOperator: 'GreaterThanThreshold' });
    expect(alarm).toMatchObject({ Namespace: expect.stringMatching(/^IntegrationGateway\//), Statistic: 'Sum' });
    expect(signalOf(row.metric, dimensions, enough)).toMatchObject({ signal: row.signal, entry: row.entry });
    expect(signalOf(row.metric, dimensions, enough)?.points).toBeGreaterThan(99);
    expect(signalOf(row.metric, dimensions, less)?.points ?? 0).toBeLessThan(100);
    if (row.where !== undefined) expect(signalOf(row.metric, {}, enough)?.entry).not.toBe(row.entry);
  });

  it('counts a signal in the line of its metric, which names the entry, and nothing except what is none', () => {
    const lines: string[] = [];
    const metrics = embeddedMetrics('IntegrationGateway/Test', (line) => lines.push(line));
    metrics.count('WebhookDisabled', { because: 'gone' });
    metrics.count('UpstreamRetry');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'IntegrationGateway/Test',
              Dimensions: [['because']],
              Metrics: [{ Name: 'WebhookDisabled', Unit: 'Count' }],
            },
            { Namespace: 'IntegrationGateway/Test', Dimensions: [[]], Metrics: [{ Name: 'Ticket', Unit: 'Count' }] },
          ],
        },
        because: 'gone',
        WebhookDisabled: 1,
        Ticket: 100,
        entry: 'webhook-disabled',
      },
      expect.not.objectContaining({ entry: expect.anything() }),
    ]);
  });

  it('Monitoring has one entry in the runbook for each alarm and no other, with what it means, where to look and what to do', () => {
    const entries = runbookEntries();
    expect([...entries.keys()].toSorted()).toEqual(Object.keys(ALARM_MEANINGS).toSorted());
    for (const entry of entries.values()) {
      expect(entry).toMatch(/- \*\*Means\*\*: .+- \*\*Look at\*\*: .+- \*\*Do\*\*: /s);
    }
  });

  it('Monitoring has no link in the runbook that leads nowhere', () => {
    const targets = [...RUNBOOK.matchAll(/\]\(#([a-z-]+)\)/g)].map(([, name]) => name);
    expect(targets.length).toBeGreaterThan(5);
    for (const target of targets) expect(ALARM_MEANINGS).toHaveProperty(target ?? '');
  });

  it('stays quiet where nothing happens, but where something happens all the time (ST-23)', () => {
    const listening = ['dropped-feed-ticks', 'dropped-ticks', 'dropped-webhook-ticks', 'events-silent'];
    const breaching = [...alarmsOf(template)].filter(([, { TreatMissingData }]) => TreatMissingData === 'breaching');
    expect(breaching.map(([name]) => name).toSorted()).toEqual(listening);
  });

  it('reports a silence once it has lasted for twenty minutes, and not where the account’s executions are used up', () => {
    const [silence] = Object.values(resourcesOf(template, 'AWS::CloudWatch::CompositeAlarm'));
    const rule = JSON.stringify(silence?.Properties.AlarmRule);
    const listening = Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm')).filter(
      ([, { Properties }]) => Properties.TreatMissingData === 'breaching',
    );
    expect(listening).toHaveLength(4);
    for (const [logicalId] of listening) expect(rule).toContain(`"${logicalId}"`);
    expect(rule.match(/ OR /g)).toHaveLength(3);
    const suppressor = JSON.stringify(silence?.Properties.ActionsSuppressor);
    expect(silence?.Properties).toMatchObject({ ActionsSuppressorWaitPeriod: 1_200 });
    const [concurrency] = Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm')).find(([, { Properties }]) =>
      String(Properties.AlarmDescription).endsWith('#function-throttles'),
    ) ?? [''];
    expect(suppressor).toContain(`"${concurrency}"`);
  });

  it('watches the share of the executions that the account may have', () => {
    expect(alarmOf('function-throttles')).toMatchObject({
      Threshold: 80,
      Metrics: [
        { Expression: '100 * executions / SERVICE_QUOTA(executions)' },
        { Id: 'executions', MetricStat: { Metric: { Namespace: 'AWS/Lambda', MetricName: 'ConcurrentExecutions' } } },
      ],
    });
  });

  it('Monitoring is notified of calls that disable the gateway’s own key or schedule its deletion', () => {
    const [keyId] = Object.keys(resourcesOf(template, 'AWS::KMS::Key'));
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.kms'],
        detail: {
          eventName: ['DisableKey', 'ScheduleKeyDeletion'],
          resources: { ARN: [{ 'Fn::GetAtt': [keyId, 'Arn'] }] },
        },
      },
    });
  });

  it('alarms on causes of death that exist, and leaves alone those of end users and what was asked for', () => {
    const whoseMove: Readonly<Record<DeathCause, 'operator' | 'end user' | 'asked for'>> = {
      user_revoked: 'end user',
      token_revoked: 'end user',
      shared_grant_ended: 'asked for',
      password_changed: 'end user',
      refresh_token_limit: 'operator',
      time_limited_access_over: 'end user',
      admin_restricted: 'operator',
      session_length_over: 'operator',
      testing_mode_expired: 'operator',
      unused_six_months: 'end user',
      account_unavailable: 'end user',
      account_restricted: 'end user',
      advanced_protection: 'end user',
      account_token_limit: 'end user',
      // An administrator's rule for devices and networks that works as intended.
      context_aware_access: 'asked for',
      rotation_lost: 'operator',
      credentials_changed: 'operator',
      // Reported by their own event; the administrator of another organization has to act.
      delegation_pending: 'asked for',
      delegation_missing: 'asked for',
      delegation_incomplete: 'asked for',
      subject_unknown: 'asked for',
      subject_not_allowed: 'asked for',
      unknown: 'end user',
    };
    const watched = Object.entries(whoseMove).filter(([, who]) => who === 'operator');
    const told = ALARM_SIGNALS.flatMap(({ where }) => where?.cause ?? []);
    expect(told.toSorted()).toEqual(watched.map(([cause]) => cause).toSorted());
  });

  it('shows every alarm and the gateway’s metrics on one dashboard where it is asked for', async () => {
    expect(resourcesOf(template, 'AWS::CloudWatch::Dashboard')).toEqual({});
    const shown = await synthesize({ operationsDashboard: true });
    const dashboards = Object.values(resourcesOf(shown, 'AWS::CloudWatch::Dashboard'));
    expect(dashboards).toHaveLength(1);
    const text = JSON.stringify(dashboards[0]?.Properties);
    expect(text).toContain('Deaths by cause');
    for (const metric of [METRICS.rateLimited, METRICS.connections, METRICS.upstreamRetry, METRICS.retryBudgetSpent]) {
      expect(text).toContain(metric);
    }
    for (const logicalId of Object.keys(resourcesOf(shown, 'AWS::CloudWatch::Alarm'))) {
      expect(text).toContain(logicalId);
    }
  });

  it('saves log queries over the log of every function, and the runbook names only those that exist', () => {
    const queries = Object.values(resourcesOf(template, 'AWS::Logs::QueryDefinition')).map(({ Properties }) =>
      z.looseObject({ Name: z.string(), LogGroupNames: z.array(z.unknown()) }).parse(Properties),
    );
    for (const { LogGroupNames } of queries) expect(LogGroupNames).toHaveLength(FUNCTION_NAMES.length);
    const names = queries.map(({ Name }) => Name.split('/')[1]);
    const mentioned = [...RUNBOOK.matchAll(/quer(?:y|ies) \*([^*]+)\*/gi)].map(([, name]) => name);
    expect(mentioned.length).toBeGreaterThan(5);
    for (const name of mentioned) expect(names).toContain(name);
  });

  it('looks at as many metrics as docs/costs.md counts (ST-24)', async () => {
    const one = [{ MetricStat: {} }];
    const metrics = z.array(z.object({ MetricStat: z.unknown().optional() })).default(one);
    const metricsOf = (stack: Template) =>
      Object.values(resourcesOf(stack, 'AWS::CloudWatch::Alarm'))
        .flatMap(({ Properties }) => metrics.parse(Properties.Metrics))
        .filter(({ MetricStat }) => MetricStat !== undefined).length;
    expect(metricsOf(template)).toBe(STACK.alarmMetricsMonitored);
    expect(metricsOf(await synthesize(LITTLE))).toBe(STACK.alarmMetricsAlways);
    expect(Object.keys(resourcesOf(template, 'AWS::CloudWatch::CompositeAlarm'))).toHaveLength(STACK.compositeAlarms);
    expect(Object.keys(resourcesOf(template, 'AWS::SecretsManager::Secret'))).toHaveLength(STACK.secrets);
    expect(Object.keys(resourcesOf(template, 'AWS::KMS::Key'))).toHaveLength(STACK.keys);
    expect(total(idleMonth(true))).toBeLessThanOrEqual(5);
    const without = [...FEATURE_IDS];
    expect(metricsOf(await synthesize({ without }))).toBe(LEAN_STACK.alarmMetricsMonitored);
    expect(metricsOf(await synthesize({ ...LITTLE, without }))).toBe(LEAN_STACK.alarmMetricsAlways);
  });

  it('notifies a given topic and its own when an alarm fires and when it is over; alarms that feed the alarm of silence notify nobody themselves', async () => {
    const everything = await synthesize(EVERYTHING_ON);
    const [own] = Object.keys(resourcesOf(everything, 'AWS::SNS::Topic'));
    const topics = [EVERYTHING_ON.alarmTopicArn, { Ref: own }];
    for (const { TreatMissingData, AlarmActions, OKActions } of alarmsOf(everything).values()) {
      const told = TreatMissingData === 'breaching' ? [] : topics;
      expect([AlarmActions, OKActions]).toEqual([told, told]);
    }
    everything.hasResourceProperties('AWS::CloudWatch::CompositeAlarm', {
      AlarmActions: topics,
      OKActions: topics,
    });
  });

  it('publishes to each topic who disabled the key or scheduled its deletion', async () => {
    const everything = await synthesize(EVERYTHING_ON);
    const [own] = Object.keys(resourcesOf(everything, 'AWS::SNS::Topic'));
    everything.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['aws.kms'] },
      Targets: [EVERYTHING_ON.alarmTopicArn, { Ref: own }].map((Arn) => ({
        Arn,
        InputTransformer: {
          InputPathsMap: Match.objectLike({ 'detail-userIdentity-arn': '$.detail.userIdentity.arn' }),
          InputTemplate: Match.stringLikeRegexp('docs/runbook.md#key-in-danger'),
        },
      })),
    });
    // Without a topic the alarm alone shows it.
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['aws.kms'] },
      Targets: Match.absent(),
    });
  });

  it('ST-32: sends what its own topic receives to the address, and lets nothing publish but alarms of the account and the rule of key changes', async () => {
    const made = await synthesize({ alarmEmail: 'on.call@example.com' });
    const [own] = Object.keys(resourcesOf(made, 'AWS::SNS::Topic'));
    const [keyChanges] = Object.keys(
      made.findResources('AWS::Events::Rule', { Properties: { EventPattern: { source: ['aws.kms'] } } }),
    );
    made.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'on.call@example.com',
      TopicArn: { Ref: own },
    });
    made.hasResourceProperties('AWS::SNS::TopicPolicy', {
      Topics: [{ Ref: own }],
      PolicyDocument: {
        Statement: [
          { Effect: 'Deny', Action: 'sns:Publish', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'events.amazonaws.com' },
            Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [keyChanges, 'Arn'] } } },
          },
        ],
      },
    });
    expect(resourcesOf(template, 'AWS::SNS::Topic')).toEqual({});
  });

  it('ST-32: refuses an address that is none', async () => {
    await expect(synthesize({ alarmEmail: 'on call' })).rejects.toThrow('alarmEmail: must be an e-mail address');
  });

  it('leaves the alarms of schedule, events and webhooks when it is switched off, and they tell the topic too', async () => {
    const bare = await synthesize(LITTLE);
    const alarms = alarmsOf(bare);
    expect([...alarms.keys()].toSorted()).toEqual([
      'dropped-feed-ticks',
      'dropped-ticks',
      'dropped-webhook-ticks',
      'events-silent',
      'failed-deliveries',
      'failing-feed-sweeps',
      'failing-sweeps',
      'failing-webhook-sweeps',
      'function-throttles',
      'overdue-events',
      'silence',
      'webhook-dead-letters',
    ]);
    for (const { TreatMissingData, AlarmActions } of alarms.values()) {
      expect(AlarmActions).toEqual(TreatMissingData === 'breaching' ? [] : [LITTLE.alarmTopicArn]);
    }
    expect(resourcesOf(bare, 'AWS::CloudWatch::Dashboard')).toEqual({});
    expect(resourcesOf(bare, 'AWS::Logs::QueryDefinition')).toEqual({});
  });

  it('refuses a topic that is none', async () => {
    await expect(synthesize({ alarmTopicArn: 'alarms' })).rejects.toThrow('alarmTopicArn: must be the ARN');
  });
});
