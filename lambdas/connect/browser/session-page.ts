import {
  fill,
  fillParts,
  type Language,
  numberIn,
  type PageTexts,
  pluralForm,
} from '../../gateway/languages/language.rules.ts';
import type { IntegrationView, SessionView } from '../session-view.ts';
import { showAdminPage } from './admin-page.ts';
import type { GatewayCalls } from './gateway-calls.ts';
import type { PageTools } from './page-tools.ts';

/** Dependencies of the page that shows a session. */
export interface SessionPageParts {
  readonly gateway: GatewayCalls;
  readonly tools: PageTools;
  readonly language: Language;
  readonly texts: PageTexts;
  /** The session's token, until a link with another one is opened in this tab. */
  readonly token: () => string;
  /** Listed origin of the window that waits for the result, once it has answered. */
  readonly openerOrigin: () => string | undefined;
  /** Origin of the page that requests the connection, once it is known. */
  readonly appOrigin: () => string | undefined;
  /** Reports a problem that the session does not record to the waiting window. */
  readonly reportProblem: (errorType: string, message: string) => void;
}

/**
 * The connect page in a window of its own: the requested access, the app that requests it, and the buttons.
 * @returns reloads the session
 */
export function runSessionPage(parts: SessionPageParts): () => void {
  const { gateway, tools, language } = parts;
  const { element, button, googleButton, link, show, say, explainGoogleErrors } = tools;
  const { common, session: page } = parts.texts;
  const pollMs = 3000;
  let lastShown = '';

  async function start(integrationId: string, provider: string, pressed: HTMLButtonElement): Promise<void> {
    const failed = (message: string): void => {
      pressed.closest('section, .actions')?.after(problem(message));
    };
    if (!navigator.cookieEnabled) {
      // Without cookies the callback would be refused as one of another browser.
      const message = fill(page.cookiesBlocked, { provider });
      failed(message);
      parts.reportProblem('cookies_blocked', message);
      return;
    }
    const all = document.querySelectorAll('button');
    for (const one of all) one.disabled = true;
    pressed.setAttribute('aria-busy', 'true');
    say(fill(page.sending, { provider }));
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
      failed(error instanceof Error ? error.message : String(error));
    }
  }

  /** Shows the end of an expired or used link. @returns whether the error was one */
  function isOver(error: unknown): boolean {
    if (!(error instanceof Error) || error.name !== 'LinkOver') return false;
    show(page.over, [element('p', error.message)], 'bad');
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

  /** Undefined where the deployment names no app. */
  function appName(session: SessionView): string | undefined {
    if (session.app_name !== null) return session.app_name;
    const address = parts.appOrigin() ?? session.return_url;
    return address === null || address === location.origin ? undefined : new URL(address).host;
  }

  /** The end user and the app, with a warning: the sender of a forwarded link wants access to its reader's data (CS-14). */
  function userNote(session: SessionView): HTMLElement {
    const box = element('div', undefined, 'note');
    box.id = 'for-whom';
    if (session.for_whom !== null) {
      // Names are isolated, because a direction mark inside one must not turn the surrounding words.
      const person = element('strong');
      person.append(element('bdi', session.for_whom));
      const organization = session.endUser?.organization;
      const company =
        typeof organization === 'object' && organization !== null && 'display_name' in organization
          ? organization.display_name
          : null;
      const who = element('span');
      if (typeof company !== 'string') who.append(person);
      else
        who.append(
          ...fillParts<Node>(common.whoOfOrganization, { who: person, organization: element('bdi', company) }),
        );
      const app = appName(session);
      const line = element('p');
      line.append(
        ...fillParts<Node>(app === undefined ? common.usedForUnnamed : common.usedFor, { app: app ?? '', who }),
      );
      box.append(line);
    }
    const isPick = session.pick !== null;
    const [known, unknown] = isPick ? [page.notYouFiles, page.notAskedFiles] : [common.notYou, common.notAsked];
    box.append(element('p', session.for_whom === null ? unknown : known));
    return box;
  }

  /** Names of the servers that will ask for consent, each once. */
  function serversOf(integrations: readonly IntegrationView[]): string[] {
    return [...new Set(integrations.map(({ server }) => server.display_name))];
  }

  function whoAsks(session: SessionView): HTMLElement {
    const app = appName(session);
    const isPick = session.pick !== null;
    const [provider = '', ...others] = serversOf(session.integrations);
    const [named, unnamed] = isPick
      ? [page.asksForFiles, page.asksForFilesUnnamed]
      : others.length > 0 || provider === ''
        ? [common.asksForAccessAny, common.asksForAccessAnyUnnamed]
        : [common.asksForAccess, common.asksForAccessUnnamed];
    return element('p', fill(app === undefined ? unnamed : named, { app: app ?? '', provider }));
  }

  function whichAccount({ account_email: account }: SessionView): HTMLElement[] {
    return account === null ? [] : [element('p', fill(page.useAccount, { account }))];
  }

  function scopeList(scopes: IntegrationView['scopes'], wanted: boolean): HTMLElement[] {
    const chosen = scopes.filter((scope) => scope.granted !== wanted);
    if (chosen.length === 0) return [];
    const list = element('ul');
    for (const scope of chosen) list.append(element('li', scope.meaning));
    const hasGranted = scopes.some((scope) => scope.granted);
    const title = wanted ? (hasGranted ? page.alsoAsksFor : common.asksFor) : page.mayAlready;
    return [element('p', title, 'soft'), list];
  }

  function section(integration: IntegrationView, session: SessionView): HTMLElement {
    const made = element('section');
    const title = element('h2', integration.display_name);
    title.id = `integration-${integration.provider_config_key}`;
    made.setAttribute('aria-labelledby', title.id);
    const provider = integration.server.display_name;
    const begin = (pressed: HTMLButtonElement) => void start(integration.provider_config_key, provider, pressed);
    const go =
      session.error !== null
        ? button(common.tryAgain, begin)
        : session.pick !== null
          ? button(common.selectFiles, begin)
          : isGoogles(integration)
            ? googleButton(common.continueWithGoogle, begin)
            : button(fill(common.continueWith, { provider }), begin);
    go.setAttribute('aria-describedby', title.id);
    const actions = element('div', undefined, 'actions');
    actions.append(go);
    made.append(title, ...scopeList(integration.scopes, true), ...scopeList(integration.scopes, false), actions);
    return made;
  }

  function choiceHeading(session: SessionView): string {
    const { integrations } = session;
    const [only] = integrations.length === 1 ? integrations : [];
    if (only === undefined) return session.isReconnecting ? page.chooseAgain : page.choose;
    const text =
      session.pick !== null
        ? page.selectFilesIn
        : session.isReconnecting
          ? page.connectServiceAgain
          : common.connectService;
    return fill(text, { service: only.provider_name });
  }

  /** What happens after the button, once for each server. */
  function whatFollows(integrations: readonly IntegrationView[], isPick: boolean): HTMLElement[] {
    if (isPick) return [element('p', page.googleAsksForFiles, 'soft small')];
    const byServer = new Map(integrations.map((integration) => [integration.server.id, integration]));
    return [...byServer.values()].map((one) => {
      const text = isGoogles(one) ? page.googleAsks : fill(page.providerAsks, { provider: one.server.display_name });
      return element('p', text, 'soft small');
    });
  }

  function choice(session: SessionView): void {
    const isPick = session.pick !== null;
    const offered = session.integrations.filter((integration) => integration.available);
    const notices = session.error !== null ? [problem(session.error.message)] : [];
    if (session.status === 'authorizing') notices.push(element('p', page.alreadyStarted, 'note'));
    if (session.status === 'cancelled') notices.push(element('p', page.noFileSelected, 'note'));
    if (offered.length === 0) {
      const refusing = serversOf(session.integrations).map((provider) => fill(page.notOffered, { provider }));
      const nothing = refusing.length === 0 ? [page.nothingSetUp] : refusing;
      const reasons = nothing.map((reason) => element('p', reason, 'note'));
      const parts = [...reasons, ...back(session, page.backWithoutConnecting)];
      show(choiceHeading(session), [...notices, whoAsks(session), ...parts]);
      return;
    }
    show(choiceHeading({ ...session, integrations: offered }), [
      ...notices,
      whoAsks(session),
      userNote(session),
      ...whichAccount(session),
      ...offered.map((integration) => section(integration, session)),
      ...whatFollows(offered, isPick),
      ...back(session, isPick ? page.backWithoutFiles : page.backWithoutConnecting),
    ]);
  }

  function back(session: SessionView, label: string): HTMLElement[] {
    if (session.return_url === null) return [];
    const row = element('div', undefined, 'actions');
    row.append(link(label, session.return_url));
    return [row];
  }

  function picked(session: SessionView): void {
    const count = session.picked.length;
    const lost = session.picked.filter((file) => !file.confirmed).length;
    const forms = lost === 0 ? page.filesReady : lost === count ? page.filesLost : page.filesPartlyLost;
    const numbers = { count: numberIn(language, count), lost: numberIn(language, lost) };
    const said = fill(pluralForm(language, forms, count), numbers);
    show(
      pluralForm(language, common.fileSelected, count),
      [element('p', said), element('p', common.canClose), ...back(session, common.backToApp)],
      'good',
    );
  }

  function connected(session: SessionView): void {
    if (session.pick !== null) {
      picked(session);
      return;
    }
    if (session.missing_scopes.length === 0) {
      const said = [element('p', page.accountConnected), element('p', common.canClose)];
      show(common.connected, [...said, ...back(session, common.backToApp)], 'good');
      return;
    }
    const list = element('ul');
    for (const scope of session.missing_scopes) list.append(element('li', scope.meaning));
    const row = element('div', undefined, 'actions');
    const integrationId = session.provider_config_key ?? '';
    const target = session.integrations.find((one) => one.provider_config_key === integrationId);
    const provider = target?.server.display_name ?? '';
    row.append(button(common.askAgain, (pressed) => void start(integrationId, provider, pressed)));
    const parts = [element('p', common.cannot), list, row, ...back(session, common.leaveItSo)];
    show(common.connectedPartly, parts, 'good');
  }

  function render(session: SessionView): void {
    say('');
    const [integration] = session.integrations;
    const isAdmins = session.admin !== null && integration !== undefined;
    // An administrator's page leads to no consent of Google and has its own list of errors.
    explainGoogleErrors(!isAdmins && session.integrations.some(isGoogles));
    if (session.status === 'expired') {
      show(page.expired, [element('p', page.expiredAdvice), ...back(session, common.backToApp)], 'bad');
    } else if (session.admin !== null && integration !== undefined) {
      showAdminPage(parts, { session, admin: session.admin, integration });
    } else if (session.status === 'pending_confirmation') {
      show(common.oneStepLeft, [element('p', page.accountReady)], 'good');
    } else if (session.error?.type === 'not_confirmed') {
      const parts = [element('p', session.error.message), ...back(session, common.backToApp)];
      show(common.nothingConnected, parts, 'bad');
    } else if (session.status === 'connected') connected(session);
    else choice(session);
  }

  /** Reloads the page once when the session names another language than the page's. */
  function isInOtherLanguage(session: SessionView): boolean {
    const { lang } = document.documentElement;
    const address = new URL(location.href);
    if (session.language === lang || address.searchParams.get('language') === session.language) return false;
    address.searchParams.set('language', session.language);
    address.hash = `session_token=${encodeURIComponent(parts.token())}`;
    location.replace(address);
    return true;
  }

  async function load(): Promise<void> {
    const token = parts.token();
    try {
      const session = await gateway.session(token);
      // A link of another session was opened meanwhile and has loaded its own.
      if (token !== parts.token()) return;
      if (isInOtherLanguage(session)) return;
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
      row.append(button(common.tryAgain, () => void load()));
      show(page.notLoaded, [problem(text), row], 'bad');
    }
  }

  // Another tab may have finished meanwhile, and a page restored from the back-forward cache still waits for Google.
  document.addEventListener('visibilitychange', () => void (document.hidden || load()));
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    lastShown = '';
    void load();
  });
  void load();
  return () => void load();
}

/** Whether Google asks for this integration's consent, with its own button and known errors. */
function isGoogles({ server }: IntegrationView): boolean {
  return server.id === 'google';
}
