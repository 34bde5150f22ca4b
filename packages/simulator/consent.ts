import { type PageForm, readForms, readText } from './html-forms.ts';
import { PAGE_PATHS } from './oauth/pages.ts';

/** What the scripted user does on the pages. */
export interface ConsentChoice {
  /** E-mail of the account to choose. @default the first one offered */
  account?: string;
  /** Scope URLs to tick, of those that have a box. @default 'all' */
  scopes?: 'all' | string[];
  /** @default 'allow' */
  decision?: 'allow' | 'cancel';
  /** Ids of the files to select where a picker is shown, or a way out of it. @default the first file it offers */
  pick?: string[] | 'cancel';
}

interface Step {
  location?: string;
  html: string;
}

/** Pages between request and redirect: chooser, consent, another account, chooser, consent, picker. */
const MAX_STEPS = 7;

async function load(url: string, fields?: [string, string][]): Promise<Step> {
  const init: RequestInit = { redirect: 'manual', signal: AbortSignal.timeout(10_000) };
  if (fields !== undefined) Object.assign(init, { method: 'POST', body: new URLSearchParams(fields) });
  const response = await fetch(url, init);
  const location = response.headers.get('location');
  const html = await response.text();
  // One page of the simulator that leads to another.
  if (location?.startsWith(`${PAGE_PATHS.authorize}/`)) return load(new URL(location, url).href);
  if (location !== null) return { location, html };
  if (!response.ok) throw new Error(`The authorization page answered ${response.status}: ${readText(html)}`);
  return { html };
}

function findForm(html: string, path: string): PageForm | undefined {
  return readForms(html).find((form) => form.action === path);
}

function chooseAccount(form: PageForm, choice: ConsentChoice): [string, string][] {
  const wanted = choice.account ?? form.buttons[0]?.value;
  const button = form.buttons.find(({ value }) => value === wanted);
  if (button === undefined) {
    const offered = form.buttons.map(({ value }) => value).join(', ');
    throw new Error(`The account chooser does not offer "${wanted}". It offers ${offered}.`);
  }
  return [...form.hidden, [button.name, button.value]];
}

function decide(form: PageForm, choice: ConsentChoice): [string, string][] {
  const wanted = choice.scopes ?? 'all';
  const stranger =
    wanted === 'all' ? undefined : wanted.find((scope) => !form.checkboxes.some(({ value }) => value === scope));
  if (stranger !== undefined) throw new Error(`The consent page has no check box for "${stranger}".`);
  const ticked = form.checkboxes.filter(({ value }) => wanted === 'all' || wanted.includes(value));
  return [
    ...form.hidden,
    ...ticked.map(({ name, value }): [string, string] => [name, value]),
    ['decision', choice.decision ?? 'allow'],
  ];
}

function pickFiles(form: PageForm, choice: ConsentChoice): [string, string][] {
  if (choice.pick === 'cancel') return [...form.hidden, ['decision', 'cancel']];
  const ids = choice.pick ?? form.checkboxes.slice(0, 1).map(({ value }) => value);
  return [...form.hidden, ...ids.map((id): [string, string] => ['file', id]), ['decision', 'pick']];
}

function nextStep(base: string, html: string, choice: ConsentChoice): Promise<Step> {
  const send = (form: PageForm, fields: [string, string][]) => load(new URL(form.action, base).href, fields);
  const chooser = findForm(html, PAGE_PATHS.chooseAccount);
  if (chooser !== undefined) return send(chooser, chooseAccount(chooser, choice));
  const picker = findForm(html, PAGE_PATHS.pick);
  if (picker !== undefined) return send(picker, pickFiles(picker, choice));
  const consent = findForm(html, PAGE_PATHS.consent);
  const change = findForm(html, PAGE_PATHS.switchAccount);
  const shown = consent?.hidden.find(([name]) => name === 'account')?.[1];
  if (change !== undefined && choice.account !== undefined && shown !== choice.account)
    return send(change, change.hidden);
  if (consent !== undefined) return send(consent, decide(consent, choice));
  throw new Error(`The authorization page is not one of the simulator's: ${readText(html).slice(0, 200)}`);
}

/**
 * A scripted user: opens the authorization URL, chooses an account, ticks scopes, allows or cancels.
 * @returns the Location of the redirect to the client, not followed
 * @throws {Error} with the page's text when the provider refuses without a redirect
 */
export async function walkConsent(authorizationUrl: string, choice: ConsentChoice = {}): Promise<{ location: string }> {
  let step = await load(authorizationUrl);
  for (let taken = 0; step.location === undefined && taken < MAX_STEPS; taken += 1) {
    step = await nextStep(authorizationUrl, step.html, choice);
  }
  if (step.location === undefined) throw new Error('The authorization pages did not end in a redirect.');
  return { location: step.location };
}
