// @module-tag long
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { textConsole } from '../../dev/local/console.ts';
import { FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';
import { useProxyGateway } from '../support/use-gateway.ts';
import { runs, until } from '../unit/local/fixtures/gateway.ts';

const PROJECT = join(import.meta.dirname, '../..');
const root = copyOfSources();
const written: string[] = [];

const proxied = useProxyGateway({
  watch: { root },
  inspect: ['management'],
  console: textConsole((text) => written.push(text), false),
});
beforeEach(() => {
  written.length = 0;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Sources of the functions and what their build needs, where tests may edit them. */
function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-watch-'));
  cpSync(join(PROJECT, 'lambdas'), join(folder, 'lambdas'), { recursive: true });
  mkdirSync(join(folder, 'dev/tools'), { recursive: true });
  cpSync(join(PROJECT, 'dev/tools/api-document.ts'), join(folder, 'dev/tools/api-document.ts'));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Edits a source of the copy. @returns what puts it back as it was */
function edit(path: string, from: string | RegExp, to: string): () => void {
  const file = join(root, path);
  const before = readFileSync(file, 'utf8');
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${path} has no ${from}`);
  writeFileSync(file, after);
  return () => writeFileSync(file, before);
}

function told(): string {
  return written.filter((line) => line.startsWith('[watch]')).join('');
}

async function untilTold(what: RegExp | string): Promise<void> {
  const isThere = () => (typeof what === 'string' ? told().includes(what) : what.test(told()));
  await until(`the watch to tell ${what}`, isThere, 60_000);
}

function processesOf(name: string): number[] {
  const all = proxied.test.gateway.children().filter(({ functionName }) => functionName === name);
  return all.map(({ pid }) => pid);
}

/** The error that a function returns to a call without a key. */
async function refusal(path: string): Promise<string> {
  const answer = await fetch(proxied.test.gateway.gatewayUrl + path);
  return (await answer.json()).error.message;
}

const KEY_RULES = 'lambdas/gateway/keys/credentials.rules.ts';

describe('a gateway that watches its sources', () => {
  it('answers by an edited file in every function that reads it, and lets a call under way finish in the process before', async () => {
    const { upstream, test } = proxied;
    const held = Promise.withResolvers<void>();
    upstream.answer(async (_request, response) => {
      await held.promise;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"from":"before"}');
    });
    const call = test.proxy('google-drive', '/drive/v3/files');
    await until('the call to be under way', () => upstream.requests.length === 1);
    expect(await refusal('/proxy/drive/v3/files')).toContain('Send the secret key');
    await fetch(`${test.gateway.gatewayUrl}/healthz`);
    const [proxyBefore, inspectedBefore] = [processesOf('proxy'), processesOf('management')];
    edit(KEY_RULES, "'Send the secret key as", "'EDITED: send the secret key as");
    await untilTold(
      /proxy.*management.*: built in \d+ ms, in place after \d+ ms \(lambdas\/gateway\/keys\/credentials/,
    );
    expect(await refusal('/proxy/drive/v3/files')).toContain('EDITED');
    // The process that is at work continues; the idle ones are replaced.
    await until('the idle process to end', () => proxyBefore.filter(runs).length === 1);
    expect(processesOf('proxy').filter((pid) => !proxyBefore.includes(pid))).toHaveLength(1);
    await until('the processes of the others to end', () => inspectedBefore.every((pid) => !runs(pid)));
    held.resolve();
    const answer = await call;
    expect([answer.status, await answer.json()]).toEqual([200, { from: 'before' }]);
    await until('the process of before to end', () => proxyBefore.every((pid) => !runs(pid)));
  });

  it('rebuilds no function that does not read the file', async () => {
    const others = processesOf('proxy');
    edit(
      'lambdas/management/routes/health.ts',
      "body: { status: 'ok' } }),",
      "body: { status: 'ok', edited: 1 } as never }),",
    );
    await untilTold(/\[watch\] management: built in \d+ ms/);
    expect(await (await fetch(`${proxied.test.gateway.gatewayUrl}/healthz`)).json()).toEqual({
      status: 'ok',
      edited: 1,
    });
    expect(processesOf('proxy').filter((pid) => !others.includes(pid))).toEqual([]);
  });

  it('shows where a source is wrong and continues with the last good bundle', async () => {
    const words = await refusal('/proxy/drive/v3/files');
    const undo = edit('lambdas/proxy/inner-door.ts', /^/, 'const = 3;\n');
    await untilTold(
      '[watch] proxy cannot be built; the last good bundle continues:\n    lambdas/proxy/inner-door.ts:1:7: Expected identifier but found "="',
    );
    expect(told()).not.toContain('in place');
    expect(await refusal('/proxy/drive/v3/files')).toBe(words);
    undo();
    await untilTold('[watch] proxy: built in');
    expect(await refusal('/proxy/drive/v3/files')).toBe(words);
  });

  it('keeps the processes of before where the new bundle does not start', async () => {
    await until('one process', () => processesOf('management').length === 1);
    const before = processesOf('management');
    const undo = edit(
      'lambdas/management/handler.ts',
      'export const handler',
      "throw new Error('on purpose');\nexport const handler",
    );
    await untilTold(/management cannot start with the new bundle; the last good bundle continues:\n.*on purpose/);
    expect((await fetch(`${proxied.test.gateway.gatewayUrl}/healthz`)).status).toBe(200);
    expect(processesOf('management').filter((pid) => before.includes(pid))).toEqual(before);
    undo();
    await untilTold('management: built in');
  });

  it('takes over the API’s document and the scripts of pages, whose sources no function runs', async () => {
    const { gatewayUrl } = proxied.test.gateway;
    edit('lambdas/management/routes/health.ts', 'Check that the gateway answers', 'EDITED summary');
    edit('lambdas/connect/browser/connect-page.ts', /$/, "\ndocument.title = 'EDITED title';\n");
    await untilTold(/connect, management: built in/);
    expect(await (await fetch(`${gatewayUrl}/openapi.json`)).text()).toContain('EDITED summary');
    expect(await (await fetch(`${gatewayUrl}/connect`)).text()).toContain('EDITED title');
  });

  it('asks for a restart where the stack or the local runtime changed, and for nothing where nobody reads a file', async () => {
    mkdirSync(join(root, 'lib'));
    writeFileSync(join(root, 'lib/gateway-stack.ts'), '');
    await untilTold('lib/gateway-stack.ts changed. A running gateway cannot take that over: restart npm start.');
    writeFileSync(join(root, 'lambdas/gateway/core/unread.ts'), 'export {};');
    await untilTold('lambdas/gateway/core/unread.ts changed, which no bundle reads.');
    expect(told()).not.toContain('built in');
  });

  it('keeps of each function the bundle that runs and at most the one before it', () => {
    const names = readdirSync(join(proxied.test.gateway.dataDir, 'bundles')).map((name) => name.split('.')[0]);
    expect(new Set(names).size).toBe(FUNCTION_NAMES.length);
    for (const name of FUNCTION_NAMES) expect(names.filter((one) => one === name).length, name).toBeLessThanOrEqual(2);
  });
});

describe('an inspected function', () => {
  /** What a debugger reads of the process that it is attached to at the function's port. */
  async function evaluate(expression: string): Promise<unknown> {
    const [inspector] = proxied.test.gateway.inspectors;
    const targets = await (await fetch(`http://127.0.0.1:${inspector?.port}/json/list`)).json();
    const address: string = targets[0].webSocketDebuggerUrl;
    expect(address).toContain(`127.0.0.1:${inspector?.port}/`);
    const socket = new WebSocket(address);
    await once(socket, 'open');
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
    const [message] = await once(socket, 'message');
    socket.close();
    return JSON.parse(message.data).result.result.value;
  }

  it('lets a debugger attach at a port that leads to the newest process, instead of the one before too', async () => {
    expect(proxied.test.gateway.inspectors).toEqual([{ functionName: 'management', port: expect.any(Number) }]);
    expect(await evaluate('process.env._HANDLER')).toBe('index.handler');
    const first = await evaluate('process.pid');
    expect(processesOf('management')).toEqual([first]);
    edit('lambdas/management/handler.ts', /$/, '\n// edited\n');
    await untilTold('management: built in');
    const second = await evaluate('process.pid');
    expect(second).not.toBe(first);
    expect(processesOf('management')).toContain(second);
  });

  it('runs a bundle with its own names and lines, whose map leads to the sources', () => {
    const folder = join(proxied.test.gateway.dataDir, 'bundles');
    const name = readdirSync(folder).find((one) => one.startsWith('management.')) ?? '';
    expect(readFileSync(join(folder, name, 'index.mjs'), 'utf8')).toContain('routes: MANAGEMENT_ROUTES');
    const map: { sources: string[] } = JSON.parse(readFileSync(join(folder, name, 'index.mjs.map'), 'utf8'));
    const sources = map.sources
      .filter((source) => source.includes('/lambdas/'))
      .map((source) => resolve(folder, name, source));
    expect(sources).toContain(join(root, 'lambdas/management/handler.ts'));
    expect(sources.filter((source) => !existsSync(source))).toEqual([]);
  });
});
