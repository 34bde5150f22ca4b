import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { previewVersion, whyNoRelease } from '../../../dev/tools/release/checkout.ts';
import { licenceTexts, missingFiles, packagedReadme, releaseVersion } from '../../../dev/tools/release/pack.ts';
import { withProjectUrls } from '../../../dev/tools/release/python.ts';
import { datedChanges, releaseNotes, unreleasedChanges } from '../../../dev/tools/release/release-notes.ts';
import { VERSION_PLACES, writeVersion } from '../../../dev/tools/release/version-places.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const semver: {
  gt(one: string, other: string): boolean;
  lt(one: string, other: string): boolean;
  valid(version: string): string | null;
} = createRequire(import.meta.url)('semver');

const MANIFEST = {
  main: './dist/commonjs/index.js',
  bin: { gateway: 'dist/gateway.js' },
  exports: { '.': { import: { types: './dist/index.d.ts', default: './dist/index.js' } } },
};

const NAMED = ['dist/commonjs/index.js', 'dist/gateway.js', 'dist/index.d.ts', 'dist/index.js'];

describe('an archive', () => {
  test('an archive without dist lacks everything that its manifest names', () => {
    expect(missingFiles(MANIFEST, ['package.json', 'README.md'])).toEqual(NAMED);
  });

  test('an archive that holds what its manifest names lacks nothing', () => {
    expect(missingFiles(MANIFEST, [...NAMED, 'dist/more.js'])).toEqual([]);
  });
});

test('the licences of a bundle are read from the folder of each package, also inside another package', () => {
  const nested = 'node_modules/aws-cdk-lib/node_modules/yaml';
  const input = { bytes: 1, imports: [] };
  const inputs = {
    [`${nested}/dist/index.js`]: input,
    [`${nested}/dist/log.js`]: input,
    'node_modules/zod/v4/index.js': input,
  };
  const texts = licenceTexts([{ inputs }, { inputs: { 'packages/cli/cli.ts': input } }]).split('\n----\n\n');
  expect(texts).toEqual([expect.stringMatching(/^yaml\n\nCopyright /), expect.stringMatching(/^zod\n\nMIT License/)]);
  const missing = { 'node_modules/zod/node_modules/yaml/index.js': input };
  expect(() => licenceTexts([{ inputs: missing }])).toThrow('yaml says nothing of its licence.');
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

  test.each(['packages/cli', 'packages/client', 'packages/python', 'lib', 'packages/simulator'])(
    'the README of a package of %s leads nowhere outside it',
    (folder) => {
      const packed = packagedReadme(readFileSync(join(PROJECT_ROOT, folder, 'README.md'), 'utf8'));
      expect(packed).not.toMatch(/\]\(\.\.\/|<!--/);
    },
  );
});

