// @module-tag long
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientPackage } from '../../../dev/tools/release/client.ts';
import { packPackage } from '../../../dev/tools/release/pack.ts';
import { json, raw, SECRET_KEY, testStub } from './stub.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CLIENT = join(ROOT, 'packages', 'client');
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc');
const run = promisify(execFile);

const stub = testStub();
let folder: string;
let project: string;

/** Offline, with a cache of its own, and without what the surrounding npm run put into the environment. */
function npm(args: readonly string[], cwd: string) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    npm_config_cache: join(folder, 'cache'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  return run('npm', [...args, '--no-audit', '--no-fund'], { cwd, env });
}

/** The compiler in the project that uses the library, as strict as it gets. */
function tsc(args: readonly string[]) {
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022'];
  return run(TSC, [...flags, ...args], { cwd: project });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-package-'));
  project = join(folder, 'project');
  mkdirSync(project);
  const archive = await packPackage(clientPackage, folder);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  await npm(['install', archive], project);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Methods of the classes that a client is made of, with their doc comments. */
function publicMethods(): { readonly name: string; readonly doc: string }[] {
  const source = join(CLIENT, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(gateway-client|(management|features)\/.*)\.ts$/.test(name),
  );
  return files.flatMap((file) => {
    // Methods that a feature adds to `client.keys` are those of an interface.
    const [, owner, text = ''] =
      /^export (?:class|interface(?= \w+Keys )) (\w+)[^\n{]* \{\n(.*?)^\}/ms.exec(
        readFileSync(join(source, file), 'utf8'),
      ) ?? [];
    if (owner === undefined) return [];
    const methods = text.matchAll(
      /( {2}\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)? {2}(?:async )?\*?([a-z]\w*)(?:<[^\n]*>)?\((?![^\n]*=>)/g,
    );
    return [...methods]
      .map(([, doc = '', name = '']) => ({ name: `${owner}.${name}`, doc }))
      .filter(({ name }) => !/\.(constructor|super|if|for|return|while|switch)$/.test(name));
  });
}

describe('the packed library', () => {
  it('holds the build, README, licence and nothing else, and installs without dependencies', () => {
    const installed = join(project, 'node_modules', '@integration-gateway', 'client');
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@integration-gateway',
    ]);
    const sources = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.js') && !name.startsWith('commonjs'),
    );
    expect(sources.length).toBeGreaterThan(20);
    for (const name of sources)
      expect(readFileSync(join(installed, 'dist', name), 'utf8')).not.toMatch(/from '(?!\.)|require\(|\.ts'/);
  });

  it('the packed library cannot be packed from the sources, which have no build', async () => {
    await expect(npm(['pack', '--dry-run'], CLIENT)).rejects.toThrow('Invalid package, must have name and version');
  });

  it('the packed library is CommonJS for who requires it', async () => {
    const code = "const { GatewayClient } = require('@integration-gateway/client'); console.log(typeof GatewayClient);";
    writeFileSync(join(project, 'required.cjs'), code);
    // Node 22 and later require ES modules as well: the condition must be met without that.
    const { stdout } = await run(process.execPath, ['--no-require-module', 'required.cjs'], { cwd: project });
    expect(stdout).toBe('function\n');
  });

  it('runs', async () => {
    stub.answer((request, response) =>
      (request.method === 'GET' ? json(200, { files: [{ id: 'a' }, { id: 'b' }] }) : raw(204, undefined))(
        request,
        response,
      ),
    );
    writeFileSync(
      join(project, 'run.js'),
      `import { GatewayClient, ProviderError } from '@integration-gateway/client';
const client = new GatewayClient({ baseUrl: process.env.BASE_URL, secretKey: process.env.SECRET_KEY });
const connection = { providerConfigKey: 'google-drive', connectionId: 'user-1' };
const ids = [];
for await (const { id } of client.items({ ...connection, endpoint: '/drive/v3/files' })) ids.push(id);
const { status } = await client.delete({ ...connection, endpoint: '/drive/v3/files/a' });
console.log(JSON.stringify({ ids, status, error: typeof ProviderError }));
`,
    );
    const { stdout } = await run(process.execPath, ['run.js'], {
      cwd: project,
      env: { BASE_URL: stub.baseUrl, SECRET_KEY },
    });
    expect(JSON.parse(stdout)).toEqual({ ids: ['a', 'b'], status: 204, error: 'function' });
  });

  it('compiles every snippet of its README', async () => {
    const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
    const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
    expect(snippets.length).toBeGreaterThan(6);
    writeFileSync(join(project, 'readme.ts'), snippets.join('\n'));
    symlinkSync(join(ROOT, 'node_modules', '@googleapis'), join(project, 'node_modules', '@googleapis'));
    const types = ['--typeRoots', join(ROOT, 'node_modules', '@types'), '--types', 'node', '--skipLibCheck'];
    await expect(tsc([...types, 'readme.ts'])).resolves.toMatchObject({ stdout: '' });
  });

  it('compiles an example of every public method', async () => {
    const examples = publicMethods().map(({ name, doc }) => {
      const code = doc
        .split('@example\n')[1]
        ?.replace(/^ *\* ?/gm, '')
        .replace(/\/\s*$/, '');
      if (code === undefined) throw new Error(`${name} has no example`);
      return `export async function example${name.replace('.', '_')}() {\n${code}\n}`;
    });
    expect(examples.length).toBeGreaterThan(60);
    const given = `import { GatewayClient } from '@integration-gateway/client';
const client = new GatewayClient({ baseUrl: 'https://gateway.example', secretKey: 'sk_x' });
const connection = { providerConfigKey: 'google-drive', connectionId: 'user-1' };
`;
    writeFileSync(join(project, 'examples.ts'), given + examples.join('\n'));
    await expect(tsc(['--types', '', '--skipLibCheck', 'examples.ts'])).resolves.toMatchObject({ stdout: '' });
  });

  it('brings types that a strict project takes without Node’s own', async () => {
    writeFileSync(
      join(project, 'check.ts'),
      `import { GatewayClient, type Integration } from '@integration-gateway/client';
const client = new GatewayClient({ baseUrl: 'https://gateway.example', secretKey: 'sk_x' });
export const list = (): Promise<Integration[]> => client.integrations.list();
export const text = async (): Promise<string> =>
  (await client.get({ endpoint: '/drive/v3/files', providerConfigKey: 'a', connectionId: 'b', responseType: 'text' })).data;
`,
    );
    await expect(tsc(['--lib', 'es2022,dom', '--types', '', 'check.ts'])).resolves.toMatchObject({ stdout: '' });
  });
});
