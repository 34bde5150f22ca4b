import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** Folder of the project. */
export const PROJECT_ROOT = join(import.meta.dirname, '..', '..');

/** Runs one of the project's own tools with its output shown; resolves with the exit code (a signal counts as 1). */
export function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: PROJECT_ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        ...environment,
        PATH: [join(PROJECT_ROOT, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
      },
    });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
