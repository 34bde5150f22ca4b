import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fontConfiguration, requireFonts } from '../../../dev/support/fonts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the fonts of the tests’ browser', () => {
  it('the fonts of the tests’ browser are refused in one sentence when there is none', () => {
    writeFileSync(join(folder, 'fonts.conf'), '');
    const none = `The tests' browser has no font to draw text with: ${folder} holds none.`;
    expect(() => requireFonts(folder)).toThrow(none);
    expect(() => requireFonts(join(folder, 'missing'))).toThrow('missing holds none.');
  });

  it('the fonts of the tests’ browser are found in a subfolder', () => {
    mkdirSync(join(folder, 'Open_Sans'));
    writeFileSync(join(folder, 'Open_Sans', 'OpenSans-Regular.ttf'), '');
    expect(() => requireFonts(folder)).not.toThrow();
  });

  it('the fonts of the tests’ browser are the only ones in the configuration of fontconfig', () => {
    const file = fontConfiguration('/tmp/a & b/fonts', '/tmp/a & b/cache');
    expect([...file.matchAll(/<(dir|cachedir)>(.*?)<\/\1>/g)].map(([, name, path]) => [name, path])).toEqual([
      ['dir', '/tmp/a &amp; b/fonts'],
      ['cachedir', '/tmp/a &amp; b/cache'],
    ]);
    expect(file).not.toContain('<include');
  });
});
