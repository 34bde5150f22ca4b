/** What the command lines of the benchmarks have in common. */
import { writeFile } from 'node:fs/promises';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Reads options strictly, without positionals. @param command as it is typed. @throws Error naming what is wrong and where the usage is */
export function readArguments<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T, command: string) {
  try {
    return parseArgs({ args: [...args], strict: true, allowPositionals: false, options });
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : cause}\nSee ${command} -- --help`, { cause });
  }
}

/** A whole number from 1. @throws Error naming the option */
export function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`${option} takes a whole number from 1, not "${text}".`);
  return number;
}

/** Runs a benchmark: prints a failure's message and exits with code 1, and Ctrl-C leaves nothing behind. */
export async function runBenchmark(run: () => Promise<void>): Promise<void> {
  process.once('SIGINT', () => process.exit(130));
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}

/** Writes every number of a run where `--json` asked for it. */
export async function writeNumbers(jsonFile: string | undefined, numbers: unknown): Promise<void> {
  if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify(numbers, undefined, 2)}\n`);
}
