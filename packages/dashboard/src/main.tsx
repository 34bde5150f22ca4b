import { type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { type DashboardConfig, loadConfig } from './config.ts';
import { FailureCatcher } from './data/failure-catcher.tsx';
import { lazyPart } from './data/lazy-part.ts';
import { OpeningScreen } from './opening.tsx';
import { type Opening, openSession } from './session/open-session.ts';
import { SIGNED_IN_PATH } from './session/return-path.ts';
import { startTheme } from './theme.ts';
import './styles/base.css';
import './styles/frame.css';
import './styles/content.css';
import './styles/charts.css';

const loadApp = () => import('./app.tsx');

/** Not loaded by a browser that is on its way to the issuer. */
const App = lazyPart(loadApp);

// A browser that comes back from the issuer loads what it will show while the code is exchanged. Failures show when it is drawn.
if (location.pathname === SIGNED_IN_PATH) {
  for (const load of [loadApp, () => import('./pages/overview/overview-page.tsx')]) load().catch(() => {});
}

const root = createRoot(document.getElementById('root') ?? document.body);
startTheme();
await start();

async function start(): Promise<void> {
  root.render(<OpeningScreen title="Integration gateway" message="Opening…" />);
  try {
    const config = await loadConfig();
    root.render(screenOf(await openSession(config, new URL(location.href)), config));
  } catch (error) {
    const message = `The sign-in could not be started: ${error instanceof Error ? error.message : String(error)}`;
    root.render(
      <OpeningScreen
        title="The dashboard could not start"
        message={message}
        action={{ label: 'Try again', run: () => void start() }}
      />,
    );
  }
}

function screenOf(opening: Opening, config: DashboardConfig): ReactNode {
  switch (opening.kind) {
    case 'leaving':
      return <OpeningScreen title="Integration gateway" message="Redirecting to the sign-in page…" />;
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

function BrokenStart({ error }: { error: unknown }) {
  return (
    <OpeningScreen
      title="The dashboard could not be shown"
      message={error instanceof Error ? error.message : String(error)}
      action={{ label: 'Reload', run: () => location.reload() }}
    />
  );
}
