import { EVIDENCES } from '../features/evidences.ts';
import { CallAdmission } from './calls/admission.ts';
import { BackgroundCalls } from './calls/background-calls.ts';
import { CallBook, type CallBookDependencies } from './calls/book.ts';
import type { BackgroundWork } from './calls/call-line.rules.ts';
import { callLogWriter } from './calls/call-log.store.ts';
import { callTotals } from './calls/call-totals.store.ts';
import { dayUseReader } from './calls/day-use.store.ts';
import { Pacing } from './calls/pacing.ts';
import type { CallLogWriter } from './calls/ports.ts';
import { type Config, readConfig } from './config.ts';
import { callFaults, connectionStore } from './connections/connection.store.ts';
import { changeCountWriter } from './connections/connection-write.store.ts';
import { RefreshCounter } from './connections/count-refreshes.ts';
import { connectionUpkeep, revocationStore } from './connections/due.store.ts';
import type { ConnectionStore } from './connections/ports.ts';
import { unconfirmedGrantStore } from './connections/unconfirmed-grant.store.ts';
import type { FunctionName } from './core/contract.ts';
import { included } from './core/features.ts';
import type { Upstream } from './core/http-message.ts';
import type { Clock, Logger, Metrics, Random, TokenCipher } from './core/ports.ts';
import { auditTrail, newItemWriter } from './events/event.store.ts';
import { clientCredentialsSource } from './integrations/client-credentials.store.ts';
import { readableSecretRows } from './integrations/client-secret-rows.store.ts';
import { integrationStore } from './integrations/integration.store.ts';
import type { ClientCredentialsSource, IntegrationStore } from './integrations/ports.ts';
import { callerStore } from './keys/caller.store.ts';
import type { CallerStore } from './keys/ports.ts';
import { AWS_CALL_LIMITS } from './platform/aws-client.ts';
import { awsIdentity } from './platform/aws-identity.ts';
import { type CorrectedClock, correctedClock, systemClock, systemRandom } from './platform/clock.ts';
import { type OnUnreadable, openTable, type Table } from './platform/dynamodb/client.ts';
import { openEgress } from './platform/egress/egress.ts';
import { kmsDataKeys, tokenCipher } from './platform/kms/token-cipher.ts';
import { laterModule } from './platform/later-module.ts';
import { openSecretsManager } from './platform/secret-reader.ts';
import { embeddedMetrics, jsonLogger, writeLine } from './platform/telemetry.ts';
import { PROVIDERS } from './providers/catalogue.ts';
import { allProviders } from './providers/index.ts';
import { dueIndex, sliceLeases } from './ticks/slice.store.ts';
import { type SweepSliceDependencies, TickWatch } from './ticks/sweep-run.ts';
import { tickBoard } from './ticks/tick-board.store.ts';
import { consentLog } from './tokens/consent-log.store.ts';
import { deathCounter } from './tokens/death-counter.store.ts';
import { delegatedDomainStore } from './tokens/delegated-domain.store.ts';
import { DelegatedTokens } from './tokens/delegated-token.ts';
import { evidenceOfFeatures } from './tokens/end-evidence.ts';
import { escrowStore } from './tokens/escrow.store.ts';
import type { RefreshPolicy } from './tokens/freshness.rules.ts';
import type { SubjectRefresher } from './tokens/lease.ts';
import type { ConsentLog, TokenEndpoint } from './tokens/ports.ts';
import { DelegatedDomains, type DelegationServices, subjectRefresher } from './tokens/refresh-for-subject.ts';
import { ConnectionRefresher, LeaseHolder } from './tokens/refresher.ts';
import { httpTokenEndpoint } from './tokens/token-endpoint.ts';

