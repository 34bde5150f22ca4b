import { describe, expect, it } from 'vitest';
import { type GatewayRequest, headerValues } from '../../../lambdas/gateway/core/http-message.ts';
import { type DelegatedCall, delegatedCall } from '../../../lambdas/gateway/proxying/delegated.rules.ts';
import { planUpstreamRequest } from '../../../lambdas/gateway/proxying/upstream-request.rules.ts';
import { refusalOf } from '../support/connection.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { googleDrive } from '../support/google.ts';
import { API_ORIGINS, BASE_URL, batchBody, part, seenByProvider } from './batch-support.ts';

const FILES = '/proxy/drive/v3/files';
const FORM = ['content-type', 'application/x-www-form-urlencoded'] as const;
const USER: DelegatedCall = { quotaUser: 'user-1', allowsDomainAdmin: false };
const ADMINISTRATOR: DelegatedCall = { ...USER, allowsDomainAdmin: true };
const WHY =
  'is not taken on connections of a service account: an administrator as its user would open every shared drive of the domain; remove it';

const plan = (request: Partial<GatewayRequest>, call: DelegatedCall | undefined = USER) =>
  planUpstreamRequest(gatewayRequest({ rawPath: FILES, ...request }), googleDrive, BASE_URL, API_ORIGINS, call);
const byForm = (query: string, call?: DelegatedCall) =>
  plan({ method: 'GET', headers: [FORM], body: Buffer.from(query, 'latin1') }, call);
const batchOf = (inner: string, call: DelegatedCall | undefined = USER) => {
  const { body = new Uint8Array(), headers } = planUpstreamRequest(
    gatewayRequest({
      method: 'POST',
      rawPath: '/proxy/batch/drive/v3',
      headers: [['Content-Type', 'multipart/mixed; boundary=b']],
      body: batchBody([part(inner)]),
    }),
    googleDrive,
    BASE_URL,
    API_ORIGINS,
    call,
  );
  const [seen] = seenByProvider({ body, contentType: headerValues(headers, 'content-type')[0] ?? '' });
  return seen ?? expect.fail('no part');
};

/** Spellings of the keys by which a caller says whose share of a quota a call takes. */
const SHARES = ['quotaUser', 'QUOTAUSER', '$quotaUser', 'userIp', 'userip', '$userIp'];
/** Keys that only look like them. */
const OTHERS = ['quotaUsers', 'myquotaUser', 'userIps', 'x$userIp', '$$quotaUser', 'quota'];
const ADMIN = ['useDomainAdminAccess', '$useDomainAdminAccess', 'USEDOMAINADMINACCESS'];
const NO_ADMIN = ['useDomainAdminAccessX', 'xuseDomainAdminAccess', '$$useDomainAdminAccess'];

describe('whose call it is', () => {
  it('SA-22: a call is the user’s on a connection without a person, and nobody’s special one where a person stands behind it', () => {
    expect(delegatedCall({ connectionId: 'user-1' }, {})).toBeUndefined();
    expect(delegatedCall({ connectionId: 'user-1', delegated: true }, {})).toEqual(USER);
  });

  it('SA-21: a call has an administrator’s rights only where its integration allows them', () => {
    const of = (allowsDomainAdmin: boolean) =>
      delegatedCall({ connectionId: 'user-1', delegated: true }, { delegation: { allowsDomainAdmin } });
    expect([of(false), of(true)]).toEqual([USER, ADMINISTRATOR]);
  });
});

describe('a call that a service account makes for a user', () => {
  it('SA-22: takes the user’s share of the quota, whatever the caller names', () => {
    const named = [
      ['X-Goog-Quota-User', 'another'],
      ['accept', 'a'],
    ] as const;
    const { headers } = plan({ headers: named });
    expect(headerValues(headers, 'x-goog-quota-user')).toEqual(['user-1']);
    expect(headerValues(headers, 'accept')).toEqual(['a']);
  });

  it.each(SHARES)('SA-22: leaves without a share that the query names: %s', (key) => {
    const query = [
      ['q', 'a'],
      [key, 'x'],
    ] as const;
    expect(plan({ query }).target).toBe('/drive/v3/files?q=a');
    expect(plan({ query: [[key, 'x']] }).target).toBe('/drive/v3/files');
  });

  it.each([...OTHERS, ...NO_ADMIN])('keeps the key %s, which only looks like one', (key) => {
    expect(plan({ query: [[key, 'x']] }).target).toBe(`/drive/v3/files?${encodeURIComponent(key)}=x`);
    const { body, form } = byForm(`q=a&${key}=x`);
    expect([form, Buffer.from(body ?? []).toString()]).toEqual([`q=a&${key}=x`, `q=a&${key}=x`]);
  });

  it.each(ADMIN)(
    'SA-21: a call that a service account makes for a user is refused where it asks for an administrator’s rights: %s',
    (key) => {
      const problems = [{ path: `query.${key}`, message: WHY }];
      const query = [
        ['q', 'a'],
        [key, 'true'],
      ] as const;
      for (const ask of [() => plan({ query }), () => byForm(`q=a&${key}=true`)]) {
        expect(refusalOf(ask)).toMatchObject({ code: 'invalid_query_params', problems });
      }
      const target = `/drive/v3/files?q=a&${key}=true`;
      expect(refusalOf(() => batchOf(`GET ${target} HTTP/1.1\r\n\r\n`)).problems).toEqual([
        { path: 'parts[0]', message: `query.${key} ${WHY}` },
      ]);
      // With the integration's leave it is sent.
      expect(plan({ query }, ADMINISTRATOR).target).toBe(`/drive/v3/files?q=a&${encodeURIComponent(key)}=true`);
      expect(byForm(`q=a&${key}=true`, ADMINISTRATOR).form).toBe(`q=a&${key}=true`);
      expect(batchOf(`GET ${target} HTTP/1.1\r\n\r\n`, ADMINISTRATOR).requestLine).toBe(`GET ${target} HTTP/1.1`);
    },
  );
});

