/**
 * Generators of clients that people use read the API's document: what they make compiles, and carries out fifteen operations on a gateway, in
 * Python, TypeScript and Go. Except in Go, the client also sends a proxied call with a query.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { apiDocument } from '../../tools/api-document.ts';
import { capture, javaLibraries, nodePackages, requireGo } from '../../tools/installed-programs.ts';
import { errorMessage } from '../../tools/json.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { openGateway } from '../own-gateway.ts';
import { bringStackUpToDate, pythonTool } from '../tools.ts';

const SCENARIOS = join(import.meta.dirname, 'scenarios');
const TIMEOUT_MS = 300_000;
/** Checks of a scenario. In Go, `proxy_query` is missing: that client cannot send a query of any names. */
const checksOf = (name: string) => (name === 'go' ? 15 : 16);

const lineSchema = z.strictObject({ check: z.string(), problem: z.string().nullable() });

/** One generated client, in a folder of its own: the scenario, and the client in `client`. */
interface Client {
  /** As openapi-generator calls it, and its folder. */
  readonly name: string;
  /** Compiles the scenario with the client. @returns the command that runs it @throws Error with what the compiler says */
  compile(folder: string): Promise<readonly string[]>;
}

const OF_OPENAPI_GENERATOR: readonly Client[] = [
  {
    name: 'python',
    async compile(folder) {
      const python = await pythonTool('python');
      await run([python, '-m', 'compileall', '-q', folder], folder);
      return [python, join(folder, 'python.py')];
    },
  },
  { name: 'typescript-fetch', compile: (folder) => compileTypeScript(join(folder, 'typescript-fetch.ts')) },
  {
    name: 'go',
    async compile(folder) {
      const client = join(folder, 'client');
      const module = readFileSync(join(client, 'go.mod'), 'utf8');
      writeFileSync(join(client, 'go.mod'), module.replace(/^module .*$/m, 'module example.com/generated'));
      mkdirSync(join(client, 'scenario'));
      cpSync(join(folder, 'go.go'), join(client, 'scenario', 'main.go'));
      const program = join(folder, 'scenario');
      await run(['go', 'build', '-o', program, './scenario'], client);
      return [program];
    },
  },
];

const HEY_API: Client = { name: 'hey-api', compile: (folder) => compileTypeScript(join(folder, 'hey-api.ts')) };
const CLIENTS = [...OF_OPENAPI_GENERATOR, HEY_API];

export const generatedClients: Opinion = {
  name: 'generated-clients',
  judges: 'the OpenAPI document: clients that openapi-generator and hey-api make of it compile and work',
  async ask(say): Promise<Verdict> {
    await requireGo();
    const libraries = await javaLibraries('generated-clients', join(import.meta.dirname, 'pom.xml'));
    const packages = await nodePackages('generated-clients-npm', import.meta.dirname);
    const folder = mkdtempSync(join(tmpdir(), 'generated-clients-'));
    try {
      for (const { name } of CLIENTS) cpSync(SCENARIOS, join(folder, name), { recursive: true });
      const document = join(folder, 'openapi.json');
      writeFileSync(document, JSON.stringify(apiDocument('https://gateway.example/v1')));
      say('makes the clients');
      await Promise.all([openApiGenerator(libraries, document, folder), heyApi(packages, document, folder)]);
      await bringStackUpToDate(say);
      say('compiles them, and works with them on a gateway');
      await using own = await openGateway();
      const environment = { BASE_URL: own.gateway.gatewayUrl, SECRET_KEY: own.gateway.secretKey };
      let passed = 0;
      const failures: string[] = [];
      // One after another: each looks for what it made itself.
      for (const client of CLIENTS) {
        const verdict = await judge(client, join(folder, client.name), environment);
        passed += verdict.passed;
        failures.push(...verdict.failures);
      }
      return { passed, failures };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Makes all of its clients in one process, which costs half of what a process for each does. */
async function openApiGenerator(libraries: string, document: string, folder: string): Promise<void> {
  const jar = readdirSync(libraries).find((name) => name.endsWith('.jar')) ?? '';
  const files = OF_OPENAPI_GENERATOR.map(({ name }) => {
    const file = join(folder, `${name}.json`);
    const outputDir = join(folder, name, 'client');
    // Without pages and empty tests of each model.
    const globalProperties = { apiDocs: 'false', modelDocs: 'false', apiTests: 'false', modelTests: 'false' };
    writeFileSync(file, JSON.stringify({ generatorName: name, inputSpec: document, outputDir, globalProperties }));
    return file;
  });
  await run(['java', '-jar', join(libraries, jar), 'batch', '--fail-fast', ...files], folder);
}

async function heyApi(packages: string, document: string, folder: string): Promise<void> {
  const program = join(packages, 'node_modules', '@hey-api', 'openapi-ts', 'bin', 'run.js');
  await run([process.execPath, program, '-i', document, '-o', join(folder, HEY_API.name, 'client')], folder);
}

/** Compiles a client, which counts as one check, and runs its scenario. */
async function judge(client: Client, folder: string, environment: NodeJS.ProcessEnv): Promise<Verdict> {
  try {
    const command = await client.compile(folder);
    const lines = (await run(command, folder, environment))
      .trim()
      .split('\n')
      .map((line) => lineSchema.parse(JSON.parse(line)));
    const failures = lines.flatMap(({ check, problem }) =>
      problem === null ? [] : [`${client.name}, ${check}: ${problem}`],
    );
    const expected = checksOf(client.name);
    if (lines.length !== expected) failures.push(`${client.name} made ${lines.length} checks instead of ${expected}`);
    return { passed: 1 + lines.filter(({ problem }) => problem === null).length, failures };
  } catch (error) {
    return { passed: 0, failures: [`${client.name}: ${errorMessage(error)}`] };
  }
}

/** Checks the types of a scenario and its client together, and bundles them. */
async function compileTypeScript(scenario: string): Promise<readonly string[]> {
  const folder = join(scenario, '..');
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
    ...{ types: ['node'], typeRoots: [join(PROJECT_ROOT, 'node_modules', '@types')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [scenario] }));
  await run([join(PROJECT_ROOT, 'node_modules', '.bin', 'tsc'), '-p', folder], folder);
  const outfile = join(folder, 'scenario.mjs');
  await build({ entryPoints: [scenario], bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'silent' });
  return [process.execPath, outfile];
}

/** @returns what it wrote @throws Error with the end of it when it fails */
async function run(command: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const [program = '', ...args] = command;
  const env = {
    ...process.env,
    PYTHONPATH: join(cwd, 'client'),
    PYTHONDONTWRITEBYTECODE: '1',
    // The Go that is installed, and no download of another one.
    GOTOOLCHAIN: 'local',
    ...environment,
  };
  const { code, out, err } = await capture(program, args, { timeoutMs: TIMEOUT_MS, cwd, env }).catch((error) => {
    throw error.code === 'ENOENT' ? new Error(`${program} is needed, and there is none.`) : error;
  });
  if (code === 0) return out;
  throw new Error(`${program} ended with ${code}: ${`${out}${err}`.trim().split('\n').slice(-20).join('\n')}`);
}
