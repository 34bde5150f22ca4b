import { describe, expect, it, vi } from 'vitest';
import { authorizedFetch, OPERATOR_PLACEHOLDER } from '../../../packages/dashboard/src/gateway/authorized-fetch.ts';

const OPERATOR = { headers: { authorization: `Bearer ${OPERATOR_PLACEHOLDER}`, 'user-agent': 'client' } };

/** A sign-in whose token changes with each renewal, and a gateway that answers from a list. */
function setting(statuses: readonly number[]) {
  const sent: { authorization: string | null; init: RequestInit }[] = [];
  const renew = vi.fn(async () => {});
  const end = vi.fn(() => {});
  const accessToken = async () => `token-${renew.mock.calls.length}`;
  const rest = [...statuses];
  const call = authorizedFetch({ accessToken, renew, end }, async (_url, init = {}) => {
    sent.push({ authorization: new Headers(init.headers).get('authorization'), init });
    return new Response(null, { status: rest.shift() ?? 500 });
  });
  return { call, sent, hasEnded: () => end.mock.calls.length > 0 };
}

describe('calls of the dashboard', () => {
  it('calls of the dashboard carry the access token, no cookies and no made-up user agent', async () => {
    const { call, sent } = setting([200]);
    await call('https://gateway.example.com/integrations', OPERATOR);
    expect(sent[0]?.authorization).toBe('Bearer token-0');
    expect(sent[0]?.init.credentials).toBe('omit');
    expect(new Headers(sent[0]?.init.headers).has('user-agent')).toBe(false);
  });

  it.each([
    ['are sent once more with a new token after a 401', [401, 200], 200, ['Bearer token-0', 'Bearer token-1'], false],
    ['end the sign-in after the second 401', [401, 401], 401, ['Bearer token-0', 'Bearer token-1'], true],
    ['are not repeated for a sign-in that is too long ago', [403], 403, ['Bearer token-0'], false],
  ])('%s', async (_claim, statuses, status, tokens, ended) => {
    const { call, sent, hasEnded } = setting(statuses);
    expect((await call('https://gateway.example.com/integrations', OPERATOR)).status).toBe(status);
    expect(sent.map(({ authorization }) => authorization)).toEqual(tokens);
    expect(hasEnded()).toBe(ended);
  });

  it('calls of the dashboard keep a token of their own', async () => {
    const { call, sent } = setting([401]);
    await call('https://gateway.example.com/connect/session', { headers: { authorization: 'Bearer session' } });
    expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer session']);
  });
});
