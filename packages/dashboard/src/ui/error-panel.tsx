import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useWorkplace } from '../gateway/gateway-context.tsx';
import { describeError, type ErrorKind } from '../model/describe-error.ts';

/** A failure: what happened, what to do, and the request id for the log. Nothing at all without an error. */
export function ErrorPanel({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error === undefined) return null;
  const { kind, title, message, problems, requestId } = describeError(error);
  const listed = problems.filter((problem) => !message.includes(problem.message));
  return (
    <Alert type="error" header={title} action={<Remedy kind={kind} onRetry={onRetry} />}>
      <SpaceBetween size="xs">
        <span>{message}</span>
        {listed.length > 0 && (
          <ul className="plain-list">
            {listed.map((problem) => (
              <li key={`${problem.path} ${problem.message}`}>
                <code>{problem.path}</code> {problem.message}
              </li>
            ))}
          </ul>
        )}
        {requestId !== undefined && (
          <Box fontSize="body-s">
            Request <code>{requestId}</code>
          </Box>
        )}
      </SpaceBetween>
    </Alert>
  );
}

function Remedy({ kind, onRetry }: { kind: ErrorKind; onRetry: (() => void) | undefined }) {
  const { session } = useWorkplace();
  if (kind === 'signed_out' || kind === 'fresh_sign_in') {
    return <Button onClick={() => void session.signInAgain(kind === 'fresh_sign_in')}>Sign in again</Button>;
  }
  // What is not there does not come by asking again.
  return onRetry === undefined || kind === 'missing' ? null : <Button onClick={onRetry}>Try again</Button>;
}
