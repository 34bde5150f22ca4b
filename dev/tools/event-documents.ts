/** What `npm run generate` makes from the catalogue of events: the reference in docs/events.md, and the dashboard's words. */
import { DESCRIBED_MESSAGES } from '../../lambdas/features/described-messages.ts';
import { LIFECYCLE_EVENT_TYPES } from '../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { DEATH_CAUSE_WORDS, EVENTS } from '../../lambdas/gateway/openapi/event-catalog.ts';
import { messageExample } from '../../lambdas/gateway/openapi/event-messages.ts';
import type { DescribedEvent } from '../../lambdas/gateway/openapi/event-parts.ts';
import { Components } from '../../lambdas/gateway/openapi/json-schema.ts';
import { jsonAt, listAt, textAt } from '../../lambdas/gateway/openapi/read-document.ts';

/** Path of the page, from the project's folder. */
export const EVENTS_PAGE = 'docs/events.md';
/** Path of the dashboard's words, likewise. */
export const EVENT_WORDS = 'packages/dashboard/src/model/event-words.ts';

const MARK = '<!-- Written by `npm run generate` from lambdas/gateway/openapi/event-catalog.ts. -->';

/** Members that every event has, which are described once. */
const SHARED = ['event_id', 'time', 'account_id'];
/** The row of `sequence`, which each type describes by what it counts. */
const SEQUENCE_ROW =
  '| `sequence` | Number of this event among the changes of its connection or integration, counting up by one. `0` has no place in an order. In events of a feed: number of its last batch. |';
/** The row of `health`, which some types have of a connection and others of an integration. */
const HEALTH_ROW =
  '| `health` | Health of the [connection](calls.md#health-of-a-connection) or [integration](calls.md#health-of-an-integrations-oauth-client) after the event. |';
/** What the description of each `actor` ends with, which the page says once. */
const KINDS_OF_ACTORS = /: `key:…`, `iam:…`, `operator:…` or `session:…`\.$/;
/** A member that at least so many types describe in the same words is described once, too. */
const OFTEN = 4;
/** Members of almost every event of a connection, in the order of its data. */
const OF_CONNECTION = ['`sequence`', '`integration_id`', '`connection_id`', '`end_user_id?`'].join(', ');
/** A member with more words than this has only their names here. */
const MANY = 12;
/** Members of the events of an approval, likewise. */
const OF_APPROVAL = ['`approval_id`', '`method`', '`key_id`', '`object_kind?`', '`object_id?`'].join(', ');
/** Types with an example on the page: one of a connection, and one with JSON in a member. */
export const SHOWN: readonly string[] = ['ConnectionReauthorizationRequired', 'FeedChanged'];

/** A member of a type as its schema describes it. */
interface Member {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Its words and what they mean; empty where it is free text. */
  readonly words: readonly (readonly [word: string, meaning: string])[];
}

/** True unless a type gives the sequence a meaning of its own. */
function isOrdinarySequence({ name, description }: Member): boolean {
  return name === 'sequence' && /among those that changed|nothing that is numbered|last batch/.test(description);
}

function membersOf({ data }: Pick<DescribedEvent, 'data'>): Member[] {
  const schema = new Components().inline(data, 'output');
  return Object.entries(jsonAt(schema, 'properties')).map(([name, member]) => ({
    name,
    description: textAt(member, 'description'),
    isRequired: listAt(schema, 'required').includes(name),
    words: meaningsOf(member),
  }));
}

/** The row of a member in a table without the column *Sent*. */
function memberRow(member: Member): string {
  return `| \`${member.name}\` | ${meaning(member)} |`;
}

/** Rows of the members that many types share, each in its most frequent wording. */
function frequentRows(rows: readonly (readonly [string, DescribedEvent])[]): Set<string> {
  const counts = new Map<string, number>();
  for (const [, row] of rows) {
    for (const member of membersOf(row)) {
      if ([...SHARED, 'sequence', 'health', 'reason'].includes(member.name) || isDeprecated(member)) continue;
      counts.set(memberRow(member), (counts.get(memberRow(member)) ?? 0) + 1);
    }
  }
  const memberOf = (row: string) => row.split('`')[1];
  const often = [...counts].filter(([, count]) => count >= OFTEN).toSorted(([, one], [, other]) => other - one);
  return new Set(
    often.map(([row]) => row).filter((row, at, all) => all.findIndex((one) => memberOf(one) === memberOf(row)) === at),
  );
}

