import type { ApiPrices } from '../providers/google/prices.rules.ts';
import type { Forecast } from './quota.rules.ts';

/** Answers that a billing account may have to pay for, of one API. */
export interface Billable {
  readonly answered: Forecast;
  /** Above the daily allowance; undefined where the allowance is not known. */
  readonly above: Forecast | undefined;
  /** Dollars for them; undefined where no price is known. */
  readonly usd: Forecast | undefined;
}

/** What the answers of a billing account's projects come to in a day: no allowance and no price is guessed (GA-28). */
export function billableOf(projects: readonly Forecast[], prices: ApiPrices | undefined): Billable {
  const answered = each((of) => projects.reduce((sum, one) => sum + one[of], 0));
  const { answersADay, usdPerMillionAnswers: usdPerMillion } = prices ?? {};
  const above = answersADay === undefined ? undefined : each((of) => Math.max(0, answered[of] - answersADay));
  const usd =
    above === undefined || usdPerMillion === undefined
      ? undefined
      : each((of) => Math.round((above[of] / 1_000_000) * usdPerMillion * 100) / 100);
  return { answered, above, usd };
}

function each(amount: (of: keyof Forecast) => number): Forecast {
  return { spent: amount('spent'), atEnd: amount('atEnd') };
}
