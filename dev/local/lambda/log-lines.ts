/** Lines written by functions, with the function's name: on the console and for later requests. */

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** One line a function wrote, or one the runner noted about it. */
export interface LogLine {
  functionName: string;
  text: string;
}

export interface LogSink {
  line(functionName: string, text: string): void;
  /** Prints the runner's message about a function: a crash, a time-out, a failed start. */
  note(functionName: string, text: string): void;
  /** The latest lines, oldest first. */
  lines(): readonly LogLine[];
}

const KEPT_LINES = 10_000;

/** Keeps the latest 10,000 lines and hands each to `print`. */
export function logSink(print: (line: LogLine, isNote: boolean) => void): LogSink {
  const kept: LogLine[] = [];
  const add = (functionName: string, text: string, isNote: boolean): void => {
    const line = { functionName, text };
    kept.push(line);
    if (kept.length > KEPT_LINES) kept.shift();
    print(line, isNote);
  };
  return {
    line: (functionName, text) => add(functionName, text, false),
    note: (functionName, text) => add(functionName, text, true),
    lines: () => kept,
  };
}

/** Reads each line of a process's output. */
export function forwardLines(output: Readable, read: (text: string) => void): void {
  const lines = createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', read);
}
