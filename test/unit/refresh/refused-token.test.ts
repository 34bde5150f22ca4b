import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { FORCED_REFRESH_COOL_DOWN_SEC } from '../../../lambdas/gateway/core/limits.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { callerProcess } from './support/caller-world.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { answer, INVALID_GRANT, refreshWorld, tokens } from './support/refresh-world.ts';

const PROCESSES = ['a', 'b', 'c', 'd', 'e'];

/** Processes that serve calls of one connection whose token was renewed a second ago; `asked` are the leases' times of questions to the provider. */
function processes(answers: (question: number) => TokenCallResult) {
  const asked: number[] = [];
  const row = connection({
    accessTokenExpiresAtEpochSec: START_SEC + 3598,
    lastRefreshedAtEpochSec: START_SEC - 1,
  });
  const world = refreshWorld(row, integration(), () => {
    // The cool-down counts from the lease; while others wait, time may pass before the question.
    asked.push(world.table.row?.forcedRefreshAtEpochSec ?? 0);
    return answers(asked.length);
  });
  const serving = new Map(PROCESSES.map((owner) => [owner, callerProcess(world, owner)]));
  return {
    world,
    asked,
    /** What a call of a process ends with when the API answers every token 401: `401` passed on, or the gateway's code. */
    async refused(owner: string): Promise<string> {
      try {
        await serving.get(owner)?.refusal();
        return '401';
      } catch (error) {
        if (error instanceof GatewayError) return error.code;
        throw error;
      }
    },
  };
}

test('TK-6: a grant revoked just after a refresh is asked for once, and every caller gets 424 with its cause', async () => {
  const { world, asked, refused } = processes(() => INVALID_GRANT);
  const ends = await Promise.all([...PROCESSES, ...PROCESSES].map((owner) => refused(owner)));
  expect(new Set(ends)).toEqual(new Set(['reauthorization_required']));
  expect(asked).toHaveLength(1);
  expect(world.table.row).toMatchObject({ status: 'reauthorization_required', death: { cause: 'user_revoked' } });
  world.clock.advance(5);
  expect(await refused('a')).toBe('reauthorization_required');
  expect(asked).toHaveLength(1);
});

test('TK-6, F30: an API that refuses every token causes at most one refresh per cool-down over all processes', async () => {
  const call = fc.record({ owner: fc.constantFrom(...PROCESSES), waitSec: fc.integer({ min: 0, max: 15 }) });
  const outcome = fc.constantFrom('tokens', 'down', 'unlisted');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(call, { minLength: 1, maxLength: 6 }), { maxLength: 15 }),
      outcome,
      async (rounds, kind) => {
        const { world, asked, refused } = processes((question) => {
          if (kind === 'down') return answer(503, {});
          if (kind === 'unlisted') return answer(400, { error: 'something_new' });
          return tokens({ access_token: `access-${question}` });
        });
        for (const together of rounds) {
          world.clock.advance(Math.max(...together.map(({ waitSec }) => waitSec)));
          for (const end of await Promise.all(together.map(({ owner }) => refused(owner)))) {
            expect(end).toBe(kind === 'tokens' ? '401' : 'token_refresh_unavailable');
          }
        }
        for (const [at, next] of asked.slice(1).map((second, i) => [asked[i] ?? 0, second] as const)) {
          expect(next - at).toBeGreaterThanOrEqual(kind === 'tokens' ? FORCED_REFRESH_COOL_DOWN_SEC : 1);
        }
        expect(asked.length).toBeLessThanOrEqual(
          1 + (world.clock.nowMs() / 1000 - START_SEC) / FORCED_REFRESH_COOL_DOWN_SEC,
        );
      },
    ),
    { numRuns: 200 },
  );
});
