/** IAM roles as callers, through the template that has `iamCallers` alongside the second door. */
import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AwsCaller } from '../../../dev/local/front/aws-callers.ts';
import { localRoleArn } from '../../../dev/local/front/aws-callers.ts';
import { SIGNABLE_REQUESTS } from '../../../dev/support/signable-requests.ts';
import { textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { GatewayClient } from '../../../packages/client/src/index.ts';
import { type SigningOptions, signedByAws } from '../../support/aws-signer.ts';
import { OTHER_ACCOUNT } from '../../support/door.ts';
import { type RawAnswer, type RawRequest, rawRequest } from '../../support/raw-http.ts';
import { countCalls } from '../../support/roll-up.ts';
import { useProxyGateway } from '../../support/use-gateway.ts';

const FILES = '/drive/v3/files';
const MIB = 1024 * 1024;

const proxy = useProxyGateway({ maxChildrenPerFunction: 1 });
let reader: AwsCaller;
let manager: AwsCaller;

const callers = () => proxy.test.gateway.callers;
const register = (roleArn: string, settings: Record<string, unknown> = {}) =>
  proxy.test.json('POST', '/account/roles', { name: roleArn, right: 'proxy', role_arn: roleArn, ...settings });

beforeAll(async () => {
  reader = callers().issue({ role: 'reader', session: 'function-1' });
  manager = callers().issue({ role: 'manager' });
  // The path of a role is in no signature.
  const limits = { mode: 'enforce', allow: ['drive:read', 'calendar:read'] };
  expect((await register('arn:aws:iam::000000000000:role/service-role/reader', { limits })).status).toBe(201);
  expect((await register(localRoleArn('manager'), { right: 'full' })).status).toBe(201);
});

/** A signed request below `/iam`. */
async function signed(
  caller: AwsCaller,
  request: RawRequest,
  options?: SigningOptions,
  change: (request: RawRequest) => RawRequest = (same) => same,
): Promise<RawAnswer> {
  const origin = proxy.test.gateway.gatewayUrl;
  const whole = { ...request, path: `/iam${request.path}` };
  return rawRequest(origin, change(await signedByAws(caller.credentials, origin, whole, options)));
}

/** A signed proxied call. */
function call(
  caller: AwsCaller,
  request: RawRequest,
  options?: SigningOptions,
  change?: (request: RawRequest) => RawRequest,
): Promise<RawAnswer> {
  const integration = request.path.includes('/calendar/') ? 'google-calendar' : 'google-drive';
  const identity: [string, string][] = [
    ['provider-config-key', integration],
    ['connection-id', proxy.test.connectionId(integration)],
  ];
  const headers = [...identity, ...(request.headers ?? [])];
  return signed(caller, { ...request, path: `/proxy${request.path}`, headers }, options, change);
}

const codeOf = (answer: RawAnswer) => [answer.status, answer.header('x-gateway-error')];
const messageOf = (answer: RawAnswer) => JSON.stringify(answer.json());

describe('a registered role', () => {
  test('IA-10: downloads 50 MB through the streaming proxy, makes no AWS call of its own, and is refused a write', async () => {
    const bytes = randomBytes(50 * MIB);
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' }).end(bytes);
    });
    expect((await call(reader, { path: `${FILES}/1?alt=media` })).status).toBe(200);
    const before = proxy.test.gateway.awsCalls();
    const down = await call(reader, { path: `${FILES}/1?alt=media` });
    expect(proxy.test.gateway.awsCalls()).toEqual(before);
    expect([down.status, down.complete]).toEqual([200, true]);
    const digest = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
    expect(digest(down.body)).toBe(digest(bytes));
    const sent = proxy.upstream.requests.length;
    const refused = await call(reader, { method: 'DELETE', path: `${FILES}/1` });
    expect(codeOf(refused)).toEqual([403, 'limited_by_key']);
    expect(proxy.upstream.requests).toHaveLength(sent);
  });

  test('IA-14: signs every method of the corpus, and paths and queries of each kind, with AWS’s own signer', {
    tags: ['long'],
  }, async () => {
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    expect(SIGNABLE_REQUESTS.length).toBeGreaterThan(60);
    const others = [`${FILES}?q=name%20%3D%20'a%2Bb'&fields=files(id,name)`, `${FILES}?timeMin=00:00%2B01:00`];
    const free = callers().issue({ role: 'free' });
    await register(localRoleArn('free'));
    for (const request of [...SIGNABLE_REQUESTS, ...others.map((path) => ({ method: 'GET', path }))]) {
      const answer = await call(free, request);
      const got = proxy.upstream.requests.at(-1);
      const path = request.path.split('?')[0];
      expect([answer.status, got?.method, got?.target.split('?')[0]]).toEqual([200, request.method, path]);
    }
  });

  test('IA-12: sends no part of its signature to the provider, and none of its own authorization counts', async () => {
    const path = `${FILES}/1`;
    expect((await call(reader, { path, headers: [['x-api-key', 'k']] })).status).toBe(200);
    const names = proxy.upstream.requests.at(-1)?.headers.map(([name]) => name.toLowerCase()) ?? [];
    expect(names.filter((name) => /^x-amz|^x-amzn/.test(name))).toEqual([]);
    expect(proxy.upstream.requests.at(-1)?.headerValues('authorization')).toEqual([expect.stringMatching(/^Bearer /)]);
    expect(JSON.stringify(proxy.test.gateway.logs())).not.toContain(reader.credentials.sessionToken);
  });

  test('PX-15: gets the address to continue an upload below /iam, where its signature counts', async () => {
    const target = '/upload/drive/v3/files?uploadType=resumable&upload_id=1';
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { location: `${proxy.upstream.origin}${target}` }).end();
    });
    await register(localRoleArn('writer'));
    const writer = callers().issue({ role: 'writer' });
    const body = Buffer.from('{"name":"a"}');
    const headers: [string, string][] = [['content-type', 'application/json']];
    const started = await call(writer, { method: 'POST', path: target, headers, body });
    expect(started.header('location')).toBe(`${proxy.test.gateway.gatewayUrl}/iam/proxy${target}`);
    expect(proxy.upstream.requests.at(-1)?.body.toString()).toBe(body.toString());
  });

  test('IA-14: calls, uploads and manages through the client library, which signs with what a provider gives', {
    tags: ['long'],
  }, async () => {
    await register(localRoleArn('library'), { right: 'full' });
    const { credentials } = callers().issue({ role: 'library' });
    const client = new GatewayClient({
      baseUrl: proxy.test.gateway.gatewayUrl,
      awsCredentials: async () => credentials,
      awsRegion: 'us-east-1',
    });
    const connection = {
      providerConfigKey: 'google-drive',
      connectionId: proxy.test.connectionId('google-drive'),
    };
    proxy.upstream.answer((request, response) => {
      const location = `${proxy.upstream.origin}/upload/drive/v3/files?upload_id=2`;
      response.writeHead(200, request.method === 'POST' ? { location } : { 'content-type': 'application/json' });
      response.end(request.method === 'POST' ? '' : '{"id":"a"}');
    });
    await client.get({ ...connection, endpoint: `${FILES}/a%2Fb:c(d)?fields=id,name&q=a+b` });
    expect(proxy.upstream.requests.at(-1)?.target).toBe(`${FILES}/a%2Fb:c(d)?fields=id%2Cname&q=a%20b`);
    const upload = { ...connection, endpoint: '/upload/drive/v3/files', contentType: 'text/csv' };
    const { data } = await client.uploadFile<{ id: string }>({ ...upload, body: new Blob(['ü,b']) });
    expect([data.id, proxy.upstream.requests.at(-1)?.body.toString()]).toEqual(['a', 'ü,b']);
    expect((await client.integrations.list()).map(({ uniqueKey }) => uniqueKey)).toContain('google-drive');
  });

  test('IA-13: manages the account by its right, and the audit trail names it', async () => {
    const listed = await signed(manager, { path: '/integrations' });
    expect(listed.status).toBe(200);
    const body = JSON.stringify({ name: 'made by a role', right: 'proxy' });
    const headers: [string, string][] = [['content-type', 'application/json']];
    const made = await signed(manager, { method: 'POST', path: '/account/keys', headers, body });
    expect([made.status, textAt(made.json(), 'data', 'created_by')]).toEqual([201, 'iam:000000000000:manager']);
    expect(codeOf(await signed(reader, { path: '/integrations' }))).toEqual([403, 'forbidden']);
    // A second role under the same name, whatever its path, is the same to AWS.
    expect((await register('arn:aws:iam::000000000000:role/other/manager')).body.error.code).toBe('conflict');
  });

  test('IA-11: a registered role of an unique id is no role that was made again under its name, and comes back when it is registered again', async () => {
    const first = callers().issue({ role: 'exact', roleId: 'AROAFIRSTFIRSTFIRST1' });
    const again = callers().issue({ role: 'exact', roleId: 'AROASECONDSECONDSEC2' });
    const { body } = await register(localRoleArn('exact'), { role_id: 'AROAFIRSTFIRSTFIRST1' });
    expect((await call(first, { path: FILES })).status).toBe(200);
    expect(codeOf(await call(again, { path: FILES }))).toEqual([401, 'unknown_role']);
    expect((await proxy.test.json('DELETE', `/account/keys/${body.data.id}`)).status).toBe(200);
    const replaced = await register(localRoleArn('exact'), { role_id: 'AROASECONDSECONDSEC2' });
    expect([replaced.status, replaced.body.data.revoked_at]).toEqual([201, null]);
  });

  test('IA-13: a registered role has its calls counted as those of a key are, in usage, quota and last use', {
    tags: ['long'],
  }, async () => {
    const counted = callers().issue({ role: 'counted' });
    const role = await register(localRoleArn('counted'));
    const keyId = String(role.body.data.id).slice(0, 12);
    proxy.upstream.answer((_request, response) => void response.writeHead(200).end('{}'));
    for (let i = 0; i < 3; i++) expect((await call(counted, { path: FILES })).status).toBe(200);
    await countCalls(proxy.test);
    const usage = await proxy.test.json('GET', '/usage?by=key');
    const rows = usage.body.data.rows.filter((row: { key_id: string }) => row.key_id === keyId);
    expect(rows).toMatchObject([{ calls: 3, ok: 3, units: 300 }]);
    const quota = await proxy.test.json('GET', '/quota');
    expect(quota.body.data.keys).toContainEqual({ key_id: keyId, units: 300, bytes_out: 6 });
    const keys = await proxy.test.json('GET', '/account/keys');
    const own = keys.body.data.find((one: { id: string }) => one.id === role.body.data.id);
    expect(own.last_used_at).not.toBeNull();
  });

  test('IA-13: a registered role that was revoked is refused by the management API at once', async () => {
    const gone = callers().issue({ role: 'gone' });
    const { body } = await register(localRoleArn('gone'), { right: 'read' });
    // By the function that revokes it; the others remember it for at most a minute.
    expect((await signed(gone, { path: '/connections' })).status).toBe(200);
    expect((await proxy.test.json('DELETE', `/account/keys/${body.data.id}`)).status).toBe(200);
    expect(codeOf(await signed(gone, { path: '/connections' }))).toEqual([401, 'unknown_role']);
  });

  test('IA-3: a registered role of another account is let in by the API’s policy; of a third it is not', async () => {
    const arn = (account: string) => `arn:aws:iam::${account}:role/partner`;
    for (const account of [OTHER_ACCOUNT, '777788889999']) expect((await register(arn(account))).status).toBe(201);
    const partner = callers().issue({ role: 'partner', accountId: OTHER_ACCOUNT });
    expect((await call(partner, { path: FILES })).status).toBe(200);
    const stranger = await call(callers().issue({ role: 'partner', accountId: '777788889999' }), { path: FILES });
    expect([stranger.status, messageOf(stranger)]).toEqual([403, expect.stringContaining('is not authorized')]);
  });
});

