import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { BACKGROUNDS } from '../lambdas/features/backgrounds.ts';
import { CONSTRUCTS } from '../lambdas/features/constructs.ts';
import { FEATURE_CORE_ALIASES, FEATURE_DOOR_ALIASES } from '../lambdas/features/index.ts';
import { ENVIRONMENT, FUNCTION_NAMES } from '../lambdas/gateway/core/contract.ts';
import { DATA_KEY_PURPOSES, functionsWithout, purposesOf } from '../lambdas/gateway/core/table-rights.ts';
import { accentColors, type Logo, readLogo } from './brand.ts';
import { AlarmEmail } from './constructs/alarm-email.ts';
import { CallBook } from './constructs/call-book.ts';
import { setCallLimits, setLongCallLimits } from './constructs/call-limits.ts';
import { CallLog } from './constructs/call-log.ts';
import { Dashboard } from './constructs/dashboard.ts';
import { DeadLetters } from './constructs/dead-letters.ts';
import { EventFeed } from './constructs/event-feed.ts';
import type { GatewayFunctions, OwnFunctionProps, StartFromInbox } from './constructs/feature.ts';
import { GatewayFunction } from './constructs/function.ts';
import { ProxyFunctionUrl } from './constructs/function-url.ts';
import { OwnMetrics } from './constructs/gateway-metrics.ts';
import { GatewaySecrets } from './constructs/gateway-secrets.ts';
import { GatewayTable } from './constructs/gateway-table.ts';
import { Monitoring, notifyTopic } from './constructs/monitoring.ts';
import { setProviderEndpoints } from './constructs/provider-endpoints.ts';
import { setRefreshPolicy } from './constructs/refresh-settings.ts';
import { GatewayApi } from './constructs/rest-api.ts';
import { Silence } from './constructs/silence.ts';
import { SweepSchedule } from './constructs/sweep-schedule.ts';
import { TokenKey } from './constructs/token-key.ts';
import { allowDeclarations, DeclaringGateway, type GatewayDeclarations } from './declarations.ts';
import { FUNCTION_MEMORY_MB } from './function-memory.ts';
import {
  type GatewayConfig,
  type GatewayOptions,
  InvalidOptionsError,
  resolveGatewayOptions,
} from './gateway-options.ts';
import { warnOfMissingServices } from './missing-services.ts';
import { isFreeOfReservedWords, problemsOfRegion } from './option-values.ts';

/** Lambda's maximum, because a streamed answer may take that long. */
const PROXY_TIMEOUT = Duration.minutes(15);

/** Buffered routes make a few calls with deadlines of their own, which together take less than 15 s. */
const ROUTE_TIMEOUT = Duration.seconds(15);

/** A sweep works until shortly before this; the next tick continues. */
const REFRESH_TIMEOUT = Duration.minutes(5);

/** The calls of a question, each with a refresh, end sooner. */
const CORE_TIMEOUT = Duration.seconds(30);

/** A batch takes tenths of a second, and with a slow bus up to a minute; Lambda retries the rest. */
const EVENTS_TIMEOUT = Duration.minutes(1);

/** A tick takes tenths of a second; after an outage it writes pages as long as it may. */
const ROLL_UP_TIMEOUT = Duration.minutes(5);

/** A stack's resource takes seconds; one with many connections is deleted for as long as this allows. */
const DECLARED_TIMEOUT = Duration.minutes(4);

/** Requests of CloudFormation are repeated within this, and it waits for longer (`SERVICE_TIMEOUT`). */
const DECLARED_EVENT_AGE = Duration.minutes(8);

/** Retained once in use; when a first deploy fails, its new resources are deleted. */
const REMOVAL_POLICIES = {
  retain: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  destroy: RemovalPolicy.DESTROY,
} as const;

/** Where the build leaves the bundles. */
const DEFAULT_BUNDLES_PATH = join(import.meta.dirname, '..', 'dist', 'lambdas');

