import { FEATURE_ENVIRONMENT } from '../features/index.ts';
import { addressProblem, isLoopbackAddress } from './core/addresses.ts';
import type { BrandSettings } from './core/brand.ts';
import {
  ADDRESS_NAMES,
  addressVariable,
  CALL_LIMIT_DEFAULTS,
  CALL_LOG_MODES,
  CALL_LOG_RETENTION_DAYS,
  type CallLogMode,
  type ClientSecretPlace,
  ENVIRONMENT,
  KEEP_ALIVE_MAX_DAYS,
  type OperatorMfa,
  originName,
  REFRESH_AHEAD,
  REFRESH_SETTINGS,
  testCredentialsVariable,
  toolServerName,
} from './core/contract.ts';
import type { EndpointTargets } from './core/endpoint-targets.ts';
import { LEASE_SEC, SLICE_LEASE_IN_LEASES } from './core/limits.ts';
import type { ProviderEndpoints } from './providers/authorization-server.rules.ts';
import type { Provider, ProviderId } from './providers/provider.rules.ts';
import {
  DEFAULT_REFRESH_POLICY,
  type RefreshPolicy,
  type RefreshTiming,
  refreshTiming,
} from './tokens/freshness.rules.ts';

/** A function's view of its deployment. Only this file reads the environment. */
export interface Config {
  readonly tableName: string;
  /** Without a trailing slash; may end in a stage path. */
  readonly baseUrl: string;
  /** Where proxied calls go, and the secret that a distribution in front of them sends; undefined where there is none. */
  readonly proxyDoor: { readonly proxyUrl: string | undefined; readonly secret: string | undefined };
  readonly tokenKeyArn: string;
  readonly secretPrefix: string;
  /** Set for the refresh function only. */
  readonly firstSecretKeyArn: string | undefined;
  readonly testCredentialsSecretOf: (provider: ProviderId) => string;
  readonly connectAllowedOrigins: readonly string[];
  readonly connectReturnUrls: readonly string[];
  /** The brand on pages for end users: the name of the app that requests access, its logo and colours. */
  readonly brand: BrandSettings;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  /** Origins of the APIs of all providers. */
  readonly apiOrigins: readonly string[];
  /** True when the deployment names a loopback provider: only on this computer plain http and private addresses are legal. */
  readonly loopbackProvider: boolean;
  readonly refreshTiming: RefreshTiming;
  /** How long a run of a sweep that died holds its slice of the due index. */
  readonly sliceLeaseMs: number;
  readonly refreshPolicy: RefreshPolicy;
  /** CloudWatch namespace of the metrics this deployment counts. */
  readonly metricNamespace: string;
  /** Calls a minute, and long calls at the same time; 0 = no limit. */
  readonly callLimits: Readonly<Record<keyof typeof CALL_LIMIT_DEFAULTS, number>>;
  /** Which calls leave a row, and their table and retention in days. The table's name is empty in functions without a right to it. */
  readonly callLog: {
    readonly mode: CallLogMode;
    readonly tableName: string;
    readonly retentionDays: number;
  };
  /** Ids of features that the deployment leaves out. */
  readonly without: ReadonlySet<string>;
  /** A setting of a feature; empty in functions that do not have it. */
  readonly setting: (name: keyof typeof FEATURE_ENVIRONMENT) => string;
  /** Settings of operators' sign-in; undefined where the deployment has no dashboard. */
  readonly operators: OperatorSettings | undefined;
  /** Origin of the dashboard; undefined where there is none. */
  readonly dashboardOrigin: string | undefined;
  /** Where endpoints that customers name may be. */
  readonly endpointTargets: EndpointTargets;
}

/** The deliver function's view of its deployment: it calls no provider and reads no client's secret. */
export type DeliveryConfig = Pick<
  Config,
  'tableName' | 'tokenKeyArn' | 'metricNamespace' | 'endpointTargets' | 'sliceLeaseMs' | 'without'
>;

