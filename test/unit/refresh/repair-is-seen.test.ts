import { expect, test, vi } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { CLIENT_FAULT_COOL_DOWN_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { CallerDirectory } from '../../../lambdas/gateway/keys/authenticate-caller.ts';
import { AccessTokens } from '../../../lambdas/gateway/tokens/access-tokens.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { unlimitedCalls } from '../support/unlimited-calls.ts';
import { connection, integration } from './support/connection.ts';
import { answer, DEATH, direct, refreshWorld, tokens } from './support/refresh-world.ts';

/** Processes that remember the rows they have read once, as the directory of callers does, and count what they read again. */
function processes(first: TokenCallResult, row: Connection = connection()) {
  let given = first;
  const world = refreshWorld(row, integration(), () => given);
  const remembered = { row, app: integration() };
  const process = (owner: string) => {
    const deps = world.deps(direct);
    const reads = { connection: vi.spyOn(deps.connections, 'read'), integration: vi.spyOn(deps.integrations, 'get') };
    const load = async () => ({ key: undefined, integration: undefined, connection: undefined });
    const directory = new CallerDirectory(
      { load, unconfirmed: async () => undefined },
      world.clock,
      unlimitedCalls(world.clock),
    );
    const tokensOf = new AccessTokens({ ...deps, directory, refresher: world.refresher(owner, direct, deps) });
    return {
      reads,
      async call(): Promise<string> {
        try {
          const live = { connection: remembered.row, accessToken: undefined };
          const context = { requestId: owner, waitUntil: () => undefined };
          await tokensOf.forCall(fake({ integration: remembered.app, live }), context);
          return 'served';
        } catch (error) {
          if (error instanceof GatewayError) return error.code;
          throw error;
        }
      },
    };
  };
  const mend = () => {
    given = tokens();
  };
  return { ...world, remembered, process, mend };
}

const REFUSED = answer(403, { error: 'something_new' });
const NO_CLIENT = answer(401, { error: 'deleted_client' });

test('a refresh that another process has made is served at once, instead of the refusal this one remembers', async () => {
  const { process, mend, refresh, clock } = processes(REFUSED);
  const here = process('here');
  expect(await here.call()).toBe('token_refresh_unavailable');
  mend();
  expect(await refresh({ force: true })).toMatchObject({ kind: 'fresh' });
  clock.advance(1);
  expect(await here.call()).toBe('served');
});

test('an OAuth client that was corrected counts at once in processes that remember its fault, marked and unmarked', async () => {
  const { process, mend, table, clock, remembered } = processes(NO_CLIENT);
  const [asked, told] = [process('asked'), process('told')];
  expect(await asked.call()).toBe('integration_credentials_rejected');
  const marked = table.integration ?? integration();
  expect(marked.clientFault).toMatchObject({ error: 'deleted_client' });
  expect(await told.call()).toBe('integration_credentials_rejected');
  // Somebody stores another secret: the mark is gone, and what the processes remember is not.
  table.integration = { ...marked, clientFault: undefined };
  remembered.app = marked;
  mend();
  clock.advance(1);
  expect(await told.call()).toBe('served');
  expect(await asked.call()).toBe('served');
});

test('a connection that lives again is served where an older read still calls it dead', async () => {
  const dead = connection({ status: 'reauthorization_required', death: DEATH });
  const { process, table, clock } = processes(tokens(), dead);
  const here = process('here');
  expect(await here.call()).toBe('reauthorization_required');
  table.row = connection({ epoch: 3, tokenEpoch: 3, accessTokenExpiresAtEpochSec: clock.nowMs() / 1000 + 3000 });
  clock.advance(1);
  expect(await here.call()).toBe('served');
  table.row = undefined;
  clock.advance(1);
  expect(await here.call()).toBe('unknown_connection');
});

test.each([
  ['a refusal', REFUSED, connection()],
  ['a refused client', NO_CLIENT, connection()],
  ['a death', REFUSED, connection({ status: 'reauthorization_required', death: DEATH })],
])(
  'a caller who meets %s over and over costs a read a second, and no question to the provider',
  async (_, given, row) => {
    const { process, clock, asked } = processes(given, row);
    const here = process('here');
    await here.call();
    const { connection: rows, integration: apps } = here.reads;
    const before = { asked: asked.length, reads: rows.mock.calls.length, apps: apps.mock.calls.length };
    for (let tenth = 0; tenth < 50; tenth++) {
      clock.advance(0.1);
      expect(await here.call()).not.toBe('served');
    }
    expect(asked.length - before.asked).toBeLessThanOrEqual(0);
    expect(rows.mock.calls.length - before.reads).toBeLessThanOrEqual(6);
    // The integration is at fault where its client is, and looked at there alone.
    expect(apps.mock.calls.length - before.apps).toBeLessThanOrEqual(given === NO_CLIENT ? 6 : 0);
    expect(CLIENT_FAULT_COOL_DOWN_SEC).toBeGreaterThan(5);
  },
);
