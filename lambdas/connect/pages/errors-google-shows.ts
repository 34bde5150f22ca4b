import type { Texts } from '../../gateway/languages/language.rules.ts';

/** An error that Google shows on a page of its own and never sends back. */
export interface ShownError {
  /** Google's name of the error. */
  readonly name: string;
  readonly meaning: string;
}

/** Google "Errors" of the OAuth guide, in the order in which users meet them. */
export function errorsGoogleShows({ googleErrors }: Texts): readonly ShownError[] {
  const { notVerified, adminPolicy, orgInternal, blocked, disabled, misconfigured, userAgent, rateLimit } =
    googleErrors;
  return [notVerified, adminPolicy, orgInternal, blocked, disabled, misconfigured, userAgent, rateLimit];
}
