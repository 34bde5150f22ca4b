import type { AuthorizationServer } from '../providers/authorization-server.rules.ts';
import { fill, type Texts } from './language.rules.ts';

/** Plain text for end users; never contains text from outside. */
export interface FlowFailureText {
  readonly title: string;
  readonly happened: string;
  /** What to do next, and who. */
  readonly next: string;
}

/** Names in a failure's texts; unknown ones are described instead. */
export interface FlowFailureWords {
  /** Address of the account that the connection belongs to. */
  readonly expected?: string | undefined;
  /** Address of the account that was chosen. */
  readonly chosen?: string | undefined;
  /** Workspace domain whose accounts the app accepts. */
  readonly domain?: string | undefined;
}

/** Failures of flows that have texts; `no_organization` is a variant of another. */
export type FailureName = keyof Texts['failures'];

/** A failure's texts in this language, with the provider's name. */
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
  // Without a named domain, any Google Workspace account is meant.
  const kind = name === 'wrong_domain' && words.domain === undefined ? 'no_organization' : name;
  const { title, happened, next } = texts.failuresAt[server.id]?.[kind] ?? texts.failures[kind];
  return { title: fill(title, named), happened: fill(happened, named), next: fill(next, named) };
}

/** The same as one line, for messages. */
export function failureMessage({ happened, next }: FlowFailureText): string {
  return `${happened} ${next}`;
}

/** Whether a stored name is that of a failure: rows of other versions may contain others. */
export function isFailureName(texts: Pick<Texts, 'failures'>, name: string): name is FailureName {
  return Object.hasOwn(texts.failures, name);
}
