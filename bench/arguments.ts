/** What the command lines of the benchmarks have in common. */
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
