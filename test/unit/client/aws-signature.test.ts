import { drive, auth as driveAuth } from '@googleapis/drive';
import { describe, expect, it } from 'vitest';
import { type AwsCaller, openAwsCallers } from '../../../dev/local/front/aws-callers.ts';
import { judgeSignature } from '../../../dev/local/front/check-signature.ts';
import {
  type AwsCredentials,
  GatewayClient,
  type GatewayClientOptions,
  googleAuth,
} from '../../../packages/client/src/index.ts';
import { METHODS } from '../../../packages/simulator/api/method-table.ts';
import { type Arrived, CALL, CONNECTION, json, SECRET_KEY, testStub } from './stub.ts';

const stub = testStub();
const callers = openAwsCallers();
const caller = callers.issue({ role: 'nightly-export', session: 'function-1' });

/** A client that signs as a role. */
function client(options: Partial<GatewayClientOptions> = {}, who: AwsCaller = caller): GatewayClient {
  const awsCredentials = async () => who.credentials;
  return new GatewayClient({ baseUrl: stub.baseUrl, awsCredentials, awsRegion: 'us-east-1', ...options });
}

/** Who signed a request, as the front door judges it, or why it is refused. */
function signerOf({ method, target, headers, body }: Arrived): string | undefined {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const judge = { callers, region: 'us-east-1', otherAccounts: [], nowMs: Date.now() };
  const judgement = judgeSignature({ method, target, headers: pairs, body }, judge);
  return 'identity' in judgement ? judgement.identity.userArn : judgement.message;
}

const ARN = 'arn:aws:sts::000000000000:assumed-role/nightly-export/function-1';

