/** One run of the real sweep over given stores, with a token endpoint on loopback that takes its time. */

import { BoundedCache } from '../../../lambdas/gateway/core/bounded-cache.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { openEgress } from '../../../lambdas/gateway/platform/egress/egress.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import type { ProviderEndpoints } from '../../../lambdas/gateway/providers/provider.rules.ts';
import { DEFAULT_REFRESH_POLICY, refreshTiming } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { LeaseHolderDependencies } from '../../../lambdas/gateway/tokens/lease.ts';
import { ConnectionRefresher, LeaseHolder } from '../../../lambdas/gateway/tokens/refresher.ts';
import { httpTokenEndpoint } from '../../../lambdas/gateway/tokens/token-endpoint.ts';
import { refreshDueConnections, type SweepDependencies, shardsOf } from '../../../lambdas/refresh/sweep.ts';
import { CLIENT_ID, cipher } from './fixtures.ts';

/** Everything of a sweep that is a table. */
export type SweepStores = Pick<
  LeaseHolderDependencies & SweepDependencies,
  | 'connections'
  | 'upkeep'
  | 'escrow'
  | 'revocations'
  | 'unconfirmed'
  | 'integrations'
  | 'consents'
  | 'deaths'
  | 'evidence'
  | 'audit'
>;

/** What one instance did. */
export interface SweepRun {
  readonly refreshed: number;
  readonly seconds: number;
  /** Processor time of this process per refresh, ms. */
  readonly cpuMs: number;
}

const CREDENTIALS = { clientId: CLIENT_ID, clientSecret: 'secret', previousClientSecret: undefined };
/** Longer than any run: the deadline must not cut what is measured. */
const DEADLINE_MS = 3_600_000;

/**
 * Sweeps the whole index once.
 *
 * @param tokenOrigin where `POST /token` is answered
 * @throws Error when anything due was not refreshed, because the figures would then be of something else
 */
export async function runSweep(stores: SweepStores, tokenOrigin: string, due: number): Promise<SweepRun> {
  const upstream = openEgress(true);
  const endpoints = endpointsAt(tokenOrigin);
  const deps = {
    ...stores,
    credentials: { get: async () => CREDENTIALS },
    tokenEndpoint: httpTokenEndpoint(upstream),
    endpointsOf: () => endpoints,
    cipher,
    clock: systemClock,
    random: systemRandom,
    metrics: { count: () => {} },
    logger: { info: () => {}, warn: () => {}, error: warnOf },
    timing: refreshTiming(),
    refreshPolicy: DEFAULT_REFRESH_POLICY,
  };
  const refresher = new ConnectionRefresher({ ...deps, holder: new LeaseHolder(deps), owner: 'bench' });
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const report = await refreshDueConnections(
    { ...deps, refresher, deathsInARow: new BoundedCache(1) },
    { shards: shardsOf({ index: 0, count: 1 }), count: 1, isHeld: () => true },
    Date.now() + DEADLINE_MS,
    'bench',
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  upstream.close();
  if (report.refreshed !== due) throw new Error(`${due} were due, the sweep says ${JSON.stringify(report)}`);
  return { refreshed: report.refreshed, seconds, cpuMs: (cpu.user + cpu.system) / 1000 / report.refreshed };
}

function warnOf(message: string, _fields?: unknown, error?: unknown): void {
  process.stderr.write(`${message}: ${error instanceof Error ? error.message : error}\n`);
}

function endpointsAt(origin: string): ProviderEndpoints {
  return {
    server: PROVIDERS['google-drive'].server,
    issuer: origin,
    authorizationEndpoint: `${origin}/auth`,
    tokenEndpoint: `${origin}/token`,
    revocationEndpoint: `${origin}/revoke`,
    userinfoEndpoint: `${origin}/userinfo`,
    jwksUri: `${origin}/certs`,
    apiOrigin: origin,
    otherOrigins: {},
  };
}
