import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDirectQuery } from '../../../lambdas/connect/direct-query.ts';
import { readStartBody } from '../../../lambdas/connect/start-route.ts';
import { decideAccess } from '../../../lambdas/gateway/authorization/requested-access.rules.ts';
import { allowedOpener, isAllowedReturnUrl } from '../../../lambdas/gateway/authorization/return-url.rules.ts';
import { BINDING_COOKIE, bindingCookies, setBindingCookie } from '../../../lambdas/gateway/http/front-door.ts';
import { requireOwnPage } from '../../../lambdas/gateway/http/same-origin.ts';
import { missingAccess } from '../../../lambdas/gateway/providers/scopes.rules.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { google } from '../support/google.ts';
import { CLIENT_ID, DRIVE_FILE, DRIVE_READ } from './support.ts';

describe('return URLs', () => {
  const listed = [
    'https://app.example/done',
    'javascript:alert(1)',
    'https://user@app.example/',
    'https://app.example/a\\b',
    'http://127.0.0.1:8080/done',
    'https://:secret@app.example/',
  ];
  test.each([
    ['https://app.example/done', true],
    ['https://app.example/done/', false],
    ['https://app.example/done?x=1', false],
    ['https://APP.example/done', false],
    ['http://app.example/done', false],
    ['https://app.example:8443/done', false],
    ['https://app.example/done\t', false],
    ['//evil.example', false],
    ['/\\evil.example', false],
    ['/done', false],
    ['javascript:alert(1)', false],
    ['JavaScript:alert(1)', false],
    ['https://user@app.example/', false],
    ['https://:secret@app.example/', false],
    ['http://127.0.0.1:8080/done', true],
    ['https://app.example/a\\b', false],
    ['', false],
  ])('OA-12: %j is allowed: %s', (url, expected) => {
    expect(isAllowedReturnUrl(url, listed)).toBe(expected);
  });
});

describe('openers', () => {
  test.each([
    ['https://app.example', 'https://app.example'],
    ['https://gateway.example', 'https://gateway.example'],
    ['https://app.example.evil.example', undefined],
    ['https://app.example/', undefined],
    ['null', undefined],
    ['*', undefined],
    [undefined, undefined],
  ])('CS-9: results for %j go to %j', (origin, expected) => {
    expect(allowedOpener(origin, 'https://gateway.example', ['https://app.example'])).toBe(expected);
  });
});

describe('what is asked on a reconnect', () => {
  const existing = { grantedScopes: ['openid', 'email', DRIVE_READ], clientId: CLIENT_ID };
  const facts = {
    wantedScopes: [DRIVE_READ, DRIVE_FILE],
    existing,
    clientId: CLIENT_ID,
    includeParameter: undefined,
    integrationIncludes: true,
    server: google,
  };

  test('an upgrade asks for the new scopes alone and expects the old ones to stay', () => {
    expect(decideAccess(facts)).toEqual({
      askedScopes: ['openid', 'email', DRIVE_FILE],
      expectedScopes: ['openid', 'email', DRIVE_READ, DRIVE_FILE],
      includeGrantedScopes: true,
    });
  });

  test.each([
    ['the integration does not include', { integrationIncludes: false }],
    ['the session says no', { includeParameter: false }],
    ['the client belongs to another Cloud project', { clientId: '999-other.apps.googleusercontent.com' }],
    ['the grant is dead or new', { existing: undefined }],
  ])('everything is asked where %s', (_, change) => {
    expect(decideAccess({ ...facts, ...change })).toMatchObject({
      askedScopes: ['openid', 'email', DRIVE_READ, DRIVE_FILE],
      includeGrantedScopes: false,
    });
  });

  test('a reconnect without new scopes does not widen the grant to the whole project', () => {
    expect(decideAccess({ ...facts, wantedScopes: [DRIVE_READ] }).includeGrantedScopes).toBe(false);
  });

  test('sign-in scopes are not missed', () => {
    expect(missingAccess(['openid', 'email', DRIVE_READ], [DRIVE_READ])).toEqual([]);
  });
});

describe('the binding cookie', () => {
  const value = 'a'.repeat(43);
  test('CS-3: it is a host cookie that scripts cannot read and other sites cannot send', () => {
    expect(setBindingCookie(value)).toBe(
      `__Host-gateway-binding=${value}; Path=/; Max-Age=3600; Secure; HttpOnly; SameSite=Lax`,
    );
  });

  test.each([
    [`${BINDING_COOKIE}=${value}`, [value]],
    [`other=1; ${BINDING_COOKIE}=${value}; x=y`, [value]],
    [`gateway-binding=${value}`, []],
    [`__host-gateway-binding=${value}`, []],
    [`__Secure-gateway-binding=${value}`, []],
    [`x__Host-gateway-binding=${value}`, []],
    [`${BINDING_COOKIE}=${value}x`, []],
    [`${BINDING_COOKIE}="${value}"`, []],
  ])('CS-8: %s holds %j', (header, expected) => {
    expect(bindingCookies([['Cookie', header]])).toEqual(expected);
  });
});

describe('who may start by a POST', () => {
  const own = 'https://gateway.example';
  test.each([
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: own }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
    [{ origin: own }, true],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'same-site', origin: own }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, false],
    [{ origin: 'null' }, false],
    [{ origin: 'https://gateway.example.evil.example' }, false],
  ])('CS-4: %j: %s', (headers, allowed) => {
    const request = gatewayRequest({ method: 'POST', headers: Object.entries(headers) });
    const attempt = () => requireOwnPage(request, `${own}/prod`);
    if (allowed) expect(attempt).not.toThrow();
    else expect(attempt).toThrow('connect page');
  });
});

describe('bodies and addresses of a start', () => {
  test('a body names its members or every problem at once', () => {
    const read = (text: string) => readStartBody(Buffer.from(text));
    expect(read('{"provider_config_key":"drive","opener_origin":"https://a.example"}')).toEqual({
      provider_config_key: 'drive',
      opener_origin: 'https://a.example',
    });
    expect(() => read('{"connection_id":"x","provider_config_key":1}')).toThrow('and 1 more');
    for (const text of ['', 'nonsense', '[]', 'null', '1']) expect(() => read(`${text} `)).toThrow('JSON');
  });

  test.each(['connection_id', 'public_key', 'hmac', 'credentials[oauth_client_secret]'])(
    'CS-7: an address with %s is refused',
    (name) => {
      expect(() => readDirectQuery(Object.entries({ connect_session_token: 'cs_x', [name]: 'x' }))).toThrow(name);
    },
  );

  test('parameters of the peer are read, others ignored, repeats refused', () => {
    const known = 'connect_session_token=cs_x&params[oauth_scopes_override]=drive.file,drive.readonly';
    const address = `${known}&authorization_params[hd]=a.example&authorization_params[response_type]=token`;
    const query = [...new URLSearchParams(`${address}&ws_client_id=1&user_scope=x&params[subdomain]=x`)];
    expect(readDirectQuery(query)).toEqual({
      sessionToken: 'cs_x',
      wishes: { scopes: ['drive.file', 'drive.readonly'], authorizationParams: { hd: 'a.example' } },
    });
    expect(() => readDirectQuery([...query, ['connect_session_token', 'cs_y']])).toThrow('more than once');
  });

  test('any address is read or refused with a list of problems', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (query) => {
        try {
          readDirectQuery(query);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_query_params' });
        }
      }),
    );
  });
});
