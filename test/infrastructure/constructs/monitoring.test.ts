import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTION_NAMES, METRICS, TABLE } from '../../../lambdas/gateway/contract.ts';
import type { DeathCause } from '../../../lambdas/gateway/core/grant-death.ts';
import { ALARM_MEANINGS } from '../../../lib/constructs/alarm-catalog.ts';
import { DEATHS } from '../../../lib/constructs/gateway-alarms.ts';
import { STACK } from '../../../tools/prices.ts';
import { EVERYTHING_ON, LITTLE } from '../option-samples.ts';
import { resourcesOf, synthesize } from '../synthesize.ts';

const RUNBOOK = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'runbook.md'), 'utf8');

const alarmSchema = z.looseObject({
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.string()).default([]),
  OKActions: z.array(z.string()).default([]),
  TreatMissingData: z.string(),
});

function alarmsOf(template: Template): Map<string, z.output<typeof alarmSchema>> {
  const alarms = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm')).map(({ Properties }) =>
    alarmSchema.parse(Properties),
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
  it('makes every alarm of the catalogue, each with a link to its entry in the runbook', () => {
    const alarms = alarmsOf(template);
    expect([...alarms.keys()].toSorted()).toEqual(Object.keys(ALARM_MEANINGS).toSorted());
    for (const [name, meaning] of Object.entries(ALARM_MEANINGS)) {
      expect(alarms.get(name)?.AlarmDescription).toBe(`${meaning} What to do: docs/runbook.md#${name}`);
    }
  });

  it('has one entry in the runbook for each alarm and no other, with what it means, where to look and what to do', () => {
    const entries = runbookEntries();
    expect([...entries.keys()].toSorted()).toEqual(Object.keys(ALARM_MEANINGS).toSorted());
    for (const entry of entries.values()) {
      expect(entry).toMatch(/- \*\*Means\*\*: .+- \*\*Look at\*\*: .+- \*\*Do\*\*: /s);
    }
  });

  it('has no link in the runbook that leads nowhere', () => {
    const targets = [...RUNBOOK.matchAll(/\]\(#([a-z-]+)\)/g)].map(([, name]) => name);
    expect(targets.length).toBeGreaterThan(5);
    for (const target of targets) expect(ALARM_MEANINGS).toHaveProperty(target ?? '');
  });

  it('stays quiet where nothing happens', () => {
    for (const { TreatMissingData } of alarmsOf(template).values()) expect(TreatMissingData).toBe('notBreaching');
  });

  it('watches throttles of the table and of each of its indexes', () => {
    const throttles = JSON.stringify(alarmOf('table-throttles'));
    for (const { name } of Object.values(TABLE.indexes)) expect(throttles).toContain(`"Value":"${name}"`);
    expect(throttles.match(/"MetricName":"(Read|Write)ThrottleEvents"/g)).toHaveLength(8);
  });

  it('hears of refused callers whatever the limit, whose name is a keyword of the query', () => {
    const query = /^SELECT SUM\(RateLimited\) FROM SCHEMA\("IntegrationGateway\/[^"]+", "limit"\)$/;
    expect(alarmOf('refused-callers')).toMatchObject({
      Metrics: [{ Expression: expect.stringMatching(query) }],
      Threshold: 100,
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
    });
  });

  it('hears of calls that disable the gateway’s own key or schedule its deletion', () => {
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
    const menders: Readonly<Record<DeathCause, 'operator' | 'end user' | 'asked for'>> = {
      user_revoked: 'end user',
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
      // An administrator's rule for devices and networks that does what it is for.
      context_aware_access: 'asked for',
      rotation_lost: 'operator',
      credentials_changed: 'operator',
      unknown: 'end user',
    };
    const watched = Object.entries(menders).filter(([, who]) => who === 'operator');
    expect(Object.values(DEATHS).flat().toSorted()).toEqual(watched.map(([cause]) => cause).toSorted());
  });

  it('shows every alarm and the gateway’s metrics on one dashboard', () => {
    const dashboards = Object.values(resourcesOf(template, 'AWS::CloudWatch::Dashboard'));
    expect(dashboards).toHaveLength(1);
    const text = JSON.stringify(dashboards[0]?.Properties);
    expect(text).toContain('Deaths by cause');
    for (const metric of [METRICS.rateLimited, METRICS.connections, METRICS.upstreamRetry, METRICS.retryBudgetSpent]) {
      expect(text).toContain(metric);
    }
    for (const logicalId of Object.keys(resourcesOf(template, 'AWS::CloudWatch::Alarm'))) {
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

  it('looks at as many metrics as docs/costs.md counts', async () => {
    const metrics = z.array(z.object({ Expression: z.string().default('SELECT') })).default([{ Expression: 'SELECT' }]);
    const metricsOf = (one: Template) =>
      Object.values(resourcesOf(one, 'AWS::CloudWatch::Alarm'))
        .flatMap(({ Properties }) => metrics.parse(Properties.Metrics))
        .filter(({ Expression }) => Expression.startsWith('SELECT')).length;
    expect(metricsOf(template)).toBe(STACK.alarmMetricsMonitored);
    expect(metricsOf(await synthesize(LITTLE))).toBe(STACK.alarmMetricsAlways);
    expect(Object.keys(resourcesOf(template, 'AWS::SecretsManager::Secret'))).toHaveLength(STACK.secrets);
    expect(Object.keys(resourcesOf(template, 'AWS::KMS::Key'))).toHaveLength(STACK.keys);
    expect(Object.keys(resourcesOf(template, 'AWS::CloudWatch::Dashboard'))).toHaveLength(STACK.dashboards);
  });

  it('tells a topic when an alarm fires and when it is over', async () => {
    const alarms = alarmsOf(await synthesize(EVERYTHING_ON));
    for (const { AlarmActions, OKActions } of alarms.values()) {
      expect([AlarmActions, OKActions]).toEqual([[EVERYTHING_ON.alarmTopicArn], [EVERYTHING_ON.alarmTopicArn]]);
    }
  });

  it('leaves the alarms of schedule, events and webhooks when it is switched off, and they tell the topic too', async () => {
    const bare = await synthesize(LITTLE);
    const alarms = alarmsOf(bare);
    expect([...alarms.keys()].toSorted()).toEqual([
      'dropped-feed-ticks',
      'dropped-ticks',
      'dropped-webhook-ticks',
      'failed-deliveries',
      'failing-feed-sweeps',
      'failing-sweeps',
      'failing-webhook-sweeps',
      'webhook-dead-letters',
    ]);
    for (const { AlarmActions } of alarms.values()) expect(AlarmActions).toEqual([LITTLE.alarmTopicArn]);
    expect(resourcesOf(bare, 'AWS::CloudWatch::Dashboard')).toEqual({});
    expect(resourcesOf(bare, 'AWS::Logs::QueryDefinition')).toEqual({});
  });

  it('refuses a topic that is none', async () => {
    await expect(synthesize({ alarmTopicArn: 'alarms' })).rejects.toThrow('alarmTopicArn: must be the ARN');
  });
});
