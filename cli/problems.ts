import { CommanderError } from 'commander';
import { GatewayError, NetworkError, ProviderError, TimeoutError, UnexpectedAnswerError } from '../client/src/index.ts';
import { GATEWAY } from './called-as.ts';

/** Codes the command line ends with. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, notWorking: 4, unfinished: 5 } as const;

/** A failure with its own words and exit code. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
  readonly exitCode: number;

  /** @param message what is wrong and what to do */
  constructor(message: string, exitCode: number = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Says what went wrong on standard error and sets the exit code. */
export function endWithProblem(error: unknown): void {
  const { lines, exitCode } = describe(error);
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = exitCode;
}

/** Lines for people, and the exit code. */
export function describe(error: unknown): { readonly lines: readonly string[]; readonly exitCode: number } {
  // Commander has said it already; asking for help is no failure.
  if (error instanceof CommanderError) return { lines: [], exitCode: error.exitCode === 0 ? EXIT.done : EXIT.usage };
  if (error instanceof CommandProblem) return { lines: [error.message], exitCode: error.exitCode };
  if (error instanceof GatewayError) return { lines: linesOf(error), exitCode: EXIT.refused };
  if (error instanceof ProviderError) return { lines: [error.message], exitCode: EXIT.refused };
  if (error instanceof NetworkError || error instanceof TimeoutError) {
    return {
      lines: [error.message, 'Is the gateway running? Locally: npm start. Elsewhere: check --base-url.'],
      exitCode: EXIT.unreachable,
    };
  }
  if (error instanceof UnexpectedAnswerError) return { lines: [error.message], exitCode: EXIT.unreachable };
  if (error instanceof TypeError) return { lines: [error.message], exitCode: EXIT.usage };
  return { lines: [error instanceof Error ? (error.stack ?? error.message) : String(error)], exitCode: EXIT.refused };
}

function linesOf(error: GatewayError): string[] {
  const lines = [error.message];
  if (error.problems.length > 1) lines.push(...error.problems.map(({ path, message }) => `  ${path}: ${message}`));
  if (error.connection !== undefined) {
    if (error.connection.whatHappened !== '') lines.push(`  ${error.connection.whatHappened}`);
    lines.push(`  What to do: ${error.connection.remedy}`);
  }
  const hint = HINTS[error.code];
  if (hint !== undefined) lines.push(`  ${hint}`);
  if (error.retryAfterSec !== undefined) lines.push(`  Try again in ${error.retryAfterSec} s.`);
  if (error.requestId !== undefined) lines.push(`  Request id: ${error.requestId}`);
  return lines;
}

const HINTS: Readonly<Record<string, string>> = {
  invalid_secret_key:
    'Check GATEWAY_SECRET_KEY or --key-secret; after npm start -- --fresh the local key is another one.',
  unknown_integration: `${GATEWAY} integrations list shows what there is.`,
  unknown_connection: `${GATEWAY} connections list shows what there is.`,
};
