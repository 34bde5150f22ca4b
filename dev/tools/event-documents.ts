/** What `npm run generate` makes from the catalogue of events: the reference in docs/events.md, and the dashboard's words. */
import { EVENT_SOURCE } from '../../lambdas/gateway/core/contract.ts';
import { LIFECYCLE_EVENT_TYPES } from '../../lambdas/gateway/events/lifecycle-event.rules.ts';
import {
  CLIENT_HEALTH_WORDS,
  DEATH_CAUSE_WORDS,
  ENDPOINT_TEST,
  EVENTS,
  HEALTH_WORDS,
} from '../../lambdas/gateway/openapi/event-catalog.ts';
import { ENDPOINT_TEST_TYPE, messageExample } from '../../lambdas/gateway/openapi/event-messages.ts';
import type { DescribedEvent, EventAudience } from '../../lambdas/gateway/openapi/event-parts.ts';
import { Components } from '../../lambdas/gateway/openapi/json-schema.ts';
import { jsonAt, listAt, textAt } from '../../lambdas/gateway/openapi/read-document.ts';

/** Path of the page, from the project's folder. */
export const EVENTS_PAGE = 'docs/events.md';
/** Path of the dashboard's words, likewise. */
export const EVENT_WORDS = 'packages/dashboard/src/model/event-words.ts';

const MARK = '<!-- Written by `npm run generate` from lambdas/gateway/openapi/event-catalog.ts. -->';

const AUDIENCES: Readonly<Record<EventAudience, string>> = {
  app: 'Events that an app acts on',
  audit: 'Records of who did what',
  operator: 'Events about the gateway itself',
};

/** Members that are described once, above all types. */
const SHARED = ['event_id', 'time', 'account_id'];

/** A member of a type as its schema describes it. */
interface Member {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Its words and what they mean; empty where it is free text. */
  readonly words: readonly (readonly [word: string, meaning: string])[];
}

function membersOf({ data }: Pick<DescribedEvent, 'data'>): Member[] {
  const schema = new Components().inline(data, 'output');
  return Object.entries(jsonAt(schema, 'properties')).map(([name, member]) => ({
    name,
    description: textAt(member, 'description'),
    isRequired: listAt(schema, 'required').includes(name),
    words: Object.entries(jsonAt(member, 'x-enum-descriptions')).map(([word, meaning]) => [word, String(meaning)]),
  }));
}

/** The page: what is written by hand above the mark, and the reference. */
export function eventsPage(current: string): string {
  const [prose] = current.split(/^<!-- Written by .* -->$/m);
  const rows = Object.entries(EVENTS());
  const audiences = Object.entries(AUDIENCES).flatMap(([audience, title]) => {
    const those = rows.filter(([, row]) => row.audience === audience);
    return those.length === 0 ? [] : [`### ${title}`, '', ...overview(those), ''];
  });
  return [
    `${(prose ?? '').trimEnd()}\n\n${MARK}\n`,
    '## All types',
    '',
    ...audiences,
    '## What every event has',
    '',
    '| Member | Meaning |',
    '|---|---|',
    ...membersOf(ENDPOINT_TEST())
      .filter(({ name }) => SHARED.includes(name))
      .map(({ name, description }) => `| \`${name}\` | ${description} |`),
    '',
    '## Health',
    '',
    '| Of a connection | Meaning |',
    '|---|---|',
    ...wordRows(HEALTH_WORDS),
    '',
    '| Of an integration | Meaning |',
    '|---|---|',
    ...wordRows(CLIENT_HEALTH_WORDS),
    '',
    '## Causes of a dead grant',
    '',
    '| Cause | Meaning |',
    '|---|---|',
    ...wordRows(DEATH_CAUSE_WORDS),
    '',
    ...rows.flatMap(([type, row]) => [...section(type, row), '']),
    `## ${ENDPOINT_TEST_TYPE}`,
    '',
    `${ENDPOINT_TEST().when} It is a message to one endpoint and not on the bus. Answer it with 2xx.`,
    '',
    ...example(ENDPOINT_TEST_TYPE, ENDPOINT_TEST()),
    '',
  ].join('\n');
}

function wordRows(words: Readonly<Record<string, string>>): string[] {
  return Object.entries(words).map(([word, meaning]) => `| \`${word}\` | ${meaning} |`);
}

function overview(rows: readonly (readonly [string, DescribedEvent])[]): string[] {
  return [
    '| Type | When | For |',
    '|---|---|---|',
    ...rows.map(([type, { when, readBy }]) => `| [\`${type}\`](#${type.toLowerCase()}) | ${when} | ${readBy} |`),
  ];
}

function section(type: string, row: DescribedEvent): string[] {
  const members = membersOf(row).filter(({ name }) => !SHARED.includes(name));
  return [
    `## ${type}`,
    '',
    `${row.when} *Read by:* ${row.readBy}`,
    '',
    '| Member | Sent | Meaning |',
    '|---|---|---|',
    ...members.map((member) => `| \`${member.name}\` | ${sent(member)} | ${meaning(member)} |`),
    '',
    `Rule: \`${JSON.stringify({ source: [row.source ?? EVENT_SOURCE], 'detail-type': [type] })}\``,
    '',
    ...example(type, row),
  ];
}

function sent({ isRequired, description }: Member): string {
  if (description.startsWith('Deprecated')) return 'until 0.4.0';
  return isRequired ? 'always' : 'sometimes';
}

function meaning({ name, description, words }: Member): string {
  if (words.length === 0) return description;
  // Long lists of words stand once, in places of their own.
  if (name === 'cause') return `${description} One of the [causes](#causes-of-a-dead-grant).`;
  if (name === 'health' && words.length > 1) return `${description} One of the words of its [health](#health).`;
  return [description, ...words.map(([word, text]) => `\`${word}\`: ${text}`)].join('<br>');
}

function example(type: string, row: Pick<DescribedEvent, 'data' | 'example'>): string[] {
  return [`\`\`\`json ${type}`, JSON.stringify(messageExample(type, row), null, 2), '```'];
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
