import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCallbackQuery } from '../../../lambdas/gateway/authorization/callback.rules.ts';

const read = (query: string) => readCallbackQuery([...new URLSearchParams(query)]);

describe('readCallbackQuery', () => {
  it('reads a success, unknown parameters left aside', () => {
    expect(read('state=s&code=c&iss=https://accounts.google.com&authuser=0&authuser=1')).toEqual({
      kind: 'answer',
      state: 's',
      code: 'c',
      issuer: 'https://accounts.google.com',
      error: undefined,
      errorDescription: undefined,
    });
  });

  it('reads a refusal', () => {
    const refusal = { kind: 'answer', code: undefined, error: 'access_denied', errorDescription: 'no' };
    expect(read('error=access_denied&error_description=no&state=s')).toMatchObject(refusal);
  });

  it.each(['code', 'state', 'iss', 'error'])('refuses a repeated %s, equal or empty (OA-9)', (name) => {
    for (const value of ['', 'c']) {
      expect(read(`state=s&code=c&${name}=${value}&${name}=${value}`).kind).toBe('malformed');
    }
  });

  it.each([
    '',
    'code=c',
    'state=&code=c',
    'state=s',
    'state=s&code=',
    `state=${'s'.repeat(513)}&code=c`,
    'State=s&code=c',
  ])('refuses %j', (query) => {
    expect(read(query).kind).toBe('malformed');
  });

  it('OA-9, OA-10: judges any query without failing', () => {
    const name = fc.oneof(fc.constantFrom('code', 'state', 'iss', 'error', '__proto__', 'constructor'), fc.string());
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (query) => {
        const answer = readCallbackQuery(query);
        if (answer.kind === 'malformed') expect(answer.message).not.toBe('');
        else {
          expect([answer.code, answer.error].some((value) => value !== undefined)).toBe(true);
          expect(query).toContainEqual(['state', answer.state]);
        }
      }),
    );
  });
});
