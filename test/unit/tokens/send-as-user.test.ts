import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { UpstreamRequest } from '../../../lambdas/gateway/core/http-message.ts';
import { sendAsUser, type TokenSource } from '../../../lambdas/gateway/tokens/access-tokens.ts';
import { exchangeWhole, type RequestCount } from '../../../lambdas/gateway/tokens/whole-answer.ts';

const REQUEST = {
  ...{ origin: 'https://api.example', method: 'GET', path: '/x', body: undefined, timeoutMs: 1000, maxBytes: 4 },
  headers: [['accept', '*/*']],
} as const;

/** A provider that refuses these tokens, and every request that it got. */
function provider(refused: readonly string[], body: readonly (string | Error)[] = []) {
  const requests: UpstreamRequest[] = [];
  let abandoned = 0;
  async function* chunks() {
    for (const chunk of body) {
      if (chunk instanceof Error) throw chunk;
      yield Buffer.from(chunk);
    }
  }
  return {
    requests,
    abandoned: () => abandoned,
    upstream: {
      async send(request: UpstreamRequest) {
        requests.push(request);
        const [, identity = ''] = request.headers.find(([name]) => name === 'authorization') ?? [];
        const status = refused.some((token) => identity.endsWith(` ${token}`)) ? 401 : 200;
        const abandon = () => void abandoned++;
        return { status, headers: [], body: Readable.from(chunks()), abandon };
      },
      close() {},
    },
  };
}

const tokens = (second: string | undefined): TokenSource<{ readonly accessToken: string }> => ({
  first: async () => ({ accessToken: 'first' }),
  renewed: async () => (second === undefined ? undefined : { accessToken: second }),
});

function read({ upstream }: Pick<ReturnType<typeof provider>, 'upstream'>, second?: string, counts?: RequestCount) {
  return sendAsUser(upstream, tokens(second), {
    exchange: (send) => exchangeWhole(send, REQUEST, counts),
    isRefused: (answer) => answer.kind === 'answered' && answer.status === 401,
  });
}

describe('a call as a user', () => {
  test('TB-6, PX-6, PX-9: the identity comes after the headers of the caller', async () => {
    const { upstream, requests } = provider([]);
    await read({ upstream });
    expect(requests.map(({ headers }) => headers)).toEqual([
      [
        ['accept', '*/*'],
        ['authorization', 'Bearer first'],
      ],
    ]);
  });

  test('TB-6, TK-6: a call as a user is sent once more with a renewed token, and the second refusal is final', async () => {
    const { upstream, requests } = provider(['first', 'second']);
    expect(await read({ upstream }, 'second')).toMatchObject({
      answer: { status: 401 },
      token: { accessToken: 'second' },
    });
    expect(requests.length).toBe(2);
  });

  test('TB-6: ends with the refusal where no other token exists', async () => {
    const { upstream, requests } = provider(['first']);
    expect(await read({ upstream })).toMatchObject({ answer: { status: 401 }, token: { accessToken: 'first' } });
    expect(requests.length).toBe(1);
  });
});

describe('an answer in memory', () => {
  const clock = { nowMs: () => 7 };

  test.each([
    { what: 'is whole up to the maximum', body: ['ab', 'cd'], text: 'abcd', isCut: false, abandoned: 0 },
    { what: 'is cut above the maximum', body: ['abc', 'de', 'f'], text: 'abcd', isCut: true, abandoned: 1 },
  ])('$what, and counts what was read', async ({ body, text, isCut, abandoned }) => {
    const made: unknown[] = [];
    const google = provider([], body);
    const { answer } = await read(google, undefined, { clock, made: (one) => void made.push(one) });
    expect(answer).toEqual({ kind: 'answered', status: 200, headers: [], bytes: Buffer.from(text), isCut });
    expect(google.abandoned()).toBe(abandoned);
    expect(made).toEqual([
      { method: 'GET', target: '/x', status: 200, bytesIn: 0, bytesOut: text.length, startedAtMs: 7 },
    ]);
  });

  test('an answer in memory that breaks off is no answer, and is counted without a status', async () => {
    const made: unknown[] = [];
    const error = new Error('broken off');
    const { answer } = await read(provider([], ['a', error]), undefined, { clock, made: (one) => void made.push(one) });
    expect(answer).toEqual({ kind: 'failed', error });
    expect(made).toMatchObject([{ status: undefined, bytesOut: 0 }]);
  });
});
