import type { AuthorizationServer } from '../authorization-server.rules.ts';

/** The authorization server of Acme, a made-up company: refresh tokens rotate, no ID token, and clients prove themselves by Basic. */
export const acme: AuthorizationServer = {
  id: 'acme',
  displayName: 'Acme',
  addresses: {
    issuer: 'https://accounts.acme.example',
    authorizationEndpoint: 'https://accounts.acme.example/auth',
    tokenEndpoint: 'https://accounts.acme.example/token',
    revocationEndpoint: 'https://accounts.acme.example/token/revocation',
    userinfoEndpoint: 'https://api.acme.example/v1/me',
    apiBaseUrl: 'https://api.acme.example',
  },
  issuerSpellings: ['https://accounts.acme.example'],
  clientAuthentication: 'basic',
  authorization: {
    // Without it no refresh token comes.
    parameters: { prompt: 'consent' },
    identityScopes: ['profile.read'],
    understands: ['login_hint'],
    errors: { callback: { seat_limit: 'admin_blocked' }, exchange: { account_locked: 'account_restricted' } },
  },
  account: { from: 'userinfo', subject: 'id', email: 'email' },
  tokens: {
    errors: { account_locked: 'dead_grant', client_suspended: 'client_fault' },
    lifetimeSec: 600,
  },
  grants: {
    revocationNeedsClient: true,
    namedCauses: { account_locked: 'account_unavailable' },
    causes: {},
  },
};
