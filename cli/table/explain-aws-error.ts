import { CommandProblem, EXIT } from '../problems.ts';

const HINTS: Readonly<Record<string, string>> = {
  ResourceNotFoundException: 'There is no such table in this account and region.',
  AccessDeniedException: 'Your AWS credentials lack a permission; docs/operations.md lists what is needed.',
  CredentialsProviderError: 'There are no AWS credentials: set AWS_PROFILE, or the usual environment variables.',
  ExpiredTokenException: 'Your AWS credentials have expired.',
  UnrecognizedClientException: 'AWS does not know these credentials.',
  ValidationException: 'Is it a table of this gateway?',
};

/** An AWS error in words that say what to do; everything else as it is. */
export function explainAwsError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (/Region is missing/.test(error.message)) return new CommandProblem('Which region? Set AWS_REGION.');
  const hint = HINTS[error.name];
  return hint === undefined ? error : new CommandProblem(`${error.name}: ${error.message} ${hint}`, EXIT.refused);
}
