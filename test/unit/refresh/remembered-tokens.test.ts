import { describe, expect, test, vi } from 'vitest';
import type { RefreshOutcome } from '../../../lambdas/gateway/tokens/refresher.ts';
import { accessTokensWorld, working } from './support/access-tokens-world.ts';
import { connection, START_SEC } from './support/connection.ts';
import { DEATH } from './support/held-world.ts';

const renewed = working(3600, { tokenEpoch: 2, encryptedAccessToken: 'enc:access-1' });

/** What the directory is told by a call and by what outlives it. */
async function told(world: ReturnType<typeof accessTokensWorld>, run: () => Promise<unknown>) {
  const remember = vi.spyOn(world.directory, 'remember');
  const forget = vi.spyOn(world.directory, 'forget');
  const touch = vi.spyOn(world.directory, 'touch');
  await run().catch(() => undefined);
  await Promise.all(world.works);
  return { remembered: remember.mock.calls, forgotten: forget.mock.calls, touched: touch.mock.calls };
}

describe('a refresh beside a call', () => {
  test.each<[RefreshOutcome, number, number]>([
    [{ kind: 'fresh', connection: renewed, accessToken: 'access-1' }, 1, 0],
    [{ kind: 'dead', connection: renewed, death: DEATH }, 0, 1],
    [{ kind: 'gone' }, 0, 1],
    [{ kind: 'busy', connection: renewed }, 0, 0],
    [{ kind: 'transient', reason: 'http_503', retryAfterSec: 20 }, 0, 0],
  ])('leaves behind what the next call is to know: %j', async (outcome, remembered, forgotten) => {
    const world = accessTokensWorld(working(60));
    world.script.outcome = async () => outcome;
    const memory = await told(world, () => world.call('access-0'));
    expect(memory.remembered).toEqual(remembered === 0 ? [] : [[{ connection: renewed, accessToken: 'access-1' }]]);
    expect(memory.forgotten).toEqual(forgotten === 0 ? [] : [[working(60)]]);
  });
});

describe('what a process remembers of a connection', () => {
  test('is the new token and row after a refresh that a call waited for', async () => {
    const world = accessTokensWorld(connection());
    world.script.outcome = async () => ({ kind: 'fresh', connection: renewed, accessToken: 'access-1' });
    const memory = await told(world, () => world.call());
    expect(memory.remembered).toEqual([[{ connection: renewed, accessToken: 'access-1' }]]);
  });

  test('is its death, and no token', async () => {
    const world = accessTokensWorld(connection());
    const dead = connection({ status: 'reauthorization_required', death: DEATH });
    world.script.outcome = async () => ({ kind: 'dead', connection: dead, death: DEATH });
    const memory = await told(world, () => world.call());
    expect(memory.remembered).toEqual([[{ connection: dead, accessToken: undefined }]]);
  });

  test('goes when it is gone, and when the provider’s API refuses its token', async () => {
    const gone = accessTokensWorld(connection());
    gone.script.outcome = async () => ({ kind: 'gone' });
    expect((await told(gone, () => gone.call())).forgotten).toEqual([[connection()]]);
    const refused = accessTokensWorld(working(3600, { lastRefreshedAtEpochSec: START_SEC }));
    expect((await told(refused, () => refused.refusal())).forgotten).toHaveLength(1);
  });

  test('is told of a use as soon as it is noted', async () => {
    const row = working(3600, { lastUsedAtEpochSec: undefined });
    const world = accessTokensWorld(row);
    expect((await told(world, () => world.call('access-0'))).touched).toEqual([[row, START_SEC]]);
  });
});

test('a use brings the next refresh forward and never puts it off', async () => {
  const soon = accessTokensWorld(working(3600, { lastUsedAtEpochSec: undefined, refreshAtEpochSec: START_SEC + 5 }));
  await soon.wholeCall('access-0');
  expect(soon.noted).toEqual([[START_SEC, START_SEC + 5]]);
  const idle = accessTokensWorld(
    working(3600, { lastUsedAtEpochSec: undefined, refreshAtEpochSec: START_SEC + 9_000_000 }),
  );
  await idle.wholeCall('access-0');
  const unplanned = accessTokensWorld(working(3600, { lastUsedAtEpochSec: undefined, refreshAtEpochSec: undefined }));
  await unplanned.wholeCall('access-0');
  for (const { noted } of [idle, unplanned]) {
    expect(noted[0]?.[1]).toBeGreaterThan(START_SEC + 2_000);
    expect(noted[0]?.[1]).toBeLessThan(START_SEC + 3_600);
  }
});
