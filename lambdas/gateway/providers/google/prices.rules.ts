import type { ProviderId } from '../provider-ids.rules.ts';

/** What the provider charges a billing account for calls above a daily allowance; undefined = not known. */
export interface ApiPrices {
  /** When this was last compared with the provider's pages, such as `2026-11-28`. */
  readonly readOn: string;
  readonly chargedFrom: string;
  /** Answers with a 2xx status a day that cost nothing, of all projects of a billing account. */
  readonly answersADay: number | undefined;
  readonly usdPerMillionAnswers: number | undefined;
}

const READ = { readOn: '2026-11-28', chargedFrom: '2027-04-01' } as const;

/**
 * What Google charges projects in the Scaled tier, as far as it could be read on `readOn` ("Pricing and billing tiers"). Operators fill in
 * what they know and set the date; what is undefined is not known, and no price is shown for it.
 */
export const PRICES: Readonly<Partial<Record<ProviderId, ApiPrices>>> = {
  'google-calendar': { ...READ, answersADay: 1_000_000, usdPerMillionAnswers: undefined },
  // Drive has four buckets of calls with a price each.
  'google-drive': { ...READ, answersADay: undefined, usdPerMillionAnswers: undefined },
};
