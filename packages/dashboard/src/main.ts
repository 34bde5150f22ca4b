import { loadConfig } from './config.ts';
import { beginSignIn } from './session/begin-sign-in.ts';
import { SIGNED_IN_PATH, SIGNED_OUT_PATH } from './session/return-path.ts';
import { startTheme } from './theme.ts';
import './styles/base.css';
import './styles/frame.css';
import './styles/content.css';
import './styles/charts.css';

// A browser on its way to the issuer runs nothing of what follows: it leaves as soon as it knows the way, and the page itself says that
// it is opening. The page also names the files that are needed next, for the browser to fetch in the meantime.
const loadScreens = () => import('./screens.tsx');
const loadSession = () => import('./session/open-session.ts');
const isArriving = location.pathname === SIGNED_IN_PATH || location.pathname === SIGNED_OUT_PATH;

startTheme();
void start(false);

async function start(isAgain: boolean): Promise<void> {
  if (isArriving) loadAhead([loadScreens, loadSession]);
  if (location.pathname === SIGNED_IN_PATH) {
    loadAhead([() => import('./app.tsx'), () => import('./pages/overview/overview-page.tsx')]);
  }
  try {
    if (isAgain) (await loadScreens()).showProgress();
    const config = await loadConfig();
    if (!isArriving && config.issuerEndpoints !== undefined) {
      const { origin, pathname, search } = location;
      const url = await beginSignIn(config, config.issuerEndpoints, { origin, path: `${pathname}${search}` });
      return location.assign(url);
    }
    const { openSession } = await loadSession();
    const opening = await openSession(config, new URL(location.href));
    if (opening.kind !== 'leaving') (await loadScreens()).showOpening(opening, config);
  } catch (error) {
    await loadScreens().then(
      ({ showFailedStart }) => showFailedStart(error, () => void start(true)),
      () => sayPlainly('The dashboard could not be loaded. Check your connection and reload the page.'),
    );
  }
}

/** Begins to fetch what will be needed. Failures show where it is used. */
function loadAhead(loads: readonly (() => Promise<unknown>)[]): void {
  for (const load of loads) load().catch(() => {});
}

function sayPlainly(message: string): void {
  const status = document.querySelector('#root [role=status]');
  if (status !== null) status.textContent = message;
}
