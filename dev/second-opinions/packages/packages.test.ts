/**
 * Each archive of a release as a stranger meets it: installed from the archive into an empty folder, with compilers, a test runner,
 * a bundler and a CDK app from the registry. Nothing of the project is in reach of what runs there.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { capture } from '../../tools/installed-programs.ts';
import { lowestNodes } from '../../tools/release/launcher.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { nodeProgram } from './nodes.ts';
import versions from './versions.json' with { type: 'json' };

const execute = promisify(execFile);
const COMMAND_TIMEOUT_MS = 600_000;
const RELEASE = join(PROJECT_ROOT, 'dist', 'release');
const root = mkdtempSync(join(tmpdir(), 'gateway-packages-'));
/** One for all folders, so that the registry is asked for each package once. */
const CACHE = join(root, 'cache');

/** The environment without the variables that npm sets for its scripts, and without the project's programs on the path. */
const OUTSIDE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      // How the registry is reached is the computer's business, the rest the project's.
      value === undefined || (/^npm_/i.test(name) && !/^npm_config_(?:registry|userconfig|cafile|.*proxy)$/i.test(name))
        ? []
        : [[name, value]],
    ),
  ),
  PATH: [
    dirname(process.execPath),
    ...(process.env.PATH ?? '').split(':').filter((one) => !one.startsWith(PROJECT_ROOT)),
  ].join(':'),
  npm_config_update_notifier: 'false',
  CI: 'true',
};

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a program with nothing of the project on its path. @throws Error with all that it said */
async function run(folder: string, command: string, ...args: string[]): Promise<string> {
  const env = { ...OUTSIDE, PATH: `${join(folder, 'node_modules', '.bin')}:${OUTSIDE.PATH}`, npm_config_cache: CACHE };
  try {
    const options = { cwd: folder, env, timeout: COMMAND_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
    return (await execute(command, args, options)).stdout;
  } catch (error) {
    const { stdout, stderr } = Object.assign({ stdout: '', stderr: '' }, error);
    throw new Error(`${command} ${args.join(' ')}:\n${String(stdout)}\n${String(stderr)}`.slice(0, 6000));
  }
}

/** The archive of a part of the release. */
function archive(part: string): string {
  const name = readdirSync(RELEASE).find((file) => file.startsWith(`integration-gateway-${part}-`));
  if (name === undefined) throw new Error(`The release has no archive of ${part}.`);
  return join(RELEASE, name);
}

/** An empty folder with packages installed. @param type that of its package.json */
async function emptyProject(name: string, packages: readonly string[], type = 'commonjs'): Promise<string> {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, type }));
  if (packages.length > 0) await run(folder, 'npm', 'install', '--no-audit', '--no-fund', ...packages);
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A folder with every version of TypeScript: what is compiled is installed once, and not for each of them. */
let compilers: string;

beforeAll(async () => {
  await execute('npm', ['run', 'release', '--', '--preview'], { cwd: PROJECT_ROOT, maxBuffer: 64 * 1024 * 1024 });
  const wanted = versions.typescript.map((version) => `${compilerName(version)}@npm:typescript@${version}`);
  compilers = await emptyProject('compilers', wanted);
});

function compilerName(version: string): string {
  return `typescript-${version.replaceAll('.', '-')}`;
}

