import { expect } from 'vitest';
import { connectSession, finishFlow, sessionState, startFlow } from '../../support/connect.ts';
import type { Edit } from '../support/assemblies.ts';
import { type FaultWorld, statusesOf, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

/** A later build: rows get an attribute more when a connection is made, and another with every token write. */
export const LATER_BUILD: readonly Edit[] = [
  {
    file: 'lambdas/gateway/connections/connection-item.store.ts',
    find: "    type: 'connection',",
    replace:
      "    type: 'connection',\n    madeByLaterBuild: true,\n    refreshedByLaterBuild: connection.lastRefreshedAtEpochSec,",
  },
  {
    file: 'lambdas/gateway/connections/connection-members.rules.ts',
    find: "  tokenEpoch: { writtenBy: ['refreshed'], deletion: 'stays' },",
    replace:
      "  tokenEpoch: { writtenBy: ['refreshed'], deletion: 'stays', storedAs: ['tokenEpoch', 'refreshedByLaterBuild'] },",
  },
];

const FUNCTIONS = ['proxy', 'oauth-callback', 'connect', 'management', 'grants'];

/** @param deploy makes processes that start from now on run a build */
export const versionRows = (deploy: (build: 'first' | 'later') => void): readonly FaultRow[] => [
  {
    id: 'F65',
    claim: 'two builds side by side read what either wrote, a flow goes from one to the other, and back again',
    runs: 'matrix',
    async run(world) {
      const integrationId = 'google-drive';
      const old = await world.connect({ expired: false });
      await Promise.all(Array.from({ length: 20 }, () => old.call()));
      const session = await connectSession(world.gateway, { allowed_integrations: [integrationId] });
      const flow = await startFlow(world.gateway, session, integrationId);

      deploy('later');
      await world.restart('oauth-callback');
      const id = await world.ledger.adopt(
        async () => {
          await finishFlow(flow, { account: 'first.user@example.com' });
          return String((await sessionState(world.gateway, session)).connection_id);
        },
        (connectionId) => `${integrationId} ${connectionId}`,
      );
      const fresh = world.subject(integrationId, id);
      expect(await fresh.row()).toMatchObject({ status: 'active', madeByLaterBuild: true });

      await restartHalf(world);
      await until(
        'the later build has refreshed a row of the first',
        async () => {
          for (const subject of [old, fresh]) {
            await subject.expire();
            expect(await statusesOf(16, () => subject.call())).toEqual(new Set([200]));
          }
          return 'refreshedByLaterBuild' in (await old.row());
        },
        30_000,
      );

      deploy('first');
      for (const name of FUNCTIONS) await world.restart(name);
      for (const subject of [old, fresh]) {
        await subject.expire();
        expect((await subject.call()).status).toBe(200);
      }
      expect(await fresh.row(), 'kept by a build that does not know it').toMatchObject({ madeByLaterBuild: true });
    },
  },
];

/** Ends half of the proxy's processes; those in their place run what is deployed by then. */
async function restartHalf(world: FaultWorld): Promise<void> {
  const proxies = () => world.gateway.gateway.children().filter(({ functionName }) => functionName === 'proxy');
  const running = proxies();
  const ending = running.slice(0, Math.floor(running.length / 2)).map(({ pid }) => pid);
  expect(ending.length, 'processes of either build').toBeGreaterThan(0);
  for (const pid of ending) process.kill(pid, 'SIGKILL');
  await until('they have ended', () => proxies().every(({ pid }) => !ending.includes(pid)));
}
