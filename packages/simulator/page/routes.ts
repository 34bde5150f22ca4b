import { findAccount } from '../accounts.ts';
import { CONTROL_ACTIONS } from '../control/actions.ts';
import { isLoopbackHost } from '../control/routes.ts';
import { headerValue, type SimRequest, type SimResponse } from '../http/exchange.ts';
import { ShapeError } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { agentsView } from './agents-view.ts';
import { type Markup, markup, PAGE_PREFIX, page, safeHeaders } from './layout.ts';
import { PRESETS } from './presets.ts';
import { accountsView, accountView, clientsView, faultsView, requestsView } from './views.ts';

/** True for the pages for people, which are not part of Google. */
export function isPagePath(path: string): boolean {
  return path === PAGE_PREFIX || path.startsWith(`${PAGE_PREFIX}/`);
}

const OPEN = `${PAGE_PREFIX}/open/`;

/** Path of the address that lets the next browser in; the code is in it. */
export function pagePath(sim: Simulation): string {
  return OPEN + sim.admission.code();
}

/** Cookies do not know ports: the name does. */
function cookieName(http: SimRequest): string {
  return `simulator_${headerValue(http.headers, 'host')?.split(':').at(-1) ?? ''}`;
}

function isAdmitted(sim: Simulation, http: SimRequest): boolean {
  const cookies = headerValue(http.headers, 'cookie') ?? '';
  return cookies
    .split(';')
    .map((pair) => pair.trim().split('='))
    .some(([name, value]) => name === cookieName(http) && value !== undefined && sim.admission.isAdmitted(value));
}

function redirect(location: string, more: [string, string][] = []): SimResponse {
  return { status: 303, headers: [['Location', location], ...safeHeaders(), ...more], body: Buffer.alloc(0) };
}

function refused(status: number, sentence: string): SimResponse {
  return page(status, 'Not this way', markup`<p class="note">${sentence}</p>`, false);
}

/** Answers the pages for people: anyone who has opened the printed address may look and flip switches (IN-10). */
export async function handlePage(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  const host = headerValue(http.headers, 'host') ?? '';
  if (!isLoopbackHost(host)) return refused(403, 'This page is for this computer alone.');
  const isRead = http.method === 'GET' || http.method === 'HEAD';
  if (http.path.startsWith(OPEN) && isRead) {
    const value = http.method === 'GET' ? sim.admission.admit(http.path.slice(OPEN.length)) : undefined;
    if (value === undefined)
      return refused(403, 'This address was opened before. The simulator has printed the next one.');
    return redirect(PAGE_PREFIX, [
      ['Set-Cookie', `${cookieName(http)}=${value}; Path=${PAGE_PREFIX}; HttpOnly; SameSite=Lax`],
    ]);
  }
  if (!isAdmitted(sim, http)) {
    return refused(403, 'Open the address that the simulator printed when it started: it lets one browser in.');
  }
  if (isRead) return read(sim, http);
  // Other ports of this computer are the same site to a cookie, and another origin to this header.
  if (http.method !== 'POST' || headerValue(http.headers, 'origin') !== `http://${host}`) {
    return refused(403, 'A switch is flipped from this page alone.');
  }
  return change(sim, http);
}

function read(sim: Simulation, http: SimRequest, problem?: string): SimResponse {
  const shown = viewOf(sim, http);
  if (shown === undefined) return page(404, 'Not found', markup`<p>There is no such page.</p>`);
  const note = problem === undefined ? markup`` : markup`<p class="note" role="alert">${problem}</p>`;
  return page(problem === undefined ? 200 : 400, shown.title, markup`${note}${shown.body}`);
}

function viewOf(sim: Simulation, http: SimRequest): { title: string; body: Markup } | undefined {
  switch (http.path.slice(PAGE_PREFIX.length)) {
    case '':
    case '/':
    case '/clock':
    case '/limits':
      return { title: 'Accounts', body: accountsView(sim) };
    case '/faults':
      return { title: 'Faults', body: faultsView(sim) };
    case '/requests':
      return { title: 'Requests', body: requestsView(sim) };
    case '/clients':
      return { title: 'Clients', body: clientsView(sim) };
    case '/agents':
      return { title: 'Agents', body: agentsView(sim) };
    case '/account':
    case '/grants':
    case '/opened': {
      const account = findAccount(http.query.get('email') ?? '');
      return account === undefined ? undefined : { title: account.email, body: accountView(sim, account) };
    }
    default:
      return undefined;
  }
}

