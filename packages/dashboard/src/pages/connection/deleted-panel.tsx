import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ConnectionRef } from '../../gateway/library.ts';
import { auditHref } from '../../ui/link.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Timeline } from './timeline.tsx';

/** What is left of a deleted connection. */
export function DeletedPanel({ connectionRef }: { connectionRef: ConnectionRef }) {
  return (
    <SpaceBetween size="l">
      <Alert
        type="info"
        header="This connection was deleted"
        action={<LinkButton href={auditHref(connectionRef.connectionId)}>See who deleted it</LinkButton>}
      >
        Its tokens are erased; calls to it get 404. Its timeline is kept for 400 days.
      </Alert>
      <Timeline connectionRef={connectionRef} round={0} />
    </SpaceBetween>
  );
}
