import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { headerValue, type UpstreamRequest } from '../../../lambdas/gateway/core/http-message.ts';
import { sendAsUser } from '../../../lambdas/gateway/tokens/access-tokens.ts';
import type { RefreshOutcome } from '../../../lambdas/gateway/tokens/lease.ts';
import { requestedTokens } from '../../../lambdas/gateway/tokens/requested-tokens.ts';
import { endpointsAt } from '../support/google.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { DEATH } from './support/refresh-world.ts';

const LIVE = connection({ encryptedAccessToken: 'enc:old', accessTokenExpiresAtEpochSec: START_SEC + 1800 });
const EXPIRED = { ...LIVE, accessTokenExpiresAtEpochSec: START_SEC };
const RENEWED = { ...LIVE, encryptedAccessToken: 'enc:new' };
const DEAD = { ...LIVE, status: 'reauthorization_required', death: DEATH } as const;
const FRESH = { kind: 'fresh', connection: RENEWED, accessToken: 'new' } as const;
const DIED = { kind: 'dead', connection: DEAD, death: DEATH } as const;

/** A call of the gateway's own to a provider that refuses these tokens. */
async function send(known: Connection, outcome: RefreshOutcome, refused: readonly string[] = []) {
  const done: string[] = [];
  const deps = {
    refresher: {
      refresh: async (current: Connection, _: unknown, { force }: { readonly force: boolean }) => {
        done.push(`${force ? 'renews' : 'refreshes'} ${current.encryptedAccessToken}`);
        return outcome;
      },
    },
    endpointsOf: () => endpointsAt({}),
    cipher: {
      encrypt: async (_: unknown, plaintext: string) => plaintext,
      decrypt: async (_: unknown, ciphertext: string) => ciphertext.replace('enc:', ''),
    },
    clock: { nowMs: () => START_SEC * 1000 },
  };
  const upstream = {
    async send({ headers }: UpstreamRequest) {
      const token = headerValue(headers, 'authorization')?.replace('Bearer ', '') ?? 'nothing';
      done.push(`sends ${token}`);
      return { status: refused.includes(token) ? 401 : 200, headers: [], body: Readable.from([]), abandon() {} };
    },
    close() {},
  };
  const limits = { firstByteTimeoutMs: 1, idleTimeoutMs: 1, totalTimeoutMs: 1 };
  const request = { origin: 'https://api.example', method: 'GET', path: '/', headers: [], body: undefined, ...limits };
  const tokens = requestedTokens(deps, { connection: known, integration: integration() }, 'request-1');
  const ended = await sendAsUser(upstream, tokens, {
    exchange: async (sendOne) => (await sendOne(request)).status,
    isRefused: (status) => status === 401,
  }).catch((error: unknown) => Object(error).code);
  return { done, ended };
}
const sent = (answer: number, current: Connection, accessToken: string) => ({
  ...{ kind: 'sent', answer, token: { connection: current, accessToken } },
});

test.each([
  {
    what: 'goes out with the token there is',
    ...{ known: LIVE, refused: [], done: ['sends old'], ended: sent(200, LIVE, 'old') },
  },
  {
    what: 'is preceded by a refresh where that has expired',
    ...{ known: EXPIRED, refused: [], done: ['refreshes enc:old', 'sends new'], ended: sent(200, RENEWED, 'new') },
  },
  {
    what: 'goes out once more with a renewed token where the first is refused (TK-6)',
    ...{ known: LIVE, refused: ['old'], ended: sent(200, RENEWED, 'new') },
    done: ['sends old', 'renews enc:old', 'sends new'],
  },
  {
    what: 'ends with the second answer, whatever it says',
    ...{ known: LIVE, refused: ['old', 'new'], ended: sent(401, RENEWED, 'new') },
    done: ['sends old', 'renews enc:old', 'sends new'],
  },
  {
    what: 'is not sent for a dead connection',
    ...{ known: DEAD, refused: [], done: [], ended: { kind: 'dead', death: DEATH } },
  },
  {
    what: 'is refused for a connection that was deleted meanwhile',
    ...{ known: { ...LIVE, encryptedAccessToken: undefined }, refused: [], done: [], ended: 'unknown_connection' },
  },
])('a call as a user $what', async ({ known, refused, done, ended }) => {
  expect(await send(known, FRESH, refused)).toEqual({ done, ended });
});

test.each([
  { what: 'is not sent when a refresh finds the grant dead', known: EXPIRED, done: ['refreshes enc:old'] },
  { what: 'ends with the death that a renewal finds', known: LIVE, done: ['sends old', 'renews enc:old'] },
])('a call as a user $what', async ({ known, done }) => {
  expect(await send(known, DIED, ['old'])).toEqual({ done, ended: DIED });
});
