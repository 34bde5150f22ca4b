// @module-tag long
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareEnvironment } from '../../support/command-line.ts';
import { finishFlow, startFlow } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { differences, namedBlock, parseShown } from '../../support/http-blocks.ts';
import { pathWithCurl } from '../../support/small-curl/path.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/first-call.md'), 'utf8');
const TSC = join(ROOT, 'node_modules/.bin/tsc');
const FILES = /^(\S{20,} .+\n){3}$/;

/** What each named snippet of the page prints, in the page's order. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  key: /^$/,
  connect: /^http\S+#session_token=\S+\nConnected\t\S+\nIntegration\tgoogle-drive\n$/,
  curl: /"files": \[[\s\S]*"name": "/,
  'first-call.ts': FILES,
  'connect-user.ts': /^(http\S+\/connect#session_token=cs_\S+|connected as [\w-]{20,})\n$/,
  'handle-errors.ts': /^Google said 404: notFound\n$/,
  check: /Works\tyes/,
  'end-grant': /user_revoked/,
};

/** Code blocks of the page that have a name, as `bash curl` or `ts first-call.ts`. */
function snippets(): Map<string, string> {
  const blocks = PAGE.matchAll(/^```(?:bash|ts) (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]));
}

describe('docs/first-call.md, walked as it is written', () => {
  let gateway: TestGateway;
  let app: string;
  let environment: Record<string, string>;
  const code = snippets();
  beforeAll(async () => {
    gateway = await startTestGateway();
    app = mkdtempSync(join(tmpdir(), 'first-call-'));
    layApp(app);
    const PATH = `${join(ROOT, 'node_modules/.bin')}:${pathWithCurl()}`;
    environment = { ...bareEnvironment(), PATH, HOME: app };
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    if (app !== undefined) rmSync(app, { recursive: true, force: true });
  });

  /** The page's own text, but for the port and the data folder, which belong to this test alone. */
  function here(script: string): string {
    const command = `node ${join(ROOT, 'packages/cli/cli.ts')} --data ${gateway.gateway.dataDir}`;
    return script
      .replaceAll('http://127.0.0.1:3000', gateway.gateway.gatewayUrl)
      .replaceAll('.gateway/local.json', join(gateway.gateway.dataDir, 'local.json'))
      .replaceAll('npm run --silent gateway --', command)
      .replaceAll('npm run --silent restore --', `${command} restore`);
  }

  function start(name: string): ChildProcess {
    const snippet = code.get(name) ?? '';
    if (!name.endsWith('.ts')) return spawn('bash', ['-euc', here(snippet)], { cwd: app, env: environment });
    writeFileSync(join(app, name), snippet);
    return spawn('node', [name], { cwd: app, env: environment });
  }

  async function run(name: string): Promise<string> {
    const child = start(name);
    if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
    const [out, err, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect({ name, exit, err: exit === 0 ? '' : err }).toEqual({ name, exit: 0, err: '' });
    expect(out, name).toMatch(PRINTS[name] ?? /^never$/);
    return out;
  }

  /** Opens a connect link as a browser does. */
  async function open(link: string, account: string): Promise<void> {
    const token = link.split('#session_token=')[1]?.trim() ?? '';
    const page = await finishFlow(await startFlow(gateway, token, 'google-drive'), { account });
    expect(page.status).toBe(200);
  }

  test('every named snippet is walked', () => {
    expect([...code.keys()]).toEqual(Object.keys(PRINTS));
  });

  test('a key is made for the app', async () => {
    const script = `${here(code.get('key') ?? '')}\nprintf '%s\\n%s' "$GATEWAY_BASE_URL" "$GATEWAY_SECRET_KEY"`;
    const child = spawn('bash', ['-euc', script], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
    const shown = await text(child.stdout);
    const [url = '', secretKey = ''] = shown.split('\n');
    expect(secretKey).toMatch(/^sk_default_/);
    environment = { ...environment, GATEWAY_BASE_URL: url, GATEWAY_SECRET_KEY: secretKey };
  });

  test('a user connects through the printed link', async () => {
    const child = start('connect');
    if (child.stdout === null) throw new Error('no pipe');
    const ended = once(child, 'close');
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (lines.length === 1) await open(line, 'editor@workspace.example');
    }
    expect(await ended).toEqual([0, null]);
    const out = `${lines.join('\n')}\n`;
    expect(out).toMatch(PRINTS.connect ?? /^never$/);
    const connectionId = /^Connected\t(\S+)$/m.exec(out)?.[1] ?? '';
    environment = { ...environment, CONNECTION_ID: connectionId };
  });

  test.each(['curl', 'first-call.ts', 'handle-errors.ts', 'check'])('%s works', async (name) => {
    await run(name);
  });

  test('its programs compile in strict TypeScript', () => {
    const programs = [...code].filter(([name]) => name.endsWith('.ts'));
    for (const [name, program] of programs) writeFileSync(join(app, name), program);
    symlinkSync(join(ROOT, 'node_modules/@types'), join(app, 'node_modules/@types'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node'];
    const { status, stdout } = spawnSync(TSC, [...options, ...programs.map(([name]) => name)], { cwd: app });
    expect({ status, printed: String(stdout) }).toEqual({ status: 0, printed: '' });
  });

  test('README.md: its first call answers as shown', async () => {
    const filled = here(namedBlock('README.md', 'bash call'))
      .replace('sk_default_…', environment.GATEWAY_SECRET_KEY ?? '')
      .replace("'Connection-Id: …'", `'Connection-Id: ${environment.CONNECTION_ID}'`);
    const child = spawn('bash', ['-euc', filled], { cwd: app, env: environment });
    const shown = parseShown(namedBlock('README.md', 'json answer'));
    expect(differences(shown, JSON.parse(await text(child.stdout)), new Map())).toEqual([]);
  });

  test('the app connects its own users', async () => {
    const link = await run('connect-user.ts');
    expect(link).toMatch(/^http/);
    await open(link, 'second.user@example.com');
    expect(await run('connect-user.ts')).toMatch(/^connected as /);
  });

  test('a grant that ends is distinguished, with a link that fixes it', async () => {
    await run('end-grant');
    // The grants of other accounts are what they were.
    const others = await gateway.proxy('google-drive', '/drive/v3/files?pageSize=1');
    expect(others.status).toBe(200);
    const handled = start('handle-errors.ts');
    if (handled.stdout === null) throw new Error('no pipe');
    expect(await text(handled.stdout)).toMatch(/^Ask the user .*connect again.*\nhttp\S+#session_token=cs_\S+\n$/);
  });

  test('operations.md: backup and restore are practised as written', async () => {
    const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    const [, script = ''] = /^```bash restore\n([\s\S]*?)^```$/m.exec(page) ?? [];
    // Instead of the connection that the first line makes, one that was there from the start.
    const [connect, ...commands] = script.trim().split('\n');
    expect(connect).toMatch(/ connect google-drive /);
    const child = spawn('bash', ['-euc', here(commands.join('\n'))], {
      cwd: app,
      env: { ...environment, CONNECTION_ID: gateway.connectionId('google-drive') },
    });
    expect(await text(child.stdout)).toMatch(
      /Would restore[\s\S]*connections\t1 deleted[\s\S]*Restored[\s\S]*connections\t1 deleted[\s\S]*Works\tyes/,
    );
  });
});

/** An app's folder with the built client library, as `npm install` would lay them. */
function layApp(app: string): void {
  const scope = join(app, 'node_modules/@integration-gateway');
  mkdirSync(scope, { recursive: true });
  cpSync(join(ROOT, 'packages/client/package.json'), join(scope, 'client/package.json'), { recursive: true });
  execFileSync(TSC, ['-p', join(ROOT, 'packages/client/tsconfig.json'), '--outDir', join(scope, 'client/dist')]);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'my-app', private: true, type: 'module' }));
}
