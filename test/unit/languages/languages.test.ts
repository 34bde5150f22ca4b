import { describe, expect, test } from 'vitest';
import {
  FLOW_FAILURES,
  FlowFailure,
  type FlowFailureKind,
} from '../../../lambdas/gateway/authorization/flow-failure.ts';
import { otherAccount } from '../../../lambdas/gateway/authorization/identify-account.ts';
import { failureMessage, failureText, isFailureName } from '../../../lambdas/gateway/languages/failure-text.rules.ts';
import { TEXTS } from '../../../lambdas/gateway/languages/index.ts';
import {
  acceptedLanguage,
  fillParts,
  LANGUAGES,
  type Language,
  pluralForm,
  SCOPE_NAMES,
} from '../../../lambdas/gateway/languages/language.rules.ts';
import { reconnectMessage } from '../../../lambdas/gateway/languages/reconnect-messages.rules.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { PROVIDER_IDS } from '../../../lambdas/gateway/providers/provider.rules.ts';

const TRANSLATIONS = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== 'en');

/** What is written alike in several of these languages. */
const ALIKE = [/^googleErrors\.(?!notVerified|blocked)\w+\.name$/, /^services\./, /^common\.whoOfOrganization$/];

/** Failures that name Google in English, where it is the one that was asked. */
const GOOGLE_IN_ENGLISH = new Set(
  Object.keys(TEXTS.en.failures).filter(
    (name) =>
      isFailureName(TEXTS.en, name) &&
      /google/i.test(Object.values(failureText(TEXTS.en, name, { id: 'google', displayName: 'Google' })).join(' ')),
  ),
);

/** Every text of a language by its path. */
function flat(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] =>
    typeof inner === 'string' ? [[path + name, inner]] : flat(inner, `${path}${name}.`),
  );
}

