// Without a listener a reader that went away would end the process.
process.stdout.on('error', () => {});

/** Writes one line to standard output. Where nobody reads it any more the line is lost, never the request (F72). */
export function writeLine(line: string): void {
  try {
    process.stdout.write(`${line}\n`);
  } catch {
    // There is nowhere left to say so.
  }
}
