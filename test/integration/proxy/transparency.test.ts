/**
 * The same request to Google's stand-in and through the gateway: status, header fields and bytes of both answers must be
 * the same, but for what `docs/fidelity.md` lists. The requests are made from the APIs' own list of methods.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { METHODS } from '../../../packages/simulator/api/method-table.ts';
import { type RawAnswer, type RawRequest, rawRequest } from '../../support/raw-http.ts';
import { requests } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

type Headers = [string, string][];

/** Names of fields that the gateway or its platform changes, drops or adds, as `docs/fidelity.md` says. */
const OURS = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'server',
  'transfer-encoding',
  'www-authenticate',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-content-type-options',
  'x-frame-options',
  'x-gateway-hint',
  'x-request-id',
  'x-upstream-content-length',
  'x-xss-protection',
]);
const VARY = new Set(['Authorization', 'Connection-Id', 'Provider-Config-Key']);
/** Unknown everywhere, so that a write changes nothing. */
const NOBODY = 'nobody@example.com';
const PACKED: Headers = [
  ['Accept-Encoding', 'gzip'],
  ['User-Agent', 'client (gzip)'],
];

const gateway = useTestGateway();
let authorization: Record<string, string>;
let ids: Record<string, string>;
let etag: string;

beforeAll(async () => {
  const read = async (integration: string, path: string) => (await gateway.proxy(integration, path)).json();
  const { files } = await read('google-drive', "/drive/v3/files?pageSize=1&q=mimeType%3D'text/csv'");
  const { items } = await read('google-calendar', '/calendar/v3/calendars/primary/events?maxResults=1');
  etag = items[0].etag;
  ids = { fileId: files[0].id, calendarId: 'primary', eventId: items[0].id };
  const received = await requests(gateway, 'api');
  const tokenOf = (prefix: string) => {
    const call = received.find(({ target }) => target.startsWith(prefix));
    return call?.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  };
  authorization = { 'google-drive': tokenOf('/drive/'), 'google-calendar': tokenOf('/calendar/') };
});

/** What differs between the direct and the proxied answer; nothing when they are the same. */
async function differences(request: RawRequest): Promise<string[]> {
  const integration = request.path.includes('/calendar/') ? 'google-calendar' : 'google-drive';
  const identity: Headers = [
    ['Authorization', `Bearer ${gateway.gateway.secretKey}`],
    ['Provider-Config-Key', integration],
    ['Connection-Id', gateway.connectionId(integration)],
  ];
  const token: Headers = [['Authorization', authorization[integration] ?? '']];
  const { headers = [], path } = request;
  const direct = await rawRequest(gateway.gateway.simulatorUrl ?? '', { ...request, headers: [...token, ...headers] });
  const proxied = await rawRequest(gateway.gateway.proxyUrl, {
    ...request,
    path: `/proxy${path}`,
    headers: [...identity, ...headers],
  });
  const length = proxied.header('x-upstream-content-length');
  const [before, after] = [seen(direct, direct.header('content-length')), seen(proxied, length)];
  return before === after ? [] : [`${request.method ?? 'GET'} ${path}\n  ${before}\n  ${after}`];
}

/** Everything that must be the same, as text; moments that the simulator makes again for each answer are left out. */
function seen(answer: RawAnswer, length: string | undefined): string {
  const fields = new Map<string, string[]>([['content-type', ['application/json']]]);
  for (const [name, value] of answer.headers) {
    const lower = name.toLowerCase();
    if (OURS.has(lower)) continue;
    const earlier = lower === 'content-type' ? [] : (fields.get(lower) ?? []);
    // Added to the provider's own where the answer may be cached.
    const values = lower === 'vary' ? value.split(', ').filter((field) => !VARY.has(field)) : [value];
    fields.set(lower, [...earlier, ...values]);
  }
  const body = answer.body
    .toString('latin1')
    .replace(/"updated": "[^"]*"/, '"updated"')
    .replace(/"nextSyncToken": "[^"]*"/, '"nextSyncToken"');
  return JSON.stringify([answer.status, length, answer.complete, [...fields].sort(), body]);
}

async function allDifferences(list: readonly RawRequest[]): Promise<string> {
  const found: string[] = [];
  for (const request of list) found.push(...(await differences(request)));
  return found.join('\n');
}

