import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Background, BackgroundProps } from '../../../lib/constructs/feature.ts';
import { setProviderEndpoints } from '../../../lib/constructs/provider-endpoints.ts';
import { SweepSchedule } from '../../../lib/constructs/sweep-schedule.ts';
import { EVENT_SOURCE } from '../../gateway/core/contract.ts';
import { feature } from './feature.ts';
import { FOLLOWED_EVENT_TYPES } from './limits.rules.ts';

/** A sweep works until shortly before this; the next tick continues. */
const TIMEOUT = Duration.minutes(5);

/** Wake-ups and deaths of connections are retried for this long while the function fails; the sweep finds the rest. */
const EVENT_AGE = Duration.minutes(15);

/** The function that works on feeds, its tick, and a rule that sends it deaths and returns of connections. */
export function background(props: BackgroundProps): Background {
  const { gateway, config, functions, makeFunction, startFromInbox, bus } = props;
  const feeds = makeFunction('Feeds', {
    functionName: 'feeds',
    reservedConcurrency: config.reservedConcurrency.feeds,
    description: 'Keeps resources under watch and collects their changes',
    timeout: TIMEOUT,
    eventAge: EVENT_AGE,
  });
  setProviderEndpoints(feeds, config);
  startFromInbox(feeds, feature.environment.feedsFunctionName);
  for (const fn of [feeds, functions.grants])
    fn.setEnvironment(feature.environment.feedSharePercent, String(config.feedShare));
  // Separate from the tick of refreshes, so that a failure here delays no token.
  const schedule = new SweepSchedule(gateway, 'FeedSchedule', {
    sweeper: feeds,
    title: 'Feed sweep',
    slices: 1,
    alarms: { droppedTicks: 'dropped-feed-ticks', failingSweeps: 'failing-feed-sweeps' },
  });
  new Rule(gateway, 'FollowConnections', {
    description: 'Deaths and returns of connections to their feeds',
    eventBus: bus,
    eventPattern: { source: [EVENT_SOURCE], detailType: [...FOLLOWED_EVENT_TYPES] },
    targets: [new LambdaFunction(feeds.invoked, { maxEventAge: EVENT_AGE, retryAttempts: 185 })],
  });
  return { functions: [feeds], counted: [feeds], schedules: [schedule], listening: [] };
}