describe('the version of the project', () => {
  test.each(VERSION_PLACES)('stands in %s', (file, around) => {
    expect(readFileSync(join(PROJECT_ROOT, file), 'utf8')).toContain(around(releaseVersion()));
  });

  test('stands nowhere else: every name of an archive is one of its places', () => {
    const generated =
      /(?:^|\/)(?:node_modules|dist|coverage|cdk\.out[^/]*|\.(?:gateway|git|stryker-tmp|second-opinions))$/;
    const named = globSync('**/*.{md,ts,py,toml,json,js,html}', {
      cwd: PROJECT_ROOT,
      exclude: (path) => generated.test(path),
    })
      .filter((file) => !/(?:^|\/)(?:CHANGELOG\.md|package-lock\.json)$/.test(file))
      .filter((file) =>
        /integration[-_]gateway[-_a-z]*[-/]\d+\.\d+\.\d+/.test(readFileSync(join(PROJECT_ROOT, file), 'utf8')),
      );
    const places = new Set(VERSION_PLACES.map(([file]) => file));
    expect(named.filter((file) => !places.has(file))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  test('the version of the project is written in all places or in none', () => {
    const folder = temporaryFolder();
    const files = new Set(VERSION_PLACES.map(([file]) => file));
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(PROJECT_ROOT, file), join(folder, file));
    }
    const version = releaseVersion();
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    expect(writeVersion(folder, version, '7.8.9-preview.1a2b3c4d').toSorted()).toEqual([...files].toSorted());
    for (const [file, around] of VERSION_PLACES) expect(read(file)).toContain(around('7.8.9-preview.1a2b3c4d'));
    expect(read('packages/python/pyproject.toml')).toContain('version = "7.8.9.dev0+1a2b3c4d"');
    writeVersion(folder, '7.8.9-preview.1a2b3c4d', version);
    for (const file of files) expect(read(file)).toBe(readFileSync(join(PROJECT_ROOT, file), 'utf8'));

    writeFileSync(join(folder, 'lib/README.md'), 'says nothing');
    const manifest = read('package.json');
    expect(() => writeVersion(folder, version, '7.8.9')).toThrow(
      `lib/README.md does not say integration-gateway-construct-${version}.tgz.`,
    );
    expect(read('package.json')).toBe(manifest);
  });
});

describe('a release', () => {
  const commit = { commit: '1a2b3c4d5e6f', subject: 'Release 0.2.0', changed: [] };

  test('a release is the commit that says so, as it is, or an unpacked archive of it', () => {
    expect(whyNoRelease(commit, '0.2.0', false)).toBeUndefined();
    expect(whyNoRelease(undefined, '0.2.0', false)).toBeUndefined();
  });

  test('a release is no other commit, no changed file and no version with changes after it', () => {
    expect(whyNoRelease({ ...commit, subject: 'Mend a typo' }, '0.2.0', false)).toBe(
      'the commit is "Mend a typo", not "Release 0.2.0"',
    );
    expect(whyNoRelease({ ...commit, changed: ['a', 'b', 'c', 'd'] }, '0.2.0', false)).toBe(
      'files differ from their commit: a, b, c and 1 more',
    );
    expect(whyNoRelease(commit, '0.2.0', true)).toBe('CHANGELOG.md has changes after 0.2.0');
    expect(whyNoRelease(undefined, '0.2.0', true)).toBe('CHANGELOG.md has changes after 0.2.0');
  });

  test('a release has previews after it, which sort below the next version and name their commit', () => {
    const preview = previewVersion('0.2.0', commit);
    expect(preview).toBe('0.2.1-preview.1a2b3c4d');
    expect(semver.gt(preview, '0.2.0') && semver.lt(preview, '0.2.1')).toBe(true);
    expect(previewVersion('0.2.9', { ...commit, changed: ['a'] })).toBe('0.2.10-preview.1a2b3c4d.changed');
  });

  test('a release has previews that are versions also where a hash begins with digits', () => {
    const preview = previewVersion('0.2.0', { ...commit, commit: '0123456789ab' });
    expect(preview).toBe('0.2.1-preview.0123456789a');
    expect(semver.valid(preview)).toBe(preview);
  });
});

const LOG = (unreleased: string) =>
  `# Changes\n\n## Unreleased\n\n${unreleased}## 0.2.0 (2026-01-31)\n\n### Added\n\n- New.\n`;

describe('the notes of a release', () => {
  test('the notes of a release are the section of its version, with its date', () => {
    const text = '# Integration gateway 0.2.0 (2026-01-31)\n\n### Added\n\n- New.\n';
    expect(releaseNotes(LOG(''), '0.2.0')).toBe(text);
  });

  test('the notes of a release of a preview are what has no version yet', () => {
    const title = '# Integration gateway 0.2.1-preview.1a2b3c4d, changes since 0.2.0 (2026-01-31)';
    expect(releaseNotes(LOG('### Fixed\n\n- Newer.\n\n'), '0.2.1-preview.1a2b3c4d')).toBe(
      `${title}\n\n### Fixed\n\n- Newer.\n`,
    );
    expect(releaseNotes(LOG(''), '0.2.1-preview.1a2b3c4d')).toBe(`${title}\n\nThe change log names none.\n`);
  });

  test.each(['0.1.0', '0.2.0-rc.1', '0.3.0'])(
    'the notes of a release do not exist for %s, which the log does not begin with',
    (version) => {
      expect(() => releaseNotes(LOG(''), version)).toThrow('the newest version should be');
    },
  );

  test('the notes of a release get a date when the version is made, lose kinds that are empty, and are those of that version then', () => {
    const dated = datedChanges(LOG('### Breaking\n\n### Added\n\n- Newer.\n\n### Security\n\n'), '0.3.0', '2026-02-28');
    expect(releaseNotes(dated, '0.3.0')).toBe('# Integration gateway 0.3.0 (2026-02-28)\n\n### Added\n\n- Newer.\n');
    expect(unreleasedChanges(dated)).toBe('');
    expect(dated).toContain('\n- Newer.\n\n## 0.2.0 (2026-01-31)\n\n### Added\n\n- New.\n');
  });

  test('the notes of a release begin with the summary of what changes for the reader', () => {
    const summary = '### What changes for you\n\nOperators upgrade first.\n\n';
    const dated = datedChanges(LOG(`${summary}### Breaking\n\n- Newer.\n\n`), '0.3.0', '2026-02-28');
    expect(releaseNotes(dated, '0.3.0')).toBe(
      `# Integration gateway 0.3.0 (2026-02-28)\n\n${summary}### Breaking\n\n- Newer.\n`,
    );
  });

  test.each(['', '### Added\n\n### Fixed\n\n'])(
    'the notes of a release cannot be made of nothing: %j',
    (unreleased) => {
      expect(() => datedChanges(LOG(unreleased), '0.3.0', '2026-02-28')).toThrow('has no unreleased changes');
    },
  );

  test.each([
    ['- Newer.\n\n', '"- Newer." stands under no kind'],
    ['### Removed\n\n- It.\n\n', '"Removed" is no kind'],
    ['### Fixed\n\n- It.\n\n### Added\n\n- It.\n\n', '"Added" stands twice or too late'],
  ])('the notes of a release are refused with a change under no kind: %j', (unreleased, told) => {
    expect(() => datedChanges(LOG(unreleased), '0.3.0', '2026-02-28')).toThrow(told);
  });
});

test('the change log lists its unreleased changes by kind', () => {
  expect(() => unreleasedChanges(readFileSync(join(PROJECT_ROOT, 'CHANGELOG.md'), 'utf8'))).not.toThrow();
});

describe('what is published', () => {
  test.each(['packages/cli', 'packages/client', 'lib', 'packages/simulator'])(
    'what is published from %s says what it is found by',
    (folder) => {
      const manifest = JSON.parse(readFileSync(join(PROJECT_ROOT, folder, 'package.json'), 'utf8'));
      expect(manifest.keywords.length).toBeGreaterThan(4);
      // Of these one place of the project knows more.
      for (const name of ['version', 'repository', 'homepage', 'bugs']) expect(manifest).not.toHaveProperty(name);
    },
  );

  test('what is published from packages/python gets the addresses that the project has', () => {
    const manifest = readFileSync(join(PROJECT_ROOT, 'packages/python/pyproject.toml'), 'utf8');
    expect(withProjectUrls(manifest, 'https://git.example/gateway')).toContain(
      '\n[project.urls]\nHomepage = "https://git.example/gateway"\nDocumentation = "https://git.example/gateway#readme"\n',
    );
  });
});