/** Compiles in a folder that holds no compiler. @returns what the compiler says */
async function compile(version: string, project: string, ...args: string[]): Promise<string> {
  const compiler = join(compilers, 'node_modules', compilerName(version));
  const manifest = z
    .looseObject({ version: z.literal(version), bin: z.looseObject({ tsc: z.string() }) })
    .parse(JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')));
  return run(project, process.execPath, join(compiler, manifest.bin.tsc), ...args);
}

describe('the release', () => {
  test('has a checksum of each of its files, which sha256sum agrees with', async () => {
    const said = await run(RELEASE, 'sha256sum', '--check', 'SHA256SUMS');
    const named = said.trim().split('\n');
    expect(named.every((line) => line.endsWith(': OK'))).toBe(true);
    expect(named.map((line) => line.replace(/: OK$/, '')).toSorted()).toEqual(
      readdirSync(RELEASE)
        .filter((name) => name !== 'SHA256SUMS')
        .toSorted(),
    );
  });

  test('lists its packages in CycloneDX', () => {
    const sbom = JSON.parse(readFileSync(join(RELEASE, 'sbom.json'), 'utf8'));
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX' });
  });
});

/** A use of the client's types that goes wrong where they come out as any. */
const CLIENT_USE = `import { GatewayClient, GatewayError, googleAuth, type ConnectionRef } from '@integration-gateway/client';
import { connect } from '@integration-gateway/client/browser';

const client = new GatewayClient({ baseUrl: 'https://gateway.example.com/v1', secretKey: 'sk_x' });
export const connection: ConnectionRef = { providerConfigKey: 'google-drive', connectionId: 'c' };
export async function names(): Promise<string[]> {
  const { data } = await client.get<{ files: { name: string }[] }>({ ...connection, endpoint: '/drive/v3/files' });
  return data.files.map(({ name }) => name);
}
export const remedy = (error: unknown) => (error instanceof GatewayError ? error.connection?.remedy : undefined);
// @ts-expect-error a connection has an id
export const wrong: ConnectionRef = { providerConfigKey: 'google-drive' };
export { connect, googleAuth };
`;

/** Streams in and out, read with the libraries of a compiler that does not know that streams can be iterated. */
const STREAM_USE = `import { type BodyStream, GatewayClient } from '@integration-gateway/client';

const client = new GatewayClient({ baseUrl: 'https://gateway.example.com/v1', secretKey: 'sk_x' });
const connection = { providerConfigKey: 'google-drive', connectionId: 'c' };
const upload = { ...connection, endpoint: '/upload/drive/v3/files', contentType: 'text/plain' };
export async function copy(file: Blob): Promise<number> {
  const { data } = await client.get({ ...connection, endpoint: '/drive/v3/files/1?alt=media', responseType: 'stream' });
  let bytes = 0;
  for await (const chunk of data) bytes += chunk.byteLength;
  await client.uploadFile({ ...upload, body: file.stream() });
  await client.uploadFile({ ...upload, body: data.pipeThrough(new TransformStream<Uint8Array, Uint8Array>()) });
  await client.uploadFile({ ...upload, body: data });
  const { body } = await fetch('https://example.com/');
  if (body !== null) await client.post({ ...upload, headers: { 'content-type': 'text/plain' }, data: body });
  return bytes + (await new Response(data).text()).length;
}
export const first = async (stream: BodyStream): Promise<number | undefined> => (await stream.getReader().read()).value?.length;
// @ts-expect-error an upload takes bytes
export const wrong = (body: ReadableStream<number>) => client.uploadFile({ ...upload, body });
`;

describe('the client library', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await emptyProject('client', [archive('client')]);
  });

  test('brings nothing with it', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@integration-gateway',
    ]);
  });

  test.each(lowestNodes('packages/client'))(
    'calls from an ES module and from CommonJS on Node %s, the lowest it promises',
    async (version) => {
      const oldest = await nodeProgram(version);
      const use = `const server = require('node:http').createServer((request, response) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ files: [{ name: request.url }] })));
server.listen(0, '127.0.0.1', async () => {
  const client = new GatewayClient({ baseUrl: 'http://127.0.0.1:' + server.address().port, secretKey: 'sk_x' });
  const { data } = await client.get({ providerConfigKey: 'd', connectionId: 'c', endpoint: '/drive/v3/files' });
  console.log(process.version, data.files[0].name);
  server.close();
  server.closeAllConnections();
});`;
      write(folder, {
        'use.mjs': `import { createRequire } from 'node:module';
import { GatewayClient } from '@integration-gateway/client';
const require = createRequire(import.meta.url);
${use}`,
        'use.cjs': `const { GatewayClient } = require('@integration-gateway/client');\n${use}`,
      });
      for (const file of ['use.mjs', 'use.cjs']) {
        expect(await run(folder, oldest, file)).toBe(`v${version} /proxy/drive/v3/files\n`);
        expect(await run(folder, process.execPath, file)).toMatch(/^v24\S+ /);
      }
    },
  );

  describe.each(versions.typescript)('with TypeScript %s', (version) => {
    beforeAll(() => write(folder, { 'use.ts': CLIENT_USE, 'use.mts': CLIENT_USE }));

    test.each([
      ['node16', 'node16', ['use.ts', 'use.mts']],
      ['nodenext', 'nodenext', ['use.ts']],
      ['esnext', 'bundler', ['use.ts']],
    ])('compiles with module %s, resolution %s: %s', async (module, resolution, files) => {
      const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
      const args = [...flags.slice(0, -2), '--module', module, '--moduleResolution', resolution, ...files];
      expect(await compile(version, folder, ...args)).toBe('');
    });

    test.each(['nodenext', 'bundler'])(
      'streams compile under lib dom, esnext with resolution %s',
      async (resolution) => {
        const settings = {
          ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
          ...{ target: 'esnext', lib: ['dom', 'esnext'], types: [] },
          ...{ module: resolution === 'bundler' ? 'esnext' : resolution, moduleResolution: resolution },
        };
        write(folder, {
          'streams.ts': STREAM_USE,
          // By another name than the usual one, which TypeScript 6 and later do not let lie next to files that they are given.
          'streams.json': JSON.stringify({ compilerOptions: settings, files: ['streams.ts'] }),
        });
        expect(await compile(version, folder, '--project', 'streams.json')).toBe('');
      },
    );
  });

  test('works in a test of Jest 29', async () => {
    const project = await emptyProject('jest', [archive('client'), `jest@${versions.jest}`]);
    write(project, {
      'use.test.js': `const { GatewayClient, GatewayError } = require('@integration-gateway/client');
test('throws a GatewayError for an error of the gateway', async () => {
  const fetch = async () => new Response('{"error":{"code":"invalid_secret_key","message":"no"}}', {
    status: 401, headers: { 'x-gateway-error': 'invalid_secret_key', 'content-type': 'application/json' } });
  const client = new GatewayClient({ baseUrl: 'https://gateway.example.com/v1', secretKey: 'sk_x', fetch });
  await expect(client.integrations.list()).rejects.toThrow(GatewayError);
});
`,
    });
    await run(project, 'jest', '--ci');
  });

  test('is bundled for Node and for browsers by esbuild', async () => {
    const project = await emptyProject('esbuild', [archive('client'), `esbuild@${versions.esbuild}`]);
    write(project, {
      'server.js': "import { GatewayClient } from '@integration-gateway/client'; console.log(typeof GatewayClient);",
      'page.js': "import { connect } from '@integration-gateway/client/browser'; globalThis.connect = connect;",
    });
    await run(project, 'esbuild', 'server.js', '--bundle', '--platform=node', '--outfile=out/server.cjs');
    expect(await run(project, process.execPath, 'out/server.cjs')).toBe('function\n');
    await run(project, 'esbuild', 'page.js', '--bundle', '--minify', '--outfile=out/page.js');
    expect(readFileSync(join(project, 'out', 'page.js'), 'utf8').length).toBeLessThan(20_000);
  });

  test('runs in workerd, the runtime of Cloudflare’s Workers', async () => {
    const wanted = [archive('client'), `miniflare@${versions.miniflare}`, `esbuild@${versions.esbuild}`];
    const project = await emptyProject('workerd', wanted);
    write(project, {
      'worker.js': `import { GatewayClient, GatewayError } from '@integration-gateway/client';
export default { async fetch() {
  const fetch = async () => new Response('{"files":[{"name":"from Google"}]}', { headers: { 'content-type': 'application/json' } });
  const client = new GatewayClient({ baseUrl: 'https://gateway.example.com/v1', secretKey: 'sk_x', fetch });
  const { data } = await client.get({ providerConfigKey: 'd', connectionId: 'c', endpoint: '/drive/v3/files' });
  return new Response(data.files[0].name);
} };`,
      'run.mjs': `import { Miniflare } from 'miniflare';
const mf = new Miniflare({ modules: true, scriptPath: 'out/worker.js', compatibilityDate: '2025-01-01' });
console.log(await (await mf.dispatchFetch('http://localhost/')).text());
await mf.dispose();`,
    });
    await run(project, 'esbuild', 'worker.js', '--bundle', '--format=esm', '--outfile=out/worker.js');
    expect(await run(project, process.execPath, 'run.mjs')).toBe('from Google\n');
  });
});

