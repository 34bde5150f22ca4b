import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect } from 'react';
import { useLoad } from '../../data/use-load.ts';
import { useWorkplace } from '../../gateway/gateway-context.tsx';
import { ActionLink } from '../../ui/action-button.tsx';
import { ConnectMenu } from '../../ui/connect/connect-menu.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { FirstCall } from './first-call.tsx';
import { loadProgress, type Progress } from './load-progress.ts';

/** From nothing to the first call, with what is done already. */
export default function GettingStartedPage() {
  const { gateway, firstSteps } = useWorkplace();
  const progress = useLoad('progress', (signal) => loadProgress(gateway, signal));
  const { load } = progress;
  useEffect(() => {
    if (load.kind === 'ready') firstSteps.take(hasOpenStep(load.value));
  }, [firstSteps, load]);
  return (
    <Page title="Getting started" description="Four steps to the first call.">
      <LoadView loaded={progress} height="70vh" what="your progress">
        {(value) => <Steps progress={value} onConnected={progress.reload} />}
      </LoadView>
    </Page>
  );
}

function hasOpenStep({ integrations, connections, hasKey, hasCalled }: Progress): boolean {
  return integrations.length === 0 || connections.length === 0 || !hasKey || !hasCalled;
}

function Steps({ progress, onConnected }: { progress: Progress; onConnected: () => void }) {
  const { integrations, connections, providers, hasKey, hasCalled } = progress;
  return (
    <ol className="steps">
      <Step title="Create an integration" isDone={integrations.length > 0}>
        <ActionLink href="/new-integration">Create an integration</ActionLink>
      </Step>
      <Step title="Connect an account" isDone={connections.length > 0}>
        <ConnectMenu onConnected={onConnected} />
      </Step>
      <Step title="Create a secret key for your backend" isDone={hasKey}>
        <LinkButton href="/keys">Go to the secret keys</LinkButton>
      </Step>
      <Step title="Make the first call" isDone={hasCalled}>
        <FirstCall connections={connections} providers={providers} />
      </Step>
    </ol>
  );
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: React.ReactNode }) {
  return (
    <li>
      <SpaceBetween size="s">
        <h2 className="step-title">
          {title} {isDone && <Status type="success">Done</Status>}
        </h2>
        {children}
      </SpaceBetween>
    </li>
  );
}
