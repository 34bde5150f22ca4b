import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { functionBuilder, PROJECT_ROOT } from '../../dev/tools/build.ts';
import { FEATURES } from '../../lambdas/features/index.ts';
import {
  askedBy,
  DOOR_ALIASES,
  ENVIRONMENT,
  FUNCTION_NAMES,
  type FunctionName,
  KEY_FAMILIES,
  METRICS,
} from '../../lambdas/gateway/core/contract.ts';
import { builtFunctions } from '../support/built-functions.ts';

const KILOBYTE = 1024;
/** The functions of the management API answer people and back offices: their start may grow with their routes, the proxy's may not. */
const LIMITS: Partial<Record<FunctionName, number>> = {
  proxy: 220 * KILOBYTE,
  connect: 140 * KILOBYTE,
  mcp: 60 * KILOBYTE,
  'oauth-callback': 270 * KILOBYTE,
  management: 800 * KILOBYTE,
  grants: 980 * KILOBYTE,
  approvals: 100 * KILOBYTE,
  core: 260 * KILOBYTE,
};
/** Functions that call AWS by the lean client: somebody waits for their start. */
const LEAN: readonly FunctionName[] = ['proxy', 'connect', 'oauth-callback', 'core'];
const ASKING_PROXY = DOOR_ALIASES.filter((name) => askedBy(name) === 'proxy');
/** Packages that cost a start more than they are worth to a function that needs none of them. */
const NEVER_IN_PROXY = ['zod', 'jose', 'undici', '@aws-lambda-powertools/tracer', 'aws-xray-sdk-core'];

let folder: string;

beforeAll(async () => {
  folder = await builtFunctions();
});

/** Paths of the source files in a bundle, relative to the project; packages as `node_modules/<name>/...`. */
function inputs(name: string): string[] {
  const metafile: unknown = JSON.parse(readFileSync(join(folder, 'meta', `${name}.json`), 'utf8'));
  if (typeof metafile !== 'object' || metafile === null || !('inputs' in metafile)) throw new Error('No metafile');
  return Object.keys(metafile.inputs ?? {});
}

/** Those of which the bundle has at least a byte. */
function writtenInputs(name: string): string[] {
  const metafile: {
    readonly outputs: Readonly<
      Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
    >;
  } = JSON.parse(readFileSync(join(folder, 'meta', `${name}.json`), 'utf8'));
  return Object.values(metafile.outputs).flatMap(({ inputs: parts }) =>
    Object.entries(parts).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}

function packageOf(path: string): string | undefined {
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1];
}

