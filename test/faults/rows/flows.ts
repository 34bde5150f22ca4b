import { expect } from 'vitest';
import { connectSession, finishFlow, sessionState, startFlow } from '../../support/connect.ts';
import { type FaultWorld, type Subject, writes } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const INTEGRATION = 'google-drive';
const CONSENT = { account: 'first.user@example.com' };
const THROTTLED = { kind: 'error', name: 'ProvisionedThroughputExceededException' } as const;

/** Faults between the provider's answer to a consent and the row that keeps it, and a provider that fails for a while. */
export const flowRows: readonly FaultRow[] = [
  {
    id: 'F25',
    claim: 'killed, throttled or cut off between code exchange and store: no half connection, and the session goes on',
    fast: false,
    async run(world) {
      const subjects: Subject[] = [];

      const killed = await connectSession(world.gateway, { allowed_integrations: [INTEGRATION] });
      const storing = world.table.add(isStore, { kind: 'hold', side: 'before' });
      const page = finish(world, killed);
      await storing.met;
      world.signalBusy('oauth-callback', 'SIGKILL');
      expect((await page).status).toBe(502);
      storing.release('drop');
      expect((await sessionState(world.gateway, killed)).connection_id).toBeNull();
      subjects.push(await connected(world, killed, () => finish(world, killed)));

      const brief = await connectSession(world.gateway, { allowed_integrations: [INTEGRATION] });
      world.table.add(isStore, THROTTLED, 2);
      subjects.push(await connected(world, brief, () => finish(world, brief)));

      const long = await connectSession(world.gateway, { allowed_integrations: [INTEGRATION] });
      world.table.add(isStore, THROTTLED, 1_000);
      expect((await finish(world, long)).status).toBeGreaterThanOrEqual(500);
      expect((await sessionState(world.gateway, long)).connection_id).toBeNull();
      await world.calm();
      subjects.push(await connected(world, long, () => finish(world, long)));
      return subjects;
    },
  },
  {
    id: 'F31',
    claim: 'an API that answers 500 is asked once per call, is back at once, and the other provider notices nothing',
    fast: false,
    async run(world) {
      const drive = await world.connect({ expired: false });
      const calendar = await world.connect({ integrationId: 'google-calendar', expired: false });
      await world.provider({ origin: 'api', pathPrefix: '/drive' }, { status: 500 });
      const from = world.ledger.requests.length;
      const failing = Array.from({ length: 200 }, () => drive.call());
      const working = Array.from({ length: 50 }, () => calendar.call());
      const statuses = (answers: readonly Response[]) => new Set(answers.map(({ status }) => status));
      expect(statuses(await Promise.all(failing))).toEqual(new Set([500]));
      expect(statuses(await Promise.all(working))).toEqual(new Set([200]));
      const asked = world.ledger.requests.slice(from).filter(({ facts }) => facts.path.startsWith('/drive'));
      expect(asked.length).toBeLessThanOrEqual(200 * 1.2);
      await world.calm();
      expect((await drive.call()).status).toBe(200);
      return [drive, calendar];
    },
  },
];

/** The write that ends a flow: connection, events and session together. */
function isStore(call: Parameters<typeof writes.transition>[0]): boolean {
  return call.caller === 'oauth-callback' && writes.transition(call);
}

async function finish(world: FaultWorld, session: string): Promise<Response> {
  return finishFlow(await startFlow(world.gateway, session, INTEGRATION), CONSENT);
}

/** Does the rest of a flow, which must end in a connection. */
async function connected(world: FaultWorld, session: string, work: () => Promise<Response>): Promise<Subject> {
  const id = await world.ledger.adopt(
    async () => {
      await work();
      const state = await sessionState(world.gateway, session);
      expect(state).toMatchObject({ status: 'connected' });
      return String(state.connection_id);
    },
    (connectionId) => `${INTEGRATION} ${connectionId}`,
  );
  return world.subject(INTEGRATION, id);
}
