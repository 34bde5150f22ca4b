import { fill, type Texts } from './texts.rules.ts';

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

/** A failure's sentences in the language of these texts. */
export function failureText(
  texts: Pick<Texts, 'failures' | 'unknownAccounts'>,
  name: FailureName,
  words: FlowFailureWords = {},
): FlowFailureText {
  const { expected, chosen } = texts.unknownAccounts;
  const named = { expected: words.expected ?? expected, chosen: words.chosen ?? chosen, domain: words.domain ?? '' };
  // A domain that is not named is any of Google Workspace.
  const { title, happened, next } =
    texts.failures[name === 'wrong_domain' && words.domain === undefined ? 'no_organization' : name];
  return { title, happened: fill(happened, named), next: fill(next, named) };
}

/** The same as one line, as messages have it. */
export function failureMessage({ happened, next }: FlowFailureText): string {
  return `${happened} ${next}`;
}

/** Whether a stored name is that of a failure: rows of other versions may hold others. */
export function isFailureName(texts: Pick<Texts, 'failures'>, name: string): name is FailureName {
  return Object.hasOwn(texts.failures, name);
}
