// @module-tag long
import { execFile } from 'node:child_process';
import { get } from 'node:http';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../lambdas/gateway/openapi/json-schema.ts';
import {
  jsonAt,
  listAt,
  operationsOf,
  type PlacedOperation,
  textAt,
} from '../../../lambdas/gateway/openapi/read-document.ts';
import { codeSamples } from '../../../lambdas/management/reference/code-samples.ts';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { bareEnvironment } from '../../support/command-line.ts';
import { connectSession, finishFlow, startFlow } from '../../support/connect.ts';
import { DRIVE_SCOPE, list, makeIntegration, makeRobot } from '../../support/delegation.ts';
import { eventually } from '../../support/eventually.ts';
import { type SignedInOperator, signIn } from '../../support/operator.ts';
import { useTestGateway, useWebhookReceiver } from '../../support/use-gateway.ts';
import { approvalTools } from '../approvals/support.ts';
import { checkerOf, resolvedResponse } from './document-schema.ts';
import { keyWith, refreshTokenOf } from './keys.ts';

const RETURN_URL = 'https://app.example/done';
const EXAMPLE_ID_TOKEN = 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl';
const OWN = new Set(ROUTES.map(({ method, pattern }) => `${method} ${pattern}`));

/** Routes whose answer names what others take in their path, by that parameter. */
const MADE_BY: Readonly<Record<string, string>> = {
  'POST /account/keys': 'keyId',
  'POST /feeds': 'feedId',
  'POST /connect/reconnect-links': 'batchId',
};

/** Routes that only a signed-in operator may call. */
const BY_OPERATOR = new Set(['PUT /account/operator', 'POST /approvals/{approvalId}/decision']);

/** Makes what others need first, takes it away last; changes no client that connections still live on before that. */
function orderOf({ method, path }: PlacedOperation): number {
  if (method === 'POST' && path === '/connections') return 0;
  if (method === 'PUT') return 2;
  if (method !== 'DELETE') return 1;
  // What belongs to another thing goes before it.
  const last = ['/feeds/{feedId}', '/connections/{connectionId}', '/integrations/{integrationId}'].indexOf(path);
  return last === -1 ? 3 : 4 + last;
}