describe.each(FUNCTION_NAMES)('the bundle of %s', (name) => {
  test('IN-5: holds no code of the simulator, the local runtime, the tests or synthesis', () => {
    const foreign = inputs(name).filter((path) => /^(simulator|local|test|bench|lib|bin|scripts|client)\//.test(path));
    expect(foreign).toEqual([]);
    const feature = FEATURES.find(({ functions }) => functions.includes(name));
    const parent = feature === undefined ? 'lambdas' : `lambdas/features/${feature.id}`;
    expect(inputs(name)).toContain(`${parent}/${name}/handler.ts`);
  });

  test('takes credentials from the environment alone: no sign-in, profile or metadata service', () => {
    const packages = new Set(inputs(name).map(packageOf));
    const chains = [...packages].filter((one) => /credential-provider|token-providers|nested-clients/.test(one ?? ''));
    expect(chains).toEqual([]);
  });

  test('imports none of Node by a statement, which would load undici', () => {
    const bundle = readFileSync(join(folder, 'lambdas', name, 'index.mjs'), 'utf8');
    expect(bundle).not.toMatch(/\bimport\s*(?:[\w*{][^;"']*from\s*)?["'](?:node:|https?["'])/);
    expect(bundle).toContain('getBuiltinModule("node:http');
  });
});

test.each(Object.entries(LIMITS))('the bundle of %s stays within %i bytes', (name, limit) => {
  const { size } = statSync(join(folder, 'lambdas', name, 'index.mjs'));
  expect(size).toBeGreaterThan(10 * KILOBYTE);
  expect(size).toBeLessThanOrEqual(limit);
});

test('no bundle makes JSON schemas: the build has made the document of the API', () => {
  for (const name of FUNCTION_NAMES) {
    const bundle = readFileSync(join(folder, 'lambdas', name, 'index.mjs'), 'utf8');
    expect([name, bundle.includes('Unprocessed schema. This is a bug in Zod')]).toEqual([name, false]);
  }
});

test('the bundle of the proxy holds no validation, no JOSE, no second HTTP client and no tracer', () => {
  const packages = inputs('proxy').map(packageOf);
  expect(packages).toContain('@middy/core');
  expect(packages.filter((name) => name !== undefined && NEVER_IN_PROXY.includes(name))).toEqual([]);
});

const isAwsClient = (name: string | undefined) => /^@(aws-sdk|smithy|aws)\//.test(name ?? '');

test.each(LEAN)(
  'LA-24: the bundle of %s calls AWS by the lean client, and translates items by the SDK’s own code',
  (name) => {
    expect(new Set(inputs(name).map(packageOf).filter(isAwsClient))).toEqual(new Set(['@aws-sdk/util-dynamodb']));
    expect(inputs(name)).toContain('lambdas/gateway/platform/lean/client.ts');
  },
);

test.each(ASKING_PROXY)(
  'TB-1: the bundle of %s reaches no table, no key and no secret, and asks the proxy for all else',
  (name) => {
    expect(inputs(name).map(packageOf).filter(isAwsClient)).toEqual([]);
    const reaches = /\.store\.ts$|platform\/(?:dynamodb|kms|secret|egress)|gateway\/(?:forwarding|wiring)/;
    expect(inputs(name).filter((path) => reaches.test(path))).toEqual([]);
    expect(inputs(name)).toContain('lambdas/gateway/platform/inner-door.ts');
  },
);

test('TB-1: the bundle of management has no code that opens a token, sends with one or reads a secret of a client', () => {
  const opens =
    /gateway\/(?:tokens\/(?:access-tokens|ciphertexts|delegated-token|lease|refresh|requested-tokens|revoke-grant|whole-answer)|integrations\/client-credentials|platform\/secret-reader|approvals\/(?:describe|read-object))|features\/feeds\/(?:feed-caller|work-on-feed|end-feed)/;
  const inBundle = (name: string) => writtenInputs(name).filter((path) => opens.test(path));
  expect(inBundle('management')).toEqual([]);
  expect(writtenInputs('management').map(packageOf)).not.toContain('@aws-sdk/client-secrets-manager');
  // The other half of the API shows that the names are those of the code.
  expect(inBundle('grants').length).toBeGreaterThan(8);
});

test('TB-1: the bundle of grants has no code that makes, changes or revokes a key', () => {
  const makes = /management\/(?:keys|routes\/own)/;
  expect(writtenInputs('grants').filter((path) => makes.test(path))).toEqual([]);
  expect(writtenInputs('management').filter((path) => makes.test(path)).length).toBeGreaterThan(3);
});

test('TB-1: the bundle of feeds has no code that opens a token, sends with one or reads a secret of a client', () => {
  const opens =
    /gateway\/(?:tokens\/(?:access-tokens|ciphertexts|delegated-token|lease|refresher|refresh-for-subject|whole-answer)|integrations\/client-credentials|platform\/secret-reader)|features\/feeds\/feed-caller/;
  const inBundle = (name: string) => writtenInputs(name).filter((path) => opens.test(path));
  expect(inBundle('feeds')).toEqual([]);
  expect(inBundle('core').length).toBeGreaterThan(8);
});

const ASKING: readonly FunctionName[] = [...LEAN, ...DOOR_ALIASES];

test.each(FUNCTION_NAMES.filter((name) => !ASKING.includes(name)))(
  'the bundle of %s holds nothing of the lean client',
  (name) => {
    expect(inputs(name).filter((path) => path.includes('platform/lean/'))).toEqual([]);
  },
);

test('LA-24: the bundle of the proxy has those names of the contract that it uses, and no others', () => {
  const bundle = readFileSync(join(folder, 'lambdas', 'proxy', 'index.mjs'), 'utf8');
  for (const used of [ENVIRONMENT.tokenKeyArn, METRICS.callerWaitedForRefresh, KEY_FAMILIES.connection])
    expect(bundle).toContain(`"${used}`);
  for (const other of [ENVIRONMENT.eventBusArn, METRICS.sweepSkipped, 'sweepSkipped', 'callerWaitedForRefresh'])
    expect(bundle).not.toContain(other);
});

test('LA-24: the bundle of the proxy has neither lists, which its role may not read, nor words of pages', () => {
  const bundle = readFileSync(join(folder, 'lambdas', 'proxy', 'index.mjs'), 'utf8');
  expect(bundle).not.toContain('Nothing was connected.');
  expect(bundle).toMatch(/\("listConnections"\)/);
  expect(bundle).toContain(' is left out of this function');
});

test('LA-24: a start of the proxy leaves alone what it has no use for and takes milliseconds to load', () => {
  const bundle = join(folder, 'lambdas', 'proxy', 'index.mjs');
  // Without its variables the function ends after its imports.
  const script = `await import(process.argv[1]).catch(() => {});
    console.log(process.moduleLoadList.filter((name) => /^NativeModule (http|zlib|internal.deps.undici|internal.util.(diff|trace_sigint))/.test(name)).join());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, bundle], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('NativeModule http,NativeModule https');
});

test('LA-24: a start of the proxy makes no format of dates, which reads the time zones of the world', () => {
  const bundle = readFileSync(join(folder, 'lambdas', 'proxy', 'index.mjs'), 'utf8');
  expect(/new Intl\.\w+/.exec(bundle)?.[0]).toBeUndefined();
});

const buildOptions = () => ({
  name: 'proxy' as const,
  sourceRoot: join(PROJECT_ROOT, 'lambdas'),
  folder: join(folder, 'unwritten'),
});

test('LA-24: BUILD_AWS_CLIENT takes no other name than lean and sdk', () => {
  vi.stubEnv('BUILD_AWS_CLIENT', 'other');
  expect(() => functionBuilder(buildOptions())).toThrow('BUILD_AWS_CLIENT is lean or sdk, not other.');
  vi.unstubAllEnvs();
});

test('LA-24: BUILD_AWS_CLIENT=sdk builds the proxy with the SDK', { tags: ['long'] }, async () => {
  vi.stubEnv('BUILD_AWS_CLIENT', 'sdk');
  const builder = functionBuilder(buildOptions());
  vi.unstubAllEnvs();
  const { metafile } = await builder.build();
  await builder.dispose();
  const packages = Object.keys(metafile.inputs).map(packageOf);
  expect(packages).toContain('@aws-sdk/client-dynamodb');
  expect(Object.keys(metafile.inputs).filter((path) => path.includes('platform/lean/'))).toEqual([]);
});

test('the bundle of the management function leaves the descriptions of its routes to the document alongside it', () => {
  const summary = 'List integrations, newest first';
  expect(readFileSync(join(folder, 'lambdas', 'management', 'index.mjs'), 'utf8')).not.toContain(summary);
  expect(readFileSync(join(folder, 'lambdas', 'management', 'openapi.json'), 'utf8')).toContain(summary);
});
