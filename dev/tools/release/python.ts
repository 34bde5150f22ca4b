/** The Python client's wheel, built by its own pinned tools. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, pythonEnvironment } from '../installed-programs.ts';
import { PROJECT_ROOT } from '../run.ts';
import { packagedReadme, projectAddress, releaseVersion } from './pack.ts';
import { pythonVersion } from './version-places.ts';

const SOURCE = join(PROJECT_ROOT, 'packages', 'python');

/** Whether there is a Python at all: the rest of a release needs none. */
export function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0;
}

/** The tools that build and judge the Python client. @returns the folder of their environment @throws Error saying which Python is needed */
export function pythonClientEnvironment(): Promise<string> {
  return pythonEnvironment('python-client', join(SOURCE, 'requirements-dev.txt'));
}

/**
 * Builds the wheel under the version of the release.
 * @param into folder that receives it
 * @returns its path
 * @throws Error saying which Python is needed, or with the words of the build
 */
export async function makeWheel(into: string): Promise<string> {
  const environment = await pythonClientEnvironment();
  const stage = join(PROJECT_ROOT, 'dist', 'stage', 'python');
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  cpSync(join(SOURCE, 'src'), join(stage, 'src'), { recursive: true });
  writeFileSync(join(stage, 'README.md'), packagedReadme(readFileSync(join(SOURCE, 'README.md'), 'utf8')));
  cpSync(join(PROJECT_ROOT, 'LICENSE'), join(stage, 'LICENSE'));
  const manifest = readFileSync(join(SOURCE, 'pyproject.toml'), 'utf8');
  writeFileSync(join(stage, 'pyproject.toml'), withProjectUrls(manifest, projectAddress()));
  const build = ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', into];
  const { code, out, err } = await capture(join(environment, 'bin', 'python'), build, { cwd: stage });
  if (code !== 0) throw new Error(`The wheel could not be built:\n${out}\n${err}`);
  const version = pythonVersion(releaseVersion());
  const wheel = readdirSync(into).find((name) => name.endsWith(`-${version}-py3-none-any.whl`));
  if (wheel === undefined) throw new Error(`The build left no wheel of version ${version} in ${into}.`);
  return join(into, wheel);
}

/** A `pyproject.toml` that also says where the project is found. @param address as `projectAddress()` gives it */
export function withProjectUrls(manifest: string, address: string): string {
  const urls = { Homepage: address, Documentation: `${address}#readme`, Source: address, Issues: `${address}/issues` };
  const lines = Object.entries(urls).map(([name, url]) => `${name} = "${url}"`);
  return manifest.replace(
    '\n[project.optional-dependencies]\n',
    (next) => `\n[project.urls]\n${lines.join('\n')}\n${next}`,
  );
}
