/** The Python of this computer, for functions of apps that are written in it. The gateway itself needs none. */
import { spawnSync } from 'node:child_process';

/** What runs such a function: the Runtime API on one side, its handler on the other. */
export const PYTHON_RUNTIME_CLIENT = `${import.meta.dirname}/runtime-client.py`;

const PATH_OF_INTERPRETER = 'import sys; print(sys.executable if sys.version_info >= (3, 10) else "")';

let found: string | undefined;
let isSought = false;

/** Path of the interpreter behind `python3`, 3.10 or later; undefined where there is none. */
export function findPython(): string | undefined {
  if (isSought) return found;
  isSought = true;
  const { stdout } = spawnSync('python3', ['-c', PATH_OF_INTERPRETER], { encoding: 'utf8' });
  // Null where there is no such program.
  found = stdout?.trim() || undefined;
  return found;
}
