import { CommanderError } from 'commander';
import { GatewayError, NetworkError, ProviderError, TimeoutError, UnexpectedAnswerError } from '../client/src/index.ts';
import { GATEWAY } from './called-as.ts';

/** Codes the command line ends with. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, notWorking: 4, unfinished: 5 } as const;

/** A failure with its own words and exit code. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
  readonly exitCode: number;

  /** @param message the problem and its remedy */
  constructor(message: string, exitCode: number = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Prints the problem on standard error and sets the exit code.
 *
 * @param options `json`: in one line of JSON, for programs
 */
export function endWithProblem(error: unknown, { json = false }: { json?: boolean } = {}): void {
  const { lines, exitCode } = describe(error);
  process.exitCode = exitCode;
  if (!json) for (const line of lines) process.stderr.write(`${line}\n`);
  else if (exitCode !== EXIT.done) process.stderr.write(`${JSON.stringify({ error: problemDocument(error) })}\n`);
}

/** A failure for programs: `code`, `message` and `exit_code`, and of the gateway's refusals all that they say, by the names of its API. */
function problemDocument(error: unknown): Readonly<Record<string, unknown>> {
  const { lines, exitCode } = describe(error);
  const message = error instanceof CommanderError ? error.message.replace(/^error: /, '') : lines.join(' ');
  const facts = { code: codeOf(error, exitCode), message, exit_code: exitCode };
  if (error instanceof ProviderError) {
    return {
      ...facts,
      message: error.message,
      status: error.status,
      reason: error.reason,
      request_id: error.requestId,
    };
  }
  if (!(error instanceof GatewayError)) return facts;
  const { connection } = error;
  return {
    ...facts,
    message: error.message,
    status: error.status,
    errors: error.problems,
    connection: connection && {
      status: connection.status,
      cause: connection.cause,
      certain: connection.certain,
      what_happened: connection.whatHappened,
      remedy: connection.remedy,
    },
    hint: HINTS[error.code],
    retry_after_sec: error.retryAfterSec,
    applied: error.applied,
    request_id: error.requestId,
  };
}

function codeOf(error: unknown, exitCode: number): string {
  if (error instanceof GatewayError) return error.code;
  if (error instanceof ProviderError) return 'provider_error';
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof UnexpectedAnswerError) return 'unexpected_answer';
  if (isAwsSetup(error)) return 'aws_not_set_up';
  const codes: Readonly<Record<number, string>> = {
    [EXIT.usage]: 'wrong_usage',
    [EXIT.unreachable]: 'unreachable',
    [EXIT.notWorking]: 'not_working',
    [EXIT.unfinished]: 'unfinished',
  };
  return codes[exitCode] ?? 'failed';
}

/** An error of the SDK itself, recognized by its name or message. */
type AwsSetupError = Error & { readonly name: string };

/** Whether AWS's SDK found no credentials, or no region, before it called anything. */
export function isAwsSetup(error: unknown): error is AwsSetupError {
  if (!(error instanceof Error)) return false;
  return /^(CredentialsProviderError|TokenProviderError)$/.test(error.name) || error.message === 'Region is missing';
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
  if (isAwsSetup(error)) return { lines: [AWS_SETUP, `AWS's SDK says: ${error.message}`], exitCode: EXIT.usage };
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

const AWS_SETUP =
  'This command needs AWS credentials and a region: sign in (aws sso login, aws configure), or set AWS_PROFILE and AWS_REGION. For the gateway of npm start, omit --table, --into and --key-secret.';

const HINTS: Readonly<Record<string, string>> = {
  invalid_secret_key: 'Check GATEWAY_SECRET_KEY or --key-secret; npm start -- --fresh creates a new local key.',
  unknown_integration: `${GATEWAY} integrations list shows the integrations.`,
  unknown_connection: `${GATEWAY} connections list shows the connections.`,
};
