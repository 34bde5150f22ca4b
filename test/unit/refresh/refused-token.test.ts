import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { FORCED_REFRESH_COOL_DOWN_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { CallerDirectory } from '../../../lambdas/gateway/keys/authenticate-caller.ts';
import { AccessTokens } from '../../../lambdas/gateway/tokens/access-tokens.ts';
import { DEFAULT_REFRESH_POLICY } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { unlimitedCalls } from '../support/unlimited-calls.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { refreshWorld, type Step } from './support/refresh-world.ts';

const direct: Step = (effect) => effect();
const answer = (status: number, body: unknown): TokenCallResult => ({
  kind: 'answered',
  response: { status, body: JSON.stringify(body), retryAfter: undefined },
});
const INVALID_GRANT = answer(400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' });
const PROCESSES = ['a', 'b', 'c', 'd', 'e'];

/** Processes that serve calls of one connection whose token was renewed a second ago; `asked` are the questions to the provider. */
function processes(answers: (question: number) => TokenCallResult) {
  const asked: number[] = [];
  const row = connection({
    accessTokenExpiresAtEpochSec: START_SEC + 3598,
    lastRefreshedAtEpochSec: START_SEC - 1,
  });
  const world = refreshWorld(row, integration(), () => {
    asked.push(world.clock.nowMs() / 1000);
    return answers(asked.length);
  });
  const { clock, table } = world;
  const tokens = new Map(
    PROCESSES.map((owner) => {
      const store = {
        load: async () => ({ key: undefined, integration: undefined, connection: table.row }),
        unconfirmed: async () => undefined,
      };
      const made = new AccessTokens({
        directory: new CallerDirectory(store, clock, unlimitedCalls(clock)),
        refresher: world.refresher(owner, direct),
        connections: { read: async () => table.row, noteUse: async () => {} },
        cipher: { encrypt: async (_, text) => `enc:${text}`, decrypt: async (_, text) => text.replace('enc:', '') },
        clock,
        metrics: { count: () => {} },
        logger: { info: () => {}, warn: () => {}, error: () => {} },
        refreshPolicy: DEFAULT_REFRESH_POLICY,
      });
      return [owner, made] as const;
    }),
  );
  return {
    world,
    asked,
    /** What a call of a process ends with when the API answers every token 401: `401` passed on, or the gateway's code. */
    async refused(owner: string): Promise<string> {
      const used = table.row ?? row;
      try {
        await tokens.get(owner)?.afterRefusal(used, integration(), 'request-1');
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
          return answer(200, { access_token: `access-${question}`, token_type: 'Bearer', expires_in: 3599 });
        });
        for (const together of rounds) {
          world.clock.advance(Math.max(...together.map(({ waitSec }) => waitSec)));
          for (const end of await Promise.all(together.map(({ owner }) => refused(owner)))) expect(end).toBe('401');
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