describe('a signature', () => {
  test('IA-10: a signature of no registered role, of a user, a root user or a federated user, or none at all is refused; a header cannot stand in for one', async () => {
    const nobody = callers().issue({ role: 'nobody' });
    expect(codeOf(await call(nobody, { path: FILES }))).toEqual([401, 'unknown_role']);
    // Other principals that can sign are no roles, even with the same name.
    for (const other of [{ user: 'reader' }, { root: true }, { federatedUser: 'reader' }] as const) {
      expect(codeOf(await call(callers().issue(other), { path: FILES }))).toEqual([401, 'unknown_role']);
    }
    const arn = reader.identity.userArn;
    const claims: [string, string][] = [
      ['x-amz-user-arn', arn],
      ['x-amzn-iam-user-arn', arn],
      ['x-gateway-signer', arn],
      ['Authorization', `Bearer ${proxy.test.gateway.secretKey}`],
    ];
    for (const headers of [[], claims]) {
      const bare = await rawRequest(proxy.test.gateway.gatewayUrl, { path: `/iam/proxy${FILES}`, headers });
      expect(codeOf(bare)).toEqual([403, 'forbidden']);
    }
    // The other door, which checks no signatures, and the open routes take none.
    const origins = [proxy.test.gateway.proxyUrl, proxy.test.gateway.gatewayUrl];
    for (const [at, origin] of origins.entries()) {
      const path = at === 0 ? `/iam/proxy${FILES}` : `/proxy${FILES}`;
      const request = await signedByAws(reader.credentials, origin, { path, headers: claims.slice(0, 3) });
      expect((await rawRequest(origin, request)).status).toBeGreaterThanOrEqual(400);
    }
  });

  test('IA-4: a signature that is too old, too new, for another service, of other bytes or by another key is refused as AWS refuses it', async () => {
    const ago = (minutes: number) => ({ date: new Date(Date.now() - minutes * 60_000) });
    const put = {
      method: 'PATCH',
      path: `${FILES}/1`,
      headers: [['content-type', 'text/plain']] as const,
      body: 'abc',
    };
    const wrong: [string, Promise<RawAnswer>, RegExp][] = [
      ['old', call(reader, { path: FILES }, ago(6)), /Signature expired/],
      ['new', call(reader, { path: FILES }, ago(-6)), /not yet current/],
      ['service', call(reader, { path: FILES }, { service: 'lambda' }), /correct service/],
      ['region', call(reader, { path: FILES }, { region: 'eu-west-1' }), /valid region/],
      ['body', call(reader, put, {}, (request) => ({ ...request, body: 'abd' })), /does not match/],
      [
        'path',
        call(reader, { path: FILES }, {}, (request) => ({ ...request, path: `${request.path}/1` })),
        /does not match/,
      ],
      ['header', call(reader, put, {}, unsignedHeader('x-amz-meta', 'a')), /must be a 'SignedHeader'/],
      [
        'payload',
        call(reader, { ...put, headers: [...put.headers, ['x-amz-content-sha256', 'UNSIGNED-PAYLOAD']] }),
        /does not match/,
      ],
      [
        'chunks',
        call(reader, {
          ...put,
          headers: [...put.headers, ['x-amz-content-sha256', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD']],
        }),
        /does not match/,
      ],
      [
        'token',
        call({ ...reader, credentials: { ...reader.credentials, sessionToken: 'x' } }, { path: FILES }),
        /token included in the request is invalid/,
      ],
      [
        'secret',
        call({ ...reader, credentials: { ...reader.credentials, secretAccessKey: 'x' } }, { path: FILES }),
        /does not match/,
      ],
      ['ended', call(callers().issue({ role: 'reader', endsAtMs: Date.now() - 1 }), { path: FILES }), /expired/],
    ];
    for (const [name, answer, message] of wrong) {
      expect([name, ...codeOf(await answer)]).toEqual([name, 403, 'forbidden']);
      expect([name, messageOf(await answer)]).toEqual([name, expect.stringMatching(message)]);
    }
    expect((await call(reader, { path: FILES }, ago(4))).status).toBe(200);
  });

  test('IA-12: a signature in an address is refused by the gateway', async () => {
    const sent = proxy.upstream.requests.length;
    const answer = await call(reader, { path: `${FILES}?X-Amz-Signature=1` });
    expect(codeOf(answer)).toEqual([400, 'invalid_query_params']);
    expect(codeOf(await signed(manager, { path: '/integrations?x-amz-date=1' }))).toEqual([
      400,
      'invalid_query_params',
    ]);
    expect(proxy.upstream.requests).toHaveLength(sent);
  });
});

/** Adds a header after the request was signed. */
function unsignedHeader(name: string, value: string) {
  return (request: RawRequest): RawRequest => ({ ...request, headers: [...(request.headers ?? []), [name, value]] });
}
