import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../packages/dashboard/src/config.ts';

const CONFIG = {
  api_base_url: 'https://gateway.example.com/v1/',
  issuer: 'https://issuer.example.com',
  client_id: 'abc',
};

describe('the configuration of a deployment', () => {
  it('the configuration of a deployment is read with addresses without a trailing slash', () => {
    expect(readConfig(CONFIG)).toEqual({
      apiBaseUrl: 'https://gateway.example.com/v1',
      proxyUrl: 'https://gateway.example.com/v1',
      issuer: 'https://issuer.example.com',
      clientId: 'abc',
      without: new Set(),
    });
  });

  it('FD-1: the configuration of a deployment may have an address of proxied calls, which then has to be one', () => {
    const of = (proxy_url: unknown) => readConfig({ ...CONFIG, proxy_url }).proxyUrl;
    expect(of('https://proxy.example.com/')).toBe('https://proxy.example.com');
    expect(() => of('proxy')).toThrow('proxy_url');
    expect(() => of('')).toThrow('proxy_url');
  });

  it('the configuration of a deployment may have the addresses of the issuer, of which two are needed for a sign-in', () => {
    const of = (issuer_endpoints: unknown) => readConfig({ ...CONFIG, issuer_endpoints }).issuerEndpoints;
    const needed = {
      authorization_endpoint: 'https://sign-in.example.com/oauth2/authorize',
      token_endpoint: 'https://sign-in.example.com/oauth2/token',
    };
    expect(of(needed)).toEqual(needed);
    const all = { ...needed, end_session_endpoint: 'https://sign-in.example.com/logout' };
    expect(of({ ...all, jwks_uri: 'https://sign-in.example.com/keys' })).toEqual(all);
    expect(() => of({ ...needed, token_endpoint: undefined })).toThrow('token_endpoint');
    expect(() => of({ ...needed, authorization_endpoint: 'javascript:alert(1)' })).toThrow('authorization_endpoint');
    expect(() => of('https://sign-in.example.com')).toThrow('authorization_endpoint');
  });

  it('the configuration of a deployment may name features that it leaves out', () => {
    const of = (without: unknown) => readConfig({ ...CONFIG, without }).without;
    expect(of(['undo', 'of a later version'])).toEqual(new Set(['undo', 'of a later version']));
    expect(() => of('undo')).toThrow('without');
    expect(() => of([7])).toThrow('without');
  });

  it.each(['api_base_url', 'issuer', 'client_id'])('names %s when it is missing', (name) => {
    expect(() => readConfig({ ...CONFIG, [name]: undefined })).toThrow(name);
  });

  it.each(['javascript:alert(1)', 'gateway', 'file:///etc'])('refuses %s as an address', (address) => {
    expect(() => readConfig({ ...CONFIG, api_base_url: address })).toThrow('api_base_url');
  });

  it.each([null, [], 'text', 7])('refuses %j', (value) => {
    expect(() => readConfig(value)).toThrow('api_base_url');
  });
});
