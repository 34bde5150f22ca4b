import { ACCOUNTS, displayName, type SimAccount } from '../accounts.ts';
import { roleOf } from '../calendar/access.ts';
import { KILL_REASONS } from '../control/grants.ts';
import { deathOfRefreshToken } from '../oauth/token-life.ts';
import type { Simulation } from '../simulation.ts';
import { type EventResource, eventText } from '../state/calendar.ts';
import { type DriveFile, FOLDER_TYPE } from '../state/drive.ts';
import type { DriveLimits } from '../state/limits.ts';
import { type Markup, markup, PAGE_PREFIX, section, table } from './layout.ts';
import { PRESETS } from './presets.ts';

/** Rows that a table shows at most; the API has all of them. */
const ROWS_MAX = 200;

function counted(shown: number, all: number): string {
  return shown < all ? `The first ${shown} of ${all}.` : `${all} in all.`;
}

function liveTokens(sim: Simulation, sub: string, clientId?: string): number {
  return [...sim.state.refreshTokens.values()].filter(
    (token) =>
      token.sub === sub &&
      (clientId === undefined || token.clientId === clientId) &&
      deathOfRefreshToken(sim, token) === null,
  ).length;
}

/** The accounts, each with what it has, and the clock. */
export function accountsView(sim: Simulation): Markup {
  const rows = ACCOUNTS.map((account) => [
    markup`<a href="${PAGE_PREFIX}/account?email=${encodeURIComponent(account.email)}">${account.email}</a>`,
    displayName(account),
    account.hostedDomain ?? 'no',
    sim.drive.of(account.sub).files().length,
    sim.calendar.entries(account.sub).filter(({ deleted }) => !deleted).length,
    liveTokens(sim, account.sub),
  ]);
  const heads = ['Account', 'Name', 'Workspace', 'Files', 'Calendars', 'Live refresh tokens'];
  const now = new Date(sim.clock.nowMs()).toISOString();
  return markup`${section('Accounts', table(heads, rows, 'None.'))}
${section(
  'Clock',
  markup`<p>It is <code>${now}</code> here${sim.clock.fixedMs === null ? '' : ', and time stands still'}.</p>
<form method="post" action="${PAGE_PREFIX}/clock"><label>Days ahead of this computer <input name="days" type="number" step="any" value="${sim.clock.offsetSec / 86_400}" required></label><button>Set the clock</button></form>`,
)}
${limitsView(sim)}`;
}

/** Files, calendars and grants of one account. */
export function accountView(sim: Simulation, account: SimAccount): Markup {
  return markup`${grants(sim, account)}${files(sim, account)}${calendars(sim, account)}`;
}

function grants(sim: Simulation, account: SimAccount): Markup {
  const rows = [...sim.state.clients.values()]
    .filter(({ clientId }) =>
      [...sim.state.refreshTokens.values()].some((token) => token.sub === account.sub && token.clientId === clientId),
    )
    .map(({ clientId }) => {
      const deaths = [...sim.state.refreshTokens.values()]
        .filter((token) => token.sub === account.sub && token.clientId === clientId)
        .flatMap((token) => deathOfRefreshToken(sim, token) ?? []);
      return [
        markup`<code>${clientId}</code>`,
        liveTokens(sim, account.sub, clientId),
        [...new Set(deaths)].join(', '),
        markup`<form method="post" action="${PAGE_PREFIX}/grants"><input type="hidden" name="account" value="${account.email}"><input type="hidden" name="clientId" value="${clientId}">
<label>Reason <select name="reason">${KILL_REASONS.map((reason) => markup`<option>${reason}</option>`)}</select></label><button name="do" value="kill">End</button><button name="do" value="restore">Lift blocks</button></form>`,
      ];
    });
  const heads = ['Client', 'Live refresh tokens', 'Why others ended', 'What to do'];
  return section('Grants', table(heads, rows, 'This account has granted nothing yet.'));
}

