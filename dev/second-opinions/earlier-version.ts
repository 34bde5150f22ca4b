/** Code of an earlier version, from git, with the packages that it names. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { capture, WORK_FOLDER } from '../tools/installed-programs.ts';
import { PROJECT_ROOT } from '../tools/run.ts';

const INSTALL_TIMEOUT_MS = 600_000;

/**
 * Whether this clone has a commit.
 *
 * @returns false in a clone without its history
 * @throws Error in a whole clone, where the commit must be
 */
export function hasCommit(commit: string): boolean {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: PROJECT_ROOT }).status === 0) return true;
  const { stdout } = spawnSync('git', ['rev-parse', '--is-shallow-repository'], {
    cwd: PROJECT_ROOT,
    encoding: 'utf8',
  });
  if (stdout.trim() !== 'true') throw new Error(`git does not know the commit ${commit}.`);
  return false;
}

/** Unpacks the files of a commit, once, and installs their packages. @returns the folder @throws Error naming what failed */
export async function unpackedVersion(commit: string): Promise<string> {
  const folder = join(WORK_FOLDER, 'versions', commit);
  const done = join(folder, '.unpacked');
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tar = `${folder}.tar`;
  await succeed('git', ['archive', '--format=tar', `--output=${tar}`, commit], PROJECT_ROOT);
  await succeed('tar', ['-xf', tar, '-C', folder], PROJECT_ROOT);
  rmSync(tar);
  if (packagesOf(folder) === packagesOf(PROJECT_ROOT))
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
  else await succeed('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  writeFileSync(done, '');
  return folder;
}

async function succeed(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, out, err } = await capture(command, args, { timeoutMs: INSTALL_TIMEOUT_MS, cwd });
  if (code !== 0) throw new Error(`${command} ${args[0]} failed: ${out}\n${err}`);
}

/** Every package of a lockfile with its version. */
function packagesOf(root: string): string {
  const lock = z
    .object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) })
    .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const installed = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'));
  return installed.map(([path, { version = '' }]) => `${path}@${version}`).join('\n');
}
