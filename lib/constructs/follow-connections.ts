import type { Duration } from 'aws-cdk-lib';
import { Rule, type RuleProps } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { APPROVED_EVENT_TYPE, EVENT_SOURCE, FOLLOWED_EVENT_TYPES } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayFunction } from './function.ts';

/** The source of events, and the function that follows them. */
export interface FollowConnectionsProps {
  readonly feeds: GatewayFunction;
  /** The bus that carries the events. */
  readonly bus: NonNullable<RuleProps['eventBus']>;
  /** How long the bus tries to deliver an event. After that, the feed's own next pull finds the change. */
  readonly maxEventAge: Duration;
}

/** A rule that sends deaths and returns of connections to the feeds function. */
export function followConnections(scope: Construct, { feeds, bus, maxEventAge }: FollowConnectionsProps): Rule {
  return new Rule(scope, 'FollowConnections', {
    description: 'Deaths and returns of connections to their feeds',
    eventBus: bus,
    eventPattern: { source: [EVENT_SOURCE], detailType: [...FOLLOWED_EVENT_TYPES] },
    targets: [new LambdaFunction(feeds.invoked, { maxEventAge, retryAttempts: 185 })],
  });
}

/** The source of decisions, and the function that runs them. */
export interface RunApprovalsProps extends Pick<FollowConnectionsProps, 'bus' | 'maxEventAge'> {
  readonly approvals: GatewayFunction;
}

/** A rule that sends approved calls to the approvals function. */
export function runApprovals(scope: Construct, { approvals, bus, maxEventAge }: RunApprovalsProps): Rule {
  return new Rule(scope, 'RunApprovals', {
    description: 'Approved calls to the function that sends them',
    eventBus: bus,
    eventPattern: { source: [EVENT_SOURCE], detailType: [APPROVED_EVENT_TYPE] },
    targets: [new LambdaFunction(approvals.invoked, { maxEventAge, retryAttempts: 185 })],
  });
}