describe('a read that is sent as a form for a user', () => {
  it.each([
    ['quotaUser=x', ''],
    ['quotaUser=x&q=a', 'q=a'],
    ['q=a;userIp=1;fields=b', 'q=a&fields=b'],
    ['q=a&%71uotaUser=x', 'q=a'],
    ['q=a&quotaUse%72=x', 'q=a'],
    ['q=a&%24quot%61User', 'q=a'],
    ['q=quotaUser&fields=userIp', 'q=quotaUser&fields=userIp'],
    ['q=a=quotaUser', 'q=a=quotaUser'],
    ['%quotaUser=x', '%quotaUser=x'],
    ['%F1quotaUser=x', '%F1quotaUser=x'],
    ['%7gquotaUser=x', '%7gquotaUser=x'],
    ['q=caf\u00e9&quotaUser=x', 'q=caf\u00e9'],
  ])('SA-22: leaves %s as %s', (sent, kept) => {
    const { body, form } = byForm(sent);
    expect([form, Buffer.from(body ?? []).toString('latin1')]).toEqual([kept, kept]);
    const seen = batchOf(`GET /drive/v3/files HTTP/1.1\r\n${FORM.join(': ')}\r\n\r\n${sent}`);
    expect([seen.body, seen.requestLine]).toEqual([kept, 'POST /drive/v3/files HTTP/1.1']);
  });

  it('SA-21: a read that is sent as a form for a user is refused for encoded spellings as well, with every problem at once', () => {
    const { problems } = refusalOf(() => byForm('useDomainAdminAcces%73=true&%24useDomainAdminAccess'));
    expect(problems?.map(({ path }) => path)).toEqual(['query.useDomainAdminAccess', 'query.$useDomainAdminAccess']);
  });

  it('a read that is sent as a form for a user is left as it was where a person stands behind the connection', () => {
    const request = { method: 'GET', headers: [FORM], body: Buffer.from('q=a;quotaUser=x&useDomainAdminAccess=true') };
    const asked = planUpstreamRequest(
      gatewayRequest({ rawPath: FILES, ...request }),
      googleDrive,
      BASE_URL,
      API_ORIGINS,
    );
    expect(asked).toMatchObject({ body: request.body, form: 'q=a;quotaUser=x&useDomainAdminAccess=true' });
    expect(headerValues(asked.headers, 'x-goog-quota-user')).toEqual([]);
  });

  it('a read that is sent as a form for a user is nothing but a form: the body of a write for a user keeps its bytes', () => {
    const body = Buffer.from('quotaUser=x;useDomainAdminAccess=true');
    expect(plan({ method: 'POST', headers: [FORM], body }).body).toBe(body);
    const seen = batchOf('POST /drive/v3/files HTTP/1.1\r\n\r\nquotaUser=x;a=b');
    expect(seen.body).toBe('quotaUser=x;a=b');
  });
});

describe('a part of a batch that a service account sends for a user', () => {
  it.each([
    ['?quotaUser=x', ''],
    ['?q=a&quotaUser=x&fields=b', '?q=a&fields=b'],
    ['?q=a;b=c', '?q=a&b=c'],
    ['?', ''],
    ['', ''],
  ])('SA-22: asks for %j as %j, with the user’s share', (sent, kept) => {
    const seen = batchOf(`GET /drive/v3/files${sent} HTTP/1.1\r\nX-Goog-Quota-User: another\r\n\r\n`);
    expect(seen.requestLine).toBe(`GET /drive/v3/files${kept} HTTP/1.1`);
    expect(seen.headers).toEqual(['x-goog-quota-user: user-1']);
  });
});
