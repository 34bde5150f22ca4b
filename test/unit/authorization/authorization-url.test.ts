import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AuthorizationRequest,
  authorizationUrl,
  scopesToRequest,
} from '../../../lambdas/gateway/authorization/authorization-url.rules.ts';
import { endpointsAt, google } from '../support/google.ts';

const ENDPOINTS = endpointsAt({});
const REQUEST: AuthorizationRequest = {
  clientId: '123-abc.apps.googleusercontent.com',
  redirectUri: 'https://gateway.example.com/v1/oauth/callback',
  scopes: ['openid', 'https://www.googleapis.com/auth/drive.file'],
  state: 'state',
  codeChallenge: 'challenge',
  nonce: 'nonce',
  includeGrantedScopes: false,
  loginHint: undefined,
  hostedDomain: undefined,
  selectAccount: false,
  language: 'en',
};
const parametersOf = (overrides: Partial<AuthorizationRequest> = {}) =>
  Object.fromEntries(new URL(authorizationUrl(ENDPOINTS, { ...REQUEST, ...overrides })).searchParams);

describe('authorizationUrl', () => {
  it('asks for a code with S256, offline access and a shown consent (OA-1, OA-2, OA-19, OA-21)', () => {
    expect(parametersOf()).toEqual({
      client_id: REQUEST.clientId,
      redirect_uri: REQUEST.redirectUri,
      response_type: 'code',
      scope: 'openid https://www.googleapis.com/auth/drive.file',
      state: 'state',
      access_type: 'offline',
      prompt: 'consent',
      code_challenge: 'challenge',
      code_challenge_method: 'S256',
      hl: 'en',
      nonce: 'nonce',
    });
  });

  it('adds what the flow wants more', () => {
    const person = { loginHint: 'first.user@example.com', hostedDomain: 'example.com' };
    const read = parametersOf({ includeGrantedScopes: true, selectAccount: true, ...person });
    expect(read).toMatchObject({ include_granted_scopes: 'true', prompt: 'consent select_account' });
    expect(read).toMatchObject({ login_hint: person.loginHint, hd: person.hostedDomain });
  });

  it('asks for a picker as it was asked for, never with earlier grants (PK-3, PK-5)', () => {
    const picker = { include_granted_scopes: 'false', trigger_onepick: 'true' };
    const nothing = { multiple: false, folders: false, mimeTypes: [], fileIds: [] };
    const shown = (pick: AuthorizationRequest['pick']) => parametersOf({ pick, includeGrantedScopes: true });
    expect(shown(nothing)).toEqual({ ...parametersOf(), ...picker });
    const all = { multiple: true, folders: true, mimeTypes: ['text/plain', 'image/png'], fileIds: ['f1', 'f2'] };
    expect(shown(all)).toEqual({
      ...{ ...parametersOf(), ...picker, allow_multiple: 'true', allow_folder_selection: 'true' },
      ...{ mimetypes: 'text/plain,image/png', file_ids: 'f1,f2' },
    });
  });

  it('keeps every value inside its parameter, and the endpoint where it is', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, (state, loginHint, hostedDomain) => {
        const url = authorizationUrl(ENDPOINTS, { ...REQUEST, state, loginHint, hostedDomain });
        expect(url.startsWith(`${ENDPOINTS.authorizationEndpoint}?`)).toBe(true);
        const read = parametersOf({ state, loginHint, hostedDomain });
        expect(read).toMatchObject({ state, login_hint: loginHint, hd: hostedDomain });
        expect(read).toMatchObject({ code_challenge_method: 'S256', hl: 'en', response_type: 'code' });
      }),
    );
  });
});

describe('scopesToRequest', () => {
  it('asks who the account is in addition to the integration\u2019s scopes, each once', () => {
    const scopes = ['a', 'https://www.googleapis.com/auth/userinfo.email', 'a'];
    expect(scopesToRequest(scopes, google)).toEqual(['openid', 'email', 'a']);
    expect(scopesToRequest([], google)).toEqual(['openid', 'email']);
  });
});
