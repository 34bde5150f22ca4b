import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Background, BackgroundProps } from '../../../lib/constructs/feature.ts';
import { EVENT_SOURCE } from '../../gateway/core/contract.ts';
import { feature } from './feature.ts';

/** A run takes up to a minute, plus its reads before and after. */
const TIMEOUT = Duration.seconds(90);

/** An approved call is sent within this time or not at all. */
const EVENT_AGE = Duration.minutes(15);

/** The event after which an approved call is sent. */
const APPROVED: (typeof feature.events)[number] = 'ApprovalDecided';

/** The function of the pages on which people decide, and the rule that sends it what they approved. */
export function background({ gateway, config, makeFunction, addRoute, bus }: BackgroundProps): Background {
  const approvals = makeFunction('Approvals', {
    functionName: 'approvals',
    hasPages: true,
    reservedConcurrency: config.reservedConcurrency.approvals,
    description: 'Asks people about calls that wait for approval',
    timeout: TIMEOUT,
    memoryMb: feature.memoryMb.approvals,
    eventAge: EVENT_AGE,
  });
  addRoute('/approve/{proxy+}', approvals);
  new Rule(gateway, 'RunApprovals', {
    description: 'Approved calls to the function that sends them',
    eventBus: bus,
    eventPattern: { source: [EVENT_SOURCE], detailType: [APPROVED] },
    targets: [new LambdaFunction(approvals.invoked, { maxEventAge: EVENT_AGE, retryAttempts: 185 })],
  });
  return { functions: [approvals], schedules: [], listening: [] };
}