/** Dependencies of all functions with a table, created once per cold start. */
export interface CommonDependencies {
  readonly config: Config;
  readonly table: Table;
  readonly clock: Clock;
  /** Corrects the clock by a Date header that did not come from the provider itself. */
  readonly learnFrom: CorrectedClock['learnFrom'];
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly refreshPolicy: RefreshPolicy;
  readonly endpointsOf: Config['endpointsOf'];
  readonly upstream: Upstream;
  readonly tokenEndpoint: TokenEndpoint;
  readonly cipher: TokenCipher;
  readonly callers: CallerStore;
  readonly connections: ConnectionStore;
  readonly changes: RefreshCounter;
  readonly integrations: IntegrationStore;
  readonly consents: ConsentLog;
  /** Loads a module that the build has put next to the bundle as `<name>.mjs`. */
  readonly later: typeof laterModule;
}

/** Those of functions that use grants: they read the secrets of clients, too. */
export interface SharedDependencies extends CommonDependencies {
  readonly credentials: ClientCredentialsSource;
  readonly secretsManager: ReturnType<typeof openSecretsManager>;
}

/** Those of features in functions that use grants. */
export interface GrantDependencies extends SharedDependencies {
  /** The one refresher of the process. */
  readonly refresher: ConnectionRefresher;
}

/** Reads the configuration and opens the clients. @throws Error naming every wrong setting */
export function openSharedDependencies(
  functionName: FunctionName,
  extraWrite?: Table['extraWrite'],
): SharedDependencies {
  const common = openCommonDependencies(functionName, extraWrite, 'read');
  const secretsManager = openSecretsManager();
  const { testCredentialsSecretOf } = common.config;
  const rows = readableSecretRows(common.table, common.cipher);
  const places = { client: secretsManager, rows, integrations: common.integrations };
  return {
    ...common,
    credentials: clientCredentialsSource(places, testCredentialsSecretOf, common.clock),
    secretsManager,
  };
}

/** The same without the secrets of clients. @throws Error naming every wrong setting */
export function openCommonDependencies(
  functionName: FunctionName,
  extraWrite?: Table['extraWrite'],
  secrets: 'read' | 'unread' = 'unread',
): CommonDependencies {
  const config = readConfig(allProviders(), undefined, secrets);
  const metrics = embeddedMetrics(config.metricNamespace);
  const logger = jsonLogger(functionName);
  const table = openTable(config.tableName, {
    onUnreadable: unreadableRows(metrics, logger),
    onThrottled: () => metrics.count('TableThrottled'),
    extraWrite,
  });
  const { clock, learnFrom, listenTo } = correctedClock(systemClock);
  const upstream = listenTo(openEgress(config.loopbackProvider));
  const dataKeys = kmsDataKeys(table, config.tokenKeyArn, clock, metrics);
  const changes = new RefreshCounter({ writer: changeCountWriter(table), clock, metrics, logger });
  return {
    config,
    table,
    clock,
    learnFrom,
    random: systemRandom,
    logger,
    metrics,
    refreshPolicy: config.refreshPolicy,
    endpointsOf: config.endpointsOf,
    upstream,
    tokenEndpoint: httpTokenEndpoint(upstream),
    cipher: tokenCipher(dataKeys, systemRandom),
    callers: callerStore(table, dataKeys),
    connections: connectionStore(table),
    changes,
    integrations: integrationStore(table),
    consents: consentLog(table),
    later: laterModule,
  };
}

/** Counts and logs rows that lists leave out (CR-10). */
function unreadableRows(metrics: Metrics, logger: Logger): OnUnreadable {
  return ({ accountId, integrationId }, { attribute }) => {
    metrics.count('StoredValueUnreadable');
    logger.warn('a row that cannot be read was left out of a list', {
      cause: attribute,
      ...(typeof accountId === 'string' ? { accountId } : {}),
      ...(typeof integrationId === 'string' ? { integrationId } : {}),
    });
  };
}

