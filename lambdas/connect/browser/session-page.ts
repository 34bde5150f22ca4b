import type { IntegrationView, SessionView } from '../session-view.ts';
import type { GatewayCalls } from './gateway-calls.ts';
import type { PageTools } from './page-tools.ts';

/** What the page that shows a session stands on. */
export interface SessionPageParts {
  readonly gateway: GatewayCalls;
  readonly tools: PageTools;
  /** The session's, until a link of another is opened in this tab. */
  readonly token: () => string;
  /** Listed origin of the window that waits for the result, once it has answered. */
  readonly openerOrigin: () => string | undefined;
  /** Origin of the page that asks for the connection, once it is known. */
  readonly appOrigin: () => string | undefined;
}

/**
 * The connect page in a window of its own: what is asked, by whom, and the buttons.
 * @returns how to look at the session again
 */
export function runSessionPage(parts: SessionPageParts): () => void {
  const { gateway, tools } = parts;
  const { element, button, link, show, say } = tools;
  const pollMs = 3000;
  let lastShown = '';

  async function start(integrationId: string, pressed: HTMLButtonElement): Promise<void> {
    const all = document.querySelectorAll('button');
    for (const one of all) one.disabled = true;
    pressed.setAttribute('aria-busy', 'true');
    say('Sending you to Google…');
    const token = parts.token();
    try {
      const address = await gateway.start(token, integrationId, parts.openerOrigin());
      if (token === parts.token()) location.assign(address);
    } catch (error) {
      if (token !== parts.token()) return;
      say('');
      if (isOver(error)) return;
      for (const one of all) one.disabled = false;
      pressed.removeAttribute('aria-busy');
      pressed.closest('section, .actions')?.after(problem(error instanceof Error ? error.message : String(error)));
    }
  }

  /** Shows the end of a link that nothing can bring back, and whether it was one. */
  function isOver(error: unknown): boolean {
    if (!(error instanceof Error) || error.name !== 'LinkOver') return false;
    show('This link does not work', [element('p', error.message)], 'bad');
    return true;
  }

  function problem(text: string): HTMLElement {
    document.getElementById('problem')?.remove();
    const box = element('div', undefined, 'note bad');
    box.id = 'problem';
    box.setAttribute('role', 'alert');
    box.append(element('p', text));
    return box;
  }

  /** Undefined where nobody has named the app. */
  function appName(session: SessionView): string | undefined {
    if (session.app_name !== null) return session.app_name;
    const address = parts.appOrigin() ?? session.return_url;
    return address === null || address === location.origin ? undefined : new URL(address).host;
  }

  /** For whom and for which app, with a warning: whoever forwards a link wants what its reader allows (CS-14). */
  function forWhom(session: SessionView): HTMLElement {
    const box = element('div', undefined, 'note');
    box.id = 'for-whom';
    if (session.for_whom !== null) {
      // Names are isolated: a direction mark inside one must not turn the words around it.
      const line = element('p', `What you allow is used in ${appName(session) ?? 'the app that sent you here'} for `);
      const who = element('strong');
      who.append(element('bdi', session.for_whom));
      line.append(who);
      const organization = session.endUser?.organization;
      const company =
        typeof organization === 'object' && organization !== null && 'display_name' in organization
          ? organization.display_name
          : null;
      if (typeof company === 'string') line.append(', ', element('bdi', company));
      line.append('.');
      box.append(line);
    }
    const doubt =
      session.for_whom === null ? 'If you did not ask for this' : 'If that is not you, or you did not ask for this';
    box.append(
      element(
        'p',
        `${doubt}, close this page: somebody else would get access to your ${session.pick === null ? 'account' : 'files'}.`,
      ),
    );
    return box;
  }

  function whichAccount(session: SessionView): HTMLElement[] {
    return session.account_email === null ? [] : [element('p', `Use the Google account ${session.account_email}.`)];
  }

  function scopeList(scopes: IntegrationView['scopes'], wanted: boolean): HTMLElement[] {
    const chosen = scopes.filter((scope) => scope.granted !== wanted);
    if (chosen.length === 0) return [];
    const list = element('ul');
    for (const scope of chosen) list.append(element('li', scope.meaning));
    const hasGranted = scopes.some((scope) => scope.granted);
    const title = wanted ? (hasGranted ? 'It now also asks to:' : 'It asks to:') : 'It may already:';
    return [element('p', title, 'soft'), list];
  }

  function section(integration: IntegrationView, label: string): HTMLElement {
    const made = element('section');
    const title = element('h2', integration.display_name);
    title.id = `integration-${integration.provider_config_key}`;
    made.setAttribute('aria-labelledby', title.id);
    const go = button(label, (pressed) => void start(integration.provider_config_key, pressed));
    const actions = element('div', undefined, 'actions');
    actions.append(go);
    made.append(title, ...scopeList(integration.scopes, true), ...scopeList(integration.scopes, false), actions);
    return made;
  }

  function choice(session: SessionView): void {
    const { integrations } = session;
    const [only] = integrations.length === 1 ? integrations : [];
    const again = session.isReconnecting ? ' again' : '';
    const isPick = session.pick !== null;
    const heading =
      only === undefined
        ? `Choose what to connect${again}`
        : isPick
          ? `Select files in ${only.provider_name}`
          : `Connect ${only.provider_name}${again}`;
    const retry = session.error !== null;
    const sections = integrations.map((one) =>
      section(one, retry ? 'Try again' : isPick ? 'Select files' : `Continue with ${one.provider_name}`),
    );
    const started = 'You have already started, here or in another tab. Finish there, or start again here.';
    const notices = session.error !== null ? [problem(session.error.message)] : [];
    if (session.status === 'authorizing') notices.push(element('p', started, 'note'));
    if (session.status === 'cancelled')
      notices.push(element('p', 'No file was selected, and nothing was changed.', 'note'));
    const nothing = 'The app has not set up anything to connect yet. Its developer has to add an integration.';
    show(heading, [
      ...notices,
      element(
        'p',
        `${appName(session) ?? 'The app that sent you here'} asks ${isPick ? 'you to select files. It can then work with those, and with no others of yours' : 'for access to your Google account'}.`,
      ),
      forWhom(session),
      ...whichAccount(session),
      ...(sections.length > 0 ? sections : [element('p', nothing, 'note')]),
      element(
        'p',
        isPick
          ? 'Google asks whether you allow this, then shows your files.'
          : 'Google shows these permissions again, and you can leave some out.',
        'soft small',
      ),
      ...back(session, isPick ? 'Back without selecting files' : 'Back without connecting'),
    ]);
  }

  function back(session: SessionView, label: string): HTMLElement[] {
    if (session.return_url === null) return [];
    const row = element('div', undefined, 'actions');
    row.append(link(label, session.return_url));
    return [row];
  }

  function picked(session: SessionView): void {
    const lost = session.picked.filter((file) => !file.confirmed).length;
    const count = session.picked.length;
    const all = `The app can work with ${count === 1 ? 'the file' : `the ${count} files`} you selected.`;
    const some = `You selected ${count}. The app could not open ${lost === count ? (count === 1 ? 'it' : 'them') : `${lost} of them`}.`;
    const parts = [
      element('p', `${lost === 0 ? all : some} You can close this page.`),
      ...back(session, 'Back to the app'),
    ];
    show(count === 1 ? 'File selected' : 'Files selected', parts, 'good');
  }

  function connected(session: SessionView): void {
    if (session.pick !== null) {
      picked(session);
      return;
    }
    if (session.missing_scopes.length === 0) {
      show(
        'Connected',
        [
          element('p', 'Your Google account is connected. You can close this page.'),
          ...back(session, 'Back to the app'),
        ],
        'good',
      );
      return;
    }
    const list = element('ul');
    for (const scope of session.missing_scopes) list.append(element('li', scope.meaning));
    const row = element('div', undefined, 'actions');
    row.append(button('Ask again', (pressed) => void start(session.provider_config_key ?? '', pressed)));
    const parts = [
      element('p', 'You did not allow everything, so the app cannot:'),
      list,
      row,
      ...back(session, 'Leave it so'),
    ];
    show('Connected, with less access', parts, 'good');
  }

  function render(session: SessionView): void {
    say('');
    if (session.status === 'expired') {
      show(
        'This link has expired',
        [element('p', 'Go back to the app and ask for a new one.'), ...back(session, 'Back to the app')],
        'bad',
      );
    } else if (session.status === 'pending_confirmation') {
      const advice = 'Your account is ready. The app connects it when you are back there.';
      show('One step left, in the app', [element('p', advice)], 'good');
    } else if (session.error?.type === 'not_confirmed') {
      show('Nothing was connected', [element('p', session.error.message), ...back(session, 'Back to the app')], 'bad');
    } else if (session.status === 'connected') connected(session);
    else choice(session);
  }

  async function load(): Promise<void> {
    const token = parts.token();
    try {
      const session = await gateway.session(token);
      // A link of another session was opened meanwhile, which has looked for itself.
      if (token !== parts.token()) return;
      const state = JSON.stringify([token, session, parts.appOrigin()]);
      if (state !== lastShown) render(session);
      lastShown = state;
      const goesOn = session.status === 'authorizing' || session.status === 'pending_confirmation';
      if (goesOn) setTimeout(() => void (document.hidden || load()), pollMs);
    } catch (error) {
      if (token !== parts.token()) return;
      lastShown = '';
      say('');
      if (isOver(error)) return;
      const text = error instanceof Error ? error.message : String(error);
      const row = element('div', undefined, 'actions');
      row.append(button('Try again', () => void load()));
      show('This page could not be loaded', [problem(text), row], 'bad');
    }
  }

  // Another tab may have finished meanwhile, and a page from the back-forward cache still waits for Google.
  document.addEventListener('visibilitychange', () => void (document.hidden || load()));
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    lastShown = '';
    void load();
  });
  void load();
  return () => void load();
}
