import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { CommandProblem, EXIT, isAwsSetup } from '../problems.ts';

const HINTS: Readonly<Record<string, string>> = {
  ResourceNotFoundException: 'There is no such table in this account and region.',
  AccessDeniedException: 'Your AWS credentials lack a permission; docs/operations.md lists what is needed.',
  ExpiredTokenException: 'Your AWS credentials have expired.',
  UnrecognizedClientException: 'AWS does not know these credentials.',
  ValidationException: 'Is it a table of this gateway?',
};

/** An AWS error with its remedy; any other error unchanged. */
export function explainAwsError(error: unknown): unknown {
  if (isAwsSetup(error) || !(error instanceof Error)) return error;
  if (error instanceof GatewayError && error.code === 'service_unavailable') {
    return new CommandProblem(
      'The table does not answer, or has too much to do. Try again in a minute.',
      EXIT.unreachable,
    );
  }
  const hint = HINTS[error.name];
  if (hint === undefined) return error;
  return new CommandProblem(`${hint} AWS says: ${error.message} (${error.name})`, EXIT.refused);
}