/** What the user has done with a file, and a switch for it: an opened file is in the user's own corpus. */
function openedSwitch(file: DriveFile, { email, sub }: SimAccount): Markup {
  const isOpened = (file.users[sub]?.viewedTime ?? null) !== null;
  const [shown, wanted, name] = isOpened
    ? ['yes', 'close', `Forget that ${file.name} was opened`]
    : ['no', 'open', `Open ${file.name}`];
  return markup`<form method="post" action="${PAGE_PREFIX}/opened"><input type="hidden" name="account" value="${email}"><input type="hidden" name="fileId" value="${file.id}">${shown} <button name="do" value="${wanted}" aria-label="${name}">${isOpened ? 'Forget' : 'Open'}</button></form>`;
}

/** Limits of Drive as they are now, and a form that changes them. */
export function limitsView(sim: Simulation): Markup {
  const { limits } = sim.state;
  const fields = LIMITS.map(
    ([name, about]) =>
      markup`<label>${about} <input name="${name}" type="number" min="0" value="${limits[name]}" required></label>`,
  );
  return section(
    'Limits of Drive',
    markup`<p class="soft">Google's own until you lower them; a restart or a reset brings them back.</p>
<form method="post" action="${PAGE_PREFIX}/limits">${fields}<button>Set the limits</button></form>`,
  );
}

const LIMITS: readonly (readonly [keyof DriveLimits, string])[] = [
  ['exportBytes', 'Bytes of an export'],
  ['folderDepth', 'Levels of folders'],
  ['folderChildren', 'Items in a folder'],
  ['sharedDriveItems', 'Items in a shared drive'],
  ['accountItems', 'Items of an account'],
  ['storedBytes', 'Bytes of uploads that are kept'],
];

function files(sim: Simulation, account: SimAccount): Markup {
  const drive = sim.drive.of(account.sub);
  const all = drive.files().sort((a, b) => b.modifiedTime.localeCompare(a.modifiedTime));
  const shown = all.slice(0, ROWS_MAX);
  const ownerOf = (sub: string | null) => ACCOUNTS.find((one) => one.sub === sub)?.email ?? 'shared drive';
  const rows = shown.map((file) => [
    file.name,
    file.mimeType === FOLDER_TYPE ? 'folder' : file.mimeType,
    ownerOf(file.ownerSub),
    markup`<time>${file.modifiedTime}</time>`,
    sim.drive.isTrashed(file) ? 'trash' : '',
    openedSwitch(file, account),
    markup`<code>${file.id}</code>`,
  ]);
  const heads = ['Name', 'Type', 'Owner', 'Changed', 'In', 'Opened', 'Id'];
  return section(
    'Files',
    markup`<p class="soft">${counted(shown.length, all.length)} Last changed first.</p>${table(heads, rows, 'No file.')}`,
  );
}

function calendars(sim: Simulation, account: SimAccount): Markup {
  const listed = sim.calendar.entries(account.sub).filter(({ deleted }) => !deleted);
  return markup`${listed.map(({ calendarId }) => {
    const calendar = sim.calendar.calendar(calendarId);
    if (calendar === undefined) return markup``;
    const all = sim.calendar
      .events(calendarId)
      .filter(({ event }) => event.status !== 'cancelled')
      .sort((a, b) => startOf(b.event).localeCompare(startOf(a.event)));
    const shown = all.slice(0, ROWS_MAX);
    const rows = shown.map(({ event }) => [
      eventText(event, 'summary') || '(no title)',
      startOf(event),
      Array.isArray(event.recurrence) ? event.recurrence.join(' ') : '',
      markup`<code>${eventText(event, 'id')}</code>`,
    ]);
    const heads = ['Event', 'Start', 'Repeats', 'Id'];
    const role = roleOf(sim.calendar, calendar, account);
    return section(
      `Calendar: ${calendar.summary}`,
      markup`<p class="soft"><code>${calendarId}</code>, ${calendar.timeZone}, role ${role}. ${counted(shown.length, all.length)} Latest first.</p>${table(heads, rows, 'No event.')}`,
    );
  })}`;
}

function startOf(event: EventResource): string {
  const { start } = event;
  if (typeof start !== 'object' || start === null) return '';
  const found = Object.entries(start).find(([name]) => name === 'dateTime' || name === 'date')?.[1];
  return typeof found === 'string' ? found : '';
}

