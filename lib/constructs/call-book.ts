import { Aws, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../lambdas/gateway/core/contract.ts';
import { acknowledge } from './acknowledge.ts';
import type { GatewayFunction } from './function.ts';
import { TickSchedule } from './sweep-schedule.ts';

/** The functions whose calls are counted, and the one that counts. */
export interface CallBookProps {
  readonly proxy: GatewayFunction;
  /** Functions that call the provider for the gateway itself, such as checks. */
  readonly others: readonly GatewayFunction[];
  /** Days that the proxy's log keeps its lines: the longest outage after which all calls are still counted. */
  readonly logRetentionDays: number;
  readonly rollUp: GatewayFunction;
  /** What happens to calls once a Cloud project's day at the provider is used up. */
  readonly dayLimit: 'warn' | 'stop';
}

/**
 * Counts proxied calls: the proxy writes a line of each to its log, and a function of its own queries the log each minute and
 * writes the sums. Feeds and checks write theirs to the logs of their functions. Only this function may query these logs, and Lambda's
 * count of the proxy's invocations.
 *
 * It has no alarms of its own: the sweeps report when it does not end (`TickWatch`). It reports itself when it is behind or when lines
 * are missing, and a minute that could not be read is read by the next tick.
 */
export class CallBook extends Construct {
  constructor(scope: Construct, id: string, { proxy, others, logRetentionDays, rollUp, dayLimit }: CallBookProps) {
    super(scope, id);
    const { logGroup } = proxy.lambda;
    const otherGroups = others.map(({ lambda }) => lambda.logGroup);
    const resources = [logGroup, ...otherGroups].map(({ logGroupArn }) => logGroupArn);
    rollUp.allow({ sid: 'AskLogOfCalls', actions: ['logs:StartQuery'], resources });
    rollUp.allow({
      sid: 'ReadAnswers',
      actions: ['cloudwatch:GetMetricData', 'logs:GetQueryResults'],
      resources: ['*'],
    });
    acknowledge(
      rollUp,
      'AwsSolutions-IAM5[Resource::*]',
      'Neither action knows resources. An answer is read by the id of its question, and only questions to the logs that calls leave lines in may be asked; metrics hold numbers.',
    );
    const { region } = Stack.of(this);
    rollUp.setEnvironment(ENVIRONMENT.proxyLogGroup, logGroup.logGroupName);
    rollUp.setEnvironment(ENVIRONMENT.otherLogGroups, otherGroups.map(({ logGroupName }) => logGroupName).join(','));
    rollUp.setEnvironment(ENVIRONMENT.proxyLogRetentionDays, String(logRetentionDays));
    rollUp.setEnvironment(ENVIRONMENT.dayLimit, dayLimit);
    rollUp.setEnvironment(ENVIRONMENT.proxyFunctionName, proxy.lambda.functionName);
    rollUp.setEnvironment(ENVIRONMENT.logsEndpoint, `https://logs.${region}.${Aws.URL_SUFFIX}`);
    rollUp.setEnvironment(ENVIRONMENT.metricsEndpoint, `https://monitoring.${region}.${Aws.URL_SUFFIX}`);
    new TickSchedule(this, 'Schedule', {
      called: rollUp,
      ticks: [
        {
          id: 'Minute',
          description: 'Roll-up of calls',
          event: { at: '<aws.scheduler.scheduled-time>' },
        },
      ],
    });
  }
}
