import { loadConfig } from './config.ts';
import { beginSignIn } from './session/begin-sign-in.ts';
import { SIGNED_IN_PATH, SIGNED_OUT_PATH } from './session/return-path.ts';
import { startTheme } from './theme.ts';
import './styles/base.css';
import './styles/frame.css';
import './styles/content.css';
import './styles/charts.css';

// A browser on its way to the issuer needs none of what follows: it leaves as soon as it knows the way, and the page itself says
// that it is opening. What it will need when it comes back is fetched while it asks.
const screens = import('./screens.tsx');
const isArriving = location.pathname === SIGNED_IN_PATH || location.pathname === SIGNED_OUT_PATH;

startTheme();
await start(false);

async function start(isAgain: boolean): Promise<void> {
  if (location.pathname === SIGNED_IN_PATH) loadFirstPage();
  try {
    if (isAgain) (await screens).showProgress();
    const session = isArriving ? loadSession() : undefined;
    const config = await loadConfig();
    if (session === undefined && config.issuerEndpoints !== undefined) {
      const { origin, pathname, search } = location;
      const url = await beginSignIn(config, config.issuerEndpoints, { origin, path: `${pathname}${search}` });
      return location.assign(url);
    }
    const { openSession } = await (session ?? loadSession());
    const opening = await openSession(config, new URL(location.href));
    if (opening.kind !== 'leaving') (await screens).showOpening(opening, config);
  } catch (error) {
    await screens.then(
      ({ showFailedStart }) => showFailedStart(error, () => void start(true)),
      () => sayPlainly('The dashboard could not be loaded. Check your connection and reload the page.'),
    );
  }
}

/** The code of a sign-in that has begun, fetched alongside the configuration. */
function loadSession(): Promise<typeof import('./session/open-session.ts')> {
  const loading = import('./session/open-session.ts');
  loading.catch(() => {});
  return loading;
}

/** What a browser that comes back from the issuer will show, fetched while the code is exchanged. Failures show when it is drawn. */
function loadFirstPage(): void {
  for (const load of [() => import('./app.tsx'), () => import('./pages/overview/overview-page.tsx')]) {
    load().catch(() => {});
  }
}

function sayPlainly(message: string): void {
  const status = document.querySelector('#root [role=status]');
  if (status !== null) status.textContent = message;
}