/** The stores for refreshing, except those of the connection rows themselves. @param config default: no feature is left out */
export function refreshStores({ table, config }: { readonly table: Table; readonly config?: Pick<Config, 'without'> }) {
  return {
    upkeep: connectionUpkeep(table),
    escrow: escrowStore(table),
    revocations: revocationStore(table),
    unconfirmed: unconfirmedGrantStore(table),
    deaths: deathCounter(table),
    evidence: evidenceOfFeatures(included(EVIDENCES, config?.without ?? []).map((open) => open({ table }))),
    audit: auditTrail(table),
  };
}

/** Records that sweeps ended, and detects those that do not. */
export function makeTickWatch(shared: CommonDependencies): TickWatch {
  return new TickWatch({ ...shared, board: tickBoard(shared.table, shared.config.without) });
}

/** Counts the calls of a process. */
export function makeAdmission(shared: CommonDependencies): CallAdmission {
  return new CallAdmission({ ...shared, totals: callTotals(shared.table) }, shared.config.callLimits);
}

/** The book of the calls of a process. */
export function makeCallBook(
  shared: SharedDependencies,
  openLater: Pick<CallBookDependencies, 'openJudge' | 'openPacing'>,
): CallBook {
  const { config, table } = shared;
  const deps = {
    ...shared,
    totals: callTotals(table),
    lines: { append: writeLine },
    callLog: makeCallLogWriter(shared),
    callLogMode: config.callLog.mode,
    ...openLater,
    newItems: newItemWriter(table),
    callFaults: callFaults(table),
    providers: PROVIDERS,
  };
  return new CallBook(deps, config.callLimits);
}

/** Adds rows to the call log, with a client of its own that never retries (CL-12). */
function makeCallLogWriter({ config, metrics }: SharedDependencies): CallLogWriter {
  const { tableName, retentionDays } = config.callLog;
  const events = { onThrottled: () => metrics.count('TableThrottled') };
  return callLogWriter(() => openTable(tableName, events, { ...AWS_CALL_LIMITS, attempts: 1 }), retentionDays);
}

/** Counts the calls that the gateway makes for itself. */
export function makeBackgroundCalls(shared: CommonDependencies, work: BackgroundWork): BackgroundCalls {
  const { clock, random, table } = shared;
  const pacing = new Pacing({ ...shared, totals: callTotals(table) }, ['project']);
  const lines = { append: writeLine };
  const dayUse = dayUseReader(table, clock);
  return new BackgroundCalls({ lines, dayUse, providers: PROVIDERS, clock, random, pacing }, work);
}

/** Keeps concurrent runs of a function's ticks apart, and idle ones cheap. */
export function makeSliceDependencies(shared: CommonDependencies): SweepSliceDependencies {
  const { config, table } = shared;
  return { ...shared, leases: sliceLeases(table), dueIndex: dueIndex(table), sliceLeaseMs: config.sliceLeaseMs };
}

/** Refreshes and checks connections without a person. */
export function makeDelegation(shared: SharedDependencies): DelegationServices {
  const region = process.env.AWS_REGION ?? 'us-east-1';
  return {
    tokens: new DelegatedTokens({ ...shared, awsIdentity: awsIdentity(region) }),
    domains: new DelegatedDomains({ ...shared, store: delegatedDomainStore(shared.table) }),
  };
}

/** The one refresher of a process that meets connections without a person, too. */
export function makeFullRefresher(shared: SharedDependencies): ConnectionRefresher {
  return makeRefresher(shared, subjectRefresher(makeDelegation(shared)));
}

/** The one refresher of a process. @param delegation of functions that may meet connections without a person */
export function makeRefresher(shared: SharedDependencies, delegation?: SubjectRefresher): ConnectionRefresher {
  const timing = shared.config.refreshTiming;
  const common = { ...shared, timing, ...(delegation === undefined ? {} : { delegation }) };
  const holder = new LeaseHolder({
    ...common,
    ...refreshStores(shared),
  });
  return new ConnectionRefresher({ ...common, holder });
}