describe('the document of the running gateway', () => {
  const receiver = useWebhookReceiver();
  const gateway = useTestGateway({
    environmentOverrides: { CONNECT_RETURN_URLS: RETURN_URL, WRONG_KEYS_PER_MINUTE_PER_ADDRESS: '0' },
  });
  let document: Json;
  let refreshToken: string;
  let handle: string;
  /** Hash of a tool that a server lists. */
  let listedTool: string;
  let operator: SignedInOperator;
  beforeAll(async () => {
    document = await (await fetch(`${gateway.gateway.gatewayUrl}/openapi.json`)).json();
    refreshToken = await refreshTokenOf(gateway, 'google-drive');
    handle = await waitingHandle();
    const { body } = await gateway.json('POST', '/agent-tools/fetch');
    const ofCalendar = body.data.find(
      (one: { provider: string; endpoint: string }) => one.provider === 'google-calendar' && one.endpoint === 'full',
    );
    listedTool = ofCalendar.tools.find(({ name }: { name: string }) => name === 'list_events').accepted.hash;
    operator = await signIn(gateway.gateway);
    // The feed has no batch yet, and a position beyond its last one is refused.
    made.set('after', '0');
    made.set('requestId', await failedCall());
    made.set('webhookId', await provedWebhook());
    made.set('approvalId', await waitingApproval());
    const robot = await makeRobot(gateway, 'drive');
    await makeIntegration(gateway, robot, { uniqueKey: 'drive-domain' });
    await list(gateway, robot, [DRIVE_SCOPE]);
  });

  /** The id of a call that waits for a person. */
  async function waitingApproval(): Promise<string> {
    return (await approvalTools(gateway).parkOfNewKey('google-drive')).approval_id;
  }

  /** A webhook that answers, and is enabled. */
  async function provedWebhook(): Promise<string> {
    const { id } = (await gateway.json('POST', '/webhooks', { url: receiver.address })).body.data;
    expect((await gateway.json('POST', `/webhooks/${id}/enable`)).status).toBe(200);
    return id;
  }

  /** What only a run knows: a refresh token that lives, the id of a key that was made. */
  const made = new Map<string, string>();

  /** The request id of a call that is in the call log. */
  async function failedCall(): Promise<string> {
    const refused = await gateway.proxy('google-drive', '/gmail/v1/users/me');
    const requestId = refused.headers.get('x-request-id') ?? '';
    await eventually(async () => expect((await gateway.call(`/calls/${requestId}`)).status).toBe(200));
    return requestId;
  }

  /** A handle that confirms a connection of the examples' end user. */
  async function waitingHandle(): Promise<string> {
    const token = await connectSession(gateway, {
      allowed_integrations: ['google-drive'],
      end_user: { id: 'user-42' },
      return_url: RETURN_URL,
      confirm: true,
    });
    const page = await (await finishFlow(await startFlow(gateway, token))).text();
    return /confirmation_handle=(cf_[A-Za-z0-9_-]{86})"/.exec(page)?.[1] ?? page;
  }

  async function send({ method, path, operation, parameters }: PlacedOperation, key?: string): Promise<Response> {
    let target = path;
    const query = new URLSearchParams();
    for (const parameter of parameters) {
      const name = textAt(parameter, 'name');
      const { example: shown = '' } = jsonAt({ parameter }, 'parameter');
      const value = made.get(name) ?? String(shown);
      if (textAt(parameter, 'in') === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
      else if (textAt(parameter, 'in') === 'query' && value !== '') query.set(name, value);
    }
    const example = jsonAt(operation, 'requestBody', 'content', 'application/json').example;
    const connected = {
      provider_config_key: 'google-drive',
      connection_id: gateway.connectionId('google-drive'),
    };
    const body = JSON.stringify(example)
      ?.replace('1//0g-example-refresh-token', refreshToken)
      .replace(/cf_A{86}/, handle)
      .replace(/b{64}/, listedTool)
      .replace('"connection_id":"user-1"', `"connection_id":"${connected.connection_id}"`)
      .replace(/"sequence":\d+/, '"sequence":0')
      .replace(EXAMPLE_ID_TOKEN, operator.idToken)
      // Nothing is dead here, and links for nobody are no links.
      .replace(/"all_dead":\{[^}]*\}/, () => `"connections":[${JSON.stringify(connected)}]`);
    return fetch(`${gateway.gateway.gatewayUrl}${target}${query.size === 0 ? '' : `?${query}`}`, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
    });
  }

  function ownOperations(): PlacedOperation[] {
    const all = operationsOf(document).filter(({ method, path }) => OWN.has(`${method} ${path}`));
    return all.filter(({ path }) => !path.startsWith('/docs')).sort((a, b) => orderOf(a) - orderOf(b));
  }

  test('says of every example what the gateway answers to it', async () => {
    const operations = ownOperations();
    expect(operations).toHaveLength(OWN.size - 2);
    for (const one of operations) {
      const name = `${one.method} ${one.path}`;
      const key = BY_OPERATOR.has(name) ? operator.accessToken : gateway.gateway.secretKey;
      const answer = await send(one, key);
      const text = await answer.text();
      const documented = jsonAt(one.operation, 'responses', String(answer.status));
      expect(answer.status, `${name}: ${text}`).toBeLessThan(300);
      const schema = jsonAt(documented, 'content', 'application/json', 'schema');
      expect(schema, `${name} has no schema for ${answer.status}`).not.toEqual({});
      const checked = checkerOf(document, schema).safeParse(JSON.parse(text));
      expect(checked.error?.issues ?? [], `${name}: ${text}`).toEqual([]);
      const madeBy = MADE_BY[name];
      if (madeBy !== undefined) made.set(madeBy, textAt(JSON.parse(text), 'data', 'id'));
    }
  });

  test('names the code of every refusal, in the documented form', async () => {
    const refusals: [code: string, key: string | undefined][] = [
      ['missing_auth_header', undefined],
      ['invalid_secret_key', 'sk_default_short'],
      ['forbidden', await keyWith(gateway, { right: 'proxy' })],
    ];
    // Any key may ask for an approval, and finds its own.
    const forKeys = (path: string, code: string) => path !== '/approvals/{approvalId}' || code !== 'forbidden';
    for (const one of ownOperations().filter(({ operation }) => listAt(operation, 'security').length > 0)) {
      for (const [code, key] of refusals.filter(([code]) => forKeys(one.path, code))) {
        const answer = await send(one, key);
        const response = resolvedResponse(document, jsonAt(one.operation, 'responses')[String(answer.status)]);
        const name = `${one.method} ${one.path}: ${code}`;
        expect(answer.headers.get('x-gateway-error'), name).toBe(code);
        expect(listAt(response, 'x-error-codes'), name).toContain(code);
        const schema = jsonAt(response, 'content', 'application/json', 'schema');
        expect(checkerOf(document, schema).safeParse(await answer.json()).error?.issues ?? [], name).toEqual([]);
      }
    }
  });

  test('names with every refusal of a method those that the path takes (RFC 9110 section 15.5.6)', async () => {
    const paths = Object.entries(jsonAt(document, 'paths')).filter(([path]) => !path.startsWith('/proxy/'));
    for (const [path, item] of paths) {
      const documented = Object.keys(jsonAt({ item }, 'item')).map((method) => method.toUpperCase());
      const other = ['PUT', 'PATCH', 'DELETE', 'POST'].filter((method) => !documented.includes(method)).at(0) ?? '';
      const url = gateway.gateway.gatewayUrl + path.replaceAll(/\{\w+\}/g, 'x');
      const { status, headers } = await fetch(url, { method: other, headers: { 'content-length': '0' } });
      const allowed = (headers.get('allow') ?? '').split(', ');
      expect([other, path, status, allowed]).toEqual([other, path, 405, expect.arrayContaining(documented)]);
    }
  });

  test('notices an answer with a member that it does not name', () => {
    const schema = { $ref: '#/components/schemas/Health' };
    expect(checkerOf(document, schema).safeParse({ status: 'ok' }).success).toBe(true);
    expect(checkerOf(document, schema).safeParse({ status: 'ok', more: 1 }).success).toBe(false);
  });

  test('the document of the running gateway can be read as a page whose one script is the gateway’s own', async () => {
    const address = `${gateway.gateway.gatewayUrl}/docs?try`;
    const answer = await fetch(address);
    const page = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect([...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target)).toEqual([
      'data:,',
      'docs/reference.js',
      'docs',
      'openapi.json',
    ]);
    const known = await fetch(address, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    expect([known.status, await known.text()]).toEqual([304, '']);
  });

  test.each([
    ['/docs', 8],
    ['/docs?try', 4],
    ['/docs/reference.js', 200],
    ['/openapi.json', 64],
  ] as const)(
    'compresses %s for clients that accept it, to less than %i KB, and sends it uncompressed to others',
    async (path, kilobytes) => {
      const packed = async (accepted: string) => {
        const answer = await fetch(gateway.gateway.gatewayUrl + path, { headers: { 'accept-encoding': accepted } });
        expect(answer.headers.get('vary')).toBe('accept-encoding');
        // fetch unpacks.
        return [answer.headers.get('content-encoding'), await answer.text()];
      };
      const [, text] = await packed('identity');
      const sent = await rawLength(gateway.gateway.gatewayUrl + path);
      expect(sent).toBeLessThan(kilobytes * 1024);
      expect(await packed('identity')).toEqual([null, text]);
      expect(await packed('gzip, br;q=0.9')).toEqual(['br', text]);
      expect(await packed('gzip, br;q=0')).toEqual(['gzip', text]);
    },
  );

  test('the document of the running gateway has a sample in three languages for every operation, whose Node form runs as it stands', async () => {
    const baseUrl = gateway.gateway.gatewayUrl;
    for (const placed of operationsOf(document)) {
      const samples = codeSamples(placed, baseUrl);
      expect(samples.map(({ label }) => label)).toEqual(['curl', 'Node', 'Python']);
    }
    const list = operationsOf(document).find(({ operation }) => textAt(operation, 'operationId') === 'listConnections');
    const source = list === undefined ? '' : (codeSamples(list, baseUrl)[1]?.source ?? '');
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], {
      env: { ...bareEnvironment(), GATEWAY_SECRET_KEY: gateway.gateway.secretKey },
    });
    expect(stdout).toMatch(/^200 \{"connections":/);
  });
});

/** Bytes of an answer as they are sent to a browser, which takes Brotli. */
function rawLength(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { 'accept-encoding': 'gzip, deflate, br' } }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.byteLength;
      });
      answer.on('end', () => resolve(bytes));
    });
    request.on('error', reject);
  });
}
