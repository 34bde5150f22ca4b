/** What `npm run generate` makes of the simulator's tables: how much of each of Google's methods it has, and from where that is known. */
import { ACTIVITY_COVERAGE } from '../../packages/simulator/activity/query-activity.ts';
import type { MethodEntry } from '../../packages/simulator/api/coverage.ts';
import { HANDLERS } from '../../packages/simulator/api/handlers.ts';
import { METHODS } from '../../packages/simulator/api/method-table.ts';
import { REFUSALS } from '../../packages/simulator/api/refusals.ts';
import { AS_FAULT, NOT_PRODUCED } from '../../packages/simulator/data/known-reasons.ts';
import { MCP_SERVERS } from '../../packages/simulator/mcp/servers.ts';

const INTRODUCTION = `# What the simulator has of Google's methods

A *whole* method does what Google's page says of it, with state that other methods see. A method that is not known well enough answers 501 \`notImplementedBySimulator\` and names itself, never an empty success. Every
answer has the members and types of Google's discovery documents. [The sources](../../contributing/simulator-sources.md) name the page or report of each behaviour, and what nobody knows.`;

const SOURCES_INTRODUCTION = `# What the simulator is modelled on

Written by \`npm run generate\` from the entries of [\`packages/simulator/drive/methods.ts\`](../packages/simulator/drive/methods.ts),
[\`packages/simulator/calendar/methods.ts\`](../packages/simulator/calendar/methods.ts) and [\`packages/simulator/api/refusals.ts\`](../packages/simulator/api/refusals.ts). [How much of each method there is](../packages/simulator/METHODS.md) has a page of its own.`;

function entriesOf(ids: readonly string[]): MethodEntry[] {
  return ids.map((id) => {
    const entry = HANDLERS.get(id);
    if (entry === undefined) throw new Error(`${id} has no entry in methods.ts.`);
    return entry;
  });
}

/** The methods of an API: whole ones by name, all others with what is missing. */
function section(title: string, api: 'drive' | 'calendar'): string {
  const ids = METHODS[api].map(({ id }) => id);
  const entries = entriesOf(ids);
  const nameOf = (at: number) => `\`${(ids[at] ?? '').replace(`${api}.`, '')}\``;
  const whole = entries.flatMap(({ depth }, at) => (depth === 'whole' ? [nameOf(at)] : []));
  const lacking = new Map<string, string[]>();
  for (const [at, entry] of entries.entries()) {
    if (entry.depth === 'whole') continue;
    const text = entry.depth === 'partial' ? entry.missing : `501: ${entry.why}`;
    lacking.set(text, [...(lacking.get(text) ?? []), nameOf(at)]);
  }
  const others = [...lacking].map(([text, names]) => `| ${names.join(', ')} | ${text} |`);
  return [
    `## ${title}`,
    '',
    `${whole.length} of ${entries.length} methods are whole: ${whole.join(', ')}.`,
    '',
    '| Other methods | What is missing |',
    '|---|---|',
    ...others,
  ].join('\n');
}

function activitySection(): string {
  const { id, missing } = ACTIVITY_COVERAGE;
  return ['## Drive Activity v2', '', `\`${id}\` lacks ${missing}.`].join('\n');
}

/** The page of Google's that each method follows. */
function pages(): string {
  const ids = [...METHODS.drive, ...METHODS.calendar].map(({ id }) => id);
  const byPage = new Map<string, string[]>();
  for (const [at, { page }] of entriesOf(ids).entries()) {
    byPage.set(page, [...(byPage.get(page) ?? []), `\`${ids[at] ?? ''}\``]);
  }
  byPage.set(ACTIVITY_COVERAGE.page, [`\`${ACTIVITY_COVERAGE.id}\``]);
  const rows = [...byPage].map(([page, methods]) => `| ${page} | ${methods.join(', ')} |`);
  return ["## Google's page of each method", '', '| Page | Methods |', '|---|---|', ...rows].join('\n');
}

/** A table of answers, one row each. */
function answers(): string {
  const rows = Object.values(REFUSALS).map(
    (row: { code: number; reason: string; domain?: string; location?: string; source: string }) => {
      const { code, reason, domain = 'global', location = '', source } = row;
      return `| ${code} | \`${reason}\` | \`${domain}\` | ${location === '' ? '' : `\`${location}\``} | ${source} |`;
    },
  );
  return [
    '## What is refused, and how it is known',
    '',
    'These answers come from one table, [`packages/simulator/api/refusals.ts`](../packages/simulator/api/refusals.ts). *Not known* marks words or a status that no public source has: the simulator refuses, because a request that Google may refuse must not pass here.',
    '',
    '| Status | Reason | Domain | Location | Known from |',
    '|---|---|---|---|---|',
    ...[...new Set(rows)],
  ].join('\n');
}

/** Reasons that the simulator does not answer by itself. */
function reasons(): string {
  const absent = Object.entries(NOT_PRODUCED).map(([reason, why]) => `| \`${reason}\` | ${why} |`);
  return [
    '## Reasons that public clients know and the simulator does not answer',
    '',
    `Only a fault switch answers these: ${AS_FAULT.map((reason) => `\`${reason}\``).join(', ')}.`,
    '',
    '| Reason | Why not |',
    '|---|---|',
    ...absent,
  ].join('\n');
}

const NOT_KNOWN = `## Not known

