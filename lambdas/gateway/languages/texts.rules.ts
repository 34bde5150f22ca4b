import type { en } from './en.ts';
import { LANGUAGES, type Language } from './language.rules.ts';

/** Names of the scopes that pages describe, without Google's prefix. */
export const SCOPE_NAMES = [
  'drive.file',
  'drive.appdata',
  'drive.install',
  'drive.apps.readonly',
  'drive',
  'drive.readonly',
  'drive.metadata',
  'drive.metadata.readonly',
  'drive.meet.readonly',
  'drive.scripts',
  'drive.activity',
  'drive.activity.readonly',
  'calendar.app.created',
  'calendar.calendarlist.readonly',
  'calendar.events.freebusy',
  'calendar.events.public.readonly',
  'calendar.freebusy',
  'calendar.settings.readonly',
  'calendar',
  'calendar.readonly',
  'calendar.events',
  'calendar.events.readonly',
  'calendar.events.owned',
  'calendar.events.owned.readonly',
  'calendar.calendarlist',
  'calendar.calendars',
  'calendar.calendars.readonly',
  'calendar.acls',
  'calendar.acls.readonly',
] as const;

/** Every text of the pages that end users see, in one language. */
export type Texts = Omit<typeof en, 'scopes'> & { readonly scopes: Readonly<Record<string, string>> };

/** A language besides English: all of it, and every scope in plain words. */
export type Translation = Omit<typeof en, 'scopes'> & {
  readonly scopes: Readonly<Record<(typeof SCOPE_NAMES)[number], string>>;
};

/** What the browser code of the connect page says. */
export type PageTexts = Pick<Texts, 'common' | 'session' | 'frame' | 'problems' | 'services'>;

/** A text in the forms that a number asks for; every form but `other` may be the same as another. */
export interface PluralForms {
  readonly one: string;
  readonly other: string;
}

/** Puts words in the places of a text; what is no text goes in as it is. */
export function fillParts<Part>(text: string, words: Readonly<Record<string, Part | string>>): (Part | string)[] {
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : (words[part] ?? '')))
    .filter((part) => part !== '');
}

/** The same with texts alone. */
export function fill(text: string, words: Readonly<Record<string, string>>): string {
  return fillParts(text, words).join('');
}

/** The form of a text that its number asks for in this language (CLDR plural rules, as `Intl` has them). */
export function pluralForm(language: Language, forms: PluralForms, count: number): string {
  return new Intl.PluralRules(LANGUAGES[language].lang).select(count) === 'one' ? forms.one : forms.other;
}

/** A number as this language writes it. */
export function numberIn(language: Language, value: number): string {
  return new Intl.NumberFormat(LANGUAGES[language].lang).format(value);
}
