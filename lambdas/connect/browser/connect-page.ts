import { pageConfig } from '../../gateway/http/page-config.ts';
import type { Language, PageTexts } from '../../gateway/languages/language.rules.ts';
import type { SessionView } from '../session-view.ts';
import { runFrameShell } from './frame-shell.ts';
import { type GatewayCalls, gatewayCalls } from './gateway-calls.ts';
import { pageTools } from './page-tools.ts';
import { runSessionPage } from './session-page.ts';
import { tokenMemory } from './token-memory.ts';
import { askWaitingWindow } from './waiting-window.ts';

/** The page's configuration by its deployment. */
export interface ConnectConfig {
  readonly language: Language;
  readonly texts: PageTexts;
  /** Shown instead of a real session; null on a page for end users. */
  readonly preview: SessionView | null;
  readonly baseUrl: string;
  readonly allowedOrigins: readonly string[];
}

/** Decides what this window is: a page of its own, a popup, or a shell inside a frame. */
function connectMain(config: ConnectConfig): void {
  const tools = pageTools();
  const { texts, language, preview } = config;
  tools.say(texts.session.loading);
  const gateway = preview === null ? gatewayCalls(config.baseUrl, texts) : previewCalls(preview);
  const memory = tokenMemory();
  const theme = memory.theme();
  if (theme !== undefined) document.documentElement.dataset.theme = theme;
  if (preview !== null) {
    const nothing = () => undefined;
    runSessionPage({
      ...{ gateway, tools, texts, language, token: () => '' },
      ...{ openerOrigin: nothing, appOrigin: nothing, reportProblem: nothing },
    });
    return;
  }
  const isFramed = window.parent !== window;
  document.documentElement.classList.toggle('framed', isFramed);

  if (isFramed) {
    document.getElementById('google-errors')?.remove();
    let isRunning = false;
    askWaitingWindow(window.parent, [...config.allowedOrigins, location.origin], ({ origin, token }) => {
      if (isRunning) return;
      isRunning = true;
      const look = new URLSearchParams({ language, ...(theme === undefined ? {} : { theme }) });
      const connectUrl = `${config.baseUrl}/connect?${look}`;
      runFrameShell({ gateway, tools, texts, token, parentOrigin: origin, connectUrl });
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
        texts,
        language,
        token: () => token,
        openerOrigin: () => openerOrigin,
        appOrigin: () => appOrigin,
        reportProblem: (errorType, errorMessage) => {
          if (opener === null || openerOrigin === undefined) return;
          opener.postMessage({ type: 'error', payload: { errorType, errorMessage } }, openerOrigin);
        },
      });
    }
  };
  const incomplete = (): void => {
    if (refresh !== undefined) return;
    tools.say('');
    tools.show(texts.session.incomplete, [tools.element('p', texts.session.incompleteAdvice)], 'bad');
  };

  const remembered = memory.take();
  if (remembered !== undefined) run(remembered);
  // A link opened in the tab of another one changes only the fragment, which loads no page (CS-18).
  window.addEventListener('hashchange', () => {
    const opened = memory.fromAddress();
    if (opened === undefined) return;
    tools.say(texts.session.loading);
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

/** Calls of a preview: a fixed session, and no start. */
function previewCalls(preview: SessionView): GatewayCalls {
  return { session: async () => preview, start: () => new Promise(() => {}), check: () => new Promise(() => {}) };
}

connectMain(pageConfig());
