import type { ReadinessNote } from '../../model/feature-slots.ts';
import { PageLink } from '../../ui/link.tsx';
import { Status } from '../../ui/status.tsx';

/** Whether Google reports ended grants to the gateway. */
export const readinessNote: ReadinessNote = ({ readiness: { securityEvents } }) => {
  if (securityEvents === undefined) return null;
  const { state, what } = securityEvents;
  return (
    <div className="wrap step-state">
      {state === 'verified' ? (
        <Status type="success">Security events</Status>
      ) : (
        <Status type={state === 'not_verified' ? 'warning' : 'info'}>Security events</Status>
      )}
      <div>
        {what} <PageLink href="/security-events">All Cloud projects</PageLink>
      </div>
    </div>
  );
};