/** The switches that are on, and forms for more. */
export function faultsView(sim: Simulation): Markup {
  const rows = [...sim.faults.faults.values()].map((fault) => [
    markup`<code>${JSON.stringify(fault.action)}</code>`,
    markup`<code>${JSON.stringify(fault.match)}</code>`,
    fault.times === undefined ? 'until removed' : `${fault.times} more`,
    markup`<form method="post" action="${PAGE_PREFIX}/faults"><input type="hidden" name="id" value="${fault.id}"><button name="do" value="remove">Remove</button></form>`,
  ]);
  const all = markup`<form method="post" action="${PAGE_PREFIX}/faults"><button name="do" value="clear">Remove all</button></form>`;
  return markup`${section('On now', markup`${table(['Does', 'For', 'How often', 'Remove'], rows, 'No fault is on.')}${rows.length > 1 ? all : markup``}`)}
${section(
  'Switch one on',
  markup`<form method="post" action="${PAGE_PREFIX}/faults">
<label>Fault <select name="preset">${[...PRESETS].map(([id, { about }]) => markup`<option value="${id}">${about}</option>`)}</select></label>
<label>Account <select name="account"><option value="">all</option>${ACCOUNTS.map(({ email }) => markup`<option>${email}</option>`)}</select></label>
<label>Times (empty: until removed) <input name="times" type="number" min="1"></label>
<button name="do" value="preset">Switch on</button>
</form>`,
)}
${section(
  'One of your own',
  markup`<form method="post" action="${PAGE_PREFIX}/faults">
<label class="wide">Fault as JSON, as in the README under Control routes <textarea name="json" rows="4" required>{"match": {"pathPrefix": "/drive"}, "times": 1, "action": {"status": 503}}</textarea></label>
<button name="do" value="json">Switch on</button>
</form>`,
)}`;
}

/** What arrived last. No header, body or query is shown: they hold credentials. */
export function requestsView(sim: Simulation): Markup {
  const all = sim.recorder.list();
  const shown = all.slice(-ROWS_MAX).reverse();
  const rows = shown.map(({ at, method, target, origin, tokenOwner, parts }) => [
    markup`<time>${at}</time>`,
    markup`<code>${method} ${target.split('?')[0] ?? ''}</code>`,
    origin,
    tokenOwner ?? '',
    parts === undefined ? '' : `${parts.length} in a batch`,
  ]);
  const heads = ['Time', 'Request', 'Host', 'Account', 'More'];
  return section(
    'Requests',
    markup`<p class="soft">${counted(shown.length, all.length)} Latest first, queries left out.</p>${table(heads, rows, 'None yet.')}`,
  );
}

/** The OAuth clients, without their secrets. */
export function clientsView(sim: Simulation): Markup {
  const rows = [...sim.state.clients.values()].map((client) => [
    markup`<code>${client.clientId}</code>`,
    client.deleted ? 'deleted' : client.disabled === true ? 'disabled' : client.publishingStatus,
    client.audience,
    sim.state.agents.agenticClients.has(client.clientId) ? 'agent' : '',
    client.redirectUris.join(', '),
  ]);
  return markup`${section('OAuth clients', table(['Client', 'Status', 'Audience', 'Marked as', 'Redirect URIs'], rows, 'None.'))}
${delegation(sim)}`;
}

/** What the administrator of the domain lets service accounts do. */
function delegation(sim: Simulation): Markup {
  const { delegates, listings } = sim.state.delegation;
  const rows = delegates.map(({ email, clientId, state }) => {
    const listing = listings.find((one) => one.clientId === clientId);
    const from = listing === undefined ? '' : markup`<time>${new Date(listing.effectiveAtMs).toISOString()}</time>`;
    return [
      email,
      markup`<code>${clientId}</code>`,
      state,
      listing?.scopes.join(', ') ?? 'not listed',
      from,
      markup`<form method="post" action="${PAGE_PREFIX}/clients"><input type="hidden" name="clientId" value="${clientId}">
<label>Scopes <input name="scopes" value="${listing?.scopes.join(',') ?? ''}"></label><button name="do" value="list">List</button><button name="do" value="unlist">Take off</button></form>`,
    ];
  });
  const heads = ['Service account', 'Client id', 'Status', 'Listed scopes', 'From', 'What to do'];
  return section('Domain-wide delegation', table(heads, rows, 'No service account. POST /__sim/delegates adds one.'));
}
