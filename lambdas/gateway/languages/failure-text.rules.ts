import type { AuthorizationServer } from '../providers/authorization-server.rules.ts';
import { fill, type Texts } from './language.rules.ts';

/** Plain words for the person in front of the page; never text from outside. */
export interface FlowFailureText {
  readonly title: string;
  readonly happened: string;
  /** Whose move it is, and which. */
  readonly next: string;
}

/** What a failure's sentences name; what is not known is put in other words. */
export interface FlowFailureWords {
  /** Address of the account that the connection belongs to. */
  readonly expected?: string | undefined;
  /** Address of the account that was chosen. */
  readonly chosen?: string | undefined;
  /** Workspace domain that the app takes accounts of. */
  readonly domain?: string | undefined;
}

/** Names of failed flows that have sentences; one of them belongs to another (`no_organization`). */
export type FailureName = keyof Texts['failures'];

/** A failure's sentences in the language of these texts, naming the provider that was asked. */
export function failureText(
  texts: Pick<Texts, 'failures' | 'failuresAt' | 'unknownAccounts'>,
  name: FailureName,
  server: Pick<AuthorizationServer, 'id' | 'displayName'>,
  words: FlowFailureWords = {},
): FlowFailureText {
  const provider = server.displayName;
  const { expected, chosen } = texts.unknownAccounts;
  const named = {
    provider,
    expected: words.expected ?? fill(expected, { provider }),
    chosen: words.chosen ?? chosen,
    domain: words.domain ?? '',
  };
  // A domain that is not named is any of Google Workspace.
  const kind = name === 'wrong_domain' && words.domain === undefined ? 'no_organization' : name;
  const { title, happened, next } = texts.failuresAt[server.id]?.[kind] ?? texts.failures[kind];
  return { title: fill(title, named), happened: fill(happened, named), next: fill(next, named) };
}

/** The same as one line, as messages have it. */
export function failureMessage({ happened, next }: FlowFailureText): string {
  return `${happened} ${next}`;
}

/** Whether a stored name is that of a failure: rows of other versions may hold others. */
export function isFailureName(texts: Pick<Texts, 'failures'>, name: string): name is FailureName {
  return Object.hasOwn(texts.failures, name);
}
