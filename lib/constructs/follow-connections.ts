import type { Duration } from 'aws-cdk-lib';
import { Rule, type RuleProps } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { EVENT_SOURCE, FOLLOWED_EVENT_TYPES } from '../../lambdas/gateway/core/contract.ts';
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
