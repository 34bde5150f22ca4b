import { fill, fillParts, LANGUAGES, type Language, type PageTexts } from '../../gateway/languages/language.rules.ts';
import type { IntegrationView, SessionView } from '../session-view.ts';
import type { AdminCheck, GatewayCalls } from './gateway-calls.ts';
import type { PageTools } from './page-tools.ts';

type AdminView = NonNullable<SessionView['admin']>;

/** Dependencies of the page. */
interface AdminPageParts {
  readonly gateway: Pick<GatewayCalls, 'check'>;
  readonly tools: PageTools;
  readonly language: Language;
  readonly texts: Pick<PageTexts, 'admin'>;
  /** Of the session. */
  readonly token: () => string;
}

/** What an administrator's page shows. */
interface AdminPage {
  readonly session: SessionView;
  readonly admin: AdminView;
  readonly integration: IntegrationView;
}

/**
 * The page for an administrator: what the app may do after delegation, which values to list at Google and where, and a check that names
 * each scope that is not listed.
 */
export function showAdminPage(parts: AdminPageParts, { session, admin, integration }: AdminPage): void {
  const { tools, texts, gateway, language } = parts;
  const { element, button, link, show, say } = tools;
  const { admin: page } = texts;

  function aboutLink(): HTMLElement {
    const box = element('div', undefined, 'note');
    const forOrganization = element('p');
    const name = element('strong');
    name.append(element('bdi', admin.organization.display_name ?? admin.organization.id));
    forOrganization.append(...fillParts<Node>(page.forOrganization, { organization: name }));
    const until = new Intl.DateTimeFormat(LANGUAGES[language].lang, { dateStyle: 'long', timeStyle: 'short' }).format(
      new Date(session.expires_at),
    );
    box.append(forOrganization, element('p', fill(page.who, { until })), element('p', page.notAsked));
    return box;
  }

  function whatItMayDo(): HTMLElement {
    const list = element('ul');
    for (const { meaning } of integration.scopes) list.append(element('li', meaning));
    return list;
  }

  /** A value to copy. It is selectable text, too, for browsers that allow no access to the clipboard. */
  function value(name: string, text: string, copyLabel: string): HTMLElement[] {
    const title = element('h3', name);
    const code = element('code', text);
    code.className = 'value';
    const copy = button(
      copyLabel,
      (pressed) => {
        const select = () => getSelection()?.selectAllChildren(code);
        const confirmCopy = () => {
          pressed.textContent = page.copied;
          say(page.copied);
          setTimeout(() => {
            pressed.textContent = copyLabel;
            say('');
          }, 2000);
        };
        if (navigator.clipboard === undefined) select();
        else void navigator.clipboard.writeText(text).then(confirmCopy, select);
      },
      true,
    );
    const row = element('div', undefined, 'actions');
    row.append(copy);
    return [title, code, row];
  }

  function listing(): HTMLElement {
    const made = element('section');
    const form = link(page.openForm, admin.admin_url);
    form.target = '_blank';
    form.rel = 'noreferrer';
    form.className = 'button';
    const row = element('div', undefined, 'actions');
    row.append(form);
    made.append(
      element('h2', page.list),
      element('p', page.listAdvice),
      row,
      ...value(page.clientId, admin.client_id, page.copyClientId),
      ...value(page.scopes, admin.scopes.join(','), page.copyScopes),
    );
    return made;
  }

  function outcome(check: AdminCheck): HTMLElement {
    // Google applies a new listing with a delay, so a pending check is no failure.
    const isPending = check.cause === 'delegation_pending';
    const look = check.works ? 'note good' : isPending ? 'note' : 'note bad';
    const box = element('div', undefined, look);
    box.setAttribute('role', check.works || isPending ? 'status' : 'alert');
    const said = check.works ? fill(page.worksFor, { domain: check.domain }) : causeInWords(page.causes, check.cause);
    if (check.works) box.append(element('strong', page.works));
    box.append(element('p', said));
    const list = element('ul');
    for (const { scope, status } of check.scopes) {
      const line = element('li');
      const state = { listed: page.listed, not_listed: page.notListed, unknown: page.notKnown }[status];
      line.append(element('code', scope), `: ${state}`);
      list.append(line);
    }
    if (check.scopes.length > 0) box.append(list);
    return box;
  }

  function checking(): HTMLElement {
    const made = element('section');
    const form = element('form');
    const label = element('label', page.address);
    const input = element('input');
    input.type = 'email';
    input.id = 'address';
    input.required = true;
    input.autocomplete = 'email';
    label.htmlFor = input.id;
    const go = element('button', page.checkNow);
    go.type = 'submit';
    const row = element('div', undefined, 'actions');
    row.append(go);
    const result = element('div');
    form.append(label, input, row);
    made.append(element('h2', page.check), form, result);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      go.disabled = true;
      go.setAttribute('aria-busy', 'true');
      say(page.checking);
      void gateway
        .check(parts.token(), integration.provider_config_key, input.value.trim())
        .then((check) => {
          say('');
          result.replaceChildren(outcome(check));
        })
        .finally(() => {
          go.disabled = false;
          go.removeAttribute('aria-busy');
        });
    });
    return made;
  }

  const app = session.app_name;
  show(app === null ? page.titleUnnamed : fill(page.title, { app }), [
    aboutLink(),
    element('p', page.means),
    whatItMayDo(),
    listing(),
    checking(),
  ]);
}

/** Error codes of the gateway that the page explains as a cause. */
const CAUSE_OF_CODE: Readonly<Record<string, string>> = {
  delegation_missing: 'delegation_pending',
  conflict: 'taken',
  integration_credentials_rejected: 'app_fault',
  rate_limited: 'too_many',
};

function causeInWords(words: Readonly<Record<string, string>>, cause: string): string {
  return words[CAUSE_OF_CODE[cause] ?? cause] ?? words.not_asked ?? '';
}
