import { fake } from '../../../../dev/support/fake.ts';
import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import type { CallContext } from '../../../../lambdas/gateway/core/ports.ts';
import { CallerDirectory } from '../../../../lambdas/gateway/keys/authenticate-caller.ts';
import { AccessTokens, type UsableToken } from '../../../../lambdas/gateway/tokens/access-tokens.ts';
import type { LeaseHolderDependencies } from '../../../../lambdas/gateway/tokens/lease.ts';
import { unlimitedCalls } from '../../support/unlimited-calls.ts';
import { connection, integration, START_SEC } from './connection.ts';
import { direct, type World } from './refresh-world.ts';

/** A connection whose token still works for `leftSec`. */
export function working(leftSec: number, changes: Partial<Connection> = {}): Connection {
  return connection({ accessTokenExpiresAtEpochSec: START_SEC + leftSec, ...changes });
}

/** A process of a world that serves calls. */
export interface CallerProcess {
  readonly directory: CallerDirectory;
  /** What may outlive the calls' answers. */
  readonly works: Promise<unknown>[];
  /** A call of the stored row, or of another that is remembered of it. */
  call(accessToken?: string, remembered?: Connection): Promise<UsableToken>;
  /** A call, and all that outlives its answer. */
  wholeCall(accessToken?: string): Promise<UsableToken>;
  /** What comes of it that the provider's API refuses the token of this row. */
  refusal(used?: Connection): Promise<UsableToken | undefined>;
}

/** A process that serves calls in a world of refreshes. */
export function callerProcess(
  world: World,
  owner = 'me',
  overrides: Partial<LeaseHolderDependencies> = {},
): CallerProcess {
  const deps = world.deps(direct, overrides);
  const directory = new CallerDirectory(
    {
      load: async () => ({ key: undefined, integration: undefined, connection: world.table.row }),
      unconfirmed: async () => undefined,
    },
    world.clock,
    unlimitedCalls(world.clock),
  );
  const works: Promise<unknown>[] = [];
  const context: CallContext = {
    requestId: 'request-1',
    waitUntil: (work) => void (work === undefined || works.push(work)),
  };
  const tokens = new AccessTokens({
    ...deps,
    directory,
    refresher: world.refresher(owner, direct, overrides),
  });
  const stored = () => world.table.row ?? connection();
  const process: CallerProcess = {
    directory,
    works,
    call: (accessToken, remembered = stored()) =>
      tokens.forCall(
        fake({ integration: world.table.integration, live: { connection: remembered, accessToken } }),
        context,
      ),
    async wholeCall(accessToken) {
      const used = await process.call(accessToken);
      await Promise.all(works);
      return used;
    },
    refusal: (used = stored()) => tokens.afterRefusal(used, world.table.integration ?? integration(), 'request-1'),
  };
  return process;
}