/** The options of a gateway and the location of its code. */
export interface IntegrationGatewayProps extends GatewayOptions {
  /**
   * Folder that holds one bundle per function, each an `index.mjs` that exports `handler`.
   * @default - dist/lambdas of this project
   */
  readonly bundlesPath?: string;
}

/**
 * A whole gateway: table, key, secrets, functions, API, refresh schedule, lifecycle events and dashboard. One per stack: the stack's
 * name is the prefix of the secrets created at run time. The stack needs an explicit region.
 */
export class IntegrationGateway extends DeclaringGateway {
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  /** Address of proxied calls, without a trailing slash: the base URL, unless they have a front door of their own. */
  readonly proxyUrl: string;
  /** Name the DNS record of `proxyDomain` must point to, if there is one. */
  readonly proxyDomainTarget: string | undefined;
  /** Redirect URI to register with every Google OAuth client. */
  readonly callbackUrl: string;
  /** Name the DNS record of the custom domain must point to, if there is one. */
  readonly domainTarget: string | undefined;
  /** The secret with the first secret key, and those of test credentials. */
  readonly secrets: GatewaySecrets;
  /** The bus that carries lifecycle events. */
  readonly events: EventFeed;
  /** The tick that keeps tokens fresh. */
  readonly schedule: SweepSchedule;
  /** Every alarm that notifies, for actions in addition to `alarmTopicArn` and `alarmEmail`. */
  readonly alarms: readonly AlarmBase[];
  /** Receivers of alarms: an address, a topic's ARN, both, or none. */
  readonly alarmReceivers: readonly string[];
  /** Features that are left out. */
  readonly without: readonly string[];
  /** The operators' dashboard, if there is one. */
  readonly dashboard: Dashboard | undefined;
  /** Id of the REST API. */
  readonly apiId: string;
  /** What other stacks need to declare integrations, webhooks and callers of this gateway. */
  readonly declarations: GatewayDeclarations;

