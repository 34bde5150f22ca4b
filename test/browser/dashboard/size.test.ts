import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../dev/tools/run.ts';

const DASHBOARD = join(import.meta.dirname, '../../../packages/dashboard');
const OUT = mkdtempSync(join(tmpdir(), 'dashboard-size-'));
/**
 * Bytes over the wire until the overview can be drawn, and what of it comes after the sign-in. With these Lighthouse gives the first
 * page after a sign-in 97 of 100 on a phone (docs/limits.md#weight-of-the-pages).
 */
const FIRST_LOAD_MAX = 290 * 1024;
const AFTER_SIGN_IN_MAX = 195 * 1024;
/** A phone fetches six at a time by HTTP/1.1. */
const FILES_AFTER_SIGN_IN_MAX = 6;

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

describe('the built dashboard', () => {
  let manifest: Record<string, Chunk>;
  beforeAll(async () => {
    const built = await run('vite', [
      'build',
      DASHBOARD,
      '--outDir',
      OUT,
      '--emptyOutDir',
      '--manifest',
      '--logLevel',
      'error',
    ]);
    expect(built).toBe(0);
    manifest = JSON.parse(readFileSync(join(OUT, '.vite/manifest.json'), 'utf8'));
  });

  afterAll(() => rmSync(OUT, { recursive: true, force: true }));

  /** A chunk with everything it needs before it runs. */
  function filesOf(name: string, found = new Set<string>()): Set<string> {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`There is no chunk ${name}.`);
    if (found.has(chunk.file)) return found;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
    for (const one of chunk.imports ?? []) filesOf(one, found);
    return found;
  }

  const compressed = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(OUT, file))).byteLength, 0);

  it('loads the overview with less than 290 KB, of which at most six files come after the sign-in', () => {
    const files = new Set(['index.html']);
    for (const name of ['index.html', 'src/app.tsx', 'src/pages/overview/overview-page.tsx']) filesOf(name, files);
    const bytes = compressed(files);
    expect(files.size).toBeGreaterThan(5);
    expect(bytes).toBeGreaterThan(100 * 1024);
    expect(bytes).toBeLessThan(FIRST_LOAD_MAX);
    const before = filesOf('index.html');
    const after = [...files].filter((file) => file !== 'index.html' && !before.has(file));
    expect(after.length).toBeLessThanOrEqual(FILES_AFTER_SIGN_IN_MAX);
    expect(compressed(after)).toBeLessThan(AFTER_SIGN_IN_MAX);
  });

  it('loads little before the sign-in', () => {
    expect(compressed(filesOf('index.html'))).toBeLessThan(120 * 1024);
  });

  it('has no inline script or style in its page (UI-1)', () => {
    const page = readFileSync(join(OUT, 'index.html'), 'utf8');
    expect(page.match(/<script(?![^>]* src=)[^>]*>/g)).toBeNull();
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });

  it('holds no secret', () => {
    for (const { file } of Object.values(manifest)) {
      expect(readFileSync(join(OUT, file), 'utf8')).not.toMatch(/sk_default_|GOCSPX-|integrationgateway\.apps/);
    }
  });
});
