import { pageConfig } from '../../gateway/http/page-config.ts';
import { runFrameShell } from './frame-shell.ts';
import { gatewayCalls } from './gateway-calls.ts';
import { pageTools } from './page-tools.ts';
import { runSessionPage } from './session-page.ts';
import { tokenMemory } from './token-memory.ts';
import { askWaitingWindow } from './waiting-window.ts';

/** What the page is told of its deployment. */
export interface ConnectConfig {
  readonly baseUrl: string;
  readonly allowedOrigins: readonly string[];
}

/** Decides what this window is: a page of its own, a popup, or a shell inside a frame. */
function connectMain(config: ConnectConfig): void {
  const tools = pageTools();
  tools.say('Loading…');
  const gateway = gatewayCalls(config.baseUrl);
  const memory = tokenMemory();
  const theme = memory.theme();
  if (theme !== undefined) document.documentElement.dataset.theme = theme;
  const isFramed = window.parent !== window;
  document.documentElement.classList.toggle('framed', isFramed);

  if (isFramed) {
    document.getElementById('google-errors')?.remove();
    let isRunning = false;
    askWaitingWindow(window.parent, [...config.allowedOrigins, location.origin], ({ origin, token }) => {
      if (isRunning) return;
      isRunning = true;
      const connectUrl = `${config.baseUrl}/connect${theme === undefined ? '' : `?theme=${theme}`}`;
      runFrameShell({ gateway, tools, token, parentOrigin: origin, connectUrl });
    });
    return;
  }

  const answerMs = 5000;
  const opener: Window | null = window.opener;
  let openerOrigin: string | undefined;
  let appOrigin: string | undefined;
  let token = '';
  let refresh: (() => void) | undefined;
  const run = (given: string): void => {
    token = given;
    memory.keep(token);
    if (refresh !== undefined) refresh();
    else {
      refresh = runSessionPage({
        gateway,
        tools,
        token: () => token,
        openerOrigin: () => openerOrigin,
        appOrigin: () => appOrigin,
      });
    }
  };
  const incomplete = (): void => {
    if (refresh !== undefined) return;
    const advice = 'Go back to the app and open its link again, or ask it for a new one.';
    tools.say('');
    tools.show('This link is incomplete', [tools.element('p', advice)], 'bad');
  };

  const remembered = memory.take();
  if (remembered !== undefined) run(remembered);
  // A link opened in the tab of another changes nothing but the fragment, which loads no page (CS-18).
  window.addEventListener('hashchange', () => {
    const opened = memory.fromAddress();
    if (opened === undefined) return;
    tools.say('Loading…');
    run(opened);
  });
  if (opener === null) {
    incomplete();
    return;
  }
  setTimeout(incomplete, answerMs);
  askWaitingWindow(opener, [...config.allowedOrigins, location.origin], (answer) => {
    openerOrigin = answer.origin;
    appOrigin = answer.appOrigin;
    if (refresh === undefined) run(answer.token);
    else refresh();
  });
}

connectMain(pageConfig());
