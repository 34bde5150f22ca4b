import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { RuleProps } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import type { CoreFunction, FeatureFunction } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayConfig } from '../gateway-options.ts';
import type { RouteMode } from './api-routes.ts';
import type { CallLog } from './call-log.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { GatewayFunction, GatewayFunctionProps } from './function.ts';
import type { SweepSchedule } from './sweep-schedule.ts';
import type { TokenKey } from './token-key.ts';

/** The core's functions, but for those that are made for features that ask for them. */
export type GatewayFunctions = Readonly<Record<Exclude<CoreFunction, 'core' | 'inbox'>, GatewayFunction>>;

/** Lets the inbox start a function for messages of a feature. @throws Error where no deployed feature has `messagePaths` */
export type StartFromInbox = (fn: GatewayFunction, nameVariable: string) => void;

/** What a feature's construct is made of. */
export interface FeatureProps {
  readonly functions: GatewayFunctions;
  readonly tokenKey: TokenKey;
  readonly callLog: CallLog;
  readonly config: GatewayConfig;
  readonly startFromInbox: StartFromInbox;
}

/** What functions of features and their work are made of. */
export interface BackgroundProps {
  readonly gateway: Construct;
  readonly config: GatewayConfig;
  readonly functions: GatewayFunctions;
  /** Makes a function of the feature, with the rights that its `feature.ts` declares. */
  readonly makeFunction: (id: string, props: OwnFunctionProps) => GatewayFunction;
  readonly startFromInbox: StartFromInbox;
  /** Lets a function of the feature serve a path and every method, as a resource of API Gateway. @param fn undefined: that of management */
  readonly addRoute: (path: string, fn?: GatewayFunction, mode?: RouteMode) => void;
  /** For functions that ask the proxy for everything else. */
  readonly setBaseUrl: (fn: GatewayFunction) => void;
  /** For functions that send to addresses of customers: nothing may lead to the dashboard. */
  readonly setDashboard: (fn: GatewayFunction) => void;
  /** The bus that carries the gateway's events. */
  readonly bus: NonNullable<RuleProps['eventBus']>;
  readonly busName: string;
  /** The queue for events that were given up. */
  readonly deadLetters: DeadLetters;
}

/** What distinguishes a function of a feature from others. */
export type OwnFunctionProps = Pick<
  GatewayFunctionProps,
  'description' | 'timeout' | 'memoryMb' | 'reservedConcurrency' | 'eventAge'
> & {
  readonly functionName: FeatureFunction;
  /** It shows pages to end users, with the deployment's brand. */
  readonly hasPages?: true;
};

/** Functions of a feature and what calls them, for alarms. */
export interface Background {
  readonly functions: readonly GatewayFunction[];
  /** Functions that answer requests, whose every error counts. */
  readonly answering?: readonly GatewayFunction[];
  /** Functions that call the provider for the gateway itself: the roll-up counts the lines of their logs. */
  readonly counted?: readonly GatewayFunction[];
  readonly schedules: readonly SweepSchedule[];
  /** Alarms on missing measurements, in addition to those of the schedules. */
  readonly listening: readonly Alarm[];
}
