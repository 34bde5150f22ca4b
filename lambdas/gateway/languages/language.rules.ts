import type { en } from './en.ts';

/** Languages of the pages for end users; the first is the default. `lang` is the page's language tag, also sent to Google. */
export const LANGUAGES = {
  en: { lang: 'en', name: 'English' },
  de: { lang: 'de', name: 'Deutsch' },
  fr: { lang: 'fr', name: 'Français' },
  es: { lang: 'es', name: 'Español' },
  pt: { lang: 'pt-BR', name: 'Português (Brasil)' },
  ja: { lang: 'ja', name: '日本語' },
} as const;

export type Language = keyof typeof LANGUAGES;

/** The same as a list. */
export const LANGUAGE_IDS = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const satisfies readonly Language[];

/** Name of the file next to the bundle with the texts of one language. */
export type TextsFileName = `texts.${Language}.json`;

/** The language of a tag such as `de`, `de-AT` or `pt_BR`; undefined where it is not supported (RFC 4647 section 3.4, "Lookup"). */
export function languageOf(tag: string): Language | undefined {
  const [primary = ''] = tag.trim().toLowerCase().split(/[-_]/);
  return isLanguage(primary) ? primary : undefined;
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

/** Longest header that is read, and the maximum of ranges in it. */
const HEADER_MAX_LENGTH = 1000;
const RANGES_MAX = 50;

/**
 * The browser's preferred language: the supported range with the highest weight, or the earlier of two equal ones
 * (RFC 9110 section 12.5.4).
 *
 * @param header value of `Accept-Language`, if there was one
 */
export function acceptedLanguage(header: string | undefined): Language {
  const ranges = (header ?? '').slice(0, HEADER_MAX_LENGTH).split(',').slice(0, RANGES_MAX).map(readRange);
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ language }) => language));
  const wanted = ranges
    .filter(({ language, quality }) => quality > 0 && language !== undefined && !refused.has(language))
    .sort((a, b) => b.quality - a.quality);
  return wanted[0]?.language ?? 'en';
}

function readRange(text: string): { readonly language: Language | undefined; readonly quality: number } {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
  // A malformed weight counts as a missing one.
  const quality = weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
  return { language: languageOf(tag), quality };
}

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

/** A language other than English: all texts, and every scope in plain words. */
export type Translation = Omit<typeof en, 'scopes'> & {
  readonly scopes: Readonly<Record<(typeof SCOPE_NAMES)[number], string>>;
};

/** Texts for the browser code of the connect page. */
export type PageTexts = Pick<Texts, 'common' | 'session' | 'admin' | 'frame' | 'problems' | 'services'>;

/** The plural forms of a text; forms may be equal to `other`. */
export interface PluralForms {
  readonly one: string;
  readonly other: string;
}

/** Fills the placeholders of a text; parts that are not text are inserted unchanged. */
export function fillParts<Part>(text: string, words: Readonly<Record<string, Part | string>>): (Part | string)[] {
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : (words[part] ?? '')))
    .filter((part) => part !== '');
}

/** The same with texts only. */
export function fill(text: string, words: Readonly<Record<string, string>>): string {
  return fillParts(text, words).join('');
}

/** The plural form of a text for a number in this language (CLDR plural rules, as in `Intl`). */
export function pluralForm(language: Language, forms: PluralForms, count: number): string {
  return new Intl.PluralRules(LANGUAGES[language].lang).select(count) === 'one' ? forms.one : forms.other;
}

/** A number as this language writes it. */
export function numberIn(language: Language, value: number): string {
  return new Intl.NumberFormat(LANGUAGES[language].lang).format(value);
}

/** The texts of a language from their built file. @throws Error where it is missing */
export async function readTexts(
  builtText: (name: TextsFileName) => Promise<string>,
  language: Language,
): Promise<Texts> {
  const texts: Texts = JSON.parse(await builtText(`texts.${language}.json`));
  return texts;
}
