/** A running gateway, for the command line and for tests. */
import type { Simulator, SimulatorObserver } from '../../packages/simulator/index.ts';
import type { SynthMode } from '../tools/assembly.ts';
import type { Json } from '../tools/json.ts';
import type { AwsCallCount } from './aws/call-counts.ts';
import type { CredentialBook } from './aws/credentials.ts';
import type { KmsSwitches } from './aws/kms.ts';
import type { LogSwitches } from './aws/logs.ts';
import type { SecretsSwitches } from './aws/secret-operations.ts';
import type { QueuedMessage } from './aws/sqs.ts';
import type { Console } from './console.ts';
import type { BusSwitches, LifecycleEvent } from './events/bus.ts';
import type { TriggerSwitches } from './events/stream-trigger.ts';
import type { AwsCallers } from './front/aws-callers.ts';
import type { GoogleEndpoints, ServerSettings } from './google-endpoints.ts';
import type { DeniedCall } from './iam/judge.ts';
import type { LogLine } from './lambda/log-lines.ts';
import type { ChildInfo } from './lambda/pool.ts';
import type { Measurement } from './measurements.ts';
import type { SeededConnection, SeedScopes } from './seed.ts';
import type { LocalAlarm } from './template/alarms.ts';

/** An address the functions use instead, or how to make one once the real address is known (a fault proxy in front of it). */
export type EndpointOverride = string | ((realEndpoint: string) => string | Promise<string>);

export interface StartOptions {
  dataDir: string;
  /** Erase the data folder first. @default false */
  fresh?: boolean;
  /** Gateway here, dashboard one above, simulator two above, a function URL three above; 0: free ports. @default 0 */
  port?: number;
  /** @default 'auto' */
  synth?: SynthMode;
  /** Another assembly folder than the project's; then nothing is built. */
  assemblyFolder?: string;
  /** The assembly is an app's, with the gateway in its stack: what it declares is declared, and its functions run. @default false */
  app?: boolean;
  /** Another simulated Google, or Google itself, instead of the simulator. */
  googleEndpoints?: GoogleEndpoints;
  /** Addresses of other authorization servers, and OAuth clients for test credentials there, by server. */
  providerEndpoints?: Readonly<Record<string, ServerSettings>>;
  /** Address of a DynamoDB engine that runs elsewhere. @default what GATEWAY_DYNAMODB_ENDPOINT says, else an engine of its own */
  dynamoDb?: string;
  /** Print nothing. @default false */
  quiet?: boolean;
  /** Output of the start, the functions and the watch. @default the terminal, unless `quiet` */
  console?: Console;
  /** Build functions again whose sources change, and replace their processes. @default - nothing is watched */
  watch?: {
    /** The project whose sources are watched. @default this one */
    root?: string;
  };
  /** Functions that debuggers can be attached to, by their short names. @default none */
  inspect?: readonly string[];
  /** Make first connections in a new data folder. @default true, except with googleEndpoints */
  seed?: boolean;
  /** Scopes of the first connections' integrations. @default - the providers' own, for reading */
  seedScopes?: SeedScopes;
  simulator?: { separateOrigins?: boolean; observer?: SimulatorObserver };
  /** `simulator`: the functions' clock moves with the simulator's, as `npm start` has it. @default 'machine': two clocks, so that tests can set them apart */
  clock?: 'machine' | 'simulator';
  /**
   * As `npm start` has it: an operator signs in only from a browser in which the printed address was opened, and the simulator's
   * control routes need a key. @default false, for tests of one user
   */
  guarded?: boolean;
  /** Serve below `/<segment>`, as execute-api addresses do. */
  stagePrefix?: string;
  /** @default 4 */
  maxChildrenPerFunction?: number;
  /** Start a process of each function, and run what every start runs, before the first call asks for it. @default true */
  warmUp?: boolean;
  /** Origins that may embed the connect page, instead of the template's list. */
  allowedOrigins?: readonly string[];
  /** Addresses that a connect session may return the browser to. @default - the template's own */
  returnUrls?: readonly string[];
  /** Options of the stack as a deployment takes them. Another set makes another assembly. @default - the stack's own */
  stackOptions?: Readonly<Record<string, unknown>>;
  /** For a template with a company's sign-in: the provider on this computer that plays it, and the client's secret. */
  company?: { issuer: string; clientSecret: string };
  /** Replaces variables that a function has in the template; every function; tests only. */
  environmentOverrides?: Record<string, string>;
  /** More modules for `--import` in every function process. */
  preloads?: string[];
  endpointOverrides?: { dynamodb?: EndpointOverride; aws?: EndpointOverride };
  /** Those of the gateway whose endpoints are given instead. @default new ones for this run */
  credentials?: CredentialBook;
  /** `build`: also build the dashboard, while everything else continues, when its files are missing or old. @default 'serve' */
  dashboard?: 'serve' | 'build';
  /** Run the schedules' timers. @default true */
  schedules?: boolean;
  /** Hand events to the functions of the buses' rules. @default true */
  rules?: boolean;
  /** Ends a start that is still under way; a running gateway is ended by `close`. */
  signal?: AbortSignal;
}