describe('the simulator', () => {
  test('is required and imported, and has a program', async () => {
    const project = await emptyProject('simulator', [archive('google-simulator')]);
    const use = `startSimulator({ port: 0 }).then(async (one) => {
  const answer = await fetch(one.url + '/.well-known/openid-configuration');
  console.log(answer.status);
  await one.close();
});`;
    write(project, {
      'use.cjs': `const { startSimulator } = require('@integration-gateway/google-simulator');\n${use}`,
      'use.mjs': `import { startSimulator } from '@integration-gateway/google-simulator';\n${use}`,
    });
    for (const file of ['use.cjs', 'use.mjs']) expect(await run(project, process.execPath, file)).toBe('200\n');
    expect(await run(project, 'npx', 'google-simulator', '--version')).toMatch(
      /^\d+\.\d+\.\d+-preview\.[0-9a-f]+(?:\.changed)?\n$/,
    );
    expect(await run(project, 'npx', 'google-simulator', '--help')).toContain('--port');
  });
});

describe.each([
  ['packages/simulator', 'google-simulator', 'google-simulator'],
  ['packages/cli', 'cli', 'gateway'],
] as const)('the program of %s', (folder, part, program) => {
  let project: string;
  let path: string;
  beforeAll(async () => {
    project = await emptyProject(`${part}-nodes`, [archive(part)]);
    path = join(project, 'node_modules', '.bin', program);
  });

  test.each(versions.tooOldNodes)('says in one sentence that Node %s is too old', async (version) => {
    const { code, out, err } = await capture(await nodeProgram(version), [path, '--help'], { cwd: project });
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `${program} needs Node 20.19, 22.12 or later; this is ${version}.\n`,
    });
  });

  test.each(lowestNodes(folder))('explains itself on Node %s, the lowest it promises', async (version) => {
    expect(await run(project, await nodeProgram(version), path, '--help')).toContain('Usage: ');
  });
});

