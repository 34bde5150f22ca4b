import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, test } from 'vitest';
import { engineRanges, launcherText, lowestNodes, writeLauncher } from '../../../dev/tools/release/launcher.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ENGINES = '^20.19.0 || >=22.12.0';

/** What the program does on a Node: what it loads, or what it says. */
function startedOn(version: string): { loaded: string[]; said: string; exitCode: number | undefined } {
  const loaded: string[] = [];
  const said: string[] = [];
  const process = {
    versions: { node: version },
    stderr: { write: (text: string) => void said.push(text) },
    exitCode: undefined,
  };
  const code = launcherText('gateway', ENGINES).replace(/^#!.*\n/, '');
  runInNewContext(code, { process, require: (path: string) => void loaded.push(path), Number });
  return { loaded, said: said.join(''), exitCode: process.exitCode };
}

describe('the program of a package', () => {
  it.each(['20.19.0', '20.20.2', '22.12.0', '22.13.0', '23.0.0', '24.21.0', '100.1.0'])(
    'starts on Node %s',
    (version) => {
      expect(startedOn(version)).toEqual({ loaded: ['./load.cjs'], said: '', exitCode: undefined });
    },
  );

  it.each(['0.12.18', '4.9.1', '18.20.8', '20.9.0', '20.18.3', '21.7.3', '22.11.0'])(
    'says on Node %s what it needs, and ends with 1',
    (version) => {
      const said = `gateway needs Node 20.19, 22.12 or later; this is ${version}.\n`;
      expect(startedOn(version)).toEqual({ loaded: [], said, exitCode: 1 });
    },
  );

  it('the program of a package is ES5, which every Node reads', () => {
    expect(launcherText('gateway', ENGINES)).not.toMatch(/=>|`|\b(?:const|let|import)\b/);
  });

  it('runs what it is for, with its arguments', () => {
    const folder = temporaryFolder();
    writeLauncher(folder, 'packages/cli', 'gateway', 'main.js');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'main.js'), 'console.log(process.argv.slice(2).join()); process.exitCode = 3;');
    const ended = spawnSync(join(folder, 'gateway.cjs'), ['a', 'b'], { encoding: 'utf8' });
    expect([ended.stdout, ended.status]).toEqual(['a,b\n', 3]);
  });
});

test.each(['', '20', '~20.1.0', '>=20.1.2', '>20'])(
  'a range of Nodes that nobody tests by its end is refused: %j',
  (engines) => {
    expect(() => engineRanges(engines)).toThrow(`of engines "${engines}"`);
  },
);

test('the READMEs of the programs name the Nodes that their packages promise', () => {
  for (const folder of ['packages/cli', 'packages/simulator']) {
    expect(lowestNodes(folder)).toEqual(['20.19.0', '22.12.0']);
    expect(readFileSync(join(PROJECT_ROOT, folder, 'README.md'), 'utf8')).toContain('Node 20.19, 22.12 or later');
  }
  for (const folder of ['packages/client', 'lib']) {
    expect(lowestNodes(folder)).toEqual(['20.0.0']);
    expect(readFileSync(join(PROJECT_ROOT, folder, 'README.md'), 'utf8')).toContain('Node 20 or later');
  }
});