  /** @throws InvalidOptionsError that lists every problem of the options */
  constructor(scope: Construct, id: string, props: IntegrationGatewayProps = {}) {
    super(scope, id);
    const { bundlesPath = DEFAULT_BUNDLES_PATH, ...options } = props;
    const config = resolveGatewayOptions(options);
    const logo = checkContext(this, bundlesPath, config);
    const files = logo === undefined ? undefined : { logo: logo.content };
    warnOfMissingServices(this, Stack.of(this).region, config);
    const removalPolicy = REMOVAL_POLICIES[config.removalPolicy];
    const tokenKey = new TokenKey(this, 'TokenKey', { removalPolicy });
    const table = new GatewayTable(this, 'Data', { tokenKey, removalPolicy, without: config.without });
    this.secrets = new GatewaySecrets(this, 'Secrets', { prefix: Stack.of(this).stackName, removalPolicy });

    const { logRetentionDays, tracing, reservedConcurrency: reserved } = config;
    const common = { bundlesPath, logRetentionDays, removalPolicy, tracing };
    const { inbox, ...functions }: GatewayFunctions & { readonly inbox?: GatewayFunction } = {
      proxy: new GatewayFunction(this, 'Proxy', {
        ...common,
        functionName: 'proxy',
        reservedConcurrency: reserved.proxy,
        description: 'Forwards requests to Google as the user of a connection',
        timeout: PROXY_TIMEOUT,
        memoryMb: config.proxyMemoryMb,
        // The function writes a line of its own for each call: Lambda's two would cost as much again.
        withoutReports: true,
        provisionedConcurrency: config.provisionedConcurrency,
      }),
      'oauth-callback': new GatewayFunction(this, 'OAuthCallback', {
        ...common,
        functionName: 'oauth-callback',
        files,
        reservedConcurrency: reserved.oauthCallback,
        description: 'Finishes authorizations',
        timeout: ROUTE_TIMEOUT,
      }),
      connect: new GatewayFunction(this, 'Connect', {
        ...common,
        functionName: 'connect',
        files,
        reservedConcurrency: reserved.connect,
        description: 'Shows the connect page and starts authorizations',
        timeout: ROUTE_TIMEOUT,
      }),
      management: new GatewayFunction(this, 'Management', {
        ...common,
        functionName: 'management',
        reservedConcurrency: reserved.management,
        description: 'Manages keys, webhooks and sessions, and reports',
        timeout: ROUTE_TIMEOUT,
      }),
      grants: new GatewayFunction(this, 'Grants', {
        ...common,
        functionName: 'grants',
        reservedConcurrency: reserved.grants,
        description: 'Manages integrations, connections and feeds',
        timeout: ROUTE_TIMEOUT,
      }),
      refresh: new GatewayFunction(this, 'Refresh', {
        ...common,
        functionName: 'refresh',
        reservedConcurrency: reserved.refresh,
        description: 'Refreshes tokens ahead of use',
        timeout: REFRESH_TIMEOUT,
        discardFailedEvents: true,
      }),
      ...(functionsWithout(config.without).has('inbox')
        ? {}
        : {
            inbox: new GatewayFunction(this, 'Inbox', {
              ...common,
              functionName: 'inbox',
              reservedConcurrency: reserved.inbox,
              description: 'Takes messages of Google’s push channels and its security events',
              timeout: ROUTE_TIMEOUT,
            }),
          }),
      events: new GatewayFunction(this, 'EventsToBus', {
        ...common,
        functionName: 'events',
        reservedConcurrency: reserved.events,
        description: 'Puts lifecycle events on their bus',
        timeout: EVENTS_TIMEOUT,
        memoryMb: FUNCTION_MEMORY_MB.events,
      }),
      'roll-up': new GatewayFunction(this, 'RollUp', {
        ...common,
        functionName: 'roll-up',
        reservedConcurrency: reserved.rollUp,
        description: 'Counts proxied calls from their log',
        timeout: ROLL_UP_TIMEOUT,
        memoryMb: FUNCTION_MEMORY_MB.rollUp,
        discardFailedEvents: true,
        withoutReports: true,
      }),
      declared: new GatewayFunction(this, 'Declared', {
        ...common,
        functionName: 'declared',
        description: 'Creates, changes and deletes what stacks declare',
        timeout: DECLARED_TIMEOUT,
        memoryMb: FUNCTION_MEMORY_MB.declared,
        eventAge: DECLARED_EVENT_AGE,
      }),
    };
    const api = new GatewayApi(this, 'Api', { ...config, functions: { ...functions, inbox }, removalPolicy });
    this.baseUrl = api.baseUrl;
    this.apiId = api.apiId;
    this.callbackUrl = `${api.baseUrl}/oauth/callback`;
    this.domainTarget = api.domainTarget;
    const functionUrl =
      config.frontDoor === 'function-url'
        ? new ProxyFunctionUrl(this, 'ProxyUrl', {
            ...config,
            proxy: functions.proxy,
            isBounded: reserved.proxy !== undefined,
            removalPolicy,
          })
        : undefined;
    this.proxyUrl = functionUrl?.proxyUrl ?? api.baseUrl;
    this.proxyDomainTarget = functionUrl?.domainTarget;
    // The API's document contains the address of proxied calls.
    if (functionUrl !== undefined) functions.management.setEnvironment(ENVIRONMENT.proxyUrl, functionUrl.proxyUrl);

    table.grantProxyAccess(functions.proxy);
    table.grantCallbackAccess(functions['oauth-callback']);
    table.grantConnectAccess(functions.connect);
    table.grantManagementAccess(functions.management);
    table.grantGrantsAccess(functions.grants);
    table.grantRefreshAccess(functions.refresh);
    const callLog = new CallLog(this, 'CallLog', { ...config, tokenKey });
    callLog.grantWrite(functions.proxy);
    callLog.grantRead(functions.management);
    callLog.grantUse(functions.grants);
    callLog.grantClearing(functions.refresh);
    const startFromInbox: StartFromInbox = (fn, nameVariable) => {
      if (inbox === undefined) throw new Error('No feature of this gateway has messagePaths, so it has no inbox.');
      fn.allowInvocationBy(inbox, nameVariable);
    };
    for (const construct of notLeftOut(CONSTRUCTS, config))
      construct(this, { functions, tokenKey, callLog, config, startFromInbox });
    const setWithout = (fn: GatewayFunction) => {
      if (config.without.length > 0) fn.setEnvironment(ENVIRONMENT.withoutFeatures, config.without.join(','));
    };
    for (const fn of Object.values(functions)) setWithout(fn);
    const metrics = new OwnMetrics(this);
    if (inbox !== undefined) {
      setWithout(inbox);
      table.grantInboxAccess(inbox);
      metrics.setNamespace(inbox);
      setProviderEndpoints(inbox, config);
    }
    const { events, 'roll-up': rollUp, declared, ...callers } = functions;
    for (const fn of [events, rollUp]) metrics.setNamespace(fn);
    table.grantRollUpAccess(rollUp);
    allowDeclarations(declared, functions);
    api.setBaseUrl(declared);
    this.declarations = {
      ...{ functionArn: declared.lambda.functionArn, role: declared.role, signedCallsArn: api.signedCallsArn },
      madeAfter: [declared, functions.management, functions.grants, table],
    };
    const leftOut = purposesOf(config.without);
    const grantDataKeys = (fn: GatewayFunction) =>
      tokenKey.grantFieldEncryption(
        fn,
        DATA_KEY_PURPOSES[fn.functionName].filter((purpose) => !leftOut.has(purpose)),
      );
    const setCaller = (fn: GatewayFunction) => {
      grantDataKeys(fn);
      api.setBaseUrl(fn);
      metrics.setNamespace(fn);
      setProviderEndpoints(fn, config);
    };
    for (const fn of Object.values(callers)) setCaller(fn);
    for (const fn of [functions.proxy, functions.management, functions.grants]) setCallLimits(fn, config);
    setLongCallLimits(functions.proxy, config);
    const useGrants = (fn: GatewayFunction) => {
      this.secrets.grantCredentialsRead(fn);
      setRefreshPolicy(fn, config);
    };
    for (const fn of [functions.proxy, functions['oauth-callback'], functions.refresh]) useGrants(fn);
    for (const fn of [functions.management, functions.grants]) setRefreshPolicy(fn, config);
    this.secrets.grantCredentialsWrite(functions.grants);
    functions.grants.setEnvironment(ENVIRONMENT.clientSecrets, config.clientSecrets);
    this.secrets.grantFirstSecretKeyWrite(functions.refresh);
    for (const fn of [functions.connect, functions['oauth-callback'], functions.management, functions.grants]) {
      fn.setEnvironment(ENVIRONMENT.connectAllowedOrigins, config.connectAllowedOrigins.join(','));
      fn.setEnvironment(ENVIRONMENT.connectReturnUrls, config.connectReturnUrls.join(','));
    }

    for (const fn of [functions.connect, functions['oauth-callback']]) setBrand(fn, config, logo);

    if (config.dashboard) {
      this.dashboard = new Dashboard(this, 'Dashboard', {
        ...config,
        baseUrl: this.baseUrl,
        removalPolicy,
      });
      for (const fn of [functions.management, functions.grants]) this.dashboard.setManagement(fn);
      // Test connections are made in a popup that reports its result to the dashboard.
      this.dashboard.site.setOrigin(functions.connect);
      this.dashboard.site.setOrigin(functions['oauth-callback']);
    }

    this.schedule = new SweepSchedule(this, 'Schedule', {
      sweeper: functions.refresh,
      title: 'Refresh sweep',
      slices: config.refreshSlices,
      alarms: { droppedTicks: 'dropped-ticks', failingSweeps: 'failing-sweeps' },
    });
    this.events = new EventFeed(this, 'Events', { table, forwarder: events, busArn: config.eventBusArn });
    const { bus, busName } = this.events;
    const deadLetters = new DeadLetters(this, 'Webhooks');
    this.events.start(deadLetters.queue);
    let core: GatewayFunction | undefined;
    const makeCore = () => {
      const fn = new GatewayFunction(this, 'Core', {
        ...common,
        functionName: 'core',
        reservedConcurrency: reserved.core,
        description: 'Makes calls to providers for functions that may open no token',
        timeout: CORE_TIMEOUT,
        memoryMb: FUNCTION_MEMORY_MB.core,
      });
      setWithout(fn);
      table.grantCoreAccess(fn);
      setCaller(fn);
      useGrants(fn);
      return fn;
    };
    const makeFunction = (id: string, { hasPages, ...props }: OwnFunctionProps) => {
      const fn = new GatewayFunction(this, id, { ...common, ...props, ...(hasPages ? { files } : {}) });
      setWithout(fn);
      if (hasPages) setBrand(fn, config, logo);
      if (FEATURE_DOOR_ALIASES.some((alias: string) => alias === props.functionName)) {
        // It asks the proxy for everything else.
        functions.proxy.openDoorFor(fn, ENVIRONMENT.proxyFunctionName);
        return fn;
      }
      if (FEATURE_CORE_ALIASES.some((alias: string) => alias === props.functionName)) {
        core ??= makeCore();
        core.openDoorFor(fn, ENVIRONMENT.coreFunctionName);
      }
      table.grantFeatureAccess(fn, props.functionName);
      grantDataKeys(fn);
      api.setBaseUrl(fn);
      metrics.setNamespace(fn);
      return fn;
    };
    const backgrounds = notLeftOut(BACKGROUNDS, config).map((make) =>
      make({
        gateway: this,
        config,
        functions,
        makeFunction,
        startFromInbox,
        addRoute: (...of) => api.addRoute(...of),
        setBaseUrl: (fn) => api.setBaseUrl(fn),
        setDashboard: (fn) => this.dashboard?.site.setOrigin(fn),
        bus,
        busName,
        deadLetters,
      }),
    );
    new CallBook(this, 'CallBook', {
      proxy: functions.proxy,
      others: [...backgrounds.flatMap((one) => one.counted ?? []), functions.grants],
      logRetentionDays,
      rollUp,
      dayLimit: config.dayLimit,
    });
    for (const fn of [functions.management, functions.grants])
      fn.setEnvironment(ENVIRONMENT.endpointsToLoopback, 'false');

    const ticks = [this.schedule, ...backgrounds.flatMap(({ schedules }) => schedules)];
    const listening = [
      ...ticks.map(({ silenceAlarm }) => silenceAlarm),
      ...backgrounds.flatMap(({ listening }) => listening),
    ];
    const silence = new Silence(this, 'Silence', { listening });
    const always = [
      ...ticks.map(({ failingSweepsAlarm }) => failingSweepsAlarm),
      this.events.failedDeliveriesAlarm,
      this.events.overdueEventsAlarm,
      deadLetters.alarm,
      silence.concurrencyAlarm,
    ];
    const monitoring = config.monitoring
      ? new Monitoring(this, 'Monitoring', {
          stage: { apiName: Stack.of(this).stackName, stageName: config.stageName },
          answering: [
            functions.proxy,
            functions['oauth-callback'],
            functions.connect,
            functions.management,
            ...(inbox === undefined ? [] : [inbox]),
            ...backgrounds.flatMap((one) => one.answering ?? []),
          ],
          byUrl: functionUrl === undefined ? undefined : functions.proxy,
          background: [
            functions.refresh,
            ...backgrounds.flatMap((one) => one.functions),
            ...(core === undefined ? [] : [core]),
            functions.events,
            rollUp,
            declared,
            // Watched by the front door's share of failures: a metric of its own would cost more than is left.
            functions.grants,
          ],
          tokenKey,
          otherAlarms: [...always, ...listening],
          operationsDashboard: config.operationsDashboard,
          without: config.without,
        })
      : undefined;
    this.alarms = [...(monitoring?.alarms ?? []), ...always, silence.alarm];
    const receivers: ITopic[] = [];
    if (config.alarmTopicArn !== undefined) {
      receivers.push(Topic.fromTopicArn(this, 'AlarmTopic', config.alarmTopicArn));
    }
    if (config.alarmEmail !== undefined) {
      receivers.push(new AlarmEmail(this, 'AlarmEmail', { email: config.alarmEmail }).topic);
    }
    for (const topic of receivers) {
      notifyTopic(this.alarms, topic);
      monitoring?.reportKeyChanges(topic.node.id, topic);
    }
    this.without = config.without;
    this.alarmReceivers = [config.alarmTopicArn, config.alarmEmail].filter((one) => one !== undefined);
  }

