import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** What the packages of a release are made of; the functions run on AWS's Node 24 alone. */
const PACKAGED = [
  'packages/cli',
  'packages/client/src',
  'lib',
  'packages/simulator',
  'lambdas/gateway/providers',
  'lambdas/gateway/tokens',
];
/** Runs in the project only: `verify --local` and `--trial` say so in the package. */
const IN_THE_PROJECT = /^packages\/cli\/verify\/(?:local-trial|echo\/)/;

/** Additions to JavaScript and Node that Node 20 does not have. */
const NEWER_THAN_NODE_20 = [
  /\b(?:Map|Object)\.groupBy\b/,
  /\bPromise\.(?:withResolvers|try)\b/,
  /\bArray\.fromAsync\b/,
  /\bURL\.parse\b/,
  /\bRegExp\.escape\b/,
  /\bIterator\.(?:from|prototype|concat)\b/,
  /\.(?:keys|values|entries)\(\)\.(?:map|filter|flatMap|take|drop|some|every|find|reduce|toArray|forEach)\(/,
  /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  /\bimport\.meta\.main\b/,
  /\bglobSync\b/,
  /from 'node:sqlite'/,
];

describe('what the packages carry', () => {
  it('uses nothing that Node 20, the oldest that they promise, lacks', () => {
    const sources = globSync(
      PACKAGED.map((folder) => `${folder}/**/*.ts`),
      { cwd: ROOT, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) },
    ).filter((path) => !IN_THE_PROJECT.test(path));
    const found = sources.flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return NEWER_THAN_NODE_20.flatMap((newer) => {
        const [used] = newer.exec(text) ?? [];
        return used === undefined ? [] : [`${path}: ${used}`];
      });
    });
    expect(sources.length).toBeGreaterThan(200);
    expect(found).toEqual([]);
  });
});
