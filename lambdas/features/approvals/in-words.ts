import { fill, fillParts, LANGUAGES, type Language, numberIn } from '../../gateway/languages/language.rules.ts';
import type { AboutCall, Fact, ShownValue } from './about-call.rules.ts';
import type { ApprovalTexts } from './languages/approval-texts.rules.ts';
import type { Principal } from './readings.rules.ts';
import type { ShownRequest } from './shown-request.rules.ts';

/** Words of the language, and names that others gave. */
export type Words = readonly (string | { readonly name: string })[];

/** One thing that a call changes or that matters to it, in words. */
export interface FactInWords {
  readonly label: string;
  /** The label is the provider's own name of a member. */
  readonly isCode: boolean;
  readonly before: readonly string[] | undefined;
  /** Empty where it is taken away. */
  readonly after: readonly string[];
  readonly isRisk: boolean;
}

/** What a call does, in the words of one language (AP-32). */
export interface CallInWords {
  readonly sentence: Words;
  readonly facts: readonly FactInWords[];
  /** Shown in red. */
  readonly risks: readonly string[];
  readonly mails: string | undefined;
  /** Why it cannot be approved. */
  readonly warning: string | undefined;
  /** Undefined where it is kept no more. */
  readonly request: ShownRequest | undefined;
}

export function inWords(
  texts: ApprovalTexts,
  language: Language,
  about: AboutCall,
  request: ShownRequest | undefined,
): CallInWords {
  const { name, role, mails, warning } = about;
  const values = (shown: readonly ShownValue[]) => shown.map((one) => valueInWords(texts, language, one));
  const fact = ({ label, isCode, before, after, isRisk }: Fact): FactInWords => ({
    label: isCode ? label : wordOf(texts.labels, label),
    isCode,
    before: before && values(before),
    after: values(after),
    isRisk,
  });
  const owner = about.owner === undefined ? [] : [ownFact(texts.labels.owner, about.owner)];
  return {
    sentence: fillParts<string | { readonly name: string }>(texts.sentences[about.sentence], {
      name: name === undefined ? '' : { name: name.isId ? fill(texts.thisObject, { id: name.text }) : name.text },
      new: { name: about.new ?? '' },
      who: { name: about.who === undefined ? texts.someone : whoInWords(texts, about.who) },
      role: wordOf(texts.roles, role ?? 'unknown'),
    }),
    facts: [...about.facts.map(fact), ...owner],
    risks: about.risks.map((one) => texts.risks[one]),
    mails: mails && mailsInWords(texts, mails),
    warning: warning && (warning === 'is_gone' ? texts.isGone : texts.cannotName),
    request,
  };
}

function mailsInWords(
  { mails, mailsCut, mailsOutsideOnly }: ApprovalTexts,
  { to, isOutsideOnly, isCut }: NonNullable<AboutCall['mails']>,
): string {
  const text = isCut ? mailsCut : isOutsideOnly ? mailsOutsideOnly : mails;
  return fill(text, { who: to.length === 0 ? '–' : to.join(', ') });
}

function ownFact(label: string, text: string): FactInWords {
  return { label, isCode: false, before: undefined, after: [text], isRisk: false };
}

/** Words of a language as one text, names of others in quotation marks that they cannot close. */
export function plainText(words: Words): string {
  return words
    .map((one) =>
      typeof one === 'string'
        ? one
        : `“${one.name.replace(/[“”]/g, (mark) => (mark === '“' ? '[U+201C]' : '[U+201D]'))}”`,
    )
    .join('');
}

function wordOf(table: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(table, name) ? (table[name] ?? name) : name;
}

function whoInWords({ words }: ApprovalTexts, { type, address, isFound }: Principal): string {
  if (type === 'anyone') return isFound ? words.anyone_found : words.anyone_link;
  const who = address ?? '?';
  if (type === 'user') return who;
  return fill(type === 'group' ? words.group : type === 'domain' ? words.domain : words.unknown_who, { who });
}

function valueInWords(texts: ApprovalTexts, language: Language, value: ShownValue): string {
  const { words, roles } = texts;
  switch (value.kind) {
    case 'text':
    case 'code':
      return value.text;
    case 'flag':
      return value.isOn ? words.yes : words.no;
    case 'role':
      return wordOf(roles, value.role);
    case 'who': {
      const who = whoInWords(texts, value.who);
      return value.isOutside && value.who.type !== 'anyone' ? fill(words.outside, { who }) : who;
    }
    case 'time':
      return timeInWords(language, value.iso, value.zone);
    case 'local':
      return localInWords(language, value.text, value.zone);
    case 'member':
      // A line of its own for each, which no text of others can end.
      return `${value.name}: ${valueInWords(texts, language, value.value).replaceAll('\n', '[U+000A]')}`;
    case 'word':
      return fill(words[value.word], { count: numberIn(language, value.count ?? 0) });
  }
}

function timeInWords(language: Language, iso: string, zone: string): string {
  const at = Date.parse(iso);
  const format = (timeZone: string) =>
    new Intl.DateTimeFormat(LANGUAGES[language].lang, { dateStyle: 'full', timeStyle: 'short', timeZone }).format(at);
  if (Number.isNaN(at)) return iso;
  try {
    return `${format(zone)} (${zone})`;
  } catch {
    return `${format('UTC')} (UTC)`;
  }
}

/** A time as a clock shows it, or a day, with the zone that was named. */
function localInWords(language: Language, text: string, zone: string | undefined): string {
  const isDay = !text.includes('T');
  const at = Date.parse(isDay ? `${text}T00:00:00Z` : `${text}Z`);
  if (Number.isNaN(at)) return text;
  const style = isDay ? ({ dateStyle: 'full' } as const) : ({ dateStyle: 'full', timeStyle: 'short' } as const);
  const shown = new Intl.DateTimeFormat(LANGUAGES[language].lang, { ...style, timeZone: 'UTC' }).format(at);
  return zone === undefined ? shown : `${shown} (${zone})`;
}
