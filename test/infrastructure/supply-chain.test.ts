import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildFunctions } from '../../scripts/build.ts';
import { bundledPackages } from '../../scripts/bundled-packages.ts';
import { PROJECT_ROOT } from '../../scripts/run.ts';
import { BUNDLED_IN, makeSbom } from '../../scripts/sbom.ts';
import { temporaryFolder } from './synthesize.ts';

/**
 * Everything from outside that a function may hold. A package more costs start-up time and trust: it is added here by
 * hand, after a look at what it does.
 */
const BUDGET: readonly string[] = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/client-kms',
  '@aws-sdk/client-secrets-manager',
  '@aws-sdk/core',
  '@aws-sdk/dynamodb-codec',
  '@aws-sdk/endpoint-cache',
  '@aws-sdk/lib-dynamodb',
  '@aws-sdk/middleware-endpoint-discovery',
  '@aws-sdk/util-dynamodb',
  '@aws-sdk/xml-builder',
  '@aws/lambda-invoke-store',
  '@middy/core',
  '@middy/util',
  '@smithy/core',
  '@smithy/node-http-handler',
  '@smithy/signature-v4',
  '@smithy/types',
  'jose',
  'mnemonist',
  'obliterator',
  'zod',
];

/** These name an install script, which never runs; both work without it. */
const SCRIPTS_THAT_NEVER_RUN = ['aws-lambda-ric', 'esbuild'];

const LICENSES = ['Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];

const versions = z.record(z.string(), z.string()).default({});
const manifestSchema = z.looseObject({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  overrides: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  allowScripts: z.record(z.string(), z.unknown()).optional(),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().default(false),
      inBundle: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
      license: z.string().optional(),
    }),
  ),
});

const readText = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');
const { packages } = lockSchema.parse(JSON.parse(readText('package-lock.json')));
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

describe('IN-4: the lockfile', () => {
  it('holds a SHA-512 of every package that is downloaded', () => {
    expect(installed.length).toBeGreaterThan(100);
    const unchecked = installed.filter(
      ([, { integrity, inBundle }]) => !inBundle && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
    );
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });

  it('takes packages inside other packages only from those it has checked', () => {
    for (const [path] of installed.filter(([, { inBundle }]) => inBundle)) {
      const outer = path.slice(0, path.lastIndexOf('/node_modules/'));
      expect(packages[outer]?.integrity ?? packages[outer]?.inBundle, path).toBeTruthy();
    }
  });

  it('names no host but the registry’s', () => {
    const hosts = installed.flatMap(([, { resolved }]) => (resolved === undefined ? [] : [URL.parse(resolved)?.host]));
    expect(hosts.filter((host) => host !== 'registry.npmjs.org')).toEqual([]);
  });
});

describe('IN-4: what npm may do', () => {
  it('includes no install script, of whatever package', () => {
    expect(readText('.npmrc').split('\n')).toContain('ignore-scripts=true');
    expect(manifestSchema.parse(JSON.parse(readText('package.json'))).allowScripts).toEqual({});
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    expect(scripted).toEqual(SCRIPTS_THAT_NEVER_RUN.map((name) => `node_modules/${name}`));
  });

  it.each(['package.json', 'client/package.json', 'dashboard/package.json'])(
    'is told one exact version in %s',
    (path) => {
      const { dependencies, devDependencies, optionalDependencies, overrides } = manifestSchema.parse(
        JSON.parse(readText(path)),
      );
      const asked = [dependencies, devDependencies, optionalDependencies, ...Object.values(overrides)];
      for (const [name, version] of asked.flatMap((group) => Object.entries(group))) {
        expect(version, name).toMatch(/^(?:npm:[a-z0-9-]+@)?\d+\.\d+\.\d+$/);
      }
    },
  );
});

describe('the packages in the bundles', () => {
  const folder = temporaryFolder();
  let bundled: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    await buildFunctions({ outputRoot: folder.path });
    bundled = bundledPackages(folder.path);
  });
  afterAll(() => folder[Symbol.dispose]());

  it('IN-6: are those of the budget, and no HTTP client of a third party', () => {
    expect([...bundled.keys()]).toEqual(BUDGET);
  });

  it('IN-4: have a license that asks for attribution at most', () => {
    for (const name of bundled.keys()) expect(LICENSES, name).toContain(packages[`node_modules/${name}`]?.license);
  });

  it('IN-4: are in the list of packages with version and functions', () => {
    const { components } = makeSbom(bundled);
    expect(components.length).toBeGreaterThan(BUDGET.length);
    const marked = components.filter(({ properties }) => properties.some(({ name }) => name === BUNDLED_IN));
    expect([...new Set(marked.map(({ name }) => name))].toSorted()).toEqual(BUDGET.toSorted());
    const zod = marked.find(({ name }) => name === 'zod');
    expect(zod?.version).toBe(packages['node_modules/zod']?.version);
    expect(zod?.properties).toContainEqual({ name: BUNDLED_IN, value: 'management' });
  });
});
