import { InMemoryWebStorage, User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { describe, expect, it, vi } from 'vitest';
import { Session } from '../../../packages/dashboard/src/session/session.ts';

const ISSUER = 'https://issuer.example.com';

function user(accessToken: string, expiresInSec: number, refreshToken: string | undefined): User {
  return new User({
    access_token: accessToken,
    token_type: 'Bearer',
    profile: { sub: 'operator-1', iss: ISSUER, aud: 'x', exp: 0, iat: 0, email: 'operator@example.com' },
    expires_at: Math.floor(Date.now() / 1000) + expiresInSec,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  });
}

/** A sign-in whose renewals come from a function. */
function sessionOf(first: User, renewal: () => Promise<User | null>) {
  const store = new WebStorageStateStore({ store: new InMemoryWebStorage() });
  const users = new UserManager({
    authority: ISSUER,
    client_id: 'x',
    redirect_uri: 'https://dashboard.example.com/signed-in',
    userStore: store,
    stateStore: store,
    automaticSilentRenew: false,
  });
  const signinSilent = vi.fn(renewal);
  Object.assign(users, { signinSilent });
  const session = new Session(users, first);
  const ended = vi.fn(() => {});
  session.onEnd(ended);
  return { session, renewals: () => signinSilent.mock.calls.length, ended: () => ended.mock.calls.length };
}

describe("an operator's token", () => {
  it("an operator's token is used as long as it lasts", async () => {
    const { session, renewals } = sessionOf(user('one', 600, 'refresh'), async () => user('two', 900, 'refresh'));
    expect(await session.accessToken()).toBe('one');
    expect(renewals()).toBe(0);
    expect(session.operator).toBe('operator@example.com');
  });

  it("an operator's token is renewed once for all calls that find it near its end", async () => {
    const { session, renewals } = sessionOf(user('one', 30, 'refresh'), async () => user('two', 900, 'refresh'));
    expect(await Promise.all([session.accessToken(), session.accessToken()])).toEqual(['two', 'two']);
    expect(renewals()).toBe(1);
    expect(await session.accessToken()).toBe('two');
    expect(renewals()).toBe(1);
  });

  it('stays while it lasts when a renewal fails', async () => {
    const { session, ended } = sessionOf(user('one', 30, 'refresh'), () => Promise.reject(new Error('down')));
    expect(await session.accessToken()).toBe('one');
    expect(ended()).toBe(0);
  });

  it.each(['refresh', undefined])(
    "an operator's token that is over and cannot be renewed ends the sign-in (refresh token: %s)",
    async (refreshToken) => {
      const revoked = () => Promise.reject(new Error('revoked'));
      const { session, ended } = sessionOf(user('one', -10, refreshToken), revoked);
      await session.accessToken();
      expect(ended()).toBe(1);
    },
  );

  it('calls no listener that was removed', () => {
    const { session } = sessionOf(user('one', 600, undefined), async () => null);
    const told = vi.fn(() => {});
    session.onEnd(told)();
    session.end();
    expect(told).not.toHaveBeenCalled();
  });
});