describe('the answer through the gateway is the provider’s', () => {
  test.each(['drive', 'calendar'] as const)(
    'the answer through the gateway is the provider’s for each method of the %s API',
    async (api) => {
      const list = METHODS[api].flatMap(({ verb, path }): RawRequest[] => {
        const reads = verb === 'GET';
        // Without an id in its path a write would do something.
        if (!reads && !path.includes('{')) return [];
        const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent((reads && ids[name]) || NOBODY));
        const request = { method: verb, path: `/${api}/v3/${filled}` };
        if (reads || verb === 'DELETE') return [request];
        return [{ ...request, headers: [['Content-Type', 'application/json']], body: '{}' }];
      });
      expect(list.length).toBeGreaterThan(30);
      expect(await allDifferences(list)).toBe('');
    },
  );

  test('the answer through the gateway is the provider’s for queries of every kind, understood and refused', async () => {
    const queries = [
      ...['pageSize=0', 'pageSize=1001', 'pageSize=x', 'pageSize=2&pageSize=3', 'pageSize', 'pageSize=%32'],
      ...['fields=files(id)', 'fields=nextPageToken%2Cfiles%28id%29', 'fields=*', 'fields=bogus', 'fields='],
      ...["q=name%20contains%20'a'", "q=name+contains+'a'", "q='", "q=name%3D'a%2Bb%25%26'", 'q=%F0%9F%98%80'],
      ...['pageToken=garbage', 'orderBy=name%20desc%2CmodifiedTime', 'alt=media', 'prettyPrint=false', 'unknown=1'],
      ...['%24.xgafv=2', 'quotaUser=%C3%A9', 'a==b', '&&pageSize=1&', 'alt=json&alt=json'],
    ];
    expect(await allDifferences(queries.map((query) => ({ path: `/drive/v3/files?${query}` })))).toBe('');
  });

  test('the answer through the gateway is the provider’s for paths with escapes, empty parts and unknown ends, read and asked for with HEAD', async () => {
    const paths = 'files/ files/%C3%A9 files/a%2Fb files/a%25b files//x files;a=b files/x:y FILES'.split(' ');
    const list = paths.flatMap((path) => ['GET', 'HEAD'].map((method) => ({ method, path: `/drive/v3/${path}` })));
    expect(await allDifferences(list)).toBe('');
  });

  test('the answer through the gateway is the provider’s for ranges, conditions and packed bodies', async () => {
    const media = `/drive/v3/files/${ids.fileId}?alt=media`;
    const event = `/calendar/v3/calendars/primary/events/${ids.eventId}`;
    const ranges = ['0-9', '5-', '-5', '0-0', '999999999-', '0-1,3-4', '9-1', 'x'];
    const list: RawRequest[] = [
      ...ranges.map((range): RawRequest => ({ path: media, headers: [['Range', `bytes=${range}`]] })),
      ...[etag, `W/${etag}`, '"other"', '*'].map((tag): RawRequest => {
        return { path: event, headers: [['If-None-Match', tag]] };
      }),
      { method: 'PATCH', path: event, headers: [['If-Match', '"other"']], body: '{"summary":"x"}' },
      ...['GET', 'HEAD'].map((method): RawRequest => ({ method, path: media, headers: PACKED })),
      { path: '/drive/v3/files?pageSize=50', headers: PACKED },
    ];
    expect(await allDifferences(list)).toBe('');
  });

  test('the answer through the gateway is the provider’s for bodies that the provider refuses', async () => {
    const list: RawRequest[] = [
      { method: 'POST', path: '/drive/v3/files', headers: [['Content-Type', 'application/json']], body: '{"name":' },
      { method: 'PUT', path: '/drive/v3/files', body: 'x' },
      { method: 'POST', path: '/upload/drive/v3/files?uploadType=bogus', body: 'x' },
      { method: 'POST', path: '/upload/drive/v3/files?uploadType=multipart', body: 'no parts' },
      { method: 'PUT', path: '/upload/drive/v3/files?uploadType=resumable&upload_id=unknown', body: 'x' },
      { method: 'DELETE', path: '/drive/v3/files/unknown', body: '{}' },
    ];
    expect(await allDifferences(list)).toBe('');
  });
});
