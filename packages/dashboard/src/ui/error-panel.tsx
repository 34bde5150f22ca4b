import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLocation } from 'react-router';
import { useWorkplace } from '../gateway/gateway-context.tsx';
import { describeError, type ErrorKind } from '../model/describe-error.ts';
import { auditHref } from './link.tsx';
import { LinkButton } from './link-button.tsx';

/** A failure: what happened, what to do, and the request id for the log. Nothing at all without an error. */
export function ErrorPanel({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { pathname } = useLocation();
  if (error === undefined) return null;
  const { kind, title, message, problems, requestId } = describeError(error);
  const listed = problems.filter((problem) => !message.includes(problem.message));
  return (
    <Alert type="error" header={title} action={<Remedy kind={kind} onRetry={onRetry} gone={goneId(pathname)} />}>
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

/** What the page at hand is of, if it is of one thing: what is gone has left an audit trail. */
function goneId(pathname: string): string | undefined {
  const [, list, ...ids] = pathname.split('/');
  return ['integrations', 'connections', 'webhooks'].includes(list ?? '')
    ? ids.map(decodeURIComponent).at(-1)
    : undefined;
}

function Remedy({
  kind,
  onRetry,
  gone,
}: {
  kind: ErrorKind;
  onRetry: (() => void) | undefined;
  gone: string | undefined;
}) {
  const { session } = useWorkplace();
  if (kind === 'signed_out' || kind === 'fresh_sign_in') {
    return <Button onClick={() => void session.signInAgain(kind === 'fresh_sign_in')}>Sign in again</Button>;
  }
  if (kind === 'missing' && gone !== undefined) {
    return <LinkButton href={auditHref(gone)}>Look for it in the audit trail</LinkButton>;
  }
  // What is not there does not come by asking again.
  return onRetry === undefined || kind === 'missing' ? null : <Button onClick={onRetry}>Try again</Button>;
}
