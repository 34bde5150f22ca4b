import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCallbackQuery } from '../../../lambdas/gateway/authorization/callback.rules.ts';

const GOOD = [
  ['state', 's'],
  ['code', 'c'],
] as const;

const MALFORMED: readonly { readonly query: readonly (readonly [string, string])[] }[] = [
  { query: [] },
  { query: [['code', 'c']] },
  {
    query: [
      ['state', ''],
      ['code', 'c'],
    ],
  },
  { query: [['state', 's']] },
  {
    query: [
      ['state', 's'],
      ['code', ''],
    ],
  },
  {
    query: [
      ['state', 's'.repeat(513)],
      ['code', 'c'],
    ],
  },
  {
    query: [
      ['State', 's'],
      ['code', 'c'],
    ],
  },
];

describe('readCallbackQuery', () => {
  it('reads a success, unknown parameters left aside', () => {
    expect(
      readCallbackQuery([...GOOD, ['iss', 'https://accounts.google.com'], ['authuser', '0'], ['authuser', '1']]),
    ).toEqual({
      kind: 'answer',
      state: 's',
      code: 'c',
      issuer: 'https://accounts.google.com',
      error: undefined,
      errorDescription: undefined,
    });
  });

  it('reads a refusal', () => {
    expect(
      readCallbackQuery([
        ['error', 'access_denied'],
        ['error_description', 'no'],
        ['state', 's'],
      ]),
    ).toMatchObject({
      kind: 'answer',
      code: undefined,
      error: 'access_denied',
      errorDescription: 'no',
    });
  });

  it.each(['code', 'state', 'iss', 'error'])('refuses a repeated %s, equal or empty (OA-9)', (name) => {
    for (const value of ['', 'c']) {
      expect(readCallbackQuery([...GOOD, [name, value], [name, value]]).kind).toBe('malformed');
    }
  });

  it.each(MALFORMED)('refuses $query', ({ query }) => {
    expect(readCallbackQuery(query).kind).toBe('malformed');
  });

  it('judges any query without failing', () => {
    const name = fc.oneof(fc.constantFrom('code', 'state', 'iss', 'error', '__proto__', 'constructor'), fc.string());
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (query) => {
        const read = readCallbackQuery(query);
        if (read.kind === 'answer') expect([read.code, read.error].some((value) => value !== undefined)).toBe(true);
        else expect(read.message).not.toBe('');
      }),
    );
  });
});