describe('a client with the credentials of a role', () => {
  it('IA-14: signs every method of Google’s APIs, and paths and queries of each kind, below /iam', async () => {
    const own = (['drive', 'calendar'] as const).flatMap((api) =>
      METHODS[api].map(({ verb, path }) => ({
        method: verb,
        endpoint: `/${api}/v3/${path.replaceAll(/\{\w+\}/g, encodeURIComponent('a#b/c@d:e'))}`,
      })),
    );
    const others = [
      '/calendar/v3/calendars/en.german%23holiday%40group.v.calendar.google.com/events',
      '/calendar/v3/calendars/a@b.c/events?timeMin=2026-01-01T00:00:00%2B01:00',
      "/drive/v3/files?q=name = 'a+b ü'&fields=files(id,name)",
      '/drive/v3/files?b=2&a=1&a=0&a=%C3%A9&A=3',
      '/drive/v3/files/a:b~c!d*e(f)\'"%ü',
      '/drive/v3/files?empty=&none&plus=a+b',
    ].map((endpoint) => ({ method: 'GET', endpoint: endpoint.replace(/%ü/, '%25ü') }));
    const signing = client();
    for (const { method, endpoint } of [...own, ...others]) {
      await signing.proxy({ ...CONNECTION, method: asMethod(method), endpoint });
      expect([endpoint, signerOf(stub.last())]).toEqual([endpoint, ARN]);
      expect(stub.last().target).toMatch(/^\/v1\/iam\/proxy\/(drive|calendar)\/v3\//);
    }
    expect(stub.arrived.length).toBeGreaterThan(50);
  });

  it.each([
    ['JSON', { name: 'ü' }, undefined],
    ['text', 'ü', 'text/plain'],
    ['bytes', Uint8Array.from([0, 255]), 'image/png'],
    ['a blob', new Blob(['ab'], { type: 'text/csv' }), undefined],
    ['a form of fields', new URLSearchParams({ a: 'b c' }), undefined],
    ['a stream', new Blob(['abc']).stream(), 'text/plain'],
  ])('IA-4: signs %s', async (_what, data, type) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    await client().post({ ...CALL, data, headers });
    expect(signerOf(stub.last())).toBe(ARN);
    expect(stub.last().body.length).toBeGreaterThan(0);
    expect(stub.last().headers['content-type']).toBeDefined();
  });

  it('IA-4: signs a form with files', async () => {
    const form = new FormData();
    form.set('file', new Blob(['abc']), 'a.txt');
    await client().post({ ...CALL, data: form });
    expect(signerOf(stub.last())).toBe(ARN);
    expect(stub.last().headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  });

  it('signs each request again with what the provider gives then, and sends no secret', async () => {
    const again = callers.issue({ role: 'nightly-export', session: 'function-2' });
    const given = [caller.credentials, again.credentials];
    const signing = client({ awsCredentials: async () => given.shift() ?? caller.credentials });
    stub.answer(json(200, { data: [], next_cursor: null }));
    await signing.integrations.list();
    const first = stub.last();
    await signing.keys.create({ name: 'a', right: 'read' }).catch(() => {});
    expect([signerOf(first), signerOf(stub.last())]).toEqual([ARN, ARN.replace('function-1', 'function-2')]);
    expect(stub.last().target).toBe('/v1/iam/account/keys');
    expect(JSON.stringify(stub.arrived.map(({ headers }) => headers))).not.toContain(
      caller.credentials.secretAccessKey,
    );
  });

  it('signs the chunks of an upload, whose address is below /iam', async () => {
    stub.answer((request, response) => {
      const location = `${stub.baseUrl}/iam/proxy/upload/drive/v3/files?upload_id=1`;
      if (request.method === 'POST') response.writeHead(200, { location }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
    });
    const call = {
      ...CONNECTION,
      endpoint: '/upload/drive/v3/files',
      contentType: 'text/csv',
      body: new Blob(['a,b']),
    };
    expect((await client().uploadFile<{ id: string }>(call)).data.id).toBe('1');
    expect(stub.arrived.map((request) => [request.method, request.target.split('?')[0], signerOf(request)])).toEqual([
      ['POST', '/v1/iam/proxy/upload/drive/v3/files', ARN],
      ['PUT', '/v1/iam/proxy/upload/drive/v3/files', ARN],
    ]);
  });

  it('signs what Google’s own client sends', async () => {
    const { credentials } = caller;
    const options = { baseUrl: stub.baseUrl, awsCredentials: credentials, awsRegion: 'us-east-1', ...CONNECTION };
    const google = drive({ version: 'v3', auth: googleAuth({ ...options, OAuth2: driveAuth.OAuth2 }) });
    stub.answer(json(200, { id: '1', files: [] }));
    await google.files.list({ q: "name = 'a+b (c)'" });
    await google.files.create({ requestBody: { name: 'a' }, media: { mimeType: 'text/plain', body: 'abc' } });
    await google.files.update({ fileId: 'a#b', requestBody: { name: 'ü' } });
    expect(stub.arrived.map((request) => [request.method, signerOf(request)])).toEqual([
      ['GET', ARN],
      ['POST', ARN],
      ['PATCH', ARN],
    ]);
    expect(stub.arrived[1]?.target).toMatch(/^\/v1\/iam\/proxy\/upload\/drive\/v3\/files/);
  });

  it('sends nothing without credentials, and says what the provider said', async () => {
    const broken = new Error('no credentials here');
    await expect(client({ awsCredentials: () => Promise.reject(broken) }).get(CALL)).rejects.toBe(broken);
    const empty = { accessKeyId: '', secretAccessKey: 'x' };
    await expect(client({ awsCredentials: empty }).get(CALL)).rejects.toThrow(/awsCredentials gave no credentials/);
    const never = new Promise<AwsCredentials>(() => {});
    const waiting = client({ awsCredentials: () => never, timeoutMs: 20 }).get(CALL);
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError', mayHaveBeenApplied: false });
    expect(stub.arrived).toEqual([]);
  });

  it.each<[string, Partial<GatewayClientOptions>, RegExp]>([
    ['neither key nor credentials', {}, /secretKey/],
    ['both', { secretKey: SECRET_KEY, awsCredentials: caller.credentials }, /not both/],
    ['credentials without a region', { awsCredentials: caller.credentials }, /awsRegion is required/],
    ['a key and a region', { secretKey: SECRET_KEY, awsRegion: 'us-east-1' }, /leave it out/],
    [
      'credentials and an address of the proxy alone',
      { awsCredentials: caller.credentials, awsRegion: 'us-east-1', proxyUrl: 'https://p.example' },
      /baseUrl/,
    ],
  ])('a client with the credentials of a role is refused with %s', (_, options, message) => {
    expect(() => new GatewayClient({ baseUrl: 'https://gateway.example', ...options })).toThrow(message);
  });

  it('takes the region from an address of API Gateway’s', async () => {
    let authorization: string | null = null;
    const signing = new GatewayClient({
      baseUrl: 'https://abc.execute-api.eu-central-1.amazonaws.com/v1',
      awsCredentials: caller.credentials,
      fetch: async (_url, { headers }) => {
        authorization = new Headers(headers).get('authorization');
        return Response.json({});
      },
    });
    await signing.get(CALL);
    expect(authorization).toMatch(
      /\/eu-central-1\/execute-api\/aws4_request, SignedHeaders=connection-id;host;provider/,
    );
  });
});

function asMethod(verb: string): 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' {
  if (verb === 'GET' || verb === 'POST' || verb === 'PUT' || verb === 'PATCH' || verb === 'DELETE') return verb;
  throw new Error(`${verb} is no method of Google's`);
}
