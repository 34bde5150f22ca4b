import {
  chmodSync,
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import { CommandProblem } from '../problems.ts';

const OWNER_ONLY = 0o600;

/** A file of secrets, a line each, that only its owner can read. */
export interface LineWriter {
  /** Lines that were there before. */
  readonly before: readonly string[];
  write(line: string): void;
  /** A file that this run made and wrote nothing to is removed. */
  close(): void;
}

/**
 * Opens a new file, or with `goOn` one that an earlier run left: a last line that it did not finish is cut off.
 *
 * @throws CommandProblem when the file is there already and `goOn` is not set, or cannot be written
 */
export function openLineWriter(path: string, goOn: boolean): LineWriter {
  const exists = existsSync(path);
  if (exists && !goOn) {
    throw new CommandProblem(`${path} already exists. Choose another file, or add --resume to continue this one.`);
  }
  try {
    const before = exists ? wholeLines(path) : [];
    const file = openSync(path, 'a', OWNER_ONLY);
    chmodSync(path, OWNER_ONLY);
    let isEmpty = !exists;
    return {
      before,
      write(line) {
        writeSync(file, `${line}\n`);
        isEmpty = false;
      },
      close() {
        closeSync(file);
        if (isEmpty) rmSync(path, { force: true });
      },
    };
  } catch (cause) {
    throw new CommandProblem(`${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function wholeLines(path: string): string[] {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  truncateSync(path, end);
  return bytes
    .subarray(0, end)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Lines of a file with their numbers, from 1; empty ones are left out. `-` is standard input. @throws CommandProblem */
export async function* numberedLines(path: string): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  const input = path === '-' ? process.stdin : createReadStream(path, 'utf8');
  let number = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      if (text.trim() !== '') yield { number, text };
    }
  } catch (cause) {
    throw new CommandProblem(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
