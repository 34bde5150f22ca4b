import { type ReactNode, Suspense } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import type { DashboardConfig } from './config.ts';
import { FailureCatcher } from './data/failure-catcher.tsx';
import { lazyPart } from './data/lazy-part.ts';
import { OpeningScreen } from './opening.tsx';
import type { Opening } from './session/open-session.ts';

const loadApp = () => import('./app.tsx');
const App = lazyPart(loadApp);

let root: Root | undefined;

function show(screen: ReactNode): void {
  root ??= createRoot(document.getElementById('root') ?? document.body);
  root.render(screen);
}

/** Where a sign-in stands, but for a browser that is on its way to the issuer. */
type Arrival = Exclude<Opening, { kind: 'leaving' }>;

/** Draws what the sign-in came to. */
export function showOpening(opening: Arrival, config: DashboardConfig): void {
  show(screenOf(opening, config));
}

function screenOf(opening: Arrival, config: DashboardConfig): ReactNode {
  switch (opening.kind) {
    case 'signed_out':
      return (
        <OpeningScreen
          title="Signed out"
          message="You are signed out here and at the issuer."
          action={{ label: 'Sign in', run: () => void opening.signIn() }}
        />
      );
    case 'failed':
      return (
        <OpeningScreen
          title="The sign-in failed"
          message={`${opening.reason}. A sign-in that was not started in this window is not accepted.`}
          action={{ label: 'Sign in', run: () => void opening.signIn() }}
        />
      );
    case 'signed_in':
      return (
        <FailureCatcher instead={(error) => <BrokenStart error={error} />}>
          <Suspense fallback={<OpeningScreen title="Integration gateway" message="Opening…" />}>
            <App config={config} session={opening.session} />
          </Suspense>
        </FailureCatcher>
      );
  }
}

/** Draws why the sign-in could not begin. @param again tries once more */
export function showFailedStart(error: unknown, again: () => void): void {
  show(
    <OpeningScreen
      title="The dashboard could not start"
      message={`The sign-in could not be started: ${error instanceof Error ? error.message : String(error)}`}
      action={{ label: 'Try again', run: again }}
    />,
  );
}

/** Draws that the dashboard is opening, instead of a failure. */
export function showProgress(): void {
  show(<OpeningScreen title="Integration gateway" message="Opening…" />);
}

function BrokenStart({ error }: { error: unknown }) {
  return (
    <OpeningScreen
      title="The dashboard could not be shown"
      message={error instanceof Error ? error.message : String(error)}
      action={{ label: 'Reload', run: () => location.reload() }}
    />
  );
}