What Google does in these cases is not documented, and no public report says it. The simulator refuses, or does what is named here.

- An order next to restrictions in a call with a sync token: the order is refused first.
- Whether a list that \`q\` or \`timeMin\` restricts ends with a sync token: it does here, because Google's guide starts a sync with \`timeMin\`.
- What Google answers to a rule with \`FREQ=HOURLY\`, \`MINUTELY\` or \`SECONDLY\`: public reports name a server error, and that Google Calendar repeats nothing within a day. The simulator refuses such a rule with 400 \`invalid\`.
- How many starts a day a rule may have by \`BYHOUR\`, \`BYMINUTE\` and \`BYSECOND\`: 24.
- How many instances one request may read: 10,000 of a series and about 40,000 of a calendar. A longer time is refused with 400 \`timeRangeTooLong\`; a list without \`timeMax\` shows fewer instances of each series instead.
- The longest title and place of an event, and the longest recurrence: 8,192 letters, the limit that is reported of descriptions.
- A birthday with a description, a place, attachments or an end of its recurrence: refused.
- A birthday whose body names a contact: it becomes that contact's, which nobody can change.
- An absence and focus time without properties of their own: taken, as public programs send them.
- A working location, absence or focus time with attachments: refused.
- A page token of another log: 400 \`invalid\`.
- A move into or out of a shared drive without \`removeParents\`: refused with \`teamDrivesParentLimit\`.
- Whether reading a file by the API opens it: it does not here. \`POST /__sim/opened\` opens it.`;

/** Tools of Google's MCP servers. */
function mcpSection(): string {
  const groups = new Map<string, string[]>();
  for (const { host, tools } of MCP_SERVERS) {
    for (const { name, effect, scopes, self } of tools) {
      const needs = scopes.map((scope) => `\`${scope}\``).join(' or ');
      const rest = `| ${effect} | ${needs} | ${self ? 'yes' : 'no'} |`;
      groups.set(`${host} ${rest}`, [...(groups.get(`${host} ${rest}`) ?? []), `\`${name}\``]);
    }
  }
  const rows = [...groups].map(([key, names]) => {
    const at = key.indexOf(' ');
    return `| \`${key.slice(0, at)}\` | ${names.join(', ')} ${key.slice(at + 1)}`;
  });
  const later = MCP_SERVERS.flatMap((server) => server.later.map(({ name }) => name));
  return [
    "## Google's MCP servers",
    '',
    '| Server | Tools | What they do | Scope | Also at `/mcp/v1self` |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `\`POST /__sim/mcp\` also offers ${later.map((name) => `\`${name}\``).join(' and ')}. Nobody has compared these servers with Google's yet; [what is known of them](../../contributing/simulator-sources.md#googles-mcp-servers).`,
  ].join('\n');
}

const MCP_SOURCES = `## Google's MCP servers

Nobody has compared these servers with Google's yet. What they do has one of four sources.

| Source | What |
|---|---|
| Google's documents | Addresses, protocol versions and names of the tools. The mark of an agent's client: one that was made without it before 12 November 2026 never gets it. Two services for each product. Forms by which Google asks its users, also about reads, and \`/mcp/v1self\` with fewer tools. 5,000 requests for each Cloud project, product and day, of which some tools take several |
| reports and code of others | no mark of a client is changed after it was made; \`initialize\` and \`tools/list\` without a credential; 401 for each tool with a document of its scopes; 403 at the first tool call where a service is not enabled |
| inference | names and types of arguments, members of results, hints of tools; that \`drive\` and \`calendar\` include the scopes of the tools; that the day begins at midnight Pacific Time |
| not known, chosen here | Google's words for a client without the mark: 403 \`CLIENT_NOT_AGENTIC\`. The status for a token without the scopes: 401 that names them. Whether answers are streams: they are JSON, unless a control request says that a tool reports progress. Whether REST takes tokens of an agent's client: it does. Which tools count as several requests: those that search, read, download or suggest, as two. Which tools \`/mcp/v1self\` has: those marked above. What a form asks: \`decision\`, \`allow\` or \`deny\`. What clients without forms are answered: a result with \`isError\`, or error -32021. Whether an answer counts twice: it does, for ten minutes |`;

/** The page for users as it should be now. */
export function simulatorCoverage(): string {
  const sections = [section('Drive v3', 'drive'), section('Calendar v3', 'calendar'), activitySection(), mcpSection()];
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

/** The page of its sources. */
export function simulatorSources(): string {
  return `${[SOURCES_INTRODUCTION, pages(), MCP_SOURCES, answers(), reasons(), NOT_KNOWN].join('\n\n')}\n`;
}
