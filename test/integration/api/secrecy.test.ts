// @module-tag long
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAssembly } from '../../../dev/local/template/read-stack.ts';
import { ensureAssembly } from '../../../dev/tools/assembly.ts';
import { FUNCTION_NAMES } from '../../../lambdas/gateway/core/contract.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { Canaries } from './secrecy/canaries.ts';
import { stored } from './secrecy/stored.ts';
import { startTokenRecorder, type TokenRecorder } from './secrecy/token-recorder.ts';
import {
  connect,
  failCalls,
  failFlows,
  failManagement,
  failRefreshes,
  makeIntegration,
  type Walk,
} from './secrecy/walk.ts';

/** Members of requests to and answers of the token endpoint that are secrets. */
const TOKEN_SECRETS = new Map([
  ['code', 'code'],
  ['code_verifier', 'verifier'],
  ['refresh_token', 'refresh token'],
  ['access_token', 'access token'],
  ['id_token', 'ID token'],
]);
const CONNECTIONS = 24;

describe('a whole walk with canaries for secrets', () => {
  let gateway: TestGateway;
  let recorder: TokenRecorder;
  let upstream: ScriptedUpstream;
  const canaries = new Canaries();
  const failures: string[] = [];
  beforeAll(async () => {
    recorder = await startTokenRecorder();
    upstream = await startScriptedUpstream();
    gateway = await startTestGateway({
      seed: false,
      environmentOverrides: { GOOGLE_TOKEN_ENDPOINT: recorder.url, GOOGLE_API_BASE_URL: upstream.origin },
    });
    recorder.forwardTo(gateway.gateway.simulator?.endpoints.token_endpoint ?? '');
    canaries.add('secret key', gateway.gateway.secretKey);
    const walk: Walk = { gateway, canaries, upstream, failures };
    await makeIntegration(walk);
    const connected: string[] = [];
    for (let i = 0; i < CONNECTIONS; i++) connected.push(await connect(walk));
    const [first = '', second = ''] = connected;
    await failFlows(walk);
    await failCalls(walk, first);
    await failManagement(walk);
    await failRefreshes(walk, first, second);
    for (const { name, value } of recorder.seen) {
      const known = TOKEN_SECRETS.get(name);
      if (known !== undefined) canaries.add(known, value);
    }
    await gateway.gateway.waitForEvent((event) => event['detail-type'] === 'ConnectionReauthorizationRequired');
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await recorder?.[Symbol.asyncDispose]();
    await upstream?.[Symbol.asyncDispose]();
  });

  test('holds every kind of secret, and notices one that stands anywhere', () => {
    expect(canaries.names()).toEqual(
      expect.arrayContaining([
        ...TOKEN_SECRETS.values(),
        'client secret',
        'cookie',
        'secret key',
        'session token',
        'state',
        'upload id',
      ]),
    );
    expect(canaries.all.length).toBeGreaterThan(200);
    const one = canaries.all.find(({ name }) => name === 'verifier');
    const value = one?.value ?? '';
    expect(canaries.piecesIn(`x${value.slice(3, 11)}x`)).toEqual(['verifier']);
    expect(canaries.formsIn(Buffer.from(`"${value}"`).toString('base64'))).toEqual(['verifier']);
    expect(canaries.formsIn(Buffer.from(value).toString('hex'))).toEqual(['verifier']);
    expect(() => canaries.add('state', crypto.randomUUID())).toThrow('state is a UUID');
  });

  test.each<[string, () => string]>([
    [
      'what the functions logged, metrics included',
      () =>
        gateway.gateway
          .logs()
          .map(({ text }) => text)
          .join('\n'),
    ],
    ['the events on the bus', () => JSON.stringify(gateway.gateway.events)],
    ['the bodies of failures', () => failures.join('\n')],
  ])('LG-1: %s hold none of them, nor eight characters, nor an address', (_, read) => {
    const text = read();
    expect(text.length).toBeGreaterThan(1000);
    expect(canaries.piecesIn(text)).toEqual([]);
    expect(text).not.toMatch(/canary\.person|first\.user(@|%40)example/i);
  });

  test('LG-1: the walk has made the functions log failures of every kind', () => {
    const text = gateway.gateway
      .logs()
      .map(({ text: line }) => line)
      .join('\n');
    expect(text).toContain('request failed');
    expect(text).toContain('_aws');
    expect(failures.length).toBeGreaterThan(20);
  });

  test('CR-4, I6: nothing stored holds one, plain or encoded', () => {
    const parts = stored(gateway.gateway.dataDir);
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['events.jsonl', 'dynamodb.sqlite', 'rows']));
    expect(parts.find(({ name }) => name === 'rows')?.text).toContain('encryptedRefreshToken');
    for (const { name, text } of parts) expect(canaries.formsIn(text), name).toEqual([]);
  });

  test('RI-14: nothing stored or logged holds the first characters of a refresh token, by which Google names it', () => {
    const prefixes = recorder.seen
      .filter(({ name }) => name === 'refresh_token')
      .map(({ value }) => value.slice(0, 16));
    expect(prefixes.length).toBeGreaterThan(CONNECTIONS);
    const beginnings = new Canaries();
    for (const prefix of prefixes) beginnings.add('first characters', prefix, 'whole');
    const parts = stored(gateway.gateway.dataDir);
    expect(parts.find(({ name }) => name === 'rows')?.text).toContain('tokenPrints');
    for (const { name, text } of parts) expect(beginnings.formsIn(text), name).toEqual([]);
  });

  test('CR-4: no setting of a function holds one: the template knows none, and the environment is the template’s', async () => {
    const stack = await readAssembly(await ensureAssembly({ mode: 'reuse', step: (_name, work) => work() }));
    expect(stack.functions).toHaveLength(FUNCTION_NAMES.length);
    const settings = JSON.stringify(stack.functions.map(({ environment }) => environment));
    expect(settings).toContain(gateway.gateway.tableName);
    expect(canaries.formsIn(settings)).toEqual([]);
    for (const name of ['*_SECRET', '*_TOKEN', '*PASSWORD*', '*SECRET_KEY']) {
      const form = new RegExp(`^${name.replaceAll('*', '.*')}$`);
      expect(
        stack.functions.flatMap(({ environment }) => Object.keys(environment).filter((key) => form.test(key))),
      ).toEqual([]);
    }
  });

  test('CR-4: no function can leave one in its scratch folder: their own code reads files of the bundle and writes none', () => {
    const folder = join(import.meta.dirname, '..', '..', '..', 'lambdas');
    const files = globSync('**/*.ts', { cwd: folder });
    const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
    expect(files.length).toBeGreaterThan(200);
    const touching = files.filter((file) => /['"](node:)?(fs|fs\/promises|sqlite)['"]|\/tmp\b/.test(textOf(file)));
    expect(touching).toEqual([join('gateway', 'platform', 'built-file.ts')]);
    expect(textOf(touching[0] ?? '').match(/^import (?!type ).*$/gm)).toEqual([
      "import { readFile } from 'node:fs/promises';",
    ]);
  });
});
