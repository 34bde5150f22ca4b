import Alert from '@cloudscape-design/components/alert';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ConnectFlow } from '../../data/use-connect-flow.ts';
import type { PickedFile } from '../../gateway/library.ts';
import { ErrorPanel } from '../error-panel.tsx';
import { connectionHref, PageLink } from '../link.tsx';
import { Status } from '../status.tsx';

/** State of the connect window. */
export function FlowStatus({ flow }: { flow: ConnectFlow }) {
  return <div aria-live="polite">{content(flow)}</div>;
}

function content(flow: ConnectFlow) {
  switch (flow.kind) {
    case 'idle':
      return null;
    case 'open':
      return (
        <SpaceBetween size="xs">
          <Status type="in-progress">Waiting for the other window</Status>
          {flow.said !== undefined && <Alert type="error">{flow.said} You can try again in that window.</Alert>}
        </SpaceBetween>
      );
    case 'connected':
      if (flow.picked !== undefined) return <PickedFiles files={flow.picked} />;
      return (
        <Alert type={flow.missingScopes.length === 0 ? 'success' : 'warning'} header="Connected">
          {flow.missingScopes.length > 0 && <span>Some scopes were not granted. </span>}
          <PageLink href={connectionHref(flow.connection)}>Open the connection {flow.connection.connectionId}</PageLink>
        </Alert>
      );
    case 'blocked':
      return (
        <Alert type="warning" header="The browser blocked the window">
          <Link external externalIconAriaLabel="Opens in a new tab" href={flow.link}>
            Open the connect page
          </Link>
        </Alert>
      );
    case 'closed':
      return <Alert type="warning">{flow.said ?? 'The window was closed before the connection was complete.'}</Alert>;
    case 'failed':
      return <ErrorPanel error={flow.error} />;
  }
}

/** Which files were selected, and which of them the connection cannot open. */
function PickedFiles({ files }: { files: readonly PickedFile[] }) {
  const isWhole = files.every(({ confirmed }) => confirmed);
  return (
    <Alert
      type={isWhole ? 'success' : 'warning'}
      header={files.length === 1 ? 'One file selected' : `${files.length} files selected`}
    >
      <ul>
        {files.map(({ id, mimeType, confirmed }) => (
          <li key={id}>
            <code className="wrap">{id}</code> {confirmed ? mimeType : '(the connection cannot open it)'}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
