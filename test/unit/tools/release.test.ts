import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { missingFiles, packagedReadme, releaseVersion } from '../../../tools/release/pack.ts';
import { datedChanges, releaseNotes } from '../../../tools/release/release-notes.ts';
import { VERSION_PLACES } from '../../../tools/release/version-places.ts';
import { PROJECT_ROOT } from '../../../tools/run.ts';

const MANIFEST = {
  main: './dist/commonjs/index.js',
  bin: { gateway: 'dist/gateway.js' },
  exports: { '.': { import: { types: './dist/index.d.ts', default: './dist/index.js' } } },
};

const NAMED = ['dist/commonjs/index.js', 'dist/gateway.js', 'dist/index.d.ts', 'dist/index.js'];

describe('an archive', () => {
  test('without dist lacks everything that its manifest names', () => {
    expect(missingFiles(MANIFEST, ['package.json', 'README.md'])).toEqual(NAMED);
  });

  test('that holds what its manifest names lacks nothing', () => {
    expect(missingFiles(MANIFEST, [...NAMED, 'dist/more.js'])).toEqual([]);
  });
});

describe('the README of a package', () => {
  test('names files of the project that its links led to, and has no comments for tests', () => {
    const block = '```\nnpm install\n```\n';
    const links = '[docs/calls.md](../docs/calls.md), [why](../../docs/faq.md#why)';
    const kept = '[here](#here), [Node](https://nodejs.org/)';
    const text = `How: ${links}, ${kept}.\n<!-- not run: needs the registry -->\n${block}`;
    const told = "Paths such as `docs/…` are files of the gateway's repository.";
    expect(packagedReadme(text)).toBe(`How: \`docs/calls.md\`, why (\`docs/faq.md\`), ${kept}.\n${block}\n${told}\n`);
  });

  test.each(['cli', 'client', 'clients/python', 'lib', 'simulator'])('of %s leads nowhere outside it', (folder) => {
    const packed = packagedReadme(readFileSync(join(PROJECT_ROOT, folder, 'README.md'), 'utf8'));
    expect(packed).not.toMatch(/\]\(\.\.\/|<!--/);
  });
});

test.each(VERSION_PLACES)('%s says the version of the project', (file, around) => {
  expect(readFileSync(join(PROJECT_ROOT, file), 'utf8')).toContain(around(releaseVersion()));
});

describe('the notes of a release', () => {
  const log = (unreleased: string) => `# Changes\n\n## Unreleased\n\n${unreleased}## 0.2.0 (2026-01-31)\n\n- New.\n`;

  test('are the section of its version, with its date', () => {
    const text = '# Integration gateway 0.2.0 (2026-01-31)\n\n- New.\n';
    expect(releaseNotes(log(''), '0.2.0')).toEqual({ text, isVersion: true });
  });

  test('are what has no version yet, where there is something, and say so', () => {
    const text = '# Integration gateway, changes since 0.2.0 (2026-01-31)\n\n- Newer.\n';
    expect(releaseNotes(log('- Newer.\n\n'), '0.2.0')).toEqual({ text, isVersion: false });
  });

  test.each(['0.1.0', '0.2.0-rc.1', '0.3.0'])('do not exist for %s, which the log does not begin with', (version) => {
    expect(() => releaseNotes(log(''), version)).toThrow('the newest version should be');
  });

  test('get a date when the version is made, and are those of that version then', () => {
    const dated = datedChanges(log('- Newer.\n\n'), '0.3.0', '2026-02-28');
    const text = '# Integration gateway 0.3.0 (2026-02-28)\n\n- Newer.\n';
    expect(releaseNotes(dated, '0.3.0')).toEqual({ text, isVersion: true });
    expect(() => datedChanges(log(''), '0.3.0', '2026-02-28')).toThrow('no unreleased changes');
  });
});