describe.each(lowestNodes('packages/simulator'))('the simulator on Node %s', (version) => {
  test('gives tokens, files and events, as a program and as a library', async () => {
    const oldest = await nodeProgram(version);
    const project = await emptyProject(`simulator-${version}`, [archive('google-simulator')]);
    const use = `const { startSimulator } = require('@integration-gateway/google-simulator');
const { once } = require('node:events');
const { spawn } = require('node:child_process');
async function look(url) {
  const body = JSON.stringify({ account: 'first.user@example.com' });
  const tokens = await (await fetch(url + '/__sim/tokens', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json();
  const headers = { authorization: 'Bearer ' + tokens.access_token };
  const { files } = await (await fetch(url + '/drive/v3/files', { headers })).json();
  const { items } = await (await fetch(url + '/calendar/v3/calendars/primary/events', { headers })).json();
  console.log(process.version, files.length > 0, items.length > 0);
}
(async () => {
  const client = { clientId: '123456789012-app.apps.googleusercontent.com', clientSecret: 'GOCSPX-secret', redirectUris: ['http://localhost/callback'] };
  const simulator = await startSimulator({ port: 0, clients: [client] });
  await look(simulator.url);
  await simulator.close();
  const program = spawn(process.execPath, ['node_modules/.bin/google-simulator', '--port', '0']);
  const [said] = await once(program.stdout, 'data');
  await look(String(said).match(/http:[/][/]127.0.0.1:[0-9]+/)[0]);
  program.kill();
})();
`;
    write(project, { 'use.cjs': use });
    expect(await run(project, oldest, 'use.cjs')).toBe(`v${version} true true\n`.repeat(2));
  });
});

