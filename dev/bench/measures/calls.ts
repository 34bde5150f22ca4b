/** AWS calls per proxied call, counted by the local runtime between the function and the emulated services. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CONNECTION_CACHE_MS, KEY_CACHE_MS } from '../../../lambdas/gateway/core/limits.ts';
import { type LocalGateway, startLocal } from '../../local/start.ts';
import type { Finding } from '../report.ts';

const WARM_CALLS = 200;
/** Longer than the report of usage takes after a call. */
const TOLD_AFTER_MS = 1_000;
const USAGE = 'UpdateItem';
const INTEGRATION_ID = 'google-drive';

/** Counts for a new process, for warm calls and for a call after everything remembered has run out. */
export async function measureCalls(quick: boolean, progress: (text: string) => void): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  progress('starting the gateway');
  const gateway = await startLocal({
    dataDir,
    quiet: true,
    schedules: false,
    maxChildrenPerFunction: 1,
  });
  stack.defer(() => gateway.close());

  const first = await counted(gateway, 1);
  progress(`${WARM_CALLS} warm calls`);
  const warm = await counted(gateway, WARM_CALLS);
  const waitMs = (quick ? CONNECTION_CACHE_MS : Math.max(CONNECTION_CACHE_MS, KEY_CACHE_MS)) + 1_000;
  progress(`waiting ${waitMs / 1000} s for what the function remembers to run out`);
  await delay(waitMs);
  const cold = await counted(gateway, 1);
  return [
    finding(`${WARM_CALLS} warm calls together`, warm, 0),
    finding('one call on a cold cache, before its answer', beforeAnswer(cold), 1),
    finding('the same, usage reported after its last byte', afterAnswer(cold), undefined),
    finding('first call of a new process, before its answer', beforeAnswer(first), 3),
    finding('the same, usage reported after its last byte', afterAnswer(first), undefined),
  ];
}

/** Makes proxied calls one after another; how often each AWS operation was called by the proxy meanwhile. */
async function counted(gateway: LocalGateway, calls: number): Promise<Map<string, number>> {
  const before = proxyCounts(gateway);
  for (let made = 0; made < calls; made++) await callOnce(gateway);
  // Reports after the last byte belong to these calls.
  await delay(TOLD_AFTER_MS);
  const added = [...proxyCounts(gateway)].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return new Map(added.filter(([, count]) => count > 0));
}

type Counts = ReadonlyMap<string, number>;

/** Usage is all that a call of a fresh token writes. */
function afterAnswer(counts: Counts): Counts {
  return new Map([...counts].filter(([name]) => name.endsWith(` ${USAGE}`)));
}

function beforeAnswer(counts: Counts): Counts {
  return new Map([...counts].filter(([name]) => !name.endsWith(` ${USAGE}`)));
}

function proxyCounts(gateway: LocalGateway): Map<string, number> {
  const ofProxy = gateway.awsCalls().filter(({ functionName }) => functionName === 'proxy');
  return new Map(ofProxy.map(({ service, operation, count }) => [`${service} ${operation}`, count]));
}

async function callOnce(gateway: LocalGateway): Promise<void> {
  const connection = gateway.connections.find((one) => one.integration_id === INTEGRATION_ID);
  if (connection === undefined) throw new Error(`The local gateway has no connection of ${INTEGRATION_ID}`);
  const answer = await fetch(`${gateway.gatewayUrl}/proxy/drive/v3/files?pageSize=3`, {
    headers: {
      authorization: `Bearer ${gateway.secretKey}`,
      'provider-config-key': INTEGRATION_ID,
      'connection-id': connection.connection_id,
    },
  });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`A counted call answered ${answer.status}: ${body}`);
}

function finding(subject: string, counts: ReadonlyMap<string, number>, goal: number | undefined): Finding {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return {
    measure: 'AWS calls of the proxy',
    subject,
    value: String(total),
    range: [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`)).join(', '),
    goal: goal === undefined ? '' : goal === 0 ? 'none' : `at most ${goal}`,
    within: goal === undefined ? undefined : total <= goal,
    details: { byOperation: Object.fromEntries(counts) },
  };
}