function meaningsOf(member: unknown): Member['words'] {
  const meanings = listAt(member, 'x-enum-descriptions');
  return meanings.length === 0 ? [] : listAt(member, 'enum').map((word, at) => [String(word), String(meanings[at])]);
}

/** The page: what is written by hand above the mark, and the reference. */
export function eventsPage(current: string): string {
  const [prose] = current.split(/^<!-- Written by .* -->$/m);
  const rows = Object.entries(EVENTS());
  const frequent = frequentRows(rows);
  const ofAudience = (audience: string) => rows.filter(([, row]) => row.audience === audience);
  return [
    `${(prose ?? '').trimEnd()}\n\n${MARK}\n`,
    '## All types',
    '',
    '`GET /docs` of your gateway shows an example of every type.',
    'Types for your app have [a section each](#each-type). [Records of who did what](#records-of-who-did-what) share a table. [`Heartbeat`](#heartbeat) is about the gateway itself.',
    '',
    '## Members',
    '',
    'Every event has `event_id`, `time` and `account_id`.',
    '',
    `- A name with \`?\` may be absent.`,
    `- *Of a connection* stands for ${OF_CONNECTION}.`,
    `- *Of an approval* stands for ${OF_APPROVAL}.`,
    '- An `actor` is `key:…`, `iam:…`, `operator:…`, `session:…` or `stack:…`.',
    '',
    '| Member | Meaning |',
    '|---|---|',
    ...membersOf(EVENTS().Heartbeat)
      .filter(({ name }) => SHARED.includes(name))
      .map(memberRow),
    SEQUENCE_ROW,
    HEALTH_ROW,
    ...frequent,
    '',
    '## Causes of a dead grant',
    '',
    '| Cause | Meaning |',
    '|---|---|',
    ...wordRows(DEATH_CAUSE_WORDS),
    '',
    '## Each type',
    '',
    ...rows.filter(([, { audience }]) => audience !== 'audit').flatMap(([type, row]) => section(type, row, frequent)),
    '## Records of who did what',
    '',
    ...recordTable(ofAudience('audit'), frequent),
    '',
    ...Object.entries(DESCRIBED_MESSAGES()).flatMap(([type, row]) => [
      `## ${type}`,
      '',
      `${row.when} The message goes to one endpoint and not to the bus. Respond with 2xx.`,
      '',
      ...example(type, row),
    ]),
  ].join('\n');
}

function wordRows(words: Readonly<Record<string, string>>): string[] {
  return Object.entries(words).map(([word, meaning]) => `| \`${word}\` | ${meaning} |`);
}

/** Types that only record what somebody did, a row each. */
function recordTable(rows: readonly (readonly [string, DescribedEvent])[], frequent: ReadonlySet<string>): string[] {
  return [
    '| Type | What happened | Members |',
    '|---|---|---|',
    ...rows.map(([type, row]) => {
      const { usual, own } = split(row, frequent);
      return `| \`${type}\` | ${row.when} | ${[usual, ...own].filter((text) => text !== '').join('<br>')} |`;
    }),
  ];
}

/** Members of a type: the names of those that the page explains once, and a line for each of its own. */
function split(row: DescribedEvent, frequent: ReadonlySet<string>): { usual: string; own: string[] } {
  const members = membersOf(row).filter((member) => !SHARED.includes(member.name) && !isDeprecated(member));
  const isUsual = (member: Member) => isOrdinarySequence(member) || isPlain(member) || frequent.has(memberRow(member));
  const usual = members.filter(isUsual);
  const names = usual.map(nameOf).join(', ');
  return {
    usual: names.replace(OF_CONNECTION, '*of a connection*').replace(OF_APPROVAL, '*of an approval*'),
    own: members.filter((member) => !isUsual(member)).map((member) => `${nameOf(member)}: ${meaning(member)}`),
  };
}

