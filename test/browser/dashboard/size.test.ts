// @module-tag long
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../dev/tools/run.ts';
import { ICONS, UNUSED } from '../../../packages/dashboard/vite.config.ts';

const DASHBOARD = join(import.meta.dirname, '../../../packages/dashboard');
const OUT = mkdtempSync(join(tmpdir(), 'dashboard-size-'));
/** Bytes over the wire until the overview can be drawn, and what of it no page before it needs (contributing/page-weight.md). */
const FIRST_LOAD_MAX = 255 * 1024;
const AFTER_SIGN_IN_MAX = 165 * 1024;
/** What leads a browser to the issuer; the rest is fetched with a lower priority. */
const LEADING_MAX = 12 * 1024;
/** A phone fetches six at a time by HTTP/1.1. */
const FILES_AFTER_SIGN_IN_MAX = 6;

interface Chunk {
  readonly name?: string;
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
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

  const page = () => readFileSync(join(OUT, 'index.html'), 'utf8');
  const linked = (pattern: RegExp) => Array.from(page().matchAll(pattern), ([, file = '']) => file);

  /** The files without which the page cannot leave for the issuer. */
  function leadingFiles(): Set<string> {
    const scripts = linked(/<script[^>]* src="\/([^"]+)"/g);
    const names = Object.keys(manifest).filter((name) => scripts.includes(manifest[name]?.file ?? ''));
    expect(names).toHaveLength(1);
    const files = new Set(['index.html']);
    for (const name of names) filesOf(name, files);
    return files;
  }

  /** What the first file imports when it needs it, until the overview is drawn. */
  function laterFiles(): Set<string> {
    const leading = leadingFiles();
    const first = Object.values(manifest).filter(({ file, dynamicImports }) => leading.has(file) && dynamicImports);
    const files = new Set(leading);
    for (const { dynamicImports = [] } of first) for (const name of dynamicImports) filesOf(name, files);
    return new Set([...files].filter((file) => !leading.has(file)));
  }

  /** What draws the pages before and after a sign-in, such as the one that asks to sign in. */
  function withScreens(): Set<string> {
    const screens = Object.keys(manifest).filter((name) => manifest[name]?.name === 'screens');
    expect(screens).toHaveLength(1);
    return screens.reduce((files, name) => filesOf(name, files), leadingFiles());
  }

  it('loads the overview with less than 255 KB, in at most six files after the first', () => {
    const later = laterFiles();
    const bytes = compressed([...leadingFiles(), ...later]);
    expect(bytes).toBeGreaterThan(100 * 1024);
    expect(bytes).toBeLessThan(FIRST_LOAD_MAX);
    expect(later.size).toBeLessThanOrEqual(FILES_AFTER_SIGN_IN_MAX);
    const before = withScreens();
    const after = [...later].filter((file) => !before.has(file));
    expect(after.length).toBeGreaterThan(2);
    expect(compressed(after)).toBeLessThan(AFTER_SIGN_IN_MAX);
    // The overview is one of the files, with the frame around it.
    expect(Object.values(manifest).filter(({ name }) => name === 'overview-page')).toEqual([]);
    expect(after.some((file) => readFileSync(join(OUT, file), 'utf8').includes('Connections by status'))).toBe(true);
  });

  it('names all of it in its page, for the browser to fetch while it signs in', () => {
    const ahead = linked(/<link rel="prefetch"[^>]* href="\/([^"]+)"/g);
    expect(ahead.toSorted()).toEqual([...laterFiles()].toSorted());
    // Else the browser would fetch it a second time.
    expect(page().match(/<link rel="prefetch"(?![^>]* crossorigin)/g)).toBeNull();
  });

  it('loads little before the sign-in, and next to nothing before it leaves for the issuer', () => {
    const leading = leadingFiles();
    expect(compressed(leading)).toBeGreaterThan(5 * 1024);
    expect(compressed(leading)).toBeLessThan(LEADING_MAX);
    expect(compressed(withScreens())).toBeLessThan(100 * 1024);
  });

  it('leaves out of the component library only what nothing here uses', () => {
    const files = Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]);
    const built = files.map((file) => readFileSync(join(OUT, file), 'utf8')).join('\n');
    expect(UNUSED.contexts.filter((context) => built.includes(`.awsui-context-${context}`))).toEqual([]);
    expect(built.includes('.awsui-context-alert')).toBe(true);
    const sources = readdirSync(join(DASHBOARD, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(join(DASHBOARD, 'src', name), 'utf8'))
      .join('\n');
    const used = new Set(
      Array.from(sources.matchAll(/@cloudscape-design\/components\/([a-z0-9-]+)/g), ([, name]) => name),
    );
    expect(used.size).toBeGreaterThan(20);
    // The last three draw these places.
    const unused = [...UNUSED.texts, 'app-layout', 'content-layout', 'top-navigation'];
    expect(unused.filter((name) => used.has(name))).toEqual([]);
  });

  it('declares each value of the theme that it uses, and draws each icon that it names', () => {
    const files = readdirSync(join(OUT, 'assets')).map((name) => readFileSync(join(OUT, 'assets', name), 'utf8'));
    const built = files.join('\n');
    const used = new Set(
      Array.from(built.matchAll(/var\((--(?:border|color|font|motion|shadow|space)-[\w-]+)/g), ([, name]) => name),
    );
    const declared = new Set(Array.from(built.matchAll(/(--[\w-]+):/g), ([, name]) => name));
    expect(used.size).toBeGreaterThan(300);
    expect([...used].filter((name) => !declared.has(name))).toEqual([]);
    const entry = createRequire(import.meta.url).resolve('@cloudscape-design/components/icon');
    const library = join(dirname(entry), 'generated/icons.js');
    const icons = Array.from(
      readFileSync(library, 'utf8').matchAll(/^ {4}"?([a-z0-9-]+)"?: React/gm),
      ([, name = '']) => name,
    );
    expect(icons.length).toBeGreaterThan(100);
    expect(ICONS.filter((name) => !icons.includes(name))).toEqual([]);
    const isKept = (icon: string) => ICONS.some((name) => name === icon);
    expect(icons.filter((icon) => !isKept(icon) && new RegExp(`[\`"']${icon}[\`"']`).test(built))).toEqual([]);
  });

  it('the built dashboard has no inline script or style in its page (UI-1)', () => {
    expect(page().match(/<script(?![^>]* src=)[^>]*>/g)).toBeNull();
    expect(page()).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });

  it('holds no secret', () => {
    for (const { file } of Object.values(manifest)) {
      expect(readFileSync(join(OUT, file), 'utf8')).not.toMatch(/sk_default_|GOCSPX-|integrationgateway\.apps/);
    }
  });
});