describe.each(lowestNodes('packages/cli'))('the command line on Node %s', (version) => {
  test('lists connections of a gateway, and gets as far as AWS', async () => {
    const oldest = await nodeProgram(version);
    const project = await emptyProject(`cli-${version}`, [archive('cli')]);
    const gateway = join(project, 'node_modules', '.bin', 'gateway');
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end('{"connections":[],"next_cursor":null,"total":0}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    try {
      const at = [`GATEWAY_BASE_URL=http://127.0.0.1:${port}`, 'GATEWAY_SECRET_KEY=sk_x'];
      const listed = await run(project, 'env', ...at, oldest, gateway, '--json', 'connections', 'list');
      expect(JSON.parse(listed)).toMatchObject({ connections: [] });
    } finally {
      server.close();
      server.closeAllConnections();
    }
    await expect(run(project, oldest, gateway, 'restore', '--from', 'a', '--into', 'b', '--dry-run')).rejects.toThrow(
      /Set AWS_REGION|AWS credentials/,
    );
  });
});

describe('the command line', () => {
  test('is a program without dependencies, which shows how it is used', async () => {
    const project = await emptyProject('cli', [archive('cli')]);
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@integration-gateway',
    ]);
    expect(await run(project, 'npx', 'gateway', '--help')).toContain('connections');
    expect(await run(project, 'npx', 'gateway', '--version')).toMatch(
      /^\d+\.\d+\.\d+-preview\.[0-9a-f]+(?:\.changed)?\n$/,
    );
    expect(await run(project, 'npx', 'gateway', 'completion', 'bash')).toContain('complete -o default');
    await expect(run(project, 'npx', 'gateway', 'keys', 'list')).rejects.toThrow('No gateway is running from');
    await expect(run(project, 'npx', 'gateway', 'verify', '--local')).rejects.toThrow('need the whole project');
    await expect(
      run(project, 'npx', 'gateway', '--base-url', 'http://127.0.0.1:9', 'verify', '--secret-key', 'sk_x'),
    ).rejects.toThrow('ECONNREFUSED');
    // Loads what works on AWS: credentials are what is missing, nothing else.
    await expect(run(project, 'npx', 'gateway', 'restore', '--from', 'a', '--into', 'b', '--dry-run')).rejects.toThrow(
      /Set AWS_REGION|AWS credentials/,
    );
  });
});

/** As `cdk init` leaves it, with the gateway in its stack. */
const STACK = `import * as cdk from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { addGatewayOutputs, IntegrationGateway } from '@integration-gateway/construct';

export class AppStack extends cdk.Stack {
  constructor(scope: Construct, id: string, props?: cdk.StackProps) {
    super(scope, id, props);
    const gateway = new IntegrationGateway(this, 'Gateway');
    addGatewayOutputs(gateway);
    // @ts-expect-error an option that there is not
    const wrong: ConstructorParameters<typeof IntegrationGateway>[2] = { noSuchOption: true };
    void wrong;
  }
}
`;

