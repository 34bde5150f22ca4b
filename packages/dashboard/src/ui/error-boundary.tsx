import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { type ReactNode, useEffect, useState } from 'react';
import { FailureCatcher } from '../data/failure-catcher.tsx';
import { MissingPartError } from '../data/lazy-part.ts';
import { useOnline } from '../data/use-online.ts';

/** Keeps the frame when a page breaks, also when a part of the app cannot be loaded. @param resetKey another value forgets the failure */
export function ErrorBoundary({ resetKey, children }: { resetKey: string; children: ReactNode }) {
  return (
    <FailureCatcher
      resetKey={resetKey}
      instead={(error) => (error instanceof MissingPartError ? <MissingPart /> : <BrokenPage error={error} />)}
    >
      {children}
    </FailureCatcher>
  );
}

function BrokenPage({ error }: { error: unknown }) {
  return (
    <Alert type="error" header="This page could not be shown" action={<ReloadButton />}>
      {error instanceof Error ? error.message : String(error)}
    </Alert>
  );
}

/** A browser keeps in mind that a part could not be fetched, so only a reload fetches it again. */
function MissingPart() {
  const isOnline = useOnline();
  const [wasOffline] = useState(!isOnline);
  useEffect(() => {
    if (wasOffline && isOnline) location.reload();
  }, [wasOffline, isOnline]);
  if (!isOnline) {
    return <Alert type="warning">This page has not been opened before. It will load when the network is back.</Alert>;
  }
  return (
    <Alert type="error" header="This page could not be loaded" action={<ReloadButton />}>
      The network failed, or the dashboard was updated since you opened it. Reload to get its latest version.
    </Alert>
  );
}

function ReloadButton() {
  return <Button onClick={() => location.reload()}>Reload</Button>;
}