  /** The tick of feeds, separate so that a failure there delays no token. @throws Error in a gateway without feeds */
  get feedSchedule(): SweepSchedule {
    const schedule = this.node.tryFindChild('FeedSchedule');
    if (schedule instanceof SweepSchedule) return schedule;
    throw new Error('The gateway is deployed without feeds, so it has no tick of them.');
  }
}

/** Parts of the features that the deployment has. */
function notLeftOut<Part>(parts: Readonly<Record<string, Part>>, { without }: GatewayConfig): readonly Part[] {
  return Object.entries(parts).flatMap(([id, part]) => (without.some((left) => left === id) ? [] : [part]));
}

/** Reads the logo, and rejects at once what would fail later without a helpful message. */
function checkContext(scope: Construct, bundlesPath: string, config: GatewayConfig): Logo | undefined {
  const problems: string[] = [];
  let logo: Logo | undefined;
  try {
    logo = config.connectLogo === undefined ? undefined : readLogo(config.connectLogo);
  } catch (error) {
    problems.push(`connectLogo: ${error instanceof Error ? error.message : error}`);
  }
  const missing = FUNCTION_NAMES.filter((name) => !existsSync(join(bundlesPath, name)));
  if (missing.length > 0) {
    problems.push(`bundlesPath: ${bundlesPath} holds no bundle of ${missing.join(', ')}; run 'npm run build' first`);
  }
  if (Token.isUnresolved(Stack.of(scope).region)) {
    problems.push(
      'the stack needs an explicit region (env.region), because its table is encrypted with a key of its own',
    );
  } else problems.push(...problemsOfRegion(config, Stack.of(scope).region));
  const { stackName } = Stack.of(scope);
  if (config.dashboard && config.operatorDomainPrefix === undefined && !isFreeOfReservedWords(stackName)) {
    problems.push(
      `operatorDomainPrefix: the stack's name ${stackName} cannot be the start of the sign-in page's address, because Cognito refuses aws, amazon and cognito in it; set this option`,
    );
  }
  if (problems.length > 0) {
    throw new InvalidOptionsError(problems);
  }
  return logo;
}

/** Sets the brand of a function with pages for end users. */
function setBrand(fn: GatewayFunction, { connectAppName, connectAccent }: GatewayConfig, logo: Logo | undefined): void {
  fn.setEnvironment(ENVIRONMENT.connectAppName, connectAppName ?? '');
  fn.setEnvironment(ENVIRONMENT.connectLogo, logo?.mediaType ?? '');
  const looks =
    connectAccent === undefined
      ? []
      : [accentColors('light', connectAccent.light), accentColors('dark', connectAccent.dark ?? connectAccent.light)];
  const colors = looks.map(({ accent, hover, ink }) => `${accent} ${hover} ${ink}`).join(',');
  fn.setEnvironment(ENVIRONMENT.connectAccent, colors);
}