const english = new Map(flat(TEXTS.en));
const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe.each(TRANSLATIONS)('%s', (language) => {
  const own = flat(TEXTS[language]).filter(([path]) => !path.startsWith('scopes.'));

  test('says all that English says, with words in the same places', () => {
    expect(own.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
    const wrong = own.filter(([path, text]) => {
      const [here, there] = [places(text), places(english.get(path) ?? '')];
      // "A file" needs no number.
      const isSingular = path.endsWith('.one');
      return here.join() !== there.join() && !(isSingular && here.every((place) => there.includes(place)));
    });
    expect(wrong).toEqual([]);
  });

  test('says nothing in English', () => {
    const alike = own.filter(([path, text]) => text === english.get(path) && !ALIKE.some((one) => one.test(path)));
    expect(alike).toEqual([]);
    expect(own.filter(([, text]) => text.trim() !== text || text === '')).toEqual([]);
  });

  test('describes every scope that a provider has, each in other words', () => {
    const described = Object.values(TEXTS[language].scopes);
    expect(new Set(described).size).toBe(SCOPE_NAMES.length);
    expect(Object.keys(TEXTS[language].scopes).sort()).toEqual([...SCOPE_NAMES].sort());
  });
});

test.each(Object.keys(FLOW_FAILURES) as FlowFailureKind[])('English says of %s what events and logs say', (kind) => {
  const failure =
    kind === 'wrong_account'
      ? otherAccount(null, 'b@example.com')
      : kind === 'wrong_domain'
        ? new FlowFailure(kind, { words: {}, text: TEXTS.en.failures.no_organization })
        : new FlowFailure(kind);
  const { server } = PROVIDERS['google-drive'];
  expect(failureText(TEXTS.en, kind, server, failure.words)).toEqual(
    kind === 'wrong_domain'
      ? { ...TEXTS.en.failures.no_organization, happened: expect.stringContaining('a different account') }
      : failure.at(server).text,
  );
});

/** Kinds that only Google's accounts can end in, because no other server knows organizations by their domain. */
const OF_GOOGLE_ALONE = ['wrong_domain', 'no_organization'];

test.each(Object.keys(LANGUAGES) as Language[])(
  '%s names the provider that was asked, and Google for its own',
  (language) => {
    const texts = TEXTS[language];
    const kinds = Object.keys(texts.failures).filter((name) => isFailureName(texts, name));
    const words = { domain: 'school.example' };
    for (const kind of kinds.filter((name) => !OF_GOOGLE_ALONE.includes(name))) {
      const acme = failureMessage(failureText(texts, kind, { id: 'acme', displayName: 'Acme' }, words));
      expect(acme).not.toMatch(/google|[{}]/i);
      const google = Object.values(failureText(texts, kind, { id: 'google', displayName: 'Google' }, words)).join(' ');
      expect(google).not.toMatch(/[{}]/);
      expect([kind, /google/i.test(google)]).toEqual([kind, GOOGLE_IN_ENGLISH.has(kind)]);
    }
    const { common, session, frame } = texts;
    const google = flat({ common, session, frame }).filter(([, text]) => text.includes('Google'));
    expect(google.map(([path]) => path).sort()).toEqual([
      'common.continueWithGoogle',
      'session.googleAsks',
      'session.googleAsksForFiles',
      'session.timedOut',
    ]);
  },
);

test.each(Object.keys(LANGUAGES) as Language[])(
  'a reconnect message in %s names all that it is about, and no place',
  (language) => {
    const words = {
      integration: 'Reports {link}',
      link: 'https://gateway.example/c',
      expiresAtMs: Date.UTC(2026, 2, 8, 14, 5),
    };
    const named = reconnectMessage(language, { ...words, name: 'Ada {name}' });
    expect(named.subject).toContain(words.integration);
    for (const word of ['Ada {name}', words.integration, words.link]) expect(named.text.split(word)).toHaveLength(2);
    expect(named.text).toMatch(/2026.*(?:14:05|2:05.PM) UTC/);
    const unnamed = reconnectMessage(language, { ...words, name: undefined });
    expect(`${unnamed.subject} ${unnamed.text}`.replaceAll(words.integration, '')).not.toMatch(/[{}]|undefined/);
    expect(unnamed.text.split('\n').slice(2)).toEqual(named.text.split('\n').slice(2));
    // Other languages repeat nothing of English.
    const english = reconnectMessage('en', { ...words, name: undefined }).text.split('\n');
    const own = unnamed.text.split('\n').filter((line) => line !== '' && line !== words.link);
    expect(own.filter((line) => english.includes(line))).toHaveLength(language === 'en' ? own.length : 0);
  },
);

test('scopes are described where a provider defines them, in addition to those that say who the account is', () => {
  const defined = PROVIDER_IDS.flatMap((id) => PROVIDERS[id].scopes.map(({ scope }) => scope));
  const shown = defined.filter((scope) => scope.includes('/')).map((scope) => scope.slice(scope.lastIndexOf('/') + 1));
  expect([...new Set(shown)].sort()).toEqual([...SCOPE_NAMES].sort());
});

test('a place takes text as well as what is no text', () => {
  const mark = { mark: true };
  expect(fillParts<typeof mark>('{a} of {b}: {a}', { a: mark, b: 'x' })).toEqual([mark, ' of ', 'x', ': ', mark]);
});

test.each([
  ['en', 0, 'files'],
  ['fr', 0, 'file'],
  ['pt', 0, 'file'],
  ['de', 1, 'file'],
  ['ja', 1, 'files'],
] as const)('counts as %s does: %i takes the form of %s', (language, count, form) => {
  expect(pluralForm(language, { one: 'file', other: 'files' }, count)).toBe(form);
});

describe('the language of a page', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['ja', 'ja'],
    ['de-AT', 'de'],
    ['PT-br', 'pt'],
    ['es-419;q=0.9, fr-CH', 'fr'],
    ['da, en-gb;q=0.8, fr;q=0.7', 'en'],
    ['da, nl;q=0.8', 'en'],
    ['de;q=0, fr;q=0.5', 'fr'],
    ['de, de;q=0, ja;q=0.1', 'ja'],
    ['en;q=0.5, de;q=0.5', 'en'],
    ['fr;q=0.001, de;q=0.002', 'de'],
    // A weight that cannot be read counts as if none was sent.
    ['fr;q=2, de;q=0.9', 'fr'],
    ['deutsch, x-fr, constructor, __proto__', 'en'],
    [`${'xx,'.repeat(100_000)}de`, 'en'],
  ])('the language of a page of a browser that asks for %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });
});
