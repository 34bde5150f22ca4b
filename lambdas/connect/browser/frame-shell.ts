import { fill, type PageTexts } from '../../gateway/languages/language.rules.ts';
import type { SessionView } from '../session-view.ts';
import type { GatewayCalls } from './gateway-calls.ts';
import type { PageTools } from './page-tools.ts';

/** Dependencies of the framed page. */
export interface FrameShellParts {
  readonly gateway: GatewayCalls;
  readonly tools: PageTools;
  readonly texts: PageTexts;
  readonly connectUrl: string;
  readonly token: string;
  /** Listed origin of the page around the frame. */
  readonly parentOrigin: string;
}

/**
 * The connect page inside a frame: a button that opens the real page in a popup, and reports the result to the surrounding page. It
 * polls the session, because a provider's pages may disconnect the popup.
 */
export function runFrameShell(parts: FrameShellParts): void {
  const { gateway, tools, token, parentOrigin } = parts;
  const { common, session: page, frame } = parts.texts;
  const { element, button, show, say } = tools;
  const pollMs = 1500;
  let popup: Window | null = null;
  let reported = '';
  let confirmationHandle: string | undefined;
  let isOver = false;

  const send = (message: object): void => window.parent.postMessage(message, parentOrigin);
  const reportProblem = (errorType: string, errorMessage: string): void =>
    send({ type: 'error', payload: { errorType, errorMessage } });
  const close = (): void => {
    isOver = true;
    popup?.close();
    send({ type: 'close' });
  };
  const row = (...buttons: HTMLElement[]): HTMLElement => {
    const made = element('div', undefined, 'actions');
    made.append(...buttons);
    return made;
  };

  function open(): void {
    const url = `${parts.connectUrl}#session_token=${encodeURIComponent(token)}`;
    popup = window.open(url, 'gateway-connect', 'popup,width=520,height=760');
    if (popup !== null) {
      waiting();
      return;
    }
    const link = element('a', frame.openInTab, 'button');
    link.href = url;
    link.target = '_blank';
    link.rel = 'opener';
    link.addEventListener('click', () => setTimeout(waiting));
    show(frame.blocked, [element('p', frame.blockedAdvice), row(link, cancel())], 'bad');
    reportProblem('popup_blocked', frame.blocked);
  }

  const cancel = (): HTMLElement => button(frame.cancel, close, true);

  function waiting(): void {
    const again = button(frame.showWindow, () => (popup === null || popup.closed ? open() : popup.focus()));
    show(frame.otherWindow, [element('p', frame.otherWindowAdvice), row(again, cancel())]);
  }

  function offer(session: SessionView, notice: string | undefined): void {
    const [only] = session.integrations.length === 1 ? session.integrations : [];
    const connect = only === undefined ? page.choose : fill(common.connectService, { service: only.provider_name });
    const note = element('div', undefined, 'note bad');
    note.setAttribute('role', 'alert');
    note.append(element('p', notice));
    show(connect, [
      ...(notice === undefined ? [] : [note]),
      element('p', frame.ownWindow),
      row(button(notice === undefined ? connect : common.tryAgain, open), cancel()),
    ]);
  }

  function report(session: SessionView): void {
    if (isOver) return;
    const state = JSON.stringify([session.status, session.error, session.connection_id, confirmationHandle]);
    if (state === reported) return;
    const isFirst = reported === '';
    reported = state;
    const isPending = session.status === 'pending_confirmation';
    // Without the handle the app cannot confirm: the popup is about to send it, or returns it to the app itself.
    if (isPending && confirmationHandle === undefined) return;
    if (session.status === 'connected' || isPending) {
      isOver = true;
      const payload = {
        providerConfigKey: session.provider_config_key,
        connectionId: session.connection_id,
        isPending,
        ...(isPending ? { confirmationHandle } : {}),
      };
      send({ type: 'connect', payload });
      if (session.missing_scopes.length === 0) popup?.close();
      const outcome = isPending ? frame.accountReady : frame.accountConnected;
      show(
        isPending ? frame.oneStepLeft : common.connected,
        [element('p', outcome), row(button(frame.done, close))],
        'good',
      );
    } else if (session.status === 'expired') {
      isOver = true;
      reportProblem('expired', frame.sessionExpired);
      show(page.expired, [element('p', frame.startAgain), row(button(frame.close, close))], 'bad');
    } else if (session.error?.type === 'not_confirmed') {
      isOver = true;
      reportProblem(session.error.type, session.error.message);
      show(common.nothingConnected, [element('p', session.error.message), row(button(frame.close, close))], 'bad');
    } else if (session.error !== null && !isFirst) {
      reportProblem(session.error.type, session.error.message);
      offer(session, session.error.message);
    } else if (isFirst) offer(session, session.error?.message);
  }

  async function lookOnce(): Promise<void> {
    try {
      const session = await gateway.session(token);
      say('');
      report(session);
      if (popup?.closed === true && !isOver) {
        popup = null;
        if (session.error === null && session.status !== 'pending_confirmation') {
          offer(session, frame.windowClosed);
          reportProblem('window_closed', frame.windowClosed);
        }
      }
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  }

  async function look(): Promise<void> {
    await lookOnce();
    if (!isOver) setTimeout(() => void look(), pollMs);
  }

  window.addEventListener('message', (event) => {
    if (event.origin !== location.origin || event.source === null) return;
    const type: unknown = typeof event.data === 'object' && event.data !== null ? event.data.type : undefined;
    // A tab opened by the link is recognized only by its first message.
    if (popup === null && type === 'ready' && 'closed' in event.source) popup = event.source;
    if (event.source !== popup) return;
    if (type === 'nango_oauth_callback_success') {
      const handle: unknown = event.data.payload?.confirmationHandle;
      if (typeof handle !== 'string') return;
      confirmationHandle = handle;
      popup.postMessage({ type: 'received' }, location.origin);
      void lookOnce();
      return;
    }
    if (type === 'error') {
      const { errorType, errorMessage } = event.data.payload ?? {};
      reportProblem(String(errorType), String(errorMessage));
      return;
    }
    // The popup sends `ready` to any opener; the answer makes this window the one that it reports to.
    if (type !== 'ready') return;
    popup.postMessage({ type: 'session_token', sessionToken: token, appOrigin: parentOrigin }, location.origin);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  void look();
}
