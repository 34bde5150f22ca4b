import type { Context } from 'aws-lambda';
import { CLEARINGS } from '../features/clearings.ts';
import { DUE_WORKS } from '../features/due-works.ts';
import { HOUSEKEEPINGS } from '../features/housekeepings.ts';
import { callLogClearing } from '../gateway/calls/call-log.store.ts';
import { censusStore } from '../gateway/connections/census.store.ts';
import { searchUpkeep } from '../gateway/connections/connection-search.store.ts';
import { changeCountReader } from '../gateway/connections/connection-write.store.ts';
import { connectionLists } from '../gateway/connections/listed-rows.store.ts';
import { BoundedCache } from '../gateway/core/bounded-cache.ts';
import { FIRST_ACCOUNT_ID } from '../gateway/core/contract.ts';
import { included } from '../gateway/core/features.ts';
import { CACHE_MAX_ENTRIES, SWEEP_RESERVE_MS } from '../gateway/core/limits.ts';
import { auditUpkeep } from '../gateway/events/audit-upkeep.store.ts';
import { parseClientCredentials } from '../gateway/integrations/client-credentials.store.ts';
import { testClientNotes } from '../gateway/integrations/test-client.store.ts';
import { secretKeyStore } from '../gateway/keys/secret-key.store.ts';
import { readSecret } from '../gateway/platform/secret-reader.ts';
import { allProviders } from '../gateway/providers/index.ts';
import { sweepSlice } from '../gateway/ticks/sweep-run.ts';
import { delegatedDomainStore } from '../gateway/tokens/delegated-domain.store.ts';
import {
  makeFullRefresher,
  makeSliceDependencies,
  makeTickWatch,
  openSharedDependencies,
  refreshStores,
} from '../gateway/wiring.ts';
import { askDomains } from './ask-domains.ts';
import { ensureFirstSecretKey } from './ensure-first-secret-key.ts';
import { firstSecretKey } from './first-secret-key.store.ts';
import { heartbeatWriter } from './heartbeat.store.ts';
import { HeartbeatSender } from './heartbeat.ts';
import { clearCallLog, countConnections, keepAuditComplete, keepSearchComplete } from './housekeeping.ts';
import { testClientNoter } from './note-test-clients.ts';
import { kindsOfShard, readAskedWork, readSlice, refreshDueConnections, type SweepReport, shardsOf } from './sweep.ts';

const shared = openSharedDependencies('refresh');
const { clock, config, logger } = shared;
if (config.firstSecretKeyArn === undefined) throw new Error('FIRST_SECRET_KEY_ARN is not set');
const firstKeyDependencies = {
  ...shared,
  firstSecretKey: firstSecretKey(shared.secretsManager, config.firstSecretKeyArn),
  secretKeys: secretKeyStore(shared.table),
};
const refreshing = { ...shared, ...refreshStores(shared), refresher: makeFullRefresher(shared) };
const working = { ...refreshing, lists: connectionLists(shared.table) };
const dueWorks = included(DUE_WORKS, config.without).map((open) => open(working));
const askDomainsDependencies = { ...working, delegatedDomains: delegatedDomainStore(shared.table) };
const sweepDependencies = {
  ...refreshing,
  dueWorks,
  askDomains: (untilMs: number, requestId: string) => askDomains(askDomainsDependencies, untilMs, requestId),
  deathsInARow: new BoundedCache<number>(CACHE_MAX_ENTRIES),
};
const countDependencies = {
  ...shared,
  census: censusStore(shared.table),
  changeCounts: changeCountReader(shared.table),
};
const housekeepings = included(HOUSEKEEPINGS, config.without).map((open) => open(shared));
const clearDependencies = {
  ...shared,
  callLog: callLogClearing({ ...shared.table, tableName: config.callLog.tableName }),
  clearings: included(CLEARINGS, config.without).map((open) => open(shared)),
};
const searchDependencies = { ...shared, upkeep: searchUpkeep(shared.table) };
const ticks = makeTickWatch(shared);
const heartbeats = new HeartbeatSender({ ...shared, heartbeats: heartbeatWriter(shared.table) });
const auditDependencies = { ...shared, upkeep: auditUpkeep(shared.table) };
const sliceDependencies = makeSliceDependencies(shared);
const noteTestClients = testClientNoter({
  ...shared,
  notes: testClientNotes(shared.table),
  providers: allProviders().map(({ id }) => id),
  testCredentialsOf: async (provider) =>
    parseClientCredentials(await readSecret(shared.secretsManager, config.testCredentialsSecretOf(provider))),
});
let firstKeyExists = false;

/** Another run is at work on the slice. */
const HELD: SweepReport = { refreshed: 0, dead: 0, putOff: 0, skipped: 0, failed: 0, finished: false };

/** What a feature asks for, or one tick of the schedule, for one slice of the due index. */
export async function handler(
  event: unknown,
  context: Context,
): Promise<SweepReport | { readonly done: boolean | undefined }> {
  const deadlineMs = clock.nowMs() + context.getRemainingTimeInMillis();
  const asked = readAskedWork(event, dueWorks);
  if (asked !== undefined) {
    return { done: await asked.work.asked(asked.wish, deadlineMs - SWEEP_RESERVE_MS, context.awsRequestId) };
  }
  const slice = readSlice(event);
  if (!firstKeyExists && slice.index === 0) {
    await ensureFirstSecretKey(firstKeyDependencies, context.awsRequestId);
    firstKeyExists = true;
  }
  if (slice.index === 0) {
    await heartbeats.send(context.awsRequestId);
    for (const work of housekeepings) await work.begin?.(FIRST_ACCOUNT_ID, context.awsRequestId);
    await noteTestClients(context.awsRequestId);
  }
  const report = await sweepSlice(
    sliceDependencies,
    { sweeper: 'refresh', ...slice, shards: shardsOf(slice), partitionsOf: (shard) => kindsOfShard(shard, dueWorks) },
    context.awsRequestId,
    (run) => refreshDueConnections(sweepDependencies, run, deadlineMs, context.awsRequestId),
  );
  if (report === undefined) return HELD;
  await shared.changes.flush();
  const count = report.refreshed + report.dead + report.putOff + report.failed;
  // One slice does this, and only when refreshing left it time.
  if (slice.index === 0 && report.finished) {
    await countConnections(countDependencies, FIRST_ACCOUNT_ID, context.awsRequestId);
    for (const work of housekeepings) await work.run?.(FIRST_ACCOUNT_ID, context.awsRequestId);
    await clearCallLog(clearDependencies, context.awsRequestId);
    await keepSearchComplete(searchDependencies, FIRST_ACCOUNT_ID, context.awsRequestId);
    await keepAuditComplete(auditDependencies, FIRST_ACCOUNT_ID, context.awsRequestId);
  }
  await ticks.ended({ sweep: 'refresh', slice }, context.awsRequestId);
  if (count > 0)
    logger.info('sweep done', {
      requestId: context.awsRequestId,
      count,
      outcome: report.finished ? 'finished' : 'cut short',
    });
  return report;
}