/** The OIDC issuer of operators and the client their tokens must name. */
export interface OperatorSettings {
  /** Without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  /** Whether the issuer requires a second factor of every operator; `optional` by default. */
  readonly mfa: OperatorMfa;
  /** Whether tokens without a role allow nothing, as where a company's sign-in sets the role. */
  readonly requiresRole: boolean;
  /** True for the local runtime's own issuer: only it may use plain http and a private address. */
  readonly loopbackIssuer: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the environment once per cold start.
 *
 * @param providers the catalogue, for settings of their addresses and test credentials
 * @param secrets whether the function reads secrets: only then their names must be set
 * @throws Error naming every missing or malformed variable at once
 */
export function readConfig(
  providers: readonly Provider[],
  environment: Environment = process.env,
  secrets: 'read' | 'unread' = 'read',
): Config {
  const problems: string[] = [];
  const required = (name: string): string => {
    const value = environment[name];
    if (value === undefined || value === '') problems.push(`${name} is not set`);
    return value ?? '';
  };
  const secretName = (name: string): string => (secrets === 'read' ? required(name) : '');
  const address = (name: string, value: string): string => checkedAddress(name, value, problems);
  const endpoints = new Map(
    providers.map((provider) => [provider.id, endpointsFrom(environment, provider, problems)] as const),
  );
  const testCredentials = new Map(providers.map(({ id }) => [id, secretName(testCredentialsVariable(id))] as const));

  const leaseSec = seconds(environment, REFRESH_SETTINGS.leaseSec, LEASE_SEC, 300, problems);

  const callLimit = (name: string, otherwise: number): number => {
    const calls = Number(environment[name] || otherwise);
    if (!Number.isSafeInteger(calls) || calls < 0) problems.push(`${name} must be a whole number, 0 for no limit`);
    return calls;
  };

  const dashboardOrigin = origin(environment, problems);
  const config: Config = {
    tableName: required(ENVIRONMENT.tableName),
    baseUrl: address(ENVIRONMENT.baseUrl, required(ENVIRONMENT.baseUrl)),
    proxyDoor: proxyDoor(environment, problems),
    tokenKeyArn: required(ENVIRONMENT.tokenKeyArn),
    secretPrefix: secretName(ENVIRONMENT.secretPrefix),
    firstSecretKeyArn: environment[ENVIRONMENT.firstSecretKeyArn],
    testCredentialsSecretOf: (provider) => found(testCredentials, provider),
    connectAllowedOrigins: [
      ...list(environment[ENVIRONMENT.connectAllowedOrigins]),
      // Test connections are made in a popup of the dashboard.
      ...(dashboardOrigin === undefined ? [] : [dashboardOrigin]),
    ],
    connectReturnUrls: list(environment[ENVIRONMENT.connectReturnUrls]),
    brand: brandOf(environment, problems),
    endpointsOf: (provider) => found(endpoints, provider),
    apiOrigins: [
      ...new Set(
        [...endpoints.values()].flatMap(({ apiOrigin, otherOrigins }) => [apiOrigin, ...Object.values(otherOrigins)]),
      ),
    ],
    loopbackProvider: providers.some(({ server }) =>
      isLoopbackAddress(environment[addressVariable(server.id, ADDRESS_NAMES.tokenEndpoint)] ?? ''),
    ),
    refreshTiming: refreshTiming(leaseSec),
    sliceLeaseMs: sliceLeaseMs(leaseSec),
    refreshPolicy: refreshPolicy(environment, problems),
    metricNamespace: required(ENVIRONMENT.metricNamespace),
    callLimits: {
      perKey: callLimit(ENVIRONMENT.callsPerMinutePerKey, CALL_LIMIT_DEFAULTS.perKey),
      ...connectionLimits(
        providers,
        callLimit(ENVIRONMENT.callsPerMinutePerConnection, CALL_LIMIT_DEFAULTS.perConnection),
      ),
      longPerKey: callLimit(ENVIRONMENT.longCallsPerKey, CALL_LIMIT_DEFAULTS.longPerKey),
      longPerConnection: callLimit(ENVIRONMENT.longCallsPerConnection, CALL_LIMIT_DEFAULTS.longPerConnection),
      perAddress: callLimit(ENVIRONMENT.wrongKeysPerMinutePerAddress, CALL_LIMIT_DEFAULTS.perAddress),
    },
    callLog: callLogSettings(environment, problems),
    ...featureSettings(environment),
    operators: operatorSettings(environment, problems),
    dashboardOrigin,
    endpointTargets: endpointTargets(environment),
  };
  if (problems.length > 0) {
    throw new Error(`The function's environment is not usable: ${[...new Set(problems)].join('; ')}.`);
  }
  return config;
}

/** The default is lowered to what a provider allows one user, because each call takes at least one unit; any other limit applies to all. */
function connectionLimits(providers: readonly Provider[], perConnection: number) {
  const isDefault = perConnection === CALL_LIMIT_DEFAULTS.perConnection;
  const lower = providers.flatMap(({ id, quota }) =>
    isDefault && quota !== undefined && quota.perMinuteAndUser < perConnection ? [[id, quota.perMinuteAndUser]] : [],
  );
  return { perConnection, perConnectionOf: Object.fromEntries(lower) };
}

function proxyDoor(environment: Environment, problems: string[]): Config['proxyDoor'] {
  const proxyUrl = environment[ENVIRONMENT.proxyUrl] || undefined;
  const secret = environment[ENVIRONMENT.doorSecret] || undefined;
  if (secret !== undefined && proxyUrl === undefined) {
    problems.push(
      `${ENVIRONMENT.doorSecret} needs ${ENVIRONMENT.proxyUrl}, where callers are sent who come without it`,
    );
  }
  return {
    proxyUrl: proxyUrl === undefined ? undefined : checkedAddress(ENVIRONMENT.proxyUrl, proxyUrl, problems),
    secret,
  };
}

function found<T>(values: ReadonlyMap<ProviderId, T>, provider: ProviderId): T {
  const value = values.get(provider);
  if (value === undefined) throw new Error(`${provider} is not in this deployment's catalogue.`);
  return value;
}

function checkedAddress(name: string, value: string, problems: string[]): string {
  const problem = addressProblem(value);
  if (problem !== undefined) problems.push(`${name} ${problem}`);
  return value.replace(/\/$/, '');
}

/** A provider's addresses: those of its definition, except where the deployment replaces them. */
function endpointsFrom(environment: Environment, provider: Provider, problems: string[]): ProviderEndpoints {
  const { server, otherOrigins = {}, toolServer } = provider;
  const { addresses } = server;
  const address = (name: string, standard: string): string => {
    const variable = addressVariable(server.id, name);
    return checkedAddress(variable, environment[variable] || standard, problems);
  };
  const ifAny = (name: string, standard: string | undefined): string | undefined =>
    standard === undefined ? undefined : address(name, standard);
  const apiAddress = (name: string, standard: string): string => {
    const value = address(name, standard);
    // Only the caller's path is sent: one in the setting would be dropped silently.
    if (URL.canParse(value) && new URL(value).pathname !== '/') {
      problems.push(`${addressVariable(server.id, name)} must be an origin without a path`);
    }
    return value;
  };
  const tokenEndpoint = address(ADDRESS_NAMES.tokenEndpoint, addresses.tokenEndpoint);
  /** With another server's token endpoint, this server's signing endpoints do not apply (TK-10). */
  const ofSameServer = (name: string, standard: string | undefined): string | undefined =>
    tokenEndpoint === addresses.tokenEndpoint || environment[addressVariable(server.id, name)]
      ? ifAny(name, standard)
      : undefined;
  const apiOrigin = apiAddress(ADDRESS_NAMES.apiBaseUrl, addresses.apiBaseUrl);
  // Another server's API replaces all hosts, unless the deployment sets them: its tokens must not be sent to the real ones (TK-10).
  const isReplaced = apiOrigin !== addresses.apiBaseUrl;
  return {
    server,
    issuer: address(ADDRESS_NAMES.issuer, addresses.issuer),
    authorizationEndpoint: address(ADDRESS_NAMES.authorizationEndpoint, addresses.authorizationEndpoint),
    tokenEndpoint,
    revocationEndpoint: ifAny(ADDRESS_NAMES.revocationEndpoint, addresses.revocationEndpoint),
    userinfoEndpoint: ifAny(ADDRESS_NAMES.userinfoEndpoint, addresses.userinfoEndpoint),
    jwksUri: ifAny(ADDRESS_NAMES.jwksUri, addresses.jwksUri),
    tokenExchangeEndpoint: ofSameServer(ADDRESS_NAMES.tokenExchangeEndpoint, addresses.tokenExchangeEndpoint),
    serviceAccountsEndpoint: ofSameServer(ADDRESS_NAMES.serviceAccountsEndpoint, addresses.serviceAccountsEndpoint),
    apiOrigin,
    otherOrigins: Object.fromEntries(
      Object.entries(otherOrigins).map(([name, standard]) => [
        name,
        apiAddress(originName(name), isReplaced ? apiOrigin : standard),
      ]),
    ),
    toolServerEndpoint:
      toolServer === undefined ||
      (isReplaced && !environment[addressVariable(server.id, toolServerName(toolServer.name))])
        ? undefined
        : address(toolServerName(toolServer.name), toolServer.endpoint),
  };
}

/** Where the function of grants keeps new client secrets. */
export function newClientSecretsIn(environment: Environment = process.env): ClientSecretPlace {
  return environment[ENVIRONMENT.clientSecrets] === 'table' ? 'table' : 'secrets-manager';
}

/**
 * Reads what the deliver function needs.
 *
 * @throws Error naming every missing variable at once
 */
export function readDeliveryConfig(environment: Environment = process.env): DeliveryConfig {
  const names = [ENVIRONMENT.tableName, ENVIRONMENT.tokenKeyArn, ENVIRONMENT.metricNamespace, ENVIRONMENT.baseUrl];
  const missing = names.filter((name) => !environment[name]);
  if (missing.length > 0) {
    throw new Error(
      `The function's environment is not usable: ${missing.map((name) => `${name} is not set`).join('; ')}.`,
    );
  }
  return {
    tableName: environment[ENVIRONMENT.tableName] ?? '',
    tokenKeyArn: environment[ENVIRONMENT.tokenKeyArn] ?? '',
    metricNamespace: environment[ENVIRONMENT.metricNamespace] ?? '',
    endpointTargets: endpointTargets(environment),
    sliceLeaseMs: sliceLeaseMs(Number(environment[REFRESH_SETTINGS.leaseSec] || LEASE_SEC)),
    without: featureSettings(environment).without,
  };
}

/** A run of a sweep holds its slice for several leases of a connection. */
function sliceLeaseMs(leaseSec: number): number {
  return SLICE_LEASE_IN_LEASES * leaseSec * 1000;
}

/** Endpoints on this computer are legal only where the gateway itself runs on it, and the setting allows them (WH-11). */
function endpointTargets(environment: Environment): EndpointTargets {
  const baseUrl = environment[ENVIRONMENT.baseUrl] ?? '';
  const own = [baseUrl, environment[ENVIRONMENT.dashboardOrigin] ?? '', environment[ENVIRONMENT.operatorIssuer] ?? ''];
  return {
    ownHosts: own.filter((address) => URL.canParse(address)).map((address) => new URL(address).host),
    allowLoopback: environment[ENVIRONMENT.endpointsToLoopback] === 'true' && isLoopbackAddress(baseUrl),
  };
}

/** What is left out, and the settings of the features. */
function featureSettings(environment: Environment): Pick<Config, 'setting' | 'without'> {
  return {
    without: new Set(list(environment[ENVIRONMENT.withoutFeatures])),
    setting: (name) => environment[FEATURE_ENVIRONMENT[name]] ?? '',
  };
}

/** The inbox's view of its deployment: no key, no secret, and of providers only the address of Google's keys (SH-4). */
export interface InboxConfig {
  readonly tableName: string;
  readonly metricNamespace: string;
  /** The issuer of the provider that states the end of grants. */
  readonly issuer: string;
  readonly without: Config['without'];
  readonly setting: Config['setting'];
  /** As `Config` has it. */
  readonly loopbackProvider: boolean;
}

/**
 * Reads the inbox's environment once per cold start.
 *
 * @param providers the catalogue
 * @throws Error naming every missing or malformed variable at once
 */
export function readInboxConfig(providers: readonly Provider[], environment: Environment = process.env): InboxConfig {
  const { tableName, metricNamespace } = ENVIRONMENT;
  const names = [tableName, metricNamespace] as const;
  const [table = '', namespace = ''] = names.map((name) => environment[name]);
  const problems = names.filter((name) => !environment[name]).map((name) => `${name} is not set`);
  const google = providers.find(({ server }) => server.grants.endsAreStated === true);
  if (google === undefined) throw new Error('No provider states the end of grants.');
  const { issuer } = endpointsFrom(environment, google, problems);
  if (problems.length > 0) throw new Error(`The function's environment is not usable: ${problems.join('; ')}.`);
  return {
    tableName: table,
    metricNamespace: namespace,
    issuer,
    ...featureSettings(environment),
    loopbackProvider: isLoopbackAddress(issuer),
  };
}

/** The name of the function that makes calls in the background; those that ask it have it. @throws Error where it is not set */
export function readCoreFunctionName(environment: Environment = process.env): string {
  const name = environment[ENVIRONMENT.coreFunctionName];
  if (!name) throw new Error(`The function's environment is not usable: ${ENVIRONMENT.coreFunctionName} is not set.`);
  return name;
}

/** What the function of declarations knows of its deployment. */
export interface DeclaredConfig {
  /** The functions that serve the management API. */
  readonly functionNames: Readonly<Record<'management' | 'grants', string>>;
  /** Whether CloudFormation may be played by this computer. */
  readonly allowLoopback: boolean;
}

/** Reads the environment of that function once per cold start. @throws Error naming the missing variable */
export function readDeclaredConfig(environment: Environment = process.env): DeclaredConfig {
  const nameOf = (variable: string): string => {
    const name = environment[variable];
    if (!name) throw new Error(`The function's environment is not usable: ${variable} is not set.`);
    return name;
  };
  const functionNames = {
    management: nameOf(ENVIRONMENT.managementFunctionName),
    grants: nameOf(ENVIRONMENT.grantsFunctionName),
  };
  return { functionNames, allowLoopback: endpointTargets(environment).allowLoopback };
}

/** Settings of a function that asks the proxy for everything else. */
export interface AskingConfig extends Pick<Config, 'setting'> {
  readonly proxyFunctionName: string;
  /** Empty where the function sends nobody to the gateway. */
  readonly baseUrl: string;
  /** For its pages. */
  readonly brand: BrandSettings;
}

/** Reads and validates it. @throws Error naming every problem */
export function readAskingConfig(environment: Environment = process.env): AskingConfig {
  const proxyFunctionName = environment[ENVIRONMENT.proxyFunctionName] ?? '';
  const problems = proxyFunctionName === '' ? [`${ENVIRONMENT.proxyFunctionName} is not set`] : [];
  const brand = brandOf(environment, problems);
  if (problems.length > 0) throw new Error(`The function's environment is not usable: ${problems.join('; ')}.`);
  const { setting } = featureSettings(environment);
  return { brand, proxyFunctionName, baseUrl: environment[ENVIRONMENT.baseUrl] ?? '', setting };
}

function brandOf(environment: Environment, problems: string[]): BrandSettings {
  return {
    name: environment[ENVIRONMENT.connectAppName] || undefined,
    logo: environment[ENVIRONMENT.connectLogo] || undefined,
    accent: accent(environment[ENVIRONMENT.connectAccent], problems),
  };
}

/** The roll-up's view of its deployment: the table, and the proxy's log and name. */
export interface RollUpConfig {
  readonly tableName: string;
  readonly metricNamespace: string;
  readonly proxyLogGroup: string;
  /** Log groups of functions that call the provider for the gateway itself. */
  readonly otherLogGroups: readonly string[];
  readonly proxyLogRetentionDays: number;
  /** What happens to calls once a Cloud project's day at the provider is used up. */
  readonly dayLimit: 'warn' | 'stop';
  readonly proxyFunctionName: string;
  readonly logsEndpoint: string;
  readonly metricsEndpoint: string;
  readonly without: Config['without'];
}

/**
 * Reads the roll-up's environment once per cold start.
 *
 * @throws Error naming every missing or wrong variable at once
 */
export function readRollUpConfig(environment: Environment = process.env): RollUpConfig {
  const names = {
    tableName: ENVIRONMENT.tableName,
    metricNamespace: ENVIRONMENT.metricNamespace,
    proxyLogGroup: ENVIRONMENT.proxyLogGroup,
    otherLogGroups: ENVIRONMENT.otherLogGroups,
    proxyFunctionName: ENVIRONMENT.proxyFunctionName,
    logsEndpoint: ENVIRONMENT.logsEndpoint,
    metricsEndpoint: ENVIRONMENT.metricsEndpoint,
  };
  const missing = Object.values(names).filter((name) => !environment[name]);
  const problems = missing.map((name) => `${name} is not set`);
  const proxyLogRetentionDays = Number(environment[ENVIRONMENT.proxyLogRetentionDays]);
  if (!Number.isInteger(proxyLogRetentionDays) || proxyLogRetentionDays < 1) {
    problems.push(`${ENVIRONMENT.proxyLogRetentionDays} must be a whole number of days`);
  }
  if (problems.length > 0) throw new Error(`The function's environment is not usable: ${problems.join('; ')}.`);
  const value = (name: string): string => environment[name] ?? '';
  return {
    tableName: value(names.tableName),
    metricNamespace: value(names.metricNamespace),
    proxyLogGroup: value(names.proxyLogGroup),
    otherLogGroups: value(names.otherLogGroups).split(','),
    proxyLogRetentionDays,
    dayLimit: environment[ENVIRONMENT.dayLimit] === 'stop' ? 'stop' : 'warn',
    proxyFunctionName: value(names.proxyFunctionName),
    logsEndpoint: value(names.logsEndpoint),
    metricsEndpoint: value(names.metricsEndpoint),
    without: featureSettings(environment).without,
  };
}

/** The events function's view of its deployment: neither table nor key. */
export interface EventsConfig {
  readonly busArn: string;
  /** Where EventBridge is on AWS. */
  readonly busEndpoint: string;
  /** Address of the queue for undeliverable events. */
  readonly deadLettersUrl: string;
  readonly metricNamespace: string;
}

/**
 * Reads what the function needs that puts events on the bus.
 *
 * @throws Error naming every missing variable at once
 */
export function readEventsConfig(environment: Environment = process.env): EventsConfig {
  const { eventBusArn, eventBusEndpoint, deadLettersUrl, metricNamespace } = ENVIRONMENT;
  const names = [eventBusArn, eventBusEndpoint, deadLettersUrl, metricNamespace];
  const missing = names.filter((name) => !environment[name]);
  if (missing.length > 0) {
    throw new Error(`The function's environment is not usable: ${missing.join(', ')} not set.`);
  }
  const [busArn = '', busEndpoint = '', deadLetters = '', namespace = ''] = names.map((name) => environment[name]);
  return { busArn, busEndpoint, deadLettersUrl: deadLetters, metricNamespace: namespace };
}

/** A whole number of seconds, at least one and at most `max`. */
function seconds(environment: Environment, name: string, standard: number, max: number, problems: string[]): number {
  const value = Number(environment[name] ?? standard);
  if (!Number.isInteger(value) || value < 1 || value > max) {
    problems.push(`${name} must be a whole number of seconds from 1 to ${max}`);
  }
  return value;
}

function refreshPolicy(environment: Environment, problems: string[]): RefreshPolicy {
  const { ahead: standard, activeWindowSec, keepAliveSec } = DEFAULT_REFRESH_POLICY;
  const given = environment[REFRESH_SETTINGS.ahead];
  const ahead = REFRESH_AHEAD.find((one) => one === (given ?? standard));
  if (ahead === undefined) problems.push(`${REFRESH_SETTINGS.ahead} must be one of ${REFRESH_AHEAD.join(', ')}`);
  const maxSec = KEEP_ALIVE_MAX_DAYS * 24 * 3600;
  return {
    ahead: ahead ?? standard,
    activeWindowSec: seconds(environment, REFRESH_SETTINGS.activeWindowSec, activeWindowSec, maxSec, problems),
    keepAliveSec: seconds(environment, REFRESH_SETTINGS.keepAliveSec, keepAliveSec, maxSec, problems),
  };
}

/** Off in functions without the table. */
function callLogSettings(environment: Environment, problems: string[]): Config['callLog'] {
  const tableName = environment[ENVIRONMENT.callLogTableName] ?? '';
  const given = environment[ENVIRONMENT.callLog] || (tableName === '' ? 'off' : 'errors');
  const mode = CALL_LOG_MODES.find((one) => one === given);
  if (mode === undefined) problems.push(`${ENVIRONMENT.callLog} must be one of ${CALL_LOG_MODES.join(', ')}`);
  const retentionDays = Number(environment[ENVIRONMENT.callLogRetentionDays] || CALL_LOG_RETENTION_DAYS.standard);
  if (!Number.isInteger(retentionDays) || retentionDays < 1 || retentionDays > CALL_LOG_RETENTION_DAYS.most) {
    problems.push(
      `${ENVIRONMENT.callLogRetentionDays} must be a whole number of days from 1 to ${CALL_LOG_RETENTION_DAYS.most}`,
    );
  }
  if (mode !== undefined && mode !== 'off' && tableName === '') {
    problems.push(`${ENVIRONMENT.callLogTableName} is not set`);
  }
  return { mode: mode ?? 'off', tableName, retentionDays };
}

/** Issuer and client are required together, because each alone would be half a check. */
function operatorSettings(environment: Environment, problems: string[]): OperatorSettings | undefined {
  const issuer = environment[ENVIRONMENT.operatorIssuer] || undefined;
  const clientId = environment[ENVIRONMENT.operatorClientId] || undefined;
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer === undefined) problems.push(`${ENVIRONMENT.operatorIssuer} is not set`);
  if (clientId === undefined) problems.push(`${ENVIRONMENT.operatorClientId} is not set`);
  const problem = addressProblem(issuer ?? '');
  if (problem !== undefined) problems.push(`${ENVIRONMENT.operatorIssuer} ${problem}`);
  return {
    issuer: (issuer ?? '').replace(/\/$/, ''),
    clientId: clientId ?? '',
    mfa: environment[ENVIRONMENT.operatorMfa] === 'required' ? 'required' : 'optional',
    requiresRole: environment[ENVIRONMENT.operatorRoleClaim] === 'required',
    loopbackIssuer: isLoopbackAddress(issuer ?? ''),
  };
}

function accent(value: string | undefined, problems: string[]): BrandSettings['accent'] {
  if (!value) return undefined;
  const colors = value.split(/[ ,]/);
  if (colors.length !== 6 || !colors.every((color) => /^#[0-9a-f]{6}$/.test(color))) {
    problems.push(`${ENVIRONMENT.connectAccent} must hold six colors`);
    return undefined;
  }
  const properties = ([color = '', hover = '', text = '']: string[]) =>
    `--accent:${color};--hover:${hover};--on-accent:${text};`;
  return { light: properties(colors.slice(0, 3)), dark: properties(colors.slice(3)) };
}

function origin(environment: Environment, problems: string[]): string | undefined {
  const value = environment[ENVIRONMENT.dashboardOrigin];
  if (!value) return undefined;
  const problem = addressProblem(value);
  if (problem !== undefined) problems.push(`${ENVIRONMENT.dashboardOrigin} ${problem}`);
  else if (new URL(value).origin !== value)
    problems.push(`${ENVIRONMENT.dashboardOrigin} must be an origin without a path`);
  return value;
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