function nameOf({ name, isRequired }: Member): string {
  return `\`${name}${isRequired ? '' : '?'}\``;
}

/** A member whose name says all, next to the words of its health or the meaning of the type. */
function isPlain({ name, description }: Member): boolean {
  if (name === 'actor') return !description.includes('`link:…`');
  return name === 'remedy' || name === 'health' || name === 'key_id';
}

/** What happened, and what a backend does about it. */
function purpose({ when, readBy }: DescribedEvent): string {
  const use = /^Your backend, to (.*)$/.exec(readBy)?.[1];
  return use === undefined ? when : `${when} *Use it to* ${use}`;
}

function section(type: string, row: DescribedEvent, frequent: ReadonlySet<string>): string[] {
  const { usual, own } = split(row, frequent);
  return [
    `### ${type}`,
    '',
    purpose(row),
    '',
    ...(usual === '' ? [] : [`Members: ${usual}${own.length > 0 ? ', and:' : '.'}`, '']),
    ...(own.length === 0 ? [] : [...own.map((line) => `- ${line}`), '']),
    ...(row.source === undefined ? [] : [`Source on the bus: \`${row.source}\``, '']),
    // The API's document has an example of every type.
    ...(SHOWN.includes(type) ? example(type, row) : []),
  ];
}

function isDeprecated({ description }: Member): boolean {
  return description.startsWith('Deprecated');
}

function meaning({ name, description, words }: Member): string {
  if (name === 'actor') return description.replace(KINDS_OF_ACTORS, '.');
  if (words.length === 0) return description;
  // Long lists of words stand once, in places of their own.
  if (name === 'cause') return `${description} One of these [causes](#causes-of-a-dead-grant).`;
  if (words.length > MANY) {
    return `${description} The API document explains ${words.map(([word]) => `\`${word}\``).join(', ')}.`;
  }
  // A number explains itself.
  if (name === 'percent' || name === 'days_left') return description;
  return [description, ...words.map(([word, text]) => `\`${word}\`: ${text}`)].join('<br>');
}

function example(type: string, row: Pick<DescribedEvent, 'data' | 'example'>): string[] {
  return [`\`\`\`json ${type}`, JSON.stringify(messageExample(type, row), null, 2), '```', ''];
}

/** The dashboard's words for events. */
export function eventWords(): string {
  const words = Object.entries(EVENTS()).map(([type, row]) => {
    const remarks = membersOf(row).flatMap(({ name, words: list }) =>
      name === 'health' || name === 'cause' || name === 'kind' ? [] : list,
    );
    return `  ${type}: ${JSON.stringify({ title: row.title, tone: row.tone, remarks: Object.fromEntries(remarks) })},`;
  });
  const causes = Object.entries(DEATH_CAUSE_WORDS).map(([cause, label]) => `  ${JSON.stringify({ cause, label })},`);
  return `/**
 * Titles of events and causes. Written by npm run generate from lambdas/gateway/openapi/event-catalog.ts.
 */

/** How an event of a timeline reads. */
export interface EventText {
  readonly title: string;
  readonly tone: 'success' | 'error' | 'warning' | 'info';
  /** What its code words say. */
  readonly remarks: Readonly<Record<string, string>>;
}

export const EVENT_TEXTS: Readonly<Record<string, EventText>> = {
${words.join('\n')}
};

/** Why a connection has to be authorized again, in words for a chart, a filter and a list. */
export interface CauseText {
  readonly cause: string;
  /** A few words. */
  readonly label: string;
}

/** Every cause the gateway names, for filters. */
export const ALL_CAUSES: readonly CauseText[] = [
${causes.join('\n')}
];
`;
}

/** Types that nobody has described. */
export function undescribedTypes(types: readonly string[] = LIFECYCLE_EVENT_TYPES): string[] {
  return types.filter((type) => !Object.hasOwn(EVENTS(), type));
}
