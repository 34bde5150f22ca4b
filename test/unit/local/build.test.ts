import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildFunctions } from '../../../dev/tools/build.ts';
import { openBuild, resultOfLastBuild } from '../../../dev/tools/build-record.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function writeHandler(name: string, source: string): void {
  mkdirSync(join(folder, 'lambdas', name), { recursive: true });
  writeFileSync(join(folder, 'lambdas', name, 'handler.ts'), source);
}

function build(...functionNames: string[]): ReturnType<typeof buildFunctions> {
  return buildFunctions({ sourceRoot: join(folder, 'lambdas'), outputRoot: join(folder, 'dist'), functionNames });
}

describe('bundling', () => {
  it('makes an ES module with source map and metafile, and reports its size', async () => {
    writeHandler('one', 'export const handler = async (event: unknown): Promise<unknown> => ({ event });');
    const [built] = await build('one');
    const bundle = join(folder, 'dist/lambdas/one/index.mjs');
    expect(built).toEqual({ name: 'one', bundlePath: bundle, sizeBytes: readFileSync(bundle).length });
    const module = await import(bundle);
    expect(await module.handler(1)).toEqual({ event: 1 });
    expect(JSON.parse(readFileSync(`${bundle}.map`, 'utf8'))).not.toHaveProperty('sourcesContent');
    expect(JSON.parse(readFileSync(join(folder, 'dist/meta/one.json'), 'utf8'))).toHaveProperty('outputs');
  });

  it('gives parts that call require a require', async () => {
    const declared = 'declare const require: (name: string) => { sep: string };';
    writeHandler('one', `${declared} export const handler = () => require('node:path').sep;`);
    await build('one');
    const module = await import(join(folder, 'dist/lambdas/one/index.mjs'));
    expect(module.handler()).toBe('/');
  });

  it('removes what an earlier build left in the folder', async () => {
    writeHandler('one', 'export const handler = 1;');
    await build('one');
    writeFileSync(join(folder, 'dist/lambdas/one/stray.txt'), '');
    await build('one');
    expect(existsSync(join(folder, 'dist/lambdas/one/stray.txt'))).toBe(false);
  });

  it('bundling does not touch a bundle that is as it would be, and renews one that is not', async () => {
    writeHandler('one', 'export const handler = 1;');
    await build('one');
    const bundle = join(folder, 'dist/lambdas/one/index.mjs');
    const { ino, mtimeMs } = statSync(bundle);
    await build('one');
    expect(statSync(bundle)).toMatchObject({ ino, mtimeMs });
    writeHandler('one', 'export const handler = 2;');
    await build('one');
    expect((await import(bundle)).handler).toBe(2);
  });

  /** When the build of these sources was written down last. */
  const recordedMs = () => statSync(join(folder, 'dist/meta/build.json')).mtimeMs;

  it('bundling the same again does nothing, and returns the same', async () => {
    writeHandler('one', 'export const handler = 1;');
    const first = await build('one');
    const atMs = recordedMs();
    expect(await build('one')).toEqual(first);
    expect(recordedMs()).toBe(atMs);
  });

  it.each([
    ['a source', () => writeHandler('one', 'export const handler = 3;')],
    ['a file next to a source', () => writeFileSync(join(folder, 'lambdas/one/later.ts'), '')],
    ['a bundle that was removed', () => rmSync(join(folder, 'dist/lambdas/one/index.mjs'))],
    ['a bundle that was changed', () => writeFileSync(join(folder, 'dist/lambdas/one/index.mjs'), 'broken')],
    ['a source map that was changed', () => writeFileSync(join(folder, 'dist/lambdas/one/index.mjs.map'), '{}')],
    ['a metafile that was removed', () => rmSync(join(folder, 'dist/meta/one.json'))],
    ['a record that no one can read', () => writeFileSync(join(folder, 'dist/meta/build.json'), '{"key":')],
  ])('bundling is done again for %s', async (_what, change) => {
    writeHandler('one', 'export const handler = 2;');
    await build('one');
    const bundle = join(folder, 'dist/lambdas/one/index.mjs');
    const before = readFileSync(bundle, 'utf8');
    const atMs = recordedMs();
    change();
    await build('one');
    expect(recordedMs()).toBeGreaterThan(atMs);
    const source = readFileSync(join(folder, 'lambdas/one/handler.ts'), 'utf8');
    expect(readFileSync(bundle, 'utf8') === before).toBe(source.includes('= 2'));
    expect(existsSync(join(folder, 'dist/meta/one.json'))).toBe(true);
  });

  it('bundling is done again for another function and for another AWS client', async () => {
    writeHandler('one', 'export const handler = 1;');
    writeHandler('two', 'export const handler = 2;');
    await build('one');
    expect((await build('one', 'two')).map(({ name }) => name)).toEqual(['one', 'two']);
    const atMs = recordedMs();
    vi.stubEnv('BUILD_AWS_CLIENT', 'sdk');
    await build('one', 'two');
    expect(recordedMs()).toBeGreaterThan(atMs);
  });

  it('bundling is done again where a source changed in the middle of the last one', async () => {
    writeHandler('one', 'export const handler = 1;');
    const bundle = join(folder, 'bundle.mjs');
    const [file, sources] = [join(folder, 'build.json'), join(folder, 'lambdas')];
    const options = { file, sources, settings: [], about: '', folders: [] };
    const build = { read: [], made: [{ path: bundle, contents: Buffer.of(1) }], result: 'built' };
    writeFileSync(bundle, Buffer.of(1));
    await (await openBuild(options)).finish(build);
    expect(await resultOfLastBuild(options)).toBe('built');
    const open = await openBuild(options);
    writeHandler('one', 'export const handler = 2;');
    await open.finish(build);
    expect(await resultOfLastBuild(options)).toBeUndefined();
  });

  it('bundling that failed is tried again', async () => {
    writeHandler('one', 'export const handler = 1;');
    await build('one');
    writeHandler('one', 'export const handler = ;');
    await expect(build('one')).rejects.toThrow('ERROR');
    await expect(build('one')).rejects.toThrow('ERROR');
    writeHandler('one', 'export const handler = 1;');
    await build('one');
    expect((await import(join(folder, 'dist/lambdas/one/index.mjs'))).handler).toBe(1);
  });

  it('names every function without a handler', async () => {
    writeHandler('one', 'export const handler = 1;');
    await expect(build('one', 'two', 'three')).rejects.toThrow(/No handler.ts in .* for: two, three/);
  });

  it('passes on where the source is broken', async () => {
    writeHandler('one', 'export const handler = ;');
    await expect(build('one')).rejects.toThrow(/handler\.ts:1:\d+: ERROR/);
  });
});