describe('the construct', () => {
  let installed: string;
  beforeAll(async () => {
    const peers = ['aws-cdk-lib', 'constructs', '@types/node'].map((name) => `${name}@${ownVersion(name)}`);
    installed = await emptyProject('construct-alone', [archive('construct'), ...peers]);
    write(installed, { 'stack.ts': STACK, 'stack.mts': STACK });
  });

  test('compiles and synthesizes in the app that cdk init makes, with default settings', async () => {
    const project = join(root, 'my-app');
    mkdirSync(project);
    const cdk = join(PROJECT_ROOT, 'node_modules', '.bin', 'cdk');
    await run(project, cdk, 'init', 'app', '--language', 'typescript', '--generate-only');
    write(project, { 'lib/my-app-stack.ts': STACK.replaceAll('AppStack', 'MyAppStack') });
    const main = join(project, 'bin', 'my-app.ts');
    const code = readFileSync(main, 'utf8');
    // The one setting that the README asks for.
    writeFileSync(main, code.replace("'MyAppStack', {", "'MyAppStack', { env: { region: 'eu-central-1' },"));
    await run(project, 'npm', 'install', '--no-audit', '--no-fund', archive('construct'));
    await run(project, 'npx', 'cdk', 'synth', '--quiet');
    const template = z
      .looseObject({ Resources: z.record(z.string(), z.looseObject({ Type: z.string() })), Outputs: z.looseObject({}) })
      .parse(JSON.parse(readFileSync(join(project, 'cdk.out', 'MyAppStack.template.json'), 'utf8')));
    const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
    expect(functions.length).toBeGreaterThanOrEqual(5);
    expect(Object.keys(template.Outputs)).toContain('CallbackUrl');
  });

  test.each(versions.typescript)('has types that TypeScript %s takes, checked to the last file', async (version) => {
    // The CDK's own types need those of Node, which TypeScript 6 and later take only when they are named.
    const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'node16', '--moduleResolution', 'node16'];
    expect(await compile(version, installed, ...flags, '--types', 'node', 'stack.ts', 'stack.mts')).toBe('');
  });

  test('is imported by an ES module and required by CommonJS, is one and the same, and synthesizes on the lowest Node it promises', async () => {
    write(installed, {
      'use.mjs': `import { createRequire } from 'node:module';
import { IntegrationGateway } from '@integration-gateway/construct';
console.log(IntegrationGateway === createRequire(import.meta.url)('@integration-gateway/construct').IntegrationGateway);`,
    });
    expect(await run(installed, process.execPath, 'use.mjs')).toBe('true\n');
    const stack = `const { App, Stack } = require('aws-cdk-lib');
const { addGatewayOutputs, IntegrationGateway } = require('@integration-gateway/construct');
const app = new App();
const stack = new Stack(app, 'Stack', { env: { region: 'eu-central-1' } });
addGatewayOutputs(new IntegrationGateway(stack, 'Gateway'));
const { Resources } = app.synth().stacks[0].template;
console.log(process.version, Object.values(Resources).some(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable'));
`;
    write(installed, { 'stack.cjs': stack });
    for (const version of lowestNodes('lib')) {
      expect(await run(installed, await nodeProgram(version), 'stack.cjs')).toBe(`v${version} true\n`);
    }
  });
});

describe('the Python client', () => {
  test('is installed from its wheel into an empty environment', async () => {
    const project = join(root, 'python');
    mkdirSync(project);
    await run(project, 'python3', '-m', 'venv', 'venv');
    const wheel = readdirSync(RELEASE).find((name) => name.endsWith('.whl')) ?? 'no-wheel';
    await run(project, join(project, 'venv', 'bin', 'pip'), 'install', '--quiet', join(RELEASE, wheel));
    const code = 'from integration_gateway import AsyncGatewayClient, GatewayClient; print(GatewayClient.__name__)';
    expect(await run(project, join(project, 'venv', 'bin', 'python'), '-c', code)).toBe('GatewayClient\n');
  });
});

/** The version that the project itself works with. */
function ownVersion(name: string): string {
  const manifest = readFileSync(join(PROJECT_ROOT, 'node_modules', name, 'package.json'), 'utf8');
  return z.looseObject({ version: z.string() }).parse(JSON.parse(manifest)).version;
}
