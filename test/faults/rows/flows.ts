import { expect } from 'vitest';
import { connectSession, finishFlow, sessionState, startFlow } from '../../support/connect.ts';
import { type FaultWorld, statusesOf, THROTTLED, writes } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const INTEGRATION = 'google-drive';
const CONSENT = { account: 'first.user@example.com' };

/** Faults between the provider's answer to a consent and the row that keeps it, and a provider that fails for a while. */
export const flowRows: readonly FaultRow[] = [
  {
    id: 'F25',
    claim:
      'killed, throttled or cut off between code exchange and store: no half connection, and the session continues',
    runs: 'matrix',
    async run(world) {
      const killed = await openBrowser(world);
      const storing = world.table.add(isStore, { kind: 'hold', side: 'before' });
      const page = killed.finish();
      await storing.met;
      await world.signalBusy('oauth-callback', 'SIGKILL');
      expect((await page).status).toBe(502);
      storing.release('drop');
      await connects(world, killed);

      const brief = await openBrowser(world);
      world.table.add(isStore, THROTTLED, 2);
      await connects(world, brief);

      const long = await openBrowser(world);
      world.table.add(isStore, THROTTLED, 1_000);
      expect((await long.finish()).status).toBeGreaterThanOrEqual(500);
      expect((await sessionState(world.gateway, long.session)).connection_id).toBeNull();
      await world.calm();
      await connects(world, long);
    },
  },
  {
    id: 'F31',
    claim: 'an API that answers 500 is asked once per call, is back at once, and the other provider notices nothing',
    runs: 'matrix',
    async run(world) {
      const drive = await world.connect({ expired: false });
      const calendar = await world.connect({ integrationId: 'google-calendar', expired: false });
      await world.provider({ origin: 'api', pathPrefix: '/drive' }, { status: 500 });
      const from = world.ledger.requests.length;
      const failing = statusesOf(200, () => drive.call());
      expect(await statusesOf(50, () => calendar.call())).toEqual(new Set([200]));
      expect(await failing).toEqual(new Set([500]));
      const asked = world.ledger.requests.slice(from).filter(({ facts }) => facts.path.startsWith('/drive'));
      expect(asked.length).toBeLessThanOrEqual(200 * 1.2);
      await world.calm();
      expect((await drive.call()).status).toBe(200);
    },
  },
];

/** The write that ends a flow: connection, events and session together. */
function isStore(call: Parameters<typeof writes.transition>[0]): boolean {
  return call.caller === 'oauth-callback' && writes.transition(call);
}

/** A browser with a connect session; it may start its flow more than once. */
interface Browser {
  readonly session: string;
  finish(): Promise<Response>;
}

async function openBrowser(world: FaultWorld): Promise<Browser> {
  const session = await connectSession(world.gateway, { allowed_integrations: [INTEGRATION] });
  let cookie: string | undefined;
  return {
    session,
    async finish() {
      const flow = await startFlow(world.gateway, session, INTEGRATION, cookie);
      cookie ??= flow.cookie;
      return finishFlow({ ...flow, cookie }, CONSENT);
    },
  };
}

/** A browser's flow that must end in a connection. */
async function connects(world: FaultWorld, browser: Browser): Promise<void> {
  const id = await world.ledger.adopt(
    async () => {
      await browser.finish();
      const state = await sessionState(world.gateway, browser.session);
      expect(state).toMatchObject({ status: 'connected' });
      return String(state.connection_id);
    },
    (connectionId) => `${INTEGRATION} ${connectionId}`,
  );
  world.subject(INTEGRATION, id);
}
