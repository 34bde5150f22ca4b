import { sha256Hex } from '../../gateway/core/identifiers.ts';
import type { ReadToolCall } from '../../gateway/server-tools/tool-call.rules.ts';
import {
  type AboutCall,
  type Account,
  type Fact,
  isOutsider,
  memberValue,
  plainFact,
  type Risk,
  type ShownValue,
  shownWho,
} from './about-call.rules.ts';
import { ADDRESS, isObject, type JsonObject } from './read-call.rules.ts';
import type { Sentence } from './sentences.rules.ts';
import { shownLines, shownText } from './shown-text.rules.ts';

/** Values of an object, or of all arguments, that a person is shown; the rest is counted. */
const SHOWN_MAX = 60;

/** What calls of known tools do, by the REST method that does the same. A tool of which nothing better is known is named. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  'calendar.events.insert': 'event_create',
  'calendar.events.patch': 'event_change',
  'calendar.events.delete': 'event_delete',
  'drive.files.create': 'file_create',
  'drive.files.copy': 'file_copy',
};

/**
 * What a call of a tool does, as far as the gateway knows: all arguments as they are sent, the object as the server's own tool shows it,
 * and the accepted description. What the server does beyond that is said to be unknown.
 *
 * @param shown the object now; undefined where the call names none, or it could not be read
 */
export function aboutTool(call: ReadToolCall, shown: JsonObject | undefined, account: Account): AboutCall {
  const { tool, known, args, object } = call;
  const name = nameIn(shown);
  const created = object === undefined ? nameIn(args) : undefined;
  const said = factsOf(args, object === undefined ? undefined : shown, account);
  const now = shown === undefined ? [] : valuesOf(shown, undefined);
  const facts: Fact[] = [
    plainFact('tool', { kind: 'code', text: shownText(tool.name) }),
    ...(tool.description === '' ? [] : [plainFact('described', { kind: 'text', text: shownLines(tool.description) })]),
    ...said,
    ...(now.length === 0 ? [] : [plainFact('now', ...now)]),
    ...(object !== undefined && shown === undefined
      ? [plainFact('now', { kind: 'word', word: 'object_unknown' })]
      : []),
    plainFact('unknown', { kind: 'word', word: 'tool_effects' }),
  ];
  const isSeries = Array.isArray(shown?.recurrence) && shown.recurrence.length > 0;
  const risks: Risk[] = [
    ...(said.some(({ after }) => after.some(isOutsider)) ? (['outside'] as const) : []),
    ...(known.class === 'share' ? (['readers_unknown'] as const) : []),
    ...(isSeries ? (['all_events'] as const) : []),
  ];
  const described = {
    sentence: sentenceOf(call, isSeries, created !== undefined),
    methodId: known.method,
    account: account.email && shownText(account.email),
    object,
    name: name === undefined ? object && { text: shownText(object.id), isId: true } : { text: name, isId: false },
    new: created ?? (object === undefined ? shownText(tool.title ?? tool.name) : undefined),
    who: undefined,
    role: undefined,
    facts,
    risks,
    mails: undefined,
    owner: undefined,
    warning: undefined,
  };
  return { ...described, seen: `~${sha256Hex(JSON.stringify([described, tool.hash])).slice(0, 16)}` };
}

function sentenceOf({ known, object, args }: ReadToolCall, isSeries: boolean, namesNew: boolean): Sentence {
  const sentence = SENTENCES[known.method];
  if (sentence === undefined || (object === undefined && !namesNew)) return 'tool_call';
  if (sentence === 'event_delete') return isSeries ? 'series_delete' : sentence;
  if (sentence !== 'event_change') return sentence;
  // An answer to an invitation is the same REST method as a change.
  const isAnswer = Object.keys(args).some((name) => /^response/i.test(name));
  return `${isSeries ? 'series' : 'event'}_${isAnswer ? 'answer' : 'change'}`;
}

/** What an object is called, by the members that Google's objects are called by. */
function nameIn(object: JsonObject | undefined): string | undefined {
  const found = ['summary', 'title', 'name'].map((member) => object?.[member]).find((one) => typeof one === 'string');
  return typeof found === 'string' ? shownText(found) : undefined;
}

/** Each argument, with what the object has under the same name. */
function factsOf(args: JsonObject, before: JsonObject | undefined, account: Account): readonly Fact[] {
  return Object.entries(args).map(([name, value]) => {
    const stood = before !== undefined && Object.hasOwn(before, name) ? before[name] : undefined;
    const after = valuesOf(value, account);
    return {
      label: shownText(name),
      isCode: true,
      before: stood === undefined ? undefined : valuesOf(stood, account),
      after,
      isRisk: after.some(isOutsider),
    };
  });
}

/** Values of any JSON, each under its path. @param account whose organization addresses are compared with; undefined: they are texts */
function valuesOf(value: unknown, account: Account | undefined): readonly ShownValue[] {
  const all = flattened(value, account);
  const left = all.length - SHOWN_MAX;
  return left <= 0 ? all : [...all.slice(0, SHOWN_MAX), { kind: 'code', text: `[+${left}]` }];
}

function flattened(value: unknown, account: Account | undefined): readonly ShownValue[] {
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown, at) => {
      const values = flattened(one, account);
      return isObject(one) && value.length > 1 ? values.map((each) => memberValue(String(at + 1), each)) : values;
    });
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, one]) =>
      flattened(one, account).map((each) => memberValue(shownText(name), each)),
    );
  }
  if (typeof value === 'boolean') return [{ kind: 'flag', isOn: value }];
  if (typeof value !== 'string') return [{ kind: 'code', text: String(value) }];
  if (account !== undefined && ADDRESS.test(value))
    return [shownWho(account, { type: 'user', address: value, isFound: false })];
  return [{ kind: 'text', text: shownLines(value) }];
}
