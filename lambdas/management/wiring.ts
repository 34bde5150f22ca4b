import { BOUND_CALLERS } from '../features/bound-callers.ts';
import { connectSessionStore } from '../gateway/authorization/session.store.ts';
import { bookReader } from '../gateway/calls/book.store.ts';
import { callLogReader } from '../gateway/calls/call-log.store.ts';
import { callTotalsReader } from '../gateway/calls/call-totals.store.ts';
import { pageReader } from '../gateway/calls/page.store.ts';
import { rateCounter } from '../gateway/calls/rate-counter.store.ts';
import { usageRows } from '../gateway/calls/usage-rows.store.ts';
import { censusStore } from '../gateway/connections/census.store.ts';
import { connectionSearch } from '../gateway/connections/connection-search.store.ts';
import { changeCountReader } from '../gateway/connections/connection-write.store.ts';
import { revocationStore } from '../gateway/connections/due.store.ts';
import { connectionLists } from '../gateway/connections/listed-rows.store.ts';
import { unconfirmedGrantStore } from '../gateway/connections/unconfirmed-grant.store.ts';
import { auditList, auditTrail } from '../gateway/events/event.store.ts';
import { clientIdSource } from '../gateway/integrations/test-client.store.ts';
import { KeyDirectory } from '../gateway/keys/authenticate-key.ts';
import { boundCallersOf } from '../gateway/keys/bound-callers.ts';
import type { SecretKeyStore } from '../gateway/keys/ports.ts';
import { secretKeyStore } from '../gateway/keys/secret-key.store.ts';
import { readBuiltFile } from '../gateway/platform/built-file.ts';
import { openEgress, openEndpointEgress } from '../gateway/platform/egress/egress.ts';
import { withoutTokens } from '../gateway/platform/kms/token-cipher.ts';
import { operatorTokenVerifier } from '../gateway/platform/oidc/operator-token-verifier.ts';
import { PROVIDERS } from '../gateway/providers/catalogue.ts';
import { pinnedListStore } from '../gateway/server-tools/pinned-list.store.ts';
import { delegatedDomainStore } from '../gateway/tokens/delegated-domain.store.ts';
import { type CommonDependencies, makeAdmission, openCommonDependencies } from '../gateway/wiring.ts';
import { operatorNames } from './audit/operator-name.store.ts';
import { revocationList } from './connections/revocation-list.store.ts';
import { creationGate } from './creations/creation-gate.store.ts';
import { noteToWrite, requestNotes } from './creations/request-notes.store.ts';
import { reachedShares } from './overview/reached-shares.store.ts';
import type { Services } from './services.ts';
import { reconnectBatchStore } from './sessions/reconnect-batch.store.ts';

/** Opens everything once per cold start. @throws Error naming every wrong setting */
export function openServices(): Services {
  const common = openCommonDependencies('management', noteToWrite);
  return servicesOf({ ...common, cipher: withoutTokens(common.cipher) });
}

/**
 * What the routes of both functions of the management API stand on: nothing of it opens a token or reads the secret of a client.
 *
 * @param uses of a function that may not note them in the rows of keys
 */
export function servicesOf(shared: CommonDependencies, uses?: Pick<SecretKeyStore, 'noteUse'>): Services {
  const { config, table } = shared;
  const secretKeys = secretKeyStore(table);
  const admission = makeAdmission(shared);
  return {
    ...shared,
    baseUrl: config.baseUrl,
    proxyUrl: config.proxyDoor.proxyUrl,
    builtFile: readBuiltFile,
    connectReturnUrls: config.connectReturnUrls,
    connectAllowedOrigins: config.connectAllowedOrigins.filter((origin) => origin !== config.dashboardOrigin),
    providers: PROVIDERS,
    without: config.without,
    forFeatures: shared,
    boundCallers: boundCallersOf(BOUND_CALLERS, shared),
    secretKeys,
    keys: new KeyDirectory({ ...shared, secretKeys: { ...secretKeys, ...uses }, admission }),
    admission,
    operatorTokens:
      config.operators === undefined
        ? undefined
        : operatorTokenVerifier(openEgress(config.operators.loopbackIssuer), config.operators, shared.clock),
    operatorMfa: config.operators?.mfa,
    dashboardOrigin: config.dashboardOrigin,
    clientIds: clientIdSource(table),
    sessions: connectSessionStore(table),
    rates: rateCounter(table),
    creations: creationGate(table),
    requestNotes: requestNotes(table),
    audit: auditTrail(table),
    census: censusStore(table),
    changeCounts: changeCountReader(table),
    reachedShares: reachedShares(table),
    callTotals: callTotalsReader(table),
    search: connectionSearch(table),
    lists: connectionLists(table),
    revocations: revocationStore(table),
    unconfirmed: unconfirmedGrantStore(table),
    reconnectBatches: reconnectBatchStore(table),
    revocationList: revocationList(table),
    calls: callLogReader({ ...table, tableName: config.callLog.tableName }, shared.clock, config.callLog.retentionDays),
    callLog: config.callLog,
    delegatedDomains: delegatedDomainStore(table),
    pinnedLists: pinnedListStore(table),
    serverTools: () => shared.later('server-tools'),
    docsPage: () => shared.later('docs-page'),
    auditList: auditList(table),
    operatorNames: operatorNames(table),
    usage: { pages: pageReader(table), book: bookReader(table), rows: usageRows(table) },
    endpointEgress: openEndpointEgress(config.endpointTargets.allowLoopback),
    endpointTargets: config.endpointTargets,
  };
}
