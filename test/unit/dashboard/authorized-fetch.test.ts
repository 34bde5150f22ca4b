import { describe, expect, it } from 'vitest';
import { authorizedFetch, OPERATOR_PLACEHOLDER } from '../../../dashboard/src/gateway/authorized-fetch.ts';

const OPERATOR = { headers: { authorization: `Bearer ${OPERATOR_PLACEHOLDER}`, 'user-agent': 'client' } };

/** A sign-in whose token changes with each renewal, and a gateway that answers from a list. */
function setting(statuses: readonly number[]) {
  const sent: { authorization: string | null; init: RequestInit }[] = [];
  let renewals = 0;
  let ended = false;
  const rest = [...statuses];
  const call = authorizedFetch(
    {
      accessToken: async () => `token-${renewals}`,
      renew: async () => {
        renewals += 1;
      },
      end: () => {
        ended = true;
      },
    },
    async (_url, init = {}) => {
      sent.push({ authorization: new Headers(init.headers).get('authorization'), init });
      return new Response(null, { status: rest.shift() ?? 500 });
    },
  );
  return { call, sent, hasEnded: () => ended };
}

describe('calls of the dashboard', () => {
  it('carry the access token, no cookies and no made-up user agent', async () => {
    const { call, sent } = setting([200]);
    await call('https://gateway.example.com/integrations', OPERATOR);
    expect(sent[0]?.authorization).toBe('Bearer token-0');
    expect(sent[0]?.init.credentials).toBe('omit');
    expect(new Headers(sent[0]?.init.headers).has('user-agent')).toBe(false);
  });

  it('are sent once more with a new token after a 401', async () => {
    const { call, sent, hasEnded } = setting([401, 200]);
    const answer = await call('https://gateway.example.com/integrations', OPERATOR);
    expect(answer.status).toBe(200);
    expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer token-0', 'Bearer token-1']);
    expect(hasEnded()).toBe(false);
  });

  it('end the sign-in after the second 401', async () => {
    const { call, sent, hasEnded } = setting([401, 401]);
    expect((await call('https://gateway.example.com/integrations', OPERATOR)).status).toBe(401);
    expect(sent).toHaveLength(2);
    expect(hasEnded()).toBe(true);
  });

  it('are not repeated for a sign-in that is too long ago', async () => {
    const { call, sent, hasEnded } = setting([403]);
    await call('https://gateway.example.com/account/keys', OPERATOR);
    expect(sent).toHaveLength(1);
    expect(hasEnded()).toBe(false);
  });

  it('keep a token of their own', async () => {
    const { call, sent } = setting([401]);
    await call('https://gateway.example.com/connect/session', { headers: { authorization: 'Bearer session' } });
    expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer session']);
  });
});