/** Does what a form asks by the control routes' own actions, which check it. */
async function change(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  const form = new URLSearchParams(http.body.toString('utf8'));
  const path = http.path.slice(PAGE_PREFIX.length);
  const account = form.get('account') ?? '';
  const back =
    path === '/grants' || path === '/opened'
      ? `/account?${new URLSearchParams({ email: account })}`
      : path === '/clock' || path === '/limits'
        ? ''
        : path;
  const asked = controlOf(path, form);
  if (asked === undefined) return page(404, 'Not found', markup`<p>There is no such switch.</p>`);
  const action = CONTROL_ACTIONS.find(({ method, path: name }) => method === asked.method && name === asked.path);
  try {
    await action?.run(sim, asked.body, asked.id ?? '');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return read(sim, { ...http, query: new URLSearchParams({ email: account }) }, error.message);
  }
  return redirect(PAGE_PREFIX + back);
}

interface Asked {
  method: 'POST' | 'DELETE';
  path: string;
  body: string;
  id?: string;
}

function controlOf(path: string, form: URLSearchParams): Asked | undefined {
  const wanted = form.get('do');
  if (path === '/clock') {
    return {
      method: 'POST',
      path: 'clock',
      body: JSON.stringify({ now: null, offsetSec: Number(form.get('days')) * 86_400 }),
    };
  }
  if (path === '/limits') {
    const limits = Object.fromEntries([...form].map(([name, value]) => [name, Number(value)]));
    return { method: 'POST', path: 'limits', body: JSON.stringify(limits) };
  }
  if (path === '/opened') {
    const [account, fileId] = ['account', 'fileId'].map((name) => form.get(name) ?? '');
    return { method: 'POST', path: 'opened', body: JSON.stringify({ account, fileId, opened: wanted === 'open' }) };
  }
  if (path === '/grants') {
    const [account, clientId, reason] = ['account', 'clientId', 'reason'].map((name) => form.get(name) ?? '');
    return wanted === 'restore'
      ? { method: 'POST', path: 'grants/restore', body: JSON.stringify({ account, clientId }) }
      : { method: 'POST', path: 'grants/kill', body: JSON.stringify({ account, clientId, reason }) };
  }
  if (path === '/clients') {
    const scopes = (form.get('scopes') ?? '').split(',').flatMap((scope) => scope.trim() || []);
    const listing = { clientId: form.get('clientId') ?? '', scopes: wanted === 'unlist' ? null : scopes };
    return { method: 'POST', path: 'delegation', body: JSON.stringify(listing) };
  }
  if (path === '/agents') return agentsControl(form);
  if (path !== '/faults') return undefined;
  if (wanted === 'remove') return { method: 'DELETE', path: 'faults', body: '', id: form.get('id') ?? '' };
  if (wanted === 'clear') return { method: 'DELETE', path: 'faults', body: '' };
  if (wanted === 'json') return { method: 'POST', path: 'faults', body: form.get('json') ?? '' };
  const preset = PRESETS.get(form.get('preset') ?? '');
  if (preset === undefined) return undefined;
  const [account, times] = [form.get('account') ?? '', form.get('times') ?? ''];
  const { match, action } = preset.fault;
  const fault = {
    match: { ...match, ...(account === '' ? {} : { account }) },
    ...(times === '' ? {} : { times: Number(times) }),
    action,
  };
  return { method: 'POST', path: 'faults', body: JSON.stringify(fault) };
}

function agentsControl(form: URLSearchParams): Asked | undefined {
  const field = (name: string) => form.get(name) ?? '';
  const post = (path: string, body: object): Asked => ({ method: 'POST', path, body: JSON.stringify(body) });
  switch (form.get('do')) {
    case 'requests':
      return post('mcp', { requestsPerDay: Number(field('requestsPerDay')) });
    case 'approvals':
      return post('mcp', { approvals: { account: field('account'), policy: field('policy') } });
    case 'enable':
      return post('services', { project: field('project'), enable: [field('service')] });
    case 'disable':
      return post('services', { project: field('project'), disable: [field('service')] });
    default:
      return undefined;
  }
}
