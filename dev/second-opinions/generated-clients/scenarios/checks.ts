import { isDeepStrictEqual } from 'node:util';

/** Runs one check and writes its result as a line of JSON. */
export async function check(name: string, run: () => Promise<void>): Promise<void> {
  let problem: string | null = null;
  try {
    await run();
  } catch (error) {
    problem = error instanceof Error ? `${error.name}: ${error.message}` : JSON.stringify(error);
  }
  process.stdout.write(`${JSON.stringify({ check: name, problem })}\n`);
}

/** @throws Error that shows both, where they differ */
export function equal(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}

/** @throws Error for an empty or absent text */
export function text(value: string | undefined): string {
  if (value === undefined || value === '') throw new Error('there is no text');
  return value;
}