/** An app that was synthesized with the gateway in its stack. */
export interface LocalApp {
  /** Its functions that run here, by the names that `tick` takes. */
  readonly functions: readonly string[];
  /** Resources that do not. */
  readonly notRun: readonly string[];
  /** Why what it declares was rolled back. */
  readonly failure: string | undefined;
  /** Properties of declared resources that have other values here, in words. */
  readonly replaced: readonly string[];
}

export interface LocalGateway {
  gatewayUrl: string;
  /** Where proxied calls go: the function URL, or the gateway itself where there is none. */
  proxyUrl: string;
  /** The function URL itself, where a distribution stands before it. */
  directDoorUrl: string | undefined;
  /** Null when the template has no dashboard. */
  dashboardUrl: string | null;
  /** The address that opens the dashboard now, with a single-use code where the gateway is guarded. */
  dashboardAddress: string | null;
  /** Null when someone else plays Google. */
  simulatorUrl: string | null;
  /** Below it are the simulator's control routes, with the key in it where the gateway is guarded. */
  simulatorControlUrl: string | null;
  /** The address that opens the simulator's page in one more browser. */
  simulatorPageAddress: string | null;
  simulator: Simulator | undefined;
  /** Empty when the template has no function that makes one. */
  secretKey: string;
  connections: readonly SeededConnection[];
  dataDir: string;
  /** The app that runs with the gateway, if one does. */
  app: LocalApp | undefined;
  /** Where DynamoDB is, also where the functions are given another address. */
  dynamodbEndpoint: string;
  awsEndpoint: string;
  /** Accepted credentials of both endpoints: the operator's, and each function's. */
  credentials: CredentialBook;
  /** Roles and users whose signatures the front takes, where it has routes for them. */
  callers: AwsCallers;
  /** Whether it has. */
  iamCallers: boolean;
  tableName: string;
  /** The KMS key that wraps data keys. */
  tokenKeyArn: string;
  /** Name of the function that puts events on the bus; empty where the template has none. */
  eventsFunctionName: string;
  /**
   * Fires a schedule by name or logical id, or invokes a function; a function with a schedule gets that schedule's input unless another
   * is given.
   * @throws Error when there is neither, or when the function failed.
   */
  tick(scheduleOrFunction: string, input?: Json): Promise<Json>;
  /** Every event since the start, in order. */
  events: readonly LifecycleEvent[];
  /** Waits for an event, past ones included, a minute if nothing else is said. @throws Error naming the events seen. */
  waitForEvent(predicate: (event: LifecycleEvent) => boolean, timeoutMs?: number): Promise<LifecycleEvent>;
  children(): ChildInfo[];
  /** Where debuggers attach. */
  inspectors: readonly { functionName: string; port: number }[];
  /** Calls to AWS by service, operation and caller. */
  awsCalls(): AwsCallCount[];
  /** The latest lines the functions wrote. */
  logs(): readonly LogLine[];
  /** The latest values of metrics that CloudWatch would have. */
  measurements(): readonly Measurement[];
  /** Alarms of the template that look at the sum of one metric. */
  alarms: readonly LocalAlarm[];
  /** Messages of the dead-letter queues since the start. */
  deadLetters: readonly QueuedMessage[];
  /** Switches of the first trigger, of the buses, of KMS and of Secrets Manager, for tests of failure. */
  switches: {
    readonly trigger: TriggerSwitches | undefined;
    loseStreamPosition(): void;
    bus: BusSwitches;
    kms: KmsSwitches;
    secrets: SecretsSwitches;
    logs: LogSwitches;
  };
  /** Returns and clears the calls that the template's policies denied, for callers that expected them. */
  takeDenials(): DeniedCall[];
  /**
   * Ends everything in order: no process, port or lock is left.
   * @throws Error, at the end, for denials that were not taken: the stack lacks a right that its code uses.
   */
  close(): Promise<void>;
}
