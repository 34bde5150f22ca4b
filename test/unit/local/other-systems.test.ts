import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingEngine } from '../../../dev/local/dynamodb/engine.ts';

const ROOT = join(import.meta.dirname, '../../..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('where npm ci brings no engine', () => {
  it.each(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'win32-x64'])(
    'a start on %s names the one command that is missing, in the version that is pinned',
    (system) => {
      const version = manifest.optionalDependencies['@dynoxide/linux-x64'];
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(missingEngine(system).split('\n')[1]).toBe(`  npm install --no-save @dynoxide/${system}@${version}`);
    },
  );

  it('a start on a system without a build names an engine that runs elsewhere', () => {
    expect(missingEngine('aix-ppc64')).toMatch(/no DynamoDB engine for aix-ppc64.*--dynamodb http:/);
    expect(missingEngine('aix-ppc64')).not.toContain('npm install');
  });

  it('the README shows the command', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const command = missingEngine('darwin-arm64').split('\n')[1]?.trim() ?? '';
    expect(readme).toContain(command);
  });
});

describe('on a Node that does not read the sources', () => {
  /** Runs the check under another version and system. */
  function check(version: string, system: string, arch: string) {
    const pretend = [
      `Object.defineProperty(process, 'version', { value: 'v${version}' });`,
      `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`,
      `Object.defineProperty(process, 'platform', { value: '${system}' });`,
      `Object.defineProperty(process, 'arch', { value: '${arch}' });`,
      `await import(${JSON.stringify(join(ROOT, 'dev/local/node-version.mjs'))});`,
      "console.log('goes on');",
    ];
    return spawnSync(process.execPath, ['--input-type=module', '-e', pretend.join('\n')], { encoding: 'utf8' });
  }

  it.each([
    [
      '20.20.2',
      'darwin',
      'arm64',
      /^The gateway runs on Node 24.*this is v20\.20\.2\. npm ci brings it on Linux \(x64\) alone: install it/,
    ],
    ['22.12.0', 'linux', 'arm64', /install it from https:\/\/nodejs\.org/],
    ['20.20.2', 'linux', 'x64', /Run npm ci, which brings it/],
  ])('%s on %s %s, npm start says in a sentence what to do', (version, system, arch, sentence) => {
    const { status, stderr, stdout } = check(version, system, arch);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('one’s own Node 24 is used', () => {
    expect(check('24.1.0', 'darwin', 'arm64')).toMatchObject({ status: 0, stdout: 'goes on\n', stderr: '' });
  });

  it('start and test look before anything else is loaded', () => {
    for (const name of ['start', 'test', 'test:long']) {
      expect(manifest.scripts[name]).toMatch(/^node --import \.\/dev\/local\/node-version\.mjs /);
    }
  });
});
